import numpy as np
import pytest

from caprese.data.dataset import Dataset
from caprese.errors import FormatError
from caprese.io.data.barcodes import RULES, one_per_owner

DATA = Dataset.from_rows(
    [[1, 0, 0], [0, None, 0], [0, 1, 0], [0, 0, 1]],
    events="abc",
    samples=["x-late", "x-early", "x-other", "y"],
)
OWNERS = ["x", "x", "x", "y"]


def entries(data):
    known = np.ones_like(data.values) if data.known is None else data.known
    marks = np.where(known, np.where(data.values, "+", "-"), "?")
    return {sample: "".join(row) for sample, row in zip(data.samples, marks, strict=True)}


def test_the_primary_tumour_represents_the_patient():
    primary = [False, False, True, False]
    data = one_per_owner("data", DATA, OWNERS, primary, "primary first").data
    assert entries(data) == {"x": "-+-", "y": "--+"}


def test_without_a_primary_tumour_the_most_known_entries_then_the_name_decide():
    data = one_per_owner("data", DATA, OWNERS, [False] * 4, "primary first").data
    assert entries(data) == {"x": "+--", "y": "--+"}  # x-early has an unknown entry


def test_a_sample_that_represents_a_patient_may_keep_its_name():
    kept = one_per_owner("data", DATA, OWNERS, [False] * 4, "primary first", renamed=False)
    assert kept.data.samples == ("x-late", "y")


def test_the_order_of_samples_does_not_matter():
    turned = DATA.take_samples([3, 2, 1, 0])
    data = one_per_owner("data", turned, OWNERS[::-1], [False] * 4, "primary first").data
    assert entries(data) == {"y": "--+", "x": "+--"}


def test_combined_samples_have_what_any_has_and_lack_what_all_are_known_to_lack():
    pair = DATA.take_samples([0, 1])
    united = one_per_owner("data", pair, ["x", "x"], [True, True], "union")
    assert entries(united.data) == {"x": "+?-"}
    assert tuple(map(str, united.notes)) == (
        "1 patient with several samples (x: x-late, x-early); combined: present if present in any",
    )


def test_refused():
    message = r"^data: one patient with several samples \(x: x-late, x-early, x-other\); expected"
    with pytest.raises(FormatError, match=message):
        one_per_owner("data", DATA, OWNERS, [False] * 4, "refuse")


@pytest.mark.parametrize("rule", RULES)
def test_one_sample_per_patient_is_renamed_without_a_note(rule):
    reading = one_per_owner("data", DATA, list("stuv"), [False] * 4, rule)
    assert reading.data.samples == ("s", "t", "u", "v")
    assert np.array_equal(reading.data.values, DATA.values)
    assert reading.notes == ()
