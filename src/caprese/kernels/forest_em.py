"""Accelerated expectation maximisation (EM) for a forest observed with errors.

No step decreases the log-likelihood. A point is the vector of edge probabilities, then the false
positive and the false negative rate. The expectations are computed for a block of observations at
a time, with inner loops over the block. The messages from an event to its parent are those of
`forest_messages`: probabilities of what is seen in its subtree, scaled so that they do not
underflow.
"""

import numpy as np

from caprese.kernels.arrays import copy_into, fill, norm, ones, sum_of
from caprese.kernels.compiling import kernel

_MOST_ERROR = 1 - 1e-6  # largest sum of the two rates
_BLOCK = 64  # observations
_SMALL = 1e-150  # a scale below this is taken into its logarithm
_IN_ORDER = {"contract", "nsz"}  # no sum in another order: the same answer in every process


@kernel
def maximise_likelihood(codes, times, order, parents, point, free, tolerance, steps):  # type: ignore[no-untyped-def]
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


@kernel
def _em_step(codes, times, order, parents, point, free):  # type: ignore[no-untyped-def]
    """Return the log-likelihood at a point, and the point after one EM step."""
    n = len(order)
    seen = np.empty((2, 2))
    seen[0, 0], seen[0, 1] = 1.0 - point[n], point[n]
    seen[1, 0], seen[1, 1] = point[n + 1], 1.0 - point[n + 1]
    log_likelihood, occurrences, observed = expectations(
        codes, times, order, parents, point[:n], seen
    )
    updated = point.copy()
    for event in range(n):
        parent = parents[event]
        chances = occurrences[parent] if parent >= 0 else sum_of(times)
        if free[event] and chances > 0:
            updated[event] = min(1.0, occurrences[event] / chances)
    for rate in range(2):  # false positive, false negative
        wrong = observed[rate, 1 - rate]
        if free[n + rate] and wrong + observed[rate, rate] > 0:
            updated[n + rate] = wrong / (wrong + observed[rate, rate])
    if updated[n] + updated[n + 1] > _MOST_ERROR:
        _keep_below_one(updated, n, free, observed)
    return log_likelihood, updated


@kernel
def expectations(codes, times, order, parents, probabilities, seen):  # type: ignore[no-untyped-def]
    """Return the log-likelihood and the expected counts of the hidden truth.

    These are the expected number of occurrences of each event and, ``[x, code]``, how often the
    truth is x where `code`, 0 or 1, was observed. ``seen[x, code]`` is the probability of that.
    """
    observations, n = codes.shape
    # Sums of each place in the blocks: loops over places can be vectorised, a sum over them not.
    occurred, shown = np.zeros((n, _BLOCK)), np.zeros((2, _BLOCK))
    all_shown = np.zeros((2, _BLOCK))
    present, absent = np.empty((n, _BLOCK)), np.empty((n, _BLOCK))
    share, weights = np.empty((n, _BLOCK)), np.empty(_BLOCK)
    block = np.empty((n, _BLOCK), np.uint8)  # of the last, some are left over, of weight 0
    for event in range(n):
        fill(block[event], 2)
    total = 0.0
    for start in range(0, observations, _BLOCK):
        number = min(_BLOCK, observations - start)
        fill(weights, 0.0)
        copy_into(weights, times[start : start + number])
        for k in range(number):
            for event in range(n):
                block[event, k] = codes[start + k, event]
        total += _upward(
            block, weights, order, parents, probabilities, seen, present, absent, share
        )
        _count(block, weights, order, parents, share, present, occurred, shown, all_shown)
    occurrences, observed = np.zeros(n), np.zeros((2, 2))
    for event in range(n):
        for k in range(_BLOCK):
            occurrences[event] += occurred[event, k]
    for code in range(2):
        for k in range(_BLOCK):
            observed[1, code] += shown[code, k]
            observed[0, code] += all_shown[code, k] - shown[code, k]
    return total, occurrences, observed


