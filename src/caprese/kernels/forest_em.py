"""Accelerated expectation maximisation (EM) for a forest observed with errors.

No step decreases the log-likelihood. A point is the vector of edge probabilities, then the false
positive and the false negative rate. The expectations are computed for a block of observations at
a time, with inner loops over the block.
"""

import cython
import numpy as np
from cython.cimports.caprese.kernels.elementary import sqrt
from cython.cimports.caprese.kernels.forest_likelihood import (
    BLOCK,
    Block,
    log_probability,
    upward_pass,
)

from caprese._core.arrays import FloatArray, IntArray, Integer, OctetArray

_MOST_ERROR = 1 - 1e-6  # largest sum of the two rates
_UNKNOWN = 2  # the code


class ForestEM:
    """The data in whole blocks, filled up with unknown entries of weight 0, and room for EM.

    Parameters
    ----------
    codes, times
        The distinct observations, a row each (0 absent, 1 present, 2 unknown), and how often each
        occurs.
    order, parents
        The forest, parents before children; a parent of -1 is the root.
    point
        Where to start.
    free
        Which numbers of the point are estimated; the others are fixed.
    """

    def __init__(
        self,
        codes: OctetArray,
        times: IntArray,
        order: IntArray,
        parents: IntArray,
        point: FloatArray,
        free: OctetArray,
    ) -> None:
        observations, n = codes.shape
        filled = (observations + BLOCK - 1) // BLOCK * BLOCK
        columns = np.full((n, filled), _UNKNOWN, np.uint8)
        columns[:, :observations] = codes.T
        self.n, self.free, self.block = n, free, Block(order, parents, True)
        self.columns, self.codes = columns, columns.T
        self.weights = np.append(times, np.zeros(filled - observations))
        self.points = np.tile(point, (5, 1))
        # How often the code 0 or 1 was observed.
        self.with_code = np.array([times @ (codes == code).sum(axis=1) for code in range(2)], float)
        # The expected occurrences of events, the last of the root; those for each place in the
        # blocks, as a sum over places cannot be vectorised, of each event and with each code; and
        # [x, code]: how often the truth is expected to be x where the code was observed.
        self.occurrences = np.full(n + 1, times.sum(), np.float64)
        self.occurred, self.shown = np.empty((n, BLOCK)), np.empty((2, BLOCK))
        self.observed = np.empty((2, 2))


def maximise_likelihood(
    work: ForestEM, tolerance: float, steps: Integer
) -> tuple[FloatArray, FloatArray, bool]:
    """Iterate EM from a point until an iteration gains less than the tolerance.

    Returns the last point, the log-likelihood after each iteration, and whether EM converged.
    """
    heights = np.empty(steps + 1)
    done: cython.Py_ssize_t = 0
    converged: cython.bint = False
    here, first, second, extrapolated, after = 0, 1, 2, 3, 4  # rows of points
    with cython.nogil:
        heights[0] = _step(work, here, first)
        while done < steps and not converged:
            done += 1
            height = _step(work, first, second)
            _extrapolate(work, here, first, second, extrapolated)
            heights[done] = _step(work, extrapolated, after)
            if heights[done] >= height:
                here, first, extrapolated, after = extrapolated, after, here, first
            else:
                heights[done] = height
                here, first, second = first, second, here
            # Written so that it also stops for impossible data, where both are -inf.
            converged = not heights[done] - heights[done - 1] >= tolerance
    return np.array(work.points[here]), np.asarray(heights)[: done + 1], converged


def em_step(work: ForestEM) -> tuple[float, FloatArray]:
    """Return the log-likelihood at a point, and the point after one EM step."""
    log_likelihood = _step(work, 0, 1)
    return log_likelihood, np.array(work.points[1])


def slopes(work: ForestEM) -> tuple[float, FloatArray]:
    """Return the log-likelihood at a point, and its gradient by the log-odds of each number."""
    found = np.zeros(work.points.shape[1])
    log_likelihood = _expect(work, 0)
    _sum_counts(work)
    for event in range(work.n):
        if work.free[event]:
            chances = work.occurrences[work.block.parents[event]]
            found[event] = work.occurrences[event] - work.points[0, event] * chances
    for rate in range(2):
        if work.free[work.n + rate]:
            wrong, right = work.observed[rate, 1 - rate], work.observed[rate, rate]
            found[work.n + rate] = wrong - work.points[0, work.n + rate] * (wrong + right)
    return log_likelihood, np.asarray(found)


