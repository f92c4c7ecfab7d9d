"""One budget: the memory that the content of a file may take while it is read, or an answer.

A small file can hold an enormous table: compressed zeros, a sequence stored as its two ends, a
column stored as one value and a count. Every reader estimates what it needs before it takes it,
and refuses what exceeds the budget; so does what grows with a number that a user types.
"""

import os
import re

from caprese._core.words import duration
from caprese.errors import CapreseError

VARIABLE = "CAPRESE_MEMORY"
"""The environment variable that sets the budget, such as ``8G``."""

DEFAULT = 4 * 2**30

LONGEST = 365 * 86_400.0
"""Seconds of one core that a computation may take."""

_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_SIZE = re.compile(r"(\d{1,15})\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)


def budget() -> int:
    """Return the number of bytes that reading a file may take."""
    given = os.environ.get(VARIABLE, "").strip()
    if not given:
        return DEFAULT
    size = _SIZE.fullmatch(given)
    if size is None or int(size[1]) == 0:
        raise CapreseError(f"{VARIABLE} must be a size such as 4G or 500M, got {given!r}")
    return int(size[1]) * _UNITS[size[2].upper()]


def share(divisor: int) -> int:
    """Return the size that content may have if it takes `divisor` times as much memory."""
    return budget() // divisor


def check_size(what: str, size: int) -> None:
    """Refuse what would take so many bytes, if they exceed the budget."""
    if size > budget():
        raise CapreseError(f"{what}: {exceeded()}")


def check_time(what: str, seconds: float) -> None:
    """Refuse what would take so many seconds, if nobody can wait for it."""
    if seconds > LONGEST:
        raise CapreseError(f"{what} would take about {duration(seconds)}, which is too long")


def exceeded() -> str:
    """Return the end of a message about content that exceeds the budget."""
    limit = f"more than {size_words(budget())} of memory"
    return f"this would take {limit}, the limit that {VARIABLE} sets"


def size_words(size: float) -> str:
    """Return a number of bytes in words."""
    for unit, least in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if size >= least:
            return f"{size / least:.3g} {unit}"
    return f"{size:.0f} bytes"
