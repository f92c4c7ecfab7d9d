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
    empty_block,
    log_probability,
    upward_pass,
)

from caprese._core.arrays import FloatArray, IntArray, Integer, OctetArray

_MOST_ERROR = 1 - 1e-6  # largest sum of the two rates
_UNKNOWN = 2  # the code


class _Work:
    """The data in whole blocks, filled up with unknown entries of weight 0, and room for EM.

    `occurred` and `shown` have a sum for each place in the blocks: loops over places can be
    vectorised, a sum over them not. ``observed[x, code]`` is how often the truth is expected to be
    x where `code`, 0 or 1, was observed. The last of the expected `occurrences` is of the root.
    """

    block: Block
    free: OctetArray

    def __init__(self, observations: Integer, n: Integer) -> None:
        filled = (observations + BLOCK - 1) // BLOCK * BLOCK
        self.n = n
        columns = np.full((n, filled), _UNKNOWN, np.uint8)
        self.columns, self.codes = columns, columns.T
        self.weights = np.zeros(filled)
        self.points = np.empty((5, n + 2))
        self.occurred, self.occurrences = np.empty((n, BLOCK)), np.zeros(n + 1)
        self.shown, self.observed = np.empty((2, BLOCK)), np.empty((2, 2))
        self.with_code = np.zeros(2)  # how often each code was observed


def _work_of(
    codes: OctetArray,
    times: IntArray,
    order: IntArray,
    parents: IntArray,
    point: FloatArray,
    free: OctetArray,
) -> _Work:
    """Return the data and the forest, with the first of the points."""
    n = len(order)
    work = _Work(len(times), n)
    work.block, work.free = empty_block(order, parents, True), free
    with cython.nogil:
        for row in range(len(times)):
            work.weights[row] = times[row]
            work.occurrences[n] += times[row]
            for event in range(n):
                code = codes[row, event]
                work.columns[event, row] = code
                if code < _UNKNOWN:
                    work.with_code[code] += times[row]
        for truth in range(2):
            work.block.seen[truth, _UNKNOWN] = 1.0
        for k in range(n + 2):
            work.points[0, k] = point[k]
    return work


def maximise_likelihood(
    codes: OctetArray,
    times: IntArray,
    order: IntArray,
    parents: IntArray,
    point: FloatArray,
    free: OctetArray,
    tolerance: float,
    steps: Integer,
) -> tuple[FloatArray, FloatArray, bool]:
    """Iterate EM from a point until an iteration gains less than the tolerance.

    Returns the last point, the log-likelihood after each iteration, and whether EM converged.

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
    work = _work_of(codes, times, order, parents, point, free)
    history = np.empty(steps + 1)
    heights: cython.double[::1] = history
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
    return np.array(work.points[here]), history[: done + 1], converged


def em_step(
    codes: OctetArray,
    times: IntArray,
    order: IntArray,
    parents: IntArray,
    point: FloatArray,
    free: OctetArray,
) -> tuple[float, FloatArray]:
    """Return the log-likelihood at a point, and the point after one EM step."""
    work = _work_of(codes, times, order, parents, point, free)
    log_likelihood = _step(work, 0, 1)
    return log_likelihood, np.array(work.points[1])


def _step(work: _Work, here: Integer, there: Integer) -> float:
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


def _expect(work: _Work, here: Integer) -> float:
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
        upward_pass(work.block, work.codes, start, start + BLOCK)
        for k in range(BLOCK):
            if work.weights[start + k] > 0.0:
                total += work.weights[start + k] * log_probability(work.block, k)
        _count(work, start)
    return total


def _count(work: _Work, start: Integer) -> None:
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


def _sum_counts(work: _Work) -> None:
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


def _keep_below_one(work: _Work, there: Integer) -> None:
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
    work: _Work, point: Integer, first: Integer, second: Integer, there: Integer
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


def _length(work: _Work, point: Integer, first: Integer, second: Integer) -> float:
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
