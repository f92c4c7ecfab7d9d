"""Accelerated expectation maximisation (EM) for a forest observed with errors.

No step decreases the log-likelihood. A point is the vector of edge probabilities, then the false
positive and the false negative rate.
"""

import numpy as np
from numba import njit

from caprese.kernels.messages import expectations

_MOST_ERROR = 1 - 1e-6  # largest sum of the two rates


@njit(cache=True, nogil=True)
def maximise_likelihood(codes, times, order, parents, point, free, tolerance, steps):  # type: ignore[no-untyped-def]
    """Iterate EM from a point until an iteration gains less than the tolerance.

    Returns the last point, the log-likelihood after each iteration, and whether EM converged.

    Parameters
    ----------
    codes, times
        The distinct observations as in `messages.upward_pass`, and how often each occurs.
    order, parents
        The forest, parents before children; a parent of -1 is the root.
    point
        Where to start.
    free
        Which numbers of the point are estimated; the others are fixed.
    """
    history = np.empty(steps + 1)
    history[0], first = _em_step(codes, times, order, parents, point, free)
    for done in range(1, steps + 1):
        log_likelihood, second = _em_step(codes, times, order, parents, first, free)
        extrapolated = _extrapolated(point, first, second)
        extrapolated_log_likelihood, after = _em_step(
            codes, times, order, parents, extrapolated, free
        )
        if extrapolated_log_likelihood >= log_likelihood:
            history[done], point, first = extrapolated_log_likelihood, extrapolated, after
        else:
            history[done], point, first = log_likelihood, first, second
        # Written so that it also stops for impossible data, where both are -inf.
        if not history[done] - history[done - 1] >= tolerance:
            return point, history[: done + 1], True
    return point, history, False


@njit(cache=True, nogil=True)
def _em_step(codes, times, order, parents, point, free):  # type: ignore[no-untyped-def]
    """Return the log-likelihood at a point, and the point after one EM step."""
    n = len(order)
    positive, negative = point[n], point[n + 1]
    log_observed = np.zeros((2, 3))
    log_observed[0, 0], log_observed[0, 1] = np.log(1 - positive), np.log(positive)
    log_observed[1, 0], log_observed[1, 1] = np.log(negative), np.log(1 - negative)
    log_likelihood, occurrences, observed = expectations(
        codes, times, order, parents, np.log(point[:n]), np.log1p(-point[:n]), log_observed
    )
    updated = point.copy()
    for event in range(n):
        parent = parents[event]
        chances = occurrences[parent] if parent >= 0 else times.sum()
        if free[event] and chances > 0:
            updated[event] = min(1.0, occurrences[event] / chances)
    for rate in range(2):  # false positive, false negative
        wrong = observed[rate, 1 - rate]
        if free[n + rate] and wrong + observed[rate, rate] > 0:
            updated[n + rate] = wrong / (wrong + observed[rate, rate])
    if updated[n] + updated[n + 1] > _MOST_ERROR:
        _keep_below_one(updated, n, free, observed)
    return log_likelihood, updated


@njit(cache=True, nogil=True)
def _keep_below_one(point, n, free, observed):  # type: ignore[no-untyped-def]
    """Keep the sum of the rates below 1: use the best point on the boundary instead."""
    if free[n] and free[n + 1]:
        shown = observed[0, 1] + observed[1, 1]
        share = shown / (shown + observed[0, 0] + observed[1, 0])
        point[n], point[n + 1] = _MOST_ERROR * share, _MOST_ERROR * (1 - share)
    elif free[n]:
        point[n] = _MOST_ERROR - point[n + 1]
    else:
        point[n + 1] = _MOST_ERROR - point[n]


@njit(cache=True, nogil=True)
def _extrapolated(point, first, second):  # type: ignore[no-untyped-def]
    """Extrapolate two EM steps (SQUAREM); where that leaves [0, 1], take the two steps only."""
    change, bend = first - point, second - 2 * first + point
    size = np.sqrt((bend**2).sum())
    if size == 0.0:
        return second
    length = max(1.0, np.sqrt((change**2).sum()) / size)
    extrapolated = point + 2 * length * change + length**2 * bend
    too_large = extrapolated[-2] + extrapolated[-1] > _MOST_ERROR
    for k in range(len(extrapolated)):
        if not 0 < extrapolated[k] < 1 or (too_large and k >= len(extrapolated) - 2):
            extrapolated[k] = second[k]
    return extrapolated
