import csv
import errno
import gzip
import io
import os
import re
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caprese._core import files
from caprese._core.files import shown
from caprese.data.dataset import Dataset
from caprese.errors import FormatError
from caprese.io.data.tables import ENTRIES, write_dataset
from caprese.io.data.tables import read_table as table_reading
from caprese.io.text.cells import cell

pytestmark = pytest.mark.slow


def read_table(path, **options):
    return table_reading(path, **options).data


ENTRY_EXPECTED = "expected 0/1, true/false, yes/no, present/absent, or empty/NA where unknown"


@pytest.fixture
def stored(tmp_path):
    """Return a function that stores text or bytes in a file and returns its path."""

    def store(content, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return store


def entries(data):
    """The entries of each row: 1, 0 and None."""
    known = np.ones_like(data.values) if data.known is None else data.known
    return [
        [int(value) if seen else None for value, seen in zip(*row, strict=True)]
        for row in zip(data.values, known, strict=True)
    ]


class TestWhatIsRead:
    def test_names_entries_and_their_order(self, stored):
        data = read_table(stored("sample,8q+,Xp-\np2,1,0\np1,NA,1\n"))
        assert data.events == ("8q+", "Xp-")
        assert data.samples == ("p2", "p1")
        assert entries(data) == [[1, 0], [None, 1]]

    def test_a_table_without_sample_names_is_numbered(self, stored):
        data = read_table(stored("a,b\n1,0\n0,1\n"))
        assert data.samples == ("1", "2")
        assert entries(data) == [[1, 0], [0, 1]]

    @pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"], ids=["unix", "windows", "mac"])
    @pytest.mark.parametrize("last", [True, False], ids=["last line ended", "last line open"])
    def test_line_ends_of_every_system(self, stored, ending, last):
        text = ending.join(["sample,a,b", "p,1,0", "q,0,1"]) + ending * last
        assert entries(read_table(stored(text))) == [[1, 0], [0, 1]]

    def test_a_byte_order_mark_is_not_part_of_the_first_name(self, stored):
        assert read_table(stored(b"\xef\xbb\xbfa,b\n1,0\n")).events == ("a", "b")

    def test_blank_lines_and_comments_before_the_header_are_skipped(self, stored):
        data = read_table(stored("# made by hand\n\n#2014\na,b\n\n1,0\n   \n0,1\n\n"))
        assert data.events == ("a", "b")
        assert entries(data) == [[1, 0], [0, 1]]

    def test_many_comments_do_not_hide_the_delimiter(self, stored):
        assert read_table(stored("# a, b\n" * 1000 + "a;b\n1;0\n")).events == ("a", "b")

    def test_a_hash_after_the_header_is_part_of_a_name(self, stored):
        assert read_table(stored("sample,a\n#1,1\n#2,0\n")).samples == ("#1", "#2")

    def test_any_text_is_a_name(self, stored):
        names = ("8q+", "Xp-", "TP53 (R175H)", "a,b", 'say "x"', "Åå→", "007", "1e3", "a\nb")
        header = ",".join('"' + name.replace('"', '""') + '"' for name in names)
        data = read_table(stored(f"{header}\n{','.join('1' * len(names))}\n"))
        assert data.events == names

    def test_white_space_around_names_and_entries_is_removed(self, stored):
        data = read_table(stored('sample , a, "b, c"\n p ,1 ,\t0\n'))
        assert (data.events, data.samples) == (("a", "b, c"), ("p",))
        assert entries(data) == [[1, 0]]

    @pytest.mark.parametrize(("text", "meaning"), ENTRIES.items())
    @pytest.mark.parametrize("spelled", [str, str.upper, str.title, " {} ".format])
    def test_every_way_to_write_an_entry(self, stored, text, meaning, spelled):
        data = read_table(stored(f"sample,a,b\np,{spelled(text)},1\n"))
        assert entries(data) == [[meaning, 1]]

    def test_the_listed_entries_cannot_be_changed(self):
        with pytest.raises(TypeError, match="does not support item assignment"):
            ENTRIES["maybe"] = None

    def test_a_table_longer_and_wider_than_the_look_ahead(self, stored):
        rng = np.random.default_rng(1)
        values = rng.random((1000, 300)) < 0.3
        lines = [",".join(f"e{k}" for k in range(300))]
        lines += [",".join("01"[entry] for entry in row) for row in values.astype(int)]
        assert np.array_equal(read_table(stored("\n".join(lines))).values, values)

    def test_standard_input_is_read_and_left_open(self, monkeypatch):
        stdin = io.TextIOWrapper(io.BytesIO(b"sample,a\np,1\n"))
        monkeypatch.setattr(sys, "stdin", stdin)
        assert read_table("-") == Dataset.from_rows([[1]], ["a"], ["p"])
        assert not stdin.buffer.closed


class TestDelimiter:
    @pytest.mark.parametrize("delimiter", [",", "\t", ";", " ", "   ", " \t "])
    def test_it_is_found(self, stored, delimiter):
        lines = [["sample", "a", "b"], ["p", "1", "0"], ["q", "0", "1"]]
        data = read_table(stored("\n".join(delimiter.join(line) for line in lines)))
        assert (data.events, data.samples) == (("a", "b"), ("p", "q"))

    def test_others_in_event_names_do_not_mislead(self, stored):
        data = read_table(stored("sample\tTP53, any; all\tKRAS G12D\np\t1\t0\n"))
        assert data.events == ("TP53, any; all", "KRAS G12D")

    def test_others_in_sample_names_do_not_mislead(self, stored):
        data = read_table(stored("sample\ta\nSmith, John\t1\nDoe, Jane\t0\n"))
        assert data.samples == ("Smith, John", "Doe, Jane")

    def test_those_in_quotes_are_ignored(self, stored):
        data = read_table(stored('sample,"a;b;c"\n"x;y;z",1\n"u;v;w",0\n'))
        assert (data.events, data.samples) == (("a;b;c",), ("x;y;z", "u;v;w"))

    def test_a_single_column_needs_none(self, stored):
        data = read_table(stored("TP53 R175H\n1\n\n0\n"))
        assert data.events == ("TP53 R175H",)
        assert entries(data) == [[1], [0]]

    def test_a_quoted_empty_cell_is_not_a_blank_line(self, stored):
        assert entries(read_table(stored('a\n1\n""\n'))) == [[1], [None]]

    def test_a_row_of_empty_cells_is_not_a_blank_line(self, stored):
        assert entries(read_table(stored("a\tb\n1\t0\n\t\n"))) == [[1, 0], [None, None]]

    def test_it_can_be_given(self, stored):
        data = read_table(stored("a,b|c\n1|0\n"), delimiter="|")
        assert data.events == ("a,b", "c")

    def test_a_space_means_any_run_of_white_space(self, stored):
        data = read_table(stored("a,x  b\n 1\t0\n"), delimiter=" ")
        assert data.events == ("a,x", "b")

    @pytest.mark.parametrize("delimiter", ["", ",,", '"', "\n", "\r", "\0"])
    def test_it_must_be_one_character(self, stored, delimiter):
        rule = "delimiter must be one character, not a quote or line end, got "
        with pytest.raises(ValueError, match=re.escape(rule + repr(delimiter))):
            read_table(stored("a,b\n1,0\n"), delimiter=delimiter)


SAMPLE_HEADERS = [
    *("sample", "Samples", "SAMPLE_ID", "sampleID", "Sample Name", "id", "patient", "Patient.ID"),
    *("Tumor_Sample_Barcode", "case", "case-id", "name", "barcode", "Unnamed: 0", "", " ", '""'),
]


class TestSampleNames:
    @pytest.mark.parametrize("header", SAMPLE_HEADERS)
    def test_the_header_announces_them(self, stored, header):
        data = read_table(stored(f"{header},a\n1,1\n0,0\n"))
        assert (data.events, data.samples) == (("a",), ("1", "0"))

    def test_a_header_one_field_shorter_announces_them(self, stored):
        data = read_table(stored("a,b\n1,1,0\n0,0,1\n"))
        assert (data.events, data.samples) == (("a", "b"), ("1", "0"))

    def test_the_table_r_writes_by_default(self, stored):
        text = '"TP53 R175H" "8q+"\n"p 1" 1 0\n"p 2" NA 1\n'
        data = read_table(stored(text, "data.txt"))
        assert (data.events, data.samples) == (("TP53 R175H", "8q+"), ("p 1", "p 2"))
        assert entries(data) == [[1, 0], [None, 1]]

    def test_the_table_r_writes_of_one_event(self, stored):
        assert read_table(stored('"8q+"\n"1" 1\n"2" 0\n')).samples == ("1", "2")

    def test_running_numbers_under_another_header_are_names(self, stored):
        rows = "".join(f"{number},1\n" for number in range(1, 88))
        data = read_table(stored(f"tumour,a\n{rows}"))
        assert data.samples == tuple(map(str, range(1, 88)))

    def test_they_can_be_given(self, stored):
        data = read_table(stored("tumour,a\n1,1\n0,0\n"), sample_names=True)
        assert data.samples == ("1", "0")

    def test_they_can_be_ruled_out(self, stored):
        data = read_table(stored("ID,a\n1,1\n0,0\n"), sample_names=False)
        assert data.events == ("ID", "a")

    def test_numbers_are_event_names_below_a_header_of_samples(self, stored):
        assert read_table(stored("sample,1,0\np,1,0\n")).events == ("1", "0")


# The content of the file, and the message after its path.
BAD = {
    "an unknown value": (
        "sample,8q+,5q-\np,1,0\n\nq,0,1\nr,1,maybe\n",
        f", line 5, column 3 ('5q-'): 'maybe' is not an entry; {ENTRY_EXPECTED}; "
        "exclude=['5q-'] leaves it out",
    ),
    "a stray number in the first event": (
        "a,b\n1,0\n2,1\n0,1\n",
        f", line 3, column 1 ('a'): '2' is not an entry; {ENTRY_EXPECTED}; "
        "exclude=['a'] leaves it out",
    ),
    "a sample named like the wrong value": (
        "sample,a,b\nx,1,x\n",
        f", line 2, column 3 ('b'): 'x' is not an entry; {ENTRY_EXPECTED}; "
        "exclude=['b'] leaves it out",
    ),
    "a wrong value far down": (
        "a,b\n" + "1,0\n" * 5000 + "1,-1\n",
        f", line 5002, column 2 ('b'): '-1' is not an entry; {ENTRY_EXPECTED}; "
        "exclude=['b'] leaves it out",
    ),
    "a wrong value below a name of two lines": (
        'sample,"a\nb"\np,2\n',
        f", line 3, column 2 ('a\\nb'): '2' is not an entry; {ENTRY_EXPECTED}",
    ),
    "a wrong value below comments": (
        "# x\n# y\na,b\n1,z\n",
        f", line 4, column 2 ('b'): 'z' is not an entry; {ENTRY_EXPECTED}; "
        "exclude=['b'] leaves it out",
    ),
    "a wrong value where lines end as on old Macs": (
        "sample,a\rp,1\rq,z\r",
        f", line 3, column 2 ('a'): 'z' is not an entry; {ENTRY_EXPECTED}",
    ),
    "a long value": (
        f"sample,a\np,{'x' * 1000}\n",
        f", line 2, column 2 ('a'): '{'x' * 20}…{'x' * 19}' is not an entry; {ENTRY_EXPECTED}",
    ),
    "a control character": (
        "sample,a\np,\x07\n",
        f", line 2, column 2 ('a'): '\\x07' is not an entry; {ENTRY_EXPECTED}",
    ),
    "a short row": (
        "sample,a,b\np,1,0\nq,1\n",
        ", line 3: 2 fields, expected 3: a sample name and 2 events",
    ),
    "a long row": ("a\n1\n0\n1,0\n", ", line 4: 2 fields, expected 1: 1 event"),
    "a short row below the header of R": (
        "a b\np 1 0\nq 0\nr 1 1\n",
        ", line 3: 2 fields, expected 3: a sample name and 2 events",
    ),
    "a lone field": ("a,b\n1,0\n1,0\nx\n", ", line 4: 1 field, expected 2: 2 events"),
    "an event twice": (
        "sample,a,b, a\np,1,0,1\n",
        ", line 1, column 4: event 'a' is also in column 2; names must differ",
    ),
    "an event twice below the header of R": (
        "a,a\np,1,0\n",
        ", line 1, column 2: event 'a' is also in column 1; names must differ",
    ),
    "a sample twice": (
        "sample,a\np,1\nq,1\n p,0\n",
        ", line 4, column 1: sample 'p' is also in line 2; names must differ",
    ),
    "an event without a name": (
        "sample,a,\np,1,0\n",
        ", line 1, column 3: the event name is empty; expected some text",
    ),
    "a sample without a name": (
        "sample,a\np,1\n ,1\n",
        ", line 3, column 1: the sample name is empty; expected some text",
    ),
    "no rows": ("sample,a\n\n", ", line 1: there is only a header; expected one row per sample"),
    "no events": (
        "sample\np\nq\n",
        ", line 1: no event after the sample names ('sample'); is the delimiter right?",
    ),
    "no header": (
        "1,0,1\n0,0,1\n",
        ", line 1: the first line holds entries; expected a header with event names",
    ),
    "no header above sample names": (
        "# sample,a,b\np,1,0\nq,0,0\n",
        ", line 2: the first line holds entries; expected a header with event names",
    ),
    "nothing": ("", ": the file is empty; expected a header and rows below it"),
    "only comments": ("# x\n\n  \n", ": the file is empty; expected a header and rows below it"),
    "another encoding": (
        "sample,a\nJosé,1\n".encode("latin-1"),
        ", line 2: byte 0xe9 is not UTF-8; expected plain text in UTF-8",
    ),
    "UTF-16": (
        "sample,a\np,1\n".encode("utf-16"),
        ": this is UTF-16 text; expected plain text in UTF-8",
    ),
    "big-endian UTF-16": (
        b"\xfe\xff" + "sample,a\np,1\n".encode("utf-16-be"),
        ": this is UTF-16 text; expected plain text in UTF-8",
    ),
    "half a gzip file": (
        gzip.compress(b"sample,a\np,1\n")[:-10],
        ": this gzip file is truncated; was a download interrupted?",
    ),
    "gzip in gzip": (
        gzip.compress(gzip.compress(b"sample,a\np,1\n")),
        ": this is a gzip file; expected plain text in UTF-8",
    ),
    "xz": (b"\xfd7zXZ\x00\x00", ": this xz file is truncated; was a download interrupted?"),
    "xlsx": (
        b"PK\x03\x04\x14\x00\x06\x00",
        ": this is a zip or Excel file; expected plain text in UTF-8",
    ),
    "xls": (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        ": this is an old Excel file; expected plain text in UTF-8",
    ),
    "a NUL byte": (
        b"sample,a\np,\x00\n",
        ", line 2: NUL byte: this is a binary file; expected plain text in UTF-8",
    ),
    "an open quote": (
        'sample,a\np,1\n"q,1\nr,0\n',
        ", line 3: unexpected end of data; is a closing quote missing?",
    ),
    "an open quote in a long file": (
        'sample,a\n"p,1\n' + "q,0\n" * 50_000,
        ", line 2: field larger than field limit (131072); is a closing quote missing?",
    ),
    "text after a quote": (
        'sample,"a"b\np,1\n',
        ", line 1: text follows a closing quote; expected the delimiter ','",
    ),
}


def refusal(path):
    """The message of a refused file; nothing if it is read."""
    try:
        read_table(path)
    except FormatError as error:
        return str(error)
    return ""


class TestWhatIsRefused:
    @pytest.mark.parametrize(("content", "message"), BAD.values(), ids=BAD)
    def test_a_bad_file_is_refused_with_place_and_reason(self, stored, content, message):
        path = stored(content)
        with pytest.raises(FormatError, match=f"^{re.escape(str(path) + message)}$"):
            read_table(path)

    @settings(deadline=None)
    @given(content=st.binary() | st.text('01ab,;\t \n\r"#').map(str.encode))
    def test_any_file_is_read_or_refused_in_one_line(self, content):
        with TemporaryDirectory() as folder:
            path = Path(folder, "data.csv")
            path.write_bytes(content)
            message = refusal(path)
        assert not message or message.startswith(str(path))
        assert message.isprintable()

    def test_the_wrong_delimiter(self, stored):
        message = "no event after the sample names ('sample,a'); is the delimiter right?"
        with pytest.raises(FormatError, match=re.escape(message)):
            read_table(stored("sample,a\np,1\n"), delimiter=";")

    def test_sample_names_where_none_are_expected(self, stored):
        with pytest.raises(FormatError, match="line 2: 2 fields, expected 1: 1 event"):
            read_table(stored("a\np,1\n"), sample_names=False)

    def test_standard_input_has_a_name(self, monkeypatch):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
        with pytest.raises(FormatError, match=r"^<stdin>: the file is empty"):
            read_table("-")

    def test_a_missing_file(self, tmp_path):
        with pytest.raises(FormatError, match=r"nowhere/data\.csv: no such file$"):
            read_table(tmp_path / "nowhere" / "data.csv")

    def test_a_missing_file_with_a_neighbour_of_a_similar_name(self, stored, tmp_path):
        path = stored("a\n1\n", "ovarian.csv")
        message = f"ovarain.csv: no such file; did you mean {shown(str(path))}?"
        with pytest.raises(FormatError, match=re.escape(message)):
            read_table(tmp_path / "ovarain.csv")

    def test_a_directory(self, tmp_path):
        message = f"^{re.escape(str(tmp_path))}: this is a directory; expected a file$"
        with pytest.raises(FormatError, match=message):
            read_table(tmp_path)

    @pytest.mark.parametrize(
        ("number", "message"),
        [(errno.EACCES, "no permission to read this file"), (errno.EIO, os.strerror(errno.EIO))],
    )
    def test_a_file_the_system_does_not_open(self, monkeypatch, number, message):
        def refusing(*_):
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(files, "open", refusing, raising=False)
        with pytest.raises(FormatError, match=f"^data.csv: {message}$"):
            read_table("data.csv")

    def test_an_unprintable_path_stays_on_one_line(self):
        with pytest.raises(FormatError, match=r"^'no\\nwhere': no such file$"):
            read_table("no\nwhere")


def names(count):
    printable = st.characters(exclude_categories=["C", "Zl", "Zp"])
    marks = st.sampled_from(",;\t\"# '\n01")
    text = st.text(printable | marks, min_size=1, max_size=12)
    return st.lists(text.filter(str.strip), min_size=count, max_size=count, unique=True)


@st.composite
def tables(draw):
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    entry = st.sampled_from([0, 1, None])
    row = st.lists(entry, min_size=columns, max_size=columns)
    table = draw(st.lists(row, min_size=rows, max_size=rows))
    return Dataset.from_rows(table, draw(names(columns)), draw(names(rows)))


class TestWhatIsWritten:
    @settings(deadline=None)
    @given(
        data=tables(),
        suffix=st.sampled_from([".csv", ".tsv", ".tab", ".TXT", ""]),
        guard=st.booleans(),
    )
    def test_it_is_read_back_equal(self, data, suffix, guard):
        with TemporaryDirectory() as folder:
            path = Path(folder, "data" + suffix)
            write_dataset(data, path, guard_formulas=guard)
            assert read_table(path) == data

    @pytest.mark.parametrize("guard", [False, True], ids=["plain", "guarded"])
    @settings(deadline=None)
    @given(data=tables())
    def test_another_reader_finds_the_same_fields(self, guard, data):
        with TemporaryDirectory() as folder:
            path = Path(folder, "data.csv")
            write_dataset(data, path, guard_formulas=guard)
            with open(path, encoding="utf-8", newline="") as file:
                header, *rows = csv.reader(file, strict=True)
        text = partial(cell, guard_formulas=guard)
        assert header == ["sample", *map(text, data.events)]
        written = {1: "1", 0: "0", None: "NA"}
        expected = [[written[entry] for entry in row] for row in entries(data)]
        samples = map(text, data.samples)
        assert rows == [[name, *row] for name, row in zip(samples, expected, strict=True)]

    def test_the_suffix_selects_the_delimiter(self, tmp_path):
        data = Dataset.from_rows([[1, None]], ["a", "b c"], ["p"])
        write_dataset(data, tmp_path / "data.tsv")
        assert (tmp_path / "data.tsv").read_text() == 'sample\ta\t"b c"\np\t1\tNA\n'
