"""The colours of the pictures: few, told apart by colour-blind eyes and in grey."""

INK = "#2E3440"  # text, edges
SOFT = "#6B7480"  # what is said in passing
LINE = "#A7B0BA"  # outlines
PALE = "#E6EAEE"  # tracks, what is absent
PAPER = "#FFFFFF"

# Okabe and Ito's blue and vermilion; the amber lies between the blue and the pale in grey.
BLUE = "#0072B2"
VERMILION = "#D55E00"
AMBER = "#E3B04B"

# The rest of Okabe and Ito's, for categories beside present (blue) and unknown (amber).
CATEGORIES = ("#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#F0E442", "#000000")


def rgb(colour: str) -> tuple[float, float, float]:
    """Return red, green and blue of a colour, from 0 to 1.

    Examples
    --------
    >>> rgb("#FF0000")
    (1.0, 0.0, 0.0)
    """
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def shade(depth: float, deep: str = BLUE) -> tuple[float, float, float]:
    """Return a colour between white (0) and a deep one (1).

    Examples
    --------
    >>> shade(0.0), shade(0.5, deep="#FF0000")
    ((1.0, 1.0, 1.0), (1.0, 0.5, 0.5))
    """
    red, green, blue = (1 - depth * (1 - part) for part in rgb(deep))
    return red, green, blue
