"""Mutual hazards on sub-lattices: against a dense solve, and compiled against uncompiled."""

from itertools import combinations

import numpy as np
import pytest

from caprese.kernels import hazards
from caprese.models.hazards import own_lattices, sub_lattices
from hazards_definitions import probabilities, random_hazards
from uncompiled import uncompiled


def rates_and_effects(rng, n):
    return np.exp(rng.normal(-1, 1, n)), np.exp(rng.normal(0, 0.7, (n, n)))


def observed(rng, samples, n, share):
    """Return sub-lattices of distinct observations, of which some entries are unknown."""
    codes = np.where(rng.random((samples, n)) < share, rng.integers(1, 3, (samples, n)), 0)
    return sub_lattices(np.unique(codes.astype(np.uint8), axis=0))[0]


def assert_close(found, expected):
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(
            one, other, rtol=1e-13, atol=1e-13 * np.abs(other).max(initial=0)
        )


@pytest.mark.parametrize("n", [1, 3, 4, 5])
def test_probabilities_are_those_of_a_dense_solve_whatever_the_order_of_the_events(n):
    model = random_hazards(np.random.default_rng([1, n]), n, observation=False)
    order = np.random.default_rng(n).permutation(n)
    found = hazards.probabilities(model.rates, model.effects, order)
    expected = probabilities(model.in_order(tuple(model.events[k] for k in order)))
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("n", "inside"), [(n, k) for n in (1, 2, 4, 7, 9) for k in (0, 1, 2, 3, 6) if k <= n]
)
def test_compiled_probabilities_are_those_of_python(n, inside):
    rng = np.random.default_rng([2, n, inside])
    arguments = (*rates_and_effects(rng, n), rng.permutation(n)[:inside])
    found = hazards.probabilities(*arguments)
    assert found.shape == (1 << inside,)
    assert_close([found], [uncompiled("hazards").probabilities(*arguments)])


@pytest.mark.parametrize(
    ("samples", "n", "share"), [(1, 1, 1.0), (1, 3, 0.0), (5, 4, 0.4), (12, 9, 0.3), (9, 13, 0.2)]
)
def test_compiled_likelihoods_and_slopes_are_those_of_python(samples, n, share):
    rng = np.random.default_rng([3, samples, n])
    given, lattices = rates_and_effects(rng, n), observed(rng, samples, n, share)
    weights = rng.integers(0, 4, len(lattices[2])).astype(np.float64)
    plain = uncompiled("hazards")
    assert_close([hazards.chances(*given, *lattices)], [plain.chances(*given, *lattices)])
    assert_close(
        hazards.log_likelihood(*given, weights, *lattices),
        plain.log_likelihood(*given, weights, *lattices),
    )


def ordered(rng, samples, n):
    """Return observations, and pairs of their events with confidences."""
    codes = rng.choice([0, 1, 1, 2], size=(samples, n)).astype(np.uint8)
    pairs = [
        (sample, *rng.permutation(np.flatnonzero(row == 1))[:2])
        for sample, row in enumerate(codes)
        for _ in range(rng.integers(0, 4))
        if (row == 1).sum() > 1
    ]
    asked = np.array(pairs, dtype=np.int64).reshape(-1, 3)
    return codes, asked, rng.uniform(0.05, 1, len(asked))


@pytest.mark.parametrize(("samples", "n"), [(1, 1), (4, 3), (6, 5), (6, 7), (4, 10)])
def test_compiled_likelihoods_of_seen_orders_are_those_of_python(samples, n):
    rng = np.random.default_rng([7, samples, n])
    codes, asked, confidence = ordered(rng, samples, n)
    lattices, _ = sub_lattices(codes, asked, confidence)
    given, plain = rates_and_effects(rng, n), uncompiled("hazards")
    assert_close([hazards.chances(*given, *lattices)], [plain.chances(*given, *lattices)])
    weights = np.ones(samples)
    assert_close(
        hazards.log_likelihood(*given, weights, *lattices),
        plain.log_likelihood(*given, weights, *lattices),
    )
    own = own_lattices(codes, asked, confidence)
    arguments = (*given, *own[:4], *own[5:8])
    found = hazards.order_probabilities(*arguments)
    assert_close([found], [plain.order_probabilities(*arguments)])


