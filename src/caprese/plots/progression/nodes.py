"""Nodes: what the node of an event shows, and how large it is."""

from collections.abc import Sequence
from dataclasses import dataclass

from caprese._core.words import percent
from caprese.plots.canvas import Align, LineStyle
from caprese.plots.canvas.figures import Canvas
from caprese.plots.canvas.labels import LINE_HEIGHT, text_width
from caprese.plots.canvas.palette import BLUE, INK, LINE, PALE, PAPER, SOFT
from caprese.plots.progression.crowds import Crowd, draw_crowd

_NAME, _NUMBER, _ROOT = 9.0, 7.0, 8.0  # font sizes
_SIDE, _BETWEEN = 7.0, 4.0
_TOP, _TOP_BESIDE = 4.0, 2.5
_BAR = (30.0, 3.6)
_GROWTH, _GROWTH_BESIDE = (40.0, 14.0), (0.0, 9.0)  # of the node of an event in all samples
_GATE = 14.0  # height, and least width, of the node of a pattern
_CROWD_GAP = 1.5  # below the samples
_BEHIND = 2.6  # how far the second box of a composite event sticks out


@dataclass(frozen=True)
class Node:
    """The node of an event."""

    lines: tuple[str, ...]  # its name
    frequency: float | None = None  # share of the samples that carry it, if it is shown
    beside: bool = False  # whether the frequency is beside the name; otherwise it is below
    composite: bool = False  # whether several events were merged into it
    undetermined: bool = False  # whether the data could not determine its parents
    crowd: Crowd | None = None  # the samples at the event, if they are shown; no frequency then
    event: str = ""  # whose node it is, if that is to be found in the picture

    @property
    def size(self) -> tuple[float, float]:
        """Width and height: what the text needs, and more for a more frequent event."""
        width, height = self._name_size()
        if self.frequency is not None and self.beside:
            width += 2 * _BETWEEN + _frequency_width()
        elif self.frequency is not None:
            width, height = max(width, _frequency_width()), height + LINE_HEIGHT * _NUMBER
        if self.crowd is not None:
            wide, high = self.crowd.size
            width, height = max(width, wide), height + high + _CROWD_GAP
        behind = _BEHIND if self.composite else 0.0
        top = _TOP_BESIDE if self.beside and self.crowd is None else _TOP
        wider, higher = _GROWTH_BESIDE if self.beside else _GROWTH
        share = self.frequency or 0.0
        return (
            width + 2 * _SIDE + behind + wider * share,
            height + 2 * top + behind + higher * share,
        )

    def draw(self, canvas: Canvas, centre: Sequence[float], size: Sequence[float]) -> None:
        """Draw the node, which may be larger than it needs to be."""
        behind = _BEHIND if self.composite else 0.0
        left, top = centre[0] - size[0] / 2, centre[1] - size[1] / 2
        wide, high = size[0] - behind, size[1] - behind
        outline = SOFT if self.undetermined else LINE
        style: LineStyle = "dotted" if self.undetermined else "solid"
        if self.composite:
            second = (left + behind, top)
            canvas.box(second, (wide, high), outline=outline, style=style, zorder=2.5)
        top += behind
        canvas.box((left, top), (wide, high), outline=outline, style=style)
        if self.event:
            canvas.region(self.event, (left, top), (wide, high))
        middle = left + wide / 2
        if self.crowd is not None:
            name = self._name_size()[1]
            self._draw_name(canvas, middle, top + _TOP + name / 2, "center")
            draw_crowd(canvas, self.crowd, middle, top + _TOP + name)
        elif self.frequency is None:
            self._draw_name(canvas, middle, top + high / 2, "center")
        elif self.beside:
            self._draw_name(canvas, left + _SIDE, top + high / 2, "left")
            bar = left + wide - _SIDE - _frequency_width()
            _draw_frequency(canvas, bar, top + high / 2, self.frequency)
        else:
            line_height = LINE_HEIGHT * _NUMBER
            spare = (high - 2 * _TOP - self._name_size()[1] - line_height) / 2
            self._draw_name(canvas, middle, top + (high - line_height) / 2, "center")
            y = top + high - _TOP - spare - line_height / 2
            _draw_frequency(canvas, middle - _frequency_width() / 2, y, self.frequency)

    def _name_size(self) -> tuple[float, float]:
        width = max(text_width(line, _NAME) for line in self.lines)
        return width, LINE_HEIGHT * _NAME * len(self.lines)

    def _draw_name(self, canvas: Canvas, x: float, y: float, align: Align) -> None:
        colour = SOFT if self.undetermined else INK
        for number, line in enumerate(self.lines):
            up = y + (number - (len(self.lines) - 1) / 2) * LINE_HEIGHT * _NAME
            canvas.text((x, up), line, _NAME, colour=colour, align=align)


@dataclass(frozen=True)
class Gate:
    """The node of a pattern, between its events and the event that it is a parent of."""

    label: str  # its operator

    @property
    def size(self) -> tuple[float, float]:
        """Width and height: what the operator needs."""
        return max(text_width(self.label, _NUMBER) + 2 * _BETWEEN, _GATE), _GATE

    def draw(self, canvas: Canvas, centre: Sequence[float], _size: Sequence[float]) -> None:
        """Draw the operator in a small rounded box."""
        width, height = self.size
        corner = (centre[0] - width / 2, centre[1] - height / 2)
        canvas.box(corner, (width, height), fill=PALE, outline=BLUE, rounding=height / 2)
        canvas.text((centre[0], centre[1]), self.label, _NUMBER)


def draw_root(canvas: Canvas, centre: Sequence[float], crowd: Crowd | None = None) -> None:
    """Draw the root, where all samples start, and the samples that are still there."""
    width, height = root_size()
    middle, top = centre[0], centre[1] - root_size(crowd)[1] / 2
    if crowd is not None:
        wide, high = root_size(crowd)
        canvas.box((middle - wide / 2, top), (wide, high), outline=LINE)
        top += _TOP
        draw_crowd(canvas, crowd, middle, top + height + _CROWD_GAP)
    canvas.box((middle - width / 2, top), (width, height), fill=INK, rounding=height / 2)
    canvas.text((middle, top + height / 2), "root", _ROOT, colour=PAPER)


def root_size(crowd: Crowd | None = None) -> tuple[float, float]:
    """Return width and height of the root, with its samples if they are shown."""
    width, height = text_width("root", _ROOT) + 16.0, 16.0
    if crowd is None:
        return width, height
    wide, high = crowd.size
    return max(width, wide) + 2 * _SIDE, height + high + 2 * _CROWD_GAP + 2 * _TOP


def _draw_frequency(canvas: Canvas, left: float, y: float, share: float) -> None:
    """Draw a frequency as a bar, with its percentage to the right."""
    canvas.bar((left, y), _BAR, share)
    right = left + _frequency_width()
    canvas.text((right, y), percent(share), _NUMBER, colour=SOFT, align="right")


def _frequency_width() -> float:
    return _BAR[0] + 3.0 + text_width("100 %", _NUMBER)
