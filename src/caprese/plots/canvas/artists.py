"""The artists of a canvas: those of matplotlib, without work that is the same for all of them."""

from typing import Any

from matplotlib.lines import Line2D
from matplotlib.patches import FancyBboxPatch, PathPatch, Polygon
from matplotlib.text import Text


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


class Label(_Framed, Text):
    """A line of text."""
