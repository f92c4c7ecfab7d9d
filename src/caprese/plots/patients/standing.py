"""Where samples stand on a progression: each at one node. Nothing here draws."""

import numpy as np

from caprese._core.arrays import BoolArray, IntArray
from caprese._core.names import places
from caprese.models.base import Order
from caprese.patients.place import UNUSUAL, Placement
from caprese.plots.progression.crowds import KINDS, MOST_DOTS, Crowd


def standing(order: Order, genotypes: BoolArray) -> tuple[IntArray, BoolArray]:
    """Return the node of each sample, and whether it has come further on another branch too.

    A sample stands at its deepest event, the one with the most ancestors; of equally deep ones at
    the one that the fewest samples have, then at the last by name. One without events stands at
    the root, whose position is the number of events.

    Parameters
    ----------
    order
        The progression.
    genotypes
        Samples x events of the order.

    Examples
    --------
    >>> from caprese import Forest, ROOT
    >>> forest = Forest(("a", "b", "c"), (ROOT, 0, ROOT), (0.5, 0.5, 0.5))
    >>> standing(forest, np.array([[1, 1, 0], [1, 0, 1], [0, 0, 0]], dtype=bool))
    (array([1, 2, 3]), array([False,  True, False]))
    """
    ancestors = order.ancestors()
    followed = genotypes @ ancestors.T  # whether one of its descendants is there
    last = genotypes & ~followed
    depth, carriers = ancestors.sum(axis=0), genotypes.sum(axis=0)
    names = np.argsort(np.argsort(np.array(order.events, dtype=object), kind="stable"))
    rank = np.empty(len(order.events), dtype=np.int64)
    rank[np.lexsort((names, -carriers, depth))] = np.arange(1, len(order.events) + 1)
    deepest = np.where(last, rank, 0).argmax(axis=1)
    node = np.where(genotypes.any(axis=1), deepest, len(order.events))
    return node, last.sum(axis=1) > 1


def crowds(order: Order, placement: Placement) -> tuple[Crowd, ...]:
    """Return the samples at each event of the order, and last those at the root.

    Raises
    ------
    ModelError
        If the placement is of other events.
    """
    columns = places(placement.events, order.events, "progression and placement")
    node, elsewhere = standing(order, placement.genotypes[:, columns])
    kind = np.where(placement.typicality < UNUSUAL, 2, elsewhere.astype(int))
    nodes = len(order.events) + 1
    numbers = np.bincount(len(KINDS) * node + kind, minlength=len(KINDS) * nodes)
    numbers = numbers.reshape(nodes, len(KINDS))
    total = numbers.sum(axis=1)
    full = int(total.max()) if total.max() > MOST_DOTS else None
    return tuple(
        Crowd(tuple(each.tolist()), float(each.sum() / total.sum()), full) for each in numbers
    )
