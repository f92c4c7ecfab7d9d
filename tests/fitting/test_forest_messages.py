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
    table, seen = table_of(rows, [1] * 25 + [3] * 15), kernels.seen_probabilities(*rates)
    out, work = np.empty(40), kernels.Messages(4, 40)
    kernels.log_probabilities(table, np.array(parents), THETA, seen, work, out)
    expected = [definitions.sample_probability(row, parents, THETA, *rates) for row in rows]
    np.testing.assert_allclose(np.exp(out), expected, rtol=1e-12, atol=0)
    total = kernels.forest_log_likelihood(table, np.array(parents), THETA, np.array(rates))
    assert total == pytest.approx(float((table.times * out).sum()), rel=1e-12)
    assert kernels.log_likelihood(table, np.array(parents), THETA, seen, work) == total


@pytest.mark.parametrize("parents", FORESTS)
@pytest.mark.parametrize("positive", [0.07, 0.0])
def test_hanging_an_event_elsewhere_changes_the_likelihood_as_recomputing_it_does(
    parents, positive
):
    # Without false positives, only genotypes that every forest allows.
    rows = random_rows(np.random.default_rng(2), 30, 4, 3 if positive else 1)
    rows[:, :] = np.where(rows == 1, 2, rows) if not positive else rows
    times = np.array([1.0] * 20 + [3.0] * 10)
    table, seen = table_of(rows, times), kernels.seen_probabilities(positive, 0.12)
    for event in range(4):
        hung, theta = np.array(parents), THETA.copy()
        work = kernels.Messages(4, 30)
        kernels.refresh_all(table, hung, theta, seen, work)
        kernels.detach(table, hung, theta, seen, work, event)
        changes, expected = [], []
        for parent in range(-1, 4):
            moved = list(hung)
            moved[event] = parent
            if not definitions.is_forest(moved):
                assert work.inside[parent]
                continue
            theta[event] = 0.3 + 0.1 * parent
            kernels.aim(table, work, event, parent)
            changes.append(kernels.gain(table, work, theta[event]))
            heights = [
                definitions.log_likelihood([row], moved, theta, positive, 0.12) for row in rows
            ]
            expected.append(times @ heights)
        np.testing.assert_allclose(np.diff(changes), np.diff(expected), atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_the_best_edge_probability_is_that_of_a_fine_grid(seed):
    rng = np.random.default_rng(seed)
    rows = random_rows(rng, 60, 4)
    table, seen = table_of(rows), kernels.seen_probabilities(0.05, 0.1)
    parents = np.array([-1, 0, 0, -1])
    work = kernels.Messages(4, 60)
    kernels.refresh_all(table, parents, THETA, seen, work)
    kernels.detach(table, parents, THETA, seen, work, 3)
    grid = np.linspace(0, 1, 2001)
    for parent in (-1, 0, 1, 2):
        kernels.aim(table, work, 3, parent)
        guess = kernels.first_guess(table, work, 3, parent)
        theta, first, second = kernels.best_probability(table, work, guess, 1e-6, 40)
        heights = [kernels.gain(table, work, value) for value in grid]
        assert abs(theta - grid[np.argmax(heights)]) <= 0.0006
        assert kernels.gain(table, work, theta) >= max(heights) - 1e-7
        assert second >= 0
        if 0.01 < theta < 0.99:
            assert abs(first) < 1e-3


def test_the_slopes_are_the_derivatives_of_the_gain():
    rng = np.random.default_rng(3)
    table, seen = table_of(random_rows(rng, 25, 3)), kernels.seen_probabilities(0.1, 0.2)
    work = kernels.Messages(3, 25)
    kernels.refresh_all(table, np.array([-1, 0, -1]), np.full(3, 0.5), seen, work)
    kernels.aim(table, work, 2, -1)
    low, middle, high = (kernels.gain(table, work, t) for t in (0.3999, 0.4, 0.4001))
    first, second = kernels.slopes(table, work, 0.4)
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
    seen = kernels.seen_probabilities(0.05, 0.05)
    out, work = np.empty(samples), kernels.Messages(n, samples)
    kernels.log_probabilities(table_of(rows), parents, theta, seen, work, out)
    kernels.parents_first(parents, work)
    order = np.asarray(work.order)
    expected = log_space(rows, order, parents, np.log(theta), np.log1p(-theta), np.log(seen))
    np.testing.assert_allclose(out, expected, rtol=1e-10)
    times = np.repeat([1.0, 2.0], samples // 2)
    total = kernels.log_likelihood(table_of(rows, times), parents, theta, seen, work)
    assert total == pytest.approx(float((times * expected).sum()), rel=1e-10)
