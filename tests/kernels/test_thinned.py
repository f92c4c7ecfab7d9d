"""Thinned sub-lattices: right in the mean, exact if whole, compiled and uncompiled."""

import numpy as np
import pytest

from caprese.kernels import hazards, thinned, thinned_draw
from caprese.models.dense import draw_lattice, side_by_side
from caprese.models.hazards import own_lattices, sub_lattices
from uncompiled import uncompiled


def network(seed, n):
    rng = np.random.default_rng([5, seed])
    effects = np.exp(rng.normal(0, 0.5, (n, n)))
    np.fill_diagonal(effects, 1.0)
    return np.exp(rng.normal(-1, 1, n)), effects


def seen(seed, n, share=0.8):
    rng = np.random.default_rng([6, seed])
    return np.where(rng.random(n) < share, rng.choice([1, 1, 2], n), 0).astype(np.uint8)


@pytest.mark.parametrize(("seed", "n"), [(1, 1), (2, 3), (3, 6), (4, 8)])
def test_with_room_for_all_states_likelihood_and_slopes_are_exact(seed, n):
    rates, effects = network(seed, n)
    codes = np.array([seen(seed + k, n) for k in range(3)])
    weights = np.array([1.0, 2.0, 0.5])
    given = side_by_side([draw_lattice(np.ones(n), effects**0, row, most=200) for row in codes])
    none = np.empty((0, 3), dtype=np.int64)
    expected = hazards.log_likelihood(
        rates, effects, weights, *own_lattices(codes, none, np.empty(0))
    )
    found = thinned.log_likelihood(rates, effects, weights, given)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)


def test_probabilities_are_right_in_the_mean_whatever_they_are_drawn_by():
    rates, effects = network(1, 10)
    codes = np.array([1] * 7 + [2, 2, 0], dtype=np.uint8)
    lattices, _ = sub_lattices(codes[None])
    (exact,) = hazards.chances(rates, effects, *lattices)
    for by in ((rates, effects), (np.ones(10), np.ones((10, 10)))):
        drawn = [draw_lattice(*by, codes, most=15, draw=draw) for draw in range(400)]
        likely = thinned.likely(rates, effects, side_by_side(drawn))
        starts = np.cumsum([0, *(len(each.ends) for each in drawn[:-1])])
        ends = np.concatenate([each.ends for each in drawn])
        found = np.add.reduceat(likely * ends, starts)
        assert found.std() > 0.01 * exact
        assert abs(found.mean() - exact) < 4 * found.std() / np.sqrt(400)


def test_no_more_states_of_a_size_are_kept_than_there_is_room_for():
    drawn = draw_lattice(*network(2, 12), np.ones(12, dtype=np.uint8), most=9)
    sizes = np.zeros(len(drawn.previous), dtype=int)
    for state in range(1, len(sizes)):
        sizes[state] = sizes[drawn.previous[state]] + 1
    assert np.bincount(sizes)[:4].tolist() == [1, 9, 9, 9]
    assert np.bincount(sizes).max() == 9
    assert (drawn.previous[drawn.sources] < drawn.sources).all()
    assert drawn.genotypes().tolist() == [[True] * 12]


@pytest.mark.parametrize(("seed", "n", "most"), [(1, 1, 1), (2, 4, 3), (3, 7, 5), (4, 6, 50)])
def test_compiled_draws_and_likelihoods_are_those_of_python(seed, n, most):
    rates, effects = network(seed, n)
    codes = seen(seed, n)
    present = (np.sort(codes[codes > 0]) == 1).astype(np.uint8)
    pair = np.array([0], np.int64), np.array([len(present) - 1], np.int64), np.array([0.9])
    arguments = (rates, effects, np.log(effects), present, *pair, most)
    found, expected = (
        module.drawn(*arguments, np.array([seed], dtype=np.uint64))
        for module in (thinned_draw, uncompiled("thinned_draw"))
    )
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
    plain = uncompiled("thinned")
    bounds = np.array([0, len(found[0])])
    inputs = (np.arange(n), bounds, *found)
    one, other = thinned.Thinned(*inputs), plain.Thinned(*inputs)
    numbers, weights = (rates, effects), np.array([2.0])
    for each, oracle in (
        (thinned.likely(*numbers, one), plain.likely(*numbers, other)),
        (thinned.earlier_shares(*numbers, one), plain.earlier_shares(*numbers, other)),
        *zip(
            thinned.log_likelihood(*numbers, weights, one),
            plain.log_likelihood(*numbers, weights, other),
            strict=True,
        ),
    ):
        np.testing.assert_allclose(each, oracle, rtol=1e-12, atol=1e-14)
