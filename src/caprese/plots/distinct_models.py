"""The distinct models that a bootstrap finds, and how often it finds each."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from caprese._core.arrays import IntArray
from caprese._core.words import percent
from caprese.errors import ParameterError
from caprese.plots.canvas.figures import Axes
from caprese.plots.canvas.labels import FONT, legible_names
from caprese.plots.canvas.palette import BLUE, INK, LINE, SOFT
from caprese.plots.curves import LABEL, label_axes

LEAST_SHOWN = 0.02
"""Share of the most frequent model below which bars are too low to be seen."""

_MOST_LABELS = 12


def draw_distinct_models(
    axes: Axes,
    shares: ArrayLike,
    labels: Sequence[str] | None = None,
    *,
    fitted: int | None = None,
) -> Axes:
    """Draw the share of replicates of each distinct model, and their cumulative share.

    Parameters
    ----------
    axes
        Where to draw.
    shares
        Share of the replicates for each model, the most frequent first.
    labels
        Names of the models; by default numbers from 1. If there are many, only some are shown.
    fitted
        The position of the fitted model, which is emphasised.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> axes = draw_distinct_models(Figure().subplots(), [0.4, 0.3, 0.1], fitted=1)
    >>> len(axes.patches)
    3
    """
    from matplotlib.patches import Patch

    heights = np.asarray(shares, dtype=np.float64)
    if fitted is not None and not 0 <= fitted < len(heights):
        raise ParameterError("fitted", f"one of {len(heights)} models", fitted)
    at = np.arange(1, len(heights) + 1)
    bars = axes.bar(at, heights, width=0.8, color=LINE)
    (line,) = axes.plot(at, heights.cumsum(), color=SOFT, linewidth=1.2)
    line.set(marker="o" if len(at) <= _MOST_LABELS else "", markersize=3)
    shown = [Patch(color=LINE, label="share of each model"), line]
    line.set_label("cumulative share")
    if fitted is not None:
        bars[fitted].set(facecolor=BLUE, hatch="////", edgecolor=INK)
        shown.insert(
            1, Patch(facecolor=BLUE, hatch="////", edgecolor=INK, label="the fitted model")
        )
    axes.set_ylim(0, 1.02)
    label_axes(axes, "models, the most frequent first", "share of replicates")
    _label_bars(axes, at, labels)
    if heights.max() < LEAST_SHOWN:
        words = f"no model has more than {percent(float(heights.max()), 1)} of the replicates"
        text = axes.text(0.5, 0.5, words, family=FONT, size=LABEL, color=INK, ha="center")
        text.set_transform(axes.transAxes)
    axes.legend(handles=shown, frameon=False, prop={"family": FONT, "size": LABEL})
    return axes


def _label_bars(axes: Axes, at: IntArray, labels: Sequence[str] | None) -> None:
    """Label as many bars as there is space for; names are slanted, numbers are not."""
    step = -(-len(at) // _MOST_LABELS)
    names = [str(number) for number in at] if labels is None else legible_names(labels, 24)
    axes.set_xticks(at[::step], names[::step], parse_math=False)
    if labels is not None:
        axes.tick_params(axis="x", rotation=30)
        for text in axes.get_xticklabels():
            text.set(horizontalalignment="right", rotation_mode="anchor")
