"""Excel files: what the sheet holds, not what it says of itself."""

import io
import zipfile
from datetime import date
from types import SimpleNamespace

import openpyxl
import pytest

from caprese.data.dataset import Dataset
from caprese.errors import FormatError
from caprese.io.data.frames import read_excel, write_data
from caprese.io.data.sources import read
from hostile_names import HOSTILE

EXPECTED = Dataset.from_rows([[1, 0], [0, 1]], events=["8q+", "Xp-"], samples=["p", "q"])
ROWS = (["sample", "8q+", "Xp-"], ["p", 1, 0], ["q", 0, 1])


@pytest.fixture
def stored(tmp_path):
    def store(*rows, change=lambda _book: None, replaced=()):
        book, content = openpyxl.Workbook(), io.BytesIO()
        for row in rows:
            book.active.append(row)
        change(book)
        book.save(content)
        path = tmp_path / "data.xlsx"
        with zipfile.ZipFile(content) as old, zipfile.ZipFile(path, "w") as new:
            for name in old.namelist():
                text = old.read(name)
                for before, after in replaced:
                    text = text.replace(before, after)
                new.writestr(name, text)
        return path

    return store


@pytest.mark.parametrize("size", [b"A1", b"A1:B2", b"A1:XFD1048576"])
def test_the_stated_size_of_the_sheet_is_not_trusted(stored, size):
    replaced = [(b'<dimension ref="A1:C3"', b'<dimension ref="' + size + b'"')]
    assert read_excel(stored(*ROWS, replaced=replaced)).data == EXPECTED


def test_the_first_sheet_that_is_not_hidden_is_read_and_the_others_are_named(stored):
    def change(book):
        book.active.sheet_state = "hidden"
        book.active.title = "old"
        new = book.create_sheet("new")
        for row in (["sample", "a"], ["p", 1]):
            new.append(row)

    reading = read_excel(stored(*ROWS, change=change))
    assert reading.data.events == ("a",)
    assert tuple(map(str, reading.notes)) == (
        "read the sheet 'new', not the others: old (hidden: old)",
    )
    chosen = read_excel(stored(*ROWS, change=change), sheet="old")
    assert chosen.data == EXPECTED
    assert str(chosen.notes[0]) == "the sheet 'old' is hidden in Excel"


def test_formulas_without_a_value_and_missing_values_are_unknown_and_said(stored):
    reading = read_excel(stored(*ROWS, ["r", "=1-1", "#N/A"], ["s", "#N/A", 0]))
    assert reading.data.known.tolist()[2:] == [[False, False], [False, True]]
    assert tuple(map(str, reading.notes)) == (
        "1 cell with a formula but no value, read as unknown: B4",
        "2 cells with #N/A, read as unknown",
    )


def test_the_stored_value_of_a_formula_is_read(stored):
    replaced = [(b"<v></v>", b"<v>1</v>"), (b"<v />", b"<v>1</v>"), (b"<v/>", b"<v>1</v>")]
    reading = read_excel(stored(*ROWS, ["r", "=1", "=1"], replaced=replaced))
    assert reading.data.values[2].tolist() == [True, True]
    assert reading.notes == ()


@pytest.mark.parametrize("error", ["#REF!", "#DIV/0!"])
def test_other_errors_are_refused_by_name(stored, error):
    with pytest.raises(FormatError, match=f"line 4, column 2 .*'{error}' is not an entry"):
        read_excel(stored(*ROWS, ["r", error, 1]))


def test_a_transposed_sheet(stored):
    path = stored(["gene", "p", "q"], ["8q+", 1, 0], ["Xp-", 0, 1])
    assert read_excel(path, transpose=True).data == EXPECTED


def test_gaps_between_cells_and_empty_rows(stored):
    rows = (ROWS[0], [], ROWS[1], ["q", None, 1])
    data = read_excel(stored(*rows)).data
    assert data.known.tolist() == [[True, True], [False, True]]


def test_declared_types_are_refused(stored):
    replaced = [(b"<worksheet", b'<!DOCTYPE w [<!ENTITY a "b">]><worksheet')]
    with pytest.raises(FormatError, match=r"the XML in this \.xlsx file declares types; refused"):
        read_excel(stored(*ROWS, replaced=replaced))


@pytest.mark.parametrize("suffix", [".xlsx", ".parquet", ".csv", ".tsv"])
def test_what_is_written_reads_back(tmp_path, suffix):
    data = Dataset.from_rows([[1, None, 0], [0, 1, 1]], ["-7q", "=1+1", "8q+"], ["p", "007"])
    path = tmp_path / f"data{suffix}"
    write_data(data, path)
    assert read(path).data == data


