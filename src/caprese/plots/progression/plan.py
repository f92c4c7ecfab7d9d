"""The plan of a picture of a progression: what it shows, and where. Nothing here draws."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from caprese._core.arrays import FloatArray
from caprese.assessment.confidence import Confidence
from caprese.methods.base import Fit, OrderedFit, Reason
from caprese.models.base import Model, Order
from caprese.plots.canvas.legend import (
    Entry,
    Key,
    dotted_sign,
    gauge_sign,
    line_sign,
    stacked_sign,
    wedge_sign,
)
from caprese.plots.canvas.lettering import legible_names, text_width
from caprese.plots.canvas.palette import SOFT
from caprese.plots.layout.layered import Edge
from caprese.plots.layout.sorting import by_frequency
from caprese.plots.layout.trees import Direction, Placement, edges_of, layers, placed
from caprese.plots.progression.nodes import Card, event_card, root_size

LABEL = 7.0  # size of the letters on an edge
MARGIN = 8.0
KEY_GAP = 14.0

_PAGE = (520.0, 680.0)  # what a printed page has room for
# Ways to set the cards, the usual one first: where the progression grows to, how many signs of a
# name stand on a line, whether the frequency stands beside the name.
_MANNERS: tuple[tuple[Direction, int, bool], ...] = (
    ("down", 16, False),
    ("right", 48, True),
    ("right", 24, True),
    ("right", 16, False),
)


@dataclass(frozen=True)
class Marks:
    """What a picture of a progression shows beyond its edges.

    Parameters
    ----------
    frequency
        Share of the samples that carry each event: a bar on its card, and the order of siblings.
    support
        ``support[i, j]``: share of the replicates in which i was a parent of j; one more row for
        the root. The width and the label of each edge.
    cut
        Events that start on their own because a filter cut their edge: a dashed edge.
    undetermined
        Events the data could not place: a dotted card.
    composites
        Events that stand for several others: a card of two sheets.
    """

    frequency: FloatArray | None = None
    support: FloatArray | None = None
    cut: Collection[str] = ()
    undetermined: Collection[str] = ()
    composites: Collection[str] = ()


@dataclass(frozen=True)
class Plan:
    """A picture before it is drawn: the cards of the events, where they stand, the key."""

    cards: tuple[Card, ...]
    placement: Placement
    edges: tuple[Edge, ...]
    key: Key

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height, margins and key included."""
        width, height = self.placement.extent
        below = KEY_GAP + self.key.height if self.key.lines else 0.0
        return max(width, self.key.width) + 2 * MARGIN, height + below + 2 * MARGIN


def reduction(extent: tuple[float, float], page: tuple[float, float] = _PAGE) -> float:
    """Return how small a picture gets on a page; 1 if it fits.

    Examples
    --------
    >>> reduction((100.0, 100.0)), reduction((1040.0, 100.0))
    (1.0, 0.5)
    """
    return min(1.0, *(room / need for room, need in zip(page, extent, strict=True)))


def marks_of(
    progression: Fit[Any, Any] | Model | Order, confidence: Confidence | None = None
) -> Marks:
    """Return what the picture of a fit shows, or of a model, of which less is known.

    Examples
    --------
    >>> from caprese.data.embedded import ovarian
    >>> from caprese.methods import Caprese
    >>> marks_of(Caprese().fit(ovarian())).cut
    ('5q-', '1q+')
    """
    support = None if confidence is None else confidence.support
    if not isinstance(progression, OrderedFit):
        return Marks(support=support)
    fit = progression
    reasons = zip(fit.model.events, fit.evidence.reasons, strict=True)
    merged = {step.composite for step in fit.log if step.what in ("merge", "add")}
    return Marks(
        frequency=fit.counts.frequency,
        support=support,
        cut=tuple(event for event, reason in reasons if reason == Reason.FILTERED),
        undetermined=tuple(fit.undetermined),
        composites=tuple(event for event in fit.model.events if event in merged),
    )


def planned(model: Order, marks: Marks, direction: Direction | Literal["auto"] = "auto") -> Plan:
    """Return the plan of a picture; of several ways to set it, the one that suits a page best.

    Examples
    --------
    >>> from caprese.models.forest import ROOT, Forest
    >>> few = Forest(tuple("abc"), [ROOT] * 3, [0.5] * 3)
    >>> many = Forest(tuple("abcdefghijkl"), [ROOT] * 12, [0.5] * 12)
    >>> [planned(star, Marks(star.marginals())).placement.direction for star in (few, many)]
    ['down', 'right']
    """
    plans = [
        _plan(model, marks, *manner) for manner in _MANNERS if direction in (manner[0], "auto")
    ]
    return max(plans, key=lambda plan: reduction(plan.extent))  # the first of equals


def ranked(edges: Sequence[Edge], events: Sequence[str], share: FloatArray) -> list[Edge]:
    """Return edges so that siblings stand by frequency, the highest first, then by name.

    Examples
    --------
    >>> ranked([(2, 0), (2, 1)], ["a", "b"], np.array([0.1, 0.9]))
    [(2, 1), (2, 0)]
    """
    rank = {event: place for place, event in enumerate(by_frequency(events, share))}
    return sorted(edges, key=lambda edge: rank[edge[1]])


def boxes_of(cards: Collection[Card], edges: Sequence[Edge], direction: Direction) -> FloatArray:
    """Return the sizes of all nodes; cards of a column are equally wide, so that bars align.

    Examples
    --------
    >>> cards = [Card(("a",)), Card(("a longer name",))]
    >>> widths = boxes_of(cards, [(2, 0), (2, 1)], "right")[:, 0]
    >>> bool(widths[0] == widths[1])
    True
    """
    boxes = np.array([*(card.size for card in cards), root_size()])
    if direction == "right":
        layer = layers(edges, len(boxes))
        for row in range(1, int(layer.max()) + 1):
            boxes[layer == row, 0] = boxes[layer == row, 0].max()
    return boxes


def _plan(model: Order, marks: Marks, direction: Direction, across: int, beside: bool) -> Plan:
    share = np.zeros(len(model.events)) if marks.frequency is None else marks.frequency
    edges = ranked(edges_of(model.adjacency()), model.events, share)
    cards = tuple(
        event_card(
            written,
            None if marks.frequency is None else float(share[event]),
            across,
            beside=beside,
            composite=name in marks.composites,
            undetermined=name in marks.undetermined,
        )
        for event, (name, written) in enumerate(
            zip(model.events, legible_names(model.events), strict=True)
        )
    )
    label = (0.0, 0.0) if marks.support is None else (text_width(">99 %", LABEL), LABEL + 1)
    boxes = boxes_of(cards, edges, direction)
    placement = placed(edges, boxes, direction=direction, label=label)
    entries = _entries(model, marks)
    return Plan(cards, placement, tuple(edges), Key.of(entries, placement.extent[0]))


def _entries(model: Order, marks: Marks) -> list[Entry]:
    shown = set(model.events)
    candidates = [
        (
            marks.frequency is not None,
            gauge_sign,
            "share of samples with the event, also the size of its box",
        ),
        (marks.support is not None, wedge_sign, "support: share of replicates with the edge"),
        (
            bool(shown & set(marks.cut)),
            line_sign(1.2, SOFT, "dashed"),
            "start of its own: the filter cut its edge",
        ),
        (bool(shown & set(marks.undetermined)), dotted_sign, "could not be placed"),
        (bool(shown & set(marks.composites)), stacked_sign, "several events merged"),
    ]
    return [Entry(sign, meaning) for occurs, sign, meaning in candidates if occurs]
