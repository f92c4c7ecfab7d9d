"""Where a sample stands in a forest: how many events are there, and which one comes next.

Given what was observed, the true genotype is again drawn from a forest of the same shape: an event
has occurred with probability `share` if its parent has (see `messages.upward_pass`). So both
questions are answered by one pass up this forest, and for the next event one down.
"""

import numpy as np

from caprese.kernels.arrays import copy_into, fill
from caprese.kernels.compiling import kernel
from caprese.kernels.messages import upward_pass


@kernel
def count_probabilities(codes, order, parents, log_p, log_q, log_observed):  # type: ignore[no-untyped-def]
    """Return the probability that 0, 1, ... events are truly there, for each row of `codes`."""
    n = len(order)
    share = np.empty(n)
    result = np.empty((len(codes), n + 1))
    below = np.empty((n + 1, n + 1))  # of what hangs under each event; the last is the root
    sizes = np.empty(n + 1, np.int64)
    product = np.empty(n + 1)
    for row in range(len(codes)):
        upward_pass(codes[row], order, parents, log_p, log_q, log_observed, share)
        for node in range(n + 1):
            below[node, 0], sizes[node] = 1.0, 0
        for position in range(n - 1, -1, -1):
            event = order[position]
            size, parent = sizes[event] + 1, parents[event]
            if parent < 0:
                parent = n
            own = below[event]
            for count in range(size, 0, -1):  # the event itself comes on top
                own[count] = share[event] * own[count - 1]
            own[0] = 1.0 - share[event]
            together = sizes[parent] + size
            fill(product[: together + 1], 0.0)
            for one in range(sizes[parent] + 1):
                for two in range(size + 1):
                    product[one + two] += below[parent, one] * own[two]
            copy_into(below[parent], product[: together + 1])
            sizes[parent] = together
        copy_into(result[row], below[n])
    return result


@kernel
def next_probabilities(  # type: ignore[no-untyped-def]
    codes, order, parents, log_p, log_q, log_observed, rates, times, steps
):
    """Return the probability that each event comes next, for each row of `codes`.

    In a genotype with total rate R, event j comes next with probability r_j / R, the integral of
    r_j exp(-R t) over all times t. As R is a sum over events, the expectation of exp(-R t) falls
    apart along the forest; the integral becomes a sum over `times`, each with its step.
    """
    n = len(order)
    share, below, within, outside = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    decay, result = np.empty((len(times), n)), np.zeros(codes.shape)
    for k in range(len(times)):
        for event in range(n):
            decay[k, event] = np.exp(-(times[k] * rates[event]))
    for row in range(len(codes)):
        if upward_pass(codes[row], order, parents, log_p, log_q, log_observed, share) == -np.inf:
            fill(result[row], np.nan)
            continue
        for k in range(len(times)):
            fill(below, 1.0)
            total = 1.0
            for position in range(n - 1, -1, -1):
                event = order[position]
                within[event] = (1.0 - share[event]) * decay[k, event] + share[event] * below[event]
                if parents[event] < 0:
                    total *= within[event]
                else:
                    below[parents[event]] *= within[event]
            for event in order:
                parent = parents[event]
                around = total if parent < 0 else outside[parent] * share[parent] * below[parent]
                outside[event] = around / within[event] if within[event] > 0.0 else 0.0
                chance = outside[event] * (1.0 - share[event]) * decay[k, event]
                result[row, event] += steps[k] * rates[event] * chance
    return result
