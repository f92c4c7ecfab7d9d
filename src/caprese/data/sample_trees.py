"""Trees of single samples, from single cells or regions: which events came before which others."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple, Self

from caprese.data.seen_orders import SeenOrders
from caprese.errors import DatasetError

_PARTS = re.compile(r"[(),]|[^(),\s]+")


@dataclass(frozen=True)
class SampleTree:
    """The tree of a sample: parents come before their children.

    Parameters
    ----------
    parents
        The position of the parent of each node; -1 for what has none.
    events
        The events that arose at each node: no order is known among them.

    Examples
    --------
    >>> tree = SampleTree.of("TP53(KRAS,MYC(KRAS))")
    >>> sorted(tree.pairs())
    [('MYC', 'KRAS'), ('TP53', 'KRAS'), ('TP53', 'MYC')]
    >>> tree.recurring
    frozenset({'KRAS'})
    """

    parents: tuple[int, ...]
    events: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        if any(parent >= node for node, parent in enumerate(self.parents)):
            raise DatasetError("the parent of a node must come before it")

    @cached_property
    def recurring(self) -> frozenset[str]:
        """The events that arose at several nodes."""
        times = Counter(event for own in self.events for event in set(own))
        return frozenset(event for event, number in times.items() if number > 1)

    @classmethod
    def of(cls, text: str) -> Self:
        """Return a tree from text with one event at each node, children in brackets."""
        parents, events, path = list[int](), list[tuple[str, ...]](), [-1]
        for part in _PARTS.findall(text):
            if part == "(":
                path.append(len(parents) - 1)
            elif part == ")":
                path.pop()
            elif part != ",":
                parents.append(path[-1])
                events.append((part,))
        return cls(tuple(parents), tuple(events))

    def pairs(self) -> set[tuple[str, str]]:
        """Return the pairs of distinct events, one at an ancestor of the node of the other."""
        above = list[tuple[str, ...]]()
        found = set[tuple[str, str]]()
        for parent, own in zip(self.parents, self.events, strict=True):
            before = () if parent < 0 else above[parent] + self.events[parent]
            above.append(before)
            found |= {(one, other) for one, other in product(before, own) if one != other}
        return found

    def number_of_pairs(self) -> int:
        """Return a bound on the number of pairs, which takes no room."""
        above = list[int]()
        for parent in self.parents:
            above.append(0 if parent < 0 else above[parent] + len(self.events[parent]))
        return sum(before * len(own) for before, own in zip(above, self.events, strict=True))


class TreeOrders(NamedTuple):
    """The orders in trees of samples, and what was left out: events that recur in their tree."""

    orders: SeenOrders
    recurring: int  # events, counted in each sample
    left_out: int  # pairs with them


def orders_of_trees(trees: Mapping[str, SampleTree], source: str = "") -> TreeOrders:
    """Return the orders in the trees of samples.

    An event at an ancestor of the node of another came before it. Events on two branches have no
    order, and so have those that recur in the tree of their sample.

    Examples
    --------
    >>> trees = {"p": SampleTree.of("TP53(KRAS)"), "q": SampleTree.of("TP53,KRAS")}
    >>> orders_of_trees(trees).orders
    <SeenOrders: 1 pair of events in 1 sample>
    """
    rows, left_out = list[tuple[str, str, str]](), 0
    for sample, tree in trees.items():
        pairs = tree.pairs()
        kept = {pair for pair in pairs if tree.recurring.isdisjoint(pair)}
        rows += ((sample, *pair) for pair in sorted(kept))
        left_out += len(set(map(frozenset, pairs - kept)))
    recurring = sum(len(tree.recurring) for tree in trees.values())
    return TreeOrders(SeenOrders.from_rows(rows, source=source), recurring, left_out)
