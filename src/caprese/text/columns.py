"""Aligned columns of text, and lines that fit the width of a terminal.

By hand, because a table of rich squeezes columns until numbers are cut, and textwrap takes every
character to be one column wide; Chinese ones are two.
"""

import re
import sys
from collections.abc import Iterable, Sequence
from itertools import accumulate, zip_longest
from unicodedata import category, east_asian_width

_GAP = "  "
_LEAST_TEXT = 20  # characters of a last column of text that are worth a column
_LEAST_FIRST = 10  # characters of the first column that are kept
_TREE = re.compile(r"([│ ]*)[├└]─ ")
_STYLED = re.compile(r"(\x1b\[[\d;]+m)([^\x1b]*)(\x1b\[0m)")
_CODE = re.compile(r"\x1b\[[\d;]+m")
_INDENT = "  "  # of a continued line, beyond its own indent


def aligned(
    rows: Sequence[Sequence[str]], *, numbers: bool = True, width: int | None = None
) -> list[str]:
    """Return rows of cells as lines, all columns but the first and the last aligned to the right.

    Unless these hold numbers, all columns are aligned to the left. If the lines would be longer
    than `width`, text in the last column is continued below; columns for which there is still no
    space follow in another block, in which the first column is repeated.
    """
    room = sys.maxsize if width is None else width
    widths = _widths(rows)
    if _total(widths) > room:
        rows = [[_cut(first, _first_width(widths, room)), *others] for first, *others in rows]
        widths = _widths(rows)
    to_the_right = range(1, len(widths) - 1) if numbers else range(0)
    lines: list[str] = []
    for columns in _blocks(widths, room):
        own = [widths[column] for column in columns]
        own[-1] = min(own[-1], room - _total(own[:-1]) - len(_GAP))
        right = [column in to_the_right for column in columns]
        lines += ["", *_block([[row[k] for k in columns] for row in rows], own, right)]
    return lines[1:]


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(cells, column)) for column in zip(*rows, strict=True)]


def _total(widths: Sequence[int]) -> int:
    return sum(width + len(_GAP) for width in widths if width) - len(_GAP)


def _first_width(widths: Sequence[int], room: int) -> int:
    """Return the width of the first column beside which every other one has space."""
    *others, last = widths[1:]
    widest = max([*others, min(last, _LEAST_TEXT)])
    return max(_LEAST_FIRST, room - widest - len(_GAP))


def _blocks(widths: Sequence[int], room: int) -> list[list[int]]:
    """Return the columns of each block: the first one, and as many others as there is space for."""
    if _total(widths) <= room:
        return [list(range(len(widths)))]
    blocks = [[0]]
    least = [*widths[:-1], min(widths[-1], _LEAST_TEXT)]
    for column in range(1, len(widths)):
        taken = [widths[each] for each in blocks[-1]]
        if len(taken) > 1 and _total([*taken, least[column]]) > room:
            blocks.append([0])
        blocks[-1].append(column)
    return blocks


def _block(
    rows: Sequence[Sequence[str]], widths: Sequence[int], right: Sequence[bool]
) -> list[str]:
    """Return rows as lines, each column in its width, and aligned to the right or not."""
    lines = []
    for row, following in zip_longest(rows, rows[1:], fillvalue=("",)):
        parts = [
            [cell] if cells(cell) <= width else wrapped(unstyled(cell), width)
            for cell, width in zip(row, widths, strict=True)
        ]
        parts[0] += [_between(following[0])] * (max(map(len, parts)) - 1)
        for line in zip_longest(*parts, fillvalue=""):
            padded = map(_padded, line, widths, right)
            lines.append(_GAP.join(padded).rstrip())
    return lines


def _between(following: str) -> str:
    """Return the lines of a tree above the row that follows; nothing if it is of no tree."""
    found = _TREE.match(unstyled(following))
    return f"{found[1]}│" if found else ""


def _padded(cell: str, width: int, right: bool) -> str:
    gap = " " * (width - cells(cell))
    return gap + cell if right else cell + gap


def _cut(cell: str, width: int) -> str:
    """Return a cell that is not wider than this; an ellipsis marks what is omitted."""
    if cells(cell) <= width:
        return cell
    return f"{start_of(unstyled(cell), width - 1).rstrip()}…"


def separated(*parts: Sequence[str]) -> list[str]:
    """Return parts below each other, with an empty line between them; empty ones are omitted."""
    return [line for part in parts if part for line in ("", *part)][1:]


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
