"""Placements as lines of text: all samples in a table, or one sample in full."""

from collections import Counter
from itertools import compress

import numpy as np

from caprese._core.words import number_of, percent, visible
from caprese.patients.orders import Orders
from caprese.patients.place import INTERVAL, NO_CLOCK, UNUSUAL, Placement
from caprese.text.columns import aligned, separated
from caprese.text.facts import Names, sentence, visible_name
from caprese.text.sentences import (
    Cell,
    Event,
    Number,
    Sentence,
    listed,
    phrase,
    plain,
    share,
    text_of,
)
from caprese.text.style import Style
from caprese.text.style import plain as unstyled

_INDENT = "  "
_LISTED = 200  # samples in a printed table
_MORE_LIKELY = 0.5  # than not
_LIKELY = 0.005  # probability from which on a next event, or an order, is worth a line
_NO_CLOCK = f"{NO_CLOCK[0].upper()}{NO_CLOCK[1:]}."


def legend(placed: Placement) -> list[str]:
    """Return what the columns and the marks of the printed table mean."""
    marks = ["+A was probably missed, (A) was probably seen wrongly"] * placed.corrected
    marks += ["A? is unknown"] * (not placed.known.all())
    far = "events: how many are truly there"
    frequent = "lacks: the most frequent event that the sample lacks, and its frequency in the data"
    time = "time: median until the next event, in units of the mean time at which samples are taken"
    return [
        *([f"seen: {', '.join(marks)}"] if marks else []),
        *([f"{far}, with a {percent(INTERVAL)} interval"] if marks else [far]),
        "typicality: share of samples drawn from the model that are no more probable",
        *([time] if placed.timed else [frequent] if _has_frequencies(placed) else []),
    ]


def _has_frequencies(placed: Placement) -> bool:
    return bool(np.isfinite(placed.frequencies).any())


def placement_lines(
    placed: Placement, style: Style = unstyled, width: int | None = None
) -> list[str]:
    """Return the lines that show a placement: a summary, and one line per sample."""
    shown = range(min(len(placed.samples), _LISTED))
    coming = ["next", "", "time"] if placed.timed else ["lacks", ""] * _has_frequencies(placed)
    head = ["sample", "events", "typicality", *coming, "seen"]
    if placed.subtypes.shape[1]:
        head.insert(1, "subtype")
    rows = [head, *(_row(placed, row) for row in shown)]
    more = len(placed.samples) - len(shown)
    title = [style(plain(words), "title") for words in placement_sentences(placed)]
    rest = [f"... {number_of(more, 'more sample')}; -o patients.csv has them all"] if more else []
    return separated(
        [*title, *map(plain, mismatch_sentences(placed))],
        [*aligned(rows, width=width), *rest],
        legend(placed),
    )


def placement_sentences(
    placed: Placement, events: Names = visible_name, samples: Names = visible_name
) -> list[Sentence]:
    """Return what is to be said of all samples together."""
    told = [
        *((*sentence(fact), ".") for fact in placed.basis),
        _fitting(placed, samples),
        *([_wrong(placed)] if placed.corrected else []),
        (_correction(placed),),
        _unknown(placed),
        _far(placed),
        _next(placed, events),
    ]
    return [each for each in told if each]


def mismatch_sentences(placed: Placement, events: Names = visible_name) -> list[Sentence]:
    """Return which events only the samples have, or only the model."""
    lacking = "The samples do not have {events}, which the model has: taken as unknown."
    surplus = "The model does not have {events}, which the samples have: not used."
    cases = ((lacking, placed.lacking), (surplus, placed.surplus))
    return [phrase(words, events=listed([*map(events, own)])) for words, own in cases if own]


def _fitting(placed: Placement, samples: Names) -> Sentence:
    odd, number = placed.unusual, len(placed.samples)
    if not odd:
        every = "The one sample fits" if number == 1 else f"All {number} samples fit"
        return phrase("{every} the model.", every=every)
    return phrase(
        "{fitting} of {samples} fit the model; {noun} {odd} {do} not, because fewer than {level} "
        "of samples drawn from it are as improbable ([typicality]). By chance about {expected} of "
        "{number} would not.",
        fitting=str(number - len(odd)),
        samples=number_of(number, "sample"),
        noun="sample" if len(odd) == 1 else "samples",
        odd=listed([*map(samples, odd)]),
        do="does" if len(odd) == 1 else "do",
        level=percent(UNUSUAL),
        expected=f"{number * UNUSUAL:.2g}",
        number=str(number),
    )


