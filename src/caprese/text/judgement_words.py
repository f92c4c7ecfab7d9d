"""The facts of a judgement in words: verdict and notes."""

from collections.abc import Callable, Mapping, Sequence
from math import inf

from caprese._core.facts import Fact
from caprese._core.words import number_of, visible
from caprese.text.sentences import Event, Sentence, listed, phrase

Events = Sequence[Event]
Values = Mapping[str, float | str]

_NO_FLOOR = (
    "Probabilities and error rates are used as they were estimated, without a floor: an error rate "
    "that is estimated near 0 makes unexpected samples nearly impossible."
)


def _no_order_supported(_events: Events, values: Values) -> Sentence:
    samples = number_of(int(values["samples"]), "sample")
    return (
        f"No order is supported by these {samples}: none predicts better than independent events",
    )


def _split_undecided(_events: Events, values: Values) -> Sentence:
    samples = number_of(int(values["samples"]), "held-out sample")
    return (
        f"No method predicts these {samples} clearly better than independent events; a single "
        "split is too small to decide",
    )


def _predicts_best(_events: Events, values: Values) -> Sentence:
    return (
        f"{_method(values)} predicts best, better than independent events by "
        f"{_nats(values, 'gain')}",
    )


def _predicts_worse(_events: Events, values: Values) -> Sentence:
    if values["difference"] == inf:
        return (f"{_method(values)} is worse: it calls some samples impossible",)
    return (f"{_method(values)} is worse by {_nats(values)}",)


def _predicts_as_well(_events: Events, values: Values) -> Sentence:
    return (f"{_method(values)} is not clearly worse (by {_nats(values)})",)


def _worse_than_independence(_events: Events, values: Values) -> Sentence:
    if values["difference"] == inf:
        return (f"{_method(values)} calls some samples impossible",)
    return (f"{_method(values)} predicts worse than independent events, by {_nats(values)}",)


def said_together(fact: Fact) -> tuple[str, bool]:
    """Return what facts must have in common to be said in one part of a sentence."""
    return fact.kind, fact.values.get("difference") != inf


def of_several(facts: Sequence[Fact]) -> Sentence:
    """Return what is the same of several methods, with the difference of each."""
    methods = listed([_method(fact.values) for fact in facts])
    by = listed([_difference(fact.values) for fact in facts])
    kind, finite = said_together(facts[0])
    if not finite:
        worse = " are worse: they" if kind == "predicts worse" else ""
        return phrase(f"{{methods}}{worse} call some samples impossible", methods=methods)
    words = {
        "predicts worse": "{methods} are worse by {by} nats per sample",
        "predicts as well": "{methods} are not clearly worse (by {by} nats per sample)",
        "worse than independence": (
            "{methods} predict worse than independent events, by {by} nats per sample"
        ),
    }
    return phrase(words[kind], methods=methods, by=by)


def _nats(values: Values, name: str = "difference") -> str:
    return f"{_difference(values, name)} nats per sample"


def _difference(values: Values, name: str = "difference") -> str:
    return f"{values[name]:.2f} ± {values['error']:.2f}"


def _method(values: Values) -> str:
    return visible(str(values["method"]))


def _seen_structure(_events: Events, values: Values) -> Sentence:
    return (
        f"The structure of {_method(values)} was learnt from these very samples, so its score is "
        "too good; judge its method instead, or judge it on other data.",
    )


def _impossible_samples(_events: Events, values: Values) -> Sentence:
    samples = number_of(int(values["samples"]), "held-out sample")
    return (f"{_method(values)} gives probability 0 to {samples}.",)


def _nearly_impossible(_events: Events, values: Values) -> Sentence:
    samples = number_of(int(values["samples"]), "held-out sample")
    return (
        f"{_method(values)} finds {samples} over {values['times']:,.0f} times less probable than "
        f"independent events do; the lowest log-probability is {values['lowest']:.1f}.",
    )


def _dropped_in_training(events: Events, values: Values) -> Sentence:
    return phrase(
        "Dropped by the curation in up to {most} of {parts} training parts, and predicted by "
        "frequency there: {events}.",
        most=str(values["most"]),
        parts=str(values["parts"]),
        events=listed(events, most=5),
    )


def _not_in_the_model(events: Events, values: Values) -> Sentence:
    return phrase(
        "Not in the model of {method}, and predicted by frequency: {events}.",
        method=_method(values),
        events=listed(events, most=5),
    )


def _independent_events(_events: Events, values: Values) -> Sentence:
    return (f"log-likelihood {values['log-likelihood']:.2f} if no event depends on another",)


JUDGEMENT_WORDS: dict[str, Callable[[Events, Values], Sentence]] = {
    "no order supported": _no_order_supported,
    "split undecided": _split_undecided,
    "predicts best": _predicts_best,
    "predicts worse": _predicts_worse,
    "predicts as well": _predicts_as_well,
    "worse than independence": _worse_than_independence,
    "structure has seen the samples": _seen_structure,
    "impossible samples": _impossible_samples,
    "nearly impossible samples": _nearly_impossible,
    "no floor": lambda _events, _values: (_NO_FLOOR,),
    "dropped in training": _dropped_in_training,
    "not in the model": _not_in_the_model,
    "independent events": _independent_events,
}
