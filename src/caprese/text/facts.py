"""Facts in words: the one place that knows how remarks, notes and warnings read.

Each kind of `Fact` has a function that returns a sentence in which the names of events are kept
apart from the words: the terminal prints it as plain text, the page shows long names on request.
"""

import math
from collections.abc import Callable, Mapping, Sequence

from caprese._core.facts import Fact
from caprese._core.words import number_of, percent, visible
from caprese.fitting.diagnostics import MOST_R_HAT
from caprese.fitting.parent_search import EQUAL_SCORES
from caprese.text.clinical_words import CLINICAL_WORDS
from caprese.text.judgement_words import JUDGEMENT_WORDS
from caprese.text.sentences import (
    SHORT,
    Event,
    Piece,
    Sentence,
    listed,
    phrase,
    plain,
    shown_names,
)
from caprese.text.thresholds import POSTERIOR_LEVEL

Names = Callable[[str], Event]
"""How an event is shown."""


def visible_name(name: str) -> Event:
    """Return an event as the terminal shows it."""
    return Event(visible(name))


def names_of(events: Sequence[str]) -> Names:
    """Return how the page shows events, also those that the curation has dropped."""
    shown = shown_names(events)
    return lambda name: shown.get(name) or Event(visible(name, SHORT))


def sentence(fact: Fact, names: Names = visible_name) -> Sentence:
    """Return a fact in words; one of a kind without `WORDS` by its kind, events and values."""
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
    """Return facts as lines of text."""
    return [plain(sentence(fact)) for fact in facts]


Events = Sequence[Event]
Values = Mapping[str, float | str]


def _fixed(words: str) -> Callable[[Events, Values], Sentence]:
    return lambda _events, _values: (words,)


def _naming(template: str, word: str = "and") -> Callable[[Events, Values], Sentence]:
    """Return a function that puts the list of events where the template has ``{all}``."""
    return lambda events, _values: phrase(template, all=listed(events, word))


def _formatted(template: str) -> Callable[[Events, Values], Sentence]:
    return lambda _events, values: (template.format_map(values),)


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


_MUCH = 0.05  # of log-likelihood, from which on a difference is not printed as 0.0


def _next_best_parent(events: Events, values: Values) -> Sentence:
    gain, other = float(values["gain"]), listed(events) or "the root"
    if abs(gain) < _MUCH:
        return phrase("{other} is as likely", other=other)
    change = "lower" if gain > 0 else "higher"
    words = "next best {other}: log-likelihood {change} by {gain}"
    return phrase(words, other=other, change=change, gain=f"{abs(gain):.1f}")


_DECIDED = {
    "share": "by the share of resamples in which they hold",
    "p-value": "by rank tests of resampled probabilities",
    "ratio": "by the data itself",
}


def _relations(_events: Events, values: Values) -> Sentence:
    candidates = int(values["score"]) + int(values["parent"])
    tested = candidates + sum(int(values[name]) for name in ("time", "raising", "loop"))
    return (
        f"relations decided {_DECIDED[str(values['measure'])]}: of {tested} between events "
        f"{values['time']} are not in the order of time, {values['raising']} do not raise the "
        f"probability, {values['loop']} were removed as the weaker direction or to open a loop; of "
        f"the remaining {candidates} the score kept {values['parent']}",
    )


def _best_set(events: Events, values: Values) -> Sentence:
    adds = f"its {_parents(values)} {_add(values)} {values['gain']:.2f} to the {_score(values)}"
    less = float(values["less"])
    if math.isnan(less):
        return (adds,)
    other = listed(events) or "no parent"
    if less < EQUAL_SCORES:
        return phrase("{adds}; {other} would score the same", adds=adds, other=other)
    words = "{adds}; next best: {other}, {less} less"
    return phrase(words, adds=adds, other=other, less=f"{less:.2f}")


def _too_weak(events: Events, values: Values) -> Sentence:
    candidates, less = int(values["candidates"]), float(values["less"])
    if math.isnan(less):
        return (f"no parent is allowed, of {number_of(candidates, 'candidate')}",)
    most = "its only candidate" if candidates == 1 else f"the best of {candidates} candidates"
    return phrase(
        "no parent: {most}, {best}, would lower the {score} by {less}"
        if less >= EQUAL_SCORES
        else "no parent: {most}, {best}, would score the same",
        most=most,
        best=listed(events),
        score=_score(values),
        less=f"{less:.2f}",
    )


def _score(values: Values) -> str:
    name = str(values["score"])
    return "log-likelihood" if name == "loglik" else f"{name.upper()} score"


