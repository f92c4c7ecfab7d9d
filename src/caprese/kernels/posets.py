"""Posets as sets of parents, and the moves that lead from one to another.

`parents[j]` is the set of events that come right before j, a whole number with event k in bit k.
"""

import numpy as np
from numba import njit

KINDS = 3  # of moves: a relation more or less, another place for one event, two change places


@njit(cache=True, nogil=True)
def above(parents):  # type: ignore[no-untyped-def]
    """Return for each event the set of all that it waits for."""
    result = parents.copy()
    n = len(parents)
    for middle in range(n):
        for event in range(n):
            if result[event] >> middle & 1:
                result[event] |= result[middle]
    return result


@njit(cache=True, nogil=True)
def reduced(parents):  # type: ignore[no-untyped-def]
    """Return the parents without those that come before another parent."""
    n = len(parents)
    ancestors = above(parents)
    result = parents.copy()
    for event in range(n):
        for parent in range(n):
            if parents[event] >> parent & 1:
                result[event] &= ~ancestors[parent]
    return result


@njit(cache=True, nogil=True)
def added(parents, parent, event):  # type: ignore[no-untyped-def]
    """Let an event wait for one more; both must be free to stand either way round."""
    result = parents.copy()
    result[event] |= 1 << parent
    return reduced(result)


@njit(cache=True, nogil=True)
def removed(parents, parent, event):  # type: ignore[no-untyped-def]
    """Let an event no longer wait for a parent, but for all that the parent waits for.

    Nothing else changes: what waits for the event still waits for that parent.
    """
    result = parents.copy()
    result[event] = result[event] & ~(1 << parent) | result[parent]
    for child in range(len(parents)):
        if parents[child] >> event & 1:
            result[child] |= 1 << parent
    return reduced(result)


@njit(cache=True, nogil=True)
def rehung(parents, parent, event):  # type: ignore[no-untyped-def]
    """Let an event wait for this parent alone, or for none (-1)."""
    result = parents.copy()
    result[event] = 0 if parent < 0 else 1 << parent
    return reduced(result)


@njit(cache=True, nogil=True)
def exchanged(parents, one, other):  # type: ignore[no-untyped-def]
    """Let two events change places."""
    result = np.empty_like(parents)
    for event in range(len(parents)):
        before = parents[event]
        differ = (before >> one ^ before >> other) & 1
        place = other if event == one else one if event == other else event
        result[place] = before ^ (differ << one | differ << other)
    return result


@njit(cache=True, nogil=True)
def moved(parents, kind, one, other):  # type: ignore[no-untyped-def]
    """Return a neighbour of a poset, or the poset itself where the move makes no sense."""
    if one == other:
        return parents
    ancestors = above(parents)
    if kind == 0:
        if parents[other] >> one & 1:
            return removed(parents, one, other)
        if not (ancestors[other] >> one & 1 or ancestors[one] >> other & 1):
            return added(parents, one, other)
    elif kind == 1:
        if parents[other] >> one & 1:
            return rehung(parents, -1, other)
        if not ancestors[one] >> other & 1:
            return rehung(parents, one, other)
    elif one < other:
        return exchanged(parents, one, other)
    return parents


@njit(cache=True, nogil=True)
def same(one, other):  # type: ignore[no-untyped-def]
    """Whether two posets are the same."""
    different = 0
    for event in range(len(one)):
        different |= one[event] ^ other[event]
    return different == 0
