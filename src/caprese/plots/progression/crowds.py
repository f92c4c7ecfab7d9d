"""Crowds: the samples that stand at a node, as dots, or as a bar where there are many."""

from dataclasses import dataclass
from math import ceil, sqrt

from caprese._core.words import percent
from caprese.plots.canvas.canvas import Canvas, Point
from caprese.plots.canvas.labels import LINE_HEIGHT, text_width
from caprese.plots.canvas.legend import Entry, Symbol
from caprese.plots.canvas.palette import BLUE, PALE, PAPER, SOFT, VERMILION

MOST_DOTS = 120  # samples at a node, above which all nodes have bars

_NUMBER = 7.0  # font size
_LINE = LINE_HEIGHT * _NUMBER + 2.0
_PITCH, _DOT = 5.2, 3.8  # from one dot to the next, and its diameter
_WIDEST = 16  # dots in a row
_BAR = (64.0, 5.0)
_OUTLINE = 0.7


@dataclass(frozen=True)
class Kind:
    """A kind of samples: how it is drawn, and what it means."""

    fill: str
    outline: str
    marker: str
    one: str
    many: str


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
        canvas.dots(places, _DOT, marker=kind.marker, fill=kind.fill, outline=kind.outline)
        first += number


def _draw_bar(canvas: Canvas, crowd: Crowd, full: int, corner: Point) -> None:
    (left, top), (wide, high) = corner, _BAR
    canvas.box(corner, _BAR, fill=PALE, rounding=0, zorder=4)
    for kind, number in zip(KINDS, crowd.numbers, strict=True):
        if number:
            size = (wide * number / full, high)
            _draw_piece(canvas, kind, (left, top), size)
            left += size[0]


def crowd_entries(crowds: tuple[Crowd, ...]) -> list[Entry]:
    """Return the kinds of samples that occur, for the legend."""
    bars = bool(crowds) and crowds[0].full is not None
    found = [kind for k, kind in enumerate(KINDS) if any(crowd.numbers[k] for crowd in crowds)]
    return [
        Entry(_bar_symbol(kind), kind.many, 14.0) if bars else Entry(_dot_symbol(kind), kind.one, 6)
        for kind in found
    ]


def _dot_symbol(kind: Kind) -> Symbol:
    def draw(canvas: Canvas, left: float, y: float) -> None:
        canvas.dots([(left + 3, y)], _DOT, marker=kind.marker, fill=kind.fill, outline=kind.outline)

    return draw


def _bar_symbol(kind: Kind) -> Symbol:
    def draw(canvas: Canvas, left: float, y: float) -> None:
        _draw_piece(canvas, kind, (left, y - _BAR[1] / 2), (14.0, _BAR[1]))

    return draw


def _draw_piece(canvas: Canvas, kind: Kind, corner: Point, size: Point) -> None:
    """Draw the part of a bar that stands for samples of a kind."""
    fill, outline = kind.fill, kind.outline
    canvas.box(corner, size, fill=fill, outline=outline, width=_OUTLINE, rounding=0, zorder=4.1)
