"""One sample of each patient, or those of use."""

import numpy as np
import pytest

from caprese import Dataset, SeenOrders
from caprese.data.curation import KeepFrequent, PerPatient, divided
from caprese.data.patients import Patients
from caprese.errors import DatasetError
from caprese.text.inspection import log_lines

NAN = float("nan")
ROWS = {
    "p-late": ("p", 3, "tumour", False, [1, 1, 0]),
    "p-early": ("p", 1, "tumour", False, [1, 0, None]),
    "p-prim": ("p", NAN, "tumour", True, [0, 0, 0]),
    "q-b": ("q", NAN, "", False, [0, 1, None]),
    "q-a": ("q", NAN, "", False, [1, None, 0]),
    "r": ("", NAN, "", False, [0, 0, 1]),
}


def cohort(rows=ROWS):
    names, times, sites, primary, values = zip(*rows.values(), strict=True)
    patients = Patients(names, times, sites, primary)
    return Dataset.from_rows(values, "abc", tuple(rows)).with_patients(patients)


def entries(data):
    marks = np.where(data.known_mask, np.where(data.values, "+", "-"), "?")
    return {name: "".join(row) for name, row in zip(data.samples, marks, strict=True)}


@pytest.mark.parametrize(
    ("by", "kept"),
    [
        ("primary", ["p-prim", "q-a", "r"]),
        ("first", ["p-early", "q-a", "r"]),
        ("last", ["p-late", "q-a", "r"]),
        ("series", ["p-late", "p-early", "q-a", "r"]),
        ("all", [*ROWS]),
    ],
)
def test_which_samples_are_kept(by, kept):
    curated = PerPatient(by=by).apply(cohort())
    assert list(curated.data.samples) == kept
    assert len(curated.data.patients.names) == len(kept)
    dropped = [name for step in curated.log for name in step.samples]
    assert sorted(dropped) == sorted(set(ROWS) - set(kept))


@pytest.mark.parametrize(("by", "kept"), [("first", "t1"), ("last", "t2")])
def test_times_of_different_sites_are_not_compared(by, kept):
    """Tumours have ages, blood has numbers; the first of the blood is not before all tumours."""
    rows = {
        "b1": ("p", 1, "blood", False, [1, 1, 1]),
        "b2": ("p", 2, "blood", False, [1, 1, 1]),
        "t2": ("p", 63, "tumour", False, [1, 1, 1]),
        "t1": ("p", 61, "tumour", False, [1, 1, 1]),
        "b3": ("p", NAN, "blood", False, [1, 1, 1]),
    }
    assert PerPatient(by=by).apply(cohort(rows)).data.samples == (kept,)


def test_the_order_of_rows_does_not_matter():
    data = cohort()
    for by in ("primary", "first", "last", "series"):
        other = PerPatient(by=by).apply(data.take_samples([5, 4, 3, 2, 1, 0])).data
        assert set(other.samples) == set(PerPatient(by=by).apply(data).data.samples)


def test_any_sample_with_an_event_is_enough():
    curated = PerPatient(by="any").apply(cohort())
    assert entries(curated.data) == {"p": "++?", "q": "++?", "r": "--+"}
    assert not curated.data.patients.several
    assert log_lines(curated.log) == [
        "merged 5 samples into their patients, present where any sample of the patient has it: "
        "p-early, p-late, p-prim, q-a, q-b"
    ]


def test_orders_of_a_sample_become_those_of_its_patient():
    data = cohort().with_orders(SeenOrders.from_rows([("p-late", "a", "b"), ("q-a", "a", "c")]))
    found = PerPatient(by="any").apply(data).data.orders.rows()
    assert [each[:3] for each in found] == [("p", "a", "b")]


def test_the_log_says_why():
    assert log_lines(PerPatient(by="first").apply(cohort()).log) == [
        "dropped 3 samples, another sample of the patient is kept: the first: p-late, p-prim, q-b"
    ]
    assert log_lines(PerPatient(by="all").apply(cohort()).log) == [
        "all samples of each patient are kept; each counts where a model is fitted"
    ]


class TestLostEvents:
    LOST = ROWS | {"p-late": ("p", 3, "tumour", False, [0, 1, 0])}

    def test_they_are_told_where_series_matter(self):
        log = PerPatient(by="series").apply(cohort(self.LOST)).log
        told = "kept 1 sample without an event of an earlier sample of the patient: p-late (a)"
        assert told in log_lines(log)
        assert not PerPatient(by="series").apply(cohort()).log[:-1]

    def test_they_may_be_dropped(self):
        curated = PerPatient(by="all", lost_events="drop").apply(cohort(self.LOST))
        assert set(ROWS) - set(curated.data.samples) == {"p-late"}

    def test_they_may_be_an_error(self):
        problem = r"p-late \(a\); lost_events='drop' leaves them out, keep keeps them"
        with pytest.raises(DatasetError, match=problem):
            PerPatient(by="series", lost_events="error").apply(cohort(self.LOST))

    def test_what_is_missing_at_another_site_is_not_lost(self):
        blood = self.LOST | {"p-late": ("p", 3, "blood", False, [0, 1, 0])}
        rows = blood | {"p-next": ("p", 4, "blood", False, [0, 1, 0])}
        curated = PerPatient(by="series", lost_events="error").apply(cohort(rows))
        assert "p-late" in curated.data.samples

    def test_what_is_unknown_later_is_not_lost(self):
        rows = ROWS | {"p-late": ("p", 3, "tumour", False, [None, 1, 0])}
        PerPatient(by="series", lost_events="error").apply(cohort(rows))


def test_one_sample_of_each_patient_is_left_as_it_is():
    data = cohort().take_samples([0, 3, 5])
    for by in ("any", "first", "primary", "series", "all"):
        curated = PerPatient(by=by).apply(data)
        assert curated.data is data
        assert curated.log == ()


def test_what_is_not_known_is_named():
    plain = cohort().with_patients(None)
    with pytest.raises(DatasetError, match="patients of the samples are not known; patients says"):
        PerPatient().apply(plain)
    undated = plain.with_patients({"p-late": "p", "p-early": "p"})
    with pytest.raises(DatasetError, match="no patient has two of known order; sampled_at says"):
        PerPatient(by="last").apply(undated)


def test_it_looks_at_single_patients_so_training_parts_need_it_not_again():
    rules = (PerPatient(), KeepFrequent(frequency=0.1))
    assert divided(rules) == (rules[:1], rules[1:])
