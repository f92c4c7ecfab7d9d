"""Ranks of numbers, without the second that importing scipy.stats takes."""

import numpy as np

from caprese._core.arrays import FloatArray


def mean_ranks(values: FloatArray) -> FloatArray:
    """Return the rank of each value, counted from 1; equal values share the mean of their ranks.

    The shape is that of the values. If any value is NaN, all ranks are.

    Examples
    --------
    >>> mean_ranks(np.array([0.5, 0.1, 0.5]))
    array([2.5, 1. , 2.5])
    """
    if np.isnan(values).any():
        return np.full(values.shape, np.nan)
    _, place, times = np.unique(values, return_inverse=True, return_counts=True)
    ranks = np.cumsum(times) - (times - 1) / 2
    return np.asarray(ranks[place].reshape(values.shape))
