"""Two progressions over the same events side by side, their differences coloured and dashed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray
from caprese._core.names import places
from caprese.methods.fit import Fit, OrderedFit, order_of
from caprese.models.base import Model, Order
from caprese.plots.canvas.canvas import Canvas, new_figure
from caprese.plots.canvas.labels import legible, legible_names, wrapped
from caprese.plots.canvas.legend import Entry, Legend, dotted_symbol, line_symbol
from caprese.plots.canvas.palette import BLUE, SOFT, VERMILION
from caprese.plots.layout.layered import Edge
from caprese.plots.layout.placement import Direction, Placement, edges_of, layers
from caprese.plots.progression.drawing import draw_edge, draw_nodes
from caprese.plots.progression.nodes import Node
from caprese.plots.progression.plan import (
    LEGEND_GAP,
    MARGIN,
    node_sizes,
    page_scale,
    siblings_by_frequency,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_TITLE, _TITLE_GAP = 9.0, 12.0
_APART = 36.0
_SHARED, _OWN = 1.0, 2.0  # widths of edges
_COLOURS = (BLUE, VERMILION)
_PAGE = (760.0, 680.0)  # in landscape format, for two panels
_ARRANGEMENTS: tuple[tuple[Direction, int], ...] = (("down", 16), ("right", 24))


Compared = Fit[Any, Any] | Model | Order
"""A fit, or a model alone."""

Unplaced = frozenset[int]
"""Positions of events whose parents the data could not determine."""


@dataclass(frozen=True)
class _Plan:
    """Two panels: side by side if they grow down, otherwise one below the other."""

    nodes: tuple[Node, ...]
    placements: tuple[Placement, Placement]
    edges: tuple[Sequence[Edge], Sequence[Edge]]
    unplaced: tuple[Unplaced, Unplaced]
    titles: tuple[str, str]
    legend: Legend

    @property
    def placed_edges(self) -> tuple[set[Edge], set[Edge]]:
        """The edges of each panel, without those of events that could not be placed."""
        one, other = (
            {edge for edge in edges if edge[1] not in unplaced}
            for edges, unplaced in zip(self.edges, self.unplaced, strict=True)
        )
        return one, other

    @property
    def corners(self) -> FloatArray:
        """Upper left corner of each panel."""
        (width, height), _ = (placement.extent for placement in self.placements)
        top = MARGIN + _TITLE + _TITLE_GAP
        if self.placements[0].direction == "down":
            return np.array([(MARGIN, top), (MARGIN + width + _APART, top)])
        return np.array([(MARGIN, top), (MARGIN, top + height + _APART)])

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of the whole."""
        ends = self.corners + np.array([placement.extent for placement in self.placements])
        width, height = ends.max(axis=0).tolist()
        return (
            max(width, MARGIN + self.legend.width) + MARGIN,
            height + LEGEND_GAP + self.legend.height + MARGIN,
        )


def draw_comparison(
    axes: "Axes",
    first: Compared,
    second: Compared,
    *,
    titles: tuple[str, str] = ("A", "B"),
    frequency: FloatArray | None = None,
) -> "Axes":
    """Draw two progressions; edges that only one of them has are coloured, thicker and dashed.

    Events have the same places in both, unless the two contradict each other in the order of
    events; then each has a layout of its own.

    Parameters
    ----------
    axes
        Where to draw; `comparison_figure` makes axes of the right size.
    first, second
        Fits or models of the same events, in any order. Events that a fit could not place are
        dotted, as are their edges.
    titles
        A title for each.
    frequency
        Share of the samples that carry each event, in the order of the first model.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from caprese.models.forest import ROOT, Forest
    >>> chain = Forest(("a", "b", "c"), (ROOT, 0, 1), (0.5, 0.5, 0.5))
    >>> fork = Forest(("a", "b", "c"), (ROOT, 0, 0), (0.5, 0.5, 0.5))
    >>> axes = draw_comparison(Figure().subplots(), chain, fork, titles=("chain", "fork"))
    >>> [text.get_text() for text in axes.texts][-3:]
    ['in both', 'only in chain', 'only in fork']
    """
    return _draw(axes, _best_plan(first, second, titles, frequency))


def comparison_figure(
    first: Compared,
    second: Compared,
    *,
    titles: tuple[str, str] = ("A", "B"),
    frequency: FloatArray | None = None,
) -> "Figure":
    """Return a figure of two progressions, in the size it needs; see `draw_comparison`.

    Examples
    --------
    >>> from caprese.models.forest import ROOT, Forest
    >>> chain = Forest(("a", "b"), (ROOT, 0), (0.5, 0.5))
    >>> len(comparison_figure(chain, chain).axes)
    1
    """
    plan = _best_plan(first, second, titles, frequency)
    figure, axes = new_figure(plan.extent)
    _draw(axes, plan)
    return figure


