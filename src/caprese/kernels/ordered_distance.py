"""Ordered tree edit distance (Zhang and Shasha), many pairs of forests in one call.

Deleting, inserting or renaming an event costs 1. The trees of a forest are placed under a common
root; matching the two roots costs nothing and never increases the rest.
"""

import cython
import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import IntArray, Integer


class Tree:
    """A forest under a common root, in postorder.

    Attributes
    ----------
    events
        The event at each position; the root has the number after the last one.
    leftmost
        The position of the leftmost leaf below each position.
    keyroots
        The positions of nodes that are not a first child, `keys` of them.
    child, sibling, up, place
        For each node its first child, next sibling, parent and position.
    """

    def __init__(self, n: Integer) -> None:
        self.keys = 0
        self.events: IntArray = np.empty(n + 1, dtype=np.int64)
        self.leftmost: IntArray = np.empty(n + 1, dtype=np.int64)
        self.keyroots: IntArray = np.empty(n + 1, dtype=np.int64)
        self.child: IntArray = np.empty(n + 1, dtype=np.int64)
        self.sibling: IntArray = np.empty(n + 1, dtype=np.int64)
        self.up: IntArray = np.empty(n + 1, dtype=np.int64)
        self.place: IntArray = np.empty(n + 1, dtype=np.int64)


class Distances:
    """The distances of all subtrees of two trees, and those of the forests of two of them.

    ``forests[x, y]`` is the distance of the first x nodes of one from the first y of the other.
    """

    def __init__(self, n: Integer) -> None:
        self.trees: NDArray[np.int32] = np.empty((n + 1, n + 1), dtype=np.int32)
        self.forests: NDArray[np.int32] = np.empty((n + 2, n + 2), dtype=np.int32)


def edit_distances(parents: IntArray, others: IntArray, by_rank: IntArray) -> IntArray:
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
    n = parents.shape[1]
    result = np.empty(parents.shape[0], dtype=np.int64)
    _fill_distances(parents, others, by_rank, Tree(n), Tree(n), Distances(n), result)
    return result


def _fill_distances(
    parents: IntArray,
    others: IntArray,
    by_rank: IntArray,
    one: Tree,
    other: Tree,
    distances: Distances,
    result: IntArray,
) -> None:
    n = parents.shape[1]
    with cython.nogil:
        for b in range(parents.shape[0]):
            if b < others.shape[0]:
                _fill_tree(other, others, b, by_rank)
            if _are_equal(parents, others, b):
                result[b] = 0
                continue
            _fill_tree(one, parents, b, by_rank)
            for i in range(one.keys):
                for j in range(other.keys):
                    _compare(one, other, one.keyroots[i], other.keyroots[j], distances)
            result[b] = distances.trees[n, n]


def _are_equal(parents: IntArray, others: IntArray, b: Integer) -> bool:
    row = b if others.shape[0] > 1 else 0
    different: cython.longlong = 0
    for j in range(parents.shape[1]):
        different |= parents[b, j] ^ others[row, j]
    return different == 0


def _fill_tree(tree: Tree, parents: IntArray, b: Integer, by_rank: IntArray) -> None:
    """Fill the tree of a forest."""
    n = parents.shape[1]  # also the number of the root
    _link(tree, parents, b, by_rank)
    here: cython.Py_ssize_t = n
    done: cython.Py_ssize_t = 0
    entered: cython.bint = True
    tree.keys = 0
    while done <= n:
        if entered:
            while tree.child[here] >= 0:
                here = tree.child[here]
        child = tree.child[here]
        tree.events[done] = here
        tree.place[here] = done
        tree.leftmost[done] = tree.leftmost[tree.place[child]] if child >= 0 else done
        if here == n or tree.child[tree.up[here]] != here:
            tree.keyroots[tree.keys] = done
            tree.keys += 1
        done += 1
        entered = tree.sibling[here] >= 0
        here = tree.sibling[here] if entered else tree.up[here]


def _link(tree: Tree, parents: IntArray, b: Integer, by_rank: IntArray) -> None:
    """Fill children, siblings and parents."""
    n = parents.shape[1]
    for k in range(n + 1):
        tree.child[k] = -1
    tree.sibling[n] = -1
    tree.up[n] = -1
    for k in range(n - 1, -1, -1):  # each is put before those of higher rank
        event = by_rank[k]
        parent: cython.Py_ssize_t = parents[b, event] if parents[b, event] >= 0 else n
        tree.sibling[event] = tree.child[parent]
        tree.child[parent] = event
        tree.up[event] = parent


def _compare(
    one: Tree, other: Tree, top: Integer, top_other: Integer, distances: Distances
) -> None:
    """Fill the distances of the subtrees that start at the same leaf as these two."""
    start, start_other = one.leftmost[top], other.leftmost[top_other]
    if start == top and start_other == top_other:  # two leaves, as most pairs of keyroots
        distances.trees[top, top_other] = one.events[top] != other.events[top_other]
        return
    for x in range(top - start + 2):
        distances.forests[x, 0] = x
    for y in range(top_other - start_other + 2):
        distances.forests[0, y] = y
    for a in range(start, top + 1):
        _fill_row(one, other, start, start_other, a, top_other, distances)


def _fill_row(
    one: Tree,
    other: Tree,
    start: Integer,
    start_other: Integer,
    a: Integer,
    top_other: Integer,
    distances: Distances,
) -> None:
    """Fill the distances of the forest of one that ends at position a."""
    x, event, leaf = a - start, one.events[a], one.leftmost[a]
    best: cython.int = x + 1
    for b in range(start_other, top_other + 1):
        y, leaf_other = b - start_other, other.leftmost[b]
        best = min(best, distances.forests[x, y + 1]) + 1
        if leaf == start and leaf_other == start_other:
            renamed: cython.int = event != other.events[b]
            best = min(best, distances.forests[x, y] + renamed)
            distances.trees[a, b] = best
        else:
            before: cython.int = distances.forests[leaf - start, leaf_other - start_other]
            best = min(best, before + distances.trees[a, b])
        distances.forests[x + 1, y + 1] = best
