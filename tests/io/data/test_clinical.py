"""Whole clinical tables, as they come from cBioPortal, TCGA or a spreadsheet."""

import gzip

import pytest

from caprese import FormatError
from caprese.io.data.annotations import read_clinical

CBIOPORTAL = (
    "#Patient Identifier\tStage\tOverall Survival\n"
    "#STRING\tSTRING\tNUMBER\n"
    "#1\t1\t1\n"
    "PATIENT_ID\tSTAGE\tOS_MONTHS\n"
    "p1\tII\t12.5\n"
    "p2\t[Not Available]\tNA\n"
)


def read(tmp_path, text, name="clinical.tsv", **options):
    path = tmp_path / name
    path.write_text(text)
    return read_clinical(path, **options)


def test_the_comments_of_cbioportal_are_skipped_and_missing_entries_are_empty(tmp_path):
    table = read(tmp_path, CBIOPORTAL)
    assert table.samples == ("p1", "p2")
    assert table.columns == {"STAGE": ("II", ""), "OS_MONTHS": ("12.5", "")}


def test_packed_files_are_read_alike(tmp_path):
    path = tmp_path / "clinical.tsv.gz"
    path.write_bytes(gzip.compress(CBIOPORTAL.encode()))
    assert read_clinical(path) == read(tmp_path, CBIOPORTAL)


@pytest.mark.parametrize(
    ("text", "samples"),
    [
        ("PATIENT_ID,SAMPLE_ID,SEX\np1,s1,f\n", ("s1",)),
        ("sex,Tumor_Sample_Barcode\nf,s1\n", ("s1",)),
        ("who,sex\nx,f\n", ("x",)),
        ("sex age\nx f 50\ny m 60\n", ("x", "y")),  # as write.table of R
    ],
)
def test_the_column_of_names_is_found(tmp_path, text, samples):
    assert read(tmp_path, text, "clinical.csv").samples == samples


def test_the_column_of_names_can_be_given(tmp_path):
    table = read(tmp_path, "PATIENT_ID,SAMPLE_ID\np1,s1\n", names="PATIENT_ID")
    assert (table.samples, table.columns) == (("p1",), {"SAMPLE_ID": ("s1",)})


@pytest.mark.parametrize("entry", ["", " ", "NA", "n/a", "NaN", "-Inf", "[Unknown]", "."])
def test_what_stands_for_nothing_is_empty(tmp_path, entry):
    table = read(tmp_path, f"sample,age\np1,{entry}\np2,5\n")
    assert table.column("age") == ("", "5")


def test_the_word_none_is_a_category(tmp_path):
    assert read(tmp_path, "sample,therapy\np1,None\n").column("therapy") == ("None",)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("sample,age\n", "no row below the header; expected one for each sample"),
        (
            "sample,age\np1,5\np1,6\n",
            "line 3, column 1: sample 'p1' is also in line 2; names must differ",
        ),
        ("sample,age\n,5\n", "line 2, column 1: the sample name is empty"),
        ("sample,age,age\np1,5,6\n", "line 1, column 3: column 'age' is also column 2; titles"),
        ("sample,age\np1,5\np2,5,6\n", "line 3: 3 fields, expected 2"),
        ("", "the file is empty"),
    ],
)
def test_a_bad_table_is_refused_by_place(tmp_path, text, problem):
    with pytest.raises(FormatError, match=problem):
        read(tmp_path, text)


def test_a_column_of_names_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(FormatError, match="line 1: no column 'id', expected one of 'sample', 'a'"):
        read(tmp_path, "sample,a\np1,5\n", names="id")
