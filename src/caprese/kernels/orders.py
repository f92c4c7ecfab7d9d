"""The likeliest orders in which a set of events came about, by recursion over its subsets.

Subsets are integers, event k in bit k; the whole set is the last one.
"""

import numpy as np

from caprese.kernels.compiling import kernel


@kernel
def likeliest_orders(chances, most):  # type: ignore[no-untyped-def]
    """Return the probability of all orders together, and the likeliest ones with theirs.

    Parameters
    ----------
    chances
        ``[subset, k]``: the probability that event k comes next when exactly this subset has
        occurred.
    most
        How many orders to return at most.
    """
    k = chances.shape[1]
    size = 1 << k
    total = np.zeros(size)
    best = np.zeros((size, most))
    last = np.zeros((size, most), np.int8)  # the event that came last,
    rank = np.zeros((size, most), np.int32)  # and which order of the others it came after
    total[0] = best[0, 0] = 1.0
    for subset in range(1, size):
        for event in range(k):
            if not subset >> event & 1:
                continue
            before = subset ^ 1 << event
            chance = chances[before, event]
            total[subset] += total[before] * chance
            for place in range(most):
                likely = best[before, place] * chance
                if likely <= best[subset, most - 1]:
                    break
                at = most - 1
                while at > 0 and best[subset, at - 1] < likely:
                    best[subset, at] = best[subset, at - 1]
                    last[subset, at] = last[subset, at - 1]
                    rank[subset, at] = rank[subset, at - 1]
                    at -= 1
                best[subset, at], last[subset, at], rank[subset, at] = likely, event, place
    number = int((best[size - 1] > 0.0).sum())
    orders = np.empty((number, k), np.int64)
    for place in range(number):
        subset, at = size - 1, place
        for position in range(k - 1, -1, -1):
            event = last[subset, at]
            orders[place, position] = event
            at = rank[subset, at]
            subset ^= 1 << event
    return total[size - 1], orders, best[size - 1, :number]
