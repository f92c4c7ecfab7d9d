"""Style: which parts of a text are emphasised on a terminal, and how."""

from collections.abc import Callable
from typing import Literal

Emphasis = Literal["title", "quiet", "sure", "unsure", "warning"]
Style = Callable[[str, Emphasis], str]
"""Returns a text with its emphasis."""

# Colour-blind readers can tell blue from orange; both are legible on black and on white.
_CODES: dict[Emphasis, str] = {
    "title": "1",
    "quiet": "2",
    "sure": "38;5;32",
    "unsure": "38;5;166",
    "warning": "33",
}


def plain(text: str, _emphasis: Emphasis) -> str:
    """Return a text unchanged."""
    return text


def coloured(text: str, emphasis: Emphasis) -> str:
    """Return a text with the ANSI codes of its emphasis."""
    return f"\x1b[{_CODES[emphasis]}m{text}\x1b[0m" if text else text
