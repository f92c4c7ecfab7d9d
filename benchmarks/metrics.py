"""Tree edit distances: microseconds each, compared with the clique of networkx and with zss.

    .venv/bin/python benchmarks/metrics.py

Random trees of 20 events by the paper's recipe, and trees with 3 wrong parents; then 200 events.
Our times are calls on a batch, with checks and threads; theirs are of one pair after another.
"""

import sys
import time
from pathlib import Path

import networkx as nx
import numpy as np
import zss

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from caprese import ROOT
from caprese.models.metrics import tree_edit_distances
from shapes import random_forest

PAIRS = 20_000
RIVALS = 50  # pairs for the other programs
NAMES = [f"event {k}" for k in range(200)]


def ancestors(parents):
    above = np.zeros((len(parents), len(parents)), dtype=bool)
    for event in range(len(parents)):
        parent = parents[event]
        while parent != ROOT:
            above[parent, event] = True
            parent = parents[parent]
    return above


def by_networkx(one, other):
    a, b = ancestors(one), ancestors(other)
    same = (a == b) & (a.T == b.T) & ~np.eye(len(a), dtype=bool)
    clique, _ = nx.max_weight_clique(nx.from_numpy_array(same), weight=None)
    return 2 * (len(a) - len(clique))


def as_zss(parents):
    nodes = [zss.Node(name) for name in NAMES[: len(parents)]]
    top = zss.Node("root")
    for event in np.argsort(NAMES[: len(parents)]):
        (top if parents[event] == ROOT else nodes[parents[event]]).addkid(nodes[event])
    return top


def by_zss(one, other):
    return zss.simple_distance(as_zss(one), as_zss(other), label_dist=lambda a, b: int(a != b))


def spoiled(rng, parents, wrong):
    """Return the forest with this number of subtrees moved to another parent."""
    parents = parents.copy()
    while wrong:
        event, parent = rng.integers(len(parents)), rng.integers(ROOT, len(parents))
        above = parent
        while above not in (ROOT, event):
            above = parents[above]
        if above == ROOT and parent != parents[event]:
            parents[event] = parent
            wrong -= 1
    return parents


def microseconds(work, pairs, repeats):
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = work()
        taken.append(time.perf_counter() - start)
    return 1e6 * min(taken) / pairs, result


def compare(title, one, other, rival_name="", rival=None, **options):
    names = NAMES[: one.shape[1]]
    tree_edit_distances(one[0], one[1], names, **options)  # compile or load
    ours, found = microseconds(
        lambda: tree_edit_distances(one, other, names, **options), len(one), 3
    )
    line = f"  {title:34s} mean {found.mean():6.1f}  {ours:9.2f} us"
    if rival is not None:
        few = list(zip(one[:RIVALS], other[:RIVALS], strict=True))
        theirs, expected = microseconds(lambda: [rival(*pair) for pair in few], len(few), 1)
        assert found[:RIVALS].tolist() == expected
        line += f"  {rival_name} {theirs:9.0f} us  ratio {theirs / ours:7.0f}"
    print(line)


def main():
    rng = np.random.default_rng(1)
    trees = np.array([random_forest(rng, 20).parents for _ in range(PAIRS)])
    near = np.array([spoiled(rng, parents, 3) for parents in trees])
    others = np.roll(trees, 1, axis=0)
    print(f"20 events, {PAIRS} pairs")
    for kind, pair in (("random pairs", (trees, others)), ("3 wrong parents", (trees, near))):
        compare(f"unordered, {kind}", *pair, "networkx", by_networkx)
        compare(f"ordered, {kind}", *pair, "zss", by_zss, ordered=True)
    compare("unordered, one truth for all", trees, trees[0])
    large = np.array([random_forest(rng, 200).parents for _ in range(50)])
    print("200 events, 50 pairs")
    for wrong in (3, 30, 100):
        near = np.array([spoiled(rng, parents, wrong) for parents in large])
        compare(f"unordered, {wrong} wrong parents", large, near)
    others = np.roll(large, 1, axis=0)
    compare("unordered, random pairs", large, others)
    compare("ordered, random pairs", large, others, ordered=True)


if __name__ == "__main__":
    main()
