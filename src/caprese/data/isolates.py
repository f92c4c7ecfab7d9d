"""Isolates: a tree of them as pairs of an ancestor and a descendant, one pair for each branch.

Events stay, so the states of ancestors are those of Camin and Sokal's parsimony: an ancestor has an
event if all isolates below it have it. Then each event comes as few times as its absence at the
root and in the isolates allows, and never is lost.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import FloatArray, IntArray
from caprese._core.names import numbered
from caprese.data.dataset import Dataset
from caprese.data.patients import Patients

_SHORT = 0.01  # of the shortest branch: a branch without length on which events came


@dataclass(frozen=True)
class IsolateTree:
    """A rooted tree.

    Parameters
    ----------
    names
        Of each node; empty where it has none.
    parents
        The parent of each node, which comes before it; -1 of the root, the first node.
    lengths
        Of the branch above each node; NaN where it has none.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    lengths: FloatArray

    @property
    def tips(self) -> IntArray:
        """The nodes without children."""
        return np.setdiff1d(np.arange(len(self.parents)), self.parents)


def isolate_pairs(data: Dataset, tree: IsolateTree, rows: Sequence[int]) -> Dataset:
    """Return each branch of a tree as a series of two samples: the ancestor and the descendant.

    The ancestor is given: what came before it counts once, in the branches above. So are all
    reconstructed states, in the sense that they are no samples of their own.

    Parameters
    ----------
    data
        The isolates.
    tree
        Their tree.
    rows
        The sample of each tip of the tree, in the order of `IsolateTree.tips`.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 1], [1, 0], [0, 0]], events="ab", samples=["x", "y", "z"])
    >>> names, lengths = ("", "", "z", "x", "y"), np.array([np.nan, 1, 3, 2, 2])
    >>> tree = IsolateTree(names, (-1, 0, 0, 1, 1), lengths)
    >>> pairs = isolate_pairs(data, tree, [2, 0, 1])
    >>> pairs.samples, pairs.values.astype(int).tolist()
    (('node 1 to node 2', 'node 2', 'node 1 to z', 'z', 'node 2 to x', 'x', 'node 2 to y', 'y'), \
[[0, 0], [1, 0], [0, 0], [0, 0], [1, 0], [1, 1], [1, 0], [1, 0]])
    >>> pairs.patients.times.tolist()
    [0.0, 1.0, 0.0, 3.0, 0.0, 2.0, 0.0, 2.0]
    """
    tips = tree.tips
    states = ancestral_states(tree, data.codes()[np.asarray(rows, dtype=np.int64)])
    names, inner = list(tree.names), np.setdiff1d(np.arange(len(tree.parents)), tips)
    for number, node in enumerate(inner.tolist(), start=1):
        names[node] = names[node] or f"node {number}"
    for node, row in zip(tips.tolist(), rows, strict=True):
        names[node] = data.samples[row]
    lengths = _times(tree, states)
    branches = np.arange(1, len(tree.parents))
    ends = np.column_stack([np.array(tree.parents)[1:], branches]).ravel()
    codes = states[ends]
    samples = [
        name
        for node in branches.tolist()
        for name in (f"{names[tree.parents[node]]} to {names[node]}", names[node])
    ]
    times = np.column_stack([np.zeros(len(branches)), lengths[1:]]).ravel()
    given = np.column_stack([np.ones(len(branches), bool), np.isin(branches, inner)]).ravel()
    owners = tuple(names[node] for node in branches.tolist() for _ in range(2))
    patients = Patients(_numbered_pairs(owners), times=times, given=given)
    return Dataset(codes == 1, data.events, numbered(samples), codes < 2, patients=patients)


def _numbered_pairs(owners: tuple[str, ...]) -> tuple[str, ...]:
    """Return names of branches, of which each is there twice, so that no two have the same."""
    once = numbered(owners[::2])
    return tuple(name for name in once for _ in range(2))


def ancestral_states(tree: IsolateTree, tips: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the state of each node: 0 absent, 1 present, 2 unknown.

    The root has no events, unless all isolates have them: then nobody can tell, and they are there.

    Examples
    --------
    >>> tree = IsolateTree(("", "", "z", "x", "y"), (-1, 0, 0, 1, 1), np.full(5, np.nan))
    >>> ancestral_states(tree, np.array([[0, 0], [1, 1], [1, 2]], dtype=np.uint8)).tolist()
    [[0, 0], [1, 1], [0, 0], [1, 1], [1, 2]]
    """
    nodes = len(tree.parents)
    absent = np.zeros((nodes, tips.shape[1]), dtype=bool)
    present = np.zeros_like(absent)
    absent[tree.tips], present[tree.tips] = tips == 0, tips == 1
    for node in range(nodes - 1, 0, -1):
        absent[tree.parents[node]] |= absent[node]
        present[tree.parents[node]] |= present[node]
    return np.where(absent, 0, np.where(present, 1, 2)).astype(np.uint8)


def _times(tree: IsolateTree, states: NDArray[np.uint8]) -> FloatArray:
    """Return how long each branch is; 1 if no branch has a length, so that only its order is told.

    One without length on which events came is a hundredth of the shortest of the others.
    """
    own = tree.lengths[1:]
    if np.isnan(own).all():
        return np.ones(len(tree.parents))
    least = own[own > 0].min(initial=np.inf)
    changed = (states != states[np.array(tree.parents)]).any(axis=1)
    short = (tree.lengths == 0) & changed
    return np.where(short, _SHORT * (least if np.isfinite(least) else 1.0), tree.lengths)
