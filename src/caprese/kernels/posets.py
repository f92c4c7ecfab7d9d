"""Posets as sets of parents, and the moves from one poset to another.

`parents[j]` is the set of parents of j, an integer with event k in bit k.
"""

import cython

from caprese._core.arrays import IntArray, Integer

KINDS = 3  # of moves: add or remove a relation, reattach an event, swap two events


def number_of_moves(events: Integer) -> int:
    """Return how many moves of so many events there are, with those that are impossible."""
    return KINDS * events * events


def fill_neighbour(
    parents: IntArray,
    kind: Integer,
    one: Integer,
    other: Integer,
    result: IntArray,
    ancestors: IntArray,
) -> None:
    """Fill the poset after a move, or the poset itself where the move is impossible.

    Parameters
    ----------
    result
        The parents to fill.
    ancestors
        Room for as many sets.
    """
    for event in range(len(parents)):
        result[event] = parents[event]
    if one == other:
        return
    if kind == 2:
        if one < other:
            _swap_events(result, one, other)
        return
    fill_ancestors(parents, ancestors)
    before: cython.bint = ancestors[other] >> one & 1
    after: cython.bint = ancestors[one] >> other & 1
    if parents[other] >> one & 1:
        if kind == 0:
            _remove_relation(result, one, other)
        else:
            result[other] = 0
    elif kind == 0 and not (before or after):
        result[other] |= 1 << one
    elif kind == 1 and not after:
        result[other] = 1 << one
    reduce_transitively(result, ancestors)


def _remove_relation(parents: IntArray, parent: Integer, event: Integer) -> None:
    """Remove the relation of an event to one of its parents.

    All other relations stay: the event keeps the ancestors of that parent, and its children keep
    that parent as an ancestor.
    """
    parents[event] = parents[event] & ~(1 << parent) | parents[parent]
    for child in range(len(parents)):
        if parents[child] >> event & 1:
            parents[child] |= 1 << parent


def _swap_events(parents: IntArray, one: Integer, other: Integer) -> None:
    parents[one], parents[other] = parents[other], parents[one]
    for event in range(len(parents)):
        differ = (parents[event] >> one ^ parents[event] >> other) & 1
        parents[event] ^= differ << one | differ << other


def reduce_transitively(parents: IntArray, ancestors: IntArray) -> None:
    """Remove the parents that are ancestors of another parent; fill all ancestors."""
    fill_ancestors(parents, ancestors)
    for event in range(len(parents)):
        above = parents[event]
        for parent in range(len(parents)):
            if above >> parent & 1:
                parents[event] &= ~ancestors[parent]


def fill_ancestors(parents: IntArray, ancestors: IntArray) -> None:
    """Fill the set of all ancestors of each event."""
    for event in range(len(parents)):
        ancestors[event] = parents[event]
    for middle in range(len(parents)):
        for event in range(len(parents)):
            if ancestors[event] >> middle & 1:
                ancestors[event] |= ancestors[middle]


def equal(one: IntArray, other: IntArray) -> bool:
    """Return whether two posets are equal."""
    different: cython.longlong = 0
    for event in range(len(one)):
        different |= one[event] ^ other[event]
    return different == 0
