"""Pictures of a progression: with the support of edges, with samples, a panel for each subtype."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any, Literal

from caprese._core.arrays import FloatArray
from caprese._core.words import percent
from caprese.assessment.confidence import Confidence
from caprese.errors import ModelError
from caprese.fitting.subtypes import Subtype
from caprese.methods.evidence import SubtypeEvidence
from caprese.methods.fit import Fit, order_of
from caprese.models.base import Model, Order
from caprese.patients.place import Placement
from caprese.plots.canvas.figures import Axes, Figure, draw_on, figure_of
from caprese.plots.canvas.labels import TextLine, legible
from caprese.plots.canvas.legend import Entry, no_symbol
from caprese.plots.layout.graph_layout import Direction
from caprese.plots.progression.crowds import crowds
from caprese.plots.progression.plan import (
    Marks,
    Progression,
    edges_left_out,
    left_out_words,
    marks_of,
    progression_plan,
)
from caprese.plots.progression.tree import Panel, Panels, best_on_page

_TITLE, _LINE = 9.0, 7.0  # font sizes
_HEAD = 30.0  # height of the two lines above a panel
_APART = (30.0, 24.0)  # between panels
_LONGEST = 24  # characters of a name in a line above a panel


def progression_figure(progression: Progression, confidence: Confidence | None = None) -> Figure:
    """Return a figure of the progression of a fit, or of a model alone, in the size it needs.

    A fit has the frequencies of its events too, and edges have their support if it is given.

    Examples
    --------
    >>> from caprese import Caprese, datasets
    >>> figure = progression_figure(Caprese().fit(datasets.ovarian()))
    >>> figure.axes[0].texts[-1].get_text()
    'independent root: the filter removed its edge'
    """
    return figure_of(progression_plan(order_of(progression), marks_of(progression, confidence)))


def draw_fit(axes: Axes, fit: Fit[Any, Any], confidence: Confidence | None = None) -> Axes:
    """Draw the progression of a fit on axes, and return these; see `progression_figure`."""
    return draw_on(axes, progression_plan(order_of(fit), marks_of(fit, confidence)))


def draw_progression(
    axes: Axes,
    model: Model | Order,
    *,
    frequency: FloatArray | None = None,
    support: FloatArray | None = None,
    filtered: Collection[str] = (),
    undetermined: Collection[str] = (),
    composites: Collection[str] = (),
    direction: Direction | Literal["auto"] = "auto",
) -> Axes:
    """Draw a progression from its root, with a legend of the symbols that occur.

    The picture is as large as a font size of 9 points requires, in the middle of the axes. If the
    axes are smaller, everything is scaled down, so that nothing overlaps.

    Parameters
    ----------
    axes
        Where to draw.
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
    >>> from caprese import ROOT, Forest
    >>> forest = Forest(("8q+", "8p-"), (ROOT, 0), (0.7, 0.6))
    >>> axes = draw_progression(Figure().subplots(), forest, frequency=forest.marginals())
    >>> [text.get_text() for text in axes.texts][:3]
    ['root', '8q+', '70 %']
    """
    marks = Marks(frequency, support, filtered, undetermined, composites)
    return draw_on(axes, progression_plan(order_of(model), marks, direction))


def patients_figure(progression: Progression, placement: Placement) -> Figure:
    """Return a figure of a progression with the samples on it, each at its deepest event.

    What counts is the most probable true genotype. A sample is drawn once, at its deepest event:
    the one with the most ancestors, of equally deep ones the one that the fewest samples have. A
    circle that is not filled says that the sample has events on other branches too; samples
    without any event are at the root, those that do not fit the model are marked. Above 120 samples
    at a node, all nodes have bars in place of dots.

    Parameters
    ----------
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
    >>> from caprese import Caprese, datasets, place
    >>> fit = Caprese().fit(datasets.ovarian())
    >>> figure = patients_figure(fit, place(fit, datasets.ovarian()))
    >>> [text.get_text() for text in figure.axes[0].texts[:2]]
    ['6 (7 %)', 'root']
    """
    return figure_of(_patients_plan(progression, placement))


def draw_patients(axes: Axes, progression: Progression, placement: Placement) -> Axes:
    """Draw a progression with its samples on axes, and return these; see `patients_figure`."""
    return draw_on(axes, _patients_plan(progression, placement))


def subtypes_figure(fit: Fit[Any, Any]) -> Figure:
    """Return a figure of the forest of each subtype: its share, its edges, and what sets it apart.

    Frequencies are those among the samples of the subtype; the width of an edge is its posterior
    probability within the subtype, faint below 50 %. Edges below 10 % are left out and counted.

    Parameters
    ----------
    fit
        A fit with subtypes, such as one of ``BayesForest(subtypes=2)``.

    Raises
    ------
    ModelError
        If the fit has no subtypes.

    Examples
    --------
    >>> from caprese import BayesForest, datasets
    >>> fit = BayesForest(subtypes=2, chains=1, draws=20, warm_up=20).fit(datasets.ovarian())
    >>> texts = subtypes_figure(fit).axes[0].texts
    >>> [text.get_text()[:9] for text in texts if "subtype" in text.get_text()]
    ['subtype 1', 'subtype 2']
    """
    return figure_of(_subtypes_plan(fit))


def draw_subtypes(axes: Axes, fit: Fit[Any, Any]) -> Axes:
    """Draw the subtypes of a fit on axes, and return these; see `subtypes_figure`."""
    return draw_on(axes, _subtypes_plan(fit))


def _patients_plan(progression: Progression, placement: Placement) -> Panels:
    order = order_of(progression)
    found = crowds(order, placement)
    marks = replace(marks_of(progression), support=None, posterior=False, crowds=found)
    return progression_plan(order, marks)


def _subtypes_plan(fit: Fit[Any, Any]) -> Panels:
    """Return, of all numbers of panels in a row, the plan that fits a page best."""
    evidence = fit.evidence
    if not isinstance(evidence, SubtypeEvidence) or not evidence.subtypes:
        raise ModelError("the fit has no subtypes: fit with subtypes, a number of them or auto")
    alone = [_subtype_plan(subtype) for subtype in evidence.subtypes]
    both = enumerate(zip(evidence.subtypes, alone, strict=True), start=1)
    panels = [_subtype_panel(place, subtype, plan) for place, (subtype, plan) in both]
    every = [entry for plan in alone for entry in plan.entries if entry.symbol != no_symbol]
    entries = {entry.meaning: entry for entry in every}
    if left_out := sum(
        edges_left_out(subtype.forest, plan.trees[0][0])
        for subtype, plan in zip(evidence.subtypes, alone, strict=True)
    ):
        entries["left out"] = Entry(no_symbol, left_out_words(left_out))
    plans = []
    for columns in range(len(panels), 0, -1):
        rows = tuple(tuple(panels[k : k + columns]) for k in range(0, len(panels), columns))
        plans.append(Panels(rows, (*entries.values(),), _APART))
    return best_on_page(plans, landscape=True)


def _subtype_plan(subtype: Subtype) -> Panels:
    marks = Marks(subtype.frequencies, subtype.parent_probabilities, posterior=True)
    return progression_plan(subtype.forest, marks)


def _subtype_panel(place: int, subtype: Subtype, plan: Panels) -> Panel:
    ((tree, _),) = plan.trees
    at = subtype.forest.events.index(subtype.marker)
    inside, outside = percent(subtype.frequencies[at]), percent(subtype.elsewhere[at])
    title = f"subtype {place}: {percent(subtype.weight)} of samples"
    line = f"{legible(subtype.marker, _LONGEST)} in {inside}, elsewhere in {outside}"
    lines = (TextLine.heading(title, _TITLE), _TITLE / 2), (TextLine(line, _LINE), 1.8 * _TITLE)
    return Panel(tree, lines, _HEAD)