@pytest.mark.parametrize("suffix", [".xlsx", ".parquet"])
def test_every_name_that_is_not_too_long_for_a_cell_reads_back(tmp_path, suffix):
    names = [name for name in HOSTILE if len(name) < 5000 and "\ud800" not in name]
    names = names if suffix == ".xlsx" else [name for name in names if "\0" not in name]
    data = Dataset.from_rows([[1] * len(names)], names, ["p"])
    path = tmp_path / f"data{suffix}"
    write_data(data, path)
    assert read(path).data == data


def test_an_area_above_the_budget_is_refused_before_the_workbook_is_opened(stored, monkeypatch):
    def opened(*_arguments):
        raise AssertionError("opened")

    monkeypatch.setattr("python_calamine.CalamineWorkbook", SimpleNamespace(from_filelike=opened))
    path = stored(*ROWS, replaced=[(b'r="C3"', b'r="XFD1048576"')])
    with pytest.raises(FormatError, match="1,048,576 rows x 16,384 columns of cells: this would"):
        read_excel(path)


def test_a_part_that_is_larger_than_it_states_is_not_read_further(stored):
    path = stored(*ROWS)
    content = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as packed:
        (sheet,) = (each for each in packed.infolist() if "worksheets" in each.filename)
    place = content.rindex(b"xl/worksheets") - 46 + 24  # of its size in the list of all parts
    content[place : place + 4] = (sheet.file_size // 2).to_bytes(4, "little")
    path.write_bytes(content)
    with pytest.raises(FormatError, match=r"data\.xlsx: "):
        read_excel(path)


def test_empty_columns_before_the_first_cell_count(stored):
    path = stored(*([None, *row] for row in ROWS))
    with pytest.raises(FormatError, match="line 2, column 1: the sample name is empty"):
        read_excel(path)


def test_dates_are_shown_as_dates(stored):
    with pytest.raises(FormatError, match="'2020-03-04' is not an entry"):
        read_excel(stored(*ROWS, ["r", date(2020, 3, 4), 1]))


TYPED = "format the cells as text, and type the names once more"


@pytest.mark.parametrize(
    ("value", "shape", "shown"),
    [
        (1, "000", "with zeros before it"),
        (1, "00-00", "with zeros before it"),
        (1, '"P"0', "with more text"),
        (45_536, "yyyy-mm-dd", "as a date"),
        (45_536, "[$-409]d-mmm;@", "as a date"),
        (date(2024, 9, 1), None, "as a date"),
        (0.5, "h:mm", "as a date"),
    ],
)
@pytest.mark.parametrize("place", ["A2", "B1"])
def test_a_name_that_excel_shows_differently_is_refused(stored, value, shape, shown, place):
    def change(book):
        cell = book.active[place]
        cell.value = value
        cell.number_format = shape or cell.number_format

    where = {"A2": "line 2, column 1", "B1": "line 1, column 2"}[place]
    message = f"{where} .*: this name is stored as a number that Excel shows {shown}; {TYPED}"
    with pytest.raises(FormatError, match=message):
        read_excel(stored(*ROWS, change=change))


@pytest.mark.parametrize("shape", ["General", "0", "@", "#,##0", "[Red]0;-0"])
def test_a_name_that_is_a_number_shown_as_it_is_may_be_one(stored, shape):
    def change(book):
        book.active["A2"].value, book.active["A2"].number_format = 17, shape

    assert read_excel(stored(*ROWS, change=change)).data.samples == ("17", "q")


def test_a_date_in_a_column_that_is_left_out_is_no_name(stored):
    path = stored(["sample", "seen", "a"], ["p", date(2020, 1, 2), 1], ["q", date(2020, 1, 3), 0])
    assert read_excel(path, exclude=["seen"]).data.events == ("a",)


def test_a_column_of_numbers_with_zeros_before_them_may_hold_entries(stored):
    def change(book):
        for cell in ("B2", "B3"):
            book.active[cell].number_format = "00"

    assert read_excel(stored(*ROWS, change=change)).data == EXPECTED


@pytest.mark.parametrize(
    ("events", "samples", "message"),
    [
        (["x" * 32_768, "y"], ["p"], "32,768 characters in a name, but Excel has at most 32,767"),
        (["y"], ["p" + "\n" * 6000], "36,001 characters in a name, but Excel has at most 32,767"),
        (list(map(str, range(16_384))), ["p"], "16,385 columns, but Excel has at most 16,384"),
    ],
)
def test_what_a_sheet_cannot_hold_is_not_written(tmp_path, events, samples, message):
    path = tmp_path / "data.xlsx"
    with pytest.raises(FormatError, match=f"{message}; choose the suffix .csv or .parquet"):
        write_data(Dataset.from_rows([[1] * len(events)], events, samples), path)
    assert not path.exists()
