"""Names in the cells of a table.

A cell holds the name itself: ``-7q`` is written ``-7q``. A spreadsheet, however, takes a cell that
begins with ``=``, ``+``, ``-`` or ``@`` for a formula, in quotes or not, and a formula from an
untrusted source can start programs or send data away. The option `guard_formulas` of the writers
puts an apostrophe before such names, ``'-7q``, which makes them text in a spreadsheet.

Every reader removes an apostrophe that is followed by one of these characters, and no other: the
guarded ``'-7q`` is read as ``-7q``, while ``'x`` and ``5'UTR`` are read as they are. A name that
itself begins like a guarded one gets a second apostrophe, so that every name is read back.
"""

import re

from caprese.io.text.escapes import escaped, unescaped

_FORMULA = re.compile("'*[=+\\-@\uff1d\uff0b\uff0d\uff20]")  # the last four are full-width forms
_GUARDED = re.compile("'" + _FORMULA.pattern)
_NEEDS_QUOTES = re.compile(r'[\s",;]')


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
