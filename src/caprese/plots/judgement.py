"""The gains of a judgement: how much better than independent events each method predicts."""

from typing import Any

import numpy as np

from caprese._core.significance import SIGNIFICANT
from caprese.assessment.judgement import Judgement
from caprese.plots.canvas.figures import Axes, Figure
from caprese.plots.canvas.labels import legible_names
from caprese.plots.canvas.palette import BLUE, INK, LINE, SOFT, VERMILION
from caprese.plots.curves import TEXT, label_axes, transparent_panels

_ROW, _FRAME = 0.34, 0.95  # inches: of a method, and of the axis with its labels
_WIDTH = 6.4


def draw_judgement(axes: Axes, judgement: Judgement) -> Axes:
    """Draw the gain of each method over independent events, with its interval.

    The interval is adjusted for the number of methods: one that does not hold 0 is a gain, or a
    loss, beyond chance. The best method is on top. A gain of minus infinity has only its name.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from caprese import Caprese, datasets, judge
    >>> found = judge([Caprese()], datasets.acml(), folds=4)
    >>> [text.get_text() for text in draw_judgement(Figure().subplots(), found).get_yticklabels()]
    ['caprese']
    """
    ranked = [k for k in np.argsort(judgement.scores, kind="stable") if k != judgement.reference]
    names = legible_names([judgement.methods[k] for k in ranked], 40)
    axes.axvline(0, color=LINE, linewidth=1)
    for row, place in enumerate(ranked):
        gain = judgement.gains[place]
        if not np.isfinite(gain.mean):
            axes.text(
                0.02,
                row,
                "calls some samples impossible",
                transform=axes.get_yaxis_transform(),
                va="center",
                color=VERMILION,
                **TEXT,
            )
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
    label_axes(axes, f"gain over independent events, nats per sample ({share})", "")
    axes.tick_params(axis="y", length=0, labelcolor=INK)
    axes.spines["left"].set_visible(False)
    return axes


def judgement_figure(judgement: Judgement) -> Figure:
    """Return a figure of the gains over independent events, high enough for all methods.

    Examples
    --------
    >>> from caprese import Caprese, datasets, judge
    >>> figure = judgement_figure(judge([Caprese()], datasets.acml(), folds=4))
    """
    rows = max(1, len(judgement.methods) - 1)
    figure, (axes,) = transparent_panels(_WIDTH, [_FRAME + _ROW * rows])
    draw_judgement(axes, judgement)
    return figure
