"""Curves and bars on ordinary axes: of studies, choices, judgements, and what bootstraps find."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from caprese._core.arrays import IntArray
from caprese._core.significance import SIGNIFICANT, standard_errors
from caprese._core.words import percent
from caprese.assessment.judgement import Judgement
from caprese.errors import ParameterError
from caprese.fitting.shrinkage_choice import ShrinkageChoice
from caprese.plots.canvas import FONT
from caprese.plots.canvas.figures import Axes, Figure
from caprese.plots.canvas.labels import legible_names
from caprese.plots.canvas.palette import BLUE, INK, LINE, SOFT, VERMILION

# Okabe and Ito's colours, distinct for colour-blind readers too; in print the markers differ.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

LABEL = 8.0  # font size
TEXT: Any = {"fontfamily": FONT, "fontsize": LABEL}

LEAST_SHOWN = 0.02
"""Share of the most frequent model below which bars are too low to be seen."""

_MOST_LABELS = 12
_ROW, _FRAME = 0.34, 0.95  # inches: of a method, and of the axis with its labels
_WIDTH = 6.4


def draw_curves(
    axes: Axes,
    curves: Sequence[tuple[str, ArrayLike, ArrayLike, ArrayLike]],
    *,
    xlabel: str,
    ylabel: str,
    legend: bool = True,
) -> Axes:
    """Draw curves of means with 95 % intervals.

    Each has a name, x values, means, and their standard errors. Panels in a row can have a legend
    in common; see `share_legend`.
    """
    for number, (name, x, mean, error) in enumerate(curves):
        axes.errorbar(
            np.asarray(x),
            np.asarray(mean),
            yerr=standard_errors() * np.asarray(error),
            label=name,
            color=COLOURS[number % len(COLOURS)],
            marker=MARKERS[number % len(MARKERS)],
            markersize=4,
            linewidth=1.5,
            capsize=2,
        )
    axes.axhline(0, color="none")  # so that panels that share the axis all start at 0
    axes.set(xlabel=xlabel, ylabel=f"{ylabel}\n(mean, 95 % interval)")
    axes.spines[["top", "right"]].set_visible(False)
    if legend:
        axes.legend(frameon=False)
    return axes


def share_legend(panels: Sequence[Axes]) -> None:
    """Add one legend below the figure for all panels of a row, which show the same curves."""
    curves, names = panels[0].get_legend_handles_labels()
    figure = panels[0].figure
    figure.legend(curves, names, loc="outside lower center", ncols=len(names), frameon=False)
    for axes in panels[1:]:
        axes.set_ylabel("")


def draw_surface(
    axes: Axes,
    x: ArrayLike,
    y: ArrayLike,
    values: ArrayLike,
    *,
    xlabel: str,
    ylabel: str,
    title: str,
) -> Any:
    """Draw values over a grid as colours, the minimum of each row marked; return the image."""
    columns, rows, grid = np.asarray(x), np.asarray(y), np.asarray(values)
    image = axes.pcolormesh(columns, rows, grid, cmap="viridis", shading="nearest")
    axes.plot(columns[grid.argmin(axis=1)], rows, "w*", markersize=8, markeredgecolor="black")
    axes.set(xlabel=xlabel, ylabel=ylabel, title=title)
    return image


def draw_bars(
    axes: Axes, names: Sequence[str], groups: Sequence[str], values: ArrayLike, *, ylabel: str
) -> Axes:
    """Draw groups of bars, in each group one bar for each name."""
    heights = np.asarray(values)
    width = 0.8 / len(names)
    at = np.arange(len(groups))
    for number, name in enumerate(names):
        axes.bar(at + number * width, heights[:, number], width, label=name, color=COLOURS[number])
    axes.set_xticks(at + 0.4 - width / 2, groups)
    axes.set_ylabel(ylabel)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    return axes


def draw_shrinkage_choice(axes: Axes, choice: ShrinkageChoice) -> Axes:
    """Draw the mean distance to the simulated forests for each shrinkage, the chosen one marked.

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
        **TEXT,
    )
    room = float(np.ptp(choice.distance)) or 1.0
    axes.set_ylim(choice.distance.min() - 0.1 * room, choice.distance.max() + 0.25 * room)
    ylabel = f"tree edit distance\n(mean of {choice.replicates} simulated data sets)"
    label_axes(axes, "shrinkage", ylabel)
    return axes


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
    (line,) = axes.plot(at, heights.cumsum(), color=SOFT, linewidth=1.2, label="cumulative share")
    line.set(marker="o" if len(at) <= _MOST_LABELS else "", markersize=3)
    shown = [Patch(color=LINE, label="share of each model"), line]
    if fitted is not None:
        emphasis: Any = {"facecolor": BLUE, "hatch": "////", "edgecolor": INK}
        bars[fitted].set(**emphasis)
        shown.insert(1, Patch(**emphasis, label="the fitted model"))
    axes.set_ylim(0, 1.02)
    label_axes(axes, "models, the most frequent first", "share of replicates")
    _label_bars(axes, at, labels)
    if heights.max() < LEAST_SHOWN:  # on this scale nothing could be seen
        words = f"no model has more than {percent(float(heights.max()), 1)} of the replicates"
        axes.text(0.5, 0.94, words, color=INK, ha="center", transform=axes.transAxes, **TEXT)
        axes.set_ylim(0, 1.6 * heights.max())
        line.remove()
        shown.remove(line)
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


