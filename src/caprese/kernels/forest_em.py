"""Expectation maximisation for a forest with errors, accelerated and never downhill.

A point is the vector of edge probabilities, then the false positive and the false negative rate.
"""

import numpy as np
from numba import njit

from caprese.kernels.messages import expectations

_MOST = 1 - 1e-6  # what the two rates may sum to


@njit(cache=True, nogil=True)
def walk(codes, times, order, parents, point, free, tolerance, steps):  # type: ignore[no-untyped-def]
    """Climb from a point until a round of steps gains less than the tolerance.

    Returns the point reached, the log-likelihood after each round, and whether it converged.
    """
    history = np.empty(steps + 1)
    history[0], first = _step(codes, times, order, parents, point, free)
    for done in range(1, steps + 1):
        height, second = _step(codes, times, order, parents, first, free)
        far = _extrapolated(point, first, second)
        far_height, beyond = _step(codes, times, order, parents, far, free)
        if far_height >= height:
            history[done], point, first = far_height, far, beyond
        else:
            history[done], point, first = height, first, second
        if not history[done] - history[done - 1] >= tolerance:  # true of impossible data, too
            return point, history[: done + 1], True
    return point, history, False


@njit(cache=True, nogil=True)
def _step(codes, times, order, parents, point, free):  # type: ignore[no-untyped-def]
    """Return the log-likelihood at a point, and the point one step of the climb leads to."""
    n = len(order)
    positive, negative = point[n], point[n + 1]
    log_seen = np.zeros((2, 3))
    log_seen[0, 0], log_seen[0, 1] = np.log(1 - positive), np.log(positive)
    log_seen[1, 0], log_seen[1, 1] = np.log(negative), np.log(1 - negative)
    height, occurrences, seen = expectations(
        codes, times, order, parents, np.log(point[:n]), np.log1p(-point[:n]), log_seen
    )
    climbed = point.copy()
    for event in range(n):
        parent = parents[event]
        chances = occurrences[parent] if parent >= 0 else times.sum()
        if free[event] and chances > 0:
            climbed[event] = min(1.0, occurrences[event] / chances)
    for rate in range(2):  # seen where absent, missed where present
        wrong = seen[rate, 1 - rate]
        if free[n + rate] and wrong + seen[rate, rate] > 0:
            climbed[n + rate] = wrong / (wrong + seen[rate, rate])
    if climbed[n] + climbed[n + 1] > _MOST:
        _separate(climbed, n, free, seen)
    return height, climbed


@njit(cache=True, nogil=True)
def _separate(point, n, free, seen):  # type: ignore[no-untyped-def]
    """Keep the rates from summing to 1 or more: go to the best point of the border instead."""
    if free[n] and free[n + 1]:
        shown = seen[0, 1] + seen[1, 1]
        share = shown / (shown + seen[0, 0] + seen[1, 0])
        point[n], point[n + 1] = _MOST * share, _MOST * (1 - share)
    elif free[n]:
        point[n] = _MOST - point[n + 1]
    else:
        point[n + 1] = _MOST - point[n]


@njit(cache=True, nogil=True)
def _extrapolated(point, first, second):  # type: ignore[no-untyped-def]
    """Go on in the direction of two steps (SQUAREM); where that leaves [0, 1], just take them."""
    change, bend = first - point, second - 2 * first + point
    size = np.sqrt((bend**2).sum())
    if size == 0.0:
        return second
    length = max(1.0, np.sqrt((change**2).sum()) / size)
    far = point + 2 * length * change + length**2 * bend
    confused = far[-2] + far[-1] > _MOST
    for k in range(len(far)):
        if not 0 < far[k] < 1 or (confused and k >= len(far) - 2):
            far[k] = second[k]
    return far