def _wrong(placed: Placement) -> Sentence:
    """Return how many entries are probably wrong."""
    missed = int((placed.missed & placed.known).sum())
    wrongly = int(placed.wrongly_seen.sum())
    wrong = {0: "none is", 1: "one is"}.get(missed + wrongly, f"{missed + wrongly} are")
    kinds = f" ({missed} missed, {wrongly} seen wrongly)" if missed + wrongly else ""
    return (f"Of {int(placed.known.sum())} known entries {wrong} probably wrong{kinds}.",)


def _unknown(placed: Placement) -> Sentence:
    """Return what unknown entries probably are."""
    unknown, there = int((~placed.known).sum()), int((placed.genotypes & ~placed.known).sum())
    if not unknown:
        return ()
    one = {0: "none is probably an event", 1: "one is probably an event"}
    are = one.get(there, f"{there} are probably events")
    return (f"Of {unknown} unknown {'entry' if unknown == 1 else 'entries'} {are}.",)


def _far(placed: Placement) -> Sentence:
    counts = placed.counts[:, 0]
    one = len(counts) == 1
    who = "It has" if one else "On average a sample has"
    limits = "" if one else f", from {counts.min():.1f} to {counts.max():.1f}"
    return (f"{who} {counts.mean():.1f} of {len(placed.events)} events{limits}.",)


def _next(placed: Placement, events: Names) -> Sentence:
    if not placed.timed:
        return () if placed.basis else (_NO_CLOCK,)
    counted = Counter(placed.following[placed.following >= 0].tolist())
    if not counted:
        return ("In no sample is anything left to come.",)
    event, times = min(counted.items(), key=lambda item: (-item[1], placed.events[item[0]]))
    return phrase(
        "Most often {event} comes next: it is the most probable [next event] of {samples}.",
        event=events(placed.events[event]),
        samples=number_of(times, "sample"),
    )


def _correction(placed: Placement) -> str:
    """Return the error rates by which entries are corrected."""
    if placed.noise is None:
        given = any(fact.kind == "rates not used" for fact in placed.basis)
        why = "" if given else ", because no error rates were given that the model allows for"
        return f"Known entries are taken as they were seen{why}."
    positive, negative = placed.noise.false_positive, placed.noise.false_negative
    return (
        f"Corrected with these error rates: {percent(positive, 1)} of absent events are seen, "
        f"{percent(negative, 1)} of present ones are missed."
    )


def sample_lines(
    placed: Placement, sample: str, orders: Orders, style: Style, width: int | None = None
) -> list[str]:
    """Return all that is to be said of one sample."""
    row = placed.position(sample)
    told = [*_entries(placed, row), *map(plain, sample_sentences(placed, row))]
    coming = [[*map(text_of, each), ""] for each in next_rows(placed, row)]
    if np.isfinite(placed.log_probabilities[row]):
        told += _nothing_next(placed, row, bool(coming))
    came = [
        [f"{chance.text} {chance.aside}", text_of(order)] for order, chance in order_rows(orders)
    ]
    tables = (
        [["next", "probability", "median time", ""], *coming],
        [["probability", "order in which they came"], *came],
    )
    inside = None if width is None else width - len(_INDENT)
    lines = separated(told, *(aligned(rows, width=inside) for rows in tables if rows[1:]))
    return [style(visible(sample), "title"), *(f"{_INDENT}{line}".rstrip() for line in lines)]


def _nothing_next(placed: Placement, row: int, coming: bool) -> list[str]:
    """Return why no event is said to come next, with the frequencies of those that it lacks."""
    if placed.timed:
        return [] if coming else ["Next: nothing, if the genotype is right."]
    of = [
        f"{visible(placed.events[k])} {percent(placed.frequencies[k])}" for k in placed.lacked(row)
    ]
    frequent = [f"It lacks, with their frequencies in the data: {', '.join(of)}."] if of else []
    nothing = "No order is supported, so nothing is said of what comes next."
    return [nothing if placed.by_frequency else _NO_CLOCK, *frequent]


def _entries(placed: Placement, row: int) -> list[str]:
    """Return what was seen of a sample, and what unknown entries may be."""
    events, chances = [*map(visible, placed.events)], placed.event_probabilities[row]
    seen = ", ".join(compress(events, placed.data.values[row])) or "nothing"
    unknown = [f"{events[k]} {percent(chances[k])}" for k in np.flatnonzero(~placed.known[row])]
    lines = [f"Seen: {seen}."]
    if unknown:
        lines.append(f"Unknown, with the probability that it is there: {', '.join(unknown)}.")
    return lines


