"""Words: names and numbers as text, and suggestions for words that are not known."""

import math
from collections.abc import Iterable
from difflib import SequenceMatcher
from html import escape
from typing import Any

LONGEST_NAME = 60  # characters of a name on a line of text
_SIMILAR = 0.66  # of 1; one wrong letter in three is still similar
_MOST_ROWS = 20  # of a table in a notebook
_PREFIX = 3  # letters that suffice if a known word starts with them
_MOST_DIGITS = 6  # decimals of a number with an error


def visible(text: str, longest: int = LONGEST_NAME) -> str:
    """Return a text in printable characters, its middle replaced by an ellipsis if it is long."""
    characters = "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)
    if len(characters) <= longest:
        return characters
    before = longest // 2
    return characters[:before] + "…" + characters[before + 1 + len(characters) - longest :]


def number_of(number: int, noun: str) -> str:
    """Return a number with its noun in the singular or plural."""
    return f"{number} {noun}{'s' * (number != 1)}"


def percent(share: float, digits: int = 0) -> str:
    """Return a proportion as a percentage; only 0 is printed as 0 %, only 1 as 100 %."""
    least = 10.0**-digits
    if 0 < 100 * share <= least / 2:
        return f"<{least:g} %"
    if 100 - least / 2 <= 100 * share < 100:
        return f">{100 - least:g} %"
    return f"{100 * share:.{digits}f} %"


def digits_of(errors: Iterable[float]) -> int:
    """Return how many decimals show numbers with these errors: two, or more to show each error.

    Examples
    --------
    >>> digits_of([0.11, 0.04]), digits_of([0.11, 0.0042]), digits_of([0.0])
    (2, 3, 2)
    """
    needed = (math.ceil(-math.log10(each)) for each in errors if 0 < each < math.inf)
    return min(max([2, *needed]), _MOST_DIGITS)


def with_error(value: float, error: float, digits: int | None = None) -> str:
    """Return a number with its standard error, in as many decimals as the error needs.

    Examples
    --------
    >>> with_error(0.441, 0.108), with_error(-0.0004, 0.0021), with_error(0.2, math.inf)
    ('0.44 ± 0.11', '0.000 ± 0.002', '0.20')
    """
    digits = digits_of([error]) if digits is None else digits
    shown = f"{value:z.{digits}f}"
    return f"{shown} ± {error:.{digits}f}" if math.isfinite(error) else shown


def listing(items: Iterable[str], most: int = 5) -> str:
    """Return items separated by commas: the first ones, and how many more there are."""
    given = list(items)
    shown = (visible(item) for item in given[:most])
    rest = f" and {len(given) - most} more" if len(given) > most else ""
    return ", ".join(shown) + rest


def described(text: str, table: Any) -> str:
    """Return a result for a notebook: what it is, and its table, a frame, as HTML."""
    return f"<p>{escape(text)}</p>{table.to_html(max_rows=_MOST_ROWS)}"


def duration(seconds: float) -> str:
    """Return about how long something takes, in the largest unit that fits."""
    for unit, length in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds >= 1.5 * length:
            return number_of(round(seconds / length), unit)
    return number_of(max(1, round(seconds)), "second")


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the most similar known word; None if none is similar enough to suggest."""
    similarity = {each: _similarity(_normalised(word), _normalised(each)) for each in known}
    best = max(similarity, key=similarity.__getitem__, default="")
    return best if similarity.get(best, 0.0) >= _SIMILAR else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the end of a message that suggests a known word; empty if none is similar enough."""
    meant = nearest(word, known)
    return "" if meant is None else f"; did you mean {meant!r}?"


def _normalised(word: str) -> str:
    """Return the word in lower case, without the dashes of options and the dots of suffixes."""
    return word.lower().lstrip("-.")


def _similarity(word: str, known: str) -> float:
    if len(word) >= _PREFIX and known.startswith(word):
        return 1.0
    return SequenceMatcher(None, word, known).ratio()
