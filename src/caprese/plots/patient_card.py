"""The card of one sample: what was seen, what is probably there, and what comes next."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np

from caprese._core.words import number_of, percent
from caprese.patients.place import INTERVAL, UNUSUAL, Placement
from caprese.plots.canvas.canvas import Canvas, Point, draw_on, figure_of
from caprese.plots.canvas.figures import Axes, Figure
from caprese.plots.canvas.labels import legible, legible_names, text_width
from caprese.plots.canvas.legend import Legend, swatch
from caprese.plots.canvas.palette import AMBER, BLUE, LINE, PALE, SOFT, VERMILION
from caprese.plots.layout.sorting import by_progression

_MARGIN = 10.0
_TITLE, _TEXT, _SMALL = 11.0, 8.0, 7.0  # font sizes
_WIDER = 1.1  # bold letters
_ROW = 13.0
_GAP = 6.0
_BAR = (60.0, 5.0)
_CELL = 7.0
_APART = 26.0  # between the two columns
_NARROWEST = 400.0  # width of the lines of text
_LONGEST, _SHORT = 24, 14  # characters of a name: in a row, and in an order
_MOST_ROWS = 30  # of events
_DOUBTFUL = 0.05  # probability from which on an event is worth a row among many
_MOST_NEXT = 8
_MOST_ORDERS = 3
_LIKELY = 0.005  # probability from which on a next event is worth a row
_ARROW = " → "
_SEEN = ((BLUE, "seen"), (PALE, "not seen"), (AMBER, "unknown"))


@dataclass(frozen=True)
class _Row:
    """A row of a column: a name, a cell with what was seen, a bar, and what is said about it."""

    name: str
    share: float
    seen: str = ""  # the colour of the cell; none if empty
    remark: str = ""
    doubtful: bool = False  # whether the remark contradicts what was seen


@dataclass(frozen=True)
class _Column:
    """Rows under a heading."""

    heading: str
    rows: tuple[_Row, ...]
    notes: tuple[str, ...]  # below the rows
    remarks: str = ""  # what the remarks are

    @property
    def bars(self) -> float:
        """Where the bars start, from the left end of the column."""
        cells = _CELL + _GAP if any(row.seen for row in self.rows) else 0.0
        return max((text_width(row.name, _TEXT) for row in self.rows), default=0.0) + _GAP + cells

    @property
    def numbers(self) -> float:
        """Where the numbers end."""
        return self.bars + _BAR[0] + _GAP + text_width("100 %", _SMALL)

    @property
    def size(self) -> Point:
        """Width and height."""
        remarks = max(text_width(text, _SMALL) for text in self._all_remarks())
        width = max(
            self.numbers + _GAP + remarks if self.rows else 0.0,
            _WIDER * text_width(self.heading, _TEXT),
            *(text_width(note, _SMALL) for note in self.notes),
        )
        return width, _ROW * (1 + len(self.rows) + len(self.notes))

    def draw(self, canvas: Canvas, corner: Point) -> None:
        """Draw the heading, the rows and the notes."""
        left, y = corner[0], corner[1] + _ROW / 2
        canvas.text((left, y), self.heading, _TEXT, align="left", bold=True)
        place = left + self.numbers + _GAP, y
        canvas.text(place, self.remarks, _SMALL, colour=SOFT, align="left")
        for row in self.rows:
            y += _ROW
            self._draw_row(canvas, row, (left, y))
        for note in self.notes:
            y += _ROW
            canvas.text((left, y), note, _SMALL, colour=SOFT, align="left")

    def _draw_row(self, canvas: Canvas, row: _Row, start: Point) -> None:
        left, y = start
        canvas.text(start, row.name, _TEXT, align="left")
        if row.seen:
            corner, size = (left + self.bars - _GAP - _CELL, y - _CELL / 2), (_CELL, _CELL)
            canvas.box(corner, size, fill=row.seen, outline=LINE, width=0.4, rounding=0)
        end = left + self.numbers
        if isfinite(row.share):
            canvas.bar((left + self.bars, y), _BAR, row.share)
            canvas.text((end, y), percent(row.share), _SMALL, colour=SOFT, align="right")
        colour = VERMILION if row.doubtful else SOFT
        canvas.text((end + _GAP, y), row.remark, _SMALL, colour=colour, align="left")

    def _all_remarks(self) -> list[str]:
        return [self.remarks, *(row.remark for row in self.rows)]


@dataclass(frozen=True)
class _Card:
    """The card of one sample before it is drawn."""

    title: str
    lines: tuple[tuple[str, str], ...]  # text and colour
    there: _Column
    coming: _Column
    orders: tuple[str, ...]
    legend: Legend

    @property
    def columns_top(self) -> float:
        """The upper end of the two columns."""
        return _MARGIN + _TITLE + _GAP + _ROW * len(self.lines) + _GAP

    @property
    def legend_top(self) -> float:
        """The upper end of the legend, which is below the first column."""
        return self.columns_top + self.there.size[1] + _GAP / 2

    @property
    def orders_top(self) -> float:
        """The upper end of the orders."""
        columns = self.columns_top + self.coming.size[1]
        return max(columns, self.legend_top + self.legend.height) + (_GAP if self.orders else 0.0)

    @property
    def extent(self) -> Point:
        """Width and height of the whole."""
        wide = [
            self.there.size[0] + _APART + self.coming.size[0],
            self.legend.width,
            _WIDER * text_width(self.title, _TITLE),
            *(text_width(text, _TEXT) for text, _ in self.lines),
            *(text_width(text, _TEXT) for text in self.orders),
        ]
        orders = _ROW * (1 + len(self.orders)) if self.orders else 0.0
        return max(wide) + 2 * _MARGIN, self.orders_top + orders + _MARGIN

    def draw(self, canvas: Canvas) -> None:
        """Draw the title and the lines, both columns, and the orders."""
        title = (_MARGIN, _MARGIN + _TITLE / 2)
        canvas.text(title, self.title, _TITLE, align="left", bold=True)
        _draw_lines(canvas, self.lines, _MARGIN + _TITLE + _GAP)
        self.there.draw(canvas, (_MARGIN, self.columns_top))
        self.coming.draw(canvas, (_MARGIN + self.there.size[0] + _APART, self.columns_top))
        self.legend.draw(canvas, _MARGIN, self.legend_top)
        if self.orders:
            heading = (_MARGIN, self.orders_top + _ROW / 2)
            canvas.text(heading, "The likeliest orders", _TEXT, align="left", bold=True)
        _draw_lines(canvas, ((text, SOFT) for text in self.orders), self.orders_top + _ROW)


def draw_patient(axes: Axes, placement: Placement, sample: str) -> Axes:
    """Draw the card of one sample; the model may be any, with or without edges.

    On top: how far it has come, whether it fits the model, its subtype if there are any, and
    entries that are probably wrong. Below, each event with what was seen and the probability that
    it is truly there; the events that may come next, with their median waiting times; and the
    likeliest orders in which the events of its most probable genotype came about.

    Parameters
    ----------
    axes
        Where to draw; `patient_card` makes axes of the right size.
    placement
        Where the samples stand.
    sample
        The name of one of them.

    Raises
    ------
    ModelError
        If there is no such sample.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from caprese import Caprese, datasets, place
    >>> placed = place(Caprese().fit(datasets.ovarian()), datasets.ovarian())
    >>> draw_patient(Figure().subplots(), placed, "3").texts[0].get_text()
    'Sample 3'
    """
    return draw_on(axes, _card(placement, sample))


def patient_card(placement: Placement, sample: str) -> Figure:
    """Return a figure of the card of one sample, in the size it needs; see `draw_patient`.

    Examples
    --------
    >>> from caprese import Caprese, datasets, place
    >>> placed = place(Caprese().fit(datasets.ovarian()), datasets.ovarian())
    >>> figure = patient_card(placed, "3")
    """
    return figure_of(_card(placement, sample))


def _draw_lines(canvas: Canvas, lines: Iterable[tuple[str, str]], top: float) -> None:
    for place, (text, colour) in enumerate(lines):
        y = top + (place + 0.5) * _ROW
        canvas.text((_MARGIN, y), text, _TEXT, colour=colour, align="left")


def _card(placement: Placement, sample: str) -> _Card:
    row = placement.position(sample)
    possible = isfinite(placement.log_probabilities[row])
    there, coming = _there(placement, row), _coming(placement, sample, possible)
    width = max(_NARROWEST, there.size[0] + _APART + coming.size[0])
    return _Card(
        f"Sample {legible(sample, 40)}",
        tuple(_lines(placement, row, possible, width)),
        there,
        coming,
        tuple(_orders(placement, sample, width)) if possible else (),
        _legend(there),
    )


def _lines(placement: Placement, row: int, possible: bool, width: float) -> list[tuple[str, str]]:
    """Return how far the sample has come, how typical it is, and what is probably wrong."""
    if not possible:
        words = "The model gives this sample probability 0, so only what was seen is shown."
        return [(words, VERMILION)]
    mean, low, high = placement.counts[row].tolist()
    typicality = float(placement.typicality[row])
    drawn = f"{percent(typicality, 1)} of samples drawn from the model are no more probable."
    far = f"{mean:.1f} of {len(placement.events)} events are there"
    found = [(f"{far} ({percent(INTERVAL)} interval {low:.0f} to {high:.0f}).", SOFT)]
    if placement.subtypes.shape[1]:
        best = int(placement.subtypes[row].argmax())
        chance = percent(float(placement.subtypes[row, best]))
        found.append((f"Most probably of subtype {best + 1} ({chance}).", SOFT))
    if typicality < UNUSUAL:
        found.append((f"It does not fit the model: {drawn}", VERMILION))
    else:
        found.append((f"It fits the model: {drawn}", SOFT))
    wrong = _wrapped(_probably_wrong(placement, row), width, separator=", ")
    return found + [(text, VERMILION) for text in wrong]


def _probably_wrong(placement: Placement, row: int) -> list[str]:
    chances, missed = placement.event_probabilities[row], placement.missed[row]
    cases = (
        ("missed", missed & placement.known[row], chances),
        ("seen wrongly", placement.wrongly_seen[row], 1 - chances),
    )
    return [
        f"{legible(placement.events[k], _LONGEST)} was probably {how} ({percent(chance[k])})"
        for how, which, chance in cases
        for k in np.flatnonzero(which).tolist()
    ]


def _there(placement: Placement, row: int) -> _Column:
    """Return each event with what was seen, and the probability that it is there."""
    values, chances = placement.data.values[row], placement.event_probabilities[row]
    known = placement.known[row]
    frequency = placement.data.values.mean(axis=0)
    shown = by_progression(placement.events, frequency, placement.model)
    if len(shown) > _MOST_ROWS:
        worth = values | (chances >= _DOUBTFUL)
        shown = [k for k in shown if worth[k]][:_MOST_ROWS]
    names = legible_names([placement.events[k] for k in shown], _LONGEST)
    rows = []
    for k, name in zip(shown, names, strict=True):
        seen = BLUE if values[k] else PALE if known[k] else AMBER
        missed, wrongly = placement.missed[row, k] and known[k], placement.wrongly_seen[row, k]
        remark = "missed" if missed else "seen wrongly" if wrongly else ""
        rows.append(_Row(name, float(chances[k]), seen, remark, bool(missed or wrongly)))
    more = len(placement.events) - len(rows)
    notes = (f"{number_of(more, 'more event')}, probably not there",) if more else ()
    return _Column("What is there", tuple(rows), notes)


def _legend(there: _Column) -> Legend:
    """Return what the colours of the cells mean, those that occur."""
    used = {row.seen for row in there.rows}
    entries = [swatch(colour, word, outline=LINE) for colour, word in _SEEN if colour in used]
    return Legend.of(entries, there.size[0])


def _coming(placement: Placement, sample: str, possible: bool) -> _Column:
    """Return the events that may come next, the most probable first."""
    coming = [each for each in placement.next_events(sample) if each.probability >= _LIKELY]
    if not possible or not coming:
        note = "Nothing is left to come." if possible else "Nothing can be said."
        return _Column("What comes next", (), (note,))
    shown = coming[:_MOST_NEXT]
    names = legible_names([each.event for each in shown], _LONGEST)
    rows = tuple(
        _Row(name, each.probability, remark=f"{each.median_time:.2g}")
        for name, each in zip(names, shown, strict=True)
    )
    more = len(coming) - len(rows)
    notes = (f"{more} more, each less probable",) if more else ()
    time = ("Time 1 is the mean time at which", "samples are taken.")
    return _Column("What comes next", rows, (*notes, *time), "median time")


def _orders(placement: Placement, sample: str, width: float) -> list[str]:
    """Return the likeliest orders in which the events came about, as lines of this width."""
    found = placement.orders(sample, _MOST_ORDERS)
    if not found.orders or len(found.orders[0]) < 2:
        return []
    errors = found.errors or (None,) * len(found.orders)
    lines = []
    for order, chance, error in zip(found.orders, found.probabilities, errors, strict=True):
        about = percent(chance) if error is None else f"{percent(chance)} ± {percent(error)}"
        names = [legible(event, _SHORT) for event in order]
        names[0] = f"{about}: {names[0]}"
        lines += _wrapped(names, width, separator=_ARROW)
    return lines


def _wrapped(items: Sequence[str], width: float, *, separator: str) -> list[str]:
    """Return items on lines of this width; a line that goes on ends in the separator."""
    lines: list[str] = []
    for place, item in enumerate(items):
        text = item + (separator if place < len(items) - 1 else "")
        if lines and text_width(lines[-1] + text, _TEXT) <= width:
            lines[-1] += text
        else:
            lines.append(text)
    return [line.rstrip() for line in lines]
