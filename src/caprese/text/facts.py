"""Facts in words: the one place that knows how remarks, notes and warnings read.

Each kind of `Fact` has a function that returns a sentence in which the names of events are kept
apart from the words: the terminal prints it as plain text, the page shows long names on request.
"""

from collections.abc import Callable, Mapping, Sequence
from math import inf

from caprese._core.facts import Fact
from caprese._core.words import number_of, percent, visible
from caprese.text.sentences import Event, Piece, Sentence, listed, phrase, plain

Names = Callable[[str], Event]
"""How an event is shown."""


def visible_name(name: str) -> Event:
    """Return an event as the terminal shows it."""
    return Event(visible(name))


def sentence(fact: Fact, names: Names = visible_name) -> Sentence:
    """Return a fact in words; one of a kind that is not in `WORDS` by its kind, events and values.

    Examples
    --------
    >>> plain(sentence(Fact("equal scores", ("8q+", "Xp-"))))
    'tied: 8q+ and Xp- score the same'
    >>> plain(sentence(Fact("my own", values={"depth": 3})))
    'my own: depth 3'
    """
    events = [names(event) for event in fact.events]
    if fact.kind in WORDS:
        return WORDS[fact.kind](events, fact.values)
    values = [
        f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}"
        for name, value in fact.values.items()
    ]
    kind = visible(fact.kind)
    more: list[Piece] = [*events, *map(visible, values)]
    return phrase("{kind}: {more}", kind=kind, more=listed(more)) if more else (kind,)


def in_words(facts: Sequence[Fact]) -> list[str]:
    """Return facts as lines of text.

    Examples
    --------
    >>> in_words([Fact("never seen"), Fact("best score", values={"candidates": 3})])
    ['never seen', 'best of 3 admissible parents']
    """
    return [plain(sentence(fact)) for fact in facts]


Events = Sequence[Event]
Values = Mapping[str, float | str]


def _fixed(words: str) -> Callable[[Events, Values], Sentence]:
    return lambda _events, _values: (words,)


def _naming(template: str, word: str = "and") -> Callable[[Events, Values], Sentence]:
    """Return a function that puts the list of events where the template has ``{all}``."""
    return lambda events, _values: phrase(template, all=listed(events, word))


def _best_score(_events: Events, values: Values) -> Sentence:
    candidates = int(values["candidates"])
    if candidates == 1:
        return ("the only admissible parent",)
    return (f"best of {candidates} admissible parents",)


def _heaviest_parent(_events: Events, values: Values) -> Sentence:
    return (f"heaviest of {number_of(int(values['candidates']), 'admissible parent')}",)


def _heavier_root(events: Events, _values: Values) -> Sentence:
    return phrase("the root outweighs {all}", all=listed(events) or "all others")


def _equal_weights(events: Events, _values: Values) -> Sentence:
    if len(events) > 1:
        return phrase("tied: {all} weigh the same", all=listed(events))
    return phrase("tied: {one} weighs as much as another parent", one=listed(events))


def _rarely_alone(_events: Events, values: Values) -> Sentence:
    return (f"rarely seen without its {_parents(values)}",)


def _gain(_events: Events, values: Values) -> Sentence:
    return (f"its {_parents(values)} {_add(values)} {values['gain']:.1f} to the log-likelihood",)


def _little_gain(_events: Events, values: Values) -> Sentence:
    return (f"its {_parents(values)} {_add(values)} little to the log-likelihood",)


def _parents(values: Values) -> str:
    parents = int(values["parents"])
    return "parent" if parents == 1 else f"{parents} parents"


def _add(values: Values) -> str:
    return "adds" if values["parents"] == 1 else "add"


def _shrinkage_chosen(_events: Events, values: Values) -> Sentence:
    return (
        f"shrinkage {values['shrinkage']:g} was chosen: on {values['replicates']} simulated data "
        f"sets its mean tree edit distance is {values['distance']:.2f} (0.01: "
        f"{values['distance at 0.01']:.2f}, 0.5: {values['distance at 0.5']:.2f}); it is the "
        "smallest shrinkage that is not significantly worse than the best",
    )


def _compatible(_events: Events, values: Values) -> Sentence:
    return (
        f"{values['compatible']} of {values['samples']} samples are compatible with the poset; "
        f"their log-likelihood is {values['log-likelihood']:.2f}",
    )


def _likeliest_poset(_events: Events, values: Values) -> Sentence:
    return (
        f"log-likelihood {values['log-likelihood']:.2f} with an error rate of "
        f"{values['error']:.3f}",
    )


def _searches(_events: Events, values: Values) -> Sentence:
    return (f"{values['best']} of {values['searches']} searches ended at this likelihood",)


def _transposed(events: Events, values: Values) -> Sentence:
    reasons = {
        "sample names": "columns are named like samples ({names})",
        "gene names": "rows are named like genes ({names})",
        "shape": f"there are {values.get('rows')} rows and {values.get('columns')} columns",
    }
    return phrase(
        "The table may be transposed: {reason}. Rows must be samples and columns events; transpose "
        "it if they are not. Otherwise select the most frequent events.",
        reason=phrase(reasons[str(values["sign"])], names=listed(events, most=2)),
    )


_NOTHING_VARIES = {
    "unknown": "All entries are unknown",
    "one genotype": "All samples have the same genotype",
    "constant": "No event varies between samples",
}


