"""Lines that fit a terminal: long ones continue below, at the same indent."""

import re
from collections.abc import Iterable

_STYLED = re.compile(r"(\x1b\[[\d;]+m)([^\x1b]*)(\x1b\[0m)")
_INDENT = "  "  # of a continued line, beyond its own indent


def wrapped(text: str, width: int) -> list[str]:
    """Return a text as lines of at most this width; a word that is longer is divided."""
    from rich.cells import cell_len, chop_cells

    lines: list[str] = []
    for word in text.split():
        if lines and cell_len(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines += chop_cells(word, width)
    return lines or [""]


def within(width: int | None, lines: Iterable[str]) -> list[str]:
    """Return lines of at most this width, with the emphasis of each; without a width, as given.

    Only a line that is emphasised as a whole, or not at all, is divided.
    """
    return [part for line in lines for part in ([line] if width is None else _parts(line, width))]


def _parts(line: str, width: int) -> list[str]:
    from rich.cells import cell_len

    start, text, end = found.groups() if (found := _STYLED.fullmatch(line)) else ("", line, "")
    if "\x1b" in text or cell_len(text) <= width:
        return [line]
    indent = text[: len(text) - len(text.lstrip())]
    first, *others = wrapped(text, width - len(indent) - len(_INDENT))
    parts = [indent + first, *(indent + _INDENT + each for each in others)]
    return [start + part + end for part in parts]
