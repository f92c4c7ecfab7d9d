"""Curves with intervals, and surfaces: the figures of the studies."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, told apart by colour-blind eyes too; markers tell them apart in print.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def draw_curves(
    axes: "Axes",
    curves: Sequence[tuple[str, ArrayLike, ArrayLike, ArrayLike]],
    *,
    across: str,
    up: str,
    legend: bool = True,
) -> "Axes":
    """Draw curves of means with 95 % intervals.

    Parameters
    ----------
    curves
        For each its name, where it is known, the means, and their standard errors.
    across, up
        What the axes show.
    legend
        Whether the axes say which curve is which; panels side by side can share what
        `share_legend` says.
    """
    for number, (name, x, mean, error) in enumerate(curves):
        axes.errorbar(
            np.asarray(x),
            np.asarray(mean),
            yerr=1.96 * np.asarray(error),
            label=name,
            color=COLOURS[number % len(COLOURS)],
            marker=MARKERS[number % len(MARKERS)],
            markersize=4,
            linewidth=1.5,
            capsize=2,
        )
    axes.axhline(0, color="none")  # so that panels that share the axis all start at 0
    axes.set_xlabel(across)
    axes.set_ylabel(f"{up}\n(mean, 95 % interval)")
    axes.spines[["top", "right"]].set_visible(False)
    if legend:
        axes.legend(frameon=False)
    return axes


def share_legend(panels: Sequence["Axes"]) -> None:
    """Say once, below the figure, which curve is which in all panels of a row."""
    curves, names = panels[0].get_legend_handles_labels()
    figure = panels[0].figure
    figure.legend(curves, names, loc="outside lower center", ncols=len(names), frameon=False)
    for axes in panels[1:]:
        axes.set_ylabel("")


def draw_surface(
    axes: "Axes", x: ArrayLike, y: ArrayLike, height: ArrayLike, *, across: str, up: str, title: str
) -> Any:
    """Draw heights over a grid as colours, the least of each row marked; return the image."""
    across_values, up_values, heights = np.asarray(x), np.asarray(y), np.asarray(height)
    image = axes.pcolormesh(across_values, up_values, heights, cmap="viridis", shading="nearest")
    least = heights.argmin(axis=1)
    axes.plot(across_values[least], up_values, "w*", markersize=8, markeredgecolor="black")
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.set_title(title)
    return image


def draw_bars(
    axes: "Axes", names: Sequence[str], groups: Sequence[str], share: ArrayLike, *, up: str
) -> "Axes":
    """Draw groups of bars, a bar for each name."""
    heights = np.asarray(share)
    width = 0.8 / len(names)
    at = np.arange(len(groups))
    for number, name in enumerate(names):
        axes.bar(at + number * width, heights[:, number], width, label=name, color=COLOURS[number])
    axes.set_xticks(at + 0.4 - width / 2, groups)
    axes.set_ylabel(up)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    return axes
