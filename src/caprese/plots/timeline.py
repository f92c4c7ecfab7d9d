"""Timeline: for each event the places in the order of all events that it may have."""

from dataclasses import dataclass

from caprese._core.arrays import FloatArray
from caprese._core.words import percent
from caprese.patients.timeline import Timeline
from caprese.plots.canvas import Point
from caprese.plots.canvas.figures import Axes, Canvas, Figure, draw_on, figure_of
from caprese.plots.canvas.labels import legible_names, text_width
from caprese.plots.canvas.legend import Entry, Legend, Symbol
from caprese.plots.canvas.palette import BLUE, INK, LINE, PALE, SOFT

_MARGIN, _GAP = 8.0, 6.0
_ROW, _AXIS = 15.0, 22.0  # heights: of an event, and of the axis below
_NAME, _NUMBER = 8.0, 7.0  # font sizes
_WIDTH = 300.0  # of the places
_MOST_TICKS = 10
_INNER, _OUTER = 0.5, 0.9  # shares of the draws in the thick bar and in the thin one
_HEIGHTS = {_OUTER: 2.0, _INNER: 6.0}
_DOT = 4.0


@dataclass(frozen=True)
class TimelinePlan:
    """A timeline before it is drawn; rows are sorted by time."""

    events: tuple[str, ...]
    names: tuple[str, ...]
    medians: FloatArray
    intervals: dict[float, FloatArray]  # by the share that they hold

    @property
    def left(self) -> float:
        """The left end of the places."""
        return _MARGIN + max(text_width(name, _NAME) for name in self.names) + _GAP

    @property
    def legend(self) -> Legend:
        """What the bars and the dots mean."""
        bars = [Entry(_bar(share), f"{percent(share)} of the orders") for share in (_INNER, _OUTER)]
        return Legend.of([Entry(_dot_symbol, "median"), *bars], _WIDTH)

    @property
    def extent(self) -> Point:
        """Width and height of the whole."""
        high = _ROW * len(self.events) + _AXIS + _GAP + self.legend.height
        width = max(_WIDTH, self.legend.width)
        return self.left + width + 2 * _MARGIN, high + 2 * _MARGIN

    def draw(self, canvas: Canvas) -> None:
        """Draw a row for each event, the axis, and the legend."""
        bottom = _MARGIN + _ROW * len(self.events)
        for row, (event, name) in enumerate(zip(self.events, self.names, strict=True)):
            y = _MARGIN + (row + 0.5) * _ROW
            across = (self.left + _WIDTH - _MARGIN, _ROW)
            canvas.region(event, (_MARGIN, y - _ROW / 2), across)
            canvas.text((self.left - _GAP, y), name, _NAME, align="right")
            canvas.box((self.left, y - 0.25), (_WIDTH, 0.5), fill=PALE, rounding=0, zorder=1)
            for share, height in _HEIGHTS.items():
                low, high = self.intervals[share][row].tolist()
                start, size = self._across(low), max(self._across(high) - self._across(low), 1.0)
                colour = BLUE if share == _INNER else LINE
                corner = (start, y - height / 2)
                canvas.box(corner, (size, height), fill=colour, rounding=height / 2, zorder=3)
            place = (self._across(float(self.medians[row])), y)
            canvas.dots([place], _DOT, marker="o", fill=INK, outline=INK)
        self._draw_axis(canvas, bottom)
        self.legend.draw(canvas, self.left, bottom + _AXIS + _GAP)

    def _draw_axis(self, canvas: Canvas, y: float) -> None:
        number = len(self.events)
        canvas.box((self.left, y), (_WIDTH, 0.6), fill=LINE, rounding=0)
        step = -(-number // _MOST_TICKS)
        for place in range(1, number + 1, step):
            canvas.text((self._across(place), y + 6), str(place), _NUMBER, colour=SOFT)
        words = "place in the order of all events, the first on the left"
        canvas.text((self.left, y + 16), words, _NUMBER, colour=SOFT, align="left")

    def _across(self, place: float) -> float:
        number = len(self.events)
        return self.left + _WIDTH * (place - 0.5) / number


def timeline_figure(found: Timeline) -> Figure:
    """Return a figure of the places that each event may have in the order of all events.

    Events are sorted by their mean place. The thick bar holds half of the drawn orders, the thin
    one 90 %, the dot is the median: an event with a long bar may come early or late.

    Parameters
    ----------
    found
        The result of `timeline`.

    Examples
    --------
    >>> from caprese import Caprese, datasets, timeline
    >>> figure = timeline_figure(timeline(Caprese().fit(datasets.ovarian())))
    >>> figure.axes[0].texts[0].get_text()
    '8q+'
    """
    return figure_of(timeline_plan(found))


def draw_timeline(axes: Axes, found: Timeline) -> Axes:
    """Draw a timeline on axes, and return these; see `timeline_figure`."""
    return draw_on(axes, timeline_plan(found))


def timeline_plan(found: Timeline) -> TimelinePlan:
    """Return the plan of a timeline; see `timeline_figure`."""
    sequence = list(found.sequence)
    intervals = {share: found.intervals(share)[sequence] for share in _HEIGHTS}
    events = tuple(found.events[event] for event in sequence)
    medians = found.intervals(0.0)[sequence, 0]
    return TimelinePlan(events, legible_names(events, 40), medians, intervals)


def _bar(share: float) -> Symbol:
    def draw(canvas: Canvas, left: float, y: float) -> None:
        height = _HEIGHTS[share]
        colour = BLUE if share == _INNER else LINE
        canvas.box((left, y - height / 2), (20.0, height), fill=colour, rounding=height / 2)

    return draw


def _dot_symbol(canvas: Canvas, left: float, y: float) -> None:
    canvas.dots([(left + 10.0, y)], _DOT, marker="o", fill=INK, outline=INK)
