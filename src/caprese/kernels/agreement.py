"""On how many events two forests agree: the largest set with the same ancestor relation in both.

Two events are in conflict if one comes before the other in one forest and not in the other. The
events that must go, so that no conflict is left, are a smallest vertex cover of the graph of
conflicts: exact branch and bound on bitsets, many pairs of forests in one call.

A node of the search is a set of events whose conflicts are still to be covered. It is reduced,
bounded from below by a partition into cliques (all but one event of a clique must go), and then
divided: into a component and the rest, whose answers add up, or at the event in most conflicts,
which either goes or stays. The search keeps its own stack: long chains cannot exhaust Python's.
"""

from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

from caprese.kernels.bits import popcount

_ONE = np.uint64(1)
_NEVER = 1 << 40  # more than any cover

# What is kept of a node while its parts are searched.
_KIND, _COST, _FIRST, _SECOND, _LIMIT, _BOUND, _LOWER, _UPPER, _STAGE = range(9)
_EITHER, _BOTH = 0, 1  # its answer is the smaller of two, or their sum


@njit(cache=True, nogil=True)
def smallest_covers(parents, others, budget):  # type: ignore[no-untyped-def]
    """Return for each pair of forests how few events must go until the rest agree.

    The first array is proven to be no more than the true number, the second no less; they differ
    only where the budget ran out.

    Parameters
    ----------
    parents
        ``[b, j]``: the parent of j, or -1; no cycles.
    others
        ``[b, j]``, or ``[1, j]`` where all are compared with the same forest.
    budget
        Nodes of the search, for each pair, after which only the first branch is followed.
    """
    batch, n = parents.shape
    words = (n + 63) // 64
    lower = np.empty(batch, dtype=np.int64)
    upper = np.empty(batch, dtype=np.int64)
    above = np.empty((n, words), dtype=np.uint64)
    above_other = np.empty((n, words), dtype=np.uint64)
    conflicts = np.empty((n, words), dtype=np.uint64)
    sets = np.empty((2 * n + 3, 2, words), dtype=np.uint64)
    frames = np.empty((2 * n + 3, 9), dtype=np.int64)
    scratch = np.empty((2, words), dtype=np.uint64)
    for b in range(batch):
        if b < len(others):
            _fill_above(others[b], above_other)
        _fill_above(parents[b], above)
        _fill_conflicts(above, above_other, conflicts, sets[0, 0])
        lower[b], upper[b], _ = _search(conflicts, sets, frames, scratch, budget)
    return lower, upper


@njit(cache=True, nogil=True)
def first_cyclic(parents):  # type: ignore[no-untyped-def]
    """Return the first row ``parents[b]`` in which events come before themselves; -1 if none."""
    batch, n = parents.shape
    walk = np.empty(n, dtype=np.int64)  # the walk in which an event was met
    for b in range(batch):
        for j in range(n):
            walk[j] = -1
        for j in range(n):
            i = j
            while i >= 0 and walk[i] < 0:
                walk[i] = j
                i = parents[b, i]
            if i >= 0 and walk[i] == j:
                return b
    return -1


