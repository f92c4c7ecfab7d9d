"""The card of one sample: what was seen, what is probably there, and what comes next."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, nan

import numpy as np

from caprese._core.words import number_of, percent
from caprese.patients.place import INTERVAL, UNUSUAL, Placement
from caprese.plots.canvas import Point
from caprese.plots.canvas.figures import Axes, Canvas, Figure, draw_on, figure_of
from caprese.plots.canvas.labels import TextLine, legible, legible_names, text_width
from caprese.plots.canvas.legend import Legend, swatch
from caprese.plots.canvas.palette import AMBER, BLUE, INK, LINE, PALE, SOFT, VERMILION
from caprese.plots.layout.sorting import by_progression

_MARGIN = 10.0
_TITLE, _TEXT, _SMALL = 11.0, 8.0, 7.0  # font sizes
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
    """A name, a cell with what was seen, a bar with its number, and a remark."""

    name: TextLine
    bar: float  # where it starts, from the left end
    remark: TextLine
    share: float = nan  # no bar if not finite
    seen: str = ""  # the colour of the cell; none if empty

    @property
    def end(self) -> float:
        """Where the number ends."""
        return self.bar + _BAR[0] + _GAP + text_width("100 %", _SMALL)

    @property
    def width(self) -> float:
        """Width of the row."""
        return max(self.end + _GAP + self.remark.width, self.name.width)

    def draw(self, canvas: Canvas, start: Point) -> None:
        """Draw the row; `start` is at half its height."""
        left, y = start
        self.name.draw(canvas, start)
        if self.seen:
            corner, size = (left + self.bar - _GAP - _CELL, y - _CELL / 2), (_CELL, _CELL)
            canvas.box(corner, size, fill=self.seen, outline=LINE, width=0.4, rounding=0)
        end = left + self.end
        if isfinite(self.share):
            canvas.bar((left + self.bar, y), _BAR, self.share)
            canvas.text((end, y), percent(self.share), _SMALL, colour=SOFT, align="right")
        self.remark.draw(canvas, (end + _GAP, y))


@dataclass(frozen=True)
class _Column:
    """Lines one below the other."""

    lines: Sequence[TextLine | _Row]

    @property
    def width(self) -> float:
        """Width of the widest line."""
        return max((line.width for line in self.lines), default=0.0)

    @property
    def height(self) -> float:
        """Height of all lines."""
        return _ROW * len(self.lines)

    def draw(self, canvas: Canvas, left: float, top: float) -> None:
        """Draw the lines."""
        for place, line in enumerate(self.lines):
            line.draw(canvas, (left, top + (place + 0.5) * _ROW))


@dataclass(frozen=True)
class _Card:
    """The card of one sample before it is drawn."""

    title: TextLine
    facts: _Column
    there: _Column
    coming: _Column
    legend: Legend  # below the first column
    orders: _Column

    @property
    def parts(self) -> list[tuple[_Column | Legend, Point]]:
        """What is below the title, each part with its upper left corner."""
        facts = _MARGIN + _TITLE + _GAP
        columns = facts + self.facts.height + _GAP
        legend = columns + self.there.height + _GAP / 2
        orders = max(columns + self.coming.height, legend + self.legend.height)
        return [
            (self.facts, (_MARGIN, facts)),
            (self.there, (_MARGIN, columns)),
            (self.coming, (_MARGIN + self.there.width + _APART, columns)),
            (self.legend, (_MARGIN, legend)),
            (self.orders, (_MARGIN, orders + (_GAP if self.orders.lines else 0.0))),
        ]

    @property
    def extent(self) -> Point:
        """Width and height of the whole."""
        columns = self.there.width + _APART + self.coming.width
        others = (self.title, self.facts, self.legend, self.orders)
        last, (_, top) = self.parts[-1]
        width = max(columns, *(part.width for part in others))
        return width + 2 * _MARGIN, top + last.height + _MARGIN

    def draw(self, canvas: Canvas) -> None:
        """Draw the title and all parts."""
        self.title.draw(canvas, (_MARGIN, _MARGIN + _TITLE / 2))
        for part, corner in self.parts:
            part.draw(canvas, *corner)


def patient_card(placement: Placement, sample: str) -> Figure:
    """Return a figure of one sample; the model may be any, with or without edges.

    On top: how far it has come, whether it fits the model, its subtype if there are any, and
    entries that are probably wrong. Below, each event with what was seen and the probability that
    it is truly there; the events that may come next, with their median waiting times; and the
    likeliest orders in which the events of its most probable genotype came about.

    Parameters
    ----------
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
    >>> from caprese import Caprese, datasets, place
    >>> placed = place(Caprese().fit(datasets.ovarian()), datasets.ovarian())
    >>> patient_card(placed, "3").axes[0].texts[0].get_text()
    'Sample 3'
    """
    return figure_of(_card(placement, sample))


def draw_patient(axes: Axes, placement: Placement, sample: str) -> Axes:
    """Draw the card of one sample on axes, and return these; see `patient_card`."""
    return draw_on(axes, _card(placement, sample))


def _card(placement: Placement, sample: str) -> _Card:
    row = placement.position(sample)
    possible = isfinite(placement.log_probabilities[row])
    there, coming = _there(placement, row), _coming(placement, sample, possible)
    width = max(_NARROWEST, there.width + _APART + coming.width)
    seen = {line.seen for line in there.lines if isinstance(line, _Row)}
    meanings = [swatch(colour, word, outline=LINE) for colour, word in _SEEN if colour in seen]
    return _Card(
        TextLine.heading(f"Sample {legible(sample, 40)}", _TITLE),
        _Column(_facts(placement, row, possible, width)),
        there,
        coming,
        Legend.of(meanings, there.width),
        _Column(_orders(placement, sample, width) if possible else ()),
    )


def _facts(placement: Placement, row: int, possible: bool, width: float) -> list[TextLine]:
    """Return how far the sample has come, how typical it is, and what is probably wrong."""
    if not possible:
        words = "The model gives this sample probability 0, so only what was seen is shown."
        return [TextLine(words, _TEXT, VERMILION)]
    mean, low, high = placement.counts[row].tolist()
    typicality = float(placement.typicality[row])
    drawn = f"{percent(typicality, 1)} of samples drawn from the model are no more probable."
    sure = placement.known[row].all() and not placement.corrected
    far = f"{mean:.{0 if sure else 1}f} of {len(placement.events)} events are there"
    within = "" if sure else f" ({percent(INTERVAL)} interval {low:.0f} to {high:.0f})"
    found = [TextLine(f"{far}{within}.", _TEXT)]
    if placement.subtypes.shape[1]:
        best = int(placement.subtypes[row].argmax())
        chance = percent(float(placement.subtypes[row, best]))
        found.append(TextLine(f"Most probably of subtype {best + 1} ({chance}).", _TEXT))
    if typicality < UNUSUAL:
        found.append(TextLine(f"It does not fit the model: {drawn}", _TEXT, VERMILION))
    else:
        found.append(TextLine(f"It fits the model: {drawn}", _TEXT))
    wrong = _wrapped(_probably_wrong(placement, row), width, separator=", ")
    return found + [TextLine(text, _TEXT, VERMILION) for text in wrong]


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
    bar = _widest(names) + _GAP + (_CELL + _GAP)
    rows = []
    for k, name in zip(shown, names, strict=True):
        seen = BLUE if values[k] else PALE if known[k] else AMBER
        missed, wrongly = placement.missed[row, k] and known[k], placement.wrongly_seen[row, k]
        remark = "missed" if missed else "seen wrongly" if wrongly else ""
        said = TextLine(remark, _SMALL, VERMILION)
        rows.append(_Row(TextLine(name, _TEXT, INK), bar, said, float(chances[k]), seen))
    more = len(placement.events) - len(rows)
    notes = [f"{number_of(more, 'more event')}, probably not there"] if more else []
    heading = TextLine.heading("What is there", _TEXT)
    return _Column([heading, *rows, *(TextLine(note, _SMALL) for note in notes)])


def _coming(placement: Placement, sample: str, possible: bool) -> _Column:
    """Return the events that may come next, the most probable first."""
    own = placement.coming(placement.position(sample))
    coming = [each for each in own if each.probability >= _LIKELY]
    heading = TextLine.heading("What comes next", _TEXT)
    if not possible or not coming:
        no_clock = ["The model has no clock, as", "stack, mhn and hcbn have."]
        left = ["Nothing is left to come."] if placement.timed else no_clock
        notes = left if possible else ["Nothing can be said."]
        return _Column([heading, *(TextLine(note, _SMALL) for note in notes)])
    shown = coming[:_MOST_NEXT]
    names = legible_names([each.event for each in shown], _LONGEST)
    bar = _widest(names) + _GAP
    rows = [_Row(heading, bar, TextLine("median time", _SMALL))]
    for name, each in zip(names, shown, strict=True):
        time = TextLine(f"{each.median_time:.2g}", _SMALL)
        rows.append(_Row(TextLine(name, _TEXT, INK), bar, time, each.probability))
    more = len(coming) - len(shown)
    notes = [f"{more} more, each less probable"] if more else []
    notes += ["Time 1 is the mean time at which", "samples are taken."]
    return _Column([*rows, *(TextLine(note, _SMALL) for note in notes)])


def _orders(placement: Placement, sample: str, width: float) -> list[TextLine]:
    """Return the likeliest orders in which the events came about, on lines of this width."""
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
    heading = TextLine.heading("The likeliest orders", _TEXT)
    return [heading, *(TextLine(line, _TEXT) for line in lines)]


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


def _widest(names: Sequence[str]) -> float:
    return max((text_width(name, _TEXT) for name in names), default=0.0)
