"""The artists of a canvas: those of matplotlib, without work that is the same for all of them."""

from math import cos, radians, sin
from typing import Any

from matplotlib.collections import PathCollection
from matplotlib.lines import Line2D
from matplotlib.patches import FancyBboxPatch, PathPatch, Polygon
from matplotlib.text import Text

_SHARES = {"left": 0.0, "center": 0.5, "right": 1.0}  # of a text that are before its place


class _Framed:
    """An artist that keeps its clip box when it is added to axes; theirs would be the same."""

    axes: Any

    def set_clip_path(self, path: Any, transform: Any = None) -> None:
        """Set the clip path, unless it is the frame of the axes."""
        if self.axes is None or path is not self.axes.patch:
            super().set_clip_path(path, transform)  # type: ignore[misc]


class Box(_Framed, FancyBboxPatch):
    """A box with rounded corners."""


class Curve(_Framed, PathPatch):
    """A curve."""


class Wedge(_Framed, Polygon):
    """A triangle."""


class Line(_Framed, Line2D):
    """A straight line."""


class Dots(_Framed, PathCollection):
    """Many small symbols."""


class Label(_Framed, Text):
    """A line of text, on its baseline."""

    def draw(self, renderer: Any) -> None:
        """Draw the text; matplotlib's layout of several lines is used only where it is needed."""
        text = self.get_text()
        if not self._is_plain():
            super().draw(renderer)
        elif text and self.get_visible():
            renderer.open_group("text", self.get_gid())
            self._draw_line(renderer, text)
            renderer.close_group("text")
            self.stale = False

    def _is_plain(self) -> bool:
        """Whether it is as a canvas makes it; users may change it."""
        return (
            self.get_verticalalignment() == "baseline"
            and self.get_rotation_mode() == "anchor"
            and "\n" not in self.get_text()
            and not (self.get_parse_math() or self.get_usetex() or self.get_wrap())
            and not (self.get_clip_on() or self.get_path_effects() or self.get_bbox_patch())
        )

    def _draw_line(self, renderer: Any, text: str) -> None:
        font, angle = self.get_fontproperties(), self.get_rotation()
        x, y = self.get_transform().transform(self.get_position())
        if share := _SHARES[self.get_horizontalalignment()]:
            before = share * renderer.get_text_width_height_descent(text, font, ismath=False)[0]
            x, y = x - before * cos(radians(angle)), y - before * sin(radians(angle))
        if renderer.flipy():
            y = renderer.get_canvas_width_height()[1] - y
        context = renderer.new_gc()
        context.set_foreground(self.get_color())
        context.set_alpha(self.get_alpha())
        context.set_antialiased(self.get_antialiased())
        context.set_url(self.get_url())
        renderer.draw_text(context, x, y, text, font, angle, ismath=False, mtext=self)
        context.restore()