def _best_plan(
    first: Compared,
    second: Compared,
    titles: tuple[str, str],
    frequency: FloatArray | None,
) -> _Plan:
    """Return, of all arrangements, the plan that fits a page best."""
    left, right = order_of(first), order_of(second)
    unplaced = _unplaced(first, left.events), _unplaced(second, left.events)
    adjacencies = left.adjacency(), _in_order_of(left.events, right)
    share = np.zeros(len(left.events)) if frequency is None else np.asarray(frequency)
    one, other = (siblings_by_frequency(edges_of(e), left.events, share) for e in adjacencies)
    shown = None if frequency is None else share
    plans = [
        _arranged(left.events, (one, other), unplaced, titles, shown, *arrangement)
        for arrangement in _ARRANGEMENTS
    ]
    return max(plans, key=lambda plan: page_scale(plan.extent, _PAGE))


def _unplaced(progression: Compared, events: tuple[str, ...]) -> Unplaced:
    names = progression.undetermined if isinstance(progression, OrderedFit) else {}
    return frozenset(events.index(name) for name in names)


def _in_order_of(events: tuple[str, ...], model: Order) -> BoolArray:
    at = places(model.events, events, "both models")
    return model.adjacency()[np.ix_(at, at)]


def _arranged(
    events: tuple[str, ...],
    edges: tuple[Sequence[Edge], Sequence[Edge]],
    unplaced: tuple[Unplaced, Unplaced],
    titles: tuple[str, str],
    frequency: FloatArray | None,
    direction: Direction,
    width: int,
) -> _Plan:
    shares = [None] * len(events) if frequency is None else frequency.tolist()
    nodes = tuple(
        Node(wrapped(name, width), share, beside=direction == "right")
        for name, share in zip(legible_names(events), shares, strict=True)
    )

    def place(each: Sequence[Edge]) -> Placement:
        return Placement.of(each, node_sizes(nodes, each, direction), direction=direction)

    together = [*edges[0], *(edge for edge in edges[1] if edge not in set(edges[0]))]
    agree = _has_an_order(together, len(events) + 1)
    placements = (place(together),) * 2 if agree else (place(edges[0]), place(edges[1]))
    named = legible(titles[0], 30), legible(titles[1], 30)
    plan = _Plan(nodes, placements, edges, unplaced, named, Legend(()))
    return replace(plan, legend=Legend.of(_entries(plan), plan.extent[0] - 2 * MARGIN))


def _has_an_order(edges: Sequence[Edge], nodes: int) -> bool:
    try:
        layers(edges, nodes)
    except ValueError:
        return False
    return True


def _entries(plan: _Plan) -> list[Entry]:
    one, other = plan.placed_edges
    entries = [Entry(line_symbol(_SHARED, SOFT), "in both")] if one & other else []
    for own, title, colour in zip((one - other, other - one), plan.titles, _COLOURS, strict=True):
        if own:
            entries.append(Entry(line_symbol(_OWN, colour, "dashed"), f"only in {title}"))
    if any(plan.unplaced):
        entries.append(Entry(dotted_symbol, "could not be placed"))
    return entries


def _draw(axes: "Axes", plan: _Plan) -> "Axes":
    width, height = plan.extent
    canvas = Canvas.on(axes, width, height)
    one, other = plan.placed_edges
    panels = zip(plan.placements, plan.edges, plan.unplaced, strict=True)
    frames = zip(plan.titles, plan.corners, _COLOURS, strict=True)
    for (placement, edges, unplaced), (title, corner, colour) in zip(panels, frames, strict=True):
        left, top = corner.tolist()
        canvas.text((left, top - _TITLE_GAP), title, _TITLE, align="left", bold=True)
        nodes = [replace(node, undetermined=k in unplaced) for k, node in enumerate(plan.nodes)]
        draw_nodes(canvas, placement, nodes, corner)
        for edge, route in placement.routes(edges).items():
            at = route.shifted(corner)
            if edge[1] in unplaced:
                draw_edge(canvas, at, colour=SOFT, style="dotted")
            elif edge in one & other:
                draw_edge(canvas, at, width=_SHARED, colour=SOFT)
            else:
                draw_edge(canvas, at, width=_OWN, colour=colour, style="dashed")
    plan.legend.draw(canvas, MARGIN, height - MARGIN - plan.legend.height)
    return axes
