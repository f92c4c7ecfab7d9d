"""The same names in every format give the same data: spaces, guards and escapes are one rule."""

import openpyxl
import pandas
import pytest

from caprese.data.dataset import Dataset
from caprese.errors import FormatError
from caprese.io.data.annotations import read_clinical
from caprese.io.data.frames import write_data
from caprese.io.data.sources import read
from r_files import matrix, write

EVENTS = (" TP53", "'-7q", "\\u0020x", "5'UTR", "8q+")
SAMPLES = ("p ", "'=1")
EXPECTED = Dataset.from_rows(
    [[1, 0, 1, 0, 1], [0, 1, 1, 0, 0]], ["TP53", "-7q", " x", "5'UTR", "8q+"], ["p", "=1"]
)


def stored(folder, suffix, events=EVENTS, samples=SAMPLES):
    path = folder / f"data{suffix}"
    values = EXPECTED.values.astype(int)[:, : len(events)]
    frame = pandas.DataFrame(values, index=samples, columns=events)
    if suffix == ".csv":
        frame.to_csv(path, index_label="sample")
    elif suffix == ".parquet":
        frame.to_parquet(path)
    elif suffix == ".rds":
        write(path, m=matrix(values, list(samples), list(events)))
    else:
        book = openpyxl.Workbook()
        for row in (
            ("sample", *events),
            *([s, *v] for s, v in zip(samples, values.tolist(), strict=True)),
        ):
            book.active.append(row)
        for row in book.active:
            for cell in row:
                cell.data_type = "s" if isinstance(cell.value, str) else "n"
        book.save(path)
    return path


SUFFIXES = [".csv", ".xlsx", ".parquet", ".rds"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_same_table_in_every_format(tmp_path, suffix):
    path = stored(tmp_path, suffix)
    assert read(path).data == EXPECTED
    assert read(path, only=["TP53", "-7q"]).data == EXPECTED


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(("events", "samples"), [(("a", " a"), SAMPLES), (EVENTS, ("p", "p "))])
def test_names_that_differ_only_in_spaces_are_refused(tmp_path, suffix, events, samples):
    with pytest.raises(FormatError, match="must differ"):
        read(stored(tmp_path, suffix, events, samples))


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("blank", [" ", "\xa0"])
def test_a_last_name_of_nothing_but_white_space_is_empty_in_every_format(tmp_path, suffix, blank):
    with pytest.raises(FormatError, match=r"name is empty|has an empty name"):
        read(stored(tmp_path, suffix, (*EVENTS[:4], blank)))


def test_what_excel_takes_for_a_character_comes_back_as_it_is(tmp_path):
    names = ("a_x0041_", "_x005F_x000D_", "_x12_", "__x00e9_x0041_")
    data = Dataset.from_rows([[1, 0, 1, 0]], names, ["_x000A_"])
    write_data(data, tmp_path / "data.xlsx")
    assert read(tmp_path / "data.xlsx").data == data


def test_samples_of_a_clinical_table_are_named_by_the_same_rule(tmp_path):
    path = tmp_path / "clinical.csv"
    path.write_text("sample,age\n p,61\n'=1,48\n")
    assert read_clinical(path).samples == EXPECTED.samples
