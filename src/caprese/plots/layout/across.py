"""The places of nodes across their rows.

Trees are tidy: subtrees are as close as their outlines allow (the idea of Reingold and Tilford,
1981). Other graphs are layered (the scheme of Sugiyama et al., 1981): an edge that passes a row is
a node of that row, so that no other node is in its way; rows are sorted so that few edges cross;
then each node is moved towards the middle of its neighbours.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from caprese._core.arrays import FloatArray, IntArray

Edge = tuple[int, int]

_COUSINS = 1.8  # the gap between cousins, in gaps between siblings
_PASSING = 8.0  # width of an edge that passes a row
_SWEEPS = 12
_STIFFNESS = 16  # weight of keeping a passing edge straight; that of an edge to a node is 1


def tidy(children: Sequence[Sequence[int]], root: int, sizes: FloatArray, gap: float) -> FloatArray:
    """Return the middle of each node of a tree.

    A parent is centred over its first and last child; equal subtrees have the same shape. Sizes are
    across the rows; `gap` is the smallest distance between siblings.
    """
    order = [root]
    for node in order:  # which grows in the loop
        order.extend(children[node])
    shift = np.zeros(len(sizes))  # from the parent; in the end, from the left
    outlines: dict[int, FloatArray] = {}  # left and right ends of each row, from the node's middle
    for node in reversed(order):
        below = [outlines.pop(child) for child in children[node]]
        offsets = _side_by_side(below, gap)
        shift[list(children[node])] = offsets
        own = np.array([[-sizes[node] / 2, sizes[node] / 2]])
        outlines[node] = np.vstack([own, _around(below, offsets)])
    shift[root] = -outlines[root][:, 0].min()
    for node in order:
        shift[list(children[node])] += shift[node]
    return shift


def _side_by_side(outlines: Sequence[FloatArray], gap: float) -> FloatArray:
    """Return the places of the roots of subtrees; 0 is the middle of the first and the last."""
    offsets: list[float] = []
    right = np.zeros(0)
    for outline in outlines:
        rows = min(len(right), len(outline))
        gaps = np.where(np.arange(rows) == 0, gap, _COUSINS * gap)
        offset = float(np.max(right[:rows] + gaps - outline[:rows, 0], initial=-np.inf))
        offset = offset if offsets else 0.0
        offsets.append(offset)
        right = np.concatenate([outline[:, 1] + offset, right[len(outline) :]])
    if not offsets:
        return np.zeros(0)
    return np.array(offsets) - (offsets[0] + offsets[-1]) / 2


def _around(outlines: Sequence[FloatArray], offsets: FloatArray) -> FloatArray:
    """Return the outline of subtrees side by side."""
    rows = max(map(len, outlines), default=0)
    around = np.column_stack([np.full(rows, np.inf), np.full(rows, -np.inf)])
    for outline, offset in zip(outlines, offsets, strict=True):
        part = around[: len(outline)]
        part[:, 0] = np.minimum(part[:, 0], outline[:, 0] + offset)
        part[:, 1] = np.maximum(part[:, 1], outline[:, 1] + offset)
    return around


@dataclass(frozen=True)
class _Graph:
    """Rows of nodes, with edges between neighbouring rows only."""

    rows: list[list[int]]
    links: list[IntArray]  # between each row and the next, as pairs
    passing: dict[Edge, list[int]]
    sizes: FloatArray


def layered(
    edges: Sequence[Edge], layer: IntArray, sizes: FloatArray, gap: float
) -> tuple[FloatArray, dict[Edge, FloatArray]]:
    """Return the middle of each node across its row, and where long edges pass the rows between.

    Each `layer` is the row of a node. Siblings are in the order of the edges; sizes are across the
    rows, and `gap` is the smallest distance between two nodes of a row.
    """
    graph = _in_order(_graph(edges, layer, sizes))
    middle = _settled(graph, len(sizes), gap)
    bends = {edge: middle[nodes] for edge, nodes in graph.passing.items()}
    return middle[: len(sizes)], bends


def _graph(edges: Sequence[Edge], layer: IntArray, sizes: FloatArray) -> _Graph:
    rows: list[list[int]] = [[] for _ in range(int(layer.max()) + 1)]
    links: list[list[Edge]] = [[] for _ in rows]
    passing: dict[Edge, list[int]] = {}
    placed, fresh = set(), len(sizes)
    for parent, child in edges:
        between = list(range(layer[parent] + 1, layer[child]))
        nodes = list(range(fresh, fresh + len(between)))
        fresh += len(between)
        passing[parent, child] = nodes
        for row, node in zip(between, nodes, strict=True):
            rows[row].append(node)
        steps = [parent, *nodes, child]
        for row, pair in enumerate(pairwise(steps), start=layer[parent]):
            links[row].append(pair)
        for node in (parent, child):
            if node not in placed:
                placed.add(node)
                rows[layer[node]].append(node)
    room = np.concatenate([sizes, np.full(fresh - len(sizes), _PASSING)])
    pairs = [np.array(each, dtype=np.int64).reshape(-1, 2) for each in links]
    return _Graph(rows, pairs[:-1], passing, room)


def _in_order(graph: _Graph) -> _Graph:
    """Return the graph with its rows in the order with the fewest crossings that sweeps find."""
    rows = [list(row) for row in graph.rows]
    best, fewest = [list(row) for row in rows], _crossings(rows, graph)
    for sweep in range(_SWEEPS):
        _sweep(rows, graph, down=sweep % 2 == 0)
        crossings = _crossings(rows, graph)
        if crossings < fewest:
            best, fewest = [list(row) for row in rows], crossings
    return _Graph(best, graph.links, graph.passing, graph.sizes)


def _sweep(rows: list[list[int]], graph: _Graph, *, down: bool) -> None:
    """Sort each row by the mean positions of the neighbours in the previous, or next, row."""
    for row in range(1, len(rows)) if down else range(len(rows) - 2, -1, -1):
        beside = row - 1 if down else row + 1
        place = {node: number for number, node in enumerate(rows[beside])}
        near: dict[int, list[int]] = {node: [] for node in rows[row]}
        for above, below in graph.links[min(row, beside)].tolist():
            here, there = (below, above) if down else (above, below)
            near[here].append(place[there])
        own = enumerate(rows[row])  # for a node without neighbours there
        means = {node: float(np.mean(near[node] or [number])) for number, node in own}
        rows[row].sort(key=means.__getitem__)


def _crossings(rows: Sequence[Sequence[int]], graph: _Graph) -> int:
    place = np.zeros(len(graph.sizes), dtype=np.int64)
    for row in rows:
        place[list(row)] = np.arange(len(row))
    total = 0
    for links in graph.links:
        above, below = place[links[:, 0]], place[links[:, 1]]
        total += int(
            np.count_nonzero((above[:, None] < above[None, :]) & (below[:, None] > below[None, :]))
        )
    return total


def _settled(graph: _Graph, events: int, gap: float) -> FloatArray:
    """Return the middles, after all rows were repeatedly moved towards their neighbours."""
    middle = np.zeros(len(graph.sizes))
    for row in graph.rows:
        middle[row] = apart(np.zeros(len(row)), graph.sizes[row], gap)
    near = [_neighbours(row, graph, events) for row in graph.rows]
    downwards = list(zip(graph.rows, near, strict=True))
    for sweep in range(4 * _SWEEPS + 1):  # the last one downwards: leaves are below their parents
        for row, (places, others, weights) in downwards if sweep % 2 == 0 else downwards[::-1]:
            pull = np.bincount(places, weights * middle[others]) / np.bincount(places, weights)
            middle[row] = apart(pull, graph.sizes[row], gap)
    return np.asarray(middle - (middle - graph.sizes / 2).min())


def _neighbours(
    row: Sequence[int], graph: _Graph, events: int
) -> tuple[IntArray, IntArray, FloatArray]:
    """Return all links of a row: the position in it, the node at the other end, the weight."""
    links = np.vstack(graph.links)
    links = np.vstack([links, links[:, ::-1]])
    place = np.full(len(graph.sizes), -1)
    place[list(row)] = np.arange(len(row))
    own = links[place[links[:, 0]] >= 0]
    passing = (own >= events).all(axis=1)
    return place[own[:, 0]], own[:, 1], np.where(passing, 1.0 + _STIFFNESS, 1.0)


def apart(wanted: FloatArray, sizes: FloatArray, gap: float) -> FloatArray:
    """Return the places closest to the wanted ones where nodes in this order do not overlap.

    Closest in least squares: overlapping neighbours are pooled, which is isotonic regression.
    """
    from scipy.optimize import isotonic_regression

    steps = (sizes[1:] + sizes[:-1]) / 2 + gap
    least = np.concatenate([[0.0], np.cumsum(steps)])
    return np.asarray(least + isotonic_regression(wanted - least).x)
