"""The card of one sample: what was seen, what is probably there, and what comes next."""

import numpy as np

from caprese.patients.place import Placement
from caprese.report.content import Block, Bullets, Properties, Table, columns
from caprese.text.facts import Names, names_of
from caprese.text.patients import next_rows, order_rows, sample_sentences
from caprese.text.sentences import NOTHING, Cell, Sentence, share

_MOST_EVENTS = 60  # rows of a card; of more events, those that may be there
_DOUBTFUL = 0.01  # probability from which on an event may be there
_MOST_NEXT = 12
_MOST_ORDERS = 5


def card(
    placed: Placement, row: int, about: tuple[tuple[Sentence, Sentence], ...] = ()
) -> tuple[Block, ...]:
    """Return all that is to be said of one sample; `about` comes first."""
    names = names_of(placed.events)
    blocks: list[Block] = [Properties(about)] if about else []
    blocks += [Bullets(tuple(sample_sentences(placed, row, names))), _there(placed, row, names)]
    if np.isfinite(placed.log_probabilities[row]):
        blocks += [_coming(placed, row, names), *_orders(placed, row, names)]
    return tuple(blocks)


def _there(placed: Placement, row: int, names: Names) -> Table:
    chances = placed.event_probabilities[row]
    known, values = placed.known[row], placed.data.values[row]
    shown = list(range(len(placed.events)))
    if len(shown) > _MOST_EVENTS:
        worth = values | ~(chances < _DOUBTFUL)
        shown = np.flatnonzero(worth)[:_MOST_EVENTS].tolist()
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            (names(placed.events[k]),),
            ("seen" if values[k] else "not seen" if known[k] else "unknown",),
            NOTHING if np.isnan(chances[k]) else share(float(chances[k])),
        )
        for k in shown
    )
    more = len(placed.events) - len(rows)
    caption = "What is there." + (f" {more} more events are not." if more else "")
    return Table((caption,), columns("event", "seen", "probability"), rows, bars=(2,), plain=True)


def _coming(placed: Placement, row: int, names: Names) -> Table:
    rows = tuple(next_rows(placed, row, names)[:_MOST_NEXT])
    titles = columns("event", "probability", "[median time]")
    caption = "What comes next." if rows else "Nothing is left to come."
    return Table((caption,), titles, rows, bars=(1,), plain=True)


def _orders(placed: Placement, row: int, names: Names) -> tuple[Table, ...]:
    found = placed.orders(placed.samples[row], _MOST_ORDERS)
    if not found.orders or len(found.orders[0]) < 2:
        return ()
    titles, rows = columns("order", "probability"), tuple(order_rows(found, names))
    return (Table(("The likeliest orders.",), titles, rows, bars=(1,), plain=True),)
