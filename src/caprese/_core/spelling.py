"""Spelling: suggestions for unknown words."""

from collections.abc import Iterable
from difflib import SequenceMatcher

_SIMILAR = 0.66  # of 1; one wrong letter in three is still similar
_PREFIX = 3  # letters that suffice if a known word starts with them


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