def _no_candidate(_events: Events, values: Values) -> Sentence:
    words = {
        "time": "{} not earlier",
        "raising": "{} without raising its probability",
        "loop": "{} in the weaker direction",
    }
    found = [text.format(values[name]) for name, text in words.items() if values[name]]
    return (f"no candidate: {', '.join(found)}" if found else "no candidate",)


_REFUSED = {
    "never": "holds in no sample",
    "always": "holds in all samples",
    "equal": "holds in the same samples as",
}


def _pattern_refused(events: Events, values: Values) -> Sentence:
    name, *others = events
    return phrase(
        "pattern {name} is refused: it {why}{other}",
        name=name,
        why=_REFUSED[str(values["why"])],
        other=phrase(" {other}", other=others[0]) if others else "",
    )


def _pattern_effects(events: Events, values: Values) -> Sentence:
    name, *effects = events
    return phrase(
        "pattern {name}, {formula}, is a parent of {all}",
        name=name,
        formula=visible(str(values["formula"])),
        all=listed(effects),
    )


def _pattern_causes(events: Events, _values: Values) -> Sentence:
    name, *causes = events
    return phrase(
        "pattern {name} follows {all} (tested, but not part of the model)",
        name=name,
        all=listed(causes),
    )


def _by_name(events: Events, _values: Values) -> Sentence:
    return phrase(
        "{first} and {second} may be related either way; they are in the order of their names",
        first=events[0],
        second=events[1],
    )


def _another_parent(events: Events, values: Values) -> Sentence:
    share = percent(float(values["probability"]))
    return phrase("otherwise {other} ({share})", other=listed(events) or "the root", share=share)


def _no_other_parent(_events: Events, values: Values) -> Sentence:
    return (f"every other parent is below {percent(float(values['bound']))}",)


def _posterior_rates(_events: Events, values: Values) -> Sentence:
    inferred = "false positive low" in values
    rates = [
        f"{name} {values[name]:.3f}"
        + (f" ({values[f'{name} low']:.3f} to {values[f'{name} high']:.3f})" if inferred else "")
        for name in ("false positive", "false negative")
    ]
    interval = f"posterior mean and {percent(POSTERIOR_LEVEL)} interval"
    about = interval if inferred else "given"
    return (f"error rates, {about}: {', '.join(rates)}",)


def _chains_agree(_events: Events, values: Values) -> Sentence:
    return (f"the chains agree: {_worth(values)}",)


def _chains_do_not_agree(_events: Events, values: Values) -> Sentence:
    problem = "do not agree" if float(values["R-hat"]) > MOST_R_HAT else "are too short"
    return (
        f"the chains {problem}, so the probabilities are not reliable: {_worth(values)}; fit again "
        "with more draws and a longer warm-up",
    )


def _worth(values: Values) -> str:
    effective = f"{float(values['effective']):.0f} independent draws"
    return f"R-hat {values['R-hat']:.2f}, {values['draws']} draws are worth {effective}"


def _subtype(events: Events, values: Values) -> Sentence:
    return phrase(
        "subtype {place}, {weight} of samples: {marker} is in {inside} of its samples and in "
        "{outside} of the others",
        place=str(values["place"]),
        weight=percent(float(values["weight"])),
        marker=listed(events),
        inside=percent(float(values["frequency"])),
        outside=percent(float(values["elsewhere"])),
    )


def _effects(_events: Events, values: Values) -> Sentence:
    notable, pairs = int(values["notable"]), int(values["pairs"])
    slight = percent(float(values["slight"]))
    if not notable:
        return (f"no event changes the rate of another by more than {slight}",)
    of = f"{notable} of {number_of(pairs, 'effect')}"
    return (f"{of} change a rate by more than {slight}; the strongest:",)


def _fold(template: str) -> Callable[[Events, Values], Sentence]:
    """Return a function that names events in order, and says how many fold."""

    def words(events: Events, values: Values) -> Sentence:
        fold = float(values["fold"])
        many = f"{fold:,.0f}-fold" if fold >= _MANY_FOLD else f"{fold:.1f}-fold"
        cause, event = events[0], events[-1]
        return phrase(template, cause=cause, event=event, fold=many)

    return words


_MANY_FOLD = 10  # from which on no decimals are printed


def _shrinkage_chosen(_events: Events, values: Values) -> Sentence:
    return (
        f"shrinkage {values['shrinkage']:g} was chosen: on {values['replicates']} simulated data "
        f"sets its mean tree edit distance is {values['distance']:.2f} (0.01: "
        f"{values['distance at 0.01']:.2f}, 0.5: {values['distance at 0.5']:.2f}); it is the "
        "smallest shrinkage that is not significantly worse than the best",
    )


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


