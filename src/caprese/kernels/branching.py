"""Maximum branching (Chu-Liu, Edmonds) on dense weights, many matrices in one call.

Of n events, node n is the root; contracted nodes have the numbers after it.
"""

import cython
import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import BoolArray, FloatArray, IntArray, Integer, OctetArray

_INFINITE = float("inf")
_NEVER = -1e300  # the weight of a root that is no parent; finite, so that a branching exists


class Branching:
    """A maximum branching, and the contractions that led to it.

    Attributes
    ----------
    parents
        The node above each event.
    inside
        For each node the contracted node that contains it; -1 for none.
    heaviest
        For each node the weight of the heaviest edge into it, less that of the edges it would
        replace.
    nodes
        How many there are, with the contracted ones.
    """

    def __init__(self, events: Integer) -> None:
        self.nodes = 0
        self.parents: IntArray = np.empty(events, dtype=np.int64)
        self.inside: IntArray = np.empty(2 * events + 1, dtype=np.int64)
        self.heaviest: FloatArray = np.empty(2 * events + 1)


class Room:
    """The weights of edges, and room for a search.

    Active nodes have a row each: a contracted one takes that of a member.

    Attributes
    ----------
    weights
        ``[j, i]``: the weight of node i as the parent of j; the last column is the root.
    into, source, target
        ``[r, s]``: the weight of the best edge from the node in row s to that in row r, and the
        original ends of this edge.
    node, row, best
        For each row the node in it, the row where the node is that was in it first, and the row
        that the heaviest edge into it comes from.
    entry
        For each node the original ends of the heaviest edge into it.
    visited, cycle
        For each row the path on which it was visited, and the rows of a cycle.
    """

    def __init__(self, events: Integer) -> None:
        rows = events + 1
        self.events = events
        self.weights: FloatArray = np.empty((events, rows))
        self.into: FloatArray = np.empty((rows, rows))
        self.source: NDArray[np.int32] = np.empty((rows, rows), dtype=np.int32)
        self.target: NDArray[np.int32] = np.empty((rows, rows), dtype=np.int32)
        self.node: IntArray = np.empty(rows, dtype=np.int64)
        self.row: IntArray = np.empty(rows, dtype=np.int64)
        self.best: IntArray = np.empty(rows, dtype=np.int64)
        self.entry: IntArray = np.empty((2 * events + 1, 2), dtype=np.int64)
        self.visited: IntArray = np.empty(rows, dtype=np.int64)
        self.cycle: IntArray = np.empty(events, dtype=np.int64)


class CloseEdges:
    """The edges that may be in a branching of nearly the greatest weight.

    Attributes
    ----------
    starts, ends
        The events they lead to: those from node i at ``starts[i]`` to ``starts[i + 1]``.
    losses
        ``[i, j]``: what the edge from i to j loses; no branching that holds it is closer to the
        maximum.
    entered, around
        For each node: the heaviest edges into all nodes that an edge from inside it to j enters;
        and whether j is inside.
    reached, waiting
        The events that were reached from the root, and those to go on from.
    """

    def __init__(self, events: Integer) -> None:
        nodes = 2 * events + 1
        self.starts: IntArray = np.zeros(events + 2, dtype=np.int64)
        self.ends: IntArray = np.empty((events + 1) * events, dtype=np.int64)
        self.losses: FloatArray = np.empty((events + 1, events))
        self.entered: FloatArray = np.empty(nodes)
        self.around: OctetArray = np.empty(nodes, dtype=np.uint8)
        self.reached: OctetArray = np.empty(events, dtype=np.uint8)
        self.waiting: IntArray = np.empty(events + 1, dtype=np.int64)


def certain_parents(
    weights: FloatArray, root_weights: FloatArray, equal: float
) -> tuple[IntArray, BoolArray]:
    """Return for each matrix the parents in its maximum branching, and which of them are tied.

    The parent of an event is -1, the root, where it is not the same in all maximum branchings;
    so the result depends neither on the order of the events nor on their names.

    Parameters
    ----------
    weights
        ``[b, i, j]``: weight of i as the parent of j; minus infinity where it is not allowed.
    root_weights
        ``[b, j]``: weight of the root as the parent of j; finite.
    equal
        Branchings whose weights differ by less than this are tied.
    """
    batch, events = root_weights.shape[0], root_weights.shape[1]
    parents = np.empty((batch, events), dtype=np.int64)
    tied = np.zeros((batch, events), dtype=np.uint8)
    found, other = Branching(events), Branching(events)
    room, close = Room(events), CloseEdges(events)
    _fill_certain(weights, root_weights, equal, found, other, room, close, parents, tied)
    return parents, tied.view(np.bool_)


