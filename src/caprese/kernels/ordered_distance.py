"""Ordered tree edit distance (Zhang and Shasha), many pairs of forests in one call.

Deleting, inserting or renaming an event costs 1. The trees of a forest are placed under a common
root; matching the two roots costs nothing and never increases the rest.
"""

import numpy as np

from caprese.kernels.compiling import kernel
from caprese.kernels.posets import equal


@kernel
def edit_distances(parents, others, by_rank):  # type: ignore[no-untyped-def]
    """Return for each pair of forests the fewest edits that turn one into the other.

    Parameters
    ----------
    parents
        ``[b, j]``: the parent of j, or -1; no cycles.
    others
        ``[b, j]``, or ``[1, j]`` where all are compared with the same forest.
    by_rank
        The events in the order of siblings.

    References
    ----------
    K. Zhang, D. Shasha (1989). Simple fast algorithms for the editing distance between trees and
    related problems. SIAM Journal on Computing 18:1245.
    """
    batch, n = parents.shape
    result = np.empty(batch, dtype=np.int64)
    links = np.empty((4, n + 1), dtype=np.int64)
    one = np.empty((3, n + 1), dtype=np.int64)
    other = np.empty((3, n + 1), dtype=np.int64)
    trees = np.empty((n + 1, n + 1), dtype=np.int32)
    forests = np.empty((n + 2, n + 2), dtype=np.int32)
    keys_other = 0
    for b in range(batch):
        if b < len(others):
            keys_other = _postorder(others[b], by_rank, links, other)
        if equal(parents[b], others[b if len(others) > 1 else 0]):
            result[b] = 0
            continue
        keys = _postorder(parents[b], by_rank, links, one)
        for i in range(keys):
            for j in range(keys_other):
                _compare(one, other, one[2, i], other[2, j], trees, forests)
        result[b] = trees[n, n]
    return result


@kernel
def _postorder(parents, by_rank, links, tree):  # type: ignore[no-untyped-def]
    """Fill the events in postorder, the position of the leftmost leaf of each, and the keyroots.

    Returns the number of keyroots, the positions of nodes that are not a first child.
    """
    n = len(parents)  # also the number of the root
    child, sibling, up, place = links[0], links[1], links[2], links[3]
    events, leftmost, keyroots = tree[0], tree[1], tree[2]
    for k in range(n + 1):
        child[k] = -1
    sibling[n], up[n] = -1, -1
    for k in range(n - 1, -1, -1):  # each is put before those of higher rank
        event = by_rank[k]
        parent = parents[event] if parents[event] >= 0 else n
        sibling[event], child[parent], up[event] = child[parent], event, parent
    here, done, keys = n, 0, 0
    entered = True
    while done <= n:
        if entered:
            while child[here] >= 0:
                here = child[here]
        events[done], place[here] = here, done
        leftmost[done] = leftmost[place[child[here]]] if child[here] >= 0 else done
        if here == n or child[up[here]] != here:
            keyroots[keys] = done
            keys += 1
        done += 1
        entered = sibling[here] >= 0
        here = sibling[here] if entered else up[here]
    return keys


@kernel
def _compare(one, other, top, top_other, trees, forests):  # type: ignore[no-untyped-def]
    """Fill the distances of the subtrees that start at the same leaf as these two.

    ``forests[x, y]`` is the distance of the first x nodes of one from the first y of the other.
    """
    start, start_other = one[1, top], other[1, top_other]
    if start == top and start_other == top_other:  # two leaves, as most pairs of keyroots
        trees[top, top_other] = one[0, top] != other[0, top_other]
        return
    for x in range(top - start + 2):
        forests[x, 0] = x
    for y in range(top_other - start_other + 2):
        forests[0, y] = y
    for a in range(start, top + 1):
        x, event, leaf = a - start, one[0, a], one[1, a]
        best = x + 1
        for b in range(start_other, top_other + 1):
            y, leaf_other = b - start_other, other[1, b]
            best = min(best, forests[x, y + 1]) + 1
            if leaf == start and leaf_other == start_other:
                best = min(best, forests[x, y] + (event != other[0, b]))
                trees[a, b] = best
            else:
                before = forests[leaf - start, leaf_other - start_other]
                best = min(best, before + trees[a, b])
            forests[x + 1, y + 1] = best
