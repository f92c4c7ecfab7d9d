"""Oncoprints: which samples, in columns, carry which events, in rows.

The cells are one image, however many samples there are. If there are too many to be distinguished,
neighbours share a column, which has the mean of their colours.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import FloatArray, IntArray
from caprese._core.words import number_of, percent
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.methods.fit import order_of
from caprese.models.base import Model, Order
from caprese.plots.canvas.figures import Axes, Canvas, Figure, draw_on, figure_of
from caprese.plots.canvas.labels import legible, legible_names, text_width
from caprese.plots.canvas.legend import Entry, Legend, swatch
from caprese.plots.canvas.palette import AMBER, BLUE, CATEGORIES, LINE, PALE, PAPER, SOFT, rgb
from caprese.plots.layout.sorting import by_progression, memo_order

COLUMNS = 880  # of the image that can be distinguished

_MARGIN, _GAP = 8.0, 6.0
_ROW = 13.0  # height
_NAME, _NUMBER = 8.0, 7.0  # font sizes
_BAR = 60.0  # length of the bar of an event in all samples
_SAMPLE = 5.0  # preferred width of a sample
_NARROWEST, _WIDEST = 220.0, 440.0  # widths of the image


@dataclass(frozen=True)
class OncoprintPlan:
    """An oncoprint before it is drawn."""

    samples: IntArray  # their positions, from the first column to the last
    events: tuple[str, ...]  # from the first row to the last
    names: tuple[str, ...]  # of the events as they are drawn
    frequency: FloatArray  # share of the samples that carry each event
    cells: FloatArray  # colours of the rows and columns
    track: FloatArray | None  # colours of the annotation
    title: str  # of the annotation
    legend: Legend

    @property
    def left(self) -> float:
        """The left end of the image."""
        drawn = [*self.names, self.title]
        return _MARGIN + max(text_width(name, _NAME) for name in drawn) + _GAP

    @property
    def top(self) -> float:
        """The upper end of the rows of events."""
        return _MARGIN + (0.0 if self.track is None else _ROW + _GAP)

    @property
    def image(self) -> tuple[float, float]:
        """Width and height of the image."""
        wide = float(np.clip(_SAMPLE * len(self.samples), _NARROWEST, _WIDEST))
        return wide, _ROW * len(self.names)

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of the whole."""
        wide, high = self.image
        numbers = _GAP + text_width("100 %", _NUMBER) + _GAP + _BAR
        width = self.left + max(wide + numbers, self.legend.width) + _MARGIN
        return width, self.top + high + 2 * _GAP + _ROW + self.legend.height + _MARGIN

    def draw(self, canvas: Canvas) -> None:
        """Draw the cells, names and frequencies of the events, the annotation, and the legend."""
        (wide, high), left, top = self.image, self.left, self.top
        canvas.image(self.cells, (left, top), (wide, high))
        for row, (name, share) in enumerate(zip(self.names, self.frequency.tolist(), strict=True)):
            y = top + (row + 0.5) * _ROW
            across = (self.extent[0] - 2 * _MARGIN, _ROW)
            canvas.region(self.events[row], (_MARGIN, y - _ROW / 2), across)
            canvas.text((left - _GAP, y), name, _NAME, align="right")
            number = left + wide + _GAP + text_width("100 %", _NUMBER)
            canvas.text((number, y), percent(share), _NUMBER, colour=SOFT, align="right")
            if share > 0:
                canvas.box((number + _GAP, y - 3), (_BAR * share, 6), fill=BLUE, rounding=0)
        self._draw_grid(canvas)
        if self.track is not None:
            canvas.image(self.track, (left, _MARGIN), (wide, _ROW))
            middle = (left - _GAP, _MARGIN + _ROW / 2)
            canvas.text(middle, self.title, _NAME, align="right", bold=True)
        below = top + high + _GAP
        samples = number_of(len(self.samples), "sample")
        canvas.text((left, below + _ROW / 2), samples, _NUMBER, colour=SOFT, align="left")
        self.legend.draw(canvas, left, below + _ROW + _GAP)

    def _draw_grid(self, canvas: Canvas) -> None:
        """Draw white lines between the rows, and between samples if these are wide enough."""
        (wide, _), corner = self.image, (self.left, self.top)
        canvas.grid(corner, (wide, _ROW), (len(self.names), 1), width=1.5)
        step = wide / len(self.samples)
        if step >= _SAMPLE - 1:
            canvas.grid(corner, (step, _ROW), (len(self.names), len(self.samples)), width=0.8)


