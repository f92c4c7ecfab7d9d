"""What follows when events are blocked or slowed: probabilities and times, without and with."""

from typing import Any

import numpy as np

from caprese.patients.outlooks import Outlook, WhatIf
from caprese.plots.canvas import FONT
from caprese.plots.canvas.figures import Axes, Figure
from caprese.plots.canvas.labels import legible_names
from caprese.plots.canvas.palette import BLUE, INK, LINE, PALE, SOFT, VERMILION
from caprese.plots.curves import LABEL, TEXT, label_axes

_ROW, _FRAME, _WIDTHS = 0.3, 1.35, (0.0, 4.8, 7.2)  # inches; widths by the number of panels
_WIDE = 30  # times the shortest time, from which on the axis is logarithmic
_NOTHING = 1e-9


def what_if_figure(found: WhatIf) -> Figure:
    """Return a figure of outlooks: how probably, and how soon, without and with an intervention.

    Filled marks are with the intervention; what is delayed is vermilion, what comes sooner blue.

    Examples
    --------
    >>> from caprese import TimedPoset
    >>> from caprese.patients.what_if import rank_blocks
    >>> poset = TimedPoset(("a", "b", "c"), ((), (0,), ()), rates=(1.0, 3.0, 1.0))
    >>> figure = what_if_figure(rank_blocks(poset, "b"))
    >>> [text.get_text() for text in figure.axes[0].get_yticklabels()]
    ['a', 'c']
    """
    from matplotlib.figure import Figure

    panels, rows = 2 if found.timed else 1, len(found.outlooks)
    figure = Figure(figsize=(_WIDTHS[panels], _FRAME + _ROW * rows), layout="constrained")
    figure.patch.set_visible(False)
    first, *others = figure.subplots(1, panels, sharey=True, squeeze=False)[0]
    _draw_chances(first, found)
    for axes in others:
        _draw_times(axes, found)
    _label_rows(first, found)
    _add_legend(figure, found, columns=3 if found.timed else 2)
    return figure


def _draw_chances(axes: Axes, found: WhatIf) -> None:
    when = "before the next sample is taken" if found.timed else "when samples are taken"
    for row, each in enumerate(found.outlooks):
        if each.difference_interval:
            ends = np.clip(each.probability + np.array(each.difference_interval), 0.0, 1.0)
            _draw_band(axes, row, ends.tolist())
        _draw_pair(axes, row, each, (each.probability, each.probability_with), each.difference)
    axes.set_xlim(-0.03, 1.03)
    label_axes(axes, f"probability\n{when}", "")


def _draw_times(axes: Axes, found: WhatIf) -> None:
    times = np.array([(each.median_time, each.median_time_with) for each in found.outlooks])
    finite = times[np.isfinite(times) & (times > 0)]
    least, most = (finite.min(), finite.max()) if finite.size else (1.0, 1.0)
    wide = most / least > _WIDE
    edge = most * (2.0 if wide else 1.2)
    for row, each in enumerate(found.outlooks):
        if each.factor_interval:
            ends = np.array(each.factor_interval) * each.median_time
            _draw_band(axes, row, np.minimum(ends, edge).tolist())
        usual, changed = np.where(np.isinf(times[row]), edge, times[row]).tolist()
        _draw_pair(axes, row, each, (usual, changed), usual - changed)
    if wide:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_formatter("")
    else:
        axes.set_xlim(0, edge * 1.05)
    if np.isinf(times).any():
        place: Any = {"transform": axes.get_xaxis_transform(), "ha": "center", "va": "bottom"}
        axes.axvline(edge, color=LINE, linewidth=0.8, linestyle="dotted", zorder=0)
        axes.text(edge, 1.0, "never", color=SOFT, **place, **TEXT)
    label_axes(axes, "median time\nin mean times until a sample is taken", "")
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)


def _draw_band(axes: Axes, row: int, ends: list[float]) -> None:
    """Draw an interval behind a pair."""
    axes.plot(ends, [row, row], color=PALE, linewidth=9, solid_capstyle="butt", zorder=0)


def _draw_pair(
    axes: Axes, row: int, found: Outlook, pair: tuple[float, float], gain: float
) -> None:
    """Draw a line from a hollow mark to a filled one, coloured by what is gained."""
    colour = SOFT if abs(gain) < _NOTHING else BLUE if gain > 0 else VERMILION
    line = "dashed" if found.undetermined else "solid"
    usual, changed = pair
    axes.plot(pair, [row, row], color=colour, linewidth=1.4, linestyle=line, zorder=1)
    axes.plot([usual], [row], "o", markersize=6, color=colour, markerfacecolor="white")
    axes.plot([changed], [row], "o", markersize=6, color=colour)


def _label_rows(axes: Axes, found: WhatIf) -> None:
    first = found.outlooks[0]
    ranking = len({each.blocked for each in found.outlooks}) > 1
    names = [", ".join(each.blocked) if ranking else str(each.target) for each in found.outlooks]
    axes.set_yticks(range(len(names)), legible_names(names, 30), parse_math=False)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0, labelcolor=INK)
    goal = first.target if isinstance(first.target, str) else f"{first.target} events"
    changes = [*(f"{event} blocked" for event in first.blocked)]
    changes += [f"{event} at {factor:g} times its rate" for event, factor in first.slowed]
    title = f"{goal}, with one event blocked" if ranking else f"with {', '.join(changes)}"
    (shown,) = legible_names([title], 80)
    axes.set_title(shown, loc="left", color=INK, parse_math=False, **TEXT)


def _add_legend(figure: Figure, found: WhatIf, columns: int) -> None:
    from matplotlib.lines import Line2D

    mark: Any = {"marker": "o", "markersize": 6, "linestyle": "none"}
    entries = [
        Line2D([], [], color=SOFT, markerfacecolor="white", label="without", **mark),
        Line2D([], [], color=SOFT, label="with the intervention", **mark),
        Line2D([], [], color=VERMILION, label="later or less probable", **mark),
        Line2D([], [], color=BLUE, label="sooner or more probable", **mark),
    ]
    if found.undetermined:
        words = "direction not determined by these data"
        entries.append(Line2D([], [], color=SOFT, linestyle="dashed", linewidth=1.4, label=words))
    if found.replicates:
        entries.append(Line2D([], [], color=PALE, linewidth=9, label="90 % interval"))
    font: Any = {"family": FONT, "size": LABEL}
    below: Any = {"loc": "outside lower center", "frameon": False, "prop": font}
    figure.legend(handles=entries, ncols=columns, **below)
