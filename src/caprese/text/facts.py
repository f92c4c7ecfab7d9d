"""Facts in words: the one place that knows how remarks, notes and warnings are read."""

from collections.abc import Callable, Sequence

from caprese._core.facts import Fact
from caprese._core.words import number_of, percent, visible, with_error
from caprese.text.sentences import (
    SHORT,
    Event,
    Piece,
    Sentence,
    filled,
    listed,
    phrase,
    plain,
    shown_names,
)
from caprese.text.words import template_of

Names = Callable[[str], Event]
"""How an event is shown."""


def visible_name(name: str) -> Event:
    """Return an event as the terminal shows it."""
    return Event(visible(name))


def names_of(events: Sequence[str]) -> Names:
    """Return how the page shows events, also those that the curation has dropped."""
    shown = shown_names(events)
    return lambda name: shown.get(name) or Event(visible(name, SHORT))


def in_words(facts: Sequence[Fact]) -> list[str]:
    """Return facts as lines of text."""
    return [plain(sentence(fact)) for fact in facts]


def sentence(fact: Fact, names: Names = visible_name) -> Sentence:
    """Return a fact in words; one of a kind without `WORDS` by its kind, events and values."""
    events = [names(event) for event in fact.events]
    template = template_of(fact)
    if template is None:
        return _without_words(fact, events)
    return filled(template, lambda name, form: _field(fact, events, name, form))


def _without_words(fact: Fact, events: Sequence[Event]) -> Sentence:
    values = [
        f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}"
        for name, value in fact.values.items()
    ]
    more: list[Piece] = [*events, *map(visible, values)]
    kind = visible(fact.kind)
    return phrase("{kind}: {more}", kind=kind, more=listed(more)) if more else (kind,)


def _field(fact: Fact, events: Sequence[Event], name: str, form: str) -> Piece | Sentence:
    """Return what stands in a template for a field of this name and format."""
    if name not in fact.values:
        chosen = _chosen(fact, events, name)
        return listed(chosen, "or" if name == "any" else "and", most=int(form or 12))
    value = fact.values[name]
    if isinstance(value, str):
        return visible(value, int(form)) if form else visible(value)
    if form == "share":
        return percent(value)
    if form.startswith("±"):
        return with_error(float(value), float(fact.values[form[1:]]))
    return number_of(int(value), form) if len(form) > 1 and form[0].isalpha() else f"{value:{form}}"


def _chosen(fact: Fact, events: Sequence[Event], name: str) -> Sequence[Event | Sentence]:
    """Return the events that a field is for: some of them, pairs, or each with its value."""
    pairs = [
        phrase("{one} with {other}", one=one, other=other)
        for one, other in zip(events[::2], events[1::2], strict=False)
    ]
    if name == "shares":
        shares = [percent(float(fact.values[f"share {k}"])) for k in range(len(events))]
        each = zip(events, shares, strict=True)
        return [phrase("{event} ({share})", event=event, share=share) for event, share in each]
    if name == "p-values":
        return [
            phrase("{pair} (adjusted p {p})", pair=pair, p=f"{fact.values[f'p {k}']:.2g}")
            for k, pair in enumerate(pairs)
        ]
    if name == "pairs":
        return pairs
    some = {"first": slice(1), "last": slice(-1, None), "others": slice(1, None)}
    return events[some.get(name, slice(None))]
