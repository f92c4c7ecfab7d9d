"""Oncoprints: samples across, events down, who carries what.

However many samples there are, the picture is one image: where they are more than can be told
apart, neighbours share a column, in the mean of their colours.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from caprese._core.arrays import FloatArray, IntArray
from caprese._core.words import percent
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.models.base import Order
from caprese.plots.annotation import Track, track
from caprese.plots.canvas.canvas import Pen, sheet
from caprese.plots.canvas.legend import Key, swatch
from caprese.plots.canvas.lettering import legible, legible_names, text_width
from caprese.plots.canvas.palette import AMBER, BLUE, PALE, SOFT, rgb
from caprese.plots.layout.sorting import by_frequency, by_progression, memo_order

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MARGIN, _GAP = 8.0, 6.0
_ROW, _NAME, _NUMBER = 13.0, 8.0, 7.0
_BAR = 60.0
_LEAST, _MOST = 220.0, 440.0  # width of the image
_SAMPLE = 5.0  # wanted width of a sample
COLUMNS = 880  # that the image can tell apart


@dataclass(frozen=True)
class Oncoprint:
    """An oncoprint before it is drawn.

    Parameters
    ----------
    samples
        Positions of the samples, from the first column to the last.
    names
        Names of the events as they are written, from the first row to the last.
    frequency
        Share of the samples that carry each event.
    cells
        Colours of the rows and columns.
    track
        Colours of the annotation, if there is one.
    title
        What the annotation tells.
    key
        What the colours mean.
    """

    samples: IntArray
    names: tuple[str, ...]
    frequency: FloatArray
    cells: FloatArray
    track: FloatArray | None
    title: str
    key: Key

    @property
    def left(self) -> float:
        """Where the image starts."""
        written = [*self.names, self.title]
        return _MARGIN + max(text_width(name, _NAME) for name in written) + _GAP

    @property
    def top(self) -> float:
        """Where the rows of events start."""
        return _MARGIN + (0.0 if self.track is None else _ROW + _GAP)

    @property
    def image(self) -> tuple[float, float]:
        """Width and height of the image."""
        wide = float(np.clip(_SAMPLE * len(self.samples), _LEAST, _MOST))
        return wide, _ROW * len(self.names)

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of the whole."""
        wide, high = self.image
        numbers = _GAP + text_width("100 %", _NUMBER) + _GAP + _BAR
        width = self.left + max(wide + numbers, self.key.width) + _MARGIN
        return width, self.top + high + 2 * _GAP + _ROW + self.key.height + _MARGIN


def draw_oncoprint(
    axes: "Axes",
    data: Dataset,
    *,
    model: Order | None = None,
    annotation: Mapping[str, str] | None = None,
    title: str = "",
) -> "Axes":
    """Draw which samples carry which events, the share that carries each at the side.

    Parameters
    ----------
    axes
        Where to draw; `oncoprint_figure` makes axes of the right size.
    data
        What was observed; unknown entries have a colour of their own.
    model
        Events in the order of this progression, parents before their children; by frequency if
        left out.
    annotation
        A category for each sample, by its name: a track above the rows.
    title
        What the annotation tells.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from caprese.data.embedded import acml
    >>> axes = draw_oncoprint(Figure().subplots(), acml())
    >>> axes.texts[0].get_text()
    'SETBP1 missense'
    """
    return _draw(axes, oncoprint(data, model=model, annotation=annotation, title=title))


def oncoprint_figure(
    data: Dataset,
    *,
    model: Order | None = None,
    annotation: Mapping[str, str] | None = None,
    title: str = "",
) -> "Figure":
    """Return a figure of an oncoprint, as large as it needs to be; see `draw_oncoprint`.

    Examples
    --------
    >>> from caprese.data.embedded import acml
    >>> len(oncoprint_figure(acml()).axes)
    1
    """
    plan = oncoprint(data, model=model, annotation=annotation, title=title)
    figure, axes = sheet(plan.extent)
    _draw(axes, plan)
    return figure


