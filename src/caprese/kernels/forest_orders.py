"""What orders that were seen within samples add to the log-probability of a forest.

An order of two events that the forest states adds a gain, or a loss if it states the reverse;
one that the forest leaves open adds nothing. So all that is needed are gains of pairs, events x
events: what it adds if the first event comes before the second.
"""

import numpy as np
from cython.cimports.caprese.kernels.forest_messages import Forest, Table

from caprese._core.arrays import FloatArray, Integer, OctetArray


class Orders:
    """The gains of pairs of events in some samples, and what they add under each parent.

    Parameters
    ----------
    gains
        Events x events; 0 x 0 if no orders were seen.
    events
        How many.
    """

    def __init__(self, gains: FloatArray, events: Integer) -> None:
        self.gains = gains
        # What prior and orders add to the log-probability, by the parent; that of the root is last.
        self.bonus: FloatArray = np.zeros(events + 1)


def fill_bonus(orders: Orders, forest: Forest, advantage: float) -> None:
    """Fill what is added under each parent of a detached event; see `forest_messages.detach`.

    Its whole subtree comes after the parent and all events before that.

    Parameters
    ----------
    advantage
        What the prior adds under the root.
    """
    n = len(forest.parents)
    orders.bonus[n] = advantage
    if not orders.gains.shape[0]:
        return
    for position in range(n):
        parent = forest.order[position]
        above = forest.parents[parent]
        bonus: float = orders.bonus[above] if above >= 0 else 0.0
        for event in range(n):
            if forest.inside[event]:
                bonus += orders.gains[parent, event]
        orders.bonus[parent] = bonus


def order_gain(orders: Orders, forest: Forest) -> float:
    """Return what the orders add to the log-probability of the whole forest."""
    total: float = 0.0
    if orders.gains.shape[0]:
        for event in range(len(forest.parents)):
            above = forest.parents[event]
            while above >= 0:
                total += orders.gains[above, event]
                above = forest.parents[above]
    return total


def fill_before(forest: Forest, before: OctetArray) -> None:
    """Mark which event comes before which."""
    before[:, :] = 0
    for event in range(len(forest.parents)):
        above = forest.parents[event]
        while above >= 0:
            before[above, event] = 1
            above = forest.parents[above]


def add_order_gains(table: Table, before: OctetArray, out: FloatArray) -> None:
    """Add to each genotype what the orders of one of its samples add."""
    for d in range(table.genotypes):
        for k in range(table.pair_starts[d], table.pair_starts[d + 1]):
            one, other = table.pairs[k, 0], table.pairs[k, 1]
            if before[one, other]:
                out[d] += table.pair_gains[k, 0]
            elif before[other, one]:
                out[d] += table.pair_gains[k, 1]


def pool_gains(table: Table, members: FloatArray, gains: FloatArray) -> None:
    """Fill the gains of so many samples of each genotype together."""
    gains[:, :] = 0.0
    for d in range(table.genotypes):
        if members[d] > 0.0:
            for k in range(table.pair_starts[d], table.pair_starts[d + 1]):
                one, other = table.pairs[k, 0], table.pairs[k, 1]
                gains[one, other] += members[d] * table.pair_gains[k, 0]
                gains[other, one] += members[d] * table.pair_gains[k, 1]
