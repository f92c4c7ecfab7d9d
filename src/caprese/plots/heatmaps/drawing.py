"""Heat maps: a coloured cell for each parent and child, with its number if there is space."""

from caprese.assessment.confidence import Confidence
from caprese.methods.evidence import PairScores
from caprese.models.base import EffectsModel, Model, Order
from caprese.plots.canvas.canvas import draw_on, figure_of
from caprese.plots.canvas.figures import Axes, Figure
from caprese.plots.heatmaps.plan import effects_map, scores_map, support_map


def draw_support(axes: Axes, model: Model | Order, confidence: Confidence) -> Axes:
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
    >>> from caprese.data.datasets import acml
    >>> from caprese.methods import Caprese
    >>> confidence = bootstrap(Caprese(), acml(), replicates=100, seed=1)
    >>> axes = draw_support(Figure().subplots(), Caprese().fit(acml()).model, confidence)
    >>> [text.get_text() for text in axes.texts][:2]
    ['root', 'SETBP1 missense']
    """
    return draw_on(axes, support_map(model, confidence))


def draw_scores(axes: Axes, model: Model | Order, scores: PairScores) -> Axes:
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
    >>> from caprese.data.datasets import acml
    >>> from caprese.methods import Caprese
    >>> fit = Caprese().fit(acml())
    >>> axes = draw_scores(Figure().subplots(), fit.model, fit.evidence.pair_scores())
    >>> axes.texts[0].get_text()
    'SETBP1 missense'
    """
    return draw_on(axes, scores_map(model, scores))


def support_figure(model: Model | Order, confidence: Confidence) -> Figure:
    """Return a figure of the support of all pairs, in the size it needs; see `draw_support`.

    Examples
    --------
    >>> from caprese.assessment.bootstrap import bootstrap
    >>> from caprese.data.datasets import acml
    >>> from caprese.methods import Caprese
    >>> confidence = bootstrap(Caprese(), acml(), replicates=100, seed=1)
    >>> len(support_figure(Caprese().fit(acml()).model, confidence).axes)
    1
    """
    return figure_of(support_map(model, confidence))


def scores_figure(model: Model | Order, scores: PairScores) -> Figure:
    """Return a figure of the scores of all pairs, in the size it needs; see `draw_scores`.

    Examples
    --------
    >>> from caprese.data.datasets import acml
    >>> from caprese.methods import Caprese
    >>> fit = Caprese().fit(acml())
    >>> len(scores_figure(fit.model, fit.evidence.pair_scores()).axes)
    1
    """
    return figure_of(scores_map(model, scores))


def draw_effects(axes: Axes, model: EffectsModel) -> Axes:
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
    return draw_on(axes, effects_map(model))


def effects_figure(model: EffectsModel) -> Figure:
    """Return a figure of the effects between all events; see `draw_effects`.

    Examples
    --------
    >>> from caprese import Hazards
    >>> model = Hazards(("a", "b"), rates=(1.0, 0.5), effects=((1.0, 4.0), (1.0, 1.0)))
    >>> len(effects_figure(model).axes)
    1
    """
    return figure_of(effects_map(model))
