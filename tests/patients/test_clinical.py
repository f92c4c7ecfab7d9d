"""Clinical tables: samples matched by name and barcode, kinds of columns."""

import numpy as np
import pytest

from caprese import DatasetError
from caprese._core.facts import Fact
from caprese.patients.clinical import Clinical, is_follow_up, recognised


def rows(table, *samples):
    columns = {"n": tuple(map(str, range(len(table))))}
    return Clinical(tuple(table), columns).rows(samples).tolist()


def test_names_are_matched_as_they_are():
    assert rows(["b", "a"], "a", "b", "c") == [1, 0, -1]


def test_a_barcode_is_matched_by_its_patient():
    assert rows(["TCGA-02-0001"], "TCGA-02-0001-01A-11D-A1", "TCGA-02-0002-01A") == [0, -1]
    assert rows(["TCGA-02-0001-01A"], "TCGA-02-0001") == [0]


def test_the_same_sample_of_a_patient_comes_first():
    table = ["TCGA-02-0001-01", "TCGA-02-0001-06"]
    assert rows(table, "TCGA-02-0001-06A-11D", "TCGA-02-0001-01A") == [1, 0]


def test_of_several_rows_of_a_patient_none_is_guessed():
    table = ["TCGA-02-0001-01", "TCGA-02-0001-06"]
    assert rows(table, "TCGA-02-0001", "TCGA-02-0001-11A") == [-1, -1]


def test_several_samples_may_share_the_row_of_their_patient():
    assert rows(["TCGA-02-0001"], "TCGA-02-0001-01A", "TCGA-02-0001-06A") == [0, 0]


def test_a_column_that_is_not_there_is_refused_with_a_hint():
    table = Clinical(("p1",), {"OS_MONTHS": ("5",), "SEX": ("f",)})
    with pytest.raises(DatasetError, match="there is no column 'os_month'; did you mean 'OS_MON"):
        table.column("os_month")
    with pytest.raises(DatasetError, match="there is no column 'x', expected one of 'OS_MONTHS'"):
        table.column("x")


def test_columns_may_come_from_a_frame():
    table = Clinical(
        ("p1", "p2", "p3"), {"age": np.array([50.5, np.nan, 7]), "sex": ["f", None, 1]}
    )
    assert table.columns == {"age": ("50.5", "", "7.0"), "sex": ("f", "", "1")}


def test_columns_of_another_length_and_repeated_samples_are_refused():
    with pytest.raises(DatasetError, match="column 'a' must have one entry per sample, 2, got 1"):
        Clinical(("p1", "p2"), {"a": ("x",)})
    with pytest.raises(DatasetError, match="sample name 'p1' appears 2 times"):
        Clinical(("p1", "p1"), {})


@pytest.mark.parametrize(
    ("entries", "kind", "levels"),
    [
        (["3", "1", "2.5", "", "1", "3"], "numeric", ()),
        (["0", "1", "1", "0", ""] * 2, "categorical", ("0", "1")),
        (["10", "9"] * 3, "categorical", ("9", "10")),
        (["b", "a", "a", "b", "c", ""], "categorical", ("a", "b", "c")),
        (["Stage II", "Stage I", "Stage IIIA", "Stage II", "Stage IV"] * 2, "ordered", None),
        (["G3", "G1", "G2", "G1", "G3"], "ordered", ("G1", "G2", "G3")),
        (["t1", "T1", "N1", "T2", "t1"] * 2, "ordered", ("N1", "T1", "t1", "T2")),  # ties by name
        (["\u0130", "I", "II", "I", "\u0130"] * 2, "categorical", ("I", "II", "\u0130")),
        (["M0", "M1", "M2", "M3", "M0"] * 2, "categorical", ("M0", "M1", "M2", "M3")),  # FAB
        (["I", "II"] * 4, "categorical", ("I", "II")),
        (["II", "I", "unclear"] * 3, "categorical", ("I", "II", "unclear")),
    ],
)
def test_the_kind_of_a_column_is_recognised(entries, kind, levels):
    column = recognised("x", entries)
    assert column.kind == kind
    if levels is not None:
        assert column.levels == levels
    assert column.known.tolist() == [entry != "" for entry in entries]
    for entry, value in zip(entries, column.values, strict=True):
        if entry:
            assert column.levels[int(value)] == entry if column.levels else float(entry) == value


def test_stages_are_in_their_order_whatever_their_letters():
    found = recognised("stage", ["Stage IV", "stage iib", "Stage I", "Stage IIA", "Stage III"] * 2)
    assert found.levels == ("Stage I", "Stage IIA", "stage iib", "Stage III", "Stage IV")


@pytest.mark.parametrize(
    ("title", "entries", "why"),
    [
        ("note", ["a", "b", "c", "d", "e"], "column of identifiers"),
        ("PATIENT_ID", list("123456"), "column of identifiers"),
        ("sex", ["f"] * 8 + [""], "column of one value"),
        ("sex", [""] * 8 + ["f", "m"], "column of few values"),
        ("site", [f"s{k % 13}" for k in range(60)], "column of many levels"),
    ],
)
def test_a_column_that_can_be_compared_with_nothing_is_skipped(title, entries, why):
    found = recognised(title, entries)
    assert isinstance(found, Fact)
    assert (found.kind, found.values["column"]) == (why, title)


def test_distinct_numbers_are_no_identifiers_unless_they_are_called_so():
    ages = [str(50 + k / 10) for k in range(20)]
    assert recognised("age", ages).kind == "numeric"
    np.testing.assert_allclose(recognised("age", ages).values, 50 + np.arange(20) / 10)


def test_times_of_follow_up_are_known_by_their_titles():
    assert all(
        map(
            is_follow_up,
            ["PFS_MONTHS", "OS_STATUS", "days_to_last_followup", "Overall Survival Time"],
        )
    )
    assert not any(map(is_follow_up, ["AGE", "months", "cost"]))
