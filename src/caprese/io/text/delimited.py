"""Delimited text: from lines to rows of fields."""

import csv
import re
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import chain
from typing import Self

from caprese._core.budget import share
from caprese._core.files import PER_CHARACTER, FilePath, first_ones, format_error, text_lines
from caprese.errors import ParameterError

Row = tuple[int, list[str]]
"""The line of the file in which a row starts, and its fields."""

_LOOK_AHEAD = 200
_WHITE_SPACE = " "
_LINE_END = re.compile(r"\r\n?|\n")
_QUOTED = re.compile(r'(?<![^\s,;])"(?:[^"]++|"")*+"')
_WORD = re.compile(r'(?:"[^"]*"?|[^\s"])+')


def delimited_rows(path: FilePath, delimiter: str | None = None) -> Generator[Row, None, None]:
    """Yield the rows of a file, or of standard input for ``-``, the header first.

    Blank lines are skipped, and before the header those that start with ``#``.
    """
    with opened_rows(path, delimiter) as (_, rows):
        yield from rows


@contextmanager
def opened_rows(
    path: FilePath, delimiter: str | None = None
) -> Iterator[tuple[str, Iterator[Row]]]:
    """Open a file: its delimiter, detected if none is given, and its rows as `delimited_rows`."""
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n\0'):
        raise ParameterError("delimiter", "one character, not a quote or line end", delimiter)
    with closing(text_lines(path)) as text:
        skipped, lines = _after_comments(path, text)
        head = list(first_ones(lines, _LOOK_AHEAD, len))
        mark = delimiter or _delimiter(head)
        yield mark, _rows(path, chain(head, lines), mark, skipped)


def usual(widths: Iterable[int]) -> int:
    """Return the width that most rows have; of several, the first one."""
    return Counter(widths).most_common(1)[0][0]


def _after_comments(path: FilePath, lines: Iterator[str]) -> tuple[int, Iterator[str]]:
    for skipped, line in enumerate(lines):
        if line.strip() and not line.startswith("#"):
            return skipped, chain([line], lines)
    raise format_error(path, "the file is empty; expected a header and rows below it")


def _delimiter(head: Sequence[str]) -> str:
    bare = _LINE_END.split(_QUOTED.sub('""', "".join(head)))
    lines = [line for line in bare if line.strip()]
    widths = {mark: [line.count(mark) + 1 for line in lines] for mark in ",\t;"}
    used = [mark for mark in widths if max(widths[mark]) > 1]
    if used:
        return max(used, key=lambda mark: _evenness(widths[mark]))
    even, *_ = _evenness([len(line.split()) for line in lines])
    return _WHITE_SPACE if even else ","


def _evenness(widths: Sequence[int]) -> tuple[bool, int, int]:
    """Rank a delimiter: even before uneven, wide before narrow, a full header before R's."""
    header, *rows = widths
    width = usual(rows or [header])
    even = width > 1 and header in (width, width - 1) and 2 * rows.count(width) >= len(rows)
    return even, width, header


def _rows(path: FilePath, lines: Iterable[str], delimiter: str, skipped: int) -> Iterator[Row]:
    spaced = delimiter == _WHITE_SPACE
    fed = _Fed(map(_narrowed if spaced else _emptied_if_blank, lines))
    reader = csv.reader(
        fed,
        delimiter=delimiter,
        skipinitialspace=not spaced,
        strict=True,
    )
    line = skipped + 1
    try:
        for fields in reader:
            fed.room = fed.most
            if fields:
                yield line, fields
            line = skipped + reader.line_num + 1
    except csv.Error as error:
        raise format_error(path, _misquoted(error, delimiter), line=line) from error


class _Fed:
    """Lines for a reader of rows; too many of them in one row are refused."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self.most = self.room = share(PER_CHARACTER)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.room -= len(line)
        if self.room < 0:
            raise csv.Error("a row does not end")
        return line


def _misquoted(error: csv.Error, delimiter: str) -> str:
    if "expected after" in str(error):
        return f"text follows a closing quote; expected the delimiter {delimiter!r}"
    return f"{error}; is a closing quote missing?"


def _emptied_if_blank(line: str) -> str:
    return line if line.strip(" \r\n") else line.strip(" ")


def _narrowed(line: str) -> str:
    return _WHITE_SPACE.join(_WORD.findall(line) if '"' in line else line.split())
