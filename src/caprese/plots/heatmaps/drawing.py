"""Heat maps: a coloured cell for each parent and child, with its number if there is space."""

from typing import TYPE_CHECKING, Literal

import numpy as np

from caprese.assessment.confidence import Confidence
from caprese.methods.evidence import PairScores
from caprese.models.base import EffectsModel, Model, Order
from caprese.plots.canvas.canvas import Canvas, new_figure
from caprese.plots.canvas.labels import text_width
from caprese.plots.canvas.palette import INK, PAPER, SOFT
from caprese.plots.heatmaps.effects import effects_plan
from caprese.plots.heatmaps.plan import (
    GAP,
    MARGIN,
    NAME,
    NUMBER,
    SCALE,
    HeatMap,
    scores_plan,
    support_plan,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DARK = 0.8  # from this depth on numbers are white


def draw_support(axes: "Axes", model: Model | Order, confidence: Confidence) -> "Axes":
    """Draw how often each event was a parent of each other, the edges of the model outlined.

    Rows are the parents, the root first, as in the tables of the paper. A last row, if it is
    needed, is for replicates in which the parents of the event could not be determined.

    Parameters
    ----------
    axes
        Where to draw; `support_figure` makes axes of the right size.
    model
        The fitted progression.
    confidence
        The result of a bootstrap.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from caprese.assessment.bootstrap import bootstrap
    >>> from caprese.data.embedded import acml
    >>> from caprese.methods import Caprese
    >>> confidence = bootstrap(Caprese(), acml(), replicates=100, seed=1)
    >>> axes = draw_support(Figure().subplots(), Caprese().fit(acml()).model, confidence)
    >>> [text.get_text() for text in axes.texts][:2]
    ['root', 'SETBP1 missense']
    """
    return _draw(axes, support_plan(model, confidence))


def draw_scores(axes: "Axes", model: Model | Order, scores: PairScores) -> "Axes":
    """Draw the scores of all pairs of events, the edges of the model outlined.

    Parameters
    ----------
    axes
        Where to draw; `scores_figure` makes axes of the right size.
    model
        The progression that was inferred from the scores.
    scores
        The scores, as ``fit.evidence.pair_scores()`` returns them; a score that is not finite is
        omitted. Pairs that are not admissible are grey.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from caprese.data.embedded import acml
    >>> from caprese.methods import Caprese
    >>> fit = Caprese().fit(acml())
    >>> axes = draw_scores(Figure().subplots(), fit.model, fit.evidence.pair_scores())
    >>> axes.texts[0].get_text()
    'SETBP1 missense'
    """
    return _draw(axes, scores_plan(model, scores))


def support_figure(model: Model | Order, confidence: Confidence) -> "Figure":
    """Return a figure of the support of all pairs, in the size it needs; see `draw_support`.

    Examples
    --------
    >>> from caprese.assessment.bootstrap import bootstrap
    >>> from caprese.data.embedded import acml
    >>> from caprese.methods import Caprese
    >>> confidence = bootstrap(Caprese(), acml(), replicates=100, seed=1)
    >>> len(support_figure(Caprese().fit(acml()).model, confidence).axes)
    1
    """
    return _figure(support_plan(model, confidence))


def scores_figure(model: Model | Order, scores: PairScores) -> "Figure":
    """Return a figure of the scores of all pairs, in the size it needs; see `draw_scores`.

    Examples
    --------
    >>> from caprese.data.embedded import acml
    >>> from caprese.methods import Caprese
    >>> fit = Caprese().fit(acml())
    >>> len(scores_figure(fit.model, fit.evidence.pair_scores()).axes)
    1
    """
    return _figure(scores_plan(model, scores))


def draw_effects(axes: "Axes", model: EffectsModel) -> "Axes":
    """Draw how each event (row) speeds up or slows down each other (column), and the base rates.

    Red speeds up, blue slows down, base rates are green, as pictures of mutual hazard networks have
    it. Numbers are factors: x3 is three times as fast, /3 three times as slow; effects of less than
    10 % have none. A last column, if there is one, has the effects on the rate of observation.

    Parameters
    ----------
    axes
        Where to draw; `effects_figure` makes axes of the right size.
    model
        A model with effects, such as `Hazards`.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from caprese import Hazards
    >>> model = Hazards(("a", "b"), rates=(1.0, 0.5), effects=((1.0, 4.0), (1.0, 1.0)))
    >>> axes = draw_effects(Figure().subplots(), model)
    >>> [text.get_text() for text in axes.texts][:3]
    ['base rate', 'a', 'b']
    """
    return _draw(axes, effects_plan(model))


def effects_figure(model: EffectsModel) -> "Figure":
    """Return a figure of the effects between all events; see `draw_effects`.

    Examples
    --------
    >>> from caprese import Hazards
    >>> model = Hazards(("a", "b"), rates=(1.0, 0.5), effects=((1.0, 4.0), (1.0, 1.0)))
    >>> len(effects_figure(model).axes)
    1
    """
    return _figure(effects_plan(model))


def _figure(plan: HeatMap) -> "Figure":
    figure, axes = new_figure(plan.extent)
    _draw(axes, plan)
    return figure


def _draw(axes: "Axes", plan: HeatMap) -> "Axes":
    canvas = Canvas.on(axes, *plan.extent)
    (left, top), (wide, high) = plan.corner, plan.cell
    size = wide * len(plan.columns), high * len(plan.rows)
    canvas.image(plan.colours(), (left, top), size)
    for row, name in enumerate(plan.rows):
        canvas.text((left - GAP, top + (row + 0.5) * high), name, NAME, align="right")
    for column, name in enumerate(plan.columns):
        place = left + (column + 0.5) * wide, top - GAP - (0 if plan.upright else NAME / 2)
        align: Literal["left", "center"] = "left" if plan.upright else "center"
        canvas.text(place, name, NAME, align=align, upright=plan.upright)
    _draw_titles(canvas, plan)
    _draw_cells(canvas, plan)
    _draw_legend(canvas, plan, top + size[1] + 3 * GAP)
    return axes


def _draw_titles(canvas: Canvas, plan: HeatMap) -> None:
    """Name the axes."""
    (left, top), (wide, high), (row, column) = plan.corner, plan.cell, plan.titles
    middle = left + wide * len(plan.columns) / 2, top + high * len(plan.rows) / 2
    canvas.text((middle[0], MARGIN + NUMBER / 2), column, NUMBER, colour=SOFT)
    # Upright text starts at its place and goes up.
    start = middle[1] + text_width(row, NUMBER) / 2
    canvas.text((MARGIN + NUMBER / 2, start), row, NUMBER, colour=SOFT, align="left", upright=True)


def _draw_cells(canvas: Canvas, plan: HeatMap) -> None:
    (left, top), (wide, high), depths = plan.corner, plan.cell, plan.depths
    for row, column in np.ndindex(plan.values.shape):
        x, y = left + column * wide, top + row * high
        is_edge = bool(plan.edges[row, column])
        if text := plan.text(row, column):
            place = x + wide / 2, y + high / 2
            colour = PAPER if abs(depths[row, column]) > _DARK else INK
            colour = colour if plan.admissible[row, column] else SOFT
            canvas.text(place, text, NUMBER, colour=colour, bold=is_edge)
        if is_edge:
            corner, size = (x + 0.8, y + 0.8), (wide - 1.6, high - 1.6)
            canvas.box(corner, size, fill="none", outline=INK, width=1.4, rounding=0)
    canvas.grid((left, top), plan.cell, (len(plan.rows), len(plan.columns)), width=0.6)


def _draw_legend(canvas: Canvas, plan: HeatMap, y: float) -> None:
    x, _ = plan.corner
    before, after = plan.scale_words
    x += text_width(before, NUMBER)
    canvas.text((x, y), before, NUMBER, colour=SOFT, align="right")  # ends at the colours
    x += GAP
    scale = plan.depths_of(plan.scale).tolist()
    canvas.image(np.array([[plan.colour(depth) for depth in scale]]), (x, y - 3.5), SCALE)
    x += SCALE[0] + GAP
    canvas.text((x, y), after, NUMBER, colour=SOFT, align="left")
    x += text_width(after, NUMBER) + 3 * GAP
    plan.legend.draw(canvas, x, y - plan.legend.height / 2)
