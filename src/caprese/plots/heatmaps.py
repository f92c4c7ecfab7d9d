"""Heat maps of pairs of events: parents down, the root first, children across."""

from typing import TYPE_CHECKING

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray
from caprese.assessment.confidence import Confidence
from caprese.errors import ModelError
from caprese.models.base import Order
from caprese.plots.canvas.canvas import sheet
from caprese.plots.canvas.lettering import legible, legible_names
from caprese.plots.matrix import HeatMap, draw_heat_map

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LONGEST = 40


def draw_support(axes: "Axes", model: Order, confidence: Confidence) -> "Axes":
    """Draw how often each event was a parent of each other, the model's own edges outlined.

    Rows are the parents, the root first, as in the tables of the paper; a last row, if it is
    needed, is for replicates in which the event could not be placed.

    Parameters
    ----------
    axes
        Where to draw; `support_figure` makes axes of the right size.
    model
        The progression in question.
    confidence
        What came back.

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
    return draw_heat_map(axes, support_map(model, confidence))


def draw_scores(
    axes: "Axes",
    model: Order,
    scores: FloatArray,
    *,
    root: FloatArray | None = None,
    name: str = "score",
) -> "Axes":
    """Draw the scores of all pairs of events, the edges chosen outlined.

    Parameters
    ----------
    axes
        Where to draw; `scores_figure` makes axes of the right size.
    model
        The progression that was inferred from the scores.
    scores
        Parent row, child column; what is not finite is left blank.
    root
        Scores of the root as the parent, if it has any.
    name
        What the scores are called.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from caprese.data.embedded import acml
    >>> from caprese.methods import Caprese
    >>> fit = Caprese().fit(acml())
    >>> axes = draw_scores(Figure().subplots(), fit.model, fit.evidence.score)
    >>> axes.texts[0].get_text()
    'SETBP1 missense'
    """
    return draw_heat_map(axes, score_map(model, scores, root=root, name=name))


def support_figure(model: Order, confidence: Confidence) -> "Figure":
    """Return a figure of the support of all edges; see `draw_support`.

    Examples
    --------
    >>> from caprese.assessment.bootstrap import bootstrap
    >>> from caprese.data.embedded import acml
    >>> from caprese.methods import Caprese
    >>> confidence = bootstrap(Caprese(), acml(), replicates=100, seed=1)
    >>> len(support_figure(Caprese().fit(acml()).model, confidence).axes)
    1
    """
    plan = support_map(model, confidence)
    figure, axes = sheet(plan.extent)
    draw_heat_map(axes, plan)
    return figure


def scores_figure(
    model: Order,
    scores: FloatArray,
    *,
    root: FloatArray | None = None,
    name: str = "score",
) -> "Figure":
    """Return a figure of the scores of all pairs; see `draw_scores`.

    Examples
    --------
    >>> from caprese.data.embedded import acml
    >>> from caprese.methods import Caprese
    >>> fit = Caprese().fit(acml())
    >>> len(scores_figure(fit.model, fit.evidence.score).axes)
    1
    """
    plan = score_map(model, scores, root=root, name=name)
    figure, axes = sheet(plan.extent)
    draw_heat_map(axes, plan)
    return figure


def support_map(model: Order, confidence: Confidence) -> HeatMap:
    """Return the plan of a heat map of support; see `draw_support`.

    Examples
    --------
    >>> from caprese.assessment.bootstrap import bootstrap
    >>> from caprese.data.embedded import ovarian
    >>> from caprese.methods import Caprese
    >>> confidence = bootstrap(Caprese(), ovarian(), replicates=100, seed=1)
    >>> support_map(Caprese().fit(ovarian()).model, confidence).rows
    ('root', '8q+', '3q+', '5q-', '4q-', '8p-', '1q+', 'Xp-')
    """
    if model.events != confidence.events:
        raise ModelError("model and confidence must have the same events in the same order")
    n, support = len(model.events), confidence.support
    rows = ("root", *_names(model))
    values = np.vstack([support[n], np.where(np.eye(n, dtype=bool), np.nan, support[:n])])
    edges = _with_root(model)
    if support[n + 1].any():
        rows, values = (*rows, "not determined"), np.vstack([values, support[n + 1]])
        edges = np.vstack([edges, np.zeros((1, n), dtype=bool)])
    return HeatMap(rows, _names(model), values, edges, "support", (0.0, 1.0))


def score_map(
    model: Order,
    scores: FloatArray,
    *,
    root: FloatArray | None = None,
    name: str = "score",
) -> HeatMap:
    """Return the plan of a heat map of scores; see `draw_scores`.

    Examples
    --------
    >>> from caprese.models.forest import ROOT, Forest
    >>> forest = Forest(("a", "b"), (ROOT, 0), (0.5, 0.5))
    >>> score_map(forest, np.array([[0.0, 0.4], [-0.2, 0.0]])).range
    (-0.2, 0.4)
    """
    n = len(model.events)
    if np.shape(scores) != (n, n):
        raise ValueError(f"scores must be {n} x {n} for {n} events, got {np.shape(scores)}")
    values = np.where(np.eye(n, dtype=bool), np.nan, scores)
    rows, edges = _names(model), model.adjacency()
    if root is not None:
        rows, edges = ("root", *rows), _with_root(model)
        values = np.vstack([root, values])
    finite = values[np.isfinite(values)]
    ends = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    return HeatMap(rows, _names(model), values, edges, legible(name, _LONGEST), ends)


def _names(model: Order) -> tuple[str, ...]:
    return legible_names(model.events, _LONGEST)


def _with_root(model: Order) -> BoolArray:
    adjacency = model.adjacency()
    return np.vstack([~adjacency.any(axis=0), adjacency])
