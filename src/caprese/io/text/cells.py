r"""Cells of tables: names of any characters, and whole tables as delimited text.

A cell holds the name itself. A spreadsheet, however, takes a cell that begins with ``=``, ``+``,
``-`` or ``@`` for a formula, in quotes or not, and a formula from an untrusted source can start
programs or send data away. The option `guard_formulas` of the writers puts an apostrophe before
such names, ``'-7q``, which makes them text in a spreadsheet. Every reader removes an apostrophe
that is followed by one of these characters, and no other. A name that itself begins like a guarded
one gets a second apostrophe, so that every name is read back.

Many formats cannot hold all characters. Invisible ones, and spaces at either end, are therefore
escaped in the same way in every file for other programs, as in ``\u000a``; readers restore them.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

_ESCAPE = re.compile(r"\\(?:u[0-9a-f]{4}|U00(?:0[0-9a-f]|10)[0-9a-f]{4})")
_FORMULA = re.compile("'*[=+\\-@\uff1d\uff0b\uff0d\uff20]")  # the last four are full-width forms
_GUARDED = re.compile("'" + _FORMULA.pattern)
_NEEDS_QUOTES = re.compile(r'[\s",;]')


def escaped(text: str) -> str:
    """Return a text with its invisible characters escaped; most names are unchanged."""
    distinct = _ESCAPE.sub(lambda found: _escape("\\") + found.group()[1:], text)
    visible = "".join(each if each.isprintable() else _escape(each) for each in distinct)
    right, inner = visible.lstrip(" "), visible.strip(" ")
    before, after = len(visible) - len(right), len(right) - len(inner)
    return _escape(" ") * before + inner + _escape(" ") * after


def unescaped(text: str) -> str:
    """Return the text that `escaped` was given."""
    return _ESCAPE.sub(lambda found: chr(int(found.group()[2:], base=16)), text)


def cell(name: str, *, guard_formulas: bool = False) -> str:
    """Return a name as the content of a cell, without quotes and on one line."""
    text = escaped(name)
    return "'" + text if (_FORMULA if guard_formulas else _GUARDED).match(text) else text


def name_in(text: str) -> str:
    """Return the name in a cell, guarded or not; white space around it is removed."""
    bare = text.strip()
    return unescaped(bare[1:] if _GUARDED.match(bare) else bare)


def quoted_cell(name: str, *, guard_formulas: bool = False) -> str:
    """Return a name as a cell of a delimited file, in quotes where needed.

    More names are quoted than CSV requires, so that none is mistaken for several fields when
    another delimiter is tried.
    """
    text = cell(name, guard_formulas=guard_formulas)
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text


class Codes(dict[str, int]):
    """The code of each text in a cell; other spellings (upper case, 1.0) are added when first read.

    What is not among the texts, in lower case, has the code `wrong`.
    """

    def __init__(self, texts: Mapping[str, int], wrong: int, suffix: str = "") -> None:
        super().__init__()
        self._texts, self._wrong, self._suffix = texts, wrong, suffix

    def __missing__(self, text: str) -> int:
        code = self._texts.get(text.strip().lower().removesuffix(self._suffix), self._wrong)
        if code != self._wrong:
            self[text] = code
        return code


def rounded(entry: Any) -> str:
    """Return an entry of a table that is not text; empty where there is no number."""
    if isinstance(entry, bool | np.bool_):
        return "yes" if entry else "no"
    if isinstance(entry, float):
        return "" if math.isnan(entry) else f"{entry:.6g}"
    return str(entry)


def table_text(
    rows: Iterable[Iterable[Any]],
    *,
    delimiter: str = ",",
    guard_formulas: bool = False,
    number: Callable[[Any], str] = rounded,
) -> str:
    """Return rows, the header first, as delimited text; `number` writes what is not text."""

    def written(entry: Any) -> str:
        if isinstance(entry, str):  # only text needs a guard, since a number is not a formula
            return quoted_cell(entry, guard_formulas=guard_formulas)
        return number(entry)

    return "".join(delimiter.join(map(written, row)) + "\n" for row in rows)


def frame_text(frame: Any, *, delimiter: str = ",", guard_formulas: bool = False) -> str:
    """Return a data frame as delimited text."""
    rows = (frame.columns, *frame.itertuples(index=False))
    return table_text(rows, delimiter=delimiter, guard_formulas=guard_formulas)


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
