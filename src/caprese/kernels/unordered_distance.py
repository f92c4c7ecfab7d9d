"""Unordered tree edit distance: the fewest events to remove until two forests agree on the rest.

Two events are in conflict if one is an ancestor of the other in one forest and not in the other.
The events to remove are a minimum vertex cover of the graph of conflicts: exact branch and bound on
bitsets, many pairs of forests in one call.

A node of the search is a set of events whose conflicts are still to be covered. It is reduced,
bounded from below by a partition into cliques (all but one event of a clique are removed), and then
branched: into a component and the rest, whose covers add up, or at the event with most conflicts,
which is either removed or kept. The search has a stack of its own, so it does not recurse.
"""

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from caprese.kernels.bits import popcount
from caprese.kernels.compiling import kernel

_ONE = np.uint64(1)
_INFINITE = 1 << 40  # larger than any cover

# What is stored of a node while its branches are searched.
_KIND, _COST, _FIRST, _SECOND, _LIMIT, _BOUND, _LOWER, _UPPER, _STAGE = range(9)
_MINIMUM, _SUM = 0, 1  # its cover is the smaller of the two branches, or their sum


@kernel
def minimum_covers(parents, others, budget):  # type: ignore[no-untyped-def]
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
    batch, n = parents.shape
    words = (n + 63) // 64
    lower = np.empty(batch, dtype=np.int64)
    upper = np.empty(batch, dtype=np.int64)
    ancestors = np.empty((n, words), dtype=np.uint64)
    ancestors_other = np.empty((n, words), dtype=np.uint64)
    conflicts = np.empty((n, words), dtype=np.uint64)
    sets = np.empty((2 * n + 3, 2, words), dtype=np.uint64)
    frames = np.empty((2 * n + 3, 9), dtype=np.int64)
    scratch = np.empty((2, words), dtype=np.uint64)
    for b in range(batch):
        if b < len(others):
            _fill_ancestors(others[b], ancestors_other)
        _fill_ancestors(parents[b], ancestors)
        _fill_conflicts(ancestors, ancestors_other, conflicts, sets[0, 0])
        lower[b], upper[b], _ = _search(conflicts, sets, frames, scratch, budget)
    return lower, upper


@kernel
def first_cyclic(parents):  # type: ignore[no-untyped-def]
    """Return the first row ``parents[b]`` that has a cycle; -1 if none has."""
    batch, n = parents.shape
    path = np.empty(n, dtype=np.int64)  # on which an event was visited
    for b in range(batch):
        for j in range(n):
            path[j] = -1
        for j in range(n):
            i = j
            while i >= 0 and path[i] < 0:
                path[i] = j
                i = parents[b, i]
            if i >= 0 and path[i] == j:
                return b
    return -1


