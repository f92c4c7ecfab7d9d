"""Unordered tree edit distance: the fewest events to remove until two forests agree on the rest.

Two events are in conflict if one is an ancestor of the other in one forest and not in the other.
The events to remove are a minimum vertex cover of the graph of conflicts: exact branch and bound on
bitsets, many pairs of forests in one call.

A node of the search is a set of events whose conflicts are still to be covered. It is reduced,
bounded from below by a partition into cliques (all but one event of a clique are removed), and then
branched: into a component and the rest, whose covers add up, or at the event with most conflicts,
which is either removed or kept. The search has a stack of its own, so it does not recurse.
"""

import cython
import numpy as np
from cython.cimports.caprese.kernels.words import popcount, trailing_zeros

from caprese._core.arrays import IntArray, Integer, OctetArray, WordArray

_INFINITE = 1 << 40  # larger than any cover


class Search:
    """The conflicts of two forests, and the stack of the search for a minimum cover.

    Attributes
    ----------
    ancestors, ancestors_other
        The set of ancestors of each event in either forest.
    conflicts
        The set of conflicts of each event.
    sets
        Two rows for each depth of the stack: a node, ``2 * depth``, and its second branch. The
        first branch is the node below.
    left, ready
        Room for two sets.
    is_sum
        Whether the cover of a node is the sum of its two branches, or the smaller of them.
    is_second
        Whether its second branch is searched.
    cost
        How many events were removed from it at once.
    first, second
        What choosing each branch costs. Of a component and the rest: 0 and the bound of the rest.
    limit
        It is not searched for covers of this size or more.
    bound
        No cover is smaller.
    lower, upper
        What was found of its first branch.
    """

    def __init__(self, events: Integer) -> None:
        words, depth = (events + 63) // 64, 2 * events + 3
        self.ancestors: WordArray = np.empty((events, words), dtype=np.uint64)
        self.ancestors_other: WordArray = np.empty((events, words), dtype=np.uint64)
        self.conflicts: WordArray = np.empty((events, words), dtype=np.uint64)
        self.sets: WordArray = np.empty((2 * depth, words), dtype=np.uint64)
        self.left: WordArray = np.empty(words, dtype=np.uint64)
        self.ready: WordArray = np.empty(words, dtype=np.uint64)
        self.is_sum: OctetArray = np.empty(depth, dtype=np.uint8)
        self.is_second: OctetArray = np.empty(depth, dtype=np.uint8)
        self.cost: IntArray = np.empty(depth, dtype=np.int64)
        self.first: IntArray = np.empty(depth, dtype=np.int64)
        self.second: IntArray = np.empty(depth, dtype=np.int64)
        self.limit: IntArray = np.empty(depth, dtype=np.int64)
        self.bound: IntArray = np.empty(depth, dtype=np.int64)
        self.lower: IntArray = np.empty(depth, dtype=np.int64)
        self.upper: IntArray = np.empty(depth, dtype=np.int64)
        self.words = words


def minimum_covers(
    parents: IntArray, others: IntArray, budget: Integer
) -> tuple[IntArray, IntArray]:
    """Return bounds of the fewest events to remove from each pair of forests until the rest agree.

    The first array holds lower, the second upper bounds; they differ only where the budget was
    used up.

    Parameters
    ----------
    parents, others
        As in `ordered_distance.edit_distances`.
    budget
        Nodes of the search for each pair, after which only first branches are searched.
    """
    lower = np.empty(parents.shape[0], dtype=np.int64)
    upper = np.empty(parents.shape[0], dtype=np.int64)
    _fill_bounds(parents, others, budget, Search(parents.shape[1]), lower, upper)
    return lower, upper


def _fill_bounds(
    parents: IntArray,
    others: IntArray,
    budget: Integer,
    search: Search,
    lower: IntArray,
    upper: IntArray,
) -> None:
    with cython.nogil:
        for b in range(parents.shape[0]):
            if b < others.shape[0]:
                _fill_ancestors(others, b, search.ancestors_other)
            _fill_ancestors(parents, b, search.ancestors)
            _fill_conflicts(search)
            lower[b], upper[b] = _cover(search, budget)


