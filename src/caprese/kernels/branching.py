"""Maximum branching (Chu-Liu, Edmonds) on dense weights, many matrices in one call."""

import numpy as np

from caprese.kernels.arrays import copy_into, fill
from caprese.kernels.compiling import kernel


@kernel
def certain_parents(weights, root_weights, equal):  # type: ignore[no-untyped-def]
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
    batch, n = root_weights.shape
    parents = np.empty((batch, n), dtype=np.int64)
    tied = np.zeros((batch, n), dtype=np.bool_)
    for b in range(batch):
        found, inside, heaviest = _branching(weights[b], root_weights[b])
        copy_into(parents[b], found)
        rival = _rival(weights[b], root_weights[b], found, equal / (2 * n))
        if _note_others(tied[b], rival, found):
            losses = _losses(weights[b], root_weights[b], inside, heaviest)
            close = _lists(losses, 2 * equal)
            _add_ambiguous(weights[b], root_weights[b], found, close, tied[b], equal)
            for j in range(n):
                if tied[b, j]:
                    parents[b, j] = -1
    return parents, tied


@kernel
def _note_others(tied, parents, others):  # type: ignore[no-untyped-def]
    """Set `tied` where the parents of two branchings differ; return whether any do."""
    differ = False
    for j in range(len(parents)):
        if parents[j] != others[j]:
            differ = tied[j] = True
    return differ


@kernel
def branching(weights, root_weights):  # type: ignore[no-untyped-def]
    """Return the parents in a maximum branching."""
    return _branching(weights, root_weights)[0]


@kernel
def total_weight(weights, root_weights, parents):  # type: ignore[no-untyped-def]
    """Return the weight of a branching."""
    total = 0.0
    for j in range(len(parents)):
        total += root_weights[j] if parents[j] < 0 else weights[parents[j], j]
    return total


@kernel
def _rival(weights, root_weights, parents, little):  # type: ignore[no-untyped-def]
    """Return the heaviest branching once each edge of this one loses a little."""
    lower, lower_root = weights.copy(), root_weights.copy()
    for j in range(len(parents)):
        if parents[j] < 0:
            lower_root[j] -= little
        else:
            lower[parents[j], j] -= little
    return branching(lower, lower_root)


@kernel
def _add_ambiguous(weights, root_weights, parents, close, tied, equal):  # type: ignore[no-untyped-def]
    """Add to `tied` all events that have another parent in a tied branching.

    Those that have another one in the rival, which is tied, are there. Of the others, an event can
    have one only if the root reaches it by the edges that are `close` to a maximum branching,
    without that from its parent.
    """
    n = len(parents)
    heaviest_total = total_weight(weights, root_weights, parents)
    without, without_root = weights.copy(), root_weights.copy()
    for j in range(n):
        above = parents[j] if parents[j] >= 0 else n
        if tied[j] or not _reached_without(close, above, j):
            continue
        kept = root_weights[j] if above == n else weights[above, j]
        if above == n:
            without_root[j] = -1e300
        else:
            without[above, j] = -np.inf
        other = branching(without, without_root)
        if total_weight(without, without_root, other) > heaviest_total - equal:
            _note_others(tied, other, parents)
        if above == n:
            without_root[j] = kept
        else:
            without[above, j] = kept


@kernel
def _lists(losses, limit):  # type: ignore[no-untyped-def]
    """Return the edges that lose less than a limit: their ends, by the node that they start from.

    Those from node i are at ``starts[i]`` to ``starts[i + 1]``.
    """
    starts, ends = np.zeros(len(losses) + 1, np.int64), np.empty(losses.size, np.int64)
    number = 0
    for node in range(len(losses)):
        for other in range(losses.shape[1]):
            if losses[node, other] < limit:
                ends[number] = other
                number += 1
        starts[node + 1] = number
    return starts, ends


@kernel
def _reached_without(edges, parent, event):  # type: ignore[no-untyped-def]
    """Return whether the root, the last node, reaches an event if one edge into it is removed."""
    starts, ends = edges
    n = len(starts) - 2
    reached = np.zeros(n, dtype=np.bool_)
    waiting = np.empty(n + 1, dtype=np.int64)
    waiting[0] = n
    left = 1
    while left > 0:
        left -= 1
        node = waiting[left]
        for at in range(starts[node], starts[node + 1]):
            other = ends[at]
            if other == event:
                if node != parent:
                    return True
            elif not reached[other]:
                reached[other] = True
                waiting[left] = other
                left += 1
    return False


