"""Structure: from scores to parents."""

import numpy as np

from caprese.arrays import BoolArray, FloatArray, IntArray
from caprese.models.forest import ROOT

EQUAL = 1e-12


def best_parents(scores: FloatArray, allowed: BoolArray) -> IntArray:
    """Return for each event the one allowed parent of highest score; ROOT if none or if tied.

    Parameters
    ----------
    scores, allowed
        ``[..., i, j]``: parent row, child column, any batch axes before.

    Examples
    --------
    >>> scores = np.array([[0.0, 0.7, 0.4], [0.0, 0.0, 0.4], [0.0, 0.0, 0.0]])
    >>> best_parents(scores, scores > 0)
    array([-1,  0, -1])
    """
    best = best_candidates(scores, allowed)
    single = best.sum(axis=-2) == 1
    return np.where(single, best.argmax(axis=-2), ROOT)


def best_candidates(scores: FloatArray, allowed: BoolArray) -> BoolArray:
    """Return which allowed parents have the highest score; several where they tie.

    Scores closer than `EQUAL` are the same: a mixture of two rounded ratios can tell apart what
    is exactly equal (with shrinkage 1/2, from 30 samples on).
    """
    masked = np.where(allowed, scores, -np.inf)
    return np.asarray(allowed & (masked >= masked.max(axis=-2, keepdims=True) - EQUAL))
