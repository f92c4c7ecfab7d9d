"""Kaplan-Meier curves of groups of samples, with the numbers at risk below them."""

from typing import Any

import numpy as np

from caprese.patients.survival import Curve, Survival
from caprese.plots.canvas import FONT
from caprese.plots.canvas.figures import Axes, Figure
from caprese.plots.canvas.labels import legible, legible_names, text_width
from caprese.plots.canvas.palette import BLUE, CATEGORIES, INK, LINE, SOFT
from caprese.plots.curves import LABEL, TEXT, label_axes, transparent_panels

# Without the yellow, which is too pale for a line; in print the dashes differ.
_COLOURS = (BLUE, *CATEGORIES[:4], CATEGORIES[5])
_DASHES = ("solid", "dashed", "dashdot", (0, (1, 1)), (0, (6, 1.5)), (0, (3, 1, 1, 1, 1, 1)))
_LONGEST = 28  # characters of the name of a group
_HANDLE = 52.0  # points of the line in the legend, and the space around it
_PAD = 2.0  # points between a name and the number beside it
_WIDTH, _HEIGHT = 6.4, 3.4  # inches: of the figure, and of the curves with legend and labels
_HEADING, _ROW = 0.3, 0.19  # inches: of the title of the numbers at risk, and of each line


def draw_survival(axes: Axes, survival: Survival) -> Axes:
    """Draw a Kaplan-Meier curve for each group on axes, and return these; see `survival_figure`."""
    lines = []
    faint = 0.14 if len(survival.curves) < 4 else 0.07
    for k, curve in enumerate(survival.curves):
        colour = _COLOURS[k % len(_COLOURS)]
        band: Any = {"step": "post", "color": colour, "alpha": faint, "linewidth": 0}
        axes.fill_between(curve.times, curve.low, curve.high, **band)
        (line,) = axes.step(curve.times, curve.survival, where="post", color=colour, linewidth=1.5)
        line.set(linestyle=_DASHES[k % len(_DASHES)])
        _mark_censored(axes, curve, colour)
        lines.append(line)
    axes.axhline(0.5, color=LINE, linewidth=0.6, zorder=0)
    axes.set_ylim(-0.02, 1.04)
    _share_times(axes, survival)
    label_axes(axes, legible(survival.time), "share surviving")
    axes.xaxis.label.set_parse_math(False)
    _add_legend(axes, survival, lines)
    return axes


def draw_at_risk(axes: Axes, survival: Survival) -> Axes:
    """Draw how many samples of each group are at risk, below curves that share the axis of time."""
    times = survival.round_times()
    names = legible_names([curve.group for curve in survival.curves], _LONGEST)
    for row, curve in enumerate(survival.curves):
        for time, count in zip(times, curve.at_risk(times), strict=True):
            axes.text(time, row, f"{count:,}", ha="center", va="center", color=INK, **TEXT)
    _share_times(axes, survival)
    axes.set_xticks([])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_yticks(range(len(names)), names, parse_math=False)
    widest = max(text_width(f"{curve.samples:,}", LABEL) for curve in survival.curves)
    axes.tick_params(axis="y", pad=_PAD + widest / 2, length=0, labelcolor=INK)
    axes.tick_params(axis="y", labelsize=LABEL, labelfontfamily=FONT)
    axes.set_title("number at risk", loc="left", color=SOFT, **TEXT)
    axes.spines[:].set_visible(False)
    return axes


def survival_figure(survival: Survival) -> Figure:
    """Return a figure of a Kaplan-Meier curve for each group, with the numbers at risk below.

    A curve has its 95 % band and a mark for each censoring. The legend is above the axes, with the
    p-value of the log-rank test.

    Examples
    --------
    >>> curve = Curve("all", [1.0], [True], [0.0, 1.0], [1.0, 0.0], [1, 0], [1, 0], 1.0, 1.0, 1.0)
    >>> figure = survival_figure(Survival("months", "status", "branch", (curve,), 0.0, 0, 1.0))
    >>> [axes.get_xlabel() for axes in figure.axes]
    ['months', '']
    """
    table = _HEADING + _ROW * len(survival.curves)
    figure, (curves, at_risk) = transparent_panels(_WIDTH, [_HEIGHT, table])
    draw_at_risk(at_risk, survival)
    draw_survival(curves, survival)
    return figure


def _mark_censored(axes: Axes, curve: Curve, colour: str) -> None:
    times = curve.durations[~curve.died]
    shares = curve.survival[np.searchsorted(curve.times, times, side="right") - 1]
    axes.plot(times, shares, linestyle="none", marker="|", markersize=6, color=colour)


def _share_times(axes: Axes, survival: Survival) -> None:
    """Give axes the range and ticks of time that curves and numbers have in common."""
    times = survival.round_times()
    longest = max(float(curve.durations[-1]) for curve in survival.curves) or 1.0
    axes.set_xlim(-0.03 * longest, 1.03 * longest)
    axes.set_xticks(times, [f"{time:g}" for time in times])


def _add_legend(axes: Axes, survival: Survival, lines: list[Any]) -> None:
    """Add a legend above the axes, in as many columns as fit."""
    names = legible_names([curve.group for curve in survival.curves], _LONGEST)
    column = _HANDLE + max(text_width(name, LABEL) for name in names)
    width = 72 * axes.get_window_extent().width / axes.figure.dpi
    legend = axes.legend(
        lines,
        [str(k) for k in range(len(names))],  # names come below: an underscore would hide them
        loc="lower left",
        bbox_to_anchor=(0, 1.0),
        borderaxespad=0.2,
        ncols=max(1, min(len(names), int(width // column))),
        frameon=False,
        handlelength=2.6,
        title=f"log-rank p = {survival.p_value:.2g}",
        alignment="left",
        prop={"family": FONT, "size": LABEL},
        title_fontproperties={"family": FONT, "size": LABEL},
    )
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set_parse_math(False)
        text.set_text(name)
