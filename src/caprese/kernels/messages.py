"""Messages along a forest: exact inference in time linear in events, sample by sample.

For each event, two numbers go up to its parent: the log-probability of what was seen in its subtree
if the event has occurred, and if it has not. Logarithms, so that thousands of events and rates
near 0 do no harm.
"""

import numpy as np
from numba import njit

_HUGE = 1e250  # a product of (1 + x), 0 <= x <= 1, is taken into its logarithm before it overflows


@njit(cache=True, nogil=True)
def upward(codes, order, parents, log_p, log_q, log_seen, share):  # type: ignore[no-untyped-def]
    """Return the log-probability of one observation; fill the events' `share`.

    Parameters
    ----------
    codes
        What was seen of each event: 0 absent, 1 present, 2 unknown.
    order, parents
        The forest, parents before children; a parent of -1 is the root.
    log_p, log_q
        Logarithms of each event's probability given its parent, and of its complement.
    log_seen
        ``log_seen[x, code]``: log-probability to see `code` if the truth is x.
    share
        Filled: probability that the event has occurred, given that its parent has and given
        what was seen below it.
    """
    n = len(order)
    occurred = np.empty(n)
    absent = np.empty(n)
    product = np.ones(n)
    for event in range(n):
        occurred[event] = log_seen[1, codes[event]]
        absent[event] = log_seen[0, codes[event]]
    total, total_product = 0.0, 1.0
    for position in range(n - 1, -1, -1):
        event = order[position]
        parent = parents[event]
        yes = log_p[event] + occurred[event]
        if product[event] > 1.0:
            yes += np.log(product[event])
        no = log_q[event] + absent[event]
        if yes == -np.inf and no == -np.inf:
            larger, rest, share[event] = -np.inf, 0.0, 0.0
        elif yes >= no:
            larger, rest = yes, np.exp(no - yes)
            share[event] = 1.0 / (1.0 + rest)
        else:
            larger, rest = no, np.exp(yes - no)
            share[event] = rest / (1.0 + rest)
        if parent < 0:
            total += larger
            total_product *= 1.0 + rest
            if total_product > _HUGE:
                total += np.log(total_product)
                total_product = 1.0
        else:
            occurred[parent] += larger
            absent[parent] += absent[event]
            product[parent] *= 1.0 + rest
            if product[parent] > _HUGE:
                occurred[parent] += np.log(product[parent])
                product[parent] = 1.0
    return total + np.log(total_product)


@njit(cache=True, nogil=True)
def log_probabilities(codes, order, parents, log_p, log_q, log_seen):  # type: ignore[no-untyped-def]
    """Return the log-probability of each observation, a row of `codes`."""
    share = np.empty(len(order))
    result = np.empty(len(codes))
    for row in range(len(codes)):
        result[row] = upward(codes[row], order, parents, log_p, log_q, log_seen, share)
    return result


@njit(cache=True, nogil=True)
def posteriors(codes, order, parents, log_p, log_q, log_seen):  # type: ignore[no-untyped-def]
    """Return the probability of each event in each observation, given what was seen."""
    share = np.empty(len(order))
    result = np.empty(codes.shape)
    for row in range(len(codes)):
        upward(codes[row], order, parents, log_p, log_q, log_seen, share)
        for event in order:
            parent = parents[event]
            result[row, event] = share[event] * (result[row, parent] if parent >= 0 else 1.0)
    return result


@njit(cache=True, nogil=True)
def expectations(codes, weights, order, parents, log_p, log_q, log_seen):  # type: ignore[no-untyped-def]
    """Return the weighted log-likelihood, and what is expected of the hidden truth.

    The second is the expected number of occurrences of each event; the third, ``[x, code]``, how
    often the truth is x where `code` was seen.
    """
    n = len(order)
    share = np.empty(n)
    posterior = np.empty(n)
    occurrences = np.zeros(n)
    seen = np.zeros((2, 3))
    total = 0.0
    for row in range(len(codes)):
        weight = weights[row]
        total += weight * upward(codes[row], order, parents, log_p, log_q, log_seen, share)
        for event in order:
            parent = parents[event]
            posterior[event] = share[event] * (posterior[parent] if parent >= 0 else 1.0)
            occurrences[event] += weight * posterior[event]
            seen[1, codes[row, event]] += weight * posterior[event]
            seen[0, codes[row, event]] += weight * (1.0 - posterior[event])
    return total, occurrences, seen


@njit(cache=True, nogil=True)
def most_likely(codes, order, parents, log_p, log_q, log_seen):  # type: ignore[no-untyped-def]
    """Return the single most likely truth behind each observation; absent wins a tie."""
    n = len(order)
    result = np.zeros(codes.shape, dtype=np.bool_)
    occurred = np.empty(n)
    absent = np.empty(n)
    for row in range(len(codes)):
        for event in range(n):
            occurred[event] = log_seen[1, codes[row, event]]
            absent[event] = log_seen[0, codes[row, event]]
        for position in range(n - 1, -1, -1):
            event = order[position]
            parent = parents[event]
            yes, no = log_p[event] + occurred[event], log_q[event] + absent[event]
            result[row, event] = yes > no
            if parent >= 0:
                occurred[parent] += max(yes, no)
                absent[parent] += absent[event]
        for event in order:
            if parents[event] >= 0:
                result[row, event] &= result[row, parents[event]]
    return result
