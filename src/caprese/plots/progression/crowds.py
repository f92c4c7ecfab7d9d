"""Crowds: the samples that stand at each node, as dots, or as a bar where there are many."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Any

import numpy as np

from caprese._core.arrays import BoolArray, IntArray
from caprese._core.names import places
from caprese._core.words import percent
from caprese.models.base import Order
from caprese.patients.place import UNUSUAL, Placement
from caprese.plots.canvas import Point
from caprese.plots.canvas.figures import Canvas
from caprese.plots.canvas.labels import LINE_HEIGHT, text_width
from caprese.plots.canvas.legend import Entry
from caprese.plots.canvas.palette import BLUE, PALE, PAPER, SOFT, VERMILION

MOST_DOTS = 120  # samples at a node, above which all nodes have bars

_NUMBER = 7.0  # font size
_LINE = LINE_HEIGHT * _NUMBER + 2.0
_PITCH, _DOT = 5.2, 3.8  # from one dot to the next, and its diameter
_WIDEST = 16  # dots in a row
_BAR = (64.0, 5.0)
_OUTLINE = 0.7
_SYMBOL = 14.0  # width of a part of a bar in the legend


@dataclass(frozen=True)
class Kind:
    """A kind of samples: how it is drawn, and what it means."""

    fill: str
    outline: str
    marker: str
    one: str
    many: str

    def draw_dots(self, canvas: Canvas, places: Sequence[Point]) -> None:
        """Draw samples as dots."""
        canvas.dots(places, _DOT, marker=self.marker, fill=self.fill, outline=self.outline)

    def draw_piece(self, canvas: Canvas, corner: Point, width: float) -> None:
        """Draw the part of a bar that stands for samples."""
        style: Any = {"fill": self.fill, "outline": self.outline, "width": _OUTLINE}
        canvas.box(corner, (width, _BAR[1]), rounding=0, zorder=4.1, **style)

    def dot_symbol(self, canvas: Canvas, left: float, y: float) -> None:
        """Draw a dot in the legend."""
        self.draw_dots(canvas, [(left + 3, y)])

    def piece_symbol(self, canvas: Canvas, left: float, y: float) -> None:
        """Draw a part of a bar in the legend."""
        self.draw_piece(canvas, (left, y - _BAR[1] / 2), _SYMBOL)


KINDS = (
    Kind(BLUE, BLUE, "o", "a sample, at its deepest event", "samples, at their deepest event"),
    Kind(PAPER, BLUE, "o", "one that is on another branch too", "those on other branches too"),
    Kind(VERMILION, VERMILION, "D", "one that does not fit", "those that do not fit"),
)


@dataclass(frozen=True)
class Crowd:
    """The samples at a node.

    Parameters
    ----------
    numbers
        How many there are of each of the `KINDS`.
    share
        Of all samples.
    full
        The number of samples of a whole bar; None if each sample is a dot.
    """

    numbers: tuple[int, ...]
    share: float
    full: int | None = None

    @property
    def label(self) -> str:
        """How many they are, and which share of all samples."""
        total = sum(self.numbers)
        return f"{total} ({percent(self.share)})" if total else "0"

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the label, and of the dots or the bar below it."""
        wide, high = self._dots() if self.full is None else _BAR
        return max(wide, text_width(self.label, _NUMBER)), _LINE + high

    @property
    def columns(self) -> int:
        """The number of dots in a row."""
        return min(_WIDEST, max(1, ceil(sqrt(2 * sum(self.numbers)))))

    def _dots(self) -> tuple[float, float]:
        return _PITCH * self.columns, _PITCH * ceil(sum(self.numbers) / self.columns)


def crowds(order: Order, placement: Placement) -> tuple[Crowd, ...]:
    """Return the samples at each event of the order, and last those at the root."""
    columns = places(placement.events, order.events, "progression and placement")
    node, elsewhere = nodes_of_samples(order, placement.genotypes[:, columns])
    kind = np.where(placement.typicality < UNUSUAL, 2, elsewhere.astype(int))
    nodes = len(order.events) + 1
    numbers = np.bincount(len(KINDS) * node + kind, minlength=len(KINDS) * nodes)
    numbers = numbers.reshape(nodes, len(KINDS))
    total = numbers.sum(axis=1)
    full = int(total.max()) if total.max() > MOST_DOTS else None
    return tuple(
        Crowd(tuple(each.tolist()), float(each.sum() / total.sum()), full) for each in numbers
    )


def nodes_of_samples(order: Order, genotypes: BoolArray) -> tuple[IntArray, BoolArray]:
    """Return the node of each sample, and whether it has come further on another branch too.

    A sample stands at its deepest event, the one with the most ancestors; of equally deep ones at
    the one that the fewest samples have, then at the last by name. One without events stands at
    the root, whose position is the number of events.
    """
    ancestors = order.ancestors()
    followed = genotypes @ ancestors.T  # whether one of its descendants is there
    last = genotypes & ~followed
    depth, carriers = ancestors.sum(axis=0), genotypes.sum(axis=0)
    names = np.argsort(np.argsort(np.array(order.events, dtype=object), kind="stable"))
    rank = np.empty(len(order.events), dtype=np.int64)
    rank[np.lexsort((names, -carriers, depth))] = np.arange(1, len(order.events) + 1)
    deepest = np.where(last, rank, 0).argmax(axis=1)
    node = np.where(genotypes.any(axis=1), deepest, len(order.events))
    return node, last.sum(axis=1) > 1


def draw_crowd(canvas: Canvas, crowd: Crowd, middle: float, top: float) -> None:
    """Draw the samples below `top`."""
    canvas.text((middle, top + LINE_HEIGHT * _NUMBER / 2), crowd.label, _NUMBER, colour=SOFT)
    if crowd.full is None:
        _draw_dots(canvas, crowd, middle, top + _LINE)
    else:
        _draw_bar(canvas, crowd, crowd.full, (middle - _BAR[0] / 2, top + _LINE))


def _draw_dots(canvas: Canvas, crowd: Crowd, middle: float, top: float) -> None:
    columns = crowd.columns
    left = middle - _PITCH * min(columns, sum(crowd.numbers)) / 2
    first = 0
    for kind, number in zip(KINDS, crowd.numbers, strict=True):
        places = [
            (left + (k % columns + 0.5) * _PITCH, top + (k // columns + 0.5) * _PITCH)
            for k in range(first, first + number)
        ]
        kind.draw_dots(canvas, places)
        first += number


def _draw_bar(canvas: Canvas, crowd: Crowd, full: int, corner: Point) -> None:
    left, top = corner
    canvas.box(corner, _BAR, fill=PALE, rounding=0, zorder=4)
    for kind, number in zip(KINDS, crowd.numbers, strict=True):
        if number:
            width = _BAR[0] * number / full
            kind.draw_piece(canvas, (left, top), width)
            left += width


def crowd_entries(crowds: tuple[Crowd, ...]) -> list[Entry]:
    """Return the kinds of samples that occur, for the legend."""
    bars = bool(crowds) and crowds[0].full is not None
    found = [kind for k, kind in enumerate(KINDS) if any(crowd.numbers[k] for crowd in crowds)]
    if bars:
        return [Entry(kind.piece_symbol, kind.many, _SYMBOL) for kind in found]
    return [Entry(kind.dot_symbol, kind.one, 6) for kind in found]
