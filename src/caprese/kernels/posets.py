"""Posets as sets of parents, and the moves from one poset to another.

`parents[j]` is the set of parents of j, an integer with event k in bit k.
"""

import numpy as np

from caprese.kernels.compiling import kernel

KINDS = 3  # of moves: add or remove a relation, reattach an event, swap two events


@kernel
def ancestor_sets(parents):  # type: ignore[no-untyped-def]
    """Return the set of all ancestors of each event."""
    result = parents.copy()
    n = len(parents)
    for middle in range(n):
        for event in range(n):
            if result[event] >> middle & 1:
                result[event] |= result[middle]
    return result


@kernel
def transitive_reduction(parents):  # type: ignore[no-untyped-def]
    """Return the parents without those that are ancestors of another parent."""
    n = len(parents)
    ancestors = ancestor_sets(parents)
    result = parents.copy()
    for event in range(n):
        for parent in range(n):
            if parents[event] >> parent & 1:
                result[event] &= ~ancestors[parent]
    return result


@kernel
def add_relation(parents, parent, event):  # type: ignore[no-untyped-def]
    """Return the poset in which an event has one more parent; the two must not be ordered yet."""
    result = parents.copy()
    result[event] |= 1 << parent
    return transitive_reduction(result)


@kernel
def remove_relation(parents, parent, event):  # type: ignore[no-untyped-def]
    """Return the poset without the relation of an event to one of its parents.

    All other relations stay: the event keeps the ancestors of that parent, and its children keep
    that parent as an ancestor.
    """
    result = parents.copy()
    result[event] = result[event] & ~(1 << parent) | result[parent]
    for child in range(len(parents)):
        if parents[child] >> event & 1:
            result[child] |= 1 << parent
    return transitive_reduction(result)


@kernel
def reattach(parents, parent, event):  # type: ignore[no-untyped-def]
    """Return the poset in which an event has this parent only, or none (-1)."""
    result = parents.copy()
    result[event] = 0 if parent < 0 else 1 << parent
    return transitive_reduction(result)


@kernel
def swap_events(parents, one, other):  # type: ignore[no-untyped-def]
    """Return the poset in which two events are swapped."""
    result = np.empty(len(parents), np.int64)
    for event in range(len(parents)):
        before = parents[event]
        differ = (before >> one ^ before >> other) & 1
        place = other if event == one else one if event == other else event
        result[place] = before ^ (differ << one | differ << other)
    return result


@kernel
def neighbour(parents, kind, one, other):  # type: ignore[no-untyped-def]
    """Return the poset after a move, or the poset itself where the move is impossible."""
    if one == other:
        return parents
    ancestors = ancestor_sets(parents)
    if kind == 0:
        if parents[other] >> one & 1:
            return remove_relation(parents, one, other)
        if not (ancestors[other] >> one & 1 or ancestors[one] >> other & 1):
            return add_relation(parents, one, other)
    elif kind == 1:
        if parents[other] >> one & 1:
            return reattach(parents, -1, other)
        if not ancestors[one] >> other & 1:
            return reattach(parents, one, other)
    elif one < other:
        return swap_events(parents, one, other)
    return parents


@kernel
def equal(one, other):  # type: ignore[no-untyped-def]
    """Return whether two posets, or two forests, are equal."""
    different = 0
    for event in range(len(one)):
        different |= one[event] ^ other[event]
    return different == 0
