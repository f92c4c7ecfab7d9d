"""Temporal priority by orders that were seen, where there are enough of them."""

from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese.data.counts import Counts
from caprese.data.scores import temporal_priority
from caprese.data.seen_orders import SeenOrders
from caprese.fitting.structure import EQUAL, best_parents
from caprese.models.forest import ROOT


@dataclass(frozen=True, eq=False)
class SeenPriority:
    """In how many samples one event was surely seen before another, where that is often enough.

    Parameters
    ----------
    first
        Events x events: in how many samples i was seen before j, with a confidence of at least
        0.9; 0 for pairs whose order was seen in too few samples, or as often as the reverse.
    """

    first: IntArray

    @classmethod
    def of(cls, orders: SeenOrders, least: int) -> "SeenPriority":
        """Return the priority of pairs of which at least so many samples show the order."""
        n = len(orders.events)
        first = np.zeros((n, n), dtype=np.int64)
        _, earlier, later = orders.pairs[orders.firm()].T
        np.add.at(first, (earlier, later), 1)
        decided = (first + first.T >= least) & (first != first.T)
        return cls(np.where(decided, first, 0))

    @property
    def earlier(self) -> BoolArray:
        """Whether most samples show i before j."""
        return np.asarray(self.first > self.first.T)

    @property
    def decided(self) -> BoolArray:
        """Whether seen orders decide the order of a pair."""
        return self.earlier | self.earlier.T

    def over_frequency(self, counts: Counts) -> BoolArray:
        """Return whether i comes before j: by seen orders, or else by frequency."""
        return np.where(self.decided, self.earlier, temporal_priority(counts))

    def outweighed(self, counts: Counts) -> BoolArray:
        """Return whether the root outweighs i as the parent of j, in the filter of CAPRESE.

        As by frequency, but the share of samples in which i came first takes the place of
        P(i) / (P(i) + P(j)); in whole numbers again.
        """
        root = (self.first + self.first.T) * counts.first * counts.second
        return np.asarray(root > self.first * counts.joint * (counts.total + counts.second))


def edges_of_cycles(score: FloatArray, allowed: BoolArray, seen: BoolArray) -> BoolArray:
    """Return which edges must be removed so that best parents form no cycle.

    Of the edges of a cycle, the one of lowest score that rests on frequency is removed, or, if
    all rest on seen orders, the one of lowest score of all; several if they score the same. Their
    children take the next best parent, until there is no cycle: whatever the order of the events.

    Parameters
    ----------
    score, allowed
        As of `best_parents`.
    seen
        Which pairs are ordered by seen orders.
    """
    left = allowed.copy()
    while True:
        parents = best_parents(score, left)
        cycles = _cycles(parents)
        if not cycles:
            return allowed & ~left
        for children in cycles:
            above = parents[children]
            by_frequency = ~seen[above, children]
            weak = by_frequency if by_frequency.any() else np.ones(len(children), dtype=bool)
            lowest = score[above, children][weak].min()
            removed = weak & (score[above, children] <= lowest + EQUAL)
            left[above[removed], children[removed]] = False


def _cycles(parents: IntArray) -> list[IntArray]:
    """Return the events of each cycle."""
    found = []
    done = np.zeros(len(parents), dtype=bool)
    for start in range(len(parents)):
        path, event = [], start
        while event != ROOT and not done[event]:
            done[event] = True
            path.append(event)
            event = int(parents[event])
        if event in path:
            found.append(np.array(path[path.index(event) :]))
    return found
