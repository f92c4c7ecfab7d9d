r"""Names of any characters in formats that cannot hold all of them.

XML has no control characters, a line of a table no line ends, a Newick tree neither. Invisible
characters, and spaces at either end, are therefore escaped in the same way in every file for other
programs, as in ``\u000a``. Reading a file back restores them.
"""

import re

_ESCAPE = re.compile(r"\\(?:u[0-9a-f]{4}|U00(?:0[0-9a-f]|10)[0-9a-f]{4})")


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


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
