"""The progression with the samples on it."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from caprese.methods.fit import Fit, order_of
from caprese.models.base import Model, Order
from caprese.patients.place import Placement
from caprese.plots.canvas.canvas import new_figure
from caprese.plots.patients.standing import crowds
from caprese.plots.progression.drawing import draw_plan
from caprese.plots.progression.plan import Marks, marks_of, progression_plan

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw_patients(
    axes: "Axes", progression: Fit[Any, Any] | Model | Order, placement: Placement
) -> "Axes":
    """Draw a progression with the samples on it, each at the last event that it has reached.

    What counts is the most probable true genotype. A sample is drawn once, at its deepest event:
    the one with the most ancestors, of equally deep ones the one that the fewest samples have. A
    circle that is not filled says that the sample has events on other branches too; samples
    without any event are at the root, those that do not fit the model are marked. Above 120 samples
    at a node, all nodes have bars in place of dots.

    Parameters
    ----------
    axes
        Where to draw; `patients_figure` makes axes of the right size.
    progression
        A fit, or a model, with edges.
    placement
        Where the samples stand, of the same events.

    Raises
    ------
    ModelError
        If the model has no edges, or other events.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from caprese import Caprese, datasets, place
    >>> fit = Caprese().fit(datasets.ovarian())
    >>> axes = draw_patients(Figure().subplots(), fit, place(fit, datasets.ovarian()))
    >>> [text.get_text() for text in axes.texts[:2]]
    ['13 (15 %)', 'root']
    """
    order, marks = _marked(progression, placement)
    return draw_plan(axes, progression_plan(order, marks), order, marks)


def patients_figure(progression: Fit[Any, Any] | Model | Order, placement: Placement) -> "Figure":
    """Return a figure of a progression with the samples on it; see `draw_patients`.

    Examples
    --------
    >>> from caprese import Caprese, datasets, place
    >>> fit = Caprese().fit(datasets.ovarian())
    >>> figure = patients_figure(fit, place(fit, datasets.ovarian()))
    """
    order, marks = _marked(progression, placement)
    plan = progression_plan(order, marks)
    figure, axes = new_figure(plan.extent)
    draw_plan(axes, plan, order, marks)
    return figure


def _marked(
    progression: Fit[Any, Any] | Model | Order, placement: Placement
) -> tuple[Order, Marks]:
    order = order_of(progression)
    marks = marks_of(progression)
    return order, replace(marks, support=None, posterior=False, crowds=crowds(order, placement))
