"""Mean ranks, against those of scipy."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from caprese._core.significance import mean_ranks


@given(st.lists(st.sampled_from([-1.5, 0.0, -0.0, 0.5, 2.0, np.inf, -np.inf]), max_size=12))
def test_ranks_are_those_of_scipy(values):
    found = mean_ranks(np.array(values, dtype=float))
    assert found.tolist() == rankdata(values).tolist()


def test_the_shape_is_that_of_the_values():
    values = np.random.default_rng(1).integers(3, size=(4, 5)).astype(float)
    assert mean_ranks(values).ravel().tolist() == rankdata(values).tolist()
    assert mean_ranks(values).shape == (4, 5)


def test_nan_among_the_values_gives_nan_only():
    assert np.isnan(mean_ranks(np.array([1.0, np.nan]))).all()