def first_cyclic(parents: IntArray) -> int:
    """Return the first row ``parents[b]`` that has a cycle; -1 if none has."""
    return _first_cyclic(parents, np.empty(parents.shape[1], dtype=np.int64))


def _first_cyclic(parents: IntArray, path: IntArray) -> int:
    """Return the first row that has a cycle; `path` is that on which an event was visited."""
    n = parents.shape[1]
    with cython.nogil:
        for b in range(parents.shape[0]):
            for j in range(n):
                path[j] = -1
            for j in range(n):
                i: cython.Py_ssize_t = j
                while i >= 0 and path[i] < 0:
                    path[i] = j
                    i = parents[b, i]
                if i >= 0 and path[i] == j:
                    return b
    return -1


def _lowest(word: Integer, at: Integer) -> int:
    """Return the first event of a non-empty word at this position."""
    return 64 * at + trailing_zeros(word)


def _bit(event: Integer) -> int:
    return cython.cast(cython.ulonglong, 1) << cython.cast(cython.int, event & 63)


def _fill_ancestors(parents: IntArray, b: Integer, ancestors: WordArray) -> None:
    """Fill the set of ancestors of each event."""
    for j in range(ancestors.shape[0]):
        for w in range(ancestors.shape[1]):
            ancestors[j, w] = 0
        i: cython.Py_ssize_t = parents[b, j]
        while i >= 0:
            ancestors[j, i >> 6] |= _bit(i)
            i = parents[b, i]


def _fill_conflicts(search: Search) -> None:
    """Fill the set of conflicts of each event, and the first node: the events with any."""
    n = search.conflicts.shape[0]
    for w in range(search.words):
        search.sets[0, w] = 0
        for j in range(n):
            search.conflicts[j, w] = 0
    for j in range(n):
        bit = _bit(j)
        for w in range(search.words):
            word: cython.ulonglong = search.ancestors[j, w] ^ search.ancestors_other[j, w]
            if word:
                search.conflicts[j, w] |= word
                search.sets[0, w] |= word
                search.sets[0, j >> 6] |= bit
            while word:
                search.conflicts[_lowest(word, w), j >> 6] |= bit
                word &= word - 1


def _cover(search: Search, budget: Integer) -> tuple[int, int]:
    """Return bounds of the minimum cover of the first node.

    A node with a limit is not searched for covers of that size or more: it then has a lower bound
    at or above the limit, and no upper bound.
    """
    nodes: cython.Py_ssize_t = 0
    top: cython.Py_ssize_t = 0
    descend: cython.bint = True
    search.limit[0] = _INFINITE
    while True:
        if descend:
            nodes += 1
            lower, upper, pivot = _bounds(search, top)
            descend = lower < upper and lower < search.limit[top]
            if descend:
                _branch(search, top, pivot)
                top += 1
        elif top == 0:
            return lower, upper
        else:
            top -= 1
            if search.is_second[top]:
                lower, upper = _both(search, top, lower, upper)
            else:
                lower, upper, descend = _after_first(search, top, lower, upper, nodes < budget)
                if descend:
                    top += 1


def _bounds(search: Search, top: Integer) -> tuple[int, int, int]:
    """Reduce a node; return bounds of its cover, and the event to branch at if they differ."""
    cost, most, pivot = _reduce(search, 2 * top)
    lower, upper = cost, cost
    if most == 2:
        lower += _cover_of_cycles(search, 2 * top)
        upper = lower
    elif most > 2:
        lower += _clique_bound(search, 2 * top)
        upper = _INFINITE
    search.cost[top] = cost
    search.bound[top] = lower
    search.is_second[top] = 0
    return lower, upper, pivot


