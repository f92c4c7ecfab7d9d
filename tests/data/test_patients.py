"""The patients of samples: how they travel with a data set, and what follows in what order."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese import Dataset, SeenOrders
from caprese.data.curation import MergeEvents, MergeIdentical, curate
from caprese.data.curation.log import Curated
from caprese.data.patients import Patients
from caprese.errors import DatasetError, ParameterError

NAN = float("nan")


def pairs_definition(patients):
    """Each sample with one that was taken before it and after all others before it."""
    found = []
    for later, time in enumerate(patients.times):
        own = [
            row
            for row, name in enumerate(patients.names)
            if name
            and name == patients.names[later]
            and patients.sites[row] == patients.sites[later]
        ]
        before = [row for row in own if patients.times[row] < time]
        if before:
            last = max(patients.times[row] for row in before)
            found.append((next(row for row in before if patients.times[row] == last), later))
    return found


def cohort(values=None):
    values = [[1, 0], [1, 1], [0, 1], [0, 0]] if values is None else values
    patients = Patients(("p", "p", "q", ""), (2, 1, NAN, NAN), ("tumour",) * 4)
    return Dataset.from_rows(values, "ab", ["p2", "p1", "q1", "r1"]).with_patients(patients)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["", "p", "q"]),
            st.sampled_from([1.0, 2.0, 3.0, NAN]),
            st.sampled_from(["tumour", "blood"]),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_pairs_are_of_the_same_patient_and_site_one_after_the_other(samples):
    names, times, sites = zip(*samples, strict=True)
    patients = Patients(names, times, sites)
    assert patients.pairs().tolist() == [list(pair) for pair in pairs_definition(patients)]


class TestTimes:
    ONE = Patients(("p", "p", "p"))

    def dated(self, *times, patients=ONE):
        found, wrong = patients.dated(*(np.array(each, dtype=float) for each in times))
        return found.times.tolist(), wrong.tolist()

    def test_the_first_times_stay_where_they_give_an_order(self):
        assert self.dated([61, 63, 62], [1, 3, 2]) == ([61, 63, 62], [])
        assert self.dated([61, 61, NAN]) == (pytest.approx([61, 61, NAN], nan_ok=True), [])

    def test_others_decide_between_equal_ones(self):
        assert self.dated([61, 61, 60], [2, 1, NAN]) == ([61, 61, 60], [])  # not of all three
        assert self.dated([61, 61, 60], [3, 2, 1]) == ([2, 1, 0], [])

    def test_others_decide_where_the_first_are_unknown(self):
        assert self.dated([NAN, 61, NAN], [1, 2, 3]) == ([0, 1, 2], [])

    def test_contradictory_times_are_unknown_for_the_patient(self):
        two = Patients(("p", "p", "q"))
        found, wrong = self.dated([2, 1, 5], [1, 2, 5], patients=two)
        assert wrong == [0, 1]
        assert found == pytest.approx([NAN, NAN, 5], nan_ok=True)

    def test_times_of_two_sites_do_not_contradict_each_other(self):
        two = Patients(("p", "p"), sites=("blood", "tumour"))
        assert self.dated([2, 1], [1, 2], patients=two) == ([2, 1], [])


def test_a_sample_without_a_patient_is_one_of_its_own():
    assert Patients(("", "p", "", "p")).numbers.tolist() == [0, 1, 2, 1]
    assert Patients(("", "")).several is False


def test_members_are_the_samples_of_each_patient():
    found = Patients(("q", "p", "q", "")).members()
    assert [rows.tolist() for rows in found] == [[0, 2], [1], [3]]


class TestTravelling:
    def test_chosen_samples_keep_their_patients(self):
        taken = cohort().take_samples([2, 1, 0]).patients
        assert taken.names == ("q", "p", "p")
        assert taken.times[1:].tolist() == [1, 2]

    def test_a_sample_that_is_taken_again_is_of_another_patient(self):
        taken = cohort().take_samples([0, 1, 0, 1, 3, 3]).patients
        assert taken.numbers.tolist() == [0, 0, 1, 1, 2, 3]
        assert taken.pairs().tolist() == [[1, 0], [3, 2]]

    def test_a_copy_never_gets_the_name_of_another_patient(self):
        patients = Patients(("p", "p.2"))
        assert patients.take([0, 0, 1]).number == 3

    def test_a_mask_chooses_samples(self):
        assert cohort().take_samples([True, False, False, True]).patients.names == ("p", "")

    @pytest.mark.parametrize(
        "change",
        [
            lambda data: data.take_events(["b"]),
            lambda data: MergeEvents(["a", "b"], into="c").apply(data).data,
            lambda data: MergeEvents(["a", "b"], into="c", keep_members=True).apply(data).data,
            lambda data: curate(data).data,
            lambda data: data.with_orders(SeenOrders.from_rows([("p1", "a", "b")])),
            lambda data: pickle.loads(pickle.dumps(data)),
        ],
    )
    def test_changes_of_events_leave_patients_as_they_are(self, change):
        assert change(cohort()).patients == cohort().patients

    def test_merging_identical_events_leaves_patients_as_they_are(self):
        data = cohort([[1, 1], [1, 1], [0, 0], [0, 0]])
        assert MergeIdentical().apply(data).data.patients == data.patients

    def test_numbers_replace_the_names_of_patients_too(self):
        data = Curated(cohort()).without_names().data
        assert data.patients.names == ("1", "1", "2", "3")
        assert data.patients.pairs().tolist() == [[1, 0]]

    def test_patients_by_the_names_of_samples(self):
        data = cohort().with_patients({"p1": "Ada", "q1": "Ada"})
        assert data.patients.names == ("", "Ada", "Ada", "")
        assert cohort().with_patients(None).patients is None


class TestDigest:
    def test_it_does_not_depend_on_names_or_the_order_of_samples(self):
        data = cohort()
        renamed = data.with_patients(
            Patients(("x", "x", "y", "z"), data.patients.times, data.patients.sites)
        )
        assert renamed.digest == data.digest
        assert data.take_samples([3, 1, 0, 2]).digest == data.digest

    def test_it_depends_on_who_is_who_and_on_times(self):
        data = cohort()
        others = [
            data.with_patients(None),
            data.with_patients(Patients(("p", "q", "q", ""), data.patients.times)),
            data.with_patients(Patients(data.patients.names, (1, 2, NAN, NAN))),
        ]
        assert len({data.digest, *(each.digest for each in others)}) == 4

    def test_patients_of_one_sample_each_say_nothing(self):
        data = cohort()
        alone = data.with_patients(Patients(("p", "q", "r", "s")))
        assert alone.digest == data.with_patients(None).digest


def test_it_says_how_many_patients_there_are():
    assert repr(cohort()) == "<Dataset: 4 samples x 2 events, of 3 patients>"
    assert repr(cohort().patients) == "<Patients: 3 patients of 4 samples, 1 in series>"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"times": (1,)}, "times must be one per sample, 2, got 1"),
        ({"sites": ("a",)}, "sites must be one per sample, 2, got 1"),
        ({"primary": (True,) * 3}, "primary must be one per sample, 2, got 3"),
        ({"times": (1, np.inf)}, "times must be finite, or NaN where they are unknown"),
    ],
)
def test_each_entry_is_one_per_sample(given, message):
    with pytest.raises(DatasetError, match=message):
        Patients(("p", "q"), **given)


def test_patients_must_be_those_of_the_samples():
    with pytest.raises(DatasetError, match="patients must be one per sample, 4, got 1"):
        cohort().with_patients(Patients(("p",)))
    with pytest.raises(ParameterError, match="patients must be the patients of the samples"):
        Dataset([[1]], "a", patients="p")
