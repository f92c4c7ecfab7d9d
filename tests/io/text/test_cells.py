"""Names in cells: escaped where a format cannot hold them, guarded against formulas on request."""

import csv
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese.data.dataset import Dataset
from caprese.io.data import tables
from caprese.io.data.genotypes import read_genotypes
from caprese.io.data.tables import write_dataset
from caprese.io.text.cells import cell, escaped, name_in, quoted_cell, unescaped
from hostile_names import HOSTILE, NAMES


def read_table(path, **options):
    return tables.read_table(path, **options).data


FORMULA = re.compile(r"\s*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]")
EVERYDAY = ["8q+", "Xp-", "TP53 (R175H)", "5'UTR", "'x", "µ", "事", "C:\\temp", "a, b", "\\u00E9"]
BOTH = pytest.mark.parametrize("guard", [False, True], ids=["plain", "guarded"])


@given(text=NAMES | st.just("") | st.just("   "))
def test_escaped_text_is_visible_and_is_restored(text):
    assert escaped(text).isprintable()
    assert escaped(text) == escaped(text).strip()
    assert unescaped(escaped(text)) == text


@BOTH
@pytest.mark.parametrize("name", EVERYDAY)
def test_everyday_names_are_unchanged(name, guard):
    assert escaped(name) == cell(name, guard_formulas=guard) == name
    assert unescaped(name) == name_in(name) == name


@pytest.mark.parametrize("name", ["-7q", "+8q", "=1+1", "@x", "\uff0b8q"])
def test_names_of_the_field_are_written_as_they_are_by_default(name):
    assert cell(name) == quoted_cell(name) == name
    assert name_in(name) == name


@given(name=NAMES)
def test_no_guarded_cell_is_a_formula(name):
    assert not FORMULA.match(cell(name, guard_formulas=True))


@BOTH
@given(name=NAMES)
def test_every_name_is_read_back(guard, name):
    assert name_in(cell(name, guard_formulas=guard)) == name
    assert name_in(f"  {cell(name, guard_formulas=guard)} ") == name


@BOTH
@given(name=NAMES)
def test_a_quoted_cell_is_one_field_for_another_reader(guard, name):
    for delimiter in ",;\t":
        line = delimiter.join(["1", quoted_cell(name, guard_formulas=guard), "0"])
        expected = ["1", cell(name, guard_formulas=guard), "0"]
        assert list(csv.reader([line], delimiter=delimiter)) == [expected]


@pytest.mark.parametrize(
    ("name", "plain", "guarded"),
    [
        ("=1+1", "=1+1", "'=1+1"),
        ("+8q", "+8q", "'+8q"),
        ("-7q", "-7q", "'-7q"),
        ("@x", "@x", "'@x"),
        ("\t=1", "\\u0009=1", "\\u0009=1"),
        ("\r=1", "\\u000d=1", "\\u000d=1"),
        (" =1", "\\u0020=1", "\\u0020=1"),
        ("'-7q", "''-7q", "''-7q"),
        ("''-7q", "'''-7q", "'''-7q"),
        ("'x", "'x", "'x"),
        ("\uff0b8q", "\uff0b8q", "'\uff0b8q"),
        ("a\nb ", "a\\u000ab\\u0020", "a\\u000ab\\u0020"),
        ("\\u0041", "\\u005cu0041", "\\u005cu0041"),
    ],
)
def test_cells_with_and_without_the_guard(name, plain, guarded):
    assert cell(name) == plain
    assert cell(name, guard_formulas=True) == guarded


@pytest.mark.parametrize(
    ("name", "text"),
    [("8q+", "8q+"), ("-7q; -5q", '"-7q; -5q"'), ('a "b" c', '"a ""b"" c"'), ("a,b", '"a,b"')],
)
def test_cells_are_quoted_where_a_delimiter_might_split_them(name, text):
    assert quoted_cell(name) == text


EVENTS = [f"event {k}" for k in range(len(HOSTILE))]


@BOTH
@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_a_table_of_hostile_names_is_read_back_equal(tmp_path, suffix, guard):
    path = tmp_path / f"data{suffix}"
    data = Dataset.from_rows([[1, 0] * len(HOSTILE)] * len(HOSTILE), [*HOSTILE, *EVENTS], HOSTILE)
    write_dataset(data, path, guard_formulas=guard)
    assert read_table(path) == data
    with open(path, encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file, delimiter="\t" if suffix == ".tsv" else ",")
    cells = header + [row[0] for row in rows]
    assert any(FORMULA.match(each) for each in cells) != guard


@given(events=st.lists(NAMES, min_size=2, max_size=4, unique=True), sample=NAMES, guard=...)
def test_any_names_of_events_and_samples_are_read_back_from_a_table(
    events: list[str], sample: str, guard: bool
):
    data = Dataset.from_rows([[1] * len(events)], events, [sample])
    with TemporaryDirectory() as folder:
        for suffix in (".csv", ".tsv"):
            write_dataset(data, f"{folder}/data{suffix}", guard_formulas=guard)
            assert read_table(f"{folder}/data{suffix}") == data


@given(events=st.lists(NAMES, min_size=1, max_size=4, unique=True))
def test_any_names_of_events_are_read_back_from_genotype_counts(events):
    names, genotype = "\t".join(map(cell, events)), "1" * len(events)
    with TemporaryDirectory() as folder:
        path = Path(folder, "data.txt")
        path.write_text(f"# events: {names}\t\n{genotype}\t1\n", encoding="utf-8")
        assert read_genotypes(path).data.events == tuple(events)


def test_only_an_apostrophe_that_guards_is_removed_from_tables_of_other_programs(tmp_path):
    (tmp_path / "data.csv").write_text("sample,'+8q,'-7q,'=a,'@b,-5q,'x,5'UTR\np,1,0,1,1,1,1,1\n")
    expected = ("+8q", "-7q", "=a", "@b", "-5q", "'x", "5'UTR")
    assert read_table(tmp_path / "data.csv").events == expected


def test_a_name_of_nothing_but_escaped_spaces_is_empty(tmp_path):
    (tmp_path / "data.csv").write_text("sample,\\u0020\np,1\n")
    with pytest.raises(ValueError, match="line 1, column 2: the event name is empty"):
        read_table(tmp_path / "data.csv")
