"""Sentences whose parts are kept apart: words, names of events, terms and links.

The terminal prints them as plain text. The page shows the full name of an event and the definition
of a term on request, and can escape names safely.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter

from caprese._core.names import numbered
from caprese._core.significance import UNBOUNDED_RATE
from caprese._core.words import percent, visible

SHORT = 40  # characters of a name in a sentence
LONG = 300  # characters of a name up to which the page offers it in full

_TERM = re.compile(r"\[([A-Za-z- ]+)(?:\|([^]]+))?\]")
_LARGE, _SMALL = 10_000, 0.001


@dataclass(frozen=True)
class Event:
    """The name of an event: as it is shown, and in full if that is longer but at most `LONG`."""

    shown: str
    full: str = ""


@dataclass(frozen=True)
class Term:
    """A technical term: the key of its definition in the glossary, and the word in the text."""

    key: str
    text: str


@dataclass(frozen=True)
class Link:
    """Words that lead to another page."""

    text: str
    address: str


@dataclass(frozen=True)
class Number:
    """A number as it is shown, and the value by which it is sorted; None if there is no value."""

    text: str
    value: float | None
    aside: str = ""  # such as its interval
    doubtful: bool = False  # whether it is evidence against an edge


NOTHING = Number("", None)

Piece = str | Event | Term | Link
Sentence = tuple[Piece, ...]
Cell = Sentence | Number


def phrase(template: str, **parts: Piece | Sentence) -> Sentence:
    """Return a sentence from a template.

    ``{name}`` stands for a part, ``[term]`` or ``[term|word]`` for a term of the glossary. Parts
    are inserted as they are and never parsed, so that names may hold any characters.
    """
    return filled(template, lambda name, _form: parts[name])


def filled(template: str, part: Callable[[str, str], Piece | Sentence]) -> Sentence:
    """Return a sentence from a template, with a part for the name and the format of each field."""
    pieces: list[Piece] = []
    for words, name, form, _ in Formatter().parse(template):
        pieces += _with_terms(words)
        if name is not None:
            found = part(name, form or "")
            pieces += found if isinstance(found, tuple) else (found,)
    return tuple(piece for piece in pieces if piece != "")


def listed(
    items: Sequence[Piece | Sentence], word: str = "and", *, separator: str = "", most: int = 12
) -> Sentence:
    """Return items separated by commas, with a word before the last one, or by `separator`.

    After the first `most` items, only the number of the others is shown.
    """
    shown = [item if isinstance(item, tuple) else (item,) for item in items[:most]]
    if len(items) > most:
        shown.append((f"{len(items) - most} more",))
    pieces: list[Piece] = []
    for place, item in enumerate(shown):
        last = place == len(shown) - 1
        if place:
            pieces.append(separator or (f" {word} " if last else ", "))
        pieces += item
    return tuple(pieces)


def joined(sentences: Sequence[Sentence]) -> Sentence:
    """Return several sentences as one, separated by spaces; empty ones are omitted."""
    return listed([*filter(None, sentences)], separator=" ", most=len(sentences))


def as_sentence(words: Sentence) -> Sentence:
    """Return words with a capital letter and a full stop."""
    first, *rest = words
    start = f"{first[:1].upper()}{first[1:]}" if isinstance(first, str) else first
    return (start, *rest, ".")


def plain(sentence: Sentence) -> str:
    """Return a sentence as text."""
    return "".join(
        piece if isinstance(piece, str) else piece.shown if isinstance(piece, Event) else piece.text
        for piece in sentence
    )


def text_of(cell: Cell) -> str:
    """Return a cell of a table as text, without the interval of a number."""
    return cell.text if isinstance(cell, Number) else plain(cell)


def shown_names(events: Sequence[str]) -> Mapping[str, Event]:
    """Return each event as it is shown: without invisible characters, short, and distinct."""
    short = numbered(visible(event, SHORT) for event in events)
    return {
        event: Event(name, "" if len(event) <= SHORT or len(event) > LONG else visible(event, LONG))
        for event, name in zip(events, short, strict=True)
    }


def share(value: float, interval: tuple[float, float] | None = None) -> Number:
    """Return a share in percent, with its interval if there is one."""
    aside = "" if interval is None else " to ".join(map(percent, interval))
    return Number(percent(value), value, aside)


def count(value: int) -> Number:
    """Return a number of things."""
    return Number(str(value), int(value))


def p_value(value: float | None, significant: float) -> Number:
    """Return a p-value, if there is one; it is doubtful if it is not below the level."""
    if value is None:
        return NOTHING
    text = f"<{_SMALL}" if value < _SMALL else f"{value:.3f}"
    return Number(text, value, doubtful=value >= significant)


def decimal(value: float) -> Number:
    """Return a number with three decimals, a large one with two digits; NaN as an empty text."""
    if math.isnan(value):
        return NOTHING
    return Number(f"{value:.3f}" if abs(value) < _LARGE else f"{value:.2g}", value)


def quantity(name: str, value: float) -> Number:
    """Return a number that a model gives to an event; a rate without an upper bound in words."""
    if name == "rate" and value >= UNBOUNDED_RATE:
        return Number("unbounded", value)
    return decimal(value)


def _with_terms(words: str) -> Iterator[Piece]:
    end = 0
    for found in _TERM.finditer(words):
        yield words[end : found.start()]
        yield Term(found[1], found[2] or found[1])
        end = found.end()
    yield words[end:]