def _step(work: ForestEM, here: Integer, there: Integer) -> float:
    """Return the log-likelihood at a point; fill another one, after one EM step."""
    n, log_likelihood = work.n, _expect(work, here)
    _sum_counts(work)
    for k in range(n + 2):
        work.points[there, k] = work.points[here, k]
    for event in range(n):
        chances = work.occurrences[work.block.parents[event]]
        if work.free[event] and chances > 0:
            work.points[there, event] = min(1.0, work.occurrences[event] / chances)
    for rate in range(2):  # false positive, false negative
        wrong, right = work.observed[rate, 1 - rate], work.observed[rate, rate]
        if work.free[n + rate] and wrong + right > 0:
            work.points[there, n + rate] = wrong / (wrong + right)
    if work.points[there, n] + work.points[there, n + 1] > _MOST_ERROR:
        _keep_below_one(work, there)
    return log_likelihood


def _expect(work: ForestEM, here: Integer) -> float:
    """Return the log-likelihood at a point; add up the expected counts of the hidden truth."""
    n = work.n
    for event in range(n):
        work.block.chances[0, event] = 1.0 - work.points[here, event]
        work.block.chances[1, event] = work.points[here, event]
    for rate in range(2):
        work.block.seen[rate, rate] = 1.0 - work.points[here, n + rate]
        work.block.seen[rate, 1 - rate] = work.points[here, n + rate]
    work.occurred[:, :] = 0.0
    work.shown[:, :] = 0.0
    total: float = 0.0
    for which in range(len(work.weights) // BLOCK):
        start: cython.Py_ssize_t = which * BLOCK
        upward_pass(work.block, work.codes, start)
        for k in range(BLOCK):
            if work.weights[start + k] > 0.0:
                total += work.weights[start + k] * log_probability(work.block, k)
        _count(work, start)
    return total


def _count(work: ForestEM, start: Integer) -> None:
    """Add the expected counts of a block; make its shares the weighted chance of each event.

    These are the occurrences of each event, and the occurrences with each code.
    """
    n = work.n
    for k in range(BLOCK):
        work.block.share[n, k] = work.weights[start + k]
    for position in range(n):
        event = work.block.order[position]
        parent = work.block.parents[event]
        for k in range(BLOCK):
            work.block.share[event, k] *= work.block.share[parent, k]
            work.occurred[event, k] += work.block.share[event, k]
        for k in range(BLOCK):
            code: float = work.columns[event, start + k]
            chance = work.block.share[event, k]
            work.shown[0, k] += chance if code == 0.0 else 0.0
            work.shown[1, k] += chance if code == 1.0 else 0.0


def _sum_counts(work: ForestEM) -> None:
    """Fill the expected occurrences of each event, and those of each truth with each code."""
    for event in range(work.n):
        work.occurrences[event] = 0.0
        for k in range(BLOCK):
            work.occurrences[event] += work.occurred[event, k]
    for code in range(2):
        work.observed[1, code] = 0.0
        for k in range(BLOCK):
            work.observed[1, code] += work.shown[code, k]
        work.observed[0, code] = work.with_code[code] - work.observed[1, code]


def _keep_below_one(work: ForestEM, there: Integer) -> None:
    """Keep the sum of the rates below 1: use the best point on the boundary instead."""
    n = work.n
    if work.free[n] and work.free[n + 1]:
        share = work.with_code[1] / (work.with_code[0] + work.with_code[1])
        work.points[there, n] = _MOST_ERROR * share
        work.points[there, n + 1] = _MOST_ERROR * (1 - share)
    elif work.free[n]:
        work.points[there, n] = _MOST_ERROR - work.points[there, n + 1]
    else:
        work.points[there, n + 1] = _MOST_ERROR - work.points[there, n]


def _extrapolate(
    work: ForestEM, point: Integer, first: Integer, second: Integer, there: Integer
) -> None:
    """Extrapolate two EM steps (SQUAREM); where that leaves [0, 1], take the two steps only."""
    n, length = work.n, _length(work, point, first, second)
    for k in range(n + 2):
        change = work.points[first, k] - work.points[point, k]
        bend = work.points[second, k] - 2 * work.points[first, k] + work.points[point, k]
        work.points[there, k] = work.points[point, k] + 2 * length * change + length * length * bend
    too_large: cython.bint = work.points[there, n] + work.points[there, n + 1] > _MOST_ERROR
    for k in range(n + 2):
        inside: cython.bint = 0 < work.points[there, k] < 1
        if length == 0.0 or not inside or (too_large and k >= n):
            work.points[there, k] = work.points[second, k]


def _length(work: ForestEM, point: Integer, first: Integer, second: Integer) -> float:
    """Return how far to extrapolate, at least 1; 0 where both steps are the same."""
    squared_change: float = 0.0
    squared_bend: float = 0.0
    for k in range(work.points.shape[1]):
        change = work.points[first, k] - work.points[point, k]
        bend = work.points[second, k] - 2 * work.points[first, k] + work.points[point, k]
        squared_change += change * change
        squared_bend += bend * bend
    if squared_bend == 0.0:
        return 0.0
    return max(1.0, sqrt(squared_change) / sqrt(squared_bend))