def sample_sentences(placed: Placement, row: int, names: Names = visible_name) -> list[Sentence]:
    """Return what is probably wrong in what was seen of a sample, and how far it has come."""
    if not np.isfinite(placed.log_probabilities[row]):
        return [("The model gives this sample probability 0, so only what was seen is shown.",)]
    genotype, seen = placed.genotypes[row], placed.data.values[row]
    chances = placed.event_probabilities[row]
    changed = np.flatnonzero(placed.known[row] & (genotype != seen))
    mean, low, high = placed.counts[row]
    sure = placed.known[row].all() and not placed.corrected
    within = f" ({low:.0f} to {high:.0f} with {percent(INTERVAL)} probability)"
    number = f"{mean:.0f}" if sure else f"{mean:.1f}"
    far = f"How far: {number} of {len(placed.events)} events are there{'' if sure else within}."
    told = [_change(names(placed.events[k]), float(chances[k]), bool(genotype[k])) for k in changed]
    told += [(far,), _typical(float(placed.typicality[row]))]
    if placed.subtypes.size:
        best = int(placed.subtypes[row].argmax())
        told.append(
            (f"Subtype {best + 1}, with probability {percent(placed.subtypes[row, best])}.",)
        )
    return told


def _change(event: Event, chance: float, there: bool) -> Sentence:
    """Return what the most probable genotype changes; it may differ from what each event says."""
    words = "The most probable genotype, as a whole, {verb} {event}; by itself it is there with "
    words += "probability {chance}."
    if there and chance > _MORE_LIKELY:
        words = "{event} was probably missed: {chance}."
    elif not there and chance < _MORE_LIKELY:
        words = "{event} was probably seen wrongly: it is there with probability {chance}."
    return phrase(words, event=event, chance=percent(chance), verb="has" if there else "lacks")


def _typical(typicality: float) -> Sentence:
    does = "does not fit the model: only" if typicality < UNUSUAL else "fits the model:"
    drawn = "of samples drawn from the model are [typicality|no more probable]."
    return phrase(f"It {does} {{share}} {drawn}", share=percent(typicality, 1))


def next_rows(placed: Placement, row: int, names: Names = visible_name) -> list[tuple[Cell, ...]]:
    """Return the events that may come next, their probabilities, and their median times."""
    return [
        (
            (names(each.event),),
            share(each.probability),
            Number(f"{each.median_time:.2g}", each.median_time),
        )
        for each in placed.coming(row)
        if each.probability >= _LIKELY
    ]


def order_rows(orders: Orders, names: Names = visible_name) -> list[tuple[Sentence, Number]]:
    """Return the likeliest orders of the events of a sample, with their probabilities.

    Those below half a percent, which would be said to have none, are left out.
    """
    errors = orders.errors or (0.0,) * len(orders.orders)
    return [
        (
            listed([*map(names, order)], separator=" → ", most=40),
            Number(percent(chance), chance, f"± {percent(error)}" if error else ""),
        )
        for order, chance, error in zip(orders.orders, orders.probabilities, errors, strict=True)
        if order and chance >= _LIKELY
    ]


def _row(placed: Placement, row: int) -> list[str]:
    mean, low, high = placed.counts[row]
    sure = not placed.corrected and placed.known.all()
    cells: list[str] = [
        visible(placed.samples[row]),
        f"{mean:.0f}" if sure else f"{mean:.1f} ({low:.0f}-{high:.0f})",
        f"{placed.typicality[row]:.3f}" + ("!" if placed.typicality[row] < UNUSUAL else " "),
        *_following(placed, row),
        _seen(placed, row),
    ]
    if placed.subtypes.shape[1]:
        best_group = int(placed.subtypes[row].argmax())
        cells.insert(1, f"{best_group + 1} ({percent(placed.subtypes[row, best_group])})")
    return cells


def _following(placed: Placement, row: int) -> list[str]:
    """Return what probably comes next, or else the most frequent event that a sample lacks."""
    if placed.timed:
        return [text_of(cell) for cell in next(iter(next_rows(placed, row)), ())] or ["", "", ""]
    if not _has_frequencies(placed):
        return []
    first = placed.lacked(row)[:1]
    told = [[visible(placed.events[k]), percent(placed.frequencies[k])] for k in first]
    return told[0] if told else ["", ""]


def _seen(placed: Placement, row: int) -> str:
    """Return what was seen of a sample, with marks where the model disagrees."""
    words = []
    known = placed.known[row]
    for k, event in enumerate(placed.events):
        name = visible(event)
        if placed.wrongly_seen[row, k]:
            words.append(f"({name})")
        elif placed.data.values[row, k]:
            words.append(name)
        elif not known[k]:
            words.append(f"{name}?")
        elif placed.missed[row, k]:
            words.append(f"+{name}")
    return " ".join(words) or "-"