@kernel
def _branching(weights, root_weights):  # type: ignore[no-untyped-def]
    """Contract cycles of heaviest edges into new nodes until none is left, then expand them.

    Returns the parents; for each node the contracted node that contains it, -1 for none; and the
    weight of the heaviest edge into each node, less that of the edges it would replace.

    Node n is the root; contracted nodes have the numbers after it. Active nodes have a row each:
    a contracted one takes that of a member. ``into[r, s]`` is the weight of the best edge from the
    node in row s to that in row r; `source`, `target` are its original ends.
    """
    n = len(root_weights)
    into = np.empty((n + 1, n + 1))
    source = np.empty((n + 1, n + 1), dtype=np.int32)
    target = np.empty((n + 1, n + 1), dtype=np.int32)
    for j in range(n + 1):
        fill(into[j], -np.inf)
        for i in range(n + 1):
            source[j, i], target[j, i] = i, j
            if i != j and j < n:
                into[j, i] = weights[i, j] if i < n else root_weights[j]
    node = np.empty(n + 1, dtype=np.int64)  # the node in a row
    row = np.empty(n + 1, dtype=np.int64)  # where the node that was in a row is now
    for j in range(n + 1):
        node[j] = row[j] = j
    inside = np.empty(2 * n + 1, dtype=np.int64)
    fill(inside, -1)
    best = np.empty(n + 1, dtype=np.int64)  # the row that the heaviest edge into a row comes from
    heaviest = np.zeros(2 * n + 1)  # its weight, for each node
    entry = np.zeros((2 * n + 1, 2), dtype=np.int64)  # and its original ends
    for j in range(n):
        _enter(into, source, target, row, node, best, heaviest, entry, j)
    visited = np.zeros(n + 1, dtype=np.int64)  # the path on which a row was visited
    cycle = np.empty(n, dtype=np.int64)
    nodes = n + 1
    for start in range(n):
        at = _row_now(row, start)
        while True:
            while at != n and visited[at] == 0:
                visited[at] = start + 1
                at = _row_now(row, best[at])
            if at == n or visited[at] != start + 1:
                break
            _contract(into, source, target, row, node, inside, best, heaviest, cycle, at, nodes)
            nodes += 1
            visited[at] = 0
            _enter(into, source, target, row, node, best, heaviest, entry, at)
    for outer in range(nodes - 1, n, -1):  # the edge into a contracted node enters one inside it
        member = entry[outer, 1]
        while inside[member] != outer:
            member = inside[member]
        entry[member, 0], entry[member, 1] = entry[outer, 0], entry[outer, 1]
    parents = np.empty(n, dtype=np.int64)
    for j in range(n):
        parents[j] = entry[j, 0] if entry[j, 0] != n else -1
    return parents, inside[:nodes], heaviest[:nodes]


@kernel
def _row_now(row, first):  # type: ignore[no-untyped-def]
    """Return the row of the active node that contains the node which was in a row at first."""
    now = first
    while row[now] != now:
        now = row[now]
    while row[first] != now:  # the next search is shorter
        row[first], first = now, row[first]
    return now


@kernel
def _enter(into, source, target, row, node, best, heaviest, entry, at):  # type: ignore[no-untyped-def]
    """Find the heaviest edge into the node of a row."""
    chosen = -1
    for other in range(len(row)):
        if (
            row[other] == other
            and other != at
            and (chosen < 0 or into[at, other] > into[at, chosen])
        ):
            chosen = other
    best[at], heaviest[node[at]] = chosen, into[at, chosen]
    entry[node[at], 0], entry[node[at], 1] = source[at, chosen], target[at, chosen]


@kernel
def _contract(into, source, target, row, node, inside, best, heaviest, cycle, keep, new):  # type: ignore[no-untyped-def]
    """Contract the cycle through a row, which is kept for the new node.

    Edges into the cycle lose the weight of those they replace.
    """
    length, member = 0, keep
    while length == 0 or member != keep:
        cycle[length] = member
        length += 1
        member = _row_now(row, best[member])
    for k in range(length):
        inside[node[cycle[k]]], row[cycle[k]] = new, keep
    for k in range(length):
        member = cycle[k]
        replaced = heaviest[node[member]]
        for other in range(len(row)):
            if row[other] != other or other == keep:
                continue
            gain = into[member, other] - replaced
            if member == keep:
                into[keep, other] = gain
                continue
            if gain > into[keep, other]:
                into[keep, other] = gain
                source[keep, other] = source[member, other]
                target[keep, other] = target[member, other]
            if into[other, member] > into[other, keep]:
                into[other, keep] = into[other, member]
                source[other, keep] = source[other, member]
                target[other, keep] = target[other, member]
    node[keep] = new


@kernel
def _losses(weights, root_weights, inside, heaviest):  # type: ignore[no-untyped-def]
    """Return what each edge loses: no branching that holds it is closer to the maximum.

    That is the weight of the heaviest edges into all nodes which the edge enters, less its own.
    Row i, column j is the edge from i to j; the last row is the root.
    """
    n, nodes = len(root_weights), len(inside)
    losses = np.empty((n + 1, n))
    entered = np.empty(nodes)  # by an edge from inside this node to j: their heaviest edges
    for j in range(n):
        fill(entered, -1.0)
        around = np.zeros(nodes, dtype=np.bool_)
        total, node = 0.0, j
        while node >= 0:
            around[node], entered[node] = True, total
            total += heaviest[node]
            node = inside[node]
        for node in range(nodes - 1, -1, -1):
            if not around[node]:
                entered[node] = entered[inside[node]] if inside[node] >= 0 else total
        for i in range(n):
            losses[i, j] = entered[i] - weights[i, j]
        losses[n, j] = entered[n] - root_weights[j]
        losses[j, j] = np.inf
    return losses
