"""The answer: what the judged methods say together, what is known, and what to do next."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from caprese._core.words import number_of, percent
from caprese.assessment.answer import Answer
from caprese.assessment.known import KnownOrders
from caprese.methods.fit import Fit
from caprese.plots.progression.known import known_figure
from caprese.report.content import (
    Block,
    Inside,
    Paragraph,
    Picture,
    Properties,
    Section,
    Step,
    Sure,
    Table,
    columns,
    long_list,
    section,
)
from caprese.text.answer import answer_parts, headline
from caprese.text.comparison import word_sentence
from caprese.text.directions import ABOUT
from caprese.text.facts import Names, names_of, visible_name
from caprese.text.known import TITLES, basis_sentence, known_rows, known_sentence, rest_sentence
from caprese.text.sentences import phrase, plain

Pairs = Sequence[tuple[str, str]]


@section("answer", "Is there an order?")
def answer_section(answer: Answer, exclusive: Pairs = ()) -> Iterator[Block | Inside]:
    """Return whether there is an order, what is known of it, and what to do next.

    The picture also shows pairs of events that exclude each other.
    """
    known = answer.known
    names = visible_name if known is None else names_of(known.events)
    yield Inside((headline(answer),), sure_of(answer))
    yield Paragraph((headline(answer),))
    yield Properties(tuple(((about,), said) for about, said in answer_parts(answer, names)))
    if known is not None and known.orders:
        yield _picture(known, names, exclusive)


def sure_of(answer: Answer) -> Sure:
    """Return how sure it is that there is an order, and which."""
    known = answer.known
    if known is None or not known.orders:
        return Sure.NO
    return Sure.YES if known.firm and not known.unplaced else Sure.PARTLY


def _picture(known: KnownOrders, names: Names, exclusive: Pairs) -> Picture:
    return Picture(
        "known",
        f"A drawing of what is known of the order. {plain(known_sentence(known, names))}",
        (_caption(known),),
        lambda: known_figure(known, exclusive),
        _as_list(known, names),
    )


def _caption(known: KnownOrders) -> str:
    faded = " Weaker orders, which are not known, are faded." if known.faded.any() else ""
    apart = " Events without an order stand apart." if known.apart else ""
    return f"What is known of the order.{faded}{apart}"


def _as_list(known: KnownOrders, names: Names) -> tuple[Step, ...]:
    """Return the known orders as a list: what follows each event."""

    def step(event: str, path: tuple[str, ...] = ()) -> Step:
        own = [each for each in known.orders if each.earlier == event]
        chance = known.order(path[-1], event).probability if path else None
        said = phrase("{event}", event=names(event))
        if chance is not None:
            said = (*said, f" ({percent(chance)})")
        return Step(said, tuple(step(each.later, (*path, event)) for each in own))

    return tuple(step(event) for event in known.first)


@section("known", "What is known of the order")
def known_section(known: KnownOrders) -> Iterator[Block | Inside]:
    """Return the known orders as a table, and what they rest on."""
    names = names_of(known.events)
    yield _inside(known)
    first = () if known.orders else known_sentence(known, names)
    said = (first, rest_sentence(known, names), basis_sentence(known), (ABOUT,))
    yield from (Paragraph(each) for each in said if each)
    if known.orders:
        rows = tuple(known_rows(known, names))
        caption = phrase(
            "Each order with a probability of {bound} or more that does not follow from others, "
            "the most probable first. It is known if its direction rests on something.",
            bound=percent(known.threshold),
        )
        folded = long_list(rows, "order")
        yield Table(caption, columns(*TITLES), rows, folded, name="known")


def _inside(known: KnownOrders) -> Inside:
    orders, firm = len(known.orders), len(known.firm)
    sure = Sure.NO if not firm else Sure.YES if firm == orders else Sure.PARTLY
    return Inside.of(
        "{orders} with a probability of {bound} or more; the direction of {firm} rests on "
        "something.",
        sure,
        orders=number_of(orders, "order"),
        bound=percent(known.threshold),
        firm=str(firm) if firm < orders else "all",
    )


def beside_the_word(own: Section, answer: Answer | None, fit: Fit[Any, Any]) -> Section:
    """Return a section about a fit, with what the judgement says of its method."""
    if answer is None or answer.judgement is None:
        return own
    judgement, place = answer.judgement, answer.place(fit)
    if place is None:
        return own
    return replace(own, blocks=(*own.blocks, Paragraph(word_sentence(judgement, place))))
