"""Statistics without scipy, which takes long to import: thresholds, levels and ranks."""

import math
from statistics import NormalDist

import numpy as np

from caprese._core.arrays import FloatArray

SIGNIFICANT = 0.05  # p-values below it
LEVEL = 1 - SIGNIFICANT
SURE = 0.8  # support from which on an edge is called well supported
WEAK = 0.7  # support below which an edge is called uncertain
CONTRADICTED = 0.5  # support below which most replicates contradict an edge
KNOWN = 0.7  # probability from which on an order of two events is known
SUBSTANTIAL = 0.2  # weight from which on what parts of a mixture say cannot be passed over
NOTABLE = 0.1  # support from which on another parent is listed as an alternative
POSTERIOR_LEVEL = 0.9  # of every posterior interval
UNBOUNDED_RATE = 1e4  # rate from which on an event occurs at once, as far as data can show
HIGH_ERROR_RATE = 0.2  # error rates from which on the model itself is in question


def standard_errors(level: float = LEVEL, freedom: float = math.inf) -> float:
    """Return how many standard errors an interval of this level reaches to each side.

    Parameters
    ----------
    level
        The level.
    freedom
        Degrees of freedom of the errors, for intervals by Student's t.

    Examples
    --------
    >>> round(standard_errors(), 3), round(standard_errors(freedom=9), 3)
    (1.96, 2.262)
    """
    if math.isinf(freedom):
        return NormalDist().inv_cdf((1 + level) / 2)
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + level) / 2))


def mean_ranks(values: FloatArray) -> FloatArray:
    """Return the rank of each value from 1, of equal ones their mean; all NaN if any value is."""
    if np.isnan(values).any():
        return np.full(values.shape, np.nan)
    _, place, times = np.unique(values, return_inverse=True, return_counts=True)
    ranks = np.cumsum(times) - (times - 1) / 2
    return np.asarray(ranks[place].reshape(values.shape))
