"""Tables read in bulk: the same data, notes and errors as by the careful reader."""

import gzip
import tracemalloc
from itertools import cycle, islice

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caprese._core.progress import listening
from caprese.data import grouping
from caprese.errors import FormatError
from caprese.io.data import plain_tables, tables
from caprese.io.data.reading import most_samples
from caprese.io.data.tables import read_table

ENTRIES = ["0", "1", "NA", "", "0.0", "1.0", "NaN"]
UNUSUAL = [
    "na",
    "?",
    " 1",
    "1 ",
    "true",
    "2",
    "01",
    "0.05",
    "NAN",
    '"1"',
    "0.0.0",
    "NA1",
    "x",
    "\0",
]
NAMES = ["p", "NA", "é", "'-7q", "\\u0041", " p ", "p p", "0", "1", "", "\xa0p", '"p"', "p#", "'x"]
AT_ONCE = [7, 64, 2**20]


@pytest.fixture(autouse=True)
def small_files_in_bulk(monkeypatch):
    """Bulk reading whatever the number of rows; two rows are looked at for the layout."""
    monkeypatch.setattr(tables, "_LOOK_AHEAD", 2)


def outcome(path, **options):
    try:
        return read_table(path, **options)
    except FormatError as error:
        return str(error)


def careful_outcome(path, **options):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "plain_cells", lambda *_, **__: None)
        return outcome(path, **options)


