"""R files: matrices, data frames, TRONCO objects, lists."""

import builtins
import importlib

import numpy as np
import pandas
import pytest
import rdata

from caprese.data.dataset import Dataset
from caprese.errors import FormatError
from caprese.io.data.rfiles import read_r
from r_files import matrix, write

EXPECTED = Dataset.from_rows([[1, 0], [0, 1]], events=["8q+", "Xp-"], samples=["p", "q"])
MATRIX = matrix(np.array([[1, 0], [0, 1]], dtype=np.int32), ["p", "q"], ["8q+", "Xp-"])
NAMES = pandas.Index(["p", "q"], dtype=object)  # the writer does not know strings of pandas 3
MODEL = {
    "genotypes": matrix([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]], ["p", "q"], ["G1", "G2", "G3"]),
    "annotations": matrix(
        [["Indel", "ASXL1"], ["Nonsense", "ASXL1"], ["Indel", "TET2"]],
        ["G1", "G2", "G3"],
        ["type", "event"],
    ),
    "types": matrix([["red"], ["blue"]], ["Indel", "Nonsense"], ["color"]),
    "name": "ours",
}


@pytest.mark.parametrize("name", ["data.rda", "data.RData", "data.rds"])
class TestEachKindOfFile:
    def test_a_matrix_with_names(self, tmp_path, name):
        assert read_r(write(tmp_path / name, calls=MATRIX)).data == EXPECTED

    def test_a_matrix_of_real_numbers_with_missing_ones(self, tmp_path, name):
        item = matrix([[1.0, np.nan], [0.0, 1.0]], None, ["8q+", "Xp-"])
        data = read_r(write(tmp_path / name, calls=item)).data
        assert data == Dataset.from_rows([[1, None], [0, 1]], events=["8q+", "Xp-"])

    def test_a_logical_matrix(self, tmp_path, name):
        item = matrix(np.array([[True, False], [False, True]]), ["p", "q"], ["8q+", "Xp-"])
        assert read_r(write(tmp_path / name, calls=item)).data == EXPECTED

    def test_a_matrix_of_integers_with_missing_ones(self, tmp_path, name):
        item = matrix(np.array([[1, -(2**31)], [0, 1]], dtype=np.int32), None, ["8q+", "Xp-"])
        data = read_r(write(tmp_path / name, calls=item)).data
        assert data == Dataset.from_rows([[1, None], [0, 1]], events=["8q+", "Xp-"])

    def test_a_data_frame(self, tmp_path, name):
        frame = pandas.DataFrame({"8q+": [1, 0], "Xp-": [0, 1]}, index=NAMES)
        assert read_r(write(tmp_path / name, calls=frame)).data == EXPECTED

    def test_a_data_frame_with_names_in_its_first_column(self, tmp_path, name):
        frame = pandas.DataFrame({"id": NAMES, "8q+": [1, 0], "Xp-": [0, 1]})
        assert read_r(write(tmp_path / name, calls=frame)).data == EXPECTED

    def test_a_tronco_object(self, tmp_path, name):
        data = read_r(write(tmp_path / name, model=MODEL)).data
        assert data.events == ("ASXL1 (Indel)", "ASXL1 (Nonsense)", "TET2 (Indel)")
        assert data.samples == ("p", "q")
        assert data.values.tolist() == [[True, False, True], [False, True, True]]


def test_copy_number_levels_are_refused_with_the_call_that_writes_them_for_us(tmp_path):
    levels = matrix(np.array([[-1, 2], [0, 1]], dtype=np.int32), ["p", "q"], ["MYC", "TP53"])
    path = write(tmp_path / "data.rda", calls=levels)
    message = (
        r"data\.rda: 'calls' holds copy number levels of samples x genes, not 0 and 1; write it "
        r"from R with write\.table\(data\.frame\(Hugo_Symbol = colnames\(calls\), t\(calls\), .*\) "
        r"and read calls\.txt$"
    )
    with pytest.raises(FormatError, match=message):
        read_r(path)


def test_a_maf_in_r_is_refused_with_the_call_that_writes_it_for_us(tmp_path):
    columns = {"Hugo_Symbol": ["TP53"], "Tumor_Sample_Barcode": ["p"]}
    maf = pandas.DataFrame(columns, dtype=object)
    path = write(tmp_path / "data.rda", calls=maf)
    message = r"'calls' holds a MAF, not 0 and 1; write it from R with .* and read calls\.maf$"
    with pytest.raises(FormatError, match=message):
        read_r(path)


def test_a_tronco_object_of_one_type_names_genes_alone(tmp_path):
    words = [["variant", "TP53"], ["variant", "KRAS"]]
    model = {
        "genotypes": matrix([["1", "0"], ["0", "1"]], ["p", "q"], ["G1", "G2"]),
        "annotations": matrix(words, ["G1", "G2"], ["type", "event"]),
    }
    data = read_r(write(tmp_path / "data.rda", model=model)).data
    assert data.events == ("TP53", "KRAS")
    assert data.values.tolist() == [[True, False], [False, True]]


