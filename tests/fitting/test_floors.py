"""Predictions are no surer than the number of samples allows; stated numbers are as they are."""

import numpy as np
import pytest

from caprese import (
    Caprese,
    ConjunctiveDag,
    Dataset,
    Forest,
    LikelihoodForest,
    Noise,
    NoisyDag,
    NoisyForest,
    NoisyPoset,
    TimedPoset,
    datasets,
    estimate,
    judge,
)
from caprese.fitting.estimate import predictive
from caprese.fitting.floors import floored_dag, floored_forest, floored_noise, floored_poset

CHAIN = [[0, 0]] * 4 + [[1, 0]] * 3 + [[1, 1]] * 3


def test_probabilities_and_rates_keep_their_distance_from_0_and_1():
    sure = NoisyForest(Forest(("a", "b", "c"), (-1, 0, 0), (1.0, 0.4, 0.0)), Noise(0.0, 0.2))
    found = floored_forest(sure, 18)
    assert found.forest.probabilities == pytest.approx([0.95, 0.4, 0.05])
    assert found.noise == Noise(0.5 / 18, 0.2)
    dag = ConjunctiveDag(("a", "b"), ((), (0,)), (1.0, 0.5))
    assert floored_dag(NoisyDag(dag, Noise()), 18).dag.probabilities == pytest.approx([0.95, 0.5])


def test_rates_of_a_poset_are_odds_of_such_probabilities():
    poset = TimedPoset(("a", "b"), ((), (0,)), (1e9, 0.0))
    found = floored_poset(NoisyPoset(poset, 0.0), 18)
    rates = found.poset.rates
    assert rates / (1 + rates) == pytest.approx([0.95, 0.05])
    assert found.error == 0.5 / 18


@pytest.mark.parametrize("samples", [1, 2, 3, 1000])
@pytest.mark.parametrize("noise", [Noise(), Noise(0.98, 0.0), Noise(0.0, 0.999), Noise(0.3, 0.3)])
def test_two_rates_with_a_floor_leave_a_signal(samples, noise):
    found = floored_noise(noise, samples)
    assert found.signal > 0
    assert found.false_positive >= noise.false_positive
    assert found.false_negative >= noise.false_negative
    assert found.false_positive > 0 < found.false_negative


def test_a_fit_states_its_own_numbers_and_predicts_with_the_floor():
    data = Dataset.from_rows(CHAIN, events="ab")
    fit = Caprese().fit(data)
    assert fit.estimate.noise.false_positive < 1e-3
    assert fit.estimate.model.log_probabilities(data).sum() == pytest.approx(-10.889)
    assert fit.predictive == floored_forest(fit.estimate.model, 10)
    assert fit.predictive.noise.false_positive == 0.05


def test_a_sample_never_seen_is_not_impossible():
    fit = LikelihoodForest().fit(Dataset.from_rows(CHAIN, events="ab"))
    odd = Dataset.from_rows([[0, 1]], events="ab")
    assert fit.estimate.model.log_probabilities(odd)[0] < -15
    assert -5 < fit.predictive.log_probabilities(odd)[0] < -1


def test_models_that_are_smooth_already_have_no_floor():
    found = estimate(Caprese().fit(datasets.acml()).model, datasets.acml())
    assert predictive(found, 10**9) == found.model


def test_a_given_structure_is_judged_with_the_floor():
    data = Dataset.from_rows([*CHAIN * 2, [0, 1]], events="ab")
    found = judge([Forest(("a", "b"), (-1, 0), (0.5, 0.5))], data, folds=21)
    assert found.log_probabilities[0].min() > np.log(1 / 200)