def oncoprint_figure(
    data: Dataset,
    *,
    model: Model | Order | None = None,
    annotation: Mapping[str, str] | None = None,
    title: str = "",
) -> Figure:
    """Return a figure of which samples carry which events, with the frequency of each event.

    Parameters
    ----------
    data
        The data; unknown entries have their own colour.
    model
        Events are in the order of this model, parents before their children; by default, in the
        order of their frequency.
    annotation
        A category for each sample, by its name: a coloured track above the rows.
    title
        What the annotation is called.

    Examples
    --------
    >>> from caprese import datasets
    >>> oncoprint_figure(datasets.acml()).axes[0].texts[0].get_text()
    'SETBP1 missense'
    """
    return figure_of(oncoprint_plan(data, model, annotation, title))


def draw_oncoprint(
    axes: Axes,
    data: Dataset,
    *,
    model: Model | Order | None = None,
    annotation: Mapping[str, str] | None = None,
    title: str = "",
) -> Axes:
    """Draw an oncoprint on axes, and return these; see `oncoprint_figure`."""
    return draw_on(axes, oncoprint_plan(data, model, annotation, title))


def oncoprint_plan(
    data: Dataset,
    model: Model | Order | None = None,
    annotation: Mapping[str, str] | None = None,
    title: str = "",
) -> OncoprintPlan:
    """Return the plan of an oncoprint; see `oncoprint_figure`."""
    frequency = Counts.of(data).frequency
    order = None if model is None else order_of(model)
    events = by_progression(data.events, frequency, order)
    names = tuple(data.events[event] for event in events)
    codes = _codes(data)[:, events]
    samples = memo_order(codes)
    colours = np.array([rgb(colour) for colour in (PALE, AMBER, BLUE)])
    track: FloatArray | None = None
    entries: list[Entry] = []
    if annotation is not None:
        track, entries = _track([data.samples[sample] for sample in samples], annotation)
    return OncoprintPlan(
        samples,
        names,
        legible_names(names, 40),
        frequency[events],
        _thinned(colours[codes[samples].T]),
        None if track is None else _thinned(track),
        "" if track is None else legible(title, 32),
        _legend(data.known is not None, entries),
    )


def _track(samples: Sequence[str], annotation: Mapping[str, str]) -> tuple[FloatArray, list[Entry]]:
    """Return the colours of annotated samples, and the legend.

    The most frequent categories have their own colours; all others share one.
    """
    given = [annotation.get(sample) for sample in samples]
    counted = Counter(category for category in given if category is not None)
    frequent = sorted(counted, key=lambda category: (-counted[category], category))
    own = dict(zip(sorted(frequent[: len(CATEGORIES)]), CATEGORIES, strict=False))
    colours = [PAPER if each is None else own.get(each, SOFT) for each in given]
    meanings = [(colour, legible(category, 24)) for category, colour in own.items()]
    meanings += [(SOFT, "other")] if len(frequent) > len(CATEGORIES) else []
    meanings += [(PAPER, "not given")] if None in given else []
    entries = [swatch(colour, meaning, outline=LINE) for colour, meaning in meanings]
    return np.array([[rgb(colour) for colour in colours]]), entries


def _legend(unknown: bool, annotation: Sequence[Entry]) -> Legend:
    meanings = [(BLUE, "present"), (PALE, "absent")] + [(AMBER, "unknown")] * unknown
    values = Legend.of([swatch(*meaning) for meaning in meanings], _WIDEST)
    return Legend(values.lines + Legend.of(annotation, _WIDEST).lines)


def _codes(data: Dataset) -> IntArray:
    codes = 2 * data.values.astype(np.int64)
    if data.known is not None:
        codes[~data.known] = 1
    return codes


def _thinned(colours: FloatArray) -> FloatArray:
    """Return the colours in no more columns than can be distinguished."""
    samples = colours.shape[1]
    if samples <= COLUMNS:
        return colours
    starts = np.arange(COLUMNS) * samples // COLUMNS
    sizes = np.diff([*starts, samples])
    return np.asarray(np.add.reduceat(colours, starts, axis=1) / sizes[:, None])
