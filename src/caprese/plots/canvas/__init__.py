"""What pictures are drawn with: canvas, legend, labels, palette, figure files."""

from typing import Literal

Point = tuple[float, float]
Align = Literal["left", "center", "right"]
LineStyle = Literal["solid", "dashed", "dotted"]

FONT = "DejaVu Sans"  # comes with matplotlib: a picture is the same on every machine
