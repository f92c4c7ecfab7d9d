"""The canvas: axes measured in points, downwards from the upper left corner."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np

from caprese._core.arrays import FloatArray
from caprese.plots.canvas.figures import Axes, Figure
from caprese.plots.canvas.labels import FONT
from caprese.plots.canvas.palette import BLUE, INK, PALE, PAPER

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.font_manager import FontProperties
    from matplotlib.transforms import BboxBase

Point = tuple[float, float]
Align = Literal["left", "center", "right"]
LineStyle = Literal["solid", "dashed", "dotted"]

_DASHES: dict[LineStyle, tuple[float, tuple[float, ...]]] = {
    "solid": (0, ()),
    "dashed": (0, (3.2, 2.0)),
    "dotted": (0, (1.0, 1.6)),
}
_HALF_CAPITAL = 0.365  # half the height of a capital letter, in font sizes
_ROUNDING = 3.0
_PIXELS, _MOST_PIXELS = 2000, 8  # of an image along its longer side, and of a cell


@dataclass(frozen=True)
class Canvas:
    """Axes to draw on in points."""

    axes: Axes
    scale: float  # the printed size of a point of the canvas; fonts and lines are scaled too
    frame: "BboxBase"  # beyond which only text is drawn

    @classmethod
    def on(cls, axes: Axes, width: float, height: float) -> "Canvas":
        """Return a canvas of this size in the middle of axes, scaled down if it does not fit."""
        from matplotlib.transforms import Bbox, TransformedBbox

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
        from caprese.plots.canvas.artists import Label

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
        from matplotlib.patches import BoxStyle

        from caprese.plots.canvas.artists import Box

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
        from matplotlib.path import Path

        from caprese.plots.canvas.artists import Curve

        codes = [Path.MOVETO] + [Path.CURVE4] * (len(points) - 1)
        line = Curve(
            Path(points, codes),
            fill=False,
            edgecolor=colour,
            linewidth=width * self.scale,
            linestyle=_DASHES[style],
            capstyle="butt",
            zorder=1,
        )
        self._add(line)

    def line(self, start: Point, end: Point, *, width: float, colour: str = INK) -> None:
        """Draw a straight line, over boxes and images."""
        from caprese.plots.canvas.artists import Line

        line = Line(
            *zip(start, end, strict=True),
            color=colour,
            linewidth=width * self.scale,
            solid_capstyle="butt",
            zorder=2,
        )
        self._add(line)

    def dots(
        self, places: Sequence[Point], diameter: float, *, marker: str, fill: str, outline: str
    ) -> None:
        """Draw many small symbols, given their middles."""
        from matplotlib.markers import MarkerStyle
        from matplotlib.transforms import IdentityTransform

        from caprese.plots.canvas.artists import Dots

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
        for row in range(1, rows):
            y = top + row * high
            self.line((left, y), (right, y), colour=PAPER, width=width)
        for column in range(1, columns):
            x = left + column * wide
            self.line((x, top), (x, bottom), colour=PAPER, width=width)

    def wedge(self, tip: FloatArray, base: FloatArray, *, width: float, colour: str = INK) -> None:
        """Draw a triangle from the middle of its base, which has this width, to its tip."""
        from caprese.plots.canvas.artists import Wedge

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

    def _add(self, artist: "Artist") -> None:
        """Add what was drawn. The limits of the canvas do not depend on it, so none are updated."""
        artist.set_clip_box(self.frame)
        self.axes.add_artist(artist)


class Picture(Protocol):
    """The plan of a picture: its width and height in points, and how it is drawn."""

    @property
    def extent(self) -> Point:
        """Width and height of the whole."""

    def draw(self, canvas: Canvas) -> None:
        """Draw it on a canvas of this size."""


def draw_on(axes: Axes, picture: Picture) -> Axes:
    """Draw a picture in the middle of axes, and return these."""
    picture.draw(Canvas.on(axes, *picture.extent))
    return axes


def figure_of(picture: Picture) -> Figure:
    """Return a figure of a picture, in the size it needs."""
    figure, axes = new_figure(picture.extent)
    draw_on(axes, picture)
    return figure


def new_figure(extent: Point) -> tuple[Figure, Axes]:
    """Return a figure of this width and height in points, and axes that fill it."""
    from matplotlib.figure import Figure

    width, height = extent
    figure = Figure(figsize=(width / 72, height / 72))
    return figure, figure.add_axes((0, 0, 1, 1))


@cache
def _font(size: float, *, bold: bool) -> "FontProperties":
    from matplotlib.font_manager import FontProperties

    return FontProperties(family=FONT, size=size, weight="bold" if bold else "normal")
