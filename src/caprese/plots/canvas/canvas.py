"""The canvas: axes measured in points, downwards from the upper left corner.

It imports matplotlib, so it is itself imported only where something is drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.markers import MarkerStyle
from matplotlib.patches import BoxStyle, FancyBboxPatch, PathPatch, Polygon, Rectangle
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Bbox, BboxBase, IdentityTransform, TransformedBbox

from caprese._core.arrays import FloatArray
from caprese.plots.canvas import FONT, Align, LineStyle, Point, region_id
from caprese.plots.canvas.palette import BLUE, INK, PALE, PAPER

_DASHES: dict[LineStyle, tuple[float, tuple[float, ...]]] = {
    "solid": (0, ()),
    "dashed": (0, (3.2, 2.0)),
    "dotted": (0, (1.0, 1.6)),
}
_HALF_CAPITAL = 0.365  # half the height of a capital letter, in font sizes
_ROUNDING = 3.0
_PIXELS, _MOST_PIXELS = 2000, 8  # of an image along its longer side, and of a cell


class _Framed:
    """An artist that keeps its clip box when it is added to axes; theirs would be the same."""

    axes: Any

    def set_clip_path(self, path: Any, transform: Any = None) -> None:
        """Set the clip path, unless it is the frame of the axes."""
        if self.axes is None or path is not self.axes.patch:
            super().set_clip_path(path, transform)  # type: ignore[misc]


class Box(_Framed, FancyBboxPatch):
    """A box with rounded corners."""


class Region(_Framed, Rectangle):
    """The place of an event, which is not seen."""


class Curve(_Framed, PathPatch):
    """A curve."""


class Wedge(_Framed, Polygon):
    """A triangle."""


class Line(_Framed, Line2D):
    """A straight line."""


class Dots(_Framed, PathCollection):
    """Many small symbols."""


class Label(_Framed, Text):
    """A line of text."""


@dataclass(frozen=True)
class Canvas:
    """Axes to draw on in points."""

    axes: Axes
    scale: float  # the printed size of a point of the canvas; fonts and lines are scaled too
    frame: BboxBase  # beyond which only text is drawn

    @classmethod
    def on(cls, axes: Axes, width: float, height: float) -> "Canvas":
        """Return a canvas of this size in the middle of axes, scaled down if it does not fit."""
        frame = axes.get_window_extent()
        wide, high = (72 * side / axes.figure.dpi for side in (frame.width, frame.height))
        scale = float(min(1.0, wide / width, high / height))
        across, down = wide / scale / 2, high / scale / 2
        axes.set_xlim(width / 2 - across, width / 2 + across)
        axes.set_ylim(height / 2 + down, height / 2 - down)
        axes.set_axis_off()
        return cls(axes, scale, TransformedBbox(Bbox.unit(), axes.transAxes))

    def text(
        self,
        place: Point,
        text: str,
        size: float,
        *,
        colour: str = INK,
        align: Align = "center",
        bold: bool = False,
        upright: bool = False,
    ) -> None:
        """Draw one line of text, `upright` if rotated; `place` is at half its height."""
        down = _HALF_CAPITAL * size
        label = Label(
            place[0] + (down if upright else 0),
            place[1] + (0 if upright else down),
            text,
            fontproperties=_font(size * self.scale, bold=bold),
            color=colour,
            horizontalalignment=align,
            verticalalignment="baseline",
            rotation=90 if upright else 0,
            rotation_mode="anchor",
            parse_math=False,
            usetex=False,
            clip_on=False,
            zorder=5,
        )
        self._add(label)

    def box(
        self,
        corner: Point,
        size: Point,
        *,
        fill: str = PAPER,
        outline: str = "none",
        style: LineStyle = "solid",
        width: float = 0.8,
        rounding: float = _ROUNDING,
        zorder: float = 3,
    ) -> None:
        """Draw a box with rounded corners; `corner` is its upper left one."""
        radius = min(rounding, *(side / 2 for side in size))
        box = Box(
            corner,
            *size,
            boxstyle=BoxStyle.Round(pad=0, rounding_size=radius),
            facecolor=fill,
            edgecolor=outline,
            linewidth=width * self.scale,
            linestyle=_DASHES[style],
            zorder=zorder,
        )
        self._add(box)

    def region(self, event: str, corner: Point, size: Point) -> None:
        """Name the place of an event, invisibly: what shows a picture may mark it there."""
        none = "none"
        self._add(Region(corner, *size, fc=none, ec=none, zorder=9, gid=region_id(event)))

    def bar(self, start: Point, size: Point, share: float) -> None:
        """Draw a bar that is filled up to a share; `start` is the middle of its left end."""
        left, top = start[0], start[1] - size[1] / 2
        self.box((left, top), size, fill=PALE, rounding=0, zorder=4)
        if share > 0:
            full = (size[0] * min(share, 1.0), size[1])
            self.box((left, top), full, fill=BLUE, rounding=0, zorder=4.1)

    def curve(
        self, points: FloatArray, *, width: float, colour: str = INK, style: LineStyle = "solid"
    ) -> None:
        """Draw a piecewise cubic Bézier curve, given by its control points."""
        codes = [Path.MOVETO] + [Path.CURVE4] * (len(points) - 1)
        line = Curve(Path(points, codes), fill=False, edgecolor=colour, capstyle="butt", zorder=1)
        line.set(linewidth=width * self.scale, linestyle=_DASHES[style])
        self._add(line)

    def dots(
        self, places: Sequence[Point], diameter: float, *, marker: str, fill: str, outline: str
    ) -> None:
        """Draw many small symbols, given their middles."""
        if not places:
            return
        width, symbol = 0.18 * diameter, MarkerStyle(marker)
        dots = Dots(
            (symbol.get_path().transformed(symbol.get_transform()),),
            (((diameter - width) * self.scale) ** 2,),
            offsets=places,
            offset_transform=self.axes.transData,
            facecolors=fill,
            edgecolors=outline,
            linewidths=width * self.scale,
            zorder=4,
        )
        dots.set_transform(IdentityTransform())
        self._add(dots)

    def grid(self, corner: Point, cell: Point, shape: tuple[int, int], *, width: float) -> None:
        """Draw white lines between rows and columns of cells."""
        (left, top), (wide, high), (rows, columns) = corner, cell, shape
        right, bottom = left + wide * columns, top + high * rows
        lines = [((left, right), 2 * (top + row * high,)) for row in range(1, rows)]
        lines += [(2 * (left + column * wide,), (top, bottom)) for column in range(1, columns)]
        style: Any = {"color": PAPER, "linewidth": width * self.scale, "solid_capstyle": "butt"}
        for across, down in lines:
            self._add(Line(across, down, zorder=2, **style))

    def wedge(self, tip: FloatArray, base: FloatArray, *, width: float, colour: str = INK) -> None:
        """Draw a triangle from the middle of its base, which has this width, to its tip."""
        direction = (tip - base) / np.hypot(*(tip - base))
        aside = width / 2 * direction[::-1] * np.array([1, -1])
        corners = np.array([tip, base + aside, base - aside])
        self._add(Wedge(corners, facecolor=colour, edgecolor="none", zorder=2))

    def image(self, colours: FloatArray, corner: Point, size: Point) -> None:
        """Draw rows and columns of colours; `corner` is the upper left one.

        In SVG and PDF the image is enlarged where it is shown. So that it is sharp also where that
        blurs its pixels, a cell has several, unless there are very many cells.
        """
        (left, top), (wide, high) = corner, size
        enlarged = max(1, min(_MOST_PIXELS, _PIXELS // max(colours.shape[:2])))
        self.axes.imshow(
            np.kron((colours * 255).astype(np.uint8), np.ones((enlarged, enlarged, 1), np.uint8)),
            extent=(left, left + wide, top + high, top),
            aspect="auto",
            interpolation="none",
            zorder=1,
        )

    def _add(self, artist: Artist) -> None:
        """Add what was drawn. The limits of the canvas do not depend on it, so none are updated."""
        artist.set_clip_box(self.frame)
        self.axes.add_artist(artist)


@cache
def _font(size: float, *, bold: bool) -> FontProperties:
    return FontProperties(family=FONT, size=size, weight="bold" if bold else "normal")
