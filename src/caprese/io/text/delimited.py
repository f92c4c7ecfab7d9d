"""Delimited text: from lines to rows of fields.

Tables of any delimiter, with quotes, are read by `delimited`; those of genome centres, with
tabs, comments above the header and no quoting, by `tabbed`; columns are found by `titled` in both.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from math import inf, isfinite
from typing import Literal

from caprese._core.budget import share
from caprese._core.files import PER_CHARACTER, FilePath, first_ones, format_error, shown, text_lines
from caprese._core.words import number_of
from caprese.errors import FormatError, ParameterError

Row = tuple[int, list[str]]
"""The line of the file in which a row starts, and its fields."""

_LOOK_AHEAD = 200
_WHITE_SPACE = " "
_LINE_END = re.compile(r"\r\n?|\n")
_QUOTED = re.compile(r'(?<![^\s,;])"(?:[^"]++|"")*+"')
_WORD = re.compile(r'(?:"[^"]*"?|[^\s"])+')


@contextmanager
def delimited(path: FilePath, delimiter: str | None = None) -> Iterator[tuple[str, Iterator[Row]]]:
    """Open a file, or standard input for ``-``: its delimiter, and its rows, the header first.

    The delimiter is detected if none is given. Blank lines are skipped, and before the header those
    that start with ``#``.
    """
    character = isinstance(delimiter, str) and len(delimiter) == 1
    if delimiter is not None and (not character or delimiter in '"\r\n\0'):
        raise ParameterError("delimiter", "one character, not a quote or line end", delimiter)
    with closing(text_lines(path)) as text:
        skipped, lines = _after_comments(path, text)
        head = list(first_ones(lines, _LOOK_AHEAD, len))
        mark = delimiter or _delimiter(head)
        yield mark, _rows(path, chain(head, lines), mark, skipped)


class Names(dict[str, int]):
    """Names in a file, distinct and not empty, with the line or column (`unit`) of each."""

    def __init__(self, path: FilePath, noun: str, unit: Literal["line", "column"]) -> None:
        super().__init__()
        self._path, self._noun, self._unit = path, noun, unit

    def add(self, name: str, *, line: int, column: int) -> None:
        """Add a name; refuse one that is empty or was added before."""
        if not name.strip():
            raise nameless(self._path, self._noun, line=line, column=column)
        if name in self:
            also = f"{self._noun} {shown(name)} is also in {self._unit} {self[name]}"
            problem = f"{also}; names must differ"
            raise format_error(self._path, problem, line=line, column=column)
        self[name] = line if self._unit == "line" else column


def nameless(path: FilePath, noun: str, *, line: int, column: int) -> FormatError:
    """Return the error about an empty name."""
    problem = f"the {noun} name is empty; expected some text"
    return format_error(path, problem, line=line, column=column)


def ragged(
    path: FilePath, line: int, given: int, expected: int, what: str = ", as in the header"
) -> FormatError:
    """Return the error about a row with another number of fields."""
    problem = f"{number_of(given, 'field')}, expected {expected}{what}"
    return format_error(path, problem, line=line)


def place_of(path: FilePath, line: int, titles: Sequence[str], title: str, what: str = "") -> int:
    """Return the position of a column in a header; a file without it, or not `what`, is refused."""
    if title not in titles:
        expected = what or f"one of {', '.join(map(shown, titles))}"
        raise format_error(path, f"no column {shown(title)}, expected {expected}", line=line)
    return titles.index(title)


def usual(widths: Iterable[int]) -> int:
    """Return the width that most rows have; of several, the first one."""
    return Counter(widths).most_common(1)[0][0]


@dataclass(frozen=True)
class Tabbed:
    """An open file: its header, and the lines below it that are still to be read."""

    path: FilePath
    line: int
    header: tuple[str, ...]
    lines: Iterator[str]

    def find(self, name: str) -> int | None:
        """Return the position of the column with this name, ignoring case; None without one."""
        lowered = [each.lower() for each in self.header]
        return lowered.index(name.lower()) if name.lower() in lowered else None

    def column(self, name: str) -> int:
        """Return the position of the column with this name; a file without it is refused."""
        found = self.find(name)
        if found is None:
            problem = f"no column {name}; is this file tab-separated and of this format?"
            raise format_error(self.path, problem, line=self.line)
        return found

    def samples(self, start: int) -> tuple[str, ...]:
        """Return the sample names in the header from column `start` on."""
        names = Names(self.path, "sample", "column")
        for column, name in enumerate(self.header[start:], start + 1):
            names.add(name, line=self.line, column=column)
        if not names:
            raise format_error(self.path, "the header names no sample", line=self.line)
        return tuple(names)

    def rows(self, through: int | None = None) -> Iterator[Row]:
        """Yield the line and the fields of each row; columns after `through` are not split."""
        tabs, cuts = len(self.header) - 1, -1 if through is None else through + 1
        for number, line in enumerate(self.lines, self.line + 1):
            if not line.strip(" \r\n"):
                continue
            if line.count("\t") != tabs:
                raise ragged(self.path, number, line.count("\t") + 1, tabs + 1)
            split = line.rstrip("\r\n").split("\t", cuts)
            yield number, [unquoted(each) for each in split] if '"' in line else split


@dataclass(frozen=True)
class Titled:
    """An open table: the titles of its columns in lower case, and its rows."""

    path: FilePath
    line: int
    titles: tuple[str, ...]
    rows: Iterator[Row]

    def find(self, *names: str) -> int | None:
        """Return the position of the first of these columns that is there; None without any."""
        name = next((each for each in names if each in self.titles), None)
        if name is None:
            return None
        place = self.titles.index(name)
        if name in self.titles[place + 1 :]:
            again = self.titles.index(name, place + 1) + 1
            problem = f"column {shown(name)} is also column {place + 1}; titles must differ"
            raise format_error(self.path, problem, line=self.line, column=again)
        return place

    def column(self, *names: str) -> int:
        """Return the position of the first of these columns that is there; refuse others."""
        found = self.find(*names)
        if found is None:
            problem = f"no column {' or '.join(names)}, expected one"
            raise format_error(self.path, problem, line=self.line)
        return found

    def number(
        self, line: int, fields: Sequence[str], column: int, high: float, what: str
    ) -> float:
        """Return the number in a cell, from 0 on; refuse what is none, or is higher."""
        with suppress(ValueError):
            value = float(fields[column])
            if 0 <= value <= high and isfinite(value):
                return value
        rule = "0 or more" if high == inf else f"a number from 0 to {high:g}"
        raise self.wrong(line, column, f"{shown(fields[column])} is not {what}; expected {rule}")

    def wrong(self, line: int, column: int, problem: str) -> FormatError:
        """Return the error about a cell."""
        title = self.titles[column]
        return format_error(self.path, problem, line=line, column=column + 1, name=title)


@contextmanager
def titled(path: FilePath, *, quoted: bool = True) -> Iterator[Titled]:
    """Open a table of any delimiter; if nothing is `quoted`, a tab-separated one."""
    if not quoted:
        with tabbed(path) as table:
            titles = tuple(name.lower() for name in table.header)
            yield Titled(path, table.line, titles, table.rows())
        return
    with delimited(path) as (_, rows):
        line, header = next(rows)
        titles = tuple(name.strip().lower() for name in header)
        yield Titled(path, line, titles, _as_wide(path, rows, len(header)))


def _as_wide(path: FilePath, rows: Iterator[Row], width: int) -> Iterator[Row]:
    for line, fields in rows:
        if len(fields) != width:
            raise ragged(path, line, len(fields), width)
        yield line, fields


def unquoted(text: str) -> str:
    """Return a field without the quotes around it; some programs quote every value."""
    bare = text.strip()
    return bare[1:-1] if len(bare) > 1 and bare[0] == bare[-1] == '"' else text


@contextmanager
def tabbed(path: FilePath) -> Iterator[Tabbed]:
    """Open a tab-separated file; comments (``#``) and blank lines before the header are skipped."""
    with closing(text_lines(path)) as text:
        skipped, lines = _after_comments(path, text)
        titles = next(lines).rstrip("\r\n").split("\t")
        yield Tabbed(path, skipped + 1, tuple(unquoted(name).strip() for name in titles), lines)


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
    most = room = share(PER_CHARACTER)

    def bounded() -> Iterator[str]:
        nonlocal room
        for line in map(_narrowed if spaced else _emptied_if_blank, lines):
            room -= len(line)
            if room < 0:
                raise csv.Error("a row does not end")
            yield line

    reader = csv.reader(bounded(), delimiter=delimiter, skipinitialspace=not spaced, strict=True)
    line = skipped + 1
    try:
        for fields in reader:
            room = most
            if fields:
                yield line, fields
            line = skipped + reader.line_num + 1
    except csv.Error as error:
        problem = f"{error}; is a closing quote missing?"
        if "expected after" in str(error):
            problem = f"text follows a closing quote; expected the delimiter {delimiter!r}"
        raise format_error(path, problem, line=line) from error


def _emptied_if_blank(line: str) -> str:
    return line if line.strip(" \r\n") else line.strip(" ")


def _narrowed(line: str) -> str:
    return _WHITE_SPACE.join(_WORD.findall(line) if '"' in line else line.split())