def _after_first(
    search: Search, top: Integer, lower: Integer, upper: Integer, go_on: cython.bint
) -> tuple[int, int, bool]:
    """Return the bounds of a node from those of its first branch, and whether to descend again.

    If so, the second branch is put below it.
    """
    cost, limit, second = search.cost[top], search.limit[top], search.second[top]
    search.is_second[top] = 1
    search.lower[top] = lower
    search.upper[top] = upper
    if search.is_sum[top]:
        rest = limit - cost - lower
        descend: cython.bint = rest > second
        if not descend:
            lower, upper = cost + lower + second, _INFINITE
    else:
        upper = min(_INFINITE, cost + search.first[top] + upper)
        rest = min(limit, upper) - cost - second
        descend = go_on and search.bound[top] < min(limit, upper)
        if not descend:
            lower = search.bound[top]
    if descend:
        for w in range(search.words):
            search.sets[2 * top + 2, w] = search.sets[2 * top + 1, w]
        search.limit[top + 1] = rest
    return lower, upper, descend


def _both(search: Search, top: Integer, lower: Integer, upper: Integer) -> tuple[int, int]:
    """Return the bounds of a node from those of its second branch and of the first."""
    cost, first, second = search.cost[top], search.first[top], search.second[top]
    if search.is_sum[top]:
        lower += cost + search.lower[top]
        upper += cost + search.upper[top]
    else:
        lower = cost + min(first + search.lower[top], second + lower)
        lower = max(lower, search.bound[top])
        upper = cost + min(first + search.upper[top], second + upper)
    return lower, min(_INFINITE, upper)


def _branch(search: Search, top: Integer, pivot: Integer) -> None:
    """Fill both branches of a node, the cost of choosing each, and the limit of the first."""
    node, second, first = 2 * top, 2 * top + 1, 2 * top + 2
    room = search.limit[top] - search.cost[top]
    if _component(search, node, first):
        for w in range(search.words):
            search.sets[second, w] = search.sets[node, w] & ~search.sets[first, w]
        search.is_sum[top] = 1
        search.first[top] = 0
        inside = search.bound[top] - search.cost[top]
        search.second[top] = inside - _clique_bound(search, first)
        search.limit[top + 1] = room - search.second[top]
    else:
        for w in range(search.words):
            search.sets[second, w] = search.sets[node, w] & ~search.conflicts[pivot, w]
        search.sets[second, pivot >> 6] ^= _bit(pivot)
        search.is_sum[top] = 0
        search.first[top] = _remove_pivot(search, node, pivot, first)
        search.second[top] = _degree(search, node, pivot)
        search.limit[top + 1] = room - search.first[top]


def _reduce(search: Search, node: Integer) -> tuple[int, int, int]:
    """Take decided events from the node; return how many were removed, and the next pivot.

    An event without conflicts is kept. If an event u in conflict with v is in conflict with all
    others that v is in conflict with, some minimum cover contains u, so u is removed. The pivot
    is the event with most conflicts; its number of conflicts is returned before it.
    """
    cost: cython.Py_ssize_t = 0
    most: cython.Py_ssize_t = 0
    pivot: cython.Py_ssize_t = -1
    changed: cython.bint = True
    while changed:
        changed, most, pivot = False, 0, -1
        for w in range(search.words):
            left: cython.ulonglong = search.sets[node, w]
            while left:
                v = _lowest(left, w)
                left &= left - 1
                if not search.sets[node, w] & _bit(v):
                    continue  # removed meanwhile
                degree = _degree(search, node, v)
                if degree == 0:
                    search.sets[node, w] ^= _bit(v)
                    continue
                u = _dominant(search, node, v)
                if u >= 0:
                    search.sets[node, u >> 6] ^= _bit(u)
                    cost += 1
                    changed = True
                elif degree > most:
                    most, pivot = degree, v
    return cost, most, pivot


def _degree(search: Search, node: Integer, v: Integer) -> int:
    """Return the number of conflicts of v within the node."""
    degree: cython.Py_ssize_t = 0
    for w in range(search.words):
        degree += popcount(search.sets[node, w] & search.conflicts[v, w])
    return degree


def _dominant(search: Search, node: Integer, v: Integer) -> int:
    """Return an event in conflict with v and with all others that v conflicts with; -1 if none."""
    for w in range(search.words):
        left: cython.ulonglong = search.sets[node, w] & search.conflicts[v, w]
        while left:
            u = _lowest(left, w)
            left &= left - 1
            if _dominates(search, node, u, v):
                return u
    return -1


