"""Plans of heat maps: parents in rows, the root first, and children in columns. Nothing draws."""

import math
from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray
from caprese.assessment.confidence import Confidence
from caprese.errors import ModelError
from caprese.methods.evidence import PairScores
from caprese.methods.fit import order_of
from caprese.models.base import Model, Order
from caprese.plots.canvas.labels import legible, legible_names, text_width
from caprese.plots.canvas.legend import Legend, swatch
from caprese.plots.canvas.palette import BLUE, INK, LINE, PALE, PAPER, VERMILION, rgb, shade

MARGIN, GAP = 8.0, 5.0
NAME, NUMBER = 8.0, 7.0  # font sizes
TITLE = 13.0  # height of the title of an axis
SCALE = (60.0, 7.0)  # width and height of the colour scale

LONGEST = 40  # characters of a name

_CELL = (27.0, 17.0)  # with a number
_SMALL_CELL = (11.0, 11.0)  # without
_MOST_NUMBERED = 25  # events; a larger map with numbers would not fit on a page
_SHADES = 64  # on the colour scale

Colour = tuple[float, float, float]
"""Red, green and blue, from 0 to 1."""


@dataclass(frozen=True)
class HeatMap:
    """A heat map before it is drawn."""

    rows: tuple[str, ...]  # names of the parents
    columns: tuple[str, ...]  # names of the children
    values: FloatArray  # a number for each pair; not finite if there is none
    edges: BoolArray  # which pairs are edges of the model
    name: str  # of the numbers
    range: tuple[float, float]  # numbers at the ends of the colour scale
    admissible: BoolArray  # which pairs may be edges

    @property
    def numbered(self) -> bool:
        """Whether cells show their numbers."""
        return len(self.columns) <= _MOST_NUMBERED

    @property
    def cell(self) -> tuple[float, float]:
        """Width and height of a cell."""
        return _CELL if self.numbered else _SMALL_CELL

    @property
    def upright(self) -> bool:
        """Whether the names of the children are upright, because they are wider than a cell."""
        return _widest(self.columns) > self.cell[0] - 2

    @property
    def corner(self) -> tuple[float, float]:
        """The upper left corner of the cells."""
        above = _widest(self.columns) if self.upright else NAME
        return MARGIN + TITLE + _widest(self.rows) + GAP, MARGIN + TITLE + above + GAP

    @property
    def titles(self) -> tuple[str, str]:
        """What rows and columns are."""
        return "parent", "child"

    @property
    def scale_words(self) -> tuple[str, str]:
        """What is written before and after the colour scale."""
        low, high = map(self.number, self.range)
        return f"{self.name}  {low}", high

    @property
    def legend(self) -> Legend:
        """The legend beside the colour scale."""
        entries = [swatch(PAPER, "edge of the model", outline=INK, width=1.2)]
        if not self.admissible[np.isfinite(self.values)].all():
            entries.append(swatch(PALE, "not admissible", outline=LINE, width=0.6))
        return Legend.of(entries, math.inf)

    def number(self, value: float) -> str:
        """Return a number as it is shown."""
        return two_digits(value)

    def colour(self, depth: float) -> Colour:
        """Return the colour of a place on the colour scale; a neutral one if it is not finite."""
        if not np.isfinite(depth):
            return rgb(PALE)
        return shade(abs(depth), BLUE if depth >= 0 else VERMILION)

    @property
    def depths(self) -> FloatArray:
        """Where the values of the cells are on the colour scale; NaN if not admissible."""
        return np.where(self.admissible, self.depths_of(self.values), np.nan)

    def colours(self) -> FloatArray:
        """Return red, green and blue of all cells."""
        return np.array([[self.colour(depth) for depth in row] for row in self.depths.tolist()])

    def text(self, row: int, column: int) -> str:
        """Return what is written in a cell."""
        value = float(self.values[row, column])
        return self.number(value) if self.numbered and np.isfinite(value) else ""

    @property
    def scale(self) -> FloatArray:
        """Numbers at even distances along the colour scale."""
        return np.linspace(*self.range, _SHADES)

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of the whole."""
        (left, top), (wide, high) = self.corner, self.cell
        words = sum(text_width(text, NUMBER) for text in self.scale_words)
        scale = words + 5 * GAP + SCALE[0]
        width = max(wide * len(self.columns), scale + self.legend.width)
        return left + width + MARGIN, top + high * len(self.rows) + 5 * GAP + MARGIN

    def depths_of(self, values: FloatArray) -> FloatArray:
        """Return where values are on the colour scale: from 0 to 1, or from -1 if it has two arms.

        A scale has two arms if it contains negative and positive numbers.
        """
        low, high = self.range
        if low < 0 < high:
            return np.asarray(values / max(-low, high))
        return np.asarray((values - low) / ((high - low) or 1.0))


def support_plan(model: Model | Order, confidence: Confidence) -> HeatMap:
    """Return the plan of a heat map of support; see `draw_support`."""
    order = order_of(model)
    if order.events != confidence.events:
        raise ModelError("model and confidence must have the same events in the same order")
    n, support = len(order.events), confidence.support
    names = legible_names(order.events, LONGEST)
    rows, values, edges = ("root", *names), [support[n], _pairs(support[:n])], _with_root(order)
    if support[n + 1].any():
        rows, values = (*rows, "not determined"), [*values, support[n + 1]]
        edges = np.vstack([edges, np.zeros((1, n), dtype=bool)])
    found = np.vstack(values)
    return HeatMap(rows, names, found, edges, "support", (0.0, 1.0), np.isfinite(found))


def scores_plan(model: Model | Order, scores: PairScores) -> HeatMap:
    """Return the plan of a heat map of scores; see `draw_scores`."""
    order = order_of(model)
    n, shape = len(order.events), np.shape(scores.matrix)
    if shape != (n, n):
        raise ValueError(f"scores must be {n} x {n} for {n} events, got {shape}")
    names = legible_names(order.events, LONGEST)
    rows, values, edges = names, _pairs(scores.matrix), order.adjacency()
    admissible = np.asarray(scores.admissible, dtype=bool)
    if scores.root is not None:
        rows, edges = ("root", *rows), _with_root(order)
        values = np.vstack([scores.root, values])
        admissible = np.vstack([np.ones((1, n), dtype=bool), admissible])
    finite = values[np.isfinite(values)]
    ends = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    return HeatMap(rows, names, values, edges, legible(scores.name, LONGEST), ends, admissible)


def two_digits(value: float) -> str:
    """Return a number with two digits after the point, as the paper writes it."""
    if 0 < value < 0.005:
        return "<.01"
    if 0.995 <= value < 1:
        return ">.99"
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("0.", ".", 1) if abs(value) < 1 else text


def _widest(names: tuple[str, ...]) -> float:
    return max(text_width(name, NAME) for name in names)


def _pairs(matrix: FloatArray) -> FloatArray:
    """Return a matrix without its diagonal, as no event is a parent of itself."""
    return np.where(np.eye(len(matrix), dtype=bool), np.nan, matrix)


def _with_root(model: Order) -> BoolArray:
    adjacency = model.adjacency()
    return np.vstack([~adjacency.any(axis=0), adjacency])
