"""The compiled messages against sums over all true genotypes."""

from itertools import pairwise

import numpy as np
import pytest

import forest_definitions as definitions
from caprese.kernels import forest_messages as kernels
from caprese.kernels.forest_likelihood import log_probabilities as log_space

pytestmark = pytest.mark.slow

FORESTS = ((-1, 0, 0, 1), (-1, -1, -1, -1), (-1, 0, 1, 2), (1, -1, 1, 0), (3, 3, 3, -1))
THETA = np.array([0.7, 0.4, 0.9, 0.55])


def table_of(rows, times=None):
    codes = np.ascontiguousarray(np.asarray(rows, dtype=np.uint8).T)
    times = np.ones(codes.shape[1]) if times is None else np.asarray(times, dtype=float)
    return kernels.Table.of(codes, times)


def forest_of(table, parents, theta, rates):
    forest = kernels.Forest(table)
    kernels.set_forest(forest, np.array(parents), theta)
    kernels.set_rates(forest, *rates)
    return forest


@pytest.mark.parametrize("times", [[1, 1, 2, 2, 2, 1], [3], [1] * 130 + [2] * 3, []])
def test_runs_of_genotypes_seen_equally_often_end_within_blocks(times):
    table = table_of(np.zeros((len(times), 2)), times)
    bounds = [0, *table.ends[: table.runs]]
    assert bounds[-1] == table.genotypes == len(times)
    for start, stop in pairwise(bounds):
        assert len(set(times[start:stop])) == 1
        assert start // 64 == (stop - 1) // 64


def random_rows(rng, samples, events, codes=3):
    return rng.integers(0, codes, (samples, events))


@pytest.mark.parametrize("parents", FORESTS)
@pytest.mark.parametrize("rates", [(0.05, 0.1), (0.0, 0.2), (0.3, 0.0)])
def test_the_log_probability_is_the_sum_over_all_true_genotypes(parents, rates):
    rows = random_rows(np.random.default_rng(1), 40, 4)
    table = table_of(rows, [1] * 25 + [3] * 15)
    out, forest = np.empty(40), forest_of(table, parents, THETA, rates)
    kernels.log_probabilities(forest, out)
    expected = [definitions.sample_probability(row, parents, THETA, *rates) for row in rows]
    np.testing.assert_allclose(np.exp(out), expected, rtol=1e-12, atol=0)
    total = kernels.forest_log_likelihood(table, np.array(parents), THETA, np.array(rates))
    assert total == pytest.approx(float((table.times * out).sum()), rel=1e-12)
    assert kernels.log_likelihood(forest) == total


@pytest.mark.parametrize("parents", FORESTS)
@pytest.mark.parametrize("positive", [0.07, 0.0])
def test_hanging_an_event_elsewhere_changes_the_likelihood_as_recomputing_it_does(
    parents, positive
):
    # Without false positives, only genotypes that every forest allows.
    rows = random_rows(np.random.default_rng(2), 30, 4, 3 if positive else 1)
    rows[:, :] = np.where(rows == 1, 2, rows) if not positive else rows
    times = np.array([1.0] * 20 + [3.0] * 10)
    for event in range(4):
        theta = THETA.copy()
        forest = forest_of(table_of(rows, times), parents, theta, (positive, 0.12))
        kernels.refresh_all(forest)
        kernels.detach(forest, event)
        changes, expected = [], []
        for parent in range(-1, 4):
            moved = list(forest.parents)
            moved[event] = parent
            if not definitions.is_forest(moved):
                assert forest.inside[parent]
                continue
            theta[event] = 0.3 + 0.1 * parent
            kernels.aim(forest, event, parent)
            changes.append(kernels.gain(forest, theta[event]))
            heights = [
                definitions.log_likelihood([row], moved, theta, positive, 0.12) for row in rows
            ]
            expected.append(times @ heights)
        np.testing.assert_allclose(np.diff(changes), np.diff(expected), atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_the_best_edge_probability_is_that_of_a_fine_grid(seed):
    rng = np.random.default_rng(seed)
    rows = random_rows(rng, 60, 4)
    forest = forest_of(table_of(rows), [-1, 0, 0, -1], THETA, (0.05, 0.1))
    kernels.refresh_all(forest)
    kernels.detach(forest, 3)
    grid = np.linspace(0, 1, 2001)
    for parent in (-1, 0, 1, 2):
        kernels.aim(forest, 3, parent)
        guess = kernels.first_guess(forest)
        theta, first, second = kernels.best_probability(forest, guess, 1e-6, 40)
        heights = [kernels.gain(forest, value) for value in grid]
        assert abs(theta - grid[np.argmax(heights)]) <= 0.0006
        assert kernels.gain(forest, theta) >= max(heights) - 1e-7
        assert second >= 0
        if 0.01 < theta < 0.99:
            assert abs(first) < 1e-3


def test_the_slopes_are_the_derivatives_of_the_gain():
    rng = np.random.default_rng(3)
    table = table_of(random_rows(rng, 25, 3))
    forest = forest_of(table, [-1, 0, -1], np.full(3, 0.5), (0.1, 0.2))
    kernels.refresh_all(forest)
    kernels.aim(forest, 2, -1)
    low, middle, high = (kernels.gain(forest, t) for t in (0.3999, 0.4, 0.4001))
    first, second = kernels.slopes(forest, 0.4)
    assert first == pytest.approx((high - low) / 2e-4, rel=1e-4)
    assert second == pytest.approx(-(high - 2 * middle + low) / 1e-8, rel=1e-3)


@pytest.mark.parametrize("shape", ["chain", "star", "random"])
def test_a_thousand_events_neither_overflow_nor_underflow(shape):
    rng = np.random.default_rng(4)
    n, samples = 1000, 20
    parents = {
        "chain": np.arange(-1, n - 1),
        "star": np.full(n, -1),
        "random": np.array([int(rng.integers(-1, max(1, k))) if k else -1 for k in range(n)]),
    }[shape]
    theta = rng.uniform(0.5, 0.99, n)
    truth = rng.random((samples, n)) < theta
    for event in range(n):
        if parents[event] >= 0:
            truth[:, event] &= truth[:, parents[event]]
    rows = np.where(rng.random(truth.shape) < 0.05, ~truth, truth).astype(np.uint8)
    out, forest = np.empty(samples), forest_of(table_of(rows), parents, theta, (0.05, 0.05))
    kernels.log_probabilities(forest, out)
    kernels.parents_first(forest)
    order = np.asarray(forest.order)
    seen = np.array([[0.95, 0.05, 1.0], [0.05, 0.95, 1.0]])
    model = order, parents, np.log(theta), np.log1p(-theta), np.log(seen)
    expected = log_space(rows, model)
    np.testing.assert_allclose(out, expected, rtol=1e-10)
    times = np.repeat([1.0, 2.0], samples // 2)
    rates = np.array([0.05, 0.05])
    total = kernels.forest_log_likelihood(table_of(rows, times), parents, theta, rates)
    assert total == pytest.approx(float((times * expected).sum()), rel=1e-10)