FRAME = pandas.DataFrame({"G1": [1, 0], "G2": [0, 1], "G3": [1, 1]}, index=NAMES)
STAGES = matrix([["Stage I"], ["Stage II"]], ["p", "q"], ["stage"])


def test_a_tronco_object_whose_genotypes_are_a_data_frame(tmp_path):
    model = MODEL | {"genotypes": FRAME, "stages": STAGES}
    reading = read_r(write(tmp_path / "data.rda", model=model))
    assert reading.data == read_r(write(tmp_path / "plain.rda", model=MODEL)).data
    (annotation,) = reading.annotations
    assert annotation.title == "stage"
    assert annotation.categories == {"p": "Stage I", "q": "Stage II"}
    assert tuple(map(str, reading.notes)) == ("stages of 2 samples: Stage I 1, Stage II 1",)


def test_a_tronco_object_without_stages(tmp_path):
    model = MODEL | {"genotypes": FRAME, "stages": False}
    assert read_r(write(tmp_path / "data.rda", model=model)).annotations == ()


def test_an_element_of_a_list_is_chosen_by_name(tmp_path):
    other = pandas.DataFrame({"age": [61.0, 58.0]}, index=NAMES)
    path = write(tmp_path / "data.rda", cohort={"calls": MATRIX, "clinical": other}, n=5)
    assert read_r(path, name="cohort$calls").data == EXPECTED
    with pytest.raises(
        FormatError,
        match=r"read: 'cohort\$calls', 'cohort\$clinical'; name='cohort\$calls' reads the first",
    ):
        read_r(path)
    message = (
        r"'cohort\$clinical': column 'age', row 1: '61.0' is not an entry; .*; the file holds "
        r"cohort \(list\), cohort\$calls \(matrix\), cohort\$clinical \(data frame\), n \(numbers\)"
    )
    with pytest.raises(FormatError, match=message):
        read_r(path, name="cohort$clinical")
    with pytest.raises(FormatError, match=r"did you mean 'cohort\$calls'\?"):
        read_r(path, name="cohort$call")


@pytest.mark.parametrize("kind", ["matrix", "frame"])
def test_text_is_understood_as_in_tables(tmp_path, kind):
    item = matrix([["1", "no"], ["0", "NA"]], ["p", "q"], ["8q+", "Xp-"])
    if kind == "frame":
        columns = {"8q+": ["1", "0"], "Xp-": ["no", "NA"]}
        item = pandas.DataFrame({k: pandas.Index(v, dtype=object) for k, v in columns.items()})
        item.index = NAMES
    data = read_r(write(tmp_path / "data.rda", calls=item)).data
    assert data == Dataset.from_rows([[1, 0], [0, None]], ["8q+", "Xp-"], ["p", "q"])


def test_columns_that_are_no_events_are_left_out(tmp_path):
    frame = pandas.DataFrame({"age": [61.0, 58.0], "8q+": [1, 0], "Xp-": [0, 1]}, index=NAMES)
    path = write(tmp_path / "data.rda", calls=frame)
    assert read_r(path, exclude=["age"]).data == EXPECTED
    assert read_r(path, only=["8q+", "Xp-"]).left_out == ("age",)


def test_one_object_of_several_is_chosen_by_name(tmp_path):
    path = write(tmp_path / "data.rda", model=MODEL, calls=MATRIX, version="1.0")
    assert read_r(path, name="calls").data == EXPECTED
    message = "several objects can be read: 'model', 'calls'; name='model' reads the first$"
    with pytest.raises(FormatError, match=message):
        read_r(path)
    message = r"no object 'call' to read; the file holds model \(TRONCO object\), "
    with pytest.raises(FormatError, match=message):
        read_r(path, name="call")


@pytest.mark.parametrize("kind", ["named_matrix", "full_named_matrix"])
def test_a_matrix_written_by_r_is_refused_only_for_its_numbers(kind):
    path = rdata.TESTDATA_PATH / "generated" / f"test_{kind}__xdr__version_3.rda"
    with pytest.raises(FormatError, match="column 'dim1_0', row 2: '4' is not an entry"):
        read_r(path)


def test_without_rdata_the_extra_is_named(tmp_path, monkeypatch):
    path = write(tmp_path / "data.rda", calls=MATRIX)
    real = importlib.import_module

    def missing(name, *rest):
        if name.startswith("rdata"):
            raise builtins.ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr("caprese.io.data.reading.import_module", missing)
    with pytest.raises(FormatError, match=r"data\.rda: this needs rdata: pip install 'rdata>=1.1'"):
        read_r(path)
