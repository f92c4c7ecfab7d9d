"""Predictions of draws against the models they are made of."""

from dataclasses import replace

import numpy as np
import pytest

from caprese.data.dataset import Dataset
from caprese.fitting.forest_sampler import Chains, RunningChains
from caprese.models.forest import Forest, NoisyForest
from caprese.models.noise import Noise

pytestmark = pytest.mark.slow

ROWS = [[1, 0, 1], [0, None, 1], [1, 1, 1], [0, 0, 0], [1, 0, 1]]


@pytest.fixture(params=[1, 3], scope="module")
def draws(request):
    rng = np.random.default_rng(1)
    forest = Forest(tuple("abc"), (-1, 0, 0), (0.8, 0.5, 0.5))
    data = Noise(0.05, 0.1).corrupt(forest.sample(40, rng), rng)
    chains = Chains(chains=2, draws=6, thin=1, warm_up=30)
    found = RunningChains(data, seed=1, chains=chains, components=request.param).finished()
    assert request.param == 1 or (np.ptp(found.rates, axis=2) > 0).any()
    return found


def test_rates_without_an_axis_of_components_are_those_of_all(draws):
    common = replace(draws, rates=draws.rates[:, :, 0])
    assert (common.rates == draws.rates[:, :, :1]).all()
    assert common.rates.shape == draws.rates.shape


def test_the_error_rates_of_a_draw_are_averaged_by_weight(draws):
    expected = np.einsum("cdkr,cdk->cdr", draws.rates, draws.weights)
    np.testing.assert_allclose(draws.mean_rates, expected)
    assert draws.noise.false_positive == pytest.approx(expected[..., 0].mean())


def models(draws):
    """Every draw as a list of weights and models."""
    for chain in range(2):
        for draw in range(6):
            yield [
                (weight, NoisyForest(Forest(draws.events, parents, theta), Noise(*rates)))
                for weight, parents, theta, rates in zip(
                    draws.weights[chain, draw],
                    draws.parents[chain, draw],
                    draws.probabilities[chain, draw],
                    draws.rates[chain, draw],
                    strict=True,
                )
            ]


def test_the_probability_of_a_sample_is_the_weighted_sum_of_those_of_the_components(draws):
    data = Dataset.from_rows(ROWS, events="abc")
    expected = np.array(
        [sum(w * model.probabilities(data) for w, model in parts) for parts in models(draws)]
    )
    np.testing.assert_allclose(np.exp(draws.draw_log_probabilities(data)), expected)
    average = np.log(expected.mean(axis=0))
    np.testing.assert_allclose(draws.log_probabilities(data), average)


def test_the_shares_of_the_components_follow_bayes(draws):
    data = Dataset.from_rows(ROWS, events="abc")
    expected = np.array(
        [[w * model.probabilities(data) for w, model in parts] for parts in models(draws)]
    )
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(draws.component_probabilities(data), expected, atol=1e-12)


def test_an_event_is_averaged_over_draws_by_how_well_each_predicts_the_sample(draws):
    data = Dataset.from_rows(ROWS, events="abc")
    total, size = 0.0, 0.0
    for parts in models(draws):
        chance = np.array([w * model.probabilities(data) for w, model in parts])
        inside = sum(
            share[:, None] * model.event_probabilities(data)
            for share, (_, model) in zip(chance / chance.sum(axis=0), parts, strict=True)
        )
        weight = chance.sum(axis=0)[:, None]
        total, size = total + weight * inside, size + weight
    found = draws.event_probabilities(data)
    np.testing.assert_allclose(found, total / size, atol=1e-12)


def test_the_order_of_events_does_not_matter(draws):
    data = Dataset.from_rows(ROWS, events="abc")
    turned = data.take_events("cab")
    np.testing.assert_allclose(draws.log_probabilities(data), draws.log_probabilities(turned))
    np.testing.assert_allclose(
        draws.event_probabilities(data)[:, [2, 0, 1]],
        draws.event_probabilities(turned),
    )


def test_ancestors_are_those_of_the_forests(draws):
    expected = np.zeros((3, 3))
    for parts in models(draws):
        expected += sum(weight * model.forest.ancestors() for weight, model in parts)
    np.testing.assert_allclose(draws.ancestor_probabilities(), expected / draws.draws)


def test_parents_are_those_of_the_forests(draws):
    expected = np.zeros((3, 3))
    for parts in models(draws):
        expected += sum(weight * model.forest.adjacency() for weight, model in parts)
    found = draws.parent_probabilities()
    np.testing.assert_allclose(found[:3], expected / draws.draws)
    np.testing.assert_allclose(found.sum(axis=0), 1)


def test_samples_follow_the_probabilities(draws):
    rows = (np.arange(8)[:, None] >> np.arange(3)) & 1
    expected = np.exp(draws.log_probabilities(Dataset.from_rows(rows, events="abc")))
    assert expected.sum() == pytest.approx(1)
    drawn = draws.sample(40_000, np.random.default_rng(5)).values @ [1, 2, 4]
    np.testing.assert_allclose(np.bincount(drawn, minlength=8) / 40_000, expected, atol=0.01)


def test_thinning_keeps_evenly_spaced_draws(draws):
    few = draws.thinned(6)
    assert few.draws == 6
    assert (few.parents == draws.parents[:, [0, 2, 5]]).all()
    assert draws.thinned(10**6) == draws


def test_arrays_of_other_shapes_are_refused(draws):
    from caprese import ModelError

    said = r"rates must have shape \(2, 6, ., 2\), got \(2, 5, ., 2\)"
    with pytest.raises(ModelError, match=said):
        replace(draws, rates=draws.rates[:, :5])
    with pytest.raises(ModelError, match="parents must be positions of events or the root"):
        replace(draws, parents=draws.parents + 3)


def test_samples_are_together_as_often_as_their_components_are_the_same(draws):
    data = Dataset.from_rows(ROWS, draws.events)
    pairs = np.array([[0, 1], [3, 2], [0, 4]])
    shares = draws.component_probabilities(data)
    literal = [(shares[:, :, one] * shares[:, :, other]).sum(axis=1).mean() for one, other in pairs]
    np.testing.assert_allclose(draws.together(data, pairs), literal)
    turned = np.tile(np.arange(draws.components)[::-1], (*draws.weights.shape[:2], 1))
    np.testing.assert_allclose(draws.with_components(turned).together(data, pairs), literal)