@kernel(fastmath=_IN_ORDER)
def _upward(block, weights, order, parents, probabilities, seen, present, absent, share):  # type: ignore[no-untyped-def]
    """Return the log-likelihood of a block; fill `share`.

    That is the probability of an event given that its parent has occurred and given what was
    observed in its subtree.
    """
    scale, logs = ones(_BLOCK), np.zeros(_BLOCK)
    (no_0, no_1), (yes_0, yes_1) = seen
    for event in range(len(order)):
        yes, no, codes = present[event], absent[event], block[event]
        for k in range(_BLOCK):
            code = np.int64(codes[k])  # as wide as the numbers: choices between them are vectors
            yes[k] = yes_0 if code == 0 else yes_1 if code == 1 else 1.0
            no[k] = no_0 if code == 0 else no_1 if code == 1 else 1.0
    for position in range(len(order) - 1, -1, -1):
        event = order[position]
        yes, no, own, chance = present[event], absent[event], share[event], probabilities[event]
        for k in range(_BLOCK):
            yes[k] *= chance
            either = yes[k] + (1.0 - chance) * no[k]
            own[k] = yes[k] / either if either > 0.0 else 0.0
            yes[k] = either
        if parents[event] < 0:
            for k in range(_BLOCK):
                scale[k] *= yes[k]
        else:
            above_yes, above_no = present[parents[event]], absent[parents[event]]
            for k in range(_BLOCK):
                one, other = above_yes[k] * yes[k], above_no[k] * no[k]
                size = one + other
                inverse = 1.0 / size if size > 0.0 else 0.0
                above_yes[k], above_no[k] = one * inverse, other * inverse
                scale[k] *= size
        small = 0
        for k in range(_BLOCK):
            small += scale[k] < _SMALL
        if small:
            for k in range(_BLOCK):
                logs[k] += np.log(scale[k]) if scale[k] > 0.0 else -np.inf
                scale[k] = 1.0
    total = 0.0
    for k in range(_BLOCK):
        if weights[k] > 0.0:
            total += weights[k] * (logs[k] + np.log(scale[k]))
    return total


@kernel(fastmath=_IN_ORDER)
def _count(block, weights, order, parents, share, reach, occurred, shown, all_shown):  # type: ignore[no-untyped-def]
    """Add the expected counts of a block; fill `reach` with the weighted chance of each event.

    These are the occurrences of each event, the occurrences with each code, and the weights of
    each code.
    """
    for event in order:
        own, here, codes = share[event], reach[event], block[event]
        if parents[event] < 0:
            for k in range(_BLOCK):
                here[k] = weights[k] * own[k]
        else:
            above = reach[parents[event]]
            for k in range(_BLOCK):
                here[k] = above[k] * own[k]
        sums = occurred[event]
        for k in range(_BLOCK):
            sums[k] += here[k]
        for code in range(2):
            with_code, all_with_code = shown[code], all_shown[code]
            for k in range(_BLOCK):
                same = np.int64(codes[k]) == code
                with_code[k] += here[k] if same else 0.0
                all_with_code[k] += weights[k] if same else 0.0


@kernel
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


@kernel
def _extrapolated(point, first, second):  # type: ignore[no-untyped-def]
    """Extrapolate two EM steps (SQUAREM); where that leaves [0, 1], take the two steps only."""
    change, bend = np.empty(len(point)), np.empty(len(point))
    for k in range(len(point)):
        change[k] = first[k] - point[k]
        bend[k] = second[k] - 2 * first[k] + point[k]
    size = norm(bend)
    if size == 0.0:
        return second
    length = max(1.0, norm(change) / size)
    extrapolated = np.empty(len(point))
    for k in range(len(point)):
        extrapolated[k] = point[k] + 2 * length * change[k] + length * length * bend[k]
    too_large = extrapolated[-2] + extrapolated[-1] > _MOST_ERROR
    for k in range(len(extrapolated)):
        if not 0 < extrapolated[k] < 1 or (too_large and k >= len(extrapolated) - 2):
            extrapolated[k] = second[k]
    return extrapolated
