"""Facts in words: the one place that knows how remarks, notes and warnings read.

Each kind of `Fact` has a function that returns a sentence, in which names of events stay apart from
the words: the terminal prints it as plain text, the page shows long names in full on demand.
"""

from collections.abc import Callable, Mapping, Sequence

from caprese._core.facts import Fact
from caprese._core.words import number_of, percent, visible
from caprese.text.sentences import Event, Piece, Sentence, listed, plain, told

Names = Callable[[str], Event]
"""How an event is shown."""


def visible_name(name: str) -> Event:
    """Return an event as the terminal shows it."""
    return Event(visible(name))


def sentence(fact: Fact, names: Names = visible_name) -> Sentence:
    """Return a fact in words; one of an unknown kind by its kind, events and values.

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
    more: list[Piece] = [*events, *values]
    return told("{kind}: {more}", kind=fact.kind, more=listed(more)) if more else (fact.kind,)


def in_words(facts: Sequence[Fact]) -> list[str]:
    """Return facts as lines of text."""
    return [plain(sentence(fact)) for fact in facts]


Events = Sequence[Event]
Values = Mapping[str, float | str]


def _best_score(_events: Events, values: Values) -> Sentence:
    candidates = int(values["candidates"])
    if candidates == 1:
        return ("the only admissible parent",)
    return (f"best of {candidates} admissible parents",)


def _heaviest_parent(_events: Events, values: Values) -> Sentence:
    return (f"heaviest of {number_of(int(values['candidates']), 'admissible parent')}",)


def _equal_weights(events: Events, _values: Values) -> Sentence:
    if len(events) > 1:
        return told("tied: {all} weigh the same", all=_joined(events))
    return told("tied: {one} weighs as much as another parent", one=_joined(events))


def _rarely_alone(_events: Events, values: Values) -> Sentence:
    return (f"rarely seen without its {_parents(values)}",)


def _gain(_events: Events, values: Values) -> Sentence:
    return (f"its {_parents(values)} {_add(values)} {values['gain']:.1f} to the log-likelihood",)


def _little_gain(_events: Events, values: Values) -> Sentence:
    return (f"its {_parents(values)} {_add(values)} little",)


def _parents(values: Values) -> str:
    parents = int(values["parents"])
    return "parent" if parents == 1 else f"{parents} parents"


def _add(values: Values) -> str:
    return "adds" if values["parents"] == 1 else "add"


def _joined(events: Events, word: str = "and") -> Sentence:
    pieces: list[Piece] = []
    for event in events:
        pieces += [f" {word} ", event] if pieces else [event]
    return tuple(pieces)


def _shrinkage_chosen(_events: Events, values: Values) -> Sentence:
    return (
        f"shrinkage {values['shrinkage']:g} chosen: on {values['replicates']} simulated data sets "
        f"its mean tree edit distance is {values['distance']:.2f} (0.01: "
        f"{values['distance at 0.01']:.2f}, 0.5: {values['distance at 0.5']:.2f}); it is the "
        "smallest that is no worse than the best by more than chance",
    )


def _compatible(_events: Events, values: Values) -> Sentence:
    return (
        f"{values['compatible']} of {values['samples']} samples are compatible with the poset; "
        f"their log-likelihood is {values['log-likelihood']:.2f}",
    )


def _transposed(events: Events, values: Values) -> Sentence:
    signs = {
        "sample names": "columns are named like samples ({names})",
        "gene names": "rows are named like genes ({names})",
        "shape": f"there are {values.get('rows')} rows and {values.get('columns')} columns",
    }
    return told(
        "The table may be transposed: {sign}. Rows must be samples and columns events; transpose "
        "it if they are not. Otherwise select the most frequent events.",
        sign=told(signs[str(values["sign"])], names=listed(events, most=2)),
    )


_NOTHING_VARIES = {
    "unknown": "Nothing is known of any sample",
    "one genotype": "All samples have the same genotype",
    "constant": "No event varies between samples",
}


def _nothing_varies(_events: Events, values: Values) -> Sentence:
    problem = _NOTHING_VARIES[str(values["problem"])]
    return (f"{problem}, so nothing can be ordered. Check that the table was read as intended.",)


def _few_samples(_events: Events, values: Values) -> Sentence:
    return (
        f"There are fewer samples ({values['samples']}) than events ({values['events']}), so "
        "chance alone will relate many of them. Select the most frequent events, or add samples.",
    )


def _rare(events: Events, values: Values) -> Sentence:
    return told(
        "Too few samples for {rare} of {all} events, with fewer than {carriers} carriers or in "
        "under {share} of samples; the rarest, with {fewest}: {events}. Select by count or "
        "frequency, or merge events of one pathway.",
        rare=str(values["rare"]),
        all=str(values["events"]),
        carriers=str(values["carriers"]),
        share=percent(float(values["share"])),
        fewest=str(values["fewest"]),
        events=listed(events, most=3),
    )


def _nearly_always(events: Events, values: Values) -> Sentence:
    return told(
        "In more than {share} of samples: {events}. Too few samples lack it to say what it "
        "precedes; drop it, or split it into finer events at the source.",
        share=percent(float(values["share"])),
        events=_with_shares(events, values),
    )


def _much_unknown(events: Events, values: Values) -> Sentence:
    return told(
        "Unknown in more than {share} of samples: {events}. Where few samples know an event, "
        "edges to and from it rest on little; look at their support.",
        share=percent(float(values["share"])),
        events=_with_shares(events, values),
    )


def _with_shares(events: Events, values: Values) -> Sentence:
    """List events with the share of each, which stands at its place among the values."""
    shares = [percent(float(values[f"share {place}"])) for place in range(len(events))]
    return listed(
        [
            told("{event} ({share})", event=event, share=share)
            for event, share in zip(events, shares, strict=True)
        ],
        most=5,
    )


def _never_together(events: Events, _values: Values) -> Sentence:
    pairs = [
        told("{first} with {second}", first=first, second=second)
        for first, second in zip(events[::2], events[1::2], strict=True)
    ]
    return told(
        "Never known in the same sample: {pairs}. Nothing orders such a pair; drop one event of "
        "it, or fit the panels apart.",
        pairs=listed(pairs, most=3),
    )


WORDS: dict[str, Callable[[Events, Values], Sentence]] = {
    # why an event has its parents
    "best score": _best_score,
    "equal scores": lambda events, _: told("tied: {all} score the same", all=_joined(events)),
    "independent root": lambda events, _: told(
        "filtered: an independent root fits better than {all}", all=_joined(events, "or")
    ),
    "equally frequent": lambda events, _: told(
        "no admissible parent; as frequent as {all}", all=_joined(events)
    ),
    "heaviest parent": _heaviest_parent,
    "heaviest tree": lambda events, _: told(
        "in the heaviest tree, though {all} alone would weigh more", all=_joined(events)
    ),
    "heavier root": lambda events, _: told(
        "the root outweighs {all}", all=_joined(events) or ("all others",)
    ),
    "equal weights": _equal_weights,
    "rarely alone": _rarely_alone,
    "seen alone": lambda _events, _: ("seen without each of the more frequent events",),
    "same samples": lambda events, _: told(
        "tied: seen in the same samples as {all}", all=_joined(events)
    ),
    "likelihood gain": _gain,
    "little gain": _little_gain,
    "no gain": lambda _events, _: ("no parent adds to the likelihood",),
    # what else is to be said of a fit
    "shrinkage chosen": _shrinkage_chosen,
    "compatible samples": _compatible,
    "likeliest poset": lambda _events, values: (
        f"log-likelihood {values['log-likelihood']:.2f} with an error rate of "
        f"{values['error']:.3f}",
    ),
    "searches": lambda _events, values: (
        f"{values['best']} of {values['searches']} searches ended at this likelihood",
    ),
    # what may spoil a fit
    "transposed": _transposed,
    "nothing varies": _nothing_varies,
    "few samples": _few_samples,
    "rare": _rare,
    "nearly always": _nearly_always,
    "much unknown": _much_unknown,
    "never together": _never_together,
}
