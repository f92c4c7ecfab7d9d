"""Weights of a mixture: the literal definition, and what few samples do to them."""

import numpy as np
import pytest
from scipy.optimize import minimize

from caprese import Caprese, IndependentEvents, Oncotree, datasets
from caprese.data.dataset import Dataset
from caprese.fitting.stacking import (
    ENOUGH,
    chain_weights,
    held_out_log_probabilities,
    stacking_weights,
)
from caprese.models.posterior import Posterior


def literal_weights(likely, pseudo):
    """The weights of highest mean log-probability, with so many pseudo-observations in all."""
    parts = len(likely)

    def cost(free):
        weights = np.exp(free - free.max())
        weights /= weights.sum()
        return -(np.log(weights @ likely).sum() + pseudo / parts * np.log(weights).sum())

    found = minimize(cost, np.zeros(parts), method="Nelder-Mead", options={"maxiter": 20_000})
    weights = np.exp(found.x - found.x.max())
    return weights / weights.sum()


@pytest.mark.parametrize("samples", [2, 10, 50, 80, 300])
def test_weights_are_those_of_highest_probability_with_pseudo_observations(samples):
    rng = np.random.default_rng([1, samples])
    likely = rng.dirichlet(np.ones(12), size=samples).T[:3]
    found = stacking_weights(np.log(likely))
    assert found.sum() == pytest.approx(1)
    assert found == pytest.approx(literal_weights(likely, ENOUGH / samples), abs=2e-3)


def test_a_better_part_has_more_weight_the_more_samples_say_so():
    best = [
        stacking_weights(np.tile([[-1.0], [-1.5]], samples))[0]
        for samples in (0, 1, 5, 20, 80, 999)
    ]
    assert best == sorted(best)
    assert best == pytest.approx([0.5, 0.502, 0.537, 0.817, 0.984, 1.0], abs=1e-3)


def test_pseudo_observations_vanish():
    likely = np.log(np.random.default_rng(7).dirichlet(np.ones(12), size=20_000).T[:3])
    few, many = likely[:, :25], likely
    moved = [
        abs(stacking_weights(each) - literal_weights(np.exp(each), 0.0)).max()
        for each in (few, many)
    ]
    assert moved[0] > 0.05
    assert moved[1] < 2e-3


def test_parts_that_say_the_same_share_their_weight_equally():
    rng = np.random.default_rng(3)
    rows = np.log(rng.dirichlet(np.ones(9), size=100).T[:2])
    weights = stacking_weights(rows[[0, 0, 1]])
    assert weights[0] == weights[1]


def test_samples_that_no_part_allows_do_not_count_and_an_impossible_one_costs_the_weight():
    likely = np.log(np.random.default_rng(4).dirichlet(np.ones(9), size=100).T[:2])
    odd = np.column_stack([likely, np.full((2, 3), -np.inf)])
    assert stacking_weights(odd) == pytest.approx(stacking_weights(likely))
    only = np.column_stack([likely, np.tile([[-np.inf], [-1.0]], 50)])
    assert 0.3 < stacking_weights(only)[1] < 1


def test_each_sample_is_predicted_by_models_of_others():
    data = datasets.ovarian()
    seen = []

    def learner(method):
        def learn(training):
            seen.append(training)
            return method.fit(training).predictive

        return learn

    methods = [Caprese(), IndependentEvents()]
    found = held_out_log_probabilities([learner(each) for each in methods], data, folds=4, seed=2)
    assert found.shape == (2, 87)
    assert len(seen) == 8
    assert sorted(len(each.samples) for each in seen[::2]) == [65, 65, 65, 66]
    total = []
    for training in seen[::2]:
        rest = data.take_samples(
            [k for k, s in enumerate(data.samples) if s not in training.samples]
        )
        total.append(Caprese().fit(training).predictive.log_probabilities(rest).sum())
    assert found[0].sum() == pytest.approx(sum(total))


def test_the_order_of_rows_and_columns_does_not_matter():
    data = datasets.ovarian()
    rng = np.random.default_rng(5)
    other = data.take_samples(rng.permutation(87)).take_events(data.events[::-1])
    learners = [lambda training, m=m: m.fit(training).predictive for m in (Caprese(), Oncotree())]
    one, two = (
        held_out_log_probabilities(learners, each, folds=5, seed=1) for each in (data, other)
    )
    assert (one == two).all()


def test_of_one_sample_nothing_is_learnt():
    data = datasets.acml().take_samples([0])
    found = held_out_log_probabilities([Caprese().fit, Oncotree().fit], data, folds=5, seed=1)
    assert found.shape == (2, 0)
    assert stacking_weights(found).tolist() == [0.5, 0.5]


def apart(seen):
    """A posterior of one event without errors, of which each chain states other probabilities."""
    chains, draws = np.shape(seen)
    shape = chains, draws, 1
    return Posterior(
        ("a",),
        np.full((*shape, 1), -1),
        np.array(seen)[..., None, None],
        np.zeros((chains, draws, 2)),
        np.ones(shape),
        np.ones(shape),
        np.zeros((chains, draws)),
        np.zeros(5),
    )


def test_a_chain_that_predicts_badly_does_not_count_as_much_as_the_others():
    data = Dataset.from_rows([[1]] * 150 + [[0]] * 50, ["a"])
    posterior = apart([[0.74, 0.75], [0.4, 0.41], [0.75, 0.76]])
    weights = chain_weights(posterior, data)
    assert weights[1] < 0.05
    drawn = posterior.weighted(weights).probabilities.ravel()
    assert len(drawn) == 6
    assert (drawn > 0.7).sum() >= 5
    assert posterior.weighted(np.array([0.5, 0.5, 0.0])).probabilities.ravel().tolist() == (
        [0.74, 0.74, 0.75, 0.4, 0.4, 0.41]
    )


def test_chains_that_say_the_same_count_the_same():
    data = Dataset.from_rows([[1], [0], [1]], ["a"])
    np.testing.assert_allclose(chain_weights(apart([[0.5, 0.6]] * 4), data), 0.25)


def test_the_score_of_a_chain_is_of_samples_it_has_not_seen():
    """Of a draw that gives a sample little, more is left without it: the harmonic mean."""
    data = Dataset.from_rows([[1]] * 100, ["a"])
    seen = np.array([[0.4, 0.9], [0.5, 0.5]])
    unseen = 1 / (1 / seen).mean(axis=1)
    np.testing.assert_allclose(
        chain_weights(apart(seen), data), stacking_weights(np.log(unseen)[:, None].repeat(100, 1))
    )