def _nothing_varies(_events: Events, values: Values) -> Sentence:
    problem = _NOTHING_VARIES[str(values["problem"])]
    return (f"{problem}, so nothing can be ordered. Check that the table was read as intended.",)


def _few_samples(_events: Events, values: Values) -> Sentence:
    return (
        f"There are fewer samples ({values['samples']}) than events ({values['events']}), so many "
        "events will be related by chance alone. Select the most frequent events, or add samples.",
    )


def _rare(events: Events, values: Values) -> Sentence:
    return phrase(
        "Too few samples for {rare} of {all} events, which have fewer than {carriers} carriers or "
        "are in less than {share} of samples; the rarest, with {fewest}: {events}. Select events "
        "by count or frequency, or merge events of one pathway.",
        rare=str(values["rare"]),
        all=str(values["events"]),
        carriers=str(values["carriers"]),
        share=percent(float(values["share"])),
        fewest=str(values["fewest"]),
        events=listed(events, most=3),
    )


def _nearly_always(events: Events, values: Values) -> Sentence:
    return phrase(
        "In more than {share} of samples: {events}. Too few samples lack such an event to show "
        "what it precedes; drop it, or split it into finer events in the source data.",
        share=percent(float(values["share"])),
        events=_with_shares(events, values),
    )


def _much_unknown(events: Events, values: Values) -> Sentence:
    return phrase(
        "Unknown in more than {share} of samples: {events}. Edges to and from such an event rest "
        "on few samples; check their support.",
        share=percent(float(values["share"])),
        events=_with_shares(events, values),
    )


def _with_shares(events: Events, values: Values) -> Sentence:
    """List events with the share of each; the values hold the shares by position."""
    shares = [percent(float(values[f"share {place}"])) for place in range(len(events))]
    return listed(
        [
            phrase("{event} ({share})", event=event, share=share)
            for event, share in zip(events, shares, strict=True)
        ],
        most=5,
    )


def _never_together(events: Events, _values: Values) -> Sentence:
    pairs = [
        phrase("{first} with {second}", first=first, second=second)
        for first, second in zip(events[::2], events[1::2], strict=True)
    ]
    return phrase(
        "Never known in the same sample: {pairs}. Such a pair cannot be ordered; drop one of the "
        "two events, or analyse the panels separately.",
        pairs=listed(pairs, most=3),
    )


def _no_order_supported(_events: Events, values: Values) -> Sentence:
    samples = number_of(int(values["samples"]), "sample")
    return (
        f"No order is supported by these {samples}: none predicts better than independent events",
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


def _nats(values: Values, name: str = "difference") -> str:
    return f"{values[name]:.2f} ± {values['error']:.2f} nats per sample"


def _method(values: Values) -> str:
    return visible(str(values["method"]))


def _seen_structure(_events: Events, values: Values) -> Sentence:
    return (
        f"The structure of {_method(values)} was learnt from these very samples, so its score is "
        "too good; judge its method instead, or judge it on other data.",
    )


def _impossible_samples(_events: Events, values: Values) -> Sentence:
    samples = number_of(int(values["samples"]), "held-out sample")
    return (
        f"{_method(values)} gives probability 0 to {samples}: probabilities and error rates are "
        "used as they were estimated, without a floor.",
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


WORDS: dict[str, Callable[[Events, Values], Sentence]] = {
    # why an event has its parents: every `Reason`, and what methods know beyond it
    "edge": _fixed("has a parent"),
    "no admissible parent": _fixed("no admissible parent"),
    "tied": _fixed("tied"),
    "filtered": _fixed("filtered: an independent root fits better"),
    "never seen": _fixed("never seen"),
    "always seen": _fixed("always seen"),
    "no more than errors would show": _fixed("no more than errors alone would show"),
    "best score": _best_score,
    "equal scores": _naming("tied: {all} score the same"),
    "independent root": _naming("filtered: an independent root fits better than {all}", "or"),
    "equally frequent": _naming("no admissible parent; as frequent as {all}"),
    "heaviest parent": _heaviest_parent,
    "heaviest tree": _naming("in the heaviest tree, though {all} alone would weigh more"),
    "heavier root": _heavier_root,
    "equal weights": _equal_weights,
    "rarely alone": _rarely_alone,
    "seen alone": _fixed("seen without each of the more frequent events"),
    "same samples": _naming("tied: seen in the same samples as {all}"),
    "likelihood gain": _gain,
    "little gain": _little_gain,
    "no gain": _fixed("no parent adds to the likelihood"),
    # notes on a fit
    "shrinkage chosen": _shrinkage_chosen,
    "compatible samples": _compatible,
    "likeliest poset": _likeliest_poset,
    "searches": _searches,
    "independent events": _independent_events,
    # the verdict of a judgement, and notes on it
    "no order supported": _no_order_supported,
    "predicts best": _predicts_best,
    "predicts worse": _predicts_worse,
    "predicts as well": _predicts_as_well,
    "worse than independence": _worse_than_independence,
    "structure has seen the samples": _seen_structure,
    "impossible samples": _impossible_samples,
    "dropped in training": _dropped_in_training,
    "not in the model": _not_in_the_model,
    # warnings about the data
    "transposed": _transposed,
    "nothing varies": _nothing_varies,
    "few samples": _few_samples,
    "rare": _rare,
    "nearly always": _nearly_always,
    "much unknown": _much_unknown,
    "never together": _never_together,
}