@intrinsic
def _trailing_zeros(_typing, word):  # type: ignore[no-untyped-def]
    """Return the position of the lowest bit that is set, by the processor's instruction."""

    def codegen(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.int64(word), codegen


@kernel
def _lowest(word, at):  # type: ignore[no-untyped-def]
    """Return the first event of a non-empty word at this position."""
    return 64 * at + _trailing_zeros(word)  # type: ignore[call-arg]


@kernel
def _bit(event):  # type: ignore[no-untyped-def]
    return _ONE << np.uint64(event & 63)


# Loops: every assignment to a slice adds half a second of compilation.
@kernel
def _clear(words):  # type: ignore[no-untyped-def]
    for w in range(len(words)):
        words[w] = 0


@kernel
def _copy(words, into):  # type: ignore[no-untyped-def]
    for w in range(len(words)):
        into[w] = words[w]


@kernel
def _fill_ancestors(parents, ancestors):  # type: ignore[no-untyped-def]
    """Fill the set of ancestors of each event."""
    for j in range(len(parents)):
        _clear(ancestors[j])
        i = parents[j]
        while i >= 0:
            ancestors[j, i >> 6] |= _bit(i)
            i = parents[i]


@kernel
def _fill_conflicts(ancestors, ancestors_other, conflicts, active):  # type: ignore[no-untyped-def]
    """Fill the set of conflicts of each event, and the set of events with any."""
    n, words = ancestors.shape
    _clear(active)
    for j in range(n):
        _clear(conflicts[j])
    for j in range(n):
        bit = _bit(j)
        for w in range(words):
            word = ancestors[j, w] ^ ancestors_other[j, w]
            if word:
                conflicts[j, w] |= word
                active[w] |= word
                active[j >> 6] |= bit
            while word:
                conflicts[_lowest(word, w), j >> 6] |= bit
                word &= word - _ONE


@kernel
def _search(conflicts, sets, frames, scratch, budget):  # type: ignore[no-untyped-def]
    """Return bounds of the minimum cover of the events in ``sets[0, 0]``, and the number of nodes.

    A node with a limit is not searched for covers of that size or more: it then returns a lower
    bound at or above the limit, and no upper bound.
    """
    nodes, top, lower, upper = 0, 0, 0, 0
    descend = True
    frames[0, _LIMIT] = _INFINITE
    while True:
        node, frame = sets[top, 0], frames[top]
        if descend:
            nodes += 1
            cost, most, pivot = _reduce(conflicts, node)
            lower = upper = cost
            if most == 2:
                lower = upper = cost + _cover_of_cycles(conflicts, node, scratch)
            elif most > 2:
                lower, upper = cost + _bound(conflicts, node, scratch), _INFINITE
            descend = lower < upper and lower < frame[_LIMIT]
            if not descend:
                continue
            frame[_COST], frame[_BOUND], frame[_STAGE] = cost, lower, 1
            _branch(conflicts, sets, frames, scratch, top, pivot)
            top += 1
        elif top == 0:
            return lower, upper, nodes
        else:
            top -= 1
            frame = frames[top]
            cost, limit = frame[_COST], frame[_LIMIT]
            if frame[_STAGE] == 1:
                frame[_STAGE] = 2
                frame[_LOWER], frame[_UPPER] = lower, upper
                if frame[_KIND] == _SUM:
                    rest = limit - cost - lower
                    descend = rest > frame[_SECOND]
                    if not descend:
                        lower, upper = cost + lower + frame[_SECOND], _INFINITE
                else:
                    upper = min(_INFINITE, cost + frame[_FIRST] + upper)
                    rest = min(limit, upper) - cost - frame[_SECOND]
                    descend = nodes < budget and frame[_BOUND] < min(limit, upper)
                    if not descend:
                        lower = frame[_BOUND]
                if descend:
                    _copy(sets[top, 1], sets[top + 1, 0])
                    frames[top + 1, _LIMIT] = rest
                    top += 1
            elif frame[_KIND] == _SUM:
                lower += cost + frame[_LOWER]
                upper = min(_INFINITE, upper + cost + frame[_UPPER])
            else:
                lower = cost + min(frame[_FIRST] + frame[_LOWER], frame[_SECOND] + lower)
                lower = max(lower, frame[_BOUND])
                upper = cost + min(frame[_FIRST] + frame[_UPPER], frame[_SECOND] + upper)
                upper = min(_INFINITE, upper)


@kernel
def _branch(conflicts, sets, frames, scratch, top, pivot):  # type: ignore[no-untyped-def]
    """Fill both branches of a node, the cost of choosing each, and the limit of the first.

    Of a component and the rest, the costs are 0 and the bound of the rest.
    """
    node, second, first = sets[top, 0], sets[top, 1], sets[top + 1, 0]
    frame = frames[top]
    room = frame[_LIMIT] - frame[_COST]
    if _component(conflicts, node, first, scratch[0]):
        for w in range(len(node)):
            second[w] = node[w] & ~first[w]
        frame[_KIND], frame[_FIRST] = _SUM, 0
        frame[_SECOND] = frame[_BOUND] - frame[_COST] - _bound(conflicts, first, scratch)
        frames[top + 1, _LIMIT] = room - frame[_SECOND]
    else:
        for w in range(len(node)):
            second[w] = node[w] & ~conflicts[pivot, w]
        second[pivot >> 6] &= ~_bit(pivot)
        frame[_KIND], frame[_FIRST] = _MINIMUM, _remove_pivot(conflicts, node, pivot, first)
        frame[_SECOND] = _degree(conflicts, node, pivot)
        frames[top + 1, _LIMIT] = room - frame[_FIRST]


@kernel
def _reduce(conflicts, node):  # type: ignore[no-untyped-def]
    """Take decided events from the node; return how many were removed, and the next pivot.

    An event without conflicts is kept. If an event u in conflict with v is in conflict with all
    others that v is in conflict with, some minimum cover contains u, so u is removed. The pivot
    is the event with most conflicts; its number of conflicts is returned before it.
    """
    words = len(node)
    cost, changed = 0, True
    most, pivot = 0, -1
    while changed:
        changed, most, pivot = False, 0, -1
        for w in range(words):
            left = node[w]
            while left:
                v = _lowest(left, w)
                left &= left - _ONE
                if not node[w] & _bit(v):
                    continue  # removed meanwhile
                degree = _degree(conflicts, node, v)
                if degree == 0:
                    node[w] &= ~_bit(v)
                    continue
                u = _dominant(conflicts, node, v)
                if u >= 0:
                    node[u >> 6] &= ~_bit(u)
                    cost += 1
                    changed = True
                elif degree > most:
                    most, pivot = degree, v
    return cost, most, pivot


@kernel
def _degree(conflicts, node, v):  # type: ignore[no-untyped-def]
    """Return the number of conflicts of v within the node."""
    degree = np.int64(0)
    for w in range(len(node)):
        degree += np.int64(popcount(node[w] & conflicts[v, w]))  # type: ignore[call-arg]
    return degree


@kernel
def _dominant(conflicts, node, v):  # type: ignore[no-untyped-def]
    """Return an event in conflict with v and with all others that v conflicts with; -1 if none."""
    words = len(node)
    for w in range(words):
        left = node[w] & conflicts[v, w]
        while left:
            u = _lowest(left, w)
            left &= left - _ONE
            inside = True
            for k in range(words):
                outside = node[k] & conflicts[v, k] & ~conflicts[u, k]
                if k == w:
                    outside &= ~_bit(u)
                if outside:
                    inside = False
                    break
            if inside:
                return u
    return -1


@kernel
def _cover_of_cycles(conflicts, node, scratch):  # type: ignore[no-untyped-def]
    """Return the size of the minimum cover of cycles: half of each, rounded up."""
    words = len(node)
    total = 0
    left = scratch[0]
    _copy(node, left)
    for w in range(words):
        while left[w]:
            v = _lowest(left[w], w)
            length = 0
            while v >= 0:
                left[v >> 6] &= ~_bit(v)
                length += 1
                following = -1
                for k in range(words):
                    ahead = left[k] & conflicts[v, k]
                    if ahead:
                        following = _lowest(ahead, k)
                        break
                v = following
            total += (length + 1) // 2
    return total


@kernel
def _bound(conflicts, node, scratch):  # type: ignore[no-untyped-def]
    """Return a lower bound: the number of events minus the number of cliques in a partition."""
    words = len(node)
    left, ready = scratch[0], scratch[1]
    _copy(node, left)
    bound = 0
    for w in range(words):
        while left[w]:
            v = _lowest(left[w], w)
            left[w] &= left[w] - _ONE
            for k in range(w, words):
                ready[k] = left[k] & conflicts[v, k]
            for k in range(w, words):
                while ready[k]:
                    u = _lowest(ready[k], k)
                    left[k] &= ~_bit(u)
                    bound += 1
                    for m in range(k, words):
                        ready[m] &= conflicts[u, m]
    return bound


@kernel
def _component(conflicts, node, found, front):  # type: ignore[no-untyped-def]
    """Fill one connected component of the node; return whether there are others."""
    words = len(node)
    _clear(found)
    _clear(front)
    for w in range(words):
        if node[w]:
            front[w] = node[w] & (~node[w] + _ONE)
            break
    growing = True
    while growing:
        growing = False
        for w in range(words):
            while front[w]:
                v = _lowest(front[w], w)
                front[w] &= front[w] - _ONE
                found[w] |= _bit(v)
                for k in range(words):
                    front[k] |= node[k] & conflicts[v, k] & ~found[k]
                growing = True
    rest = False
    for w in range(words):
        rest |= found[w] != node[w]
    return rest


@kernel
def _remove_pivot(conflicts, node, pivot, first):  # type: ignore[no-untyped-def]
    """Fill what is left when the pivot is removed; return how many are removed.

    A cover that removes the pivot and everything in conflict with it is no smaller than one that
    keeps the pivot. So at least one event in conflict with the pivot is kept here, and an event in
    conflict with all of those is removed too.
    """
    words = len(node)
    _copy(node, first)
    first[pivot >> 6] &= ~_bit(pivot)
    gone = 1
    for w in range(words):
        left = first[w] & ~conflicts[pivot, w]
        while left:
            u = _lowest(left, w)
            left &= left - _ONE
            mirror = True
            for k in range(words):
                if node[k] & conflicts[pivot, k] & ~conflicts[u, k]:
                    mirror = False
                    break
            if mirror:
                first[w] &= ~_bit(u)
                gone += 1
    return gone