def _fill_certain(
    weights: FloatArray,
    root_weights: FloatArray,
    equal: float,
    found: Branching,
    other: Branching,
    room: Room,
    close: CloseEdges,
    parents: IntArray,
    tied: OctetArray,
) -> None:
    n = room.events
    with cython.nogil:
        for b in range(parents.shape[0]):
            _load(weights, root_weights, b, room)
            _find(room, found)
            for j in range(n):  # each edge loses a little
                room.weights[j, found.parents[j]] -= equal / (2 * n)
            _find(room, other)
            if _note_others(found, other, tied, b):
                _load(weights, root_weights, b, room)
                _fill_losses(room, found, close)
                _fill_lists(close, 2 * equal)
                _add_ambiguous(room, found, other, close, equal, tied, b)
            for j in range(n):
                is_root: cython.bint = tied[b, j] or found.parents[j] == n
                parents[b, j] = -1 if is_root else found.parents[j]


def branching(weights: FloatArray, root_weights: FloatArray) -> IntArray:
    """Return for each matrix the parents in a maximum branching, whether or not they are tied."""
    batch, events = root_weights.shape[0], root_weights.shape[1]
    parents = np.empty((batch, events), dtype=np.int64)
    _fill_branchings(weights, root_weights, Room(events), Branching(events), parents)
    return np.where(parents == events, -1, parents)


def _fill_branchings(
    weights: FloatArray,
    root_weights: FloatArray,
    room: Room,
    found: Branching,
    parents: IntArray,
) -> None:
    with cython.nogil:
        for b in range(parents.shape[0]):
            _load(weights, root_weights, b, room)
            _find(room, found)
            parents[b, :] = found.parents


def _load(weights: FloatArray, root_weights: FloatArray, b: Integer, room: Room) -> None:
    n = room.events
    for j in range(n):
        for i in range(n):
            room.weights[j, i] = weights[b, i, j]
        room.weights[j, n] = root_weights[b, j]


def _note_others(found: Branching, other: Branching, tied: OctetArray, b: Integer) -> bool:
    """Set `tied` where the parents of two branchings differ; return whether any do."""
    differ: cython.bint = False
    for j in range(tied.shape[1]):
        if found.parents[j] != other.parents[j]:
            tied[b, j] = 1
            differ = True
    return differ


def _total_weight(room: Room, found: Branching) -> float:
    total: float = 0.0
    for j in range(room.events):
        total += room.weights[j, found.parents[j]]
    return total


def _add_ambiguous(
    room: Room,
    found: Branching,
    other: Branching,
    close: CloseEdges,
    equal: float,
    tied: OctetArray,
    b: Integer,
) -> None:
    """Add to `tied` all events that have another parent in a tied branching.

    Those that have another one in the rival, which is tied, are there. Of the others, an event can
    have one only if the root reaches it by the edges that are `close` to a maximum branching,
    without that from its parent.
    """
    greatest = _total_weight(room, found)
    for j in range(room.events):
        parent = found.parents[j]
        if tied[b, j] or not _is_reached_without(close, parent, j):
            continue
        kept: float = room.weights[j, parent]
        room.weights[j, parent] = _NEVER if parent == room.events else -_INFINITE
        _find(room, other)
        if _total_weight(room, other) > greatest - equal:
            _note_others(found, other, tied, b)
        room.weights[j, parent] = kept


def _is_reached_without(close: CloseEdges, parent: Integer, event: Integer) -> bool:
    """Return whether the root reaches an event by close edges if one edge into it is removed."""
    root = close.losses.shape[1]
    for j in range(root):
        close.reached[j] = 0
    close.waiting[0] = root
    left: cython.Py_ssize_t = 1
    while left > 0:
        left -= 1
        node = close.waiting[left]
        for at in range(close.starts[node], close.starts[node + 1]):
            end = close.ends[at]
            if end == event:
                if node != parent:
                    return True
            elif not close.reached[end]:
                close.reached[end] = 1
                close.waiting[left] = end
                left += 1
    return False


def _fill_lists(close: CloseEdges, limit: float) -> None:
    """Fill the edges that lose less than a limit."""
    number: cython.Py_ssize_t = 0
    for node in range(close.losses.shape[0]):
        for event in range(close.losses.shape[1]):
            if close.losses[node, event] < limit:
                close.ends[number] = event
                number += 1
        close.starts[node + 1] = number


def _fill_losses(room: Room, found: Branching, close: CloseEdges) -> None:
    """Fill what each edge loses.

    That is the weight of the heaviest edges into all nodes which the edge enters, less its own.
    """
    n, nodes = room.events, found.nodes
    for j in range(n):
        for node in range(nodes):
            close.around[node] = 0
        total: float = 0.0
        at: cython.Py_ssize_t = j
        while at >= 0:
            close.around[at] = 1
            close.entered[at] = total
            total += found.heaviest[at]
            at = found.inside[at]
        for node in range(nodes - 1, -1, -1):
            if not close.around[node]:
                outer = found.inside[node]
                close.entered[node] = close.entered[outer] if outer >= 0 else total
        for i in range(n + 1):
            close.losses[i, j] = close.entered[i] - room.weights[j, i]
        close.losses[j, j] = _INFINITE


