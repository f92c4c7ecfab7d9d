"""The colours of the pictures: few, and distinct for colour-blind readers and in grey."""

import numpy as np
from numpy.typing import ArrayLike

from caprese._core.arrays import FloatArray

INK = "#2E3440"  # text, edges
SOFT = "#6B7480"  # secondary text
LINE = "#A7B0BA"  # outlines
PALE = "#E6EAEE"  # the background of bars, absent events
PAPER = "#FFFFFF"

# Okabe and Ito's blue and vermilion; in grey the amber lies between BLUE and PALE.
BLUE = "#0072B2"
VERMILION = "#D55E00"
AMBER = "#E3B04B"
GREEN = "#009E73"

# Okabe and Ito's other colours, for categories; blue is present and amber is unknown.
CATEGORIES = ("#D55E00", GREEN, "#CC79A7", "#56B4E9", "#F0E442", "#000000")


def rgb(colour: str) -> tuple[float, float, float]:
    """Return red, green and blue of a colour, from 0 to 1."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def shades(depths: ArrayLike, above: str, below: str = PAPER) -> FloatArray:
    """Return colours between white (0), one for 1 and one for -1; a neutral one for NaN."""
    depth = np.asarray(depths, dtype=np.float64)[..., None]
    deep = np.where(depth >= 0, rgb(above), rgb(below))
    return np.where(np.isfinite(depth), 1 - np.abs(depth) * (1 - deep), rgb(PALE))
