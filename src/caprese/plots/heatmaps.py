"""Heat maps of pairs of events: their support, their scores, their effects, or their order.

There is a coloured cell for each pair, with its number if there is space.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import BoolArray, FloatArray
from caprese.assessment.confidence import Confidence
from caprese.assessment.effects import SLIGHT
from caprese.assessment.known import KnownOrders
from caprese.errors import ModelError, ParameterError
from caprese.methods.evidence import PairScores
from caprese.methods.fit import order_of
from caprese.models.base import EffectsModel, Model, Order
from caprese.plots.canvas import Align, Point
from caprese.plots.canvas.figures import Axes, Canvas, Figure, draw_on, figure_of
from caprese.plots.canvas.labels import legible, legible_names, text_width
from caprese.plots.canvas.legend import Legend, swatch
from caprese.plots.canvas.palette import (
    BLUE,
    GREEN,
    INK,
    LINE,
    PALE,
    PAPER,
    SOFT,
    VERMILION,
    shades,
)

_MARGIN, _GAP = 8.0, 5.0
_NAME, _NUMBER = 8.0, 7.0  # font sizes
_TITLE = 13.0  # height of the title of an axis
_SCALE = (60.0, 7.0)  # width and height of the colour scale
_CELL = (27.0, 17.0)  # with a number
_SMALL_CELL = (11.0, 11.0)  # without
_MOST_NUMBERED = 25  # events; a larger map with numbers would not fit on a page

_LONGEST = 40  # characters of a name
_SHADES = 64  # on the colour scale
_DARK = 0.8  # from this depth on numbers are white
_FAINTEST, _STRONGEST = 0.1, 0.7  # shades of the lowest and of the highest base rate
_LEAST_END = 2.0  # factor at the ends of the scale, if all effects are weaker
_MANY = 9.95  # factor from which on no decimals are shown


@dataclass(frozen=True)
class HeatMap:
    """A heat map before it is drawn."""

    events: tuple[str, ...]  # which may be among the rows and columns
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    titles: tuple[str, str]  # what rows and columns are
    colours: FloatArray  # red, green and blue of each cell
    numbers: NDArray[Any]  # text of each cell, which is shown if there is space; may be empty
    inks: NDArray[Any]  # colours of the numbers
    edges: BoolArray  # cells that are edges of the model
    scale: FloatArray  # colours along the colour scale
    scale_words: tuple[str, str]  # before and after it
    legend: Legend  # beside it

    @property
    def numbered(self) -> bool:
        """Whether cells show their numbers."""
        return len(self.columns) <= _MOST_NUMBERED

    @property
    def cell(self) -> Point:
        """Width and height of a cell."""
        return _CELL if self.numbered else _SMALL_CELL

    @property
    def upright(self) -> bool:
        """Whether the names of the columns are upright, because they are wider than a cell."""
        return _widest(self.columns) > self.cell[0] - 2

    @property
    def corner(self) -> Point:
        """The upper left corner of the cells."""
        above = _widest(self.columns) if self.upright else _NAME
        return _MARGIN + _TITLE + _widest(self.rows) + _GAP, _MARGIN + _TITLE + above + _GAP

    @property
    def size(self) -> Point:
        """Width and height of all cells."""
        wide, high = self.cell
        return wide * len(self.columns), high * len(self.rows)

    @property
    def extent(self) -> Point:
        """Width and height of the whole."""
        (left, top), (wide, high) = self.corner, self.size
        words = sum(text_width(text, _NUMBER) for text in self.scale_words)
        width = max(wide, words + 5 * _GAP + _SCALE[0] + self.legend.width)
        return left + width + _MARGIN, top + high + 5 * _GAP + _MARGIN

    def draw(self, canvas: Canvas) -> None:
        """Draw the cells, the names around them, and the colour scale with the legend below."""
        canvas.image(self.colours, self.corner, self.size)
        self._draw_names(canvas)
        self._name_regions(canvas)
        self._draw_titles(canvas)
        self._draw_cells(canvas)
        self._draw_scale(canvas)

    def _draw_names(self, canvas: Canvas) -> None:
        (left, top), (wide, high) = self.corner, self.cell
        for row, name in enumerate(self.rows):
            canvas.text((left - _GAP, top + (row + 0.5) * high), name, _NAME, align="right")
        align: Align = "left" if self.upright else "center"
        above = top - _GAP - (0 if self.upright else _NAME / 2)
        for column, name in enumerate(self.columns):
            place = left + (column + 0.5) * wide, above
            canvas.text(place, name, _NAME, align=align, upright=self.upright)

    def _name_regions(self, canvas: Canvas) -> None:
        """Name the row and the column of each event."""
        (left, top), (wide, high), (across, down) = self.corner, self.cell, self.size
        begin, above = _MARGIN + _TITLE, _MARGIN + _TITLE
        for event, name in zip(self.events, legible_names(self.events, _LONGEST), strict=True):
            if name in self.rows:
                y = top + self.rows.index(name) * high
                canvas.region(event, (begin, y), (left - begin + across, high))
            if name in self.columns:
                x = left + self.columns.index(name) * wide
                canvas.region(event, (x, above), (wide, top - above + down))

    def _draw_titles(self, canvas: Canvas) -> None:
        (left, top), (wide, high), (row, column) = self.corner, self.size, self.titles
        edge = _MARGIN + _NUMBER / 2
        canvas.text((left + wide / 2, edge), column, _NUMBER, colour=SOFT)
        # Upright text starts at its place and goes up.
        start = top + high / 2 + text_width(row, _NUMBER) / 2
        canvas.text((edge, start), row, _NUMBER, colour=SOFT, align="left", upright=True)

    def _draw_cells(self, canvas: Canvas) -> None:
        (left, top), (wide, high) = self.corner, self.cell
        for row, column in np.ndindex(self.edges.shape):
            x, y = left + column * wide, top + row * high
            is_edge, number = bool(self.edges[row, column]), str(self.numbers[row, column])
            if self.numbered and number:
                place, colour = (x + wide / 2, y + high / 2), str(self.inks[row, column])
                canvas.text(place, number, _NUMBER, colour=colour, bold=is_edge)
            if is_edge:
                corner, size = (x + 0.8, y + 0.8), (wide - 1.6, high - 1.6)
                canvas.box(corner, size, fill="none", outline=INK, width=1.4, rounding=0)
        canvas.grid((left, top), self.cell, (len(self.rows), len(self.columns)), width=0.6)

    def _draw_scale(self, canvas: Canvas) -> None:
        before, after = self.scale_words
        x = self.corner[0] + text_width(before, _NUMBER)
        y = self.corner[1] + self.size[1] + 3 * _GAP
        canvas.text((x, y), before, _NUMBER, colour=SOFT, align="right")  # ends at the colours
        x += _GAP
        canvas.image(self.scale[None], (x, y - _SCALE[1] / 2), _SCALE)
        x += _SCALE[0] + _GAP
        canvas.text((x, y), after, _NUMBER, colour=SOFT, align="left")
        x += text_width(after, _NUMBER) + 3 * _GAP
        self.legend.draw(canvas, x, y - self.legend.height / 2)


def support_figure(model: Model | Order, confidence: Confidence) -> Figure:
    """Return a figure of how often each event was a parent of each other in a bootstrap.

    Rows are the parents, the root first, as in the tables of the paper; the edges of the model are
    outlined. A last row, if it is needed, is for replicates in which the parents of the event could
    not be determined.

    Parameters
    ----------
    model
        The fitted progression.
    confidence
        The result of a bootstrap.

    Examples
    --------
    >>> from caprese import Caprese, bootstrap, datasets
    >>> fit = Caprese().fit(datasets.acml())
    >>> figure = support_figure(fit.model, bootstrap(fit, datasets.acml(), replicates=100))
    >>> [text.get_text() for text in figure.axes[0].texts][:2]
    ['root', 'SETBP1 missense']
    """
    return figure_of(support_map(model, confidence))


def draw_support(axes: Axes, model: Model | Order, confidence: Confidence) -> Axes:
    """Draw the support of all pairs on axes, and return these; see `support_figure`."""
    return draw_on(axes, support_map(model, confidence))


def scores_figure(model: Model | Order, scores: PairScores) -> Figure:
    """Return a figure of the scores of all pairs of events, the edges of the model outlined.

    Parameters
    ----------
    model
        The progression that was inferred from the scores.
    scores
        The scores, as ``fit.evidence.pair_scores()`` returns them; a score that is not finite is
        omitted. Pairs that are not admissible are grey.

    Examples
    --------
    >>> from caprese import Caprese, datasets
    >>> fit = Caprese().fit(datasets.acml())
    >>> scores_figure(fit.model, fit.evidence.pair_scores()).axes[0].texts[0].get_text()
    'SETBP1 missense'
    """
    return figure_of(scores_map(model, scores))


def draw_scores(axes: Axes, model: Model | Order, scores: PairScores) -> Axes:
    """Draw the scores of all pairs on axes, and return these; see `scores_figure`."""
    return draw_on(axes, scores_map(model, scores))


def effects_figure(model: EffectsModel) -> Figure:
    """Return a figure of how each event (row) speeds up or slows down each other (column).

    Red speeds up, blue slows down, base rates are green, as pictures of mutual hazard networks have
    it. Numbers are factors: x3 is three times as fast, /3 three times as slow; effects of less than
    10 % have none. A last column, if there is one, has the effects on the rate of observation.

    Parameters
    ----------
    model
        A model with effects, such as `Hazards`.

    Examples
    --------
    >>> from caprese import Hazards
    >>> model = Hazards(("a", "b"), rates=(1.0, 0.5), effects=((1.0, 4.0), (1.0, 1.0)))
    >>> [text.get_text() for text in effects_figure(model).axes[0].texts][:3]
    ['base rate', 'a', 'b']
    """
    return figure_of(effects_map(model))


def draw_effects(axes: Axes, model: EffectsModel) -> Axes:
    """Draw the effects between all events on axes, and return these; see `effects_figure`."""
    return draw_on(axes, effects_map(model))


def order_figure(known: KnownOrders) -> Figure:
    """Return a figure of how probably each event (row) comes before each other (column).

    Events are sorted by time: by how many others probably come before them. Orders that were seen
    in samples are outlined; where both were seen, the more frequent one.

    Parameters
    ----------
    known
        The result of `known_orders`.

    Examples
    --------
    >>> from caprese import Caprese, datasets
    >>> from caprese.assessment.known import known_orders
    >>> figure = order_figure(known_orders(Caprese().fit(datasets.ovarian())))
    >>> [text.get_text() for text in figure.axes[0].texts][:2]
    ['8q+', '5q-']
    """
    return figure_of(order_map(known))


def draw_order(axes: Axes, known: KnownOrders) -> Axes:
    """Draw the probabilities of all orders on axes, and return these; see `order_figure`."""
    return draw_on(axes, order_map(known))


def support_map(model: Model | Order, confidence: Confidence) -> HeatMap:
    """Return a heat map of support; see `support_figure`."""
    order = order_of(model)
    if order.events != confidence.events:
        raise ModelError("model and confidence must have the same events in the same order")
    n, support = len(order.events), confidence.support
    names = legible_names(order.events, _LONGEST)
    rows, values, edges = ("root", *names), [support[n], _pairs(support[:n])], _with_root(order)
    if support[n + 1].any():
        rows, values = (*rows, "not determined"), [*values, support[n + 1]]
        edges = np.vstack([edges, np.zeros((1, n), dtype=bool)])
    found = np.vstack(values)
    return _pair_map(order, rows, found, edges, "support", (0.0, 1.0), np.isfinite(found))


def scores_map(model: Model | Order, scores: PairScores) -> HeatMap:
    """Return a heat map of scores; see `scores_figure`."""
    order = order_of(model)
    n, shape = len(order.events), np.shape(scores.matrix)
    if shape != (n, n):
        raise ParameterError("scores", f"{n} x {n} for {n} events", shape)
    names = legible_names(order.events, _LONGEST)
    rows, values, edges = names, _pairs(scores.matrix), order.adjacency()
    admissible = np.asarray(scores.admissible, dtype=bool)
    if scores.root is not None:
        rows, edges = ("root", *rows), _with_root(order)
        values = np.vstack([scores.root, values])
        admissible = np.vstack([np.ones((1, n), dtype=bool), admissible])
    finite = values[np.isfinite(values)]
    ends = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    name = legible(scores.name, _LONGEST)
    return _pair_map(order, rows, values, edges, name, ends, admissible)


def effects_map(model: EffectsModel) -> HeatMap:
    """Return a heat map of effects, below a row of base rates; see `effects_figure`."""
    if not isinstance(model, EffectsModel):
        raise ModelError("this model has no effects of events on each other; infer them by mhn")
    names = legible_names(model.events, _LONGEST)
    effects, rates, columns = np.array(model.effects), np.array(model.rates), names
    np.fill_diagonal(effects, np.nan)
    if (model.observation != 1).any():
        effects = np.column_stack([effects, model.observation])
        rates, columns = np.append(rates, np.nan), (*names, "observation")
    logs = np.log(effects)
    end = max(_LEAST_END, float(np.exp(np.nanmax(np.abs(logs), initial=0.0))))
    depths, ends = logs / np.log(end), np.linspace(-1.0, 1.0, _SHADES)
    numbers = np.vstack([_texts(rates, two_digits), _texts(effects, _factor_unless_slight)])
    return HeatMap(
        model.events,
        ("base rate", *names),
        columns,
        ("what acts", "what it acts on"),
        # Red speeds up, blue slows down, as pictures of the field have it.
        np.vstack([shades(_rate_depths(rates), GREEN)[None], shades(depths, VERMILION, BLUE)]),
        numbers,
        np.vstack([np.full(len(columns), INK), _inks(depths)]),
        np.zeros(numbers.shape, dtype=bool),
        shades(ends, VERMILION, BLUE),
        (f"row slows column down  {_factor(1 / end)}", f"{_factor(end)}  speeds it up"),
        Legend(()),
    )


def order_map(known: KnownOrders) -> HeatMap:
    """Return a heat map of the probabilities of orders; see `order_figure`."""
    if not known.parts:
        raise ModelError("no part of the model states an order of events: there is no picture")
    sequence = [known.events.index(event) for event in known.sequence]
    names = legible_names(known.sequence, _LONGEST)
    values = _pairs(known.probabilities[np.ix_(sequence, sequence)])
    seen = known.seen[np.ix_(sequence, sequence)]
    entries = [swatch(PAPER, "seen in samples", outline=INK, width=1.2)] if seen.any() else []
    return HeatMap(
        known.sequence,
        names,
        names,
        ("comes first", "comes after it"),
        shades(values, BLUE),
        _texts(values, two_digits),
        _inks(np.nan_to_num(values)),
        (seen > 0) & (seen >= seen.T),
        shades(np.linspace(0, 1, _SHADES), BLUE),
        ("probability  0", "1"),
        Legend.of(entries, math.inf),
    )


def two_digits(value: float) -> str:
    """Return a number with two digits after the point, as the paper writes it."""
    if 0 < value < 0.005:
        return "<.01"
    if 0.995 <= value < 1:
        return ">.99"
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("0.", ".", 1) if abs(value) < 1 else text


def scale_depths(values: FloatArray, ends: tuple[float, float]) -> FloatArray:
    """Return where values are on the colour scale: from 0 to 1, or from -1 if it has two arms.

    A scale has two arms if it contains negative and positive numbers.
    """
    low, high = ends
    if low < 0 < high:
        return np.asarray(values / max(-low, high))
    return np.asarray((values - low) / ((high - low) or 1.0))


def _pair_map(
    order: Order,
    rows: tuple[str, ...],
    values: FloatArray,
    edges: BoolArray,
    name: str,
    ends: tuple[float, float],
    admissible: BoolArray,
) -> HeatMap:
    """Return a heat map of parents and children; pairs that are not admissible are grey."""
    depths = np.where(admissible, scale_depths(values, ends), np.nan)
    entries = [swatch(PAPER, "edge of the model", outline=INK, width=1.2)]
    if not admissible[np.isfinite(values)].all():
        entries.append(swatch(PALE, "cannot be an edge", outline=LINE, width=0.6))
    return HeatMap(
        order.events,
        rows,
        legible_names(order.events, _LONGEST),
        ("parent", "child"),
        shades(depths, BLUE, VERMILION),
        _texts(values, two_digits),
        np.where(admissible, _inks(depths), SOFT),
        edges,
        shades(scale_depths(np.linspace(*ends, _SHADES), ends), BLUE, VERMILION),
        (f"{name}  {two_digits(ends[0])}", two_digits(ends[1])),
        Legend.of(entries, math.inf),
    )


def _texts(values: FloatArray, written: Callable[[float], str]) -> NDArray[Any]:
    """Return numbers as text, empty where they are not finite."""
    found = [written(each) if math.isfinite(each) else "" for each in values.ravel().tolist()]
    return np.array(found).reshape(values.shape)


def _inks(depths: FloatArray) -> NDArray[Any]:
    return np.where(np.abs(depths) > _DARK, PAPER, INK)


def _rate_depths(rates: FloatArray) -> FloatArray:
    """Return where base rates are on a logarithmic scale of their own."""
    logs = np.log(rates)
    low, high = np.nanmin(logs), np.nanmax(logs)
    share = (logs - low) / ((high - low) or 1.0)
    return np.asarray(_FAINTEST + (_STRONGEST - _FAINTEST) * share)


def _factor(value: float) -> str:
    """Return a factor as x3 or /3."""
    fold = max(value, 1 / value)
    return f"{'x' if value >= 1 else '/'}{fold:{',.0f' if fold >= _MANY else '.1f'}}"


def _factor_unless_slight(value: float) -> str:
    return _factor(value) if max(value, 1 / value) > 1 + SLIGHT else ""


def _pairs(matrix: FloatArray) -> FloatArray:
    """Return a matrix without its diagonal, as no event is a parent of itself."""
    return np.where(np.eye(len(matrix), dtype=bool), np.nan, matrix)


def _with_root(model: Order) -> BoolArray:
    adjacency = model.adjacency()
    return np.vstack([~adjacency.any(axis=0), adjacency])


def _widest(names: tuple[str, ...]) -> float:
    return max(text_width(name, _NAME) for name in names)
