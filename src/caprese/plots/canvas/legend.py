"""The legend of a picture: what the symbols that occur in it mean."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from caprese.plots.canvas import LineStyle
from caprese.plots.canvas.figures import Canvas
from caprese.plots.canvas.labels import LINE_HEIGHT, text_width
from caprese.plots.canvas.palette import BLUE, LINE, PALE, SOFT

_SIZE = 7.0
_SYMBOL, _SWATCH, _GAP, _APART = 20.0, 8.0, 5.0, 14.0
_LINE = 1.5 * LINE_HEIGHT * _SIZE

Symbol = Callable[[Canvas, float, float], None]
"""Draws a symbol on a canvas, given its left end and the middle of its height."""


@dataclass(frozen=True)
class Entry:
    """A symbol and what it means."""

    symbol: Symbol
    meaning: str
    symbol_width: float = _SYMBOL

    @property
    def width(self) -> float:
        """Width of the symbol and the text."""
        return self.symbol_width + _GAP + text_width(self.meaning, _SIZE)


@dataclass(frozen=True)
class Legend:
    """Entries in lines."""

    lines: tuple[tuple[Entry, ...], ...]

    @classmethod
    def of(cls, entries: Sequence[Entry], width: float) -> "Legend":
        """Arrange the entries in lines of this width; a longer entry has a line of its own."""
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

    def draw(self, canvas: Canvas, left: float, top: float) -> None:
        """Draw the lines one below the other."""
        for number, line in enumerate(self.lines):
            x, y = left, top + (number + 0.5) * _LINE
            for entry in line:
                entry.symbol(canvas, x, y)
                place = x + entry.symbol_width + _GAP, y
                canvas.text(place, entry.meaning, _SIZE, colour=SOFT, align="left")
                x += entry.width + _APART


def bar_symbol(canvas: Canvas, left: float, y: float) -> None:
    """Draw the symbol of a frequency."""
    canvas.bar((left, y), (_SYMBOL, 3.6), 0.6)


def line_symbol(width: float, colour: str, style: LineStyle = "solid") -> Symbol:
    """Return the symbol of an edge of this style."""

    def draw(canvas: Canvas, left: float, y: float) -> None:
        ends = np.linspace((left, y), (left + _SYMBOL, y), 4)
        canvas.curve(ends, width=width, colour=colour, style=style)

    return draw


def swatch(colour: str, meaning: str, *, outline: str = "none", width: float = 0.6) -> Entry:
    """Return the entry of a colour, or of an outline."""

    def draw(canvas: Canvas, left: float, y: float) -> None:
        size = (_SWATCH, _SWATCH)
        corner = (left, y - _SWATCH / 2)
        canvas.box(corner, size, fill=colour, outline=outline, width=width, rounding=0)

    return Entry(draw, meaning, _SWATCH)


def no_symbol(_canvas: Canvas, _left: float, _y: float) -> None:
    """Draw nothing, as for what is left out."""


def wedge_symbol(canvas: Canvas, left: float, y: float) -> None:
    """Draw the symbol of edges of different widths."""
    tip, base = np.array([left, y]), np.array([left + _SYMBOL, y])
    canvas.wedge(tip, base, width=4.0, colour=SOFT)


def dotted_symbol(canvas: Canvas, left: float, y: float) -> None:
    """Draw the symbol of an event that could not be placed."""
    canvas.box((left + 2, y - 4), (_SYMBOL - 4, 8), outline=SOFT, style="dotted", rounding=2)


def stacked_symbol(canvas: Canvas, left: float, y: float) -> None:
    """Draw the symbol of a composite event."""
    canvas.box((left + 4, y - 5), (_SYMBOL - 4, 8), outline=LINE, rounding=2)
    canvas.box((left + 1.5, y - 2.5), (_SYMBOL - 4, 8), outline=LINE, rounding=2, zorder=3.1)


def gate_symbol(canvas: Canvas, left: float, y: float) -> None:
    """Draw the symbol of a pattern."""
    canvas.box((left + 1, y - 4.5), (_SYMBOL - 2, 9), fill=PALE, outline=BLUE, rounding=4.5)


def _line_width(line: Sequence[Entry]) -> float:
    return sum(entry.width for entry in line) + _APART * (len(line) - 1)
