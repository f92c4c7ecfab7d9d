"""Mutual hazards on sub-lattices: against a dense solve, and compiled against uncompiled."""

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


@pytest.mark.parametrize(("samples", "n"), [(1, 1), (4, 3), (6, 7), (4, 10)])
def test_compiled_likelihoods_of_seen_orders_are_those_of_python(samples, n):
    rng = np.random.default_rng([7, samples, n])
    codes = rng.integers(0, 2, (samples, n)).astype(np.uint8)
    pairs = [
        (sample, *rng.permutation(np.flatnonzero(row))[:2])
        for sample, row in enumerate(codes)
        for _ in range(3)
        if row.sum() > 1
    ]
    asked = np.array(pairs, dtype=np.int64).reshape(-1, 3)
    lattices = own_lattices(codes, asked, rng.uniform(0.5, 1, len(asked)))
    given, plain = rates_and_effects(rng, n), uncompiled("hazards")
    assert_close([hazards.chances(*given, *lattices)], [plain.chances(*given, *lattices)])
    weights = np.ones(samples)
    assert_close(
        hazards.log_likelihood(*given, weights, *lattices),
        plain.log_likelihood(*given, weights, *lattices),
    )
    arguments = (*given, *lattices[:4], *lattices[5:8])
    found = hazards.order_probabilities(*arguments)
    assert_close([found], [plain.order_probabilities(*arguments)])


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
