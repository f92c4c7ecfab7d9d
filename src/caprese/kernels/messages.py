"""Message passing in a forest: exact inference in time linear in the number of events.

Each event sends two numbers to its parent: the log-probability of what was observed in its subtree
if the event has occurred, and if it has not. Logarithms avoid underflow with thousands of events
and with rates near 0.
"""

import numpy as np

from caprese.kernels.arrays import ones
from caprese.kernels.compiling import kernel

_HUGE = 1e250  # from here on the logarithm of a product is taken, before it overflows


@kernel
def upward_pass(codes, order, parents, log_p, log_q, log_observed, share):  # type: ignore[no-untyped-def]
    """Return the log-probability of one observation; fill `share`.

    Parameters
    ----------
    codes
        The observation of each event: 0 absent, 1 present, 2 unknown.
    order, parents
        The forest, parents before children; a parent of -1 is the root.
    log_p, log_q
        Logarithms of each event's probability given its parent, and of its complement.
    log_observed
        ``[x, code]``: log-probability to observe `code` if the truth is x.
    share
        Filled: probability that the event has occurred, given that its parent has and given
        what was observed in its subtree.
    """
    n = len(order)
    occurred = np.empty(n)
    absent = np.empty(n)
    product = ones(n)
    for event in range(n):
        occurred[event] = log_observed[1, codes[event]]
        absent[event] = log_observed[0, codes[event]]
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


@kernel
def posteriors(codes, order, parents, log_p, log_q, log_observed):  # type: ignore[no-untyped-def]
    """Return the probability of each event in each observation, given the observation."""
    share = np.empty(len(order))
    result = np.empty(codes.shape)
    for row in range(len(codes)):
        upward_pass(codes[row], order, parents, log_p, log_q, log_observed, share)
        for event in order:
            parent = parents[event]
            result[row, event] = share[event] * (result[row, parent] if parent >= 0 else 1.0)
    return result


@kernel
def most_likely(codes, order, parents, log_p, log_q, log_observed):  # type: ignore[no-untyped-def]
    """Return the most likely true genotype of each observation; absent if there is a tie."""
    n = len(order)
    result = np.zeros(codes.shape, dtype=np.bool_)
    occurred = np.empty(n)
    absent = np.empty(n)
    for row in range(len(codes)):
        for event in range(n):
            occurred[event] = log_observed[1, codes[row, event]]
            absent[event] = log_observed[0, codes[row, event]]
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