def _dominates(search: Search, node: Integer, u: Integer, v: Integer) -> bool:
    """Return whether u is in conflict with all others that v conflicts with."""
    for w in range(search.words):
        outside: cython.ulonglong = search.sets[node, w] & search.conflicts[v, w]
        outside &= ~search.conflicts[u, w]
        if w == u >> 6:
            outside ^= _bit(u)
        if outside:
            return False
    return True


def _cover_of_cycles(search: Search, node: Integer) -> int:
    """Return the size of the minimum cover of cycles: half of each, rounded up."""
    total: cython.Py_ssize_t = 0
    for w in range(search.words):
        search.left[w] = search.sets[node, w]
    for w in range(search.words):
        while search.left[w]:
            v = _lowest(search.left[w], w)
            length: cython.Py_ssize_t = 0
            while v >= 0:
                search.left[v >> 6] ^= _bit(v)
                length += 1
                v = _next_in_cycle(search, v)
            total += (length + 1) // 2
    return total


def _next_in_cycle(search: Search, v: Integer) -> int:
    """Return the first event that is left in conflict with v; -1 if there is none."""
    for w in range(search.words):
        ahead: cython.ulonglong = search.left[w] & search.conflicts[v, w]
        if ahead:
            return _lowest(ahead, w)
    return -1


def _clique_bound(search: Search, node: Integer) -> int:
    """Return a lower bound: the number of events minus the number of cliques in a partition."""
    words = search.words
    bound: cython.Py_ssize_t = 0
    for w in range(words):
        search.left[w] = search.sets[node, w]
    for w in range(words):
        while search.left[w]:
            v = _lowest(search.left[w], w)
            search.left[w] ^= _bit(v)
            for k in range(w, words):
                search.ready[k] = search.left[k] & search.conflicts[v, k]
            for k in range(w, words):
                while search.ready[k]:
                    u = _lowest(search.ready[k], k)
                    search.left[k] ^= _bit(u)
                    bound += 1
                    for m in range(k, words):
                        search.ready[m] &= search.conflicts[u, m]
    return bound


def _component(search: Search, node: Integer, found: Integer) -> bool:
    """Fill one connected component of the node; return whether there are others."""
    words = search.words
    for w in range(words):
        search.sets[found, w] = 0
        search.left[w] = 0
    for w in range(words):
        if search.sets[node, w]:
            search.left[w] = _bit(_lowest(search.sets[node, w], w))
            break
    growing: cython.bint = True
    while growing:
        growing = False
        for w in range(words):
            while search.left[w]:
                v = _lowest(search.left[w], w)
                search.left[w] ^= _bit(v)
                search.sets[found, w] |= _bit(v)
                for k in range(words):
                    search.left[k] |= (
                        search.sets[node, k] & search.conflicts[v, k] & ~search.sets[found, k]
                    )
                growing = True
    other: cython.ulonglong = 0
    for w in range(words):
        other |= search.sets[found, w] ^ search.sets[node, w]
    return other != 0


def _remove_pivot(search: Search, node: Integer, pivot: Integer, first: Integer) -> int:
    """Fill what is left when the pivot is removed; return how many are removed.

    A cover that removes the pivot and everything in conflict with it is no smaller than one that
    keeps the pivot. So at least one event in conflict with the pivot is kept here, and an event in
    conflict with all of those is removed too.
    """
    gone: cython.Py_ssize_t = 1
    for w in range(search.words):
        search.sets[first, w] = search.sets[node, w]
    search.sets[first, pivot >> 6] ^= _bit(pivot)
    for w in range(search.words):
        left: cython.ulonglong = search.sets[first, w] & ~search.conflicts[pivot, w]
        while left:
            u = _lowest(left, w)
            left &= left - 1
            if _mirrors(search, node, u, pivot):
                search.sets[first, w] ^= _bit(u)
                gone += 1
    return gone


def _mirrors(search: Search, node: Integer, u: Integer, pivot: Integer) -> bool:
    """Return whether u is in conflict with all that the pivot is in conflict with."""
    for w in range(search.words):
        if search.sets[node, w] & search.conflicts[pivot, w] & ~search.conflicts[u, w]:
            return False
    return True
