"""Resamples of patients: all samples of a patient come together."""

import numpy as np
import pytest

from caprese import Capri, Dataset, LikelihoodForest, bootstrap
from caprese.data.counts import Counts
from caprese.data.patients import Patients
from caprese.fitting.stacking import held_out_log_probabilities
from caprese.methods.independence import IndependentEvents
from caprese.simulation.replicates import Resamples

NAMES = tuple(f"p{k // 3}" for k in range(60))


def cohort(known=True):
    rng = np.random.default_rng(4)
    values = rng.random((60, 4)) < (0.2, 0.4, 0.5, 0.7)
    mask = None if known else rng.random((60, 4)) < 0.8
    return Dataset(values, "abcd", known=mask, patients=Patients(NAMES))


def test_whole_patients_are_drawn_as_often_as_there_are_patients():
    source = Resamples.of(cohort(), 7)
    for replicate in range(5):
        drawn = source.dataset(replicate)
        assert len(drawn.samples) == 60
        assert drawn.patients.number == 20
        assert all(len(rows) == 3 for rows in drawn.patients.members())


def test_counts_are_those_of_the_data_sets():
    for known in (True, False):
        source = Resamples.of(cohort(known), 7)
        batch = source.counts(2, 6)
        for place, replicate in enumerate(range(2, 6)):
            own = Counts.of(source.dataset(replicate))
            assert (batch.joint[place] == own.joint).all()
            assert (batch.total[place] == own.total).all()


def test_samples_of_different_patients_are_drawn_as_before():
    data = cohort()
    alone = data.with_patients(Patients(tuple(map(str, range(60)))))
    found = [Resamples.of(each, 7).counts(0, 3).joint for each in (alone, data.with_patients(None))]
    assert (found[0] == found[1]).all()


def test_copies_of_a_sample_count_once():
    values = np.random.default_rng(2).random((25, 3)) < (0.6, 0.4, 0.3)
    patients = Patients(tuple(str(k // 4) for k in range(100)))
    copies = Resamples.of(Dataset(np.repeat(values, 4, axis=0), "abc", patients=patients), 1)
    joint = copies.counts(0, 50).joint
    assert (joint % 4 == 0).all()
    usual = values.sum(axis=0) * (1 - values.mean(axis=0))  # the variance of a binomial count
    assert np.diagonal((joint / 4).var(axis=0)) / usual == pytest.approx(np.ones(3), abs=0.5)


def test_resamples_of_capri_are_of_patients():
    fits = [Capri(seed=3).fit(each) for each in (cohort(), cohort().with_patients(None))]
    assert (fits[0].evidence.raising != fits[1].evidence.raising).any()


def test_cross_fitting_keeps_the_samples_of_a_patient_together():
    seen = []

    def learn(training):
        seen.append(set(training.patients.names))
        return IndependentEvents().fit(training).predictive

    found = held_out_log_probabilities([learn], cohort(), folds=4, seed=1)
    assert found.shape == (1, 60)
    assert [len(names) for names in seen] == [15] * 4


def test_the_order_of_rows_does_not_matter():
    data = cohort()
    other = data.take_samples(np.random.default_rng(1).permutation(60))
    found = [
        bootstrap(LikelihoodForest(), each, replicates=10, seed=1, jobs=1) for each in (data, other)
    ]
    assert found[0] == found[1]
