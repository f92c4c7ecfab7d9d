"""Oncoprints: which samples carry which events."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from caprese._core.words import number_of, percent
from caprese.data.dataset import Dataset
from caprese.models.base import Model, Order
from caprese.plots.canvas.canvas import Canvas, new_figure
from caprese.plots.canvas.labels import text_width
from caprese.plots.canvas.palette import BLUE, SOFT
from caprese.plots.oncoprint.plan import (
    BAR,
    GAP,
    MARGIN,
    NAME,
    NUMBER,
    ROW,
    SAMPLE,
    OncoprintPlan,
    oncoprint_plan,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw_oncoprint(
    axes: "Axes",
    data: Dataset,
    *,
    model: Model | Order | None = None,
    annotation: Mapping[str, str] | None = None,
    title: str = "",
) -> "Axes":
    """Draw which samples carry which events, with the frequency of each event beside its row.

    Parameters
    ----------
    axes
        Where to draw; `oncoprint_figure` makes axes of the right size.
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
    >>> from matplotlib.figure import Figure
    >>> from caprese.data.embedded import acml
    >>> axes = draw_oncoprint(Figure().subplots(), acml())
    >>> axes.texts[0].get_text()
    'SETBP1 missense'
    """
    return _draw(axes, oncoprint_plan(data, model=model, annotation=annotation, title=title))


def oncoprint_figure(
    data: Dataset,
    *,
    model: Model | Order | None = None,
    annotation: Mapping[str, str] | None = None,
    title: str = "",
) -> "Figure":
    """Return a figure of an oncoprint, in the size it needs; see `draw_oncoprint`.

    Examples
    --------
    >>> from caprese.data.embedded import acml
    >>> len(oncoprint_figure(acml()).axes)
    1
    """
    plan = oncoprint_plan(data, model=model, annotation=annotation, title=title)
    figure, axes = new_figure(plan.extent)
    _draw(axes, plan)
    return figure


def _draw(axes: "Axes", plan: OncoprintPlan) -> "Axes":
    width, height = plan.extent
    canvas = Canvas.on(axes, width, height)
    (wide, high), left, top = plan.image, plan.left, plan.top
    canvas.image(plan.cells, (left, top), (wide, high))
    for row, (name, share) in enumerate(zip(plan.names, plan.frequency.tolist(), strict=True)):
        y = top + (row + 0.5) * ROW
        canvas.text((left - GAP, y), name, NAME, align="right")
        number = left + wide + GAP + text_width("100 %", NUMBER)
        canvas.text((number, y), percent(share), NUMBER, colour=SOFT, align="right")
        if share > 0:
            canvas.box((number + GAP, y - 3), (BAR * share, 6), fill=BLUE, rounding=0)
    _draw_grid(canvas, plan)
    if plan.track is not None:
        canvas.image(plan.track, (left, MARGIN), (wide, ROW))
        canvas.text((left - GAP, MARGIN + ROW / 2), plan.title, NAME, align="right", bold=True)
    below = top + high + GAP
    samples = number_of(len(plan.samples), "sample")
    canvas.text((left, below + ROW / 2), samples, NUMBER, colour=SOFT, align="left")
    plan.legend.draw(canvas, left, below + ROW + GAP)
    return axes


def _draw_grid(canvas: Canvas, plan: OncoprintPlan) -> None:
    """Draw white lines between the rows, and between samples if these are wide enough."""
    (wide, _), corner = plan.image, (plan.left, plan.top)
    canvas.grid(corner, (wide, ROW), (len(plan.names), 1), width=1.5)
    step = wide / len(plan.samples)
    if step >= SAMPLE - 1:
        canvas.grid(corner, (step, ROW), (len(plan.names), len(plan.samples)), width=0.8)
