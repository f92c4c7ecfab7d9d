"""How wide a text is on a terminal, and lines that fit it: long ones continue below, indented.

By hand, because textwrap takes every character to be one column wide; Chinese ones are two.
"""

import re
from collections.abc import Iterable
from itertools import accumulate
from unicodedata import category, east_asian_width

_STYLED = re.compile(r"(\x1b\[[\d;]+m)([^\x1b]*)(\x1b\[0m)")
_CODE = re.compile(r"\x1b\[[\d;]+m")
_INDENT = "  "  # of a continued line, beyond its own indent


def unstyled(text: str) -> str:
    """Return a text without the codes of its emphasis."""
    return _CODE.sub("", text)


def cells(text: str) -> int:
    """Return how many columns a text takes on a terminal: wide characters two, accents none."""
    shown = unstyled(text)
    return len(shown) if shown.isascii() else sum(map(_cells, shown))


def _cells(character: str) -> int:
    if category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def start_of(text: str, width: int) -> str:
    """Return the longest start of a text that is not wider than this, at least one character."""
    fitting = sum(end <= width for end in accumulate(map(_cells, text)))
    return text[: max(1, fitting)]


def wrapped(text: str, width: int) -> list[str]:
    """Return a text as lines of at most this width; a word that is longer is divided."""
    lines: list[str] = []
    for word in text.split():
        if lines and cells(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines += _divided(word, width)
    return lines or [""]


def _divided(word: str, width: int) -> list[str]:
    parts, rest = [], word
    while cells(rest) > width and len(rest) > 1:
        parts.append(start_of(rest, width))
        rest = rest.removeprefix(parts[-1])
    return [*parts, rest]


def within(width: int | None, lines: Iterable[str]) -> list[str]:
    """Return lines of at most this width, with the emphasis of each; without a width, as given.

    Only a line that is emphasised as a whole, or not at all, is divided.
    """
    return [part for line in lines for part in ([line] if width is None else _parts(line, width))]


def _parts(line: str, width: int) -> list[str]:
    start, text, end = found.groups() if (found := _STYLED.fullmatch(line)) else ("", line, "")
    if "\x1b" in text or cells(text) <= width:
        return [line]
    indent = text[: len(text) - len(text.lstrip())]
    first, *others = wrapped(text, width - len(indent) - len(_INDENT))
    parts = [indent + first, *(indent + _INDENT + each for each in others)]
    return [start + part + end for part in parts]
