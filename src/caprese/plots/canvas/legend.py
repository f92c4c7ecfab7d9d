"""The key under a progression: what its signs mean, as far as they occur."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from caprese.plots.canvas.canvas import Pen, Stroke
from caprese.plots.canvas.lettering import PITCH, text_width
from caprese.plots.canvas.palette import BLUE, LINE, PALE, SOFT

_SIZE = 7.0
_SIGN, _SWATCH, _GAP, _APART = 20.0, 8.0, 5.0, 14.0
_LINE = 1.5 * PITCH * _SIZE

Sign = Callable[[Pen, float, float], None]


@dataclass(frozen=True)
class Entry:
    """A sign and what it means."""

    sign: Sign
    meaning: str
    room: float = _SIGN  # of the sign

    @property
    def width(self) -> float:
        """The room it needs."""
        return self.room + _GAP + text_width(self.meaning, _SIZE)


@dataclass(frozen=True)
class Key:
    """Entries in lines, the way text is set.

    Examples
    --------
    >>> entry = Entry(gauge_sign, "share of samples")
    >>> Key.of([entry, entry], width=1000).height < Key.of([entry, entry], width=10).height
    True
    """

    lines: tuple[tuple[Entry, ...], ...]

    @classmethod
    def of(cls, entries: Sequence[Entry], width: float) -> "Key":
        """Set the entries in lines of this width, or of the longest entry's."""
        lines: list[list[Entry]] = []
        used = 0.0
        for entry in entries:
            if not lines or used + _APART + entry.width > width:
                lines.append([])
                used = -_APART
            lines[-1].append(entry)
            used += _APART + entry.width
        return cls(tuple(map(tuple, lines)))

    @property
    def width(self) -> float:
        """Width of the longest line."""
        return max(map(_line_width, self.lines), default=0.0)

    @property
    def height(self) -> float:
        """Height of all lines."""
        return _LINE * len(self.lines)

    def draw(self, pen: Pen, left: float, top: float) -> None:
        """Draw the lines one under the other."""
        for number, line in enumerate(self.lines):
            x, y = left, top + (number + 0.5) * _LINE
            for entry in line:
                entry.sign(pen, x, y)
                place = x + entry.room + _GAP, y
                pen.text(place, entry.meaning, _SIZE, colour=SOFT, align="left")
                x += entry.width + _APART


def gauge_sign(pen: Pen, left: float, y: float) -> None:
    """Draw the sign of a frequency."""
    pen.box((left, y - 1.8), (_SIGN, 3.6), face=PALE, rounding=0)
    pen.box((left, y - 1.8), (0.6 * _SIGN, 3.6), face=BLUE, rounding=0, level=3.1)


def line_sign(width: float, colour: str, stroke: Stroke = "solid") -> Sign:
    """Return the sign of an edge drawn in this way."""

    def draw(pen: Pen, left: float, y: float) -> None:
        ends = np.linspace((left, y), (left + _SIGN, y), 4)
        pen.curve(ends, width=width, colour=colour, stroke=stroke)

    return draw


def swatch(colour: str, meaning: str, *, line: str = "none", width: float = 0.6) -> Entry:
    """Return the entry of a colour, or of an outline."""

    def draw(pen: Pen, left: float, y: float) -> None:
        size = (_SWATCH, _SWATCH)
        corner = (left, y - _SWATCH / 2)
        pen.box(corner, size, face=colour, line=line, width=width, rounding=0)

    return Entry(draw, meaning, _SWATCH)


def wedge_sign(pen: Pen, left: float, y: float) -> None:
    """Draw the sign of edges whose width tells something."""
    tip, start = np.array([left, y]), np.array([left + _SIGN, y])
    pen.wedge(tip, start, width=4.0, colour=SOFT)


def dotted_sign(pen: Pen, left: float, y: float) -> None:
    """Draw the sign of an event that could not be placed."""
    pen.box((left + 2, y - 4), (_SIGN - 4, 8), line=SOFT, stroke="dotted", rounding=2)


def stacked_sign(pen: Pen, left: float, y: float) -> None:
    """Draw the sign of a composite."""
    pen.box((left + 4, y - 5), (_SIGN - 4, 8), line=LINE, rounding=2)
    pen.box((left + 1.5, y - 2.5), (_SIGN - 4, 8), line=LINE, rounding=2, level=3.1)


def _line_width(line: Sequence[Entry]) -> float:
    return sum(entry.width for entry in line) + _APART * (len(line) - 1)
