"""Permutations of an event over the samples: every set of carriers is equally likely."""

from collections import Counter
from math import comb

import numpy as np
import pytest
from scipy.stats import chisquare, hypergeom

from caprese._core.arrays import packed_columns
from caprese.kernels.permutations import permuted_counts


def permuted(table, carriers, permutations, seed=1):
    counts = np.empty((permutations, table.shape[1]), dtype=np.int64)
    permuted_counts(packed_columns(table), len(table), carriers, seed, 0, permutations, counts)
    return counts


@pytest.mark.parametrize("carriers", [1, 2, 3, 5])
def test_every_set_of_carriers_is_equally_likely(carriers):
    drawn = Counter(map(tuple, permuted(np.eye(6, dtype=bool), carriers, 20_000).tolist()))
    assert all(sum(row) == carriers for row in drawn)
    assert len(drawn) == comb(6, carriers)
    assert chisquare(list(drawn.values())).pvalue > 0.001


@pytest.mark.parametrize("samples", [63, 64, 65, 200])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.9])
def test_a_column_meets_as_many_carriers_as_the_hypergeometric_says(samples, share):
    rng = np.random.default_rng([3, samples])
    column, carriers = rng.random((samples, 1)) < 0.4, max(1, round(share * samples))
    met = permuted(column, carriers, 20_000)[:, 0]
    expected = hypergeom(samples, int(column.sum()), carriers)
    error = expected.std() / np.sqrt(20_000)
    assert met.mean() == pytest.approx(expected.mean(), abs=4 * error + 1e-12)
    assert met.var() == pytest.approx(expected.var(), rel=0.06, abs=1e-12)


def test_each_permutation_has_its_own_stream():
    table = np.random.default_rng(4).random((100, 3)) < 0.5
    whole = permuted(table, 30, 50)
    parts = np.empty_like(whole)
    for start, stop in ((20, 50), (0, 20)):
        permuted_counts(packed_columns(table), 100, 30, 1, start, stop, parts)
    assert (parts == whole).all()
