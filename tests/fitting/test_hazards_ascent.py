"""Penalised likelihood of mutual hazard networks: slopes, penalties, maxima, and the strength."""

from functools import partial

import numpy as np
import pytest

from caprese import Dataset, datasets
from caprese.data.seen_orders import SeenOrders
from caprese.fitting import hazards_ascent
from caprese.fitting.ascent import ascend
from caprese.fitting.hazards_ascent import (
    LOADS,
    PENALTIES,
    SMOOTHING,
    Objective,
    Observations,
    as_hazards,
    log_chances,
    log_likelihood,
)
from hazards_definitions import drawn, numerical_slopes, random_hazards
from order_definitions import log_probability


@pytest.mark.parametrize("unknown", [0.0, 0.2])
@pytest.mark.parametrize("observation", [False, True])
def test_the_likelihood_and_its_slopes_are_those_of_the_model(observation, unknown):
    data = drawn(60, 5, 1, unknown=unknown)
    seen = Observations.of(data)
    parameters = np.random.default_rng(2).normal(0, 0.5, (5, 5 + observation))
    total, slopes = log_likelihood(parameters, seen, seen.times)
    model = as_hazards(data.events, parameters)
    assert total == pytest.approx(model.log_probabilities(data).sum(), rel=1e-12)
    assert log_chances(parameters, seen) @ seen.times == pytest.approx(total)
    expected = numerical_slopes(lambda at: log_likelihood(at, seen, seen.times)[0], parameters)
    np.testing.assert_allclose(slopes, expected, atol=1e-6)


def with_orders(data, share=0.7, seed=3):
    """The data with random orders of most pairs of most samples, some of them certain."""
    rng, rows = np.random.default_rng(seed), []
    for sample, present in zip(data.samples, data.values, strict=True):
        order = rng.permutation(np.flatnonzero(present))
        certain = rng.random() < 0.3
        rows += [
            (sample, data.events[a], data.events[b], 1.0 if certain else rng.uniform(0.5, 0.99))
            for place, a in enumerate(order)
            for b in order[place + 1 :]
            if rng.random() < share
        ]
    return data.with_orders(SeenOrders.from_rows(rows))


def known_orders(data, sample):
    own = data.orders.pairs[:, 0] == sample
    seen = zip(data.orders.pairs[own, 1:].tolist(), data.orders.confidence[own], strict=True)
    return [(*pair, np.clip(sure, 1e-6, 1 - 1e-6)) for pair, sure in seen]


@pytest.mark.parametrize("observation", [False, True])
def test_the_likelihood_of_seen_orders_is_the_sum_over_all_paths(observation):
    data = with_orders(drawn(40, 5, 1))
    seen = Observations.of(data)
    parameters = np.random.default_rng(2).normal(0, 0.5, (5, 5 + observation))
    total, slopes = log_likelihood(parameters, seen, seen.times)
    model = as_hazards(data.events, parameters)
    literal = [
        log_probability(model, np.flatnonzero(row).tolist(), known_orders(data, sample))
        for sample, row in enumerate(data.values)
    ]
    assert total == pytest.approx(sum(literal), rel=1e-12)
    assert log_chances(parameters, seen) @ seen.times == pytest.approx(total)
    assert seen.times.sum() == 40
    expected = numerical_slopes(lambda at: log_likelihood(at, seen, seen.times)[0], parameters)
    np.testing.assert_allclose(slopes, expected, atol=1e-6)


def test_a_seen_order_adds_the_log_of_its_probability():
    data = Dataset.from_rows([[1, 1, 1, 0], [1, 1, None, 0]], "abcd", "pq")
    model = random_hazards(np.random.default_rng(5), 4, observation=False).in_order(data.events)
    parameters = np.log(model.effects)
    np.fill_diagonal(parameters, np.log(model.rates))
    for sure in (0.8, 0.9999999):
        orders = SeenOrders.from_rows([("p", "a", "b", sure), ("q", "a", "b", sure)])
        seen = Observations.of(data.with_orders(orders))
        total, _ = log_likelihood(parameters, seen, seen.times)
        first = model.order_probabilities(data, np.array([[0, 0, 1], [1, 0, 1]]))
        weight = np.clip(sure, 1e-6, 1 - 1e-6)
        expected = np.log(weight * first + (1 - weight) * (1 - first)).sum()
        assert total == pytest.approx(model.log_probabilities(data).sum() + expected, rel=1e-12)


def test_samples_of_the_same_genotype_and_orders_are_one_observation():
    data = Dataset.from_rows([[1, 1], [1, 1], [1, 1], [1, 0]], "ab", "pqrs")
    same = SeenOrders.from_rows([("p", "a", "b"), ("q", "a", "b")])
    assert sorted(Observations.of(data.with_orders(same)).times) == [1, 1, 2]
    half = SeenOrders.from_rows([("p", "a", "b"), ("q", "a", "b", 0.7)])
    assert sorted(Observations.of(data.with_orders(half)).times) == [1, 1, 1, 1]
    every = SeenOrders.from_rows([("p", "a", "b"), ("q", "a", "b"), ("r", "b", "a")])
    only = data.take_samples([0, 1, 2]).with_orders(every)
    assert sorted(Observations.of(only).times) == [1, 2]


