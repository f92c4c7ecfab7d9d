"""The subtypes of a fit, one panel each: the forest of a group of samples."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from caprese._core.arrays import FloatArray
from caprese._core.words import percent
from caprese.errors import ModelError
from caprese.fitting.subtypes import Subtype
from caprese.methods.evidence import SubtypeEvidence
from caprese.methods.fit import Fit
from caprese.plots.canvas.canvas import Canvas, new_figure
from caprese.plots.canvas.labels import legible, text_width
from caprese.plots.canvas.legend import Legend
from caprese.plots.canvas.palette import SOFT
from caprese.plots.progression.drawing import draw_tree
from caprese.plots.progression.plan import (
    LEGEND_GAP,
    MARGIN,
    Marks,
    ProgressionPlan,
    legend_entries,
    page_scale,
    progression_plan,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_TITLE, _LINE = 9.0, 7.0  # font sizes
_HEAD = 30.0  # height of the two lines above a panel
_APART = (30.0, 24.0)  # between panels
_PAGE = (760.0, 680.0)
_LONGEST = 24  # characters of a name in a line above a panel


@dataclass(frozen=True)
class _Panel:
    """The forest of a subtype, and the lines above it."""

    subtype: Subtype
    marks: Marks
    plan: ProgressionPlan
    lines: tuple[str, str]

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height, with the lines above."""
        width, height = self.plan.placement.extent
        title, line = (text_width(*each) for each in zip(self.lines, (_TITLE, _LINE), strict=True))
        return max(width, 1.1 * title, line), height + _HEAD  # bold letters are wider


@dataclass(frozen=True)
class _Plan:
    """Panels in rows, and one legend."""

    rows: tuple[tuple[_Panel, ...], ...]
    legend: Legend

    @property
    def corners(self) -> list[tuple[_Panel, FloatArray]]:
        """Each panel with its upper left corner."""
        found, top = [], MARGIN
        for row in self.rows:
            left = MARGIN
            for panel in row:
                found.append((panel, np.array([left, top])))
                left += panel.extent[0] + _APART[0]
            top += max(panel.extent[1] for panel in row) + _APART[1]
        return found

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of the whole."""
        ends = np.array([corner + panel.extent for panel, corner in self.corners])
        width, height = ends.max(axis=0).tolist()
        return (
            max(width, MARGIN + self.legend.width) + MARGIN,
            height + LEGEND_GAP + self.legend.height + MARGIN,
        )


def draw_subtypes(axes: "Axes", fit: Fit[Any, Any]) -> "Axes":
    """Draw the forest of each subtype of a fit: its share, its edges, and what sets it apart.

    Frequencies are those among the samples of the subtype; the width of an edge is its posterior
    probability within the subtype.

    Parameters
    ----------
    axes
        Where to draw; `subtypes_figure` makes axes of the right size.
    fit
        A fit with subtypes, such as one of ``BayesForest(subtypes=2)``.

    Raises
    ------
    ModelError
        If the fit has no subtypes.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from caprese import BayesForest
    >>> from caprese.data.embedded import ovarian
    >>> fit = BayesForest(subtypes=2, chains=1, draws=20, warm_up=20).fit(ovarian())
    >>> axes = draw_subtypes(Figure().subplots(), fit)
    >>> [text.get_text()[:9] for text in axes.texts if "subtype" in text.get_text()]
    ['subtype 1', 'subtype 2']
    """
    return _draw(axes, _best_plan(fit))


def subtypes_figure(fit: Fit[Any, Any]) -> "Figure":
    """Return a figure of the subtypes of a fit, in the size it needs; see `draw_subtypes`."""
    plan = _best_plan(fit)
    figure, axes = new_figure(plan.extent)
    _draw(axes, plan)
    return figure


def _best_plan(fit: Fit[Any, Any]) -> _Plan:
    """Return, of all numbers of panels in a row, the plan that fits a page best."""
    evidence = fit.evidence
    if not isinstance(evidence, SubtypeEvidence) or not evidence.subtypes:
        raise ModelError("the fit has no subtypes: fit with subtypes, a number of them or auto")
    panels = [_panel(place, each) for place, each in enumerate(evidence.subtypes, start=1)]
    plans = [_arranged(panels, columns) for columns in range(len(panels), 0, -1)]
    return max(plans, key=lambda plan: page_scale(plan.extent, _PAGE))  # the first of equals


def _panel(place: int, subtype: Subtype) -> _Panel:
    marks = Marks(subtype.frequencies, subtype.parent_probabilities, posterior=True)
    at = subtype.forest.events.index(subtype.marker)
    inside, outside = percent(subtype.frequencies[at]), percent(subtype.elsewhere[at])
    lines = (
        f"subtype {place}: {percent(subtype.weight)} of samples",
        f"{legible(subtype.marker, _LONGEST)} in {inside}, elsewhere in {outside}",
    )
    return _Panel(subtype, marks, progression_plan(subtype.forest, marks), lines)


def _arranged(panels: Sequence[_Panel], columns: int) -> _Plan:
    starts = range(0, len(panels), columns)
    plan = _Plan(tuple(tuple(panels[k : k + columns]) for k in starts), Legend(()))
    entries = {
        entry.meaning: entry
        for panel in panels
        for entry in legend_entries(panel.subtype.forest, panel.marks)
    }
    return _Plan(plan.rows, Legend.of([*entries.values()], plan.extent[0] - 2 * MARGIN))


def _draw(axes: "Axes", plan: _Plan) -> "Axes":
    width, height = plan.extent
    canvas = Canvas.on(axes, width, height)
    for panel, corner in plan.corners:
        left, top = corner.tolist()
        title, line = panel.lines
        canvas.text((left, top + _TITLE / 2), title, _TITLE, align="left", bold=True)
        canvas.text((left, top + 1.8 * _TITLE), line, _LINE, colour=SOFT, align="left")
        aside = (panel.extent[0] - panel.plan.placement.extent[0]) / 2
        shift = corner + np.array([aside, _HEAD])
        draw_tree(canvas, panel.plan, panel.subtype.forest, panel.marks, shift)
    plan.legend.draw(canvas, MARGIN, height - MARGIN - plan.legend.height)
    return axes
