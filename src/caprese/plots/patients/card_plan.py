"""The plan of the card of one sample: what it says, and where. Nothing here draws."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np

from caprese._core.words import number_of, percent
from caprese.models.base import Order
from caprese.patients.place import INTERVAL, UNUSUAL, Placement
from caprese.plots.canvas.canvas import Point
from caprese.plots.canvas.labels import legible, legible_names, text_width
from caprese.plots.canvas.legend import Legend, swatch
from caprese.plots.canvas.palette import AMBER, BLUE, LINE, PALE, SOFT, VERMILION
from caprese.plots.layout.sorting import by_frequency, by_progression

MARGIN = 10.0
TITLE, TEXT, SMALL = 11.0, 8.0, 7.0  # font sizes
ROW = 13.0
GAP = 6.0
BAR = 60.0
CELL = 7.0
APART = 26.0  # between the two columns

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
class Line:
    """A line of text."""

    text: str
    colour: str = SOFT
    size: float = TEXT


@dataclass(frozen=True)
class Row:
    """A row of a column: a name, a cell with what was seen, a bar, and what is said about it."""

    name: str
    share: float
    seen: str = ""  # the colour of the cell; none if empty
    remark: str = ""
    doubtful: bool = False  # whether the remark contradicts what was seen

    @property
    def number(self) -> str:
        """The share in percent; empty if it is not known."""
        return percent(self.share) if isfinite(self.share) else ""


@dataclass(frozen=True)
class Column:
    """Rows under a heading."""

    heading: str
    rows: tuple[Row, ...]
    notes: tuple[str, ...]  # below the rows
    remarks: str = ""  # what the remarks are

    @property
    def names(self) -> float:
        """Width of the names."""
        return max((text_width(row.name, TEXT) for row in self.rows), default=0.0)

    @property
    def cells(self) -> float:
        """Width of the cells, with the space after them."""
        return CELL + GAP if any(row.seen for row in self.rows) else 0.0

    @property
    def number(self) -> float:
        """Where the numbers end, from the left end of the column."""
        return self.names + GAP + self.cells + BAR + GAP + text_width("100 %", SMALL)

    @property
    def size(self) -> Point:
        """Width and height."""
        remarks = [
            text_width(text, SMALL) for text in (self.remarks, *(r.remark for r in self.rows))
        ]
        width = self.number + GAP + max(remarks) if self.rows else 0.0
        width = max(width, 1.1 * text_width(self.heading, TEXT))
        width = max([width, *(text_width(note, SMALL) for note in self.notes)])
        return width, ROW * (1 + len(self.rows) + len(self.notes))


@dataclass(frozen=True)
class CardPlan:
    """The card of one sample before it is drawn."""

    title: str
    lines: tuple[Line, ...]
    there: Column
    coming: Column
    orders: tuple[Line, ...]
    legend: Legend

    @property
    def columns_top(self) -> float:
        """The upper end of the two columns."""
        return MARGIN + TITLE + GAP + ROW * len(self.lines) + GAP

    @property
    def legend_top(self) -> float:
        """The upper end of the legend, which is below the first column."""
        return self.columns_top + self.there.size[1] + GAP / 2

    @property
    def orders_top(self) -> float:
        """The upper end of the orders."""
        columns = self.columns_top + self.coming.size[1]
        return max(columns, self.legend_top + self.legend.height) + (GAP if self.orders else 0.0)

    @property
    def extent(self) -> Point:
        """Width and height of the whole."""
        wide = [
            self.there.size[0] + APART + self.coming.size[0],
            self.legend.width,
            1.1 * text_width(self.title, TITLE),
            *(text_width(line.text, line.size) for line in (*self.lines, *self.orders)),
        ]
        orders = ROW * (1 + len(self.orders)) if self.orders else 0.0
        return max(wide) + 2 * MARGIN, self.orders_top + orders + MARGIN


def card_plan(placement: Placement, sample: str) -> CardPlan:
    """Return the plan of a card; see `draw_patient`."""
    row = placement.position(sample)
    possible = isfinite(placement.log_probabilities[row])
    there, coming = _there(placement, row), _coming(placement, sample, possible)
    width = max(_NARROWEST, there.size[0] + APART + coming.size[0])
    return CardPlan(
        f"Sample {legible(sample, 40)}",
        tuple(_lines(placement, row, possible, width)),
        there,
        coming,
        tuple(_orders(placement, sample, width)) if possible else (),
        _legend(there),
    )


def _lines(placement: Placement, row: int, possible: bool, width: float) -> list[Line]:
    """Return how far the sample has come, how typical it is, and what is probably wrong."""
    if not possible:
        words = "The model gives this sample probability 0, so only what was seen is shown."
        return [Line(words, VERMILION)]
    mean, low, high = placement.counts[row].tolist()
    typicality = float(placement.typicality[row])
    drawn = f"{percent(typicality, 1)} of samples drawn from the model are no more probable."
    far = f"{mean:.1f} of {len(placement.events)} events are there"
    found = [Line(f"{far} ({percent(INTERVAL)} interval {low:.0f} to {high:.0f}).")]
    if placement.subtypes.shape[1]:
        best = int(placement.subtypes[row].argmax())
        chance = percent(float(placement.subtypes[row, best]))
        found.append(Line(f"Most probably of subtype {best + 1} ({chance})."))
    if typicality < UNUSUAL:
        found.append(Line(f"It does not fit the model: {drawn}", VERMILION))
    else:
        found.append(Line(f"It fits the model: {drawn}"))
    chances = placement.event_probabilities[row]
    known = placement.known[row]
    wrong = [
        (f"{_name(placement, k)} was probably missed", f"({percent(chances[k])})")
        for k in np.flatnonzero(placement.missed[row] & known).tolist()
    ] + [
        (f"{_name(placement, k)} was probably seen wrongly", f"({percent(1 - chances[k])})")
        for k in np.flatnonzero(placement.wrongly_seen[row]).tolist()
    ]
    sentences = _wrapped([" ".join(each) for each in wrong], width, separator=", ")
    return found + [Line(text, VERMILION) for text in sentences]


def _there(placement: Placement, row: int) -> Column:
    """Return each event with what was seen, and the probability that it is there."""
    values, chances = placement.data.values[row], placement.event_probabilities[row]
    known = placement.known[row]
    frequency = placement.data.values.mean(axis=0)
    model = placement.model
    if isinstance(model, Order):
        order = by_progression(placement.events, frequency, model)
    else:
        order = by_frequency(placement.events, frequency)
    shown = [int(k) for k in order]
    if len(shown) > _MOST_ROWS:
        worth = values | (chances >= _DOUBTFUL)
        shown = [k for k in shown if worth[k]][:_MOST_ROWS]
    names = legible_names([placement.events[k] for k in shown], _LONGEST)
    rows = []
    for k, name in zip(shown, names, strict=True):
        seen = BLUE if values[k] else PALE if known[k] else AMBER
        missed, wrongly = placement.missed[row, k] and known[k], placement.wrongly_seen[row, k]
        remark = "missed" if missed else "seen wrongly" if wrongly else ""
        rows.append(Row(name, float(chances[k]), seen, remark, bool(missed or wrongly)))
    more = len(placement.events) - len(rows)
    notes = (f"{number_of(more, 'more event')}, probably not there",) if more else ()
    return Column("What is there", tuple(rows), notes)


def _legend(there: Column) -> Legend:
    """Return what the colours of the cells mean, those that occur."""
    used = {row.seen for row in there.rows}
    entries = [swatch(colour, word, outline=LINE) for colour, word in _SEEN if colour in used]
    return Legend.of(entries, there.size[0])


def _coming(placement: Placement, sample: str, possible: bool) -> Column:
    """Return the events that may come next, the most probable first."""
    coming = [each for each in placement.next_events(sample) if each.probability >= _LIKELY]
    if not possible or not coming:
        note = "Nothing is left to come." if possible else "Nothing can be said."
        return Column("What comes next", (), (note,))
    shown = coming[:_MOST_NEXT]
    names = legible_names([each.event for each in shown], _LONGEST)
    rows = tuple(
        Row(name, each.probability, remark=f"{each.median_time:.2g}")
        for name, each in zip(names, shown, strict=True)
    )
    more = len(coming) - len(rows)
    notes = (f"{more} more, each less probable",) if more else ()
    time = ("Time 1 is the mean time at which", "samples are taken.")
    return Column("What comes next", rows, (*notes, *time), "median time")


def _orders(placement: Placement, sample: str, width: float) -> list[Line]:
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
    return [Line(text) for text in lines]


def _wrapped(items: Sequence[str], width: float, *, separator: str) -> list[str]:
    """Return items on lines of this width; a line that goes on ends in the separator."""
    lines: list[str] = []
    for place, item in enumerate(items):
        text = item + (separator if place < len(items) - 1 else "")
        if lines and text_width(lines[-1] + text, TEXT) <= width:
            lines[-1] += text
        else:
            lines.append(text)
    return [line.rstrip() for line in lines]


def _name(placement: Placement, event: int) -> str:
    return legible(placement.events[event], _LONGEST)
