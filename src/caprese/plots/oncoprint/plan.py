"""The plan of an oncoprint: samples in columns, events in rows. Nothing here draws.

The cells are one image, however many samples there are. If there are too many to be distinguished,
neighbours share a column, which has the mean of their colours.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import FloatArray, IntArray
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.methods.fit import order_of
from caprese.models.base import Model, Order
from caprese.plots.canvas.labels import legible, legible_names, text_width
from caprese.plots.canvas.legend import Entry, Legend, swatch
from caprese.plots.canvas.palette import AMBER, BLUE, CATEGORIES, LINE, PALE, PAPER, SOFT, rgb
from caprese.plots.layout.sorting import by_frequency, by_progression, memo_order

MARGIN, GAP = 8.0, 6.0
ROW = 13.0  # height
NAME, NUMBER = 8.0, 7.0  # font sizes
BAR = 60.0  # length of the bar of an event in all samples
SAMPLE = 5.0  # preferred width of a sample
COLUMNS = 880  # of the image that can be distinguished

_NARROWEST, _WIDEST = 220.0, 440.0  # widths of the image


@dataclass(frozen=True)
class OncoprintPlan:
    """An oncoprint before it is drawn."""

    samples: IntArray  # their positions, from the first column to the last
    names: tuple[str, ...]  # of the events as they are drawn, from the first row to the last
    frequency: FloatArray  # share of the samples that carry each event
    cells: FloatArray  # colours of the rows and columns
    track: FloatArray | None  # colours of the annotation
    title: str  # of the annotation
    legend: Legend

    @property
    def left(self) -> float:
        """The left end of the image."""
        drawn = [*self.names, self.title]
        return MARGIN + max(text_width(name, NAME) for name in drawn) + GAP

    @property
    def top(self) -> float:
        """The upper end of the rows of events."""
        return MARGIN + (0.0 if self.track is None else ROW + GAP)

    @property
    def image(self) -> tuple[float, float]:
        """Width and height of the image."""
        wide = float(np.clip(SAMPLE * len(self.samples), _NARROWEST, _WIDEST))
        return wide, ROW * len(self.names)

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of the whole."""
        wide, high = self.image
        numbers = GAP + text_width("100 %", NUMBER) + GAP + BAR
        width = self.left + max(wide + numbers, self.legend.width) + MARGIN
        return width, self.top + high + 2 * GAP + ROW + self.legend.height + MARGIN


def oncoprint_plan(
    data: Dataset,
    *,
    model: Model | Order | None = None,
    annotation: Mapping[str, str] | None = None,
    title: str = "",
) -> OncoprintPlan:
    """Return the plan of an oncoprint; see `draw_oncoprint`."""
    frequency = Counts.of(data).frequency
    if model is None:
        events = by_frequency(data.events, frequency)
    else:
        events = by_progression(data.events, frequency, order_of(model))
    codes = _codes(data)[:, events]
    samples = memo_order(codes)
    colours = np.array([rgb(colour) for colour in (PALE, AMBER, BLUE)])
    track: FloatArray | None = None
    entries: list[Entry] = []
    if annotation is not None:
        track, entries = _track([data.samples[sample] for sample in samples], annotation)
    return OncoprintPlan(
        samples,
        legible_names([data.events[event] for event in events], 40),
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
