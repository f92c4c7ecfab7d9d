"""The answer: what the judged methods say together, what is known, and what to do next."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from caprese.assessment.answer import Answer
from caprese.assessment.known import KnownOrders
from caprese.methods.fit import Fit
from caprese.plots.progression.known import known_figure
from caprese.report.content import (
    Block,
    Notice,
    Paragraph,
    Picture,
    Section,
    Table,
    columns,
    section,
)
from caprese.text.answer import answer_sentences, headline
from caprese.text.comparison import word_sentence
from caprese.text.directions import ABOUT
from caprese.text.facts import Names, names_of, visible_name
from caprese.text.known import TITLES, basis_sentence, known_rows, known_sentence, rest_sentence
from caprese.text.sentences import Sentence, plain


@section("answer", "Is there an order?")
def answer_section(answer: Answer) -> Iterator[Block]:
    """Return whether there is an order, what is known of it, and what to do next."""
    known = answer.known
    names = visible_name if known is None else names_of(known.events)
    yield Paragraph((headline(answer),))
    yield from map(Paragraph, answer_sentences(answer, names))
    if known is not None and known.orders:
        yield _picture(known, names)


def _picture(known: KnownOrders, names: Names) -> Picture:
    return Picture(
        "known",
        f"A drawing of what is known of the order. {plain(known_sentence(known, names))}",
        ("What is known of the order; events without a known place stand apart.",),
        lambda: known_figure(known),
    )


@section("known", "What is known of the order")
def known_section(known: KnownOrders) -> Iterator[Block]:
    """Return the known orders as a table, and what they rest on."""
    names = names_of(known.events)
    if known.orders:
        rows = tuple(known_rows(known, names))
        caption: Sentence = (
            "Each known order that does not follow from others, the most probable first.",
        )
        yield Table(caption, columns(*TITLES), rows, name="known")
    else:
        yield Paragraph(known_sentence(known, names))
    yield from (
        Paragraph(each) for each in (rest_sentence(known, names), basis_sentence(known)) if each
    )
    yield Paragraph((ABOUT,))


def beside_the_word(own: Section, answer: Answer | None, fit: Fit[Any, Any]) -> Section:
    """Return a section about a fit, with what the judgement says of its method.

    If no order is supported, the section begins by saying so.
    """
    if answer is None or answer.judgement is None:
        return own
    judgement, place = answer.judgement, answer.place(fit)
    found: list[Block] = [*own.blocks]
    if place is not None:
        found.append(Paragraph(word_sentence(judgement, place)))
    if len(judgement.methods) > 1 and not judgement.supports_order:
        words = "No order is supported by these data; this is what was tried."
        found.insert(0, Notice.of(words))
    return replace(own, blocks=tuple(found))
