"""What is known of the order of events, in words."""

from collections.abc import Iterator, Sequence
from itertools import compress

import numpy as np

from caprese._core.words import number_of, percent
from caprese.assessment.directions import Rests
from caprese.assessment.known import KnownOrder, KnownOrders
from caprese.text.columns import aligned, separated
from caprese.text.comparison import caution_sentence, verdict_sentence
from caprese.text.directions import order_name
from caprese.text.facts import Names, visible_name
from caprese.text.sentences import Cell, Sentence, joined, listed, phrase, plain, share, text_of
from caprese.text.style import Style
from caprese.text.style import plain as unstyled

_MOST = 8  # orders and events in a sentence; tables and pictures have all
_BY_DIRECTION = {
    Rests.SEEN: "Known, with {bound} or more, and seen in samples: {all}.",
    Rests.ASSUMED: "Known, with {bound} or more, if the later event needs the earlier one: {all}.",
    Rests.OPEN: "Stated with {bound} or more, but these data do not determine the direction: "
    "{all}.",
}

TITLES = ("order", "probability", "rests on")


def known_sentence(found: KnownOrders, names: Names = visible_name) -> Sentence:
    """Return which orders are known, by what their direction rests on."""
    bound = percent(found.threshold)
    if not found.supported:
        return ("No order of two events is known: none is supported by held-out samples.",)
    if not found.parts:
        counts = " that counts" if found.doubted else ""
        return (f"No part of the model states an order of events{counts}.",)
    if not found.orders:
        return (f"No order of two events has a probability of {bound} or more.",)
    groups = (
        (words, [each for each in found.orders if each.direction.rests == rests])
        for rests, words in _BY_DIRECTION.items()
    )
    return joined(
        [phrase(words, bound=bound, all=_orders(own, names)) for words, own in groups if own]
    )


def rest_sentence(found: KnownOrders, names: Names = visible_name) -> Sentence:
    """Return which events have no known place, what models disagree on, and what is too weak."""
    if not found.supported:
        return ()
    bound, weaker = percent(found.threshold), found.weaker
    pairs = [
        phrase("{one} against {other}", one=names(each.earlier), other=names(each.later))
        for each in found.disagreements
    ]
    unplaced = [names(event) for event in found.unplaced]
    unsure = f"{number_of(weaker, 'weaker order')}, between 50 % and {bound},"
    groups = (
        ("The place of {all} is not known.", unplaced),
        ("Models disagree on the order of {all}.", pairs),
    )
    said = [phrase(words, all=listed(own, most=_MOST)) for words, own in groups if own]
    if weaker:
        said.append((f"{unsure} {'is' if weaker == 1 else 'are'} not known.",))
    return joined(said)


def basis_sentence(found: KnownOrders) -> Sentence:
    """Return which models state orders, and what share of the whole they have."""
    if not found.supported:
        return ()
    doubted = phrase(
        "{parts} {do} not count, because {its} [chain|chains] found different answers.",
        parts=listed([*found.doubted]),
        do="does" if len(found.doubted) == 1 else "do",
        its="its" if len(found.doubted) == 1 else "their",
    )
    return joined([_stated_by(found), doubted if found.doubted else ()])


def _stated_by(found: KnownOrders) -> Sentence:
    if not found.parts:
        return ()
    if ((found.by_part == 0) | (found.by_part == 1)).all():
        return _stated_surely(found)
    shares = [
        f"{part} ({percent(float(weight * found.stating))})"
        for part, weight in zip(found.parts, found.weights, strict=True)
    ]
    rest = 1 - found.stating
    none = "state no order" if not found.doubted else "state no order that counts"
    silent = f"; parts with {percent(rest)} of the weight {none}" if rest > 0.005 else ""
    return phrase("As stated by {parts}{silent}.", parts=listed(shares), silent=silent)


def _stated_surely(found: KnownOrders) -> Sentence:
    """Return which models state orders as if they were sure, and which none."""
    some = np.asarray(found.by_part.any(axis=(1, 2)))
    groups = (
        ("{parts} {state} orders without saying how probable they are.", some),
        ("{parts} {state} no order.", ~some),
    )
    return joined(
        [
            phrase(words, parts=listed(own), state="states" if len(own) == 1 else "state")
            for words, chosen in groups
            if (own := [*compress(found.parts, chosen)])
        ]
    )


def known_rows(found: KnownOrders, names: Names = visible_name) -> Iterator[tuple[Cell, ...]]:
    """Yield the cells of a table: the order, its probability, and what its direction rests on."""
    for each in found.orders:
        direction = each.direction
        seen = f": {direction.agree} of {direction.agree + direction.disagree}"
        more = seen if direction.rests == Rests.SEEN else ""
        yield order_name(each, names), share(each.probability), (f"{direction.rests}{more}",)


def known_lines(found: KnownOrders, style: Style = unstyled, width: int | None = None) -> list[str]:
    """Return the lines that show what is known: a sentence, a table, and what is not known."""
    events = number_of(len(found.events), "event")
    rows = [list(TITLES), *([text_of(cell) for cell in row] for row in known_rows(found))]
    word = (
        [] if found.word is None else [verdict_sentence(found.word), caution_sentence(found.word)]
    )
    return separated(
        [plain(words) for words in word if words],
        [style(f"What is known of the order of {events}", "title")],
        aligned(rows, width=width) if found.orders else [plain(known_sentence(found))],
        [line for line in map(plain, (rest_sentence(found), basis_sentence(found))) if line],
    )


def _orders(orders: Sequence[KnownOrder], names: Names) -> Sentence:
    each = [
        phrase(
            "{order} ({share})", order=order_name(order, names), share=percent(order.probability)
        )
        for order in orders
    ]
    return listed(each, most=_MOST)
