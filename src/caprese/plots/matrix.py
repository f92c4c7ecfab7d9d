"""Heat maps: a coloured cell for each parent and child, with its number while that fits."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray
from caprese.plots.canvas.canvas import Pen
from caprese.plots.canvas.legend import Key, swatch
from caprese.plots.canvas.lettering import text_width
from caprese.plots.canvas.palette import BLUE, INK, PALE, PAPER, SOFT, VERMILION, rgb, shade

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARGIN, _GAP = 8.0, 5.0
_NAME, _NUMBER = 8.0, 7.0
_WIDE, _HIGH = 27.0, 17.0  # a cell with a number
_SMALL = 11.0  # a cell without
_MOST_NUMBERED = 25  # events, for a map with numbers to fit on a page
_SCALE = (60.0, 7.0)
_DARK = 0.8  # from which depth on numbers are white


@dataclass(frozen=True)
class HeatMap:
    """A heat map before it is drawn.

    Parameters
    ----------
    rows, columns
        The parents and the children.
    values
        A number for each pair; not finite where there is none.
    edges
        Which pairs are edges of the model.
    name
        What the numbers are.
    range
        The numbers at the ends of the scale.

    Examples
    --------
    >>> plan = HeatMap(("a",), ("b",), np.ones((1, 1)), np.ones((1, 1), bool), "score", (0.0, 2.0))
    >>> plan.depths_of(plan.values)
    array([[0.5]])
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: FloatArray
    edges: BoolArray
    name: str
    range: tuple[float, float]

    @property
    def cell(self) -> tuple[float, float]:
        """Width and height of a cell: of a number while there is room for numbers."""
        return (_WIDE, _HIGH) if self.numbered else (_SMALL, _SMALL)

    @property
    def numbered(self) -> bool:
        """Whether numbers stand in the cells."""
        return len(self.columns) <= _MOST_NUMBERED

    @property
    def upright(self) -> bool:
        """Whether the names of the children stand upright, as they are too long for their cells."""
        return max(text_width(name, _NAME) for name in self.columns) > self.cell[0] - 2

    @property
    def corner(self) -> tuple[float, float]:
        """Where the cells start."""
        longest = max(text_width(name, _NAME) for name in self.columns)
        left = max(text_width(name, _NAME) for name in self.rows)
        return _MARGIN + left + _GAP, _MARGIN + (longest if self.upright else _NAME) + _GAP

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of the whole."""
        (left, top), (wide, high) = self.corner, self.cell
        width = max(wide * len(self.columns), self._legend_width())
        return left + width + _MARGIN, top + high * len(self.rows) + 5 * _GAP + _MARGIN

    def depths_of(self, values: FloatArray) -> FloatArray:
        """Return where values lie on the scale: from 0 to 1, or from -1 if it has two arms."""
        low, high = self.range
        if low < 0 < high:
            return np.asarray(values / max(-low, high))
        return np.asarray((values - low) / ((high - low) or 1.0))

    def _legend_width(self) -> float:
        low, high = self.range
        words = text_width(f"{self.name} {_number(low)}{_number(high)}", _NUMBER)
        return words + 5 * _GAP + _SCALE[0] + _outline_key().width


def _outline_key() -> Key:
    return Key.of([swatch(PAPER, "edge of the model", line=INK, width=1.2)], 0)


def _number(value: float) -> str:
    """Return two places of a number, as the paper writes them: .62, 1, 0."""
    if 0 < value < 0.005:
        return "<.01"
    if 0.995 <= value < 1:
        return ">.99"
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("0.", ".", 1) if abs(value) < 1 else text


def _colour(depth: float) -> tuple[float, float, float]:
    if not np.isfinite(depth):
        return rgb(PALE)
    return shade(abs(depth), BLUE if depth >= 0 else VERMILION)


def draw_heat_map(axes: "Axes", plan: HeatMap) -> "Axes":
    """Draw what was planned."""
    pen = Pen.on(axes, *plan.extent)
    (left, top), (wide, high), depths = plan.corner, plan.cell, plan.depths_of(plan.values)
    size = wide * len(plan.columns), high * len(plan.rows)
    colours = np.array([[_colour(depth) for depth in row] for row in depths.tolist()])
    pen.image(colours, (left, top), size)
    for row, name in enumerate(plan.rows):
        pen.text((left - _GAP, top + (row + 0.5) * high), name, _NAME, align="right")
    for column, name in enumerate(plan.columns):
        place = left + (column + 0.5) * wide, top - _GAP - (0 if plan.upright else _NAME / 2)
        align: Literal["left", "center"] = "left" if plan.upright else "center"
        pen.text(place, name, _NAME, align=align, upright=plan.upright)
    _draw_cells(pen, plan, depths)
    _draw_legend(pen, plan, top + size[1] + 3 * _GAP)
    return axes


def _draw_cells(pen: Pen, plan: HeatMap, depths: FloatArray) -> None:
    (left, top), (wide, high) = plan.corner, plan.cell
    for (row, column), value in np.ndenumerate(plan.values):
        x, y = left + column * wide, top + row * high
        own = bool(plan.edges[row, column])
        if plan.numbered and np.isfinite(value):
            place = x + wide / 2, y + high / 2
            colour = PAPER if abs(depths[row, column]) > _DARK else INK
            pen.text(place, _number(float(value)), _NUMBER, colour=colour, bold=own)
        if own:
            corner, size = (x + 0.8, y + 0.8), (wide - 1.6, high - 1.6)
            pen.box(corner, size, face="none", line=INK, width=1.4, rounding=0)
    pen.grid((left, top), plan.cell, (len(plan.rows), len(plan.columns)), width=0.6)


def _draw_legend(pen: Pen, plan: HeatMap, y: float) -> None:
    (x, _), (low, high) = plan.corner, plan.range
    before = f"{plan.name}  {_number(low)}"
    pen.text((x, y), before, _NUMBER, colour=SOFT, align="left")
    x += text_width(before, _NUMBER) + _GAP
    ends = plan.depths_of(np.linspace(low, high, 64))
    pen.image(np.array([[_colour(depth) for depth in ends.tolist()]]), (x, y - 3.5), _SCALE)
    x += _SCALE[0] + _GAP
    pen.text((x, y), _number(high), _NUMBER, colour=SOFT, align="left")
    key = _outline_key()
    key.draw(pen, x + text_width(_number(high), _NUMBER) + 3 * _GAP, y - key.height / 2)
