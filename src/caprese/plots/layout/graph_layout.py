"""The places of the nodes and edges of a progression. Nothing here draws.

Everything is in points from the upper left corner. Nodes are in rows, by their distance from the
root: a node has a position *across* its row and one *along* the direction of growth. Rows are
horizontal when the progression grows down, and vertical when it grows to the right.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese.errors import ParameterError
from caprese.plots.layout.across import Edge, layered, tidy

Direction = Literal["down", "right"]

ARROW = 6.0
_GAPS = {"down": 12.0, "right": 5.0}  # between the nodes of a row
_SMALLEST, _LARGEST = 20.0, 72.0  # distance from a row to the next
_SLOPE = 0.07  # rows are further apart if edges reach far across, so that these are not too flat
_AIR = 2.0  # around a label


@dataclass(frozen=True)
class Route:
    """The route of an edge: a piecewise cubic Bézier curve, and an arrowhead after it."""

    curve: FloatArray  # control points, three more for each piece
    tip: FloatArray  # where the arrowhead ends, on the outline of the child
    label: FloatArray  # the middle of the space for a label, on the last, straight piece

    def shifted(self, shift: FloatArray) -> "Route":
        """Return the route moved by x and y."""
        return Route(self.curve + shift, self.tip + shift, self.label + shift)


@dataclass(frozen=True)
class GraphLayout:
    """The places of the nodes and the rows; the last node is the root."""

    direction: Direction  # of growth
    layer: IntArray  # the row of each node
    across: FloatArray  # the middle of each node across its row
    sizes: FloatArray  # of each node, across and along
    starts: FloatArray  # of each row, along
    ends: FloatArray
    bends: dict[Edge, FloatArray]  # where edges pass the rows between parent and child, across
    label: FloatArray  # its size, across and along; 0 if edges have none

    @classmethod
    def of(
        cls,
        edges: Sequence[Edge],
        boxes: FloatArray,
        *,
        direction: Direction = "down",
        label: tuple[float, float] = (0.0, 0.0),
    ) -> "GraphLayout":
        """Return the places of the nodes of a progression, siblings in the order of the edges.

        A tree has a tidy layout, other graphs a layered one. Boxes are the width and height of
        each node, and `label` those of the space for a label on every edge.
        """
        turned = slice(None) if direction == "down" else slice(None, None, -1)
        room = np.asarray(label, dtype=np.float64)[turned]
        sizes = np.array(boxes[:, turned], dtype=np.float64)
        nodes = len(sizes)
        arriving = np.bincount([child for _, child in edges], minlength=nodes)
        sizes[:, 0] = np.maximum(sizes[:, 0], arriving * _arrival_distance(room))
        layer = layers(edges, nodes)
        if (arriving[:-1] == 1).all():
            children: list[list[int]] = [[] for _ in range(nodes)]
            for parent, child in edges:
                children[parent].append(child)
            across = tidy(children, nodes - 1, sizes[:, 0], _GAPS[direction])
            bends: dict[Edge, FloatArray] = {}
        else:
            across, bends = layered(edges, layer, sizes[:, 0], _GAPS[direction])
        starts, ends = _rows(edges, layer, across, sizes, room)
        return cls(direction, layer, across, sizes, starts, ends, bends, room)

    @property
    def centres(self) -> FloatArray:
        """Middle of each node, as x and y; the root is the last."""
        along = self.starts[self.layer] + self.sizes[:, 1] / 2
        return self._on_page(np.column_stack([self.across, along]))

    @property
    def boxes(self) -> FloatArray:
        """Width and height of each node."""
        return self._on_page(self.sizes)

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of the whole."""
        passing = [float(bend) + ARROW for bends in self.bends.values() for bend in bends]
        across = max([*(self.across + self.sizes[:, 0] / 2).tolist(), *passing])
        width, height = self._on_page(np.array([across, self.ends[-1]]))
        return float(width), float(height)

    def routes(self, edges: Iterable[Edge]) -> dict[Edge, Route]:
        """Return the routes of these edges; those to the same child arrive side by side."""
        arriving: dict[int, list[Edge]] = {}
        for edge in edges:
            arriving.setdefault(edge[1], []).append(edge)
        found = {}
        for child, group in arriving.items():
            group.sort(key=self._last_place)
            distance = _arrival_distance(self.label)
            for number, edge in enumerate(group):
                port = self.across[child] + (number - (len(group) - 1) / 2) * distance
                found[edge] = self._route(edge, port)
        return found

    def detours(self, edges: Iterable[Edge]) -> dict[Edge, Route]:
        """Return routes for edges that the layout was not made for, in any direction.

        They pass between the nodes of the rows on their way, and arrive beside the other edges.
        """
        arriving: dict[tuple[int, bool], list[Edge]] = {}
        for parent, child in edges:
            on_left = bool(self.across[parent] <= self.across[child])
            arriving.setdefault((child, on_left), []).append((parent, child))
        found = {}
        for (child, on_left), group in arriving.items():
            group.sort(key=lambda edge: self.across[edge[0]], reverse=not on_left)
            outer = max(self.sizes[child, 0] / 2 - _AIR, 0.0)
            inner = min(float(self.label[0] / 2 + _AIR), outer)
            for edge, aside in zip(group, np.linspace(outer, inner, len(group)), strict=True):
                found[edge] = self._detour(edge, -aside if on_left else aside)
        return found

    def _detour(self, edge: Edge, aside: float) -> Route:
        parent, child = edge
        first, last = int(self.layer[parent]), int(self.layer[child])
        if first == last:
            return self._beside(parent, child)
        down = first < last
        port = self.across[child] + aside
        leave = self.across[parent] - np.sign(aside) * min(self.sizes[parent, 0] / 4, 2 * ARROW)
        tops, bottoms = self.starts, self.starts[self.layer] + self.sizes[:, 1]
        points = [(leave, bottoms[parent] if down else tops[first])]
        step = 1 if down else -1
        for row in range(first + step, last, step):
            done = (row - first) / (last - first)
            gap = self._gap(row, leave + (port - leave) * done)
            points += [(gap, tops[row]), (gap, self.ends[row])][::step]
        tip = tops[last] if down else bottoms[child]
        points.append((port, tip - step * ARROW))
        return self._route_on_page(_smooth(points), (port, tip))

    def _beside(self, parent: int, child: int) -> Route:
        """Return the route between nodes of the same row: straight, or around those between."""
        row = int(self.layer[parent])
        towards = float(np.sign(self.across[child] - self.across[parent]))
        low, high = sorted((self.across[parent], self.across[child]))
        others = (self.layer == row) & (self.across > low) & (self.across < high)
        bottoms = self.starts[row] + self.sizes[:, 1]
        if others.any():
            start, tip = (
                np.array([self.across[node] + turn * self.sizes[node, 0] / 4, bottoms[node]])
                for node, turn in ((parent, towards), (child, -towards))
            )
            base = tip + np.array([0.0, ARROW])
            below = self.ends[row] + 2 * ARROW
            curve = np.array([start, (start[0], below), (base[0], below), base])
        else:
            along = self.starts[row] + min(self.sizes[parent, 1], self.sizes[child, 1]) / 2
            start, tip = (
                np.array([self.across[node] + turn * self.sizes[node, 0] / 2, along])
                for node, turn in ((parent, towards), (child, -towards))
            )
            base = tip - np.array([towards * min(ARROW, abs(tip[0] - start[0]) / 2), 0.0])
            curve = np.linspace(start, base, 4)
        return self._route_on_page(curve, tip)

    def _gap(self, row: int, wanted: float) -> float:
        """Return the place between two nodes of a row, or outside of them, nearest to this one."""
        nodes = np.flatnonzero(self.layer == row)
        nodes = nodes[np.argsort(self.across[nodes])]
        left = self.across[nodes] - self.sizes[nodes, 0] / 2
        right = self.across[nodes] + self.sizes[nodes, 0] / 2
        between = np.clip(wanted, right[:-1] + _AIR, np.maximum(left[1:], right[:-1] + _AIR) - _AIR)
        outside = [min(wanted, left[0] - _AIR), max(wanted, right[-1] + _AIR)]
        gaps = np.array([*between, *outside])
        return float(gaps[np.abs(gaps - wanted).argmin()])

    def _last_place(self, edge: Edge) -> tuple[float, int]:
        places = [self.across[edge[0]], *self.bends.get(edge, ())]
        return float(places[-1]), edge[0]

    def _route(self, edge: Edge, port: float) -> Route:
        parent, child = edge
        first, last = int(self.layer[parent]), int(self.layer[child])
        room = _straight_end(self.label)
        start = self.starts[first] + self.sizes[parent, 1]
        points = [(self.across[parent], start), (self.across[parent], self.ends[first])]
        for row, bend in enumerate(self.bends.get(edge, ()), start=first + 1):
            points += [(bend, self.starts[row] - room), (bend, self.ends[row])]
        tip = self.starts[last]
        points += [(port, tip - room), (port, tip - ARROW)]
        label = (port, tip - ARROW - _AIR - self.label[1] / 2)
        return self._route_on_page(_smooth(points), (port, tip), label)

    def _route_on_page(
        self, curve: FloatArray, tip: ArrayLike, label: ArrayLike | None = None
    ) -> Route:
        ends = (tip, tip if label is None else label)
        return Route(self._on_page(curve), *(self._on_page(np.array(end)) for end in ends))

    def _on_page(self, places: FloatArray) -> FloatArray:
        return places if self.direction == "down" else places[..., ::-1]


