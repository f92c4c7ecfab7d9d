"""Directions in words: what each stated order rests on."""

from collections.abc import Iterator, Sequence
from typing import Any

from caprese.assessment.directions import Direction, Rests, are_quick_to_turn, directions
from caprese.assessment.known import KnownOrder
from caprese.methods.fit import Fit
from caprese.text.facts import Names, visible_name
from caprese.text.sentences import NOTHING, Cell, Number, Sentence, joined, listed, phrase, plain

_ARE = {
    Rests.SEEN: "was seen|were seen",
    Rests.ASSUMED: "is implied, if the later event needs the earlier one|are implied, if the later "
    "event needs the earlier one",
    Rests.OPEN: "is not determined by these data|are not determined by these data",
}
ABOUT = (
    "A table of which events each sample has hardly tells which of two came first. An order counts "
    "as seen if seen orders agree with it beyond chance. It is implied if the data become at least "
    "20 times less probable when the edge is turned round: this holds if the later event needs the "
    "earlier one. Otherwise it is not determined by these data."
)


def direction_sentence(found: Sequence[Direction], names: Names = visible_name) -> Sentence:
    """Return which orders were seen, which are implied, and which are not determined."""
    parts = []
    for rests, words in _ARE.items():
        own = [order_name(each, names) for each in found if each.rests == rests]
        if own:
            one, several = words.split("|")
            parts.append(
                phrase(f"{{orders}} {several if len(own) > 1 else one}", orders=listed(own))
            )
    contradicted = [order_name(each, names) for each in found if each.contradicted]
    against = phrase("Seen orders contradict {orders}.", orders=listed(contradicted))
    said = listed(parts, separator="; ", most=len(parts))
    return joined([phrase("Directions: {said}.", said=said), against if contradicted else ()])


def stated_directions(fit: Fit[Any, Any], names: Names = visible_name) -> Sentence:
    """Return what the directions of a fit rest on; empty if it has none, or if it takes long."""
    found = directions(fit) if are_quick_to_turn(fit) else ()
    return direction_sentence(found, names) if found else ()


def direction_lines(fit: Fit[Any, Any]) -> list[str]:
    """Return what the directions of a fit rest on, for the terminal."""
    found = stated_directions(fit)
    return [plain(found)] if found else []


def direction_rows(
    found: Sequence[Direction], names: Names = visible_name
) -> Iterator[tuple[Cell, ...]]:
    """Yield the cells of a table: the order, what it rests on, seen orders, what the data lose."""
    for each in found:
        seen = f"{each.agree} of {each.agree + each.disagree}" if each.agree + each.disagree else ""
        lost = [
            NOTHING if value is None else Number(f"{value:.1f}", value)
            for value in (each.lost, each.both)
        ]
        yield (order_name(each, names), (str(each.rests),), (seen,), *lost)


def order_name(found: Direction | KnownOrder, names: Names = visible_name) -> Sentence:
    """Return an order of two events in words."""
    return phrase(
        "{earlier} before {later}", earlier=names(found.earlier), later=names(found.later)
    )
