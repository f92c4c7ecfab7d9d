"""Names in the cells of a table: read back as they were, and never computed by a spreadsheet.

A spreadsheet takes a cell that begins with ``=``, ``+``, ``-`` or ``@`` for a formula, quoted or
not, and a formula can start programs and send data away. Such a cell gets an apostrophe in front,
which makes it text. ``+8q`` and ``-7q`` are names of real events; they are written ``'+8q``,
``'-7q`` and read back without the apostrophe.
"""

import re

from caprese.io.text.escapes import escaped, unescaped

_FORMULA = re.compile("'*[=+\\-@\uff1d\uff0b\uff0d\uff20]")  # the last four are their wide forms
_GUARDED = re.compile("'" + _FORMULA.pattern)
_NEEDS_QUOTES = re.compile(r'[\s",;]')


def inert(name: str) -> str:
    r"""Return a name as a cell holds it, before quotes: one line, and no formula.

    Examples
    --------
    >>> print(inert("8q+"), inert("-7q"), inert("=1+1"), inert("'-7q"), inert("a\tb"))
    8q+ '-7q '=1+1 ''-7q a\u0009b
    """
    text = escaped(name)
    return "'" + text if _FORMULA.match(text) else text


def name_in(cell: str) -> str:
    """Return the name that `inert` was given; blanks around the cell are no part of it.

    Examples
    --------
    >>> name_in("'-7q"), name_in(" 8q+ "), name_in("5'UTR")
    ('-7q', '8q+', "5'UTR")
    """
    text = cell.strip()
    return unescaped(text[1:] if _GUARDED.match(text) else text)


def quoted_cell(name: str) -> str:
    """Return a name as it stands in a delimited file.

    More is quoted than CSV asks for, so that no name is taken for another delimiter.

    Examples
    --------
    >>> print(quoted_cell("8q+"), quoted_cell("-7q; -5q"), quoted_cell('a "b" c'))
    8q+ "'-7q; -5q" "a ""b"" c"
    """
    text = inert(name)
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text