def weighted_chance(rates, effects, codes, pairs):
    """Return the probability of an observation and of its orders, over all orders of its events."""
    reached, total = {frozenset(): 1.0}, 0.0
    inside, present = np.flatnonzero(codes), set(np.flatnonzero(codes == 1))
    for size in range(len(inside) + 1):
        for state in map(frozenset, combinations(inside, size)):
            open_rates = {
                event: rates[event] * np.prod([effects[k, event] for k in state])
                for event in range(len(rates))
                if event not in state
            }
            here = reached.get(state, 0.0) / (1 + sum(open_rates.values()))
            total += here if present <= state else 0.0
            for event in set(inside) - state:
                weights = [c if a in state else 1 - c for a, b, c in pairs if b == event]
                moved = here * open_rates[event] * np.prod(weights)
                reached[state | {event}] = reached.get(state | {event}, 0.0) + moved
    return total


@pytest.mark.parametrize("seed", range(8))
def test_seen_orders_weigh_the_paths_as_a_sum_over_all_of_them_does(seed):
    rng = np.random.default_rng([8, seed])
    n = int(rng.integers(2, 8))
    codes, asked, confidence = ordered(rng, 5, n)
    rates, effects = rates_and_effects(rng, n)
    lattices, order = sub_lattices(codes, asked, confidence)
    own = [
        [(a, b, c) for (row, a, b), c in zip(asked, confidence, strict=True) if row == sample]
        for sample in order
    ]
    expected = [
        weighted_chance(rates, effects, codes[sample], pairs)
        for sample, pairs in zip(order, own, strict=True)
    ]
    np.testing.assert_allclose(hazards.chances(rates, effects, *lattices), expected, rtol=1e-11)


@pytest.mark.parametrize(("samples", "n"), [(3, 3), (4, 6), (3, 8)])
def test_slopes_with_seen_orders_are_differences_of_the_likelihood(samples, n):
    rng = np.random.default_rng([9, samples, n])
    lattices, _ = sub_lattices(*ordered(rng, samples, n))
    rates, effects = rates_and_effects(rng, n)
    weights, step = rng.uniform(0.5, 2, samples), 1e-5
    _, by_rate, by_effect = hazards.log_likelihood(rates, effects, weights, *lattices)

    def slope(given, place):
        """Return the slope by the logarithm of one number."""
        sides = []
        for change in (step, -step):
            saved, given[place] = given[place], given[place] * np.exp(change)
            sides.append(weights @ np.log(hazards.chances(rates, effects, *lattices)))
            given[place] = saved
        return (sides[0] - sides[1]) / (2 * step)

    for event in range(n):
        assert slope(rates, event) == pytest.approx(by_rate[event], rel=1e-6, abs=1e-7)
        for other in set(range(n)) - {event}:
            found = slope(effects, (event, other))
            assert found == pytest.approx(by_effect[event, other], rel=1e-6, abs=1e-7)


def test_arrays_may_have_any_layout():
    rng = np.random.default_rng(4)
    (rates, effects), lattices = rates_and_effects(rng, 6), observed(rng, 8, 6, 0.5)
    weights = np.ones(len(lattices[2]))
    spread = np.repeat(rates, 2)[::2]
    turned = np.ascontiguousarray(effects.T).T
    for one, other in zip(
        hazards.log_likelihood(spread, turned, weights, *lattices),
        hazards.log_likelihood(rates, effects, weights, *lattices),
        strict=True,
    ):
        assert np.array_equal(one, other)


def test_an_impossible_observation_has_no_likelihood():
    nothing = np.zeros(1, dtype=np.int64)
    one, starts = np.ones(1, dtype=np.int64), np.array([0, 1])
    no_pairs = (np.zeros(2, dtype=np.int64), *np.empty((2, 0), dtype=np.int64), np.empty(0))
    lattice = (nothing, starts, one, nothing, starts, *no_pairs)
    total, slopes, _ = hazards.log_likelihood(np.zeros(1), np.ones((1, 1)), np.ones(1), *lattice)
    assert total == -np.inf
    assert np.isfinite(slopes).all()
