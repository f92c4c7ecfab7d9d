"""The answer in words: whether there is an order, what is known of it, and what to do next."""

from collections.abc import Iterator

from caprese._core.words import number_of
from caprese.assessment.answer import Answer
from caprese.text.comparison import next_sentence, verdict_sentence
from caprese.text.directions import direction_sentence
from caprese.text.facts import Names, visible_name
from caprese.text.known import by_direction, known_sentence, rest_sentence
from caprese.text.sentences import Sentence, joined, plain
from caprese.text.style import Style
from caprese.text.style import plain as unstyled


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
    firm, _ = by_direction(known)
    if not firm:
        return "Events depend on each other, but these data do not tell which of them come first."
    orders, apart = number_of(len(firm), "order"), number_of(len(known.unplaced), "event")
    rest = f"; the place of {apart} is not" if known.unplaced else ""
    return f"Yes: {orders} of events {'is' if len(firm) == 1 else 'are'} known{rest}."


def answer_sentences(answer: Answer, names: Names = visible_name) -> Iterator[Sentence]:
    """Yield the verdict, what is known and what it rests on, and what to do next."""
    judgement, known = answer.judgement, answer.known
    if judgement is None:
        yield ("None of so few samples can be held out, so no method can be judged.",)
        return
    yield verdict_sentence(judgement)
    if known is not None:
        yield joined([known_sentence(known, names), rest_sentence(known, names)])
        if known.orders:
            yield direction_sentence([each.direction for each in known.orders], names)
    yield next_sentence(judgement)


def answer_lines(answer: Answer, style: Style = unstyled) -> list[str]:
    """Return the lines that show the answer."""
    said = f"Is there an order? {headline(answer)}"
    return [style(said, "title"), *map(plain, answer_sentences(answer))]
