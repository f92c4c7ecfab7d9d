"""Panels: the form that most figures of studies have in common."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from caprese.plots.curves import draw_curves

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def row_of_panels(
    number: int, width: float, height: float = 3.5, **options: Any
) -> tuple["Figure", Any]:
    """Return a figure and its panels, side by side."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(1, number, **({"sharey": True} | options))


def draw_means(
    panels: Iterable["Axes"],
    table: "pd.DataFrame",
    by: tuple[str, str, str],
    *,
    title: str,
    **options: Any,
) -> None:
    """Draw means with their errors; `by` are the columns for the panels, the curves and x."""
    panel, curve, x = by
    for axes, (value, part) in zip(panels, table.groupby(panel, sort=False), strict=False):
        curves = [
            (name, rows[x], rows["mean"], rows["error"])
            for name, rows in part.groupby(curve, sort=False)
        ]
        draw_curves(axes, curves, **options)
        axes.set_title(title.format(value))
