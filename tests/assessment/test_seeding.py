"""Seeding: counts of primary tumours and metastases, rates before and after, and their words."""

import numpy as np
import pytest
from scipy.stats import binomtest

from caprese import Dataset, DatasetError, Patients
from caprese.assessment.seeding import seeding_rates
from caprese.text.seeding import seeding_lines


def cohort(before, after, patients=60, seed=1, order=None):
    """Primary tumours and metastases; events come at these rates until seeding, then after it."""
    rng = np.random.default_rng(seed)
    before, after = np.array(before), np.array(after)
    seeded = rng.exponential(size=(patients, len(before))) / before
    shared = seeded < rng.exponential(size=(patients, 1))

    def grown():
        wait = rng.exponential(size=shared.shape) / after
        return shared | (wait < rng.exponential(size=(patients, 1)))

    primary, metastasis = grown(), grown()
    names = tuple(f"e{k}" for k in range(len(before)))
    data = Dataset(np.vstack([primary, metastasis]), names)
    whose = tuple(f"p{k}" for k in range(patients)) * 2
    found = data.with_patients(Patients(whose, primary=np.arange(2 * patients) < patients))
    return found if order is None else found.take_samples(order)


def test_counts_and_rates_are_those_of_their_definition():
    data = cohort([1.0, 0.5, 0.2], [0.5, 0.5, 1.0])
    first, later = np.split(data.values, 2)
    found = {each.event: each for each in seeding_rates(data).events}
    before, after = {}, {}
    for event, a, b in zip(data.events, first.T, later.T, strict=True):
        both = sum(x and y for x, y in zip(a, b, strict=True))
        only = sum(y and not x for x, y in zip(a, b, strict=True))
        lost = sum(x and not y for x, y in zip(a, b, strict=True))
        own = found[event]
        assert (own.both, own.metastasis, own.primary, own.patients) == (both, only, lost, 60)
        assert own.p_value == pytest.approx(binomtest(only, only + lost).pvalue)
        neither = 60 - both - only - lost + 0.5
        gains = [odds / (1 + odds) for odds in ((only + 0.5) / neither, (lost + 0.5) / neither)]
        absent = neither / 62 / (1 - gains[0]) / (1 - gains[1])
        before[event] = 1 / absent - 1
        after[event] = (only + 0.5) / neither
    for event, own in found.items():
        assert own.before == pytest.approx(before[event] / sum(before.values()))
        assert own.after == pytest.approx(after[event] / sum(after.values()))


def test_rates_of_many_patients_are_those_of_the_simulation():
    before, after = np.array([2.0, 1.0, 0.5]), np.array([0.5, 0.5, 1.5])
    found = {e.event: e for e in seeding_rates(cohort(before, after, 20_000)).events}
    for k, own in enumerate(found[f"e{k}"] for k in range(3)):
        assert own.before == pytest.approx((before / before.sum())[k], abs=0.02)
        assert own.after == pytest.approx((after / after.sum())[k], abs=0.02)


def test_intervals_contain_the_true_difference_about_as_often_as_they_say():
    before, after = np.array([1.0, 0.6, 0.3]), np.array([0.4, 0.5, 0.8])
    true = after / after.sum() - before / before.sum()
    hits = []
    for seed in range(100):
        found = seeding_rates(cohort(before, after, 80, seed), replicates=300)
        hits += [e.low <= true[int(e.event[1])] <= e.high for e in found.events]
    assert 0.91 < np.mean(hits) < 0.98


def test_the_order_of_samples_and_events_changes_nothing():
    data = cohort([1.0, 0.5, 0.2], [0.5, 0.5, 1.0])
    order = np.random.default_rng(2).permutation(120)
    moved = data.take_samples(order).take_events(["e2", "e0", "e1"])
    assert seeding_rates(moved) == seeding_rates(data)


def test_unknown_entries_leave_out_the_patient_for_this_event_only():
    rows = [[1, None], [1, 1], [0, 0], [1, 1]]
    data = Dataset.from_rows(rows, events="ab")
    data = data.with_patients(Patients(tuple("ppqq"), primary=[True, False] * 2))
    found = {each.event: each for each in seeding_rates(data).events}
    assert (found["a"].patients, found["b"].patients) == (2, 1)
    assert found["b"].metastasis == 1


def test_blood_is_no_metastasis():
    data = Dataset.from_rows([[0], [1]], events="a")
    patients = Patients(("p", "p"), sites=("tumour", "blood"), primary=[True, False])
    with pytest.raises(DatasetError, match="no patient has samples of a primary tumour and of a"):
        seeding_rates(data.with_patients(patients))


def test_several_metastases_of_a_patient_count_once():
    data = Dataset.from_rows([[0, 0], [1, 0], [0, 1]], events="ab")
    data = data.with_patients(Patients(("p",) * 3, primary=[True, False, False]))
    found = seeding_rates(data)
    assert found.patients == 1
    assert [each.metastasis for each in found.events] == [1, 1]


def test_words_say_which_events_follow_and_which_come_before():
    lines = seeding_lines(seeding_rates(cohort([3.0, 0.7, 0.2], [0.3, 0.4, 2.0], 300)))
    assert lines[0] == "Faster after the metastasis is seeded: e2."
    assert lines[1] == "Faster before the metastasis is seeded: e0."
    assert "Primary tumour and metastasis of 300 patients" in lines
    assert any(line.startswith("e2 ") for line in lines)


def test_words_say_that_nothing_is_clear():
    lines = seeding_lines(seeding_rates(cohort([1.0, 1.0], [1.0, 1.0], 10)))
    assert lines[0] == "No event is clearly faster before or after the metastasis is seeded."