def edges_of(adjacency: BoolArray) -> list[Edge]:
    """Return the edges as pairs of positions, with those from the root, which is the last node."""
    n = len(adjacency)
    parents = [np.flatnonzero(adjacency[:, child]).tolist() or [n] for child in range(n)]
    return [(parent, child) for child in range(n) for parent in parents[child]]


def layers(edges: Sequence[Edge], nodes: int) -> IntArray:
    """Return the row of each node: one more than that of its last parent."""
    layer = np.zeros(nodes, dtype=np.int64)
    for _ in range(nodes):
        before = layer.copy()
        for parent, child in edges:
            layer[child] = max(layer[child], layer[parent] + 1)
        if np.array_equal(before, layer):
            return layer
    raise ParameterError("edges", "without a cycle", list(edges))


def _arrival_distance(label: FloatArray) -> float:
    """Return the distance between edges that arrive at the same child."""
    return float(max(label[0] + 2 * _AIR, 2 * ARROW))


def _straight_end(label: FloatArray) -> float:
    """Return the length of the straight end of an edge, which holds label and arrowhead."""
    return float(ARROW + (label[1] + 2 * _AIR if label[1] else _AIR))


def _rows(
    edges: Sequence[Edge], layer: IntArray, across: FloatArray, sizes: FloatArray, label: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return where rows start and end: further apart where edges reach far across."""
    number = int(layer.max()) + 1
    depth, reach = np.zeros(number), np.zeros(number)
    np.maximum.at(depth, layer, sizes[:, 1])
    for parent, child in edges:
        row = layer[child]
        reach[row] = max(reach[row], abs(across[parent] - across[child]))
    distances = np.clip(_SLOPE * reach, _SMALLEST, _LARGEST) + _straight_end(label)
    starts = np.concatenate([[0.0], np.cumsum(depth[:-1] + distances[1:])])
    return starts, starts + depth


def _smooth(points: Sequence[tuple[float, float]]) -> FloatArray:
    """Return control points of a curve through these points, parallel to the growth at each."""
    found = [points[0]]
    for before, after in pairwise(points):
        middle = (before[1] + after[1]) / 2
        found += [(before[0], middle), (after[0], middle), after]
    return np.array(found)
