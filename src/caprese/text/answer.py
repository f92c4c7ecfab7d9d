"""The answer in words: whether there is an order, what is known of it, and what to do next."""

from collections.abc import Iterator

from caprese._core.words import number_of
from caprese.assessment.answer import Answer
from caprese.text.comparison import (
    caution_sentence,
    next_sentence,
    next_steps,
    plan_sentence,
    verdict_sentence,
)
from caprese.text.facts import Names, visible_name
from caprese.text.known import known_sentence, rest_sentence
from caprese.text.sentences import Sentence, joined, phrase, plain
from caprese.text.style import Style
from caprese.text.style import plain as unstyled

NEXT = "Next"
"""What the last part of an answer is about."""


def headline(answer: Answer) -> str:
    """Return in a few words whether there is an order."""
    judgement, known = answer.judgement, answer.known
    if judgement is None:
        return "There are too few samples to tell."
    if len(judgement.methods) == 1:
        return "Not judged."
    if not judgement.supports_order:
        return "None is supported by these samples."
    if known is None or not known.orders:
        return "Events depend on each other, but no order of two of them is known."
    if not known.firm:
        return "Events depend on each other, but these data do not tell which of them come first."
    orders, apart = number_of(len(known.firm), "order"), number_of(len(known.unplaced), "event")
    rest = f"; the place of {apart} is not" if known.unplaced else ""
    return f"Yes: {orders} of events {'is' if len(known.firm) == 1 else 'are'} known{rest}."


def answer_sentences(answer: Answer, names: Names = visible_name) -> Iterator[Sentence]:
    """Yield the verdict, what is known and what it rests on, and what to do next.

    With a plan, also how many samples would decide what is open.
    """
    for about, said in answer_parts(answer, names):
        if about == NEXT and answer.judgement is not None:
            yield next_sentence(answer.judgement)
        else:
            yield said


def answer_parts(answer: Answer, names: Names = visible_name) -> Iterator[tuple[str, Sentence]]:
    """Yield the same, each sentence with what it is about."""
    judgement, known = answer.judgement, answer.known
    yield "Prediction", verdict_sentence(answer.word)
    if judgement is None:
        return
    if judgement.cautions:
        yield "Caution", caution_sentence(judgement)
    if known is not None:
        yield "Orders", joined([known_sentence(known, names), rest_sentence(known, names)])
    if judgement.plan is not None and (needed := plan_sentence(judgement.plan)):
        yield "Would decide", needed
    yield NEXT, phrase("{steps}.", steps=next_steps(judgement))


def answer_lines(answer: Answer, style: Style = unstyled) -> list[str]:
    """Return the lines that show the answer."""
    said = f"Is there an order? {headline(answer)}"
    return [style(said, "title"), *map(plain, answer_sentences(answer))]
