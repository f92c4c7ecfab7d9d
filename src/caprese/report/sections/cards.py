"""The card of one sample: what was seen, what is probably there, and what comes next."""

import numpy as np

from caprese._core.words import percent
from caprese.patients.place import INTERVAL, UNUSUAL, Placement
from caprese.report.content import Block, Bullets, Column, Notice, Properties, Table
from caprese.text.patients import IMPOSSIBLE
from caprese.text.sentences import (
    Cell,
    Event,
    Number,
    Sentence,
    listed,
    phrase,
    share,
    shown_names,
)

_MOST_EVENTS = 60  # rows of a card; of more events, those that may be there
_DOUBTFUL = 0.01  # probability from which on an event may be there
_MOST_NEXT = 12
_LIKELY = 0.005  # probability from which on a next event is worth a row
_MOST_ORDERS = 5


def card(
    placed: Placement, row: int, about: tuple[tuple[Sentence, Sentence], ...] = ()
) -> tuple[Block, ...]:
    """Return all that is to be said of one sample; `about` comes first."""
    if not np.isfinite(placed.log_probabilities[row]):
        return (*_properties(placed, row, about)[:1], Notice((IMPOSSIBLE,)), _there(placed, row))
    return (
        *_properties(placed, row, about),
        *_changes(placed, row),
        _there(placed, row),
        *_coming(placed, row),
        *_orders(placed, row),
    )


def _properties(
    placed: Placement, row: int, about: tuple[tuple[Sentence, Sentence], ...]
) -> tuple[Properties, ...]:
    mean, low, high = placed.counts[row].tolist()
    typicality = float(placed.typicality[row])
    told = "does not fit the model" if typicality < UNUSUAL else "fits the model"
    items: list[tuple[Sentence, Sentence]] = [
        *about,
        (
            ("Events that are there",),
            (f"{mean:.1f} of {len(placed.events)} ({percent(INTERVAL)}: {low:.0f} to {high:.0f})",),
        ),
        (phrase("[typicality|Typicality]"), (f"{percent(typicality, 1)}: {told}",)),
    ]
    if placed.subtypes.size:
        best = int(placed.subtypes[row].argmax())
        chance = percent(float(placed.subtypes[row, best]))
        items.append((phrase("[subtype|Subtype]"), (f"{best + 1} ({chance})",)))
    return (Properties(tuple(items)),)


def _changes(placed: Placement, row: int) -> tuple[Bullets, ...]:
    """Return what is probably wrong in what was seen, and what unknown entries probably are."""
    names, chances = _names(placed), placed.event_probabilities[row]
    known = placed.known[row]
    cases = (
        ("{event} was probably missed: {chance}.", placed.missed[row] & known, chances),
        ("{event} was probably seen wrongly: {chance}.", placed.wrongly_seen[row], 1 - chances),
        ("{event} is unknown, and probably there: {chance}.", placed.missed[row] & ~known, chances),
    )
    items = tuple(
        phrase(words, event=names[k], chance=percent(float(values[k])))
        for words, chosen, values in cases
        for k in np.flatnonzero(chosen)
    )
    return (Bullets(items),) if items else ()


def _there(placed: Placement, row: int) -> Table:
    names, chances = _names(placed), placed.event_probabilities[row]
    known, values = placed.known[row], placed.data.values[row]
    shown = range(len(names))
    if len(names) > _MOST_EVENTS:
        worth = values | ~(chances < _DOUBTFUL)
        shown = np.flatnonzero(worth)[:_MOST_EVENTS].tolist()
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            (names[k],),
            ("seen" if values[k] else "not seen" if known[k] else "unknown",),
            Number("", None) if np.isnan(chances[k]) else share(float(chances[k])),
        )
        for k in shown
    )
    more = len(names) - len(rows)
    caption = "What is there." + (f" {more} more events are not." if more else "")
    columns = tuple(map(Column, ("event", "seen", "probability")))
    return Table((caption,), columns, rows, bars=(2,), plain=True)


def _coming(placed: Placement, row: int) -> tuple[Table, ...]:
    coming = [e for e in placed.next_events(placed.samples[row]) if e.probability >= _LIKELY]
    names = dict(zip(placed.events, _names(placed), strict=True))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            (names[each.event],),
            share(each.probability),
            Number(f"{each.median_time:.2g}", each.median_time),
        )
        for each in coming[:_MOST_NEXT]
    )
    columns = (Column("event"), Column("probability"), Column("median time", "median time"))
    caption = "What comes next." if rows else "Nothing is left to come."
    return (Table((caption,), columns, rows, bars=(1,), plain=True),)


def _orders(placed: Placement, row: int) -> tuple[Table, ...]:
    found = placed.orders(placed.samples[row], _MOST_ORDERS)
    if not found.orders or len(found.orders[0]) < 2:
        return ()
    names = dict(zip(placed.events, _names(placed), strict=True))
    errors = found.errors or (0.0,) * len(found.orders)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            listed([names[event] for event in order], separator=" → ", most=40),
            Number(percent(chance), chance, f"± {percent(error)}" if error else ""),
        )
        for order, chance, error in zip(found.orders, found.probabilities, errors, strict=True)
    )
    columns = (Column("order"), Column("probability"))
    return (Table(("The likeliest orders.",), columns, rows, bars=(1,), plain=True),)


def _names(placed: Placement) -> tuple[Event, ...]:
    return tuple(shown_names(placed.events).values())