def _with_shares(template: str) -> Callable[[Events, Values], Sentence]:
    """Return a function that lists events with the share of each, which values hold by position."""

    def words(events: Events, values: Values) -> Sentence:
        each = [
            phrase("{event} ({share})", event=event, share=percent(float(values[f"share {place}"])))
            for place, event in enumerate(events)
        ]
        return phrase(template, share=percent(float(values["share"])), events=listed(each, most=5))

    return words


def _never_together(events: Events, _values: Values) -> Sentence:
    return phrase(
        "Never known in the same sample: {pairs}. Such a pair cannot be ordered; drop one of the "
        "two events, or analyse the panels separately.",
        pairs=listed(_pairs(events), most=3),
    )


def _mutually_exclusive(events: Events, values: Values) -> Sentence:
    each = [
        phrase("{pair} (adjusted p {p})", pair=pair, p=f"{values[f'p {place}']:.2g}")
        for place, pair in enumerate(_pairs(events))
    ]
    return phrase(
        "Together less often than by chance: {pairs}. A progression cannot show that one event "
        "excludes another; such events may be alternatives, or belong to different subtypes. "
        "Merge alternatives into one event, or look for subtypes.",
        pairs=listed(each, most=3),
    )


def _pairs(events: Events) -> list[Sentence]:
    """Return each two events as one pair."""
    return [
        phrase("{first} with {second}", first=first, second=second)
        for first, second in zip(events[::2], events[1::2], strict=True)
    ]


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
    "next best parent": _next_best_parent,
    "another parent": _another_parent,
    "best parents": _best_set,
    "candidates too weak": _too_weak,
    "no candidate": _no_candidate,
    "no other parent": _no_other_parent,
    # notes on a fit
    "shrinkage chosen": _shrinkage_chosen,
    "compatible samples": _formatted(
        "{compatible} of {samples} samples are compatible with the poset; "
        "their log-likelihood is {log-likelihood:.2f}"
    ),
    "likeliest poset": _formatted(
        "log-likelihood {log-likelihood:.2f} with an error rate of {error:.3f}"
    ),
    "not converged": _formatted(
        "did not converge in {steps:,} steps; the numbers are the best found by then"
    ),
    "searches": _formatted("{best} of {searches} searches ended at this likelihood"),
    "likeliest forest": _formatted(
        "log-likelihood {log-likelihood:.2f} with error rates of {false positive:.3f} (false "
        "positive) and {false negative:.3f} (false negative)"
    ),
    "starts": _formatted("{best} of {starts} starts of the search ended at this likelihood"),
    "relations": _relations,
    "direction by name": _by_name,
    "equal parent sets": _naming(
        "other parents of {all} score the same; those listed first by gain and name are shown"
    ),
    "search not complete": _naming(
        "not all sets of parents of {all} could be looked at; the best one found is shown"
    ),
    "pattern refused": _pattern_refused,
    "pattern effects": _pattern_effects,
    "pattern causes": _pattern_causes,
    "patterns without effect": _naming("patterns without an effect: {all}"),
    "penalised likelihood": _formatted(
        "log-likelihood {log-likelihood:.2f} with a penalty of strength {strength:.3g}"
    ),
    "penalty strength chosen": _formatted(
        "the strength was chosen by held-out samples: the strongest that predicts within one "
        "standard error of the best, {best:.3g}, with {score:.3f} per sample"
    ),
    "effects": _effects,
    "speeds up": _fold("{cause} speeds {event} up {fold}"),
    "slows down": _fold("{cause} slows {event} down {fold}"),
    "taken sooner": _fold("samples with {event} are taken {fold} sooner"),
    "taken later": _fold("samples with {event} are taken {fold} later"),
    "posterior rates": _posterior_rates,
    "chains agree": _chains_agree,
    "chains do not agree": _chains_do_not_agree,
    "one subtype": _fixed("one subtype: a single forest is enough for all samples"),
    "subtype": _subtype,
    **JUDGEMENT_WORDS,
    **CLINICAL_WORDS,
    # warnings about the data
    "transposed": _transposed,
    "nothing varies": _nothing_varies,
    "few samples": _formatted(
        "There are fewer samples ({samples}) than events ({events}), so many events will be "
        "related by chance alone. Select the most frequent events, or add samples."
    ),
    "rare": _rare,
    "nearly always": _with_shares(
        "In more than {share} of samples: {events}. Too few samples lack such an event to show "
        "what it precedes; drop it, or split it into finer events in the source data."
    ),
    "much unknown": _with_shares(
        "Unknown in more than {share} of samples: {events}. Edges to and from such an event rest "
        "on few samples; check their support."
    ),
    "never together": _never_together,
    "mutually exclusive": _mutually_exclusive,
}