def oncoprint(
    data: Dataset,
    *,
    model: Order | None = None,
    annotation: Mapping[str, str] | None = None,
    title: str = "",
) -> Oncoprint:
    """Return the plan of an oncoprint; see `draw_oncoprint`.

    Examples
    --------
    >>> data = Dataset.from_rows([[0, 1], [1, 1], [0, 0]], events=["Xp-", "8q+"])
    >>> plan = oncoprint(data)
    >>> plan.names, plan.samples
    (('8q+', 'Xp-'), array([1, 0, 2]))
    """
    frequency = Counts.of(data).frequency
    if model is None:
        events = by_frequency(data.events, frequency)
    else:
        events = by_progression(data.events, frequency, model)
    codes = _codes(data)[:, events]
    samples = memo_order(codes)
    colours = np.array([rgb(colour) for colour in (PALE, AMBER, BLUE)])
    annotated = None
    if annotation is not None:
        annotated = track([data.samples[sample] for sample in samples], annotation)
    return Oncoprint(
        samples,
        legible_names([data.events[event] for event in events], 40),
        frequency[events],
        _thinned(colours[codes[samples].T]),
        None if annotated is None else _thinned(annotated.colours),
        "" if annotated is None else legible(title, 32),
        _key(data.known is not None, annotated),
    )


def _key(unknown: bool, annotated: Track | None) -> Key:
    meanings = [(BLUE, "present"), (PALE, "absent")] + [(AMBER, "unknown")] * unknown
    values = Key.of([swatch(*meaning) for meaning in meanings], _MOST)
    categories = Key.of(() if annotated is None else annotated.entries, _MOST)
    return Key(values.lines + categories.lines)


def _codes(data: Dataset) -> IntArray:
    codes = 2 * data.values.astype(np.int64)
    if data.known is not None:
        codes[~data.known] = 1
    return codes


def _thinned(colours: FloatArray) -> FloatArray:
    """Return the colours in no more columns than can be told apart."""
    samples = colours.shape[1]
    if samples <= COLUMNS:
        return colours
    starts = np.arange(COLUMNS) * samples // COLUMNS
    sizes = np.diff([*starts, samples])
    return np.asarray(np.add.reduceat(colours, starts, axis=1) / sizes[:, None])


def _draw(axes: "Axes", plan: Oncoprint) -> "Axes":
    width, height = plan.extent
    pen = Pen.on(axes, width, height)
    (wide, high), left, top = plan.image, plan.left, plan.top
    pen.image(plan.cells, (left, top), (wide, high))
    for row, (name, share) in enumerate(zip(plan.names, plan.frequency.tolist(), strict=True)):
        y = top + (row + 0.5) * _ROW
        pen.text((left - _GAP, y), name, _NAME, align="right")
        number = left + wide + _GAP + text_width("100 %", _NUMBER)
        pen.text((number, y), percent(share), _NUMBER, colour=SOFT, align="right")
        if share > 0:
            pen.box((number + _GAP, y - 3), (_BAR * share, 6), face=BLUE, rounding=0)
    _draw_grid(pen, plan)
    if plan.track is not None:
        pen.image(plan.track, (left, _MARGIN), (wide, _ROW))
        pen.text((left - _GAP, _MARGIN + _ROW / 2), plan.title, _NAME, align="right", bold=True)
    below = top + high + _GAP
    samples = f"{len(plan.samples)} sample{'s' * (len(plan.samples) != 1)}"
    pen.text((left, below + _ROW / 2), samples, _NUMBER, colour=SOFT, align="left")
    plan.key.draw(pen, left, below + _ROW + _GAP)
    return axes


def _draw_grid(pen: Pen, plan: Oncoprint) -> None:
    """Draw white lines between the rows, and between the samples while they are wide enough."""
    (wide, _), corner = plan.image, (plan.left, plan.top)
    pen.grid(corner, (wide, _ROW), (len(plan.names), 1), width=1.5)
    step = wide / len(plan.samples)
    if step >= _SAMPLE - 1:
        pen.grid(corner, (step, _ROW), (len(plan.names), len(plan.samples)), width=0.8)
