"""Pictures of a progression: the root, the events under their parents, how sure each edge is."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from caprese._core.arrays import FloatArray
from caprese._core.words import percent
from caprese.assessment.confidence import Confidence
from caprese.methods.base import Fit, order_of
from caprese.models.base import Model, Order
from caprese.plots.canvas.canvas import Pen, Stroke, sheet
from caprese.plots.canvas.lettering import text_width
from caprese.plots.canvas.palette import INK, PAPER, SOFT
from caprese.plots.layout.layered import Edge
from caprese.plots.layout.trees import Direction, Placement, Route
from caprese.plots.progression.nodes import Card, draw_root, root_size
from caprese.plots.progression.plan import KEY_GAP, LABEL, MARGIN, Marks, Plan, marks_of, planned

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PLAIN = 1.2  # width of an edge of unknown support
_THIN, _THICK = 0.7, 3.0
_FAN = 10  # edges that leave a node before they get thinner


def draw_progression(
    axes: "Axes",
    model: Order,
    *,
    frequency: FloatArray | None = None,
    support: FloatArray | None = None,
    cut: Collection[str] = (),
    undetermined: Collection[str] = (),
    composites: Collection[str] = (),
    direction: Direction | Literal["auto"] = "auto",
) -> "Axes":
    """Draw a progression from its root on, with a key to the signs it needs.

    The picture has the size it needs for letters of 9 points, in the middle of the axes; where they
    are too small for it, everything gets smaller, so that nothing ever overlaps.

    Parameters
    ----------
    axes
        Where to draw; `progression_figure` makes axes of the right size.
    model
        A forest, or any model whose events have several parents.
    frequency, support, cut, undetermined, composites
        What to show beyond the edges; see `Marks`.
    direction
        Where the progression grows to: ``"down"``; ``"right"``, which suits long names and many
        siblings; ``"auto"``: down, unless that is too wide for a page.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from caprese.models.forest import ROOT, Forest
    >>> forest = Forest(("8q+", "8p-"), (ROOT, 0), (0.7, 0.6))
    >>> axes = draw_progression(Figure().subplots(), forest, frequency=forest.marginals())
    >>> [text.get_text() for text in axes.texts][:3]
    ['root', '8q+', '70 %']
    """
    marks = Marks(frequency, support, cut, undetermined, composites)
    return draw_plan(axes, planned(model, marks, direction), model, marks)


def draw_fit(axes: "Axes", fit: Fit[Any, Any], confidence: Confidence | None = None) -> "Axes":
    """Draw the progression of a fit, with the frequencies, and the support if it is known.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from caprese.data.embedded import ovarian
    >>> from caprese.methods import Caprese
    >>> axes = draw_fit(Figure().subplots(), Caprese().fit(ovarian()))
    >>> axes.texts[-1].get_text()
    'start of its own: the filter cut its edge'
    """
    marks = marks_of(fit, confidence)
    return draw_plan(axes, planned(fit.model, marks), fit.model, marks)


def progression_figure(
    progression: Fit[Any, Any] | Model | Order, confidence: Confidence | None = None
) -> "Figure":
    """Return a figure of the progression of a fit, or of a model alone, as large as needs be.

    Examples
    --------
    >>> from caprese.data.embedded import ovarian
    >>> from caprese.methods import Caprese
    >>> figure = progression_figure(Caprese().fit(ovarian()))
    >>> width, height = figure.get_size_inches()
    >>> bool(3 < width < 7 and 2 < height < 5)
    True
    """
    model = order_of(progression)
    marks = marks_of(progression, confidence)
    plan = planned(model, marks)
    figure, axes = sheet(plan.extent)
    draw_plan(axes, plan, model, marks)
    return figure


def draw_plan(axes: "Axes", plan: Plan, model: Order, marks: Marks) -> "Axes":
    """Draw what was planned."""
    width, height = plan.extent
    pen = Pen.on(axes, width, height)
    tree_width, tree_height = plan.placement.extent
    shift = np.array([(width - tree_width) / 2, MARGIN])
    draw_nodes(pen, plan.placement, plan.cards, shift)
    thick = _thickest(plan.edges)
    for edge, route in plan.placement.routes(plan.edges).items():
        _draw_edge(pen, edge, route.shifted(shift), model, marks, thick)
    plan.key.draw(pen, MARGIN, MARGIN + tree_height + KEY_GAP)
    return axes


def draw_nodes(pen: Pen, placement: Placement, cards: Collection[Card], shift: FloatArray) -> None:
    """Draw the root and the cards of the events."""
    *centres, root = (placement.centres + shift).tolist()
    *boxes, _ = placement.boxes.tolist()
    draw_root(pen, root, root_size())
    for card, centre, box in zip(cards, centres, boxes, strict=True):
        card.draw(pen, centre, box)


def draw_edge(
    pen: Pen,
    route: Route,
    *,
    width: float = _PLAIN,
    colour: str = INK,
    stroke: Stroke = "solid",
    label: str = "",
) -> None:
    """Draw an edge with its label, if it has one."""
    pen.wedge(route.tip, route.curve[-1], width=max(5.0, 2 * width), colour=colour)
    if not label:
        pen.curve(route.curve, width=width, colour=colour, stroke=stroke)
        return
    pen.curve(route.curve[:-3], width=width, colour=colour, stroke=stroke)
    pen.curve(route.curve[-4:], width=width, colour=colour)  # too little is left of it for dashes
    wide, high = text_width(label, LABEL), LABEL + 1
    x, y = route.label.tolist()
    pen.box((x - wide / 2, y - high / 2), (wide, high), face=PAPER, level=4)
    pen.text((x, y), label, LABEL)


def _draw_edge(
    pen: Pen, edge: Edge, route: Route, model: Order, marks: Marks, thick: float
) -> None:
    parent, child = edge
    name, from_root = model.events[child], parent == len(model.events)
    if name in marks.undetermined:
        draw_edge(pen, route, colour=SOFT, stroke="dotted")
        return
    stroke: Stroke = "dashed" if from_root and name in marks.cut else "solid"
    if marks.support is None:
        draw_edge(pen, route, stroke=stroke)
        return
    share = float(marks.support[parent, child])
    width = _THIN + (thick - _THIN) * share
    draw_edge(pen, route, width=width, stroke=stroke, label=percent(share))


def _thickest(edges: Collection[Edge]) -> float:
    """Return the width of a sure edge: less where so many leave a node that they would merge."""
    leaving = int(np.bincount([parent for parent, _ in edges]).max())
    return max(1.5 * _THIN, _THICK * min(1.0, _FAN / leaving))