def read_in_bulk(path, **options):
    """Read a file that must not need the careful reader."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "_reading", lambda *_: pytest.fail("not read in bulk"))
        return read_table(path, **options)


def lines(header, rows, delimiter=","):
    return [delimiter.join(row) for row in (header, *rows)]


@st.composite
def documents(draw):
    """Bytes of a table: mostly plain, sometimes with one thing that is not."""
    delimiter = draw(st.sampled_from(",,,\t;|"))
    width, height = draw(st.integers(1, 4)), draw(st.integers(1, 6))
    named = draw(st.booleans())
    cells = st.sampled_from(draw(st.sampled_from([ENTRIES[:2], ENTRIES[:3], ENTRIES])))
    rows = [draw(st.lists(cells, min_size=width, max_size=width)) for _ in range(height)]
    names = [f"{draw(st.sampled_from(NAMES[:9]))}{k}" for k in range(height)]
    if named:
        rows = [[name, *row] for name, row in zip(names, rows, strict=True)]
    if draw(st.booleans()):
        row = draw(st.sampled_from(rows))
        match draw(st.integers(0, 3)):
            case 0:
                row[draw(st.integers(0, len(row) - 1))] = draw(st.sampled_from(UNUSUAL + NAMES))
            case 1:
                row.append(draw(st.sampled_from(ENTRIES)))
            case 2:
                row.pop()
            case 3:
                row[0] = rows[0][0]
    header = ["sample"] * named + [f"e{k}" for k in range(width)]
    end = draw(st.sampled_from(["\n", "\n", "\r\n", "\r"]))
    text = [draw(st.sampled_from(["", "# first\n", "\n"])), *lines(header, rows, delimiter)]
    for _ in range(draw(st.integers(0, 1))):
        text.insert(draw(st.integers(1, len(text))), draw(st.sampled_from(["", " ", "\t", "#"])))
    last = draw(st.sampled_from(["", end, end + end]))
    content = bytes(text[0] + end.join(text[1:]) + last, "utf-8")
    damage = draw(st.sampled_from([b""] * 8 + [b"\xff", b"\r", b"\n"]))
    place = draw(st.integers(0, len(content)))
    return content[:place] + damage + content[place:]


@pytest.mark.slow
@given(documents(), st.booleans(), st.sampled_from(AT_ONCE))
@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_both_readers_give_the_same_data_and_errors(tmp_path, content, transpose, at_once):
    path = tmp_path / "data.csv"
    path.write_bytes(content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_tables, "_AT_ONCE", at_once)
        assert outcome(path, transpose=transpose) == careful_outcome(path, transpose=transpose)


@pytest.mark.parametrize("entries", [ENTRIES[:2], ENTRIES[:3], ENTRIES], ids=len)
@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_plain_tables_do_not_need_the_careful_reader(tmp_path, entries, named, delimiter, end):
    header = ["sample"] * named + ["a", "b", "c"]
    cells = cycle(entries)
    rows = [[f"p{k}"] * named + list(islice(cells, 3)) for k in range(20)]
    path = tmp_path / "data.txt"
    path.write_bytes(bytes(end.join(lines(header, rows, delimiter)), "utf-8"))
    options = {"delimiter": delimiter, "sample_names": named}
    assert read_in_bulk(path, **options) == careful_outcome(path, **options)


def test_a_packed_table_is_read_in_bulk_too(tmp_path):
    path = tmp_path / "data.csv.gz"
    path.write_bytes(gzip.compress(b"sample,a,b\np,1,0\nq,NA,1\n"))
    assert read_in_bulk(path) == careful_outcome(path)


def test_a_truncated_packed_table_is_refused_in_the_same_words(tmp_path):
    rng = np.random.default_rng(1)
    rows = "".join(f"p{k},{k % 2},{rng.integers(2)}\n" for k in range(5000))
    path = tmp_path / "data.csv.gz"
    path.write_bytes(gzip.compress(bytes("sample,a,b\n" + rows, "ascii"))[:-2000])
    assert "truncated" in outcome(path)
    assert outcome(path) == careful_outcome(path)


@pytest.mark.parametrize("memory", ["900", "2K", "3K", "20K"])
def test_the_budget_is_the_same(tmp_path, memory, monkeypatch):
    monkeypatch.setenv("CAPRESE_MEMORY", memory)
    path = tmp_path / "data.csv"
    for height, length in ((3, 1), (30, 1), (30, 40), (30, 90)):
        rows = [[f"{k:0{length}d}", "1", "0"] for k in range(height)]
        path.write_text("\n".join(lines(["sample", "a", "b"], rows)))
        assert outcome(path) == careful_outcome(path)


def test_values_that_are_read_cannot_be_written(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("sample,a,b\np,1,0\nq,0,1\n")
    with pytest.raises(ValueError, match="read-only"):
        read_in_bulk(path).data.values[0, 0] = False


def peak_of_reading(path, **options):
    """Return the bytes of memory that reading a table takes, at most, and those that it keeps."""
    tracemalloc.start()
    try:
        kept = read_table(path, **options)
        now, peak = tracemalloc.get_traced_memory()
        return peak, now, kept
    finally:
        tracemalloc.stop()


@pytest.mark.slow
@pytest.mark.parametrize("unknown", [False, True])
@pytest.mark.parametrize("transpose", [False, True])
@pytest.mark.parametrize("careful", [False, True])
def test_the_estimate_of_memory_is_what_reading_takes(
    tmp_path, unknown, transpose, careful, monkeypatch
):
    monkeypatch.setattr(plain_tables, "_AT_ONCE", 2**14)
    monkeypatch.setattr(grouping, "ROWS_AT_ONCE", 64)
    if careful:
        monkeypatch.setattr(tables, "plain_cells", lambda *_, **__: None)
    width, height = 1000, 2000
    cells = ",".join((("NA" if unknown else "0"), *islice(cycle("0110"), width - 1)))
    header = ",".join(("sample", *(f"e{k}" for k in range(width))))
    path = tmp_path / "data.csv"
    path.write_text("\n".join((header, *(f"p{k},{cells}" for k in range(height)))))
    peak, now, reading = peak_of_reading(path, transpose=transpose)
    samples, events = reading.data.values.shape
    monkeypatch.setenv("CAPRESE_MEMORY", str(peak))
    assert now > samples * events * (2 if unknown else 1)
    assert most_samples(events, tables._PER_PLAIN_CELL) < samples


def test_a_thousand_events_in_a_million_samples_are_within_the_default_budget(monkeypatch):
    monkeypatch.delenv("CAPRESE_MEMORY", raising=False)
    assert most_samples(1000, tables._PER_PLAIN_CELL) > 10**6


def test_plain_rows_beyond_the_budget_are_not_read_a_second_time(tmp_path, monkeypatch):
    monkeypatch.setenv("CAPRESE_MEMORY", "100K")
    monkeypatch.setattr(tables, "_reading", None)
    path = tmp_path / "data.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"1,0\n0,1\n" * 1000))
    with pytest.raises(FormatError, match=r"the table is too large: .* more than 100 KiB"):
        read_table(path)


def test_what_is_read_of_a_large_file_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("caprese._core.files._LARGE", 2**20)
    path = tmp_path / "data.csv"
    path.write_bytes(b"a,b\n" + b"1,0\n0,1\n" * 2**18)
    told = []
    with listening(lambda *report: told.append(report)):
        read_table(path)
    assert {each[0] for each in told} == {"MiB read"}
    assert told[-1][1:] == (2, 2)
    assert len({done for _, done, _ in told}) == 3
