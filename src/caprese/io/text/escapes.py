r"""Names of any signs in formats that cannot hold them all.

XML has no control characters, a line of a table no line ends, a tree in Newick format none of
both. Signs that cannot be seen, and blanks at either end, are therefore spelled out the same way in
every file for other programs: ``\u000a``. Reading a file back undoes it.
"""

import re

_SPELLED = re.compile(r"\\(?:u[0-9a-f]{4}|U00(?:0[0-9a-f]|10)[0-9a-f]{4})")


def escaped(text: str) -> str:
    r"""Return a text with everything that cannot be seen spelled out; most names stay as they are.

    Examples
    --------
    >>> print(escaped("8q+"), escaped("C:\\temp"), escaped("a\nb "), escaped("\\u0041"))
    8q+ C:\temp a\u000ab\u0020 \u005cu0041
    """
    unlike = _SPELLED.sub(lambda found: _spelled("\\") + found.group()[1:], text)
    signs = "".join(sign if sign.isprintable() else _spelled(sign) for sign in unlike)
    right, inner = signs.lstrip(" "), signs.strip(" ")
    before, after = len(signs) - len(right), len(right) - len(inner)
    return _spelled(" ") * before + inner + _spelled(" ") * after


def unescaped(text: str) -> str:
    r"""Return what `escaped` was given.

    Examples
    --------
    >>> unescaped(escaped(" a\0b"))
    ' a\x00b'
    """
    return _SPELLED.sub(lambda found: chr(int(found.group()[2:], base=16)), text)


def _spelled(sign: str) -> str:
    return f"\\u{ord(sign):04x}" if ord(sign) <= 0xFFFF else f"\\U{ord(sign):08x}"
