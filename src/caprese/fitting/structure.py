"""Structure: from scores to parents, and from parents to a forest."""

from collections.abc import Callable

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, IntArray, NumberArray
from caprese.data.counts import Counts
from caprese.data.scores import RELATIVE_TOLERANCE
from caprese.kernels.branching import certain_parents
from caprese.models.forest import ROOT, Forest

EQUAL = 1e-12
EQUAL_WEIGHT = 1e-9  # of whole branchings, sums of many logarithms


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


def maximum_branching(weights: FloatArray, root_weights: FloatArray) -> tuple[IntArray, BoolArray]:
    """Return the parents in the heaviest branching, and which events are tied (Edmonds).

    An event whose parent is not the same in all heaviest branchings is tied, and under the root.
    Weights are parent row, child column, any batch axes before.
    """
    n = root_weights.shape[-1]
    parents, tied = certain_parents(
        np.ascontiguousarray(weights.reshape(-1, n, n), dtype=float),
        np.ascontiguousarray(root_weights.reshape(-1, n), dtype=float),
        EQUAL_WEIGHT,
    )
    return parents.reshape(root_weights.shape), tied.reshape(root_weights.shape)


def consensus(probabilities: FloatArray) -> tuple[IntArray, BoolArray]:
    """Return the parents on which draws of forests agree most, and of which events they do not.

    Of all forests the one whose parents are most probable together. Where each event had its most
    probable parent, some might come after themselves; an event that therefore has a less probable
    one, or an equally probable one, is put under the root, and is in doubt.

    Parameters
    ----------
    probabilities
        Of each parent: parent row, the last one the root, child column.

    Examples
    --------
    >>> consensus(np.array([[0.0, 0.6, 0.1], [0.5, 0.0, 0.7], [0.2, 0.1, 0.0], [0.3, 0.3, 0.2]]))
    (array([-1,  0,  1]), array([ True, False, False]))
    """
    n = probabilities.shape[1]
    parents, tied = maximum_branching(probabilities[:n], probabilities[n])
    stated = probabilities[parents, np.arange(n)]  # the root, -1, is the last row
    doubt = tied | (stated < probabilities.max(axis=0) - EQUAL_WEIGHT)
    return np.where(doubt, ROOT, parents), doubt


def over_batch(rule: Callable[..., IntArray], counts: Counts, *parameters: float) -> IntArray:
    """Apply a compiled rule to a batch of counts; return the parents with the same batch axes.

    The rule gets the counts, the parameters, and by how much frequencies and scores must differ.
    """
    tolerance = 0.0 if counts.joint.dtype.kind in "iu" else RELATIVE_TOLERANCE
    tables: list[NumberArray] = [counts.joint, counts.first, counts.total]
    are_whole = all(table.dtype.kind in "iu" for table in tables)
    tables = [np.asarray(table, dtype=np.int64 if are_whole else np.float64) for table in tables]
    if counts.joint.ndim != 3:  # not by default: numpy would copy what is only broadcast
        n = len(counts.events)
        tables = [table.reshape(-1, n, n) for table in tables]
    return rule(*tables, *parameters, tolerance, EQUAL).reshape(counts.joint.shape[:-1])


def forest_from_parents(counts: Counts, parents: IntArray) -> Forest:
    """Return the forest of these parents, with the conditional frequencies of the data."""
    n = len(counts.events)
    under = np.maximum(parents, 0)
    joint, first = counts.joint[under, np.arange(n)], counts.first[under, np.arange(n)]
    given = joint / np.maximum(first, np.finfo(float).tiny)
    return Forest(counts.events, parents, np.where(parents == ROOT, counts.frequency, given))
