"""Trees as they are drawn: nodes and edges in their places; one or several in panels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from caprese._core.arrays import FloatArray
from caprese.plots.canvas import LineStyle, Point
from caprese.plots.canvas.figures import Canvas, Picture
from caprese.plots.canvas.labels import TextLine, text_width
from caprese.plots.canvas.legend import Entry, Legend
from caprese.plots.canvas.palette import INK, LINE, PAPER, SOFT, VERMILION
from caprese.plots.layout.across import Edge
from caprese.plots.layout.graph_layout import Direction, GraphLayout, Route, layers
from caprese.plots.progression.crowds import Crowd
from caprese.plots.progression.nodes import Gate, Node, draw_root, root_size

EDGE_LABEL = 7.0  # font size
FAINT = 0.8  # width of an edge that the model does not have

_MARGIN, _LEGEND_GAP = 8.0, 14.0
_PAGE, _LANDSCAPE = (520.0, 680.0), (760.0, 680.0)  # of one tree, and of several

_Picture = TypeVar("_Picture", bound=Picture)


@dataclass(frozen=True)
class EdgeStyle:
    """How an edge is drawn, and its label."""

    width: float = 1.2
    colour: str = INK
    line: LineStyle = "solid"
    label: str = ""

    def draw(self, canvas: Canvas, route: Route) -> None:
        """Draw the edge."""
        head = max(5.0, 2 * self.width)
        canvas.wedge(route.tip, route.curve[-1], width=head, colour=self.colour)
        if not self.label:
            canvas.curve(route.curve, width=self.width, colour=self.colour, style=self.line)
            return
        canvas.curve(route.curve[:-3], width=self.width, colour=self.colour, style=self.line)
        canvas.curve(route.curve[-4:], width=self.width, colour=self.colour)  # too short for dashes
        wide, high = text_width(self.label, EDGE_LABEL), EDGE_LABEL + 1
        x, y = route.label.tolist()
        canvas.box((x - wide / 2, y - high / 2), (wide, high), fill=PAPER, zorder=4)
        canvas.text((x, y), self.label, EDGE_LABEL)


UNDETERMINED = EdgeStyle(colour=SOFT, line="dotted")
EXCLUSIVE = EdgeStyle(1.4, VERMILION, "dotted")


@dataclass(frozen=True)
class Tree:
    """A progression in its places, which may also be a graph."""

    nodes: tuple[Node | Gate, ...]  # events, then patterns
    edges: Mapping[Edge, EdgeStyle]
    layout: GraphLayout
    alternatives: tuple[Edge, ...] = ()  # edges that the model does not have
    at_root: Crowd | None = None  # the samples at the root, if they are shown
    rooted: bool = True  # whether the root is drawn
    exclusive: tuple[Edge, ...] = ()  # pairs of events that exclude each other

    @property
    def extent(self) -> Point:
        """Width and height of what is drawn."""
        width, height = self.layout.extent
        return width - self._above[0], height - self._above[1]

    @property
    def _above(self) -> Point:
        """The space that a root would take which is not drawn."""
        if self.rooted:
            return 0.0, 0.0
        space = float(self.layout.starts[1])
        return (0.0, space) if self.layout.direction == "down" else (space, 0.0)

    def draw(self, canvas: Canvas, corner: FloatArray) -> None:
        """Draw nodes and edges; `corner` is the upper left one."""
        corner = corner - self._above
        *centres, root = (self.layout.centres + corner).tolist()
        *sizes, _ = self.layout.boxes.tolist()
        if self.rooted:
            draw_root(canvas, root, self.at_root)
        for node, centre, size in zip(self.nodes, centres, sizes, strict=True):
            node.draw(canvas, centre, size)
        for route in self.layout.detours(self.alternatives).values():
            _draw_alternative(canvas, route.shifted(corner))
        for edge, route in self.layout.routes(self.edges).items():
            self.edges[edge].draw(canvas, route.shifted(corner))
        for route in self.layout.detours(self.exclusive).values():
            _draw_exclusive(canvas, route.shifted(corner))


@dataclass(frozen=True)
class Panel:
    """A tree, and the lines above it."""

    tree: Tree
    lines: tuple[tuple[TextLine, float], ...] = ()  # each with the middle of its height
    head: float = 0.0  # height of the lines

    @property
    def extent(self) -> Point:
        """Width and height."""
        width, height = self.tree.extent
        return max([width, *(line.width for line, _ in self.lines)]), height + self.head

    @property
    def tree_corner(self) -> FloatArray:
        """Where the tree starts: in the middle, below the lines."""
        return np.array([(self.extent[0] - self.tree.extent[0]) / 2, self.head])

    def draw(self, canvas: Canvas, corner: FloatArray) -> None:
        """Draw the lines and the tree."""
        left, top = corner.tolist()
        for line, middle in self.lines:
            line.draw(canvas, (left, top + middle))
        self.tree.draw(canvas, corner + self.tree_corner)


@dataclass(frozen=True)
class Panels:
    """Panels in rows, and one legend for all of them."""

    rows: tuple[tuple[Panel, ...], ...]
    entries: tuple[Entry, ...]  # of the legend
    apart: Point = (0.0, 0.0)  # space between panels

    @property
    def legend(self) -> Legend:
        """The legend, as wide as the panels."""
        return Legend.of(self.entries, self._size[0])

    @property
    def extent(self) -> Point:
        """Width and height of the whole."""
        (width, height), legend = self._size, self.legend
        below = _LEGEND_GAP + legend.height if legend.lines else 0.0
        return max(width, legend.width) + 2 * _MARGIN, height + below + 2 * _MARGIN

    @property
    def corners(self) -> list[tuple[Panel, FloatArray]]:
        """Each panel with its upper left corner."""
        found, top = [], _MARGIN
        aside = _MARGIN + max(0.0, self.legend.width - self._size[0]) / 2
        for row in self.rows:
            left = aside
            for panel in row:
                found.append((panel, np.array([left, top])))
                left += panel.extent[0] + self.apart[0]
            top += max(panel.extent[1] for panel in row) + self.apart[1]
        return found

    @property
    def trees(self) -> list[tuple[Tree, FloatArray]]:
        """Each tree with its upper left corner."""
        return [(panel.tree, corner + panel.tree_corner) for panel, corner in self.corners]

    def draw(self, canvas: Canvas) -> None:
        """Draw all panels and the legend below them."""
        for panel, corner in self.corners:
            panel.draw(canvas, corner)
        legend = self.legend
        legend.draw(canvas, _MARGIN, self.extent[1] - _MARGIN - legend.height)

    @property
    def _size(self) -> Point:
        """Width and height of the panels."""
        wide = [
            sum(panel.extent[0] for panel in row) + self.apart[0] * (len(row) - 1)
            for row in self.rows
        ]
        high = [max(panel.extent[1] for panel in row) for row in self.rows]
        return max(wide), sum(high) + self.apart[1] * (len(high) - 1)


def best_on_page(pictures: Sequence[_Picture], *, landscape: bool = False) -> _Picture:
    """Return the picture that has to be scaled down least to fit on a page, the first of equals."""
    page = _LANDSCAPE if landscape else _PAGE
    return max(pictures, key=lambda picture: page_scale(picture.extent, page))


def page_scale(extent: Point, page: Point = _PAGE) -> float:
    """Return the factor that makes a picture fit on a page; 1 if it fits as it is."""
    return min(1.0, *(room / need for room, need in zip(page, extent, strict=True)))


def node_sizes(
    nodes: Sequence[Node | Gate],
    edges: Sequence[Edge],
    direction: Direction,
    at_root: Crowd | None = None,
) -> FloatArray:
    """Return the sizes of all nodes and of the root; in a column they are equally wide."""
    sizes = np.array([*(node.size for node in nodes), root_size(at_root)])
    if direction == "right":  # so that the bars of a column are aligned
        layer = layers(edges, len(sizes))
        boxes = np.array([*(isinstance(node, Node) for node in nodes), False])
        for row in range(1, int(layer.max()) + 1):
            sizes[(layer == row) & boxes, 0] = sizes[layer == row, 0].max()
    return sizes


def _draw_alternative(canvas: Canvas, route: Route) -> None:
    canvas.wedge(route.tip, route.curve[-1], width=3.5, colour=LINE)
    canvas.curve(route.curve, width=FAINT, colour=LINE, style="dashed")


def _draw_exclusive(canvas: Canvas, route: Route) -> None:
    """Draw a line without a head, up to the second event."""
    last = np.linspace(route.curve[-1], route.tip, 4)[1:]
    points = np.concatenate([route.curve, last])
    style = EXCLUSIVE
    canvas.curve(points, width=style.width, colour=style.colour, style=style.line)
