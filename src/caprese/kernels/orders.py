"""The likeliest orders in which a set of events came about, by recursion over its subsets.

Subsets are integers, event k in bit k; the whole set is the last one.
"""

import cython
import numpy as np
from cython.cimports.caprese.kernels.words import trailing_zeros

from caprese._core.arrays import FloatArray, IntArray, Integer


def likeliest_orders(chances: FloatArray, most: Integer) -> tuple[float, IntArray, FloatArray]:
    """Return the probability of all orders together, and the likeliest ones with theirs.

    Parameters
    ----------
    chances
        ``[subset, k]``: the probability that event k comes next when exactly this subset has
        occurred.
    most
        How many orders to return at most.
    """
    size, events = chances.shape[0], chances.shape[1]
    ways = Ways(size, most)
    with cython.nogil:
        for subset in range(1, size):
            rest: cython.Py_ssize_t = subset
            while rest:
                event = trailing_zeros(rest)
                _come_last(ways, subset, event, chances[subset ^ 1 << event, event])
                rest &= rest - 1
    likely = np.asarray(ways.best)[size - 1]
    likely = likely[likely > 0.0]
    orders = np.empty((len(likely), events), np.int64)
    for place in range(len(likely)):
        _trace(ways, place, orders[place])
    return ways.total[size - 1], orders, likely


class Ways:
    """The orders in which each subset may have come about.

    Parameters
    ----------
    size
        The number of subsets.
    most
        How many orders of each are kept.

    Attributes
    ----------
    total
        The probability of all orders of a subset.
    best
        Those of the likeliest ones, in descending order; then 0.
    step
        Of each of these the event that came last, times `most`, and which order of the others it
        came after.
    """

    def __init__(self, size: Integer, most: Integer) -> None:
        self.most = most
        self.total, self.best = np.zeros(size), np.zeros((size, most))
        self.step = np.zeros((size, most), np.int32)
        self.total[0] = 1.0
        self.best[0, 0] = 1.0


def _come_last(ways: Ways, subset: Integer, event: Integer, chance: float) -> None:
    """Enter the orders of a subset in which an event, with this chance, came last."""
    before = subset ^ 1 << event
    ways.total[subset] += ways.total[before] * chance
    for place in range(ways.most):
        likely: float = ways.best[before, place] * chance
        if likely <= ways.best[subset, ways.most - 1]:
            break
        at = ways.most - 1
        while at > 0 and ways.best[subset, at - 1] < likely:
            ways.best[subset, at] = ways.best[subset, at - 1]
            ways.step[subset, at] = ways.step[subset, at - 1]
            at -= 1
        ways.best[subset, at] = likely
        ways.step[subset, at] = event * ways.most + place


def _trace(ways: Ways, place: Integer, order: IntArray) -> None:
    """Fill in the events of an order of the whole set, from the last to the first."""
    subset: cython.Py_ssize_t = len(ways.total) - 1
    at: cython.Py_ssize_t = place
    for position in range(len(order) - 1, -1, -1):
        step: cython.Py_ssize_t = ways.step[subset, at]
        order[position] = step // ways.most
        at = step % ways.most
        subset ^= 1 << order[position]
