"""Maximum branching (Chu-Liu, Edmonds) on dense weights, many matrices in one call."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
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
        parents[b] = branching(weights[b], root_weights[b])
        if _has_rival(weights[b], root_weights[b], parents[b], equal / (2 * n)):
            tied[b] = _ambiguous(weights[b], root_weights[b], parents[b], equal)
            for j in range(n):
                if tied[b, j]:
                    parents[b, j] = -1
    return parents, tied


@njit(cache=True, nogil=True)
def total_weight(weights, root_weights, parents):  # type: ignore[no-untyped-def]
    """Return the weight of a branching."""
    total = 0.0
    for j in range(len(parents)):
        total += root_weights[j] if parents[j] < 0 else weights[parents[j], j]
    return total


@njit(cache=True, nogil=True)
def _has_rival(weights, root_weights, parents, little):  # type: ignore[no-untyped-def]
    """Return whether another branching is heavier once each edge of this one loses a little."""
    lower, lower_root = weights.copy(), root_weights.copy()
    for j in range(len(parents)):
        if parents[j] < 0:
            lower_root[j] -= little
        else:
            lower[parents[j], j] -= little
    return (branching(lower, lower_root) != parents).any()


@njit(cache=True, nogil=True)
def _ambiguous(weights, root_weights, parents, equal):  # type: ignore[no-untyped-def]
    """Return which events have another parent in a tied branching."""
    heaviest_total = total_weight(weights, root_weights, parents)
    tied = np.zeros(len(parents), dtype=np.bool_)
    for j in range(len(parents)):
        without, without_root = weights.copy(), root_weights.copy()
        if parents[j] < 0:
            without_root[j] = -1e300
        else:
            without[parents[j], j] = -np.inf
        rival = branching(without, without_root)
        tied[j] = total_weight(without, without_root, rival) > heaviest_total - equal
    return tied


@njit(cache=True, nogil=True)
def branching(weights, root_weights):  # type: ignore[no-untyped-def]
    """Contract cycles of heaviest edges into new nodes until none is left, then expand them.

    Node n is the root; contracted nodes have the numbers after it. For each pair of active nodes,
    `weight` is that of the best edge between them and `source`, `target` are its original ends.
    """
    n = len(root_weights)
    most = 2 * n + 1
    weight = np.full((most, most), -np.inf)
    source = np.zeros((most, most), dtype=np.int64)
    target = np.zeros((most, most), dtype=np.int64)
    for j in range(n):
        for i in range(n):
            if i != j:
                weight[i, j] = weights[i, j]
                source[i, j], target[i, j] = i, j
        weight[n, j] = root_weights[j]
        source[n, j], target[n, j] = n, j
    active = np.zeros(most, dtype=np.bool_)
    active[: n + 1] = True
    inside = np.full(most, -1)  # the contracted node that contains a node
    best = np.full(most, -1)  # where the heaviest edge into a node comes from
    entry = np.zeros((most, 2), dtype=np.int64)  # and its original ends
    for j in range(n):
        best[j] = _heaviest(weight, active, j, n + 1)
        entry[j, 0], entry[j, 1] = source[best[j], j], target[best[j], j]
    visited = np.zeros(most, dtype=np.int64)  # the path on which a node was visited
    nodes = n + 1
    for start in range(n):
        node = _outermost(inside, start)
        while True:
            while node != n and visited[node] == 0:
                visited[node] = start + 1
                node = _outermost(inside, best[node])
            if node == n or visited[node] != start + 1:
                break
            _contract(weight, source, target, active, inside, best, node, nodes)
            node = nodes
            nodes += 1
            best[node] = _heaviest(weight, active, node, nodes)
            entry[node, 0], entry[node, 1] = source[best[node], node], target[best[node], node]
    for node in range(nodes - 1, n, -1):  # the edge into a contracted node enters one inside it
        member = entry[node, 1]
        while inside[member] != node:
            member = inside[member]
        entry[member, 0], entry[member, 1] = entry[node, 0], entry[node, 1]
    parents = np.empty(n, dtype=np.int64)
    for j in range(n):
        parents[j] = entry[j, 0] if entry[j, 0] != n else -1
    return parents


@njit(cache=True, nogil=True)
def _outermost(inside, node):  # type: ignore[no-untyped-def]
    while inside[node] >= 0:
        node = inside[node]
    return node


@njit(cache=True, nogil=True)
def _heaviest(weight, active, node, nodes):  # type: ignore[no-untyped-def]
    best = -1
    for other in range(nodes):
        if (
            active[other]
            and other != node
            and (best < 0 or weight[other, node] > weight[best, node])
        ):
            best = other
    return best


@njit(cache=True, nogil=True)
def _contract(weight, source, target, active, inside, best, node, new):  # type: ignore[no-untyped-def]
    """Contract the cycle through `node`; edges into it lose the weight of those they replace."""
    member = node
    while inside[member] < 0:
        before = best[member]
        while inside[before] >= 0 and inside[before] != new:
            before = inside[before]
        inside[member], active[member] = new, False
        for other in range(new):
            if active[other]:
                gain = weight[other, member] - weight[before, member]
                if gain > weight[other, new]:
                    weight[other, new] = gain
                    source[other, new] = source[other, member]
                    target[other, new] = target[other, member]
                if weight[member, other] > weight[new, other]:
                    weight[new, other] = weight[member, other]
                    source[new, other] = source[member, other]
                    target[new, other] = target[member, other]
        member = before
    active[new] = True