@intrinsic
def _trailing_zeros(_typing, word):  # type: ignore[no-untyped-def]
    """Return how many bits stand below the lowest that is set, by the processor's instruction."""

    def codegen(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.int64(word), codegen


@njit(cache=True, nogil=True)
def _lowest(word, at):  # type: ignore[no-untyped-def]
    """Return the first event in a word that is not empty, the word being that many along."""
    return 64 * at + _trailing_zeros(word)  # type: ignore[call-arg]


@njit(cache=True, nogil=True)
def _bit(event):  # type: ignore[no-untyped-def]
    return _ONE << np.uint64(event & 63)


# Loops, because every assignment to a slice makes numba compile for half a second more.
@njit(cache=True, nogil=True)
def _clear(words):  # type: ignore[no-untyped-def]
    for w in range(len(words)):
        words[w] = 0


@njit(cache=True, nogil=True)
def _copy(words, into):  # type: ignore[no-untyped-def]
    for w in range(len(words)):
        into[w] = words[w]


@njit(cache=True, nogil=True)
def _fill_above(parents, above):  # type: ignore[no-untyped-def]
    """Fill for each event the set of those before it."""
    for j in range(len(parents)):
        _clear(above[j])
        i = parents[j]
        while i >= 0:
            above[j, i >> 6] |= _bit(i)
            i = parents[i]


@njit(cache=True, nogil=True)
def _fill_conflicts(above, above_other, conflicts, active):  # type: ignore[no-untyped-def]
    """Fill for each event the set of those it is in conflict with."""
    n, words = above.shape
    _clear(active)
    for j in range(n):
        _clear(conflicts[j])
    for j in range(n):
        bit = _bit(j)
        for w in range(words):
            word = above[j, w] ^ above_other[j, w]
            if word:
                conflicts[j, w] |= word
                active[w] |= word
                active[j >> 6] |= bit
            while word:
                conflicts[_lowest(word, w), j >> 6] |= bit
                word &= word - _ONE


@njit(cache=True, nogil=True)
def _search(conflicts, sets, frames, scratch, budget):  # type: ignore[no-untyped-def]
    """Return bounds of the smallest cover of the events in ``sets[0, 0]``, and the nodes it took.

    A node with a limit need not be searched for covers as large as that: it then returns a lower
    bound at or above the limit, and no upper one.
    """
    nodes, top, lower, upper = 0, 0, 0, 0
    descend = True
    frames[0, _LIMIT] = _NEVER
    while True:
        node, frame = sets[top, 0], frames[top]
        if descend:
            nodes += 1
            cost, most, pivot = _reduce(conflicts, node)
            lower = upper = cost
            if most == 2:
                lower = upper = cost + _cover_of_circles(conflicts, node, scratch)
            elif most > 2:
                lower, upper = cost + _bound(conflicts, node, scratch), _NEVER
            descend = lower < upper and lower < frame[_LIMIT]
            if not descend:
                continue
            frame[_COST], frame[_BOUND], frame[_STAGE] = cost, lower, 1
            _divide(conflicts, sets, frames, scratch, top, pivot)
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
                if frame[_KIND] == _BOTH:
                    rest = limit - cost - lower
                    descend = rest > frame[_SECOND]
                    if not descend:
                        lower, upper = cost + lower + frame[_SECOND], _NEVER
                else:
                    upper = min(_NEVER, cost + frame[_FIRST] + upper)
                    rest = min(limit, upper) - cost - frame[_SECOND]
                    descend = nodes < budget and frame[_BOUND] < min(limit, upper)
                    if not descend:
                        lower = frame[_BOUND]
                if descend:
                    _copy(sets[top, 1], sets[top + 1, 0])
                    frames[top + 1, _LIMIT] = rest
                    top += 1
            elif frame[_KIND] == _BOTH:
                lower += cost + frame[_LOWER]
                upper = min(_NEVER, upper + cost + frame[_UPPER])
            else:
                lower = cost + min(frame[_FIRST] + frame[_LOWER], frame[_SECOND] + lower)
                lower = max(lower, frame[_BOUND])
                upper = cost + min(frame[_FIRST] + frame[_UPPER], frame[_SECOND] + upper)
                upper = min(_NEVER, upper)


@njit(cache=True, nogil=True)
def _divide(conflicts, sets, frames, scratch, top, pivot):  # type: ignore[no-untyped-def]
    """Fill both parts of a node, what each of them costs beforehand, and the first one's limit.

    Of a component and the rest, that is nothing and the bound of the rest.
    """
    node, second, first = sets[top, 0], sets[top, 1], sets[top + 1, 0]
    frame = frames[top]
    room = frame[_LIMIT] - frame[_COST]
    if _component(conflicts, node, first, scratch[0]):
        for w in range(len(node)):
            second[w] = node[w] & ~first[w]
        frame[_KIND], frame[_FIRST] = _BOTH, 0
        frame[_SECOND] = frame[_BOUND] - frame[_COST] - _bound(conflicts, first, scratch)
        frames[top + 1, _LIMIT] = room - frame[_SECOND]
    else:
        for w in range(len(node)):
            second[w] = node[w] & ~conflicts[pivot, w]
        second[pivot >> 6] &= ~_bit(pivot)
        frame[_KIND], frame[_FIRST] = _EITHER, _goes(conflicts, node, pivot, first)
        frame[_SECOND] = _degree(conflicts, node, pivot)
        frames[top + 1, _LIMIT] = room - frame[_FIRST]


@njit(cache=True, nogil=True)
def _reduce(conflicts, node):  # type: ignore[no-untyped-def]
    """Take from the node what is decided; return how many went, and the event in most conflicts.

    An event without conflict stays. Where all that an event is in conflict with, but for one,
    is also in conflict with that one, that one may go: no smaller cover needs it.
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
                    continue  # went meanwhile
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


@njit(cache=True, nogil=True)
def _degree(conflicts, node, v):  # type: ignore[no-untyped-def]
    """Return with how many events of the node v is in conflict."""
    degree = np.int64(0)
    for w in range(len(node)):
        degree += np.int64(popcount(node[w] & conflicts[v, w]))  # type: ignore[call-arg]
    return degree


@njit(cache=True, nogil=True)
def _dominant(conflicts, node, v):  # type: ignore[no-untyped-def]
    """Return an event in conflict with v and with all that v is in conflict with; -1 if none."""
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


@njit(cache=True, nogil=True)
def _cover_of_circles(conflicts, node, scratch):  # type: ignore[no-untyped-def]
    """Return the smallest cover where every event is in two conflicts: of each circle, half."""
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


@njit(cache=True, nogil=True)
def _bound(conflicts, node, scratch):  # type: ignore[no-untyped-def]
    """Return a lower bound: the events less the cliques they are parted into, one by one."""
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


@njit(cache=True, nogil=True)
def _component(conflicts, node, found, front):  # type: ignore[no-untyped-def]
    """Fill one component of the node; return whether there is more than that."""
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


@njit(cache=True, nogil=True)
def _goes(conflicts, node, pivot, first):  # type: ignore[no-untyped-def]
    """Fill what is left when the pivot goes; return how many go with it.

    If it goes in vain, it may as well stay: so one that it is in conflict with stays, and all
    events in conflict with each of those go too.
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
