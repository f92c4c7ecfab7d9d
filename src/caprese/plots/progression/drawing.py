"""Pictures of a progression: the root, the events below their parents, the support of each edge."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from caprese._core.arrays import FloatArray
from caprese._core.words import percent
from caprese.assessment.confidence import Confidence
from caprese.methods.fit import Fit, order_of
from caprese.models.base import Model, Order
from caprese.plots.canvas.canvas import Canvas, LineStyle, new_figure
from caprese.plots.canvas.labels import text_width
from caprese.plots.canvas.palette import INK, LINE, PAPER, SOFT
from caprese.plots.layout.layered import Edge
from caprese.plots.layout.placement import Direction, Placement, Route
from caprese.plots.progression.crowds import Crowd
from caprese.plots.progression.nodes import Gate, Node, draw_root
from caprese.plots.progression.plan import (
    EDGE_LABEL,
    FAINT,
    LEGEND_GAP,
    MARGIN,
    Marks,
    ProgressionPlan,
    marks_of,
    progression_plan,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PLAIN = 1.2  # width of an edge of unknown support
_THIN, _THICK = 0.7, 3.0
_FAN = 10  # edges that may leave a node before they get thinner


def draw_progression(
    axes: "Axes",
    model: Model | Order,
    *,
    frequency: FloatArray | None = None,
    support: FloatArray | None = None,
    filtered: Collection[str] = (),
    undetermined: Collection[str] = (),
    composites: Collection[str] = (),
    direction: Direction | Literal["auto"] = "auto",
) -> "Axes":
    """Draw a progression from its root, with a legend of the symbols that occur.

    The picture is as large as a font size of 9 points requires, in the middle of the axes. If the
    axes are smaller, everything is scaled down, so that nothing overlaps.

    Parameters
    ----------
    axes
        Where to draw; `progression_figure` makes axes of the right size.
    model
        A forest, or any other model with edges.
    frequency, support, filtered, undetermined, composites
        What to show beyond the edges; see `Marks`.
    direction
        The direction of growth: ``"down"``; ``"right"``, which suits long names and many siblings;
        ``"auto"``: down, unless that is too wide for a page.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from caprese.models.forest import ROOT, Forest
    >>> forest = Forest(("8q+", "8p-"), (ROOT, 0), (0.7, 0.6))
    >>> axes = draw_progression(Figure().subplots(), forest, frequency=forest.marginals())
    >>> [text.get_text() for text in axes.texts][:3]
    ['root', '8q+', '70 %']
    """
    marks = Marks(frequency, support, filtered, undetermined, composites)
    order = order_of(model)
    return draw_plan(axes, progression_plan(order, marks, direction), order, marks)


def draw_fit(axes: "Axes", fit: Fit[Any, Any], confidence: Confidence | None = None) -> "Axes":
    """Draw the progression of a fit with the frequencies, and with the support if it is given.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from caprese.data.embedded import ovarian
    >>> from caprese.methods import Caprese
    >>> axes = draw_fit(Figure().subplots(), Caprese().fit(ovarian()))
    >>> axes.texts[-1].get_text()
    'independent root: the filter removed its edge'
    """
    order, marks = order_of(fit), marks_of(fit, confidence)
    return draw_plan(axes, progression_plan(order, marks), order, marks)


def progression_figure(
    progression: Fit[Any, Any] | Model | Order, confidence: Confidence | None = None
) -> "Figure":
    """Return a figure of the progression of a fit, or of a model alone, in the size it needs.

    Examples
    --------
    >>> from caprese.data.embedded import ovarian
    >>> from caprese.methods import Caprese
    >>> figure = progression_figure(Caprese().fit(ovarian()))
    >>> width, height = figure.get_size_inches()
    >>> bool(3 < width < 7 and 2 < height < 5)
    True
    """
    order, marks = order_of(progression), marks_of(progression, confidence)
    plan = progression_plan(order, marks)
    figure, axes = new_figure(plan.extent)
    draw_plan(axes, plan, order, marks)
    return figure


def draw_plan(axes: "Axes", plan: ProgressionPlan, model: Order, marks: Marks) -> "Axes":
    """Draw the plan of a picture."""
    width, height = plan.extent
    canvas = Canvas.on(axes, width, height)
    tree_width, tree_height = plan.placement.extent
    draw_tree(canvas, plan, model, marks, np.array([(width - tree_width) / 2, MARGIN]))
    plan.legend.draw(canvas, MARGIN, MARGIN + tree_height + LEGEND_GAP)
    return axes


def draw_tree(
    canvas: Canvas, plan: ProgressionPlan, model: Order, marks: Marks, shift: FloatArray
) -> None:
    """Draw the nodes and edges of a plan, without its legend."""
    draw_nodes(canvas, plan.placement, plan.nodes, shift, plan.at_root)
    for route in plan.placement.detours(plan.alternatives).values():
        _draw_alternative(canvas, route.shifted(shift))
    thick = _thickest(plan.edges)
    for edge, route in plan.placement.routes(plan.edges).items():
        _draw_edge(canvas, edge, route.shifted(shift), plan, model, marks, thick)


def draw_nodes(
    canvas: Canvas,
    placement: Placement,
    nodes: Collection[Node | Gate],
    shift: FloatArray,
    at_root: Crowd | None = None,
) -> None:
    """Draw the root and the nodes of the events."""
    *centres, root = (placement.centres + shift).tolist()
    *sizes, _ = placement.boxes.tolist()
    draw_root(canvas, root, at_root)
    for node, centre, size in zip(nodes, centres, sizes, strict=True):
        node.draw(canvas, centre, size)


def draw_edge(
    canvas: Canvas,
    route: Route,
    *,
    width: float = _PLAIN,
    colour: str = INK,
    style: LineStyle = "solid",
    label: str = "",
) -> None:
    """Draw an edge, with a label if one is given."""
    canvas.wedge(route.tip, route.curve[-1], width=max(5.0, 2 * width), colour=colour)
    if not label:
        canvas.curve(route.curve, width=width, colour=colour, style=style)
        return
    canvas.curve(route.curve[:-3], width=width, colour=colour, style=style)
    canvas.curve(route.curve[-4:], width=width, colour=colour)  # too short for dashes
    wide, high = text_width(label, EDGE_LABEL), EDGE_LABEL + 1
    x, y = route.label.tolist()
    canvas.box((x - wide / 2, y - high / 2), (wide, high), fill=PAPER, zorder=4)
    canvas.text((x, y), label, EDGE_LABEL)


def _draw_edge(
    canvas: Canvas,
    edge: Edge,
    route: Route,
    plan: ProgressionPlan,
    model: Order,
    marks: Marks,
    thick: float,
) -> None:
    parent, child = edge
    name, from_root = plan.names[child], parent == len(plan.names)
    if name in marks.undetermined:
        draw_edge(canvas, route, colour=SOFT, style="dotted")
        return
    style: LineStyle = "dashed" if from_root and name in marks.filtered else "solid"
    share = marks.support_of(plan.names, len(model.events), edge)
    if share is None:
        draw_edge(canvas, route, style=style)
        return
    width = _THIN + (thick - _THIN) * share
    draw_edge(canvas, route, width=width, style=style, label=percent(share))


def _draw_alternative(canvas: Canvas, route: Route) -> None:
    canvas.wedge(route.tip, route.curve[-1], width=3.5, colour=LINE)
    canvas.curve(route.curve, width=FAINT, colour=LINE, style="dashed")


def _thickest(edges: Collection[Edge]) -> float:
    """Return the width of an edge of full support: smaller if many edges leave the same node."""
    leaving = int(np.bincount([parent for parent, _ in edges]).max())
    return max(1.5 * _THIN, _THICK * min(1.0, _FAN / leaving))