def draw_judgement(axes: Axes, judgement: Judgement) -> Axes:
    """Draw the gains over independent events on axes, and return these; see `judgement_figure`."""
    ranked = [k for k in np.argsort(judgement.scores, kind="stable") if k != judgement.reference]
    names = legible_names([judgement.methods[k] for k in ranked], 40)
    axes.axvline(0, color=LINE, linewidth=1)
    for row, place in enumerate(ranked):
        gain = judgement.gains[place]
        if not np.isfinite(gain.mean):
            at: Any = {"transform": axes.get_yaxis_transform(), "va": "center"}
            axes.text(0.02, row, "calls some samples impossible", color=VERMILION, **at, **TEXT)
            continue
        width = judgement.errors * gain.error if np.isfinite(gain.error) else 0.0
        sure = gain.mean > width
        colour = BLUE if sure else VERMILION if gain.mean < -width else SOFT
        style: Any = {"color": colour, "capsize": 3, "linewidth": 1.4, "markersize": 6}
        fill = colour if sure else "white"
        axes.errorbar(gain.mean, row, xerr=width, fmt="o", markerfacecolor=fill, **style)
    axes.set_yticks(range(len(ranked)), names, parse_math=False)
    axes.set_ylim(-0.6, len(ranked) - 0.4)
    share = f"{100 * (1 - SIGNIFICANT / max(1, len(ranked))):.3g} % interval"
    label_axes(axes, f"how much better than independent events ({share})", "")
    axes.tick_params(axis="y", length=0, labelcolor=INK)
    axes.spines["left"].set_visible(False)
    return axes


def judgement_figure(judgement: Judgement) -> Figure:
    """Return a figure of the gain of each method over independent events, with its interval.

    The interval is adjusted for the number of methods: one that does not hold 0 is a gain, or a
    loss, beyond chance. The best method is on top. A gain of minus infinity has only its name.

    Examples
    --------
    >>> from caprese import Caprese, datasets, judge
    >>> figure = judgement_figure(judge([Caprese()], datasets.acml(), folds=4))
    >>> [text.get_text() for text in figure.axes[0].get_yticklabels()]
    ['caprese']
    """
    rows = max(1, len(judgement.methods) - 1)
    figure, (axes,) = transparent_panels(_WIDTH, [_FRAME + _ROW * rows])
    draw_judgement(axes, judgement)
    return figure


def label_axes(axes: Axes, xlabel: str, ylabel: str) -> None:
    """Label axes in the font of all pictures, and hide the upper and right borders."""
    axes.set_xlabel(xlabel, **TEXT)
    axes.set_ylabel(ylabel, **TEXT)
    axes.tick_params(labelsize=LABEL, labelfontfamily=FONT)
    axes.spines[["top", "right"]].set_visible(False)


def transparent_panels(width: float, heights: Sequence[float]) -> tuple[Figure, list[Axes]]:
    """Return a figure without a background, of this size in inches, and its axes from the top."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, sum(heights)), layout="constrained")
    figure.patch.set_visible(False)
    panels = figure.subplots(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0]
    for axes in panels:
        axes.patch.set_visible(False)
    return figure, list(panels)
