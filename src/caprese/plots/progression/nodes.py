"""Cards: what the node of an event shows, and how large it is."""

from collections.abc import Sequence
from dataclasses import dataclass

from caprese._core.words import percent
from caprese.plots.canvas.canvas import Align, Pen, Stroke
from caprese.plots.canvas.lettering import PITCH, text_width, wrapped
from caprese.plots.canvas.palette import BLUE, INK, LINE, PALE, PAPER, SOFT

_NAME, _NUMBER = 9.0, 7.0  # sizes of the letters
_SIDE, _BETWEEN = 7.0, 4.0
_TOP, _TOP_BESIDE = 4.0, 2.5
_BAR = (30.0, 3.6)
_GROWTH, _GROWTH_BESIDE = (40.0, 14.0), (0.0, 9.0)  # of a card in all samples; one in none has none
_BEHIND = 2.6  # how far the second sheet of a composite looks out


@dataclass(frozen=True)
class Card:
    """The node of an event.

    Parameters
    ----------
    lines
        Its name.
    frequency
        Share of the samples that carry it, if that is to be shown.
    beside
        Whether the frequency stands beside the name; else below.
    composite
        Whether it stands for several events that were merged.
    undetermined
        Whether the data could not place it.

    Examples
    --------
    >>> below, beside = (Card(("8q+",), 0.7, beside=beside).size for beside in (False, True))
    >>> below[0] < beside[0], below[1] > beside[1]
    (True, True)
    """

    lines: tuple[str, ...]
    frequency: float | None = None
    beside: bool = False
    composite: bool = False
    undetermined: bool = False

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the card: what its text needs, and more the more frequent it is."""
        width, height = self._name_size()
        if self.frequency is not None and self.beside:
            width += 2 * _BETWEEN + _gauge_width()
        elif self.frequency is not None:
            width, height = max(width, _gauge_width()), height + PITCH * _NUMBER
        behind = _BEHIND if self.composite else 0.0
        top = _TOP_BESIDE if self.beside else _TOP
        wider, higher = _GROWTH_BESIDE if self.beside else _GROWTH
        share = self.frequency or 0.0
        return (
            width + 2 * _SIDE + behind + wider * share,
            height + 2 * top + behind + higher * share,
        )

    def draw(self, pen: Pen, centre: Sequence[float], size: Sequence[float]) -> None:
        """Draw the card, which may have more room than it needs."""
        behind = _BEHIND if self.composite else 0.0
        left, top = centre[0] - size[0] / 2, centre[1] - size[1] / 2
        wide, high = size[0] - behind, size[1] - behind
        line = SOFT if self.undetermined else LINE
        stroke: Stroke = "dotted" if self.undetermined else "solid"
        if self.composite:
            pen.box((left + behind, top), (wide, high), line=line, stroke=stroke, level=2.5)
        top += behind
        pen.box((left, top), (wide, high), line=line, stroke=stroke)
        middle = left + wide / 2
        if self.frequency is None:
            self._draw_name(pen, middle, top + high / 2, "center")
        elif self.beside:
            self._draw_name(pen, left + _SIDE, top + high / 2, "left")
            draw_gauge(pen, left + wide - _SIDE - _gauge_width(), top + high / 2, self.frequency)
        else:
            line_height = PITCH * _NUMBER
            spare = (high - 2 * _TOP - self._name_size()[1] - line_height) / 2
            self._draw_name(pen, middle, top + (high - line_height) / 2, "center")
            gauge = top + high - _TOP - spare - line_height / 2
            draw_gauge(pen, middle - _gauge_width() / 2, gauge, self.frequency)

    def _name_size(self) -> tuple[float, float]:
        width = max(text_width(line, _NAME) for line in self.lines)
        return width, PITCH * _NAME * len(self.lines)

    def _draw_name(self, pen: Pen, x: float, y: float, align: Align) -> None:
        colour = SOFT if self.undetermined else INK
        for number, line in enumerate(self.lines):
            up = y + (number - (len(self.lines) - 1) / 2) * PITCH * _NAME
            pen.text((x, up), line, _NAME, colour=colour, align=align)


def event_card(
    name: str,
    frequency: float | None,
    across: int,
    *,
    beside: bool = False,
    composite: bool = False,
    undetermined: bool = False,
) -> Card:
    """Return the card of an event, its name broken into lines of so many signs.

    Examples
    --------
    >>> event_card("amplification of 8q", 0.7, across=16).lines
    ('amplification of', '8q')
    """
    lines = wrapped(name, across)
    return Card(lines, frequency, beside, composite, undetermined)


def draw_gauge(pen: Pen, left: float, y: float, share: float) -> None:
    """Draw a share as a bar on a track, its percents beside it."""
    wide, high = _BAR
    pen.box((left, y - high / 2), _BAR, face=PALE, rounding=0, level=4)
    if share > 0:
        pen.box((left, y - high / 2), (wide * share, high), face=BLUE, rounding=0, level=4.1)
    right = left + _gauge_width()
    pen.text((right, y), percent(share), _NUMBER, colour=SOFT, align="right")


def draw_root(pen: Pen, centre: Sequence[float], size: Sequence[float]) -> None:
    """Draw the root: all samples start there."""
    corner = (centre[0] - size[0] / 2, centre[1] - size[1] / 2)
    pen.box(corner, (size[0], size[1]), face=INK, rounding=size[1] / 2)
    pen.text((centre[0], centre[1]), "root", 8.0, colour=PAPER)


def root_size() -> tuple[float, float]:
    """Return width and height of the root.

    Examples
    --------
    >>> width, height = root_size()
    >>> width > height
    True
    """
    return text_width("root", 8.0) + 16.0, 16.0


def _gauge_width() -> float:
    return _BAR[0] + 3.0 + text_width("100 %", _NUMBER)
