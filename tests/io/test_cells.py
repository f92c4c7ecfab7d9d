"""Names in files: escaped where a format cannot hold them, inert in spreadsheets."""

import csv
import re
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese.data.dataset import Dataset
from caprese.io.data.genotypes import read_genotypes, write_genotypes
from caprese.io.data.tables import read_table, write_dataset
from caprese.io.text.cells import inert, name_in, quoted_cell
from caprese.io.text.escapes import escaped, unescaped
from hostile_names import HOSTILE, NAMES

FORMULA = re.compile(r"\s*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]")
EVERYDAY = ["8q+", "Xp-", "TP53 (R175H)", "5'UTR", "µ", "事", "C:\\temp", "a, b", "\\u00E9"]


@given(text=NAMES | st.just("") | st.just("   "))
def test_escaped_text_is_visible_and_comes_back(text):
    assert escaped(text).isprintable()
    assert escaped(text) == escaped(text).strip()
    assert unescaped(escaped(text)) == text


@pytest.mark.parametrize("name", EVERYDAY)
def test_everyday_names_are_left_alone(name):
    assert escaped(name) == inert(name) == name
    assert unescaped(name) == name_in(name) == name


@given(name=NAMES)
def test_no_cell_is_a_formula_and_every_name_comes_back(name):
    assert not FORMULA.match(inert(name))
    assert name_in(inert(name)) == name
    assert name_in(f"  {inert(name)} ") == name


@given(name=NAMES)
def test_a_quoted_cell_is_one_field_for_another_reader(name):
    for delimiter in ",;\t":
        line = delimiter.join(["1", quoted_cell(name), "0"])
        assert list(csv.reader([line], delimiter=delimiter)) == [["1", inert(name), "0"]]


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+8q", "'+8q"),
        ("-7q", "'-7q"),
        ("@x", "'@x"),
        ("\t=1", "\\u0009=1"),
        ("\r=1", "\\u000d=1"),
        (" =1", "\\u0020=1"),
        ("'-7q", "''-7q"),
        ("\uff0b8q", "'\uff0b8q"),
    ],
)
def test_what_a_spreadsheet_would_compute(name, cell):
    assert inert(name) == cell


@pytest.mark.parametrize("ending", [".csv", ".tsv"])
def test_a_table_of_hostile_names_is_inert_and_reads_back_the_same(tmp_path, ending):
    path = tmp_path / f"data{ending}"
    data = Dataset.from_rows([[1, 0] * len(HOSTILE)] * len(HOSTILE), [*HOSTILE, *EVENTS], HOSTILE)
    write_dataset(data, path)
    assert read_table(path) == data
    with open(path, encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file, delimiter="\t" if ending == ".tsv" else ",")
    cells = header + [row[0] for row in rows]
    assert not any(FORMULA.match(cell) for cell in cells)


EVENTS = [f"event {k}" for k in range(len(HOSTILE))]


@given(events=st.lists(NAMES, min_size=2, max_size=4, unique=True), sample=NAMES)
def test_any_names_of_events_and_samples_are_read_back_from_a_table(events, sample):
    data = Dataset.from_rows([[1] * len(events)], events, [sample])
    with TemporaryDirectory() as folder:
        for ending in (".csv", ".tsv"):
            write_dataset(data, f"{folder}/data{ending}")
            assert read_table(f"{folder}/data{ending}") == data


@given(events=st.lists(NAMES, min_size=1, max_size=4, unique=True))
def test_any_names_of_events_are_read_back_from_genotype_counts(events):
    data = Dataset.from_rows([[1] * len(events)], events)
    with TemporaryDirectory() as folder:
        write_genotypes(data, f"{folder}/data.txt")
        assert read_genotypes(f"{folder}/data.txt").data.events == data.events


def test_a_table_guarded_by_another_program_gives_the_names_that_were_meant(tmp_path):
    (tmp_path / "data.csv").write_text("sample,'+8q,'-7q,5'UTR\np,1,0,1\n")
    assert read_table(tmp_path / "data.csv").events == ("+8q", "-7q", "5'UTR")


def test_a_name_of_nothing_but_spelled_out_blanks_is_empty(tmp_path):
    (tmp_path / "data.csv").write_text("sample,\\u0020\np,1\n")
    with pytest.raises(ValueError, match="line 1, column 2: the event name is empty"):
        read_table(tmp_path / "data.csv")
