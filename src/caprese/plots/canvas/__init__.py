"""What pictures are drawn with: canvas, legend, labels, palette, figure files."""

from typing import Literal
from urllib.parse import quote, unquote

Point = tuple[float, float]
Align = Literal["left", "center", "right"]
LineStyle = Literal["solid", "dashed", "dotted"]

FONT = "DejaVu Sans"  # comes with matplotlib: a picture is the same on every machine

_REGION = "event:"


def region_id(event: str) -> str:
    """Return the id of the region of an event in a picture: the same text for any characters."""
    return _REGION + quote(event, safe="", errors="surrogatepass")


def region_of(found: str) -> str | None:
    """Return the event of a region by its id; None of another id.

    Examples
    --------
    >>> region_of(region_id("8q+")), region_of("axes_1")
    ('8q+', None)
    """
    if not found.startswith(_REGION):
        return None
    return unquote(found.removeprefix(_REGION), errors="surrogatepass")
