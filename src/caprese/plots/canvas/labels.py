r"""Labels: names as they are drawn, and the width they need, in points.

Names are any text. Invisible characters are written out (``\n``), a character that the font lacks
becomes an empty box, and a long name loses its middle; so no name can spoil a picture.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from caprese._core.names import numbered
from caprese._core.words import visible
from caprese.plots.canvas import FONT, Point
from caprese.plots.canvas.figures import Canvas
from caprese.plots.canvas.palette import INK, SOFT

LONGEST = 48  # characters of a name
LINE_HEIGHT = 1.22  # from one line to the next, in font sizes

_BOLD = 1.1  # width of bold letters, in that of others
_COARSE = 1.1  # letters are up to a tenth wider on a coarse screen than on paper
_ELLIPSIS = "…"
_MISSING = "□"  # replaces a character that the font lacks
_WORD = re.compile(r"[^\s/_,;:|.()+-]*(?:[\s/_,;:|.()+-]+|$)")  # and the separators after it


def legible(text: str, longest: int = LONGEST) -> str:
    """Return a text as it can be drawn: all of it visible, and without its middle if too long."""
    known = _font_characters()
    shown = "".join(each if ord(each) in known else _MISSING for each in visible(text, longest))
    before, after = shown[: longest // 2], shown[longest // 2 :]
    if after.startswith(_ELLIPSIS):  # no blanks beside it: they would look like a gap
        return before.rstrip() + _ELLIPSIS + after.removeprefix(_ELLIPSIS).lstrip()
    return shown


def legible_names(names: Iterable[str], longest: int = LONGEST) -> tuple[str, ...]:
    """Return names as they can be drawn, numbered where they were shortened to the same text."""
    return numbered(legible(name, longest) for name in names)


def wrapped(text: str, width: int, lines: int = 3) -> tuple[str, ...]:
    """Return a legible text on a few lines of at most `width` characters, broken between words.

    A word that is longer than a line is broken too.
    """
    for longest in range(min(LONGEST, width * lines), 0, -1):
        result = _lines(legible(text, longest), width)
        if len(result) <= lines:
            break
    return result


@dataclass(frozen=True)
class TextLine:
    """A line of text as it is drawn."""

    text: str
    size: float
    colour: str = SOFT
    bold: bool = False

    @classmethod
    def heading(cls, text: str, size: float) -> "TextLine":
        """Return a line above others."""
        return cls(text, size, INK, bold=True)

    @property
    def width(self) -> float:
        """Width of the text."""
        return (_BOLD if self.bold else 1.0) * text_width(self.text, self.size)

    def draw(self, canvas: Canvas, start: Point) -> None:
        """Draw the line; it starts at this place, which is at half its height."""
        style: Any = {"colour": self.colour, "bold": self.bold}
        canvas.text(start, self.text, self.size, align="left", **style)


@lru_cache(maxsize=4096)
def text_width(text: str, size: float) -> float:
    """Return the greatest width of a line of text at this font size."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=FONT, size=size)
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return _COARSE * float(width)


@cache
def _font_characters() -> frozenset[int]:
    from matplotlib.font_manager import FontProperties, findfont, get_font

    return frozenset(get_font(findfont(FontProperties(family=FONT))).get_charmap())


def _lines(text: str, width: int) -> tuple[str, ...]:
    lines = [""]
    for word in _WORD.findall(text):
        rest = word
        if len((lines[-1] + rest).rstrip()) > width and lines[-1]:
            lines.append("")
        while len(rest.rstrip()) > width:
            lines[-1], rest = rest[:width], rest[width:]
            lines.append("")
        lines[-1] += rest
    return tuple(line.strip() for line in lines if line.strip()) or (text,)