def literal_penalty(penalty, parameters):
    """The sums as they are written."""
    n = len(parameters)
    off = [parameters[i, j] for i in range(n) for j in range(parameters.shape[1]) if i != j]
    if penalty == "l2":
        return sum(x**2 for x in off)
    if penalty == "l1":
        return sum(np.sqrt(x**2 + SMOOTHING) for x in off)
    pairs = [(parameters[i, j], parameters[j, i]) for i in range(n) for j in range(i)]
    alone = [x for row in parameters[:, n:] for x in row]
    return sum(np.sqrt(x**2 + y**2 - x * y + SMOOTHING) for x, y in pairs) + sum(
        np.sqrt(x**2 + SMOOTHING) for x in alone
    )


@pytest.mark.parametrize("observation", [False, True])
@pytest.mark.parametrize("load", LOADS[1:])
def test_a_load_is_added_to_all_effects_on_an_event(load, observation):
    rows = np.column_stack([drawn(40, 4, 3).values, np.zeros(40, dtype=bool)])
    seen = Observations.of(with_orders(Dataset(rows, "abcde")))
    parameters = np.random.default_rng(2).normal(0, 0.5, (5, 6 + observation))
    parameters[4, -1] = 0.0  # of an event that is never there
    strengths = parameters[:4, -1]
    if load == "common":
        strengths = parameters[:4, -1] = np.full(4, 0.7)
    plain = parameters[:, :-1].copy()
    for i in range(4):
        for j in range(4):
            plain[i, j] += strengths[j] if i != j else 0.0
    objective = Objective("l2", 0.3, observation, load)
    np.testing.assert_allclose(objective.loaded(parameters, seen, seen.times), plain)
    value, slopes = objective.value(parameters, seen, seen.times)
    likelihood, _ = log_likelihood(plain, seen, seen.times)
    light = 4 * ((strengths - strengths.mean()) ** 2).sum()
    penalty = 0.3 * literal_penalty("l2", parameters[:, :-1])
    assert value == pytest.approx((likelihood - light) / 40 - penalty)
    expected = numerical_slopes(lambda at: objective.value(at, seen, seen.times)[0], parameters)
    np.testing.assert_allclose(slopes[:4], expected[:4], atol=1e-7)


def test_one_load_of_all_events_stays_one():
    seen = Observations.of(drawn(80, 4, 5))
    found = Objective("l1", 0.02, False, "common").best_maximum(seen).parameters
    assert found[0, -1] != 0
    np.testing.assert_allclose(found[:, -1], found[0, -1], rtol=1e-9)


@pytest.mark.parametrize("observation", [False, True])
@pytest.mark.parametrize("penalty", PENALTIES)
def test_the_objective_is_likelihood_per_sample_less_the_penalty(penalty, observation):
    seen = Observations.of(drawn(40, 4, 3))
    objective = Objective(penalty, 0.3, observation)
    parameters = np.random.default_rng(2).normal(0, 0.5, (4, 4 + observation))
    value, slopes = objective.value(parameters, seen, seen.times)
    likelihood, _ = log_likelihood(parameters, seen, seen.times)
    assert value == pytest.approx(likelihood / 40 - 0.3 * literal_penalty(penalty, parameters))
    expected = numerical_slopes(lambda at: objective.value(at, seen, seen.times)[0], parameters)
    np.testing.assert_allclose(slopes, expected, atol=1e-7)


@pytest.mark.parametrize("penalty", PENALTIES)
def test_nothing_around_a_maximum_is_higher(penalty):
    seen = Observations.of(drawn(80, 4, 5))
    objective = Objective(penalty, 0.02, True)
    found = objective.best_maximum(seen).parameters
    best, slopes = objective.value(found, seen, seen.times)
    assert abs(slopes).max() < 1e-4
    rng = np.random.default_rng(6)
    for _ in range(50):
        near = found + rng.normal(0, 0.02, found.shape)
        assert objective.value(near, seen, seen.times)[0] <= best + 1e-10


def test_a_strong_penalty_leaves_no_effect():
    seen = Observations.of(drawn(80, 4, 5))
    model = as_hazards(seen.events, Objective("l1", 10.0, False).best_maximum(seen).parameters)
    np.testing.assert_allclose(model.effects, 1.0, atol=1e-3)


def test_constant_events_get_odds_of_one_more_success_and_failure_and_no_effects():
    data = Dataset.from_rows([[1, 0, 1], [1, 0, 0], [1, 0, 1]], events="abc")
    model = as_hazards(
        data.events, Objective("l1", 0.0, True).best_maximum(Observations.of(data)).parameters
    )
    np.testing.assert_allclose(model.rates[:2], [4, 1 / 4])
    np.testing.assert_allclose(model.effects, 1.0)
    np.testing.assert_allclose(model.observation[:2], 1.0)


def test_an_ascent_that_reaches_its_limit_says_so(monkeypatch):
    seen, objective = Observations.of(datasets.ovarian()), Objective("l1", 0.01, False)
    assert objective.maximum(seen, seen.times).converged
    monkeypatch.setattr(hazards_ascent, "ascend", partial(ascend, steps=2))
    assert not objective.maximum(seen, seen.times).converged
