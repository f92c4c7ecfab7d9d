"""Two progressions over the same events side by side, what differs in colour and in dashes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray
from caprese._core.names import places
from caprese.models.base import Order
from caprese.plots.canvas.canvas import Pen, sheet
from caprese.plots.canvas.legend import Entry, Key, line_sign
from caprese.plots.canvas.lettering import legible, legible_names
from caprese.plots.canvas.palette import BLUE, SOFT, VERMILION
from caprese.plots.layout.layered import Edge
from caprese.plots.layout.trees import Direction, Placement, edges_of, layers, placed
from caprese.plots.progression.drawing import draw_edge, draw_nodes
from caprese.plots.progression.nodes import Card, event_card
from caprese.plots.progression.plan import KEY_GAP, MARGIN, boxes_of, ranked, reduction

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_TITLE, _TITLE_GAP = 9.0, 12.0
_APART = 36.0
_SHARED, _OWN = 1.0, 2.0  # widths of edges
_COLOURS = (BLUE, VERMILION)
_PAGE = (760.0, 680.0)  # a page on its side, for two panels
_MANNERS: tuple[tuple[Direction, int], ...] = (("down", 16), ("right", 24))


@dataclass(frozen=True)
class _Plan:
    """Two panels: beside each other if they grow down, else one under the other."""

    cards: tuple[Card, ...]
    placements: tuple[Placement, Placement]
    edges: tuple[Sequence[Edge], Sequence[Edge]]
    titles: tuple[str, str]
    key: Key

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
            max(width, MARGIN + self.key.width) + MARGIN,
            height + KEY_GAP + self.key.height + MARGIN,
        )


def draw_comparison(
    axes: "Axes",
    first: Order,
    second: Order,
    *,
    titles: tuple[str, str] = ("A", "B"),
    frequency: FloatArray | None = None,
) -> "Axes":
    """Draw two progressions; edges that only one of them has are coloured, thicker and dashed.

    Events stand at the same places in both, unless the two contradict each other in the order of
    events; then each is laid out by itself.

    Parameters
    ----------
    axes
        Where to draw; `comparison_figure` makes axes of the right size.
    first, second
        Models of the same events, in any order.
    titles
        What the two are called.
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
    return _draw(axes, _planned(first, second, titles, frequency))


def comparison_figure(
    first: Order,
    second: Order,
    *,
    titles: tuple[str, str] = ("A", "B"),
    frequency: FloatArray | None = None,
) -> "Figure":
    """Return a figure of two progressions, as large as it needs to be; see `draw_comparison`.

    Examples
    --------
    >>> from caprese.models.forest import ROOT, Forest
    >>> chain = Forest(("a", "b"), (ROOT, 0), (0.5, 0.5))
    >>> len(comparison_figure(chain, chain).axes)
    1
    """
    plan = _planned(first, second, titles, frequency)
    figure, axes = sheet(plan.extent)
    _draw(axes, plan)
    return figure


def _planned(
    first: Order,
    second: Order,
    titles: tuple[str, str],
    frequency: FloatArray | None,
) -> _Plan:
    adjacencies = first.adjacency(), _in_order_of(first.events, second)
    share = np.zeros(len(first.events)) if frequency is None else np.asarray(frequency)
    one, other = (ranked(edges_of(each), first.events, share) for each in adjacencies)
    plans = [
        _plan(first.events, (one, other), titles, share if frequency is not None else None, *manner)
        for manner in _MANNERS
    ]
    return max(plans, key=lambda plan: reduction(plan.extent, _PAGE))


def _in_order_of(events: tuple[str, ...], model: Order) -> BoolArray:
    at = places(model.events, events, "both models")
    return model.adjacency()[np.ix_(at, at)]


def _plan(
    events: tuple[str, ...],
    edges: tuple[Sequence[Edge], Sequence[Edge]],
    titles: tuple[str, str],
    frequency: FloatArray | None,
    direction: Direction,
    across: int,
) -> _Plan:
    shares = [None] * len(events) if frequency is None else frequency.tolist()
    cards = tuple(
        event_card(name, share, across, beside=direction == "right")
        for name, share in zip(legible_names(events), shares, strict=True)
    )

    def place(each: Sequence[Edge]) -> Placement:
        return placed(each, boxes_of(cards, each, direction), direction=direction)

    together = [*edges[0], *(edge for edge in edges[1] if edge not in set(edges[0]))]
    agree = _has_an_order(together, len(events) + 1)
    placements = (place(together),) * 2 if agree else (place(edges[0]), place(edges[1]))
    named = legible(titles[0], 30), legible(titles[1], 30)
    plan = _Plan(cards, placements, edges, named, Key(()))
    key = Key.of(_entries(plan), plan.extent[0] - 2 * MARGIN)
    return _Plan(cards, placements, edges, named, key)


def _has_an_order(edges: Sequence[Edge], nodes: int) -> bool:
    try:
        layers(edges, nodes)
    except ValueError:
        return False
    return True


def _entries(plan: _Plan) -> list[Entry]:
    one, other = map(set, plan.edges)
    entries = [Entry(line_sign(_SHARED, SOFT), "in both")] if one & other else []
    for own, title, colour in zip((one - other, other - one), plan.titles, _COLOURS, strict=True):
        if own:
            entries.append(Entry(line_sign(_OWN, colour, "dashed"), f"only in {title}"))
    return entries


def _draw(axes: "Axes", plan: _Plan) -> "Axes":
    width, height = plan.extent
    pen = Pen.on(axes, width, height)
    shared = set(plan.edges[0]) & set(plan.edges[1])
    panels = zip(plan.placements, plan.edges, plan.titles, plan.corners, _COLOURS, strict=True)
    for placement, edges, title, corner, colour in panels:
        left, top = corner.tolist()
        pen.text((left, top - _TITLE_GAP), title, _TITLE, align="left", bold=True)
        draw_nodes(pen, placement, plan.cards, corner)
        for edge, route in placement.routes(edges).items():
            if edge in shared:
                draw_edge(pen, route.shifted(corner), width=_SHARED, colour=SOFT)
            else:
                draw_edge(pen, route.shifted(corner), width=_OWN, colour=colour, stroke="dashed")
    plan.key.draw(pen, MARGIN, height - MARGIN - plan.key.height)
    return axes
