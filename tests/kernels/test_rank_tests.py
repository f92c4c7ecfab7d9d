"""Rank sums and hypergeometric tails: against definitions and scipy, and compiled against plain."""

import numpy as np
import pytest
from scipy.stats import hypergeom, mannwhitneyu

from caprese.kernels.rank_tests import hypergeometric_tails, rank_sums
from uncompiled import uncompiled


def tables(total, number):
    rng = np.random.default_rng(1)
    first, second = rng.integers(0, total + 1, (2, number))
    least, most = np.maximum(0, first + second - total), np.minimum(first, second)
    return rng.integers(least, most + 1), first, total - first, second


@pytest.mark.parametrize("total", [1, 7, 60, 5_000])
def test_tails_are_those_of_scipy(total):
    joint, first, rest, second = tables(total, 200)
    above, from_here = hypergeometric_tails(joint, first, rest, second)
    assert np.allclose(above, hypergeom.sf(joint, total, first, second), rtol=1e-7, atol=1e-200)
    expected = hypergeom.sf(joint - 1, total, first, second)
    assert np.allclose(from_here, expected, rtol=1e-7, atol=1e-200)


@pytest.mark.parametrize(("total", "number"), [(1, 0), (1, 3), (60, 30), (3_000, 20)])
def test_compiled_tails_are_those_of_python(total, number):
    given = tables(total, number)
    expected = uncompiled("rank_tests").hypergeometric_tails(*given)
    for one, other in zip(hypergeometric_tails(*given), expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-13)


def groups(rows, columns, different):
    """Return two tables of values with ties, and which count; those that do not are NaN."""
    rng = np.random.default_rng([2, rows, columns])
    first, second = rng.integers(0, different, (2, rows, columns)) / different
    valid = rng.random((rows, columns)) < rng.random(columns)
    return np.where(valid, first, np.nan), np.where(valid, second, np.nan), valid


@pytest.mark.parametrize("different", [1, 5, 1000])
def test_rank_sums_count_pairs_and_ties(different):
    first, second, valid = groups(30, 12, different)
    larger, numbers, ties = rank_sums(first, second, valid)
    for column in range(12):
        ones, others = first[valid[:, column], column], second[valid[:, column], column]
        pairs = np.sign(ones[:, None] - others) / 2 + 0.5
        assert larger[column] == pairs.sum()
        assert numbers[column] == len(ones)
        _, times = np.unique(np.concatenate([ones, others]), return_counts=True)
        assert ties[column] == (times**3 - times).sum()
        if len(ones):
            assert larger[column] == mannwhitneyu(ones, others).statistic


@pytest.mark.parametrize(("rows", "columns"), [(0, 2), (1, 1), (3, 0), (20, 7)])
def test_compiled_rank_sums_are_those_of_python(rows, columns):
    given = groups(rows, columns, 6)
    expected = uncompiled("rank_tests").rank_sums(*given)
    for one, other in zip(rank_sums(*given), expected, strict=True):
        assert np.array_equal(one, other)
        assert one.dtype == other.dtype
