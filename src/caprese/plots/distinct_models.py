"""How spread out a bootstrap is, and how a shrinkage was chosen."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from caprese._core.arrays import IntArray
from caprese.fitting.shrinkage_choice import ShrinkageChoice
from caprese.plots.canvas.lettering import FONT, legible_names
from caprese.plots.canvas.palette import BLUE, INK, LINE, SOFT, VERMILION

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_LABELS = 12
_SIZE = 8.0


def draw_distinct_models(
    axes: "Axes",
    shares: ArrayLike,
    labels: Sequence[str] | None = None,
    *,
    fitted: int | None = None,
) -> "Axes":
    """Draw how often each different model came back, and how much they make up together.

    Parameters
    ----------
    axes
        Where to draw.
    shares
        Share of the replicates for each model, the most frequent first.
    labels
        What each is called; numbered from 1 if left out. Of many, only some are written.
    fitted
        Which of them is the one in question.

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
        raise ValueError(f"fitted must be one of {len(heights)} models, got {fitted}")
    at = np.arange(1, len(heights) + 1)
    bars = axes.bar(at, heights, width=0.8, color=LINE)
    (line,) = axes.plot(at, heights.cumsum(), color=SOFT, linewidth=1.2)
    line.set(marker="o" if len(at) <= _MOST_LABELS else "", markersize=3)
    shown = [Patch(color=LINE, label="each model"), line]
    line.set_label("it and all before")
    if fitted is not None:
        bars[fitted].set(facecolor=BLUE, hatch="////", edgecolor=INK)
        shown.insert(1, Patch(facecolor=BLUE, hatch="////", edgecolor=INK, label="the fitted one"))
    axes.set_ylim(0, 1.02)
    _name_axes(axes, "models, the most frequent first", "share of replicates")
    _name_bars(axes, at, labels)
    axes.legend(handles=shown, frameon=False, prop={"family": FONT, "size": _SIZE})
    return axes


def draw_shrinkage_choice(axes: "Axes", choice: ShrinkageChoice) -> "Axes":
    """Draw how well each shrinkage found the simulated forest again, the chosen one marked.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from caprese.models.noise import Noise
    >>> choice = ShrinkageChoice(0.5, [0.01, 0.5], [3.0, 2.0], Noise(), 200)
    >>> draw_shrinkage_choice(Figure().subplots(), choice).texts[0].get_text()
    'chosen: 0.5'
    """
    chosen = float(choice.distance[np.argmin(np.abs(choice.grid - choice.shrinkage))])
    axes.plot(choice.grid, choice.distance, color=SOFT, linewidth=1.2, marker="o", markersize=3)
    axes.axvline(choice.shrinkage, color=VERMILION, linewidth=1, linestyle="dashed", zorder=0)
    axes.plot([choice.shrinkage], [chosen], color=VERMILION, marker="D", markersize=7)
    right = choice.shrinkage > choice.grid.mean()
    axes.annotate(
        f"chosen: {choice.shrinkage:g}",
        (choice.shrinkage, 0.97),
        xycoords=("data", "axes fraction"),
        xytext=(-6 if right else 6, 0),
        textcoords="offset points",
        ha="right" if right else "left",
        va="top",
        color=VERMILION,
        fontfamily=FONT,
        fontsize=_SIZE,
    )
    room = float(np.ptp(choice.distance)) or 1.0
    axes.set_ylim(choice.distance.min() - 0.1 * room, choice.distance.max() + 0.25 * room)
    up = f"tree edit distance\n(mean of {choice.replicates} simulated data sets)"
    _name_axes(axes, "shrinkage", up)
    return axes


def _name_axes(axes: "Axes", across: str, up: str) -> None:
    axes.set_xlabel(across, fontfamily=FONT, fontsize=_SIZE)
    axes.set_ylabel(up, fontfamily=FONT, fontsize=_SIZE)
    axes.tick_params(labelsize=_SIZE, labelfontfamily=FONT)
    axes.spines[["top", "right"]].set_visible(False)


def _name_bars(axes: "Axes", at: IntArray, labels: Sequence[str] | None) -> None:
    """Write as many names under the bars as there is room for, slanted unless they are numbers."""
    step = -(-len(at) // _MOST_LABELS)
    names = [str(number) for number in at] if labels is None else legible_names(labels, 24)
    axes.set_xticks(at[::step], names[::step], parse_math=False)
    if labels is not None:
        axes.tick_params(axis="x", rotation=30)
        for text in axes.get_xticklabels():
            text.set(horizontalalignment="right", rotation_mode="anchor")
