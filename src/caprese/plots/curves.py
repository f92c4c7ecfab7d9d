"""Curves, surfaces and bars on ordinary axes: the figures of studies, the choice of a shrinkage."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from caprese._core.significance import standard_errors
from caprese.fitting.shrinkage_choice import ShrinkageChoice
from caprese.plots.canvas.figures import Axes, Figure
from caprese.plots.canvas.labels import FONT
from caprese.plots.canvas.palette import SOFT, VERMILION

# Okabe and Ito's colours, distinct for colour-blind readers too; in print the markers differ.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

LABEL = 8.0  # font size
TEXT: Any = {"fontfamily": FONT, "fontsize": LABEL}


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
    axes.set_xlabel(xlabel)
    axes.set_ylabel(f"{ylabel}\n(mean, 95 % interval)")
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
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    axes.set_title(title)
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
