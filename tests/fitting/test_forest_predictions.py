"""Predictions of draws against the models they are made of."""

import numpy as np
import pytest
from caprese.data.dataset import Dataset
from caprese.models.forest import NoisyForest

from caprese.fitting.forest_predictions import (
    component_probabilities,
    draw_log_probabilities,
    predictive_event_probabilities,
    predictive_log_probabilities,
)
from caprese.fitting.forest_sampler import Chains, sample_forests
from caprese.models.forest import Forest
from caprese.models.noise import Noise

ROWS = [[1, 0, 1], [0, None, 1], [1, 1, 1], [0, 0, 0], [1, 0, 1]]


@pytest.fixture(params=[1, 3], scope="module")
def draws(request):
    rng = np.random.default_rng(1)
    forest = Forest(tuple("abc"), (-1, 0, 0), (0.8, 0.5, 0.5))
    data = Noise(0.05, 0.1).corrupt(forest.sample(40, rng), rng)
    chains = Chains(chains=2, draws=6, thin=1, warm_up=30)
    return sample_forests(data, seed=1, chains=chains, components=request.param)


def models(draws):
    """Every draw as a list of weights and models."""
    for chain in range(2):
        for draw in range(6):
            noise = Noise(*draws.rates[chain, draw])
            yield [
                (weight, NoisyForest(Forest(draws.events, parents, theta), noise))
                for weight, parents, theta in zip(
                    draws.weights[chain, draw],
                    draws.parents[chain, draw],
                    draws.probabilities[chain, draw],
                    strict=True,
                )
            ]


def test_the_probability_of_a_sample_is_the_weighted_sum_of_those_of_the_components(draws):
    data = Dataset.from_rows(ROWS, events="abc")
    expected = np.array(
        [sum(w * model.probabilities(data) for w, model in parts) for parts in models(draws)]
    )
    np.testing.assert_allclose(np.exp(draw_log_probabilities(draws, data)), expected)
    average = np.log(expected.mean(axis=0))
    np.testing.assert_allclose(predictive_log_probabilities(draws, data), average)


def test_the_shares_of_the_components_follow_bayes(draws):
    data = Dataset.from_rows(ROWS, events="abc")
    expected = np.array(
        [[w * model.probabilities(data) for w, model in parts] for parts in models(draws)]
    )
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(component_probabilities(draws, data), expected, atol=1e-12)


@pytest.mark.parametrize("new", [True, False])
def test_the_probability_of_an_event_is_averaged_over_draws(draws, new):
    data = Dataset.from_rows(ROWS, events="abc")
    total, size = 0.0, 0.0
    for parts in models(draws):
        chance = np.array([w * model.probabilities(data) for w, model in parts])
        inside = sum(
            share[:, None] * model.event_probabilities(data)
            for share, (_, model) in zip(chance / chance.sum(axis=0), parts, strict=True)
        )
        weight = chance.sum(axis=0)[:, None] if new else 1.0
        total, size = total + weight * inside, size + weight
    found = predictive_event_probabilities(draws, data, new=new)
    np.testing.assert_allclose(found, total / size, atol=1e-12)


def test_the_order_of_events_does_not_matter(draws):
    data = Dataset.from_rows(ROWS, events="abc")
    turned = data.take_events("cab")
    np.testing.assert_allclose(
        predictive_log_probabilities(draws, data), predictive_log_probabilities(draws, turned)
    )
    np.testing.assert_allclose(
        predictive_event_probabilities(draws, data)[:, [2, 0, 1]],
        predictive_event_probabilities(draws, turned),
    )
