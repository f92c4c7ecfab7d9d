r"""Lettering: names as they are drawn, and the room they need, in points.

Names are any text. What cannot be seen is written out (``\n``), a sign the font does not have is an
empty box, what is endless loses its middle; so nothing a name holds can upset a picture.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from caprese._core.names import numbered

FONT = "DejaVu Sans"  # comes with matplotlib: a picture is the same on every machine
LONGEST = 48  # signs of a name
PITCH = 1.22  # from one line to the next, in sizes of the letters

_COARSE = 1.1  # on a coarse screen letters are up to a tenth wider than on paper
_ELLIPSIS = "…"
_NO_SUCH_SIGN = "□"
_PIECE = re.compile(r"[^\s/_,;:|.()+-]*(?:[\s/_,;:|.()+-]+|$)")  # a word and what ends it


def legible(text: str, longest: int = LONGEST) -> str:
    r"""Return a text as it can be drawn: all of it visible, and its middle left out if too long.

    Examples
    --------
    >>> legible("8q+" + chr(10)), legible("a" + chr(0x200F)), legible(chr(0x4E2D))
    ('8q+\\n', 'a\\u200f', '□')
    >>> legible("amplification of the long arm", longest=15)
    'amplifi…ong arm'
    """
    half = longest + 1
    if len(text) > 2 * half:  # signs only ever get more
        text = text[:half] + text[-half:]
    signs = "".join(map(_visible, text))
    if len(signs) <= longest:
        return signs
    before, after = longest // 2, longest - longest // 2 - 1
    return signs[:before].rstrip() + _ELLIPSIS + signs[len(signs) - after :].lstrip()


def legible_names(names: Iterable[str], longest: int = LONGEST) -> tuple[str, ...]:
    """Return names as they can be drawn, those told apart that were shortened to the same.

    Examples
    --------
    >>> legible_names(["chromosome 11 loss", "chromosome 12 loss"], longest=10)
    ('chrom…loss', 'chrom…loss.2')
    """
    return numbered(legible(name, longest) for name in names)


def wrapped(text: str, across: int, lines: int = 3) -> tuple[str, ...]:
    """Return a legible text on a few lines, broken where words end if that can be.

    Examples
    --------
    >>> wrapped("loss of the short arm", across=12)
    ('loss of the', 'short arm')
    >>> wrapped("ABCDEFGHIJ", across=4, lines=2)
    ('ABCD', '…HIJ')
    """
    for longest in range(min(LONGEST, across * lines), 0, -1):
        result = _lines(legible(text, longest), across)
        if len(result) <= lines:
            break
    return result


@lru_cache(maxsize=4096)
def text_width(text: str, size: float) -> float:
    """Return how wide a line of this size is at most.

    Examples
    --------
    >>> text_width("mm", 10) > text_width("ii", 10) > 0
    True
    """
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    letters = FontProperties(family=FONT, size=size)
    width, _, _ = text_to_path.get_text_width_height_descent(text, letters, ismath=False)
    return _COARSE * float(width)


def _visible(sign: str) -> str:
    if not sign.isprintable():
        return repr(sign)[1:-1]
    return sign if ord(sign) in _signs() else _NO_SUCH_SIGN


@cache
def _signs() -> frozenset[int]:
    from matplotlib.font_manager import FontProperties, findfont, get_font

    return frozenset(get_font(findfont(FontProperties(family=FONT))).get_charmap())


def _lines(text: str, across: int) -> tuple[str, ...]:
    lines = [""]
    for piece in _PIECE.findall(text):
        rest = piece
        if len((lines[-1] + rest).rstrip()) > across and lines[-1]:
            lines.append("")
        while len(rest.rstrip()) > across:
            lines[-1], rest = rest[:across], rest[across:]
            lines.append("")
        lines[-1] += rest
    return tuple(line.strip() for line in lines if line.strip()) or (text,)
