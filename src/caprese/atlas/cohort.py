"""Cohort: what an atlas says of one data set, and where its events stand in the order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress

from caprese._core.words import number_of, percent, visible
from caprese.assessment.answer import Answer
from caprese.assessment.known import KnownOrders
from caprese.data.dataset import Dataset
from caprese.fitting.subtypes import Subtype
from caprese.methods.evidence import SubtypeEvidence
from caprese.text.answer import headline
from caprese.text.comparison import caution_sentence, plan_sentence, verdict_sentence
from caprese.text.facts import Names, names_of
from caprese.text.known import known_sentence, rest_sentence
from caprese.text.sentences import Sentence, joined, listed, phrase


@dataclass(frozen=True)
class EventPlace:
    """Where an event stands in the order of one cohort.

    Parameters
    ----------
    event
        Its name.
    frequency
        The share of the samples that carry it, of those in which it is known.
    place
        The share of the other events that probably come before it, see `KnownOrders.places`; None
        where no order is supported.
    before, after
        The events that it is known to come before, and after, see `KnownOrders.determined`.
    """

    event: str
    frequency: float
    place: float | None = None
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cohort:
    """What an atlas says of one cohort.

    Parameters
    ----------
    name, report
        Its name, and the address of its report, from the index.
    samples
        How many there are.
    headline
        In a few words, whether there is an order.
    said
        Titles and sentences: the verdict, what is known, the subtypes, and what is not known.
    events
        Where each event stands.
    known
        How many orders of two events are known, that do not follow from others.
    gain
        By how much the best method predicts held-out samples better than independent events, in
        nats per sample; None if none does beyond chance.
    """

    name: str
    report: str
    samples: int
    headline: str
    said: tuple[tuple[str, Sentence], ...]
    events: tuple[EventPlace, ...]
    known: int = 0
    gain: float | None = None


def cohort_of(
    name: str, report: str, data: Dataset, answer: Answer, doubts: Sequence[str] = ()
) -> Cohort:
    """Return what an atlas says of data, by the answer that its report rests on.

    Parameters
    ----------
    name, report
        As in `Cohort`.
    data, answer
        The curated data, and what the judged methods say of it.
    doubts
        What to know about how the data was read.
    """
    judged, known = answer.judgement, answer.known
    said = [*_said(answer, names_of(data.events)), *(("To check", (each,)) for each in doubts)]
    return Cohort(
        name,
        report,
        len(data.samples),
        headline(answer),
        tuple(said),
        tuple(event_places(data, known)),
        0 if known is None else len(known.firm),
        judged.gains[judged.best].mean if judged is not None and judged.supports_order else None,
    )


def event_places(data: Dataset, known: KnownOrders | None) -> Iterator[EventPlace]:
    """Yield where each event stands; the data may have its events in another order."""
    for event, frequency in zip(data.events, data.frequency.tolist(), strict=True):
        if known is None:
            yield EventPlace(event, frequency)
            continue
        i = known.events.index(event)
        before = compress(known.events, known.determined[i])
        after = compress(known.events, known.determined[:, i])
        yield EventPlace(event, frequency, float(known.places[i]), tuple(before), tuple(after))


def _said(answer: Answer, names: Names) -> Iterator[tuple[str, Sentence]]:
    judged, known = answer.judgement, answer.known
    caution = () if judged is None else caution_sentence(judged)
    yield "Verdict", joined([verdict_sentence(answer.word), caution])
    if known is not None:
        yield "Known", known_sentence(known, names)
    yield "Subtypes", _subtypes(answer, names)
    all_open: Sentence = ("The place of every event.",)
    rest = all_open if known is None else rest_sentence(known, names)
    plan = () if judged is None or judged.plan is None else plan_sentence(judged.plan)
    if open_now := joined([rest, plan]):
        yield "Not known", open_now


def _subtypes(answer: Answer, names: Names) -> Sentence:
    """Return the subtypes of the methods that predict beyond chance, if any looked for them."""
    judged = answer.judgement
    found = {
        name: fit.evidence.subtypes
        for name, fit in answer.fits.items()
        if isinstance(fit.evidence, SubtypeEvidence) and fit.evidence.subtypes
    }
    if judged is None or not found:
        return ("Not looked for: no method with subtypes was judged within the budget.",)
    better = {name for name, beyond in zip(judged.methods, judged.better, strict=True) if beyond}
    said = [_of_method(visible(name), own, names) for name, own in found.items() if name in better]
    return joined(said) or ("None that helps to predict held-out samples.",)


def _of_method(name: str, found: tuple[Subtype, ...], names: Names) -> Sentence:
    if len(found) == 1:
        return phrase("One [subtype] is enough, by {name}.", name=name)
    marked = [
        phrase("{share} marked by {event}", share=percent(each.weight), event=names(each.marker))
        for each in found
    ]
    number = number_of(len(found), "subtype")
    return phrase("{number} by {name}: {marked}.", number=number, name=name, marked=listed(marked))
