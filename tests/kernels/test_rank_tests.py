"""Hypergeometric tails against scipy, of small tables and of large ones."""

import numpy as np
import pytest
from scipy.stats import hypergeom

from caprese.kernels.rank_tests import hypergeometric_tails


@pytest.mark.parametrize("total", [1, 7, 60, 5_000])
def test_tails_are_those_of_scipy(total):
    rng = np.random.default_rng(1)
    first, second = rng.integers(0, total + 1, (2, 200))
    least, most = np.maximum(0, first + second - total), np.minimum(first, second)
    joint = rng.integers(least, most + 1)
    above, from_here = hypergeometric_tails(joint, first, total - first, second)
    assert np.allclose(above, hypergeom.sf(joint, total, first, second), rtol=1e-7, atol=1e-200)
    expected = hypergeom.sf(joint - 1, total, first, second)
    assert np.allclose(from_here, expected, rtol=1e-7, atol=1e-200)
