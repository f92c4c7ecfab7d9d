"""The pen: marks on a sheet that is measured in points, downwards from its upper left corner."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from caprese._core.arrays import FloatArray
from caprese.plots.canvas.lettering import FONT
from caprese.plots.canvas.palette import INK, PAPER

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

Align = Literal["left", "center", "right"]
Stroke = Literal["solid", "dashed", "dotted"]

_STROKES: dict[Stroke, tuple[float, tuple[float, ...]]] = {
    "solid": (0, ()),
    "dashed": (0, (3.2, 2.0)),
    "dotted": (0, (1.0, 1.6)),
}
_CAPITALS = 0.365  # half the height of capitals, in sizes of the letters
_ROUNDING = 3.0


@dataclass(frozen=True)
class Pen:
    """Draws on axes that were made a sheet of paper.

    Parameters
    ----------
    axes
        The sheet.
    scale
        How large a point of the sheet is on paper; letters and lines follow it.

    Examples
    --------
    >>> figure, axes = sheet((100.0, 50.0))
    >>> Pen.on(axes, 100.0, 50.0).text((50.0, 25.0), "$8q+$", 9.0)
    >>> axes.texts[0].get_text()
    '$8q+$'
    """

    axes: "Axes"
    scale: float

    @classmethod
    def on(cls, axes: "Axes", width: float, height: float) -> "Pen":
        """Make the axes a sheet of this size, in their middle; smaller if they have no room for it.

        Examples
        --------
        >>> from matplotlib.figure import Figure
        >>> axes = Figure(figsize=(1, 1)).add_axes((0, 0, 1, 1))
        >>> Pen.on(axes, 144, 50).scale
        0.5
        """
        frame = axes.get_window_extent()
        wide, high = (72 * side / axes.figure.dpi for side in (frame.width, frame.height))
        scale = float(min(1.0, wide / width, high / height))
        across, down = wide / scale / 2, high / scale / 2
        axes.set_xlim(width / 2 - across, width / 2 + across)
        axes.set_ylim(height / 2 + down, height / 2 - down)
        axes.set_axis_off()
        return cls(axes, scale)

    def text(
        self,
        place: tuple[float, float],
        text: str,
        size: float,
        *,
        colour: str = INK,
        align: Align = "center",
        bold: bool = False,
        upright: bool = False,
    ) -> None:
        """Write a line as it is, or upright; the place is the middle of its height."""
        down = _CAPITALS * size
        self.axes.text(
            place[0] + (down if upright else 0),
            place[1] + (0 if upright else down),
            text,
            fontsize=size * self.scale,
            fontfamily=FONT,
            fontweight="bold" if bold else "normal",
            color=colour,
            horizontalalignment=align,
            verticalalignment="baseline",
            rotation=90 if upright else 0,
            rotation_mode="anchor",
            parse_math=False,
            usetex=False,
            zorder=5,
        )

    def box(
        self,
        corner: tuple[float, float],
        size: tuple[float, float],
        *,
        face: str = PAPER,
        line: str = "none",
        stroke: Stroke = "solid",
        width: float = 0.8,
        rounding: float = _ROUNDING,
        level: float = 3,
    ) -> None:
        """Draw a box with rounded corners; `corner` is its upper left one."""
        from matplotlib.patches import FancyBboxPatch

        style = f"round,pad=0,rounding_size={min(rounding, *(side / 2 for side in size))}"
        box = FancyBboxPatch(
            corner,
            *size,
            boxstyle=style,
            facecolor=face,
            edgecolor=line,
            linewidth=width * self.scale,
            linestyle=_STROKES[stroke],
        )
        self._add(box, level)

    def curve(
        self, points: FloatArray, *, width: float, colour: str = INK, stroke: Stroke = "solid"
    ) -> None:
        """Draw a piecewise cubic curve given by its control points."""
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        codes = [Path.MOVETO] + [Path.CURVE4] * (len(points) - 1)
        line = PathPatch(
            Path(points, codes),
            fill=False,
            edgecolor=colour,
            linewidth=width * self.scale,
            linestyle=_STROKES[stroke],
            capstyle="butt",
        )
        self._add(line, 1)

    def line(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        *,
        width: float,
        colour: str = INK,
    ) -> None:
        """Draw a straight line, over what is there."""
        self.axes.plot(
            *zip(start, end, strict=True),
            color=colour,
            linewidth=width * self.scale,
            solid_capstyle="butt",
            zorder=2,
            scalex=False,
            scaley=False,
        )

    def grid(
        self,
        corner: tuple[float, float],
        cell: tuple[float, float],
        shape: tuple[int, int],
        *,
        width: float,
    ) -> None:
        """Draw white lines between rows and columns of cells."""
        (left, top), (wide, high), (rows, columns) = corner, cell, shape
        right, bottom = left + wide * columns, top + high * rows
        for row in range(1, rows):
            y = top + row * high
            self.line((left, y), (right, y), colour=PAPER, width=width)
        for column in range(1, columns):
            x = left + column * wide
            self.line((x, top), (x, bottom), colour=PAPER, width=width)

    def wedge(self, tip: FloatArray, start: FloatArray, *, width: float, colour: str = INK) -> None:
        """Draw a triangle that is so wide where it starts: an arrowhead."""
        from matplotlib.patches import Polygon

        way = (tip - start) / np.hypot(*(tip - start))
        aside = width / 2 * way[::-1] * np.array([1, -1])
        corners = np.array([tip, start + aside, start - aside])
        self._add(Polygon(corners, facecolor=colour, edgecolor="none"), 2)

    def image(
        self, colours: FloatArray, corner: tuple[float, float], size: tuple[float, float]
    ) -> None:
        """Draw rows and columns of colours; `corner` is the upper left one."""
        (left, top), (wide, high) = corner, size
        self.axes.imshow(
            colours,
            extent=(left, left + wide, top + high, top),
            aspect="auto",
            interpolation="nearest",
            zorder=1,
        )

    def _add(self, patch: "Patch", level: float) -> None:
        patch.set_zorder(level)
        self.axes.add_patch(patch)


def sheet(extent: tuple[float, float]) -> "tuple[Figure, Axes]":
    """Return a new figure of this size, and axes that fill it.

    Examples
    --------
    >>> figure, axes = sheet((144.0, 72.0))
    >>> figure.get_size_inches()
    array([2., 1.])
    """
    from matplotlib.figure import Figure

    width, height = extent
    figure = Figure(figsize=(width / 72, height / 72))
    return figure, figure.add_axes((0, 0, 1, 1))
