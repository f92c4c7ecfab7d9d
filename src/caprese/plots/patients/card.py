"""The card of one sample: what was seen, what is probably there, and what comes next."""

from typing import TYPE_CHECKING

from caprese.patients.place import Placement
from caprese.plots.canvas.canvas import Canvas, Point, new_figure
from caprese.plots.canvas.labels import text_width
from caprese.plots.canvas.palette import BLUE, INK, LINE, PALE, SOFT, VERMILION
from caprese.plots.patients.card_plan import (
    APART,
    BAR,
    CELL,
    GAP,
    MARGIN,
    ROW,
    SMALL,
    TEXT,
    TITLE,
    CardPlan,
    Column,
    Row,
    card_plan,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_THICK = 5.0  # of a bar


def draw_patient(axes: "Axes", placement: Placement, sample: str) -> "Axes":
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
    return _draw(axes, card_plan(placement, sample))


def patient_card(placement: Placement, sample: str) -> "Figure":
    """Return a figure of the card of one sample, in the size it needs; see `draw_patient`.

    Examples
    --------
    >>> from caprese import Caprese, datasets, place
    >>> placed = place(Caprese().fit(datasets.ovarian()), datasets.ovarian())
    >>> figure = patient_card(placed, "3")
    """
    plan = card_plan(placement, sample)
    figure, axes = new_figure(plan.extent)
    _draw(axes, plan)
    return figure


def _draw(axes: "Axes", plan: CardPlan) -> "Axes":
    canvas = Canvas.on(axes, *plan.extent)
    canvas.text((MARGIN, MARGIN + TITLE / 2), plan.title, TITLE, align="left", bold=True)
    y = MARGIN + TITLE + GAP + ROW / 2
    for line in plan.lines:
        canvas.text((MARGIN, y), line.text, line.size, colour=line.colour, align="left")
        y += ROW
    top = plan.columns_top
    _draw_column(canvas, plan.there, (MARGIN, top))
    _draw_column(canvas, plan.coming, (MARGIN + plan.there.size[0] + APART, top))
    plan.legend.draw(canvas, MARGIN, plan.legend_top)
    y = plan.orders_top + ROW / 2
    if plan.orders:
        canvas.text((MARGIN, y), "The likeliest orders", TEXT, align="left", bold=True)
        y += ROW
    for line in plan.orders:
        canvas.text((MARGIN, y), line.text, line.size, colour=line.colour, align="left")
        y += ROW
    return axes


def _draw_column(canvas: Canvas, column: Column, corner: Point) -> None:
    left, top = corner
    canvas.text((left, top + ROW / 2), column.heading, TEXT, align="left", bold=True)
    if column.remarks:
        right = left + column.number + GAP
        canvas.text((right, top + ROW / 2), column.remarks, SMALL, colour=SOFT, align="left")
    for place, row in enumerate(column.rows, start=1):
        _draw_row(canvas, column, row, (left, top + (place + 0.5) * ROW))
    for place, note in enumerate(column.notes, start=1 + len(column.rows)):
        y = top + (place + 0.5) * ROW
        canvas.text((left, y), note, SMALL, colour=SOFT, align="left")


def _draw_row(canvas: Canvas, column: Column, row: Row, start: Point) -> None:
    left, y = start
    canvas.text((left, y), row.name, TEXT, colour=INK, align="left")
    left += column.names + GAP
    if row.seen:
        corner = (left, y - CELL / 2)
        canvas.box(corner, (CELL, CELL), fill=row.seen, outline=LINE, width=0.4, rounding=0)
    left += column.cells
    if row.number:
        canvas.box((left, y - _THICK / 2), (BAR, _THICK), fill=PALE, rounding=0, zorder=4)
        if row.share > 0:
            size = (BAR * min(row.share, 1.0), _THICK)
            canvas.box((left, y - _THICK / 2), size, fill=BLUE, rounding=0, zorder=4.1)
    left += BAR + GAP + text_width("100 %", SMALL)
    canvas.text((left, y), row.number, SMALL, colour=SOFT, align="right")
    colour = VERMILION if row.doubtful else SOFT
    canvas.text((left + GAP, y), row.remark, SMALL, colour=colour, align="left")
