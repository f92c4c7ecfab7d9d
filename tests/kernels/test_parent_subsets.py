"""The best sets of parents: compiled against uncompiled; see also tests/fitting."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from caprese.kernels.parent_subsets import best_sets
from uncompiled import uncompiled

BIC, AIC, LIKELIHOOD = range(3)


def drawn(seed, samples, columns, unknown=0.0):
    """Return columns of which each depends on some of those before it, its candidates."""
    rng = np.random.default_rng([seed, samples, columns])
    values = rng.random((samples, columns)) < 0.4
    for column in range(2, columns):
        values[:, column] ^= values[:, column - 1] & values[:, rng.integers(column)]
    known = rng.random(values.shape) >= unknown
    candidates = np.triu(rng.random((columns, columns)) < 0.9, 1)
    return (
        *(table.view(np.uint8) for table in (values & known, known, candidates)),
        rng.permutation(columns),
    )


def assert_same(found, expected):
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype
        if one.dtype == bool:
            assert np.array_equal(one, other)
        else:
            np.testing.assert_allclose(one, other, rtol=1e-13, atol=1e-12)


@pytest.mark.parametrize(
    ("samples", "columns", "unknown"),
    [(0, 3, 0.0), (1, 4, 0.0), (5, 1, 0.0), (63, 5, 0.0), (64, 5, 0.1), (130, 6, 0.1)],
)
@pytest.mark.parametrize("price", [BIC, AIC, LIKELIHOOD])
@pytest.mark.parametrize("most", [0, 2, 16])
def test_compiled_sets_are_those_of_python(samples, columns, unknown, price, most):
    arguments = (*drawn(1, samples, columns, unknown), price, most, 60, 1000)
    assert_same(best_sets(*arguments), uncompiled("parent_subsets").best_sets(*arguments))


@pytest.mark.parametrize(
    ("most", "largest", "limit"), [(8, 60, 10_000), (8, 60, 50), (2, 5, 10_000), (3, 0, 10)]
)
def test_a_deep_search_and_one_that_is_cut_short_are_those_of_python(most, largest, limit):
    arguments = (*drawn(2, 150, 11), LIKELIHOOD, most, largest, limit)
    found = best_sets(*arguments)
    assert_same(found, uncompiled("parent_subsets").best_sets(*arguments))
    assert found[2].all() == (largest == 60 and limit == 10_000)


def test_tables_may_have_any_layout():
    values, known, candidates, rank = drawn(3, 70, 6)
    turned = (
        np.asfortranarray(values),
        known,
        np.asfortranarray(candidates),
        np.repeat(rank, 2)[::2],
    )
    settings = (AIC, 4, 60, 1000)
    for one, other in zip(
        best_sets(*turned, *settings),
        best_sets(values, known, candidates, rank, *settings),
        strict=True,
    ):
        assert np.array_equal(one, other)


def test_searches_in_several_threads_do_not_disturb_each_other():
    arguments = [(*drawn(seed, 200, 10), LIKELIHOOD, 7, 60, 10_000) for seed in range(8)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda each: best_sets(*each), arguments))
    for own, each in zip(found, arguments, strict=True):
        assert all(np.array_equal(*pair) for pair in zip(own, best_sets(*each), strict=True))
