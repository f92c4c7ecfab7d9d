"""Spelling: what a user may have meant by a word that is not known."""

from collections.abc import Iterable
from difflib import SequenceMatcher

_NEAR = 0.66  # share of letters that agree; one wrong letter in three is still near
_OPENING = 3  # letters that are enough of a word, if it goes on like that


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is most like this one; None if none is near enough to suggest.

    Examples
    --------
    >>> nearest("ovarion", ["ovarian", "acml"])
    'ovarian'
    >>> nearest("boot", ["fit", "bootstrap"])
    'bootstrap'
    >>> nearest("gastric", ["ovarian", "acml"])
    """
    likeness = {each: _likeness(_bare(word), _bare(each)) for each in known}
    best = max(likeness, key=likeness.__getitem__, default="")
    return best if likeness.get(best, 0.0) >= _NEAR else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the end of a message that suggests a known word; empty if none is near enough.

    Examples
    --------
    >>> did_you_mean("oncotre", ["caprese", "oncotree"])
    "; did you mean 'oncotree'?"
    >>> did_you_mean("magic", ["caprese", "oncotree"])
    ''
    """
    meant = nearest(word, known)
    return "" if meant is None else f"; did you mean {meant!r}?"


def _bare(word: str) -> str:
    """Return the letters; dashes of options and dots of endings are no likeness."""
    return word.lower().lstrip("-.")


def _likeness(word: str, known: str) -> float:
    if len(word) >= _OPENING and known.startswith(word):
        return 1.0
    return SequenceMatcher(None, word, known).ratio()