def _find(room: Room, found: Branching) -> None:
    """Contract cycles of heaviest edges into new nodes until none is left, then expand them."""
    n = room.events
    _start(room, found)
    for j in range(n):
        _enter(room, found, j)
    for start in range(n):
        at = _row_now(room, start)
        while True:
            while at != n and room.visited[at] == 0:
                room.visited[at] = start + 1
                at = _row_now(room, room.best[at])
            if at == n or room.visited[at] != start + 1:
                break
            _contract(room, found, at)
            room.visited[at] = 0
            _enter(room, found, at)
    _expand(room, found)


def _start(room: Room, found: Branching) -> None:
    """Put each event and the root in a row of its own."""
    n = room.events
    _fill_edges(room.weights, room.into, room.source, room.target)
    for j in range(n + 1):
        room.into[j, j] = -_INFINITE
        room.into[n, j] = -_INFINITE
        room.node[j] = j
        room.row[j] = j
        room.visited[j] = 0
    for k in range(2 * n + 1):
        found.inside[k] = -1
    found.nodes = n + 1


def _fill_edges(
    weights: FloatArray, into: FloatArray, source: NDArray[np.int32], target: NDArray[np.int32]
) -> None:
    for j in range(weights.shape[0]):
        for i in range(weights.shape[1]):
            into[j, i] = weights[j, i]
            source[j, i] = i
            target[j, i] = j


def _expand(room: Room, found: Branching) -> None:
    """Fill the parents: the edge into a contracted node enters one inside it."""
    n = room.events
    for outer in range(found.nodes - 1, n, -1):
        member: cython.Py_ssize_t = room.entry[outer, 1]
        while found.inside[member] != outer:
            member = found.inside[member]
        room.entry[member, 0] = room.entry[outer, 0]
        room.entry[member, 1] = room.entry[outer, 1]
    for j in range(n):
        found.parents[j] = room.entry[j, 0]


def _row_now(room: Room, first: Integer) -> int:
    """Return the row of the active node that contains the node which was in a row at first."""
    now: cython.Py_ssize_t = first
    while room.row[now] != now:
        now = room.row[now]
    while room.row[first] != now:  # the next search is shorter
        following = room.row[first]
        room.row[first] = now
        first = following
    return now


def _enter(room: Room, found: Branching, at: Integer) -> None:
    """Find the heaviest edge into the node of a row."""
    chosen: cython.Py_ssize_t = -1
    greatest: float = -_INFINITE
    for other in range(room.events + 1):
        is_active: cython.bint = room.row[other] == other and other != at
        if is_active and (chosen < 0 or room.into[at, other] > greatest):
            chosen = other
            greatest = room.into[at, other]
    node = room.node[at]
    room.best[at] = chosen
    found.heaviest[node] = greatest
    room.entry[node, 0] = room.source[at, chosen]
    room.entry[node, 1] = room.target[at, chosen]


def _contract(room: Room, found: Branching, keep: Integer) -> None:
    """Contract the cycle through a row, which is kept for the new node.

    Edges into the cycle lose the weight of those they replace.
    """
    new = found.nodes
    found.nodes += 1
    length: cython.Py_ssize_t = 0
    member: cython.Py_ssize_t = keep
    while length == 0 or member != keep:
        room.cycle[length] = member
        length += 1
        member = _row_now(room, room.best[member])
    for k in range(length):
        found.inside[room.node[room.cycle[k]]] = new
        room.row[room.cycle[k]] = keep
    for k in range(length):
        _merge(room, found, room.cycle[k], keep)
    room.node[keep] = new


def _merge(room: Room, found: Branching, member: Integer, keep: Integer) -> None:
    """Give the best edges of a member of a cycle to the row that is kept."""
    replaced: float = found.heaviest[room.node[member]]
    for other in range(room.events + 1):
        if room.row[other] != other or other == keep:
            continue
        gain: float = room.into[member, other] - replaced
        if member == keep:
            room.into[keep, other] = gain
            continue
        if gain > room.into[keep, other]:
            room.into[keep, other] = gain
            room.source[keep, other] = room.source[member, other]
            room.target[keep, other] = room.target[member, other]
        if room.into[other, member] > room.into[other, keep]:
            room.into[other, keep] = room.into[other, member]
            room.source[other, keep] = room.source[other, member]
            room.target[other, keep] = room.target[other, member]
