"""Style: what is set off on a terminal, and how; elsewhere text is left as it is."""

from collections.abc import Callable
from typing import Literal

Tone = Literal["title", "quiet", "sure", "unsure", "warning"]
Style = Callable[[str, Tone], str]
"""Sets a text off in a tone."""

SURE, UNSURE = 0.8, 0.5  # support from which, and below which, an edge is set off

# Blue and orange are told apart by colour-blind eyes; both can be read on black and on white.
_CODES: dict[Tone, str] = {
    "title": "1",
    "quiet": "2",
    "sure": "38;5;32",
    "unsure": "38;5;166",
    "warning": "33",
}


def plain(text: str, _tone: Tone) -> str:
    """Leave a text as it is.

    Examples
    --------
    >>> plain("8q+", "title")
    '8q+'
    """
    return text


def coloured(text: str, tone: Tone) -> str:
    r"""Set a text off by the codes that terminals understand.

    Examples
    --------
    >>> coloured("8q+", "title")
    '\x1b[1m8q+\x1b[0m'
    """
    return f"\x1b[{_CODES[tone]}m{text}\x1b[0m" if text else text


def support_tone(share: float) -> Tone | None:
    """Return the tone of an edge that came back in this share of the replicates.

    Examples
    --------
    >>> support_tone(0.93), support_tone(0.6), support_tone(0.2)
    ('sure', None, 'unsure')
    """
    return "sure" if share >= SURE else "unsure" if share < UNSURE else None
