"""Placements as lines of text: all samples in a table, or one sample in full."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from caprese._core.words import number_of, percent, visible
from caprese.patients.orders import Orders
from caprese.patients.place import INTERVAL, UNUSUAL, Placement
from caprese.text.columns import aligned
from caprese.text.facts import Names, visible_name
from caprese.text.sentences import Sentence, listed, phrase, plain
from caprese.text.style import Style
from caprese.text.style import plain as unstyled

_INDENT = "  "
_LISTED = 200  # samples in a printed table
_MORE_LIKELY = 0.5  # than not
_LIKELY = 0.005  # probability from which on a next event is worth a line

IMPOSSIBLE = "The model gives this sample probability 0, so only what was seen is shown."
LEGEND = (
    "seen: +A was probably missed, (A) was probably seen wrongly, A? is unknown",
    f"events: how many are truly there, with a {percent(INTERVAL)} interval",
    "typicality: share of samples drawn from the model that are no more probable",
    "time: median until the next event, in units of the mean time at which samples are taken",
)


def placement_lines(
    placed: Placement, style: Style = unstyled, width: int | None = None
) -> list[str]:
    """Return the lines that show a placement: a summary, and one line per sample."""
    shown = range(min(len(placed.samples), _LISTED))
    head = ["sample", "events", "typicality", "next", "", "time", "seen"]
    if placed.subtypes.shape[1]:
        head.insert(1, "subtype")
    rows = [head, *(_row(placed, row) for row in shown)]
    more = len(placed.samples) - len(shown)
    return [
        *(style(plain(words), "title") for words in placement_sentences(placed)),
        *map(plain, mismatch_sentences(placed)),
        "",
        *aligned(rows, width=width),
        *([f"... {number_of(more, 'more sample')}; -o patients.csv has them all"] if more else []),
        "",
        *LEGEND,
    ]


def placement_sentences(
    placed: Placement, events: Names = visible_name, samples: Names = visible_name
) -> list[Sentence]:
    """Return what is to be said of all samples together."""
    told = [
        _fitting(placed, samples),
        _wrong(placed),
        (_correction(placed),),
        _unknown(placed),
        _far(placed),
        _next(placed, events),
    ]
    return [each for each in told if each]


def mismatch_sentences(placed: Placement, events: Names = visible_name) -> list[Sentence]:
    """Return which events only the samples have, or only the model."""
    cases = (
        (
            "The samples do not have {events}, which the model has: taken as unknown.",
            placed.lacking,
        ),
        ("The model does not have {events}, which the samples have: not used.", placed.surplus),
    )
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
        return "The model has no errors, so known entries are taken as they were seen."
    positive, negative = placed.noise.false_positive, placed.noise.false_negative
    return (
        f"Corrected with the error rates of the model: {percent(positive, 1)} of absent events are "
        f"seen, {percent(negative, 1)} of present ones are missed."
    )


def sample_lines(
    placed: Placement, sample: str, orders: Orders, style: Style, width: int | None = None
) -> list[str]:
    """Return all that is to be said of one sample."""
    row = placed.position(sample)
    return [
        style(visible(sample), "title"),
        *_indented(sample_sentences(placed, row)),
        *_next_lines(placed, sample, width),
        *_order_lines(orders, width),
    ]


def sample_sentences(placed: Placement, row: int) -> list[str]:
    """Return what was seen of a sample, what is probably there, and how far it has come."""
    events, chances = placed.events, placed.event_probabilities[row]
    seen = [visible(events[k]) for k in np.flatnonzero(placed.data.values[row])]
    lines = [f"Seen: {', '.join(seen) or 'nothing'}."]
    known = placed.known[row]
    unknown = [visible(events[k]) for k in np.flatnonzero(~known)]
    if unknown:
        there = ", ".join(f"{visible(events[k])} {chances[k]:.2f}" for k in np.flatnonzero(~known))
        lines.append(f"Unknown, with the probability that it is there: {there}.")
    if not np.isfinite(placed.log_probabilities[row]):
        return [*lines, IMPOSSIBLE]
    lines += [
        _change(visible(events[k]), float(chances[k]), there=bool(placed.genotypes[row, k]))
        for k in np.flatnonzero(known & (placed.genotypes[row] != placed.data.values[row]))
    ]
    mean, low, high = placed.counts[row]
    lines.append(
        f"How far: {mean:.1f} of {len(events)} events are there "
        f"({low:.0f} to {high:.0f} with {percent(INTERVAL)} probability)."
    )
    lines.append(_fit_sentence(float(placed.typicality[row])))
    if placed.subtypes.shape[1]:
        best = int(placed.subtypes[row].argmax())
        lines.append(f"Subtype {best + 1}, with probability {placed.subtypes[row, best]:.2f}.")
    return lines


def order_words(order: Sequence[str]) -> str:
    """Return an order of events as text."""
    return " → ".join(map(visible, order))


def _change(event: str, chance: float, *, there: bool) -> str:
    """Return what the most probable genotype changes; it may differ from what each event says."""
    if there and chance > _MORE_LIKELY:
        return f"{event} was probably missed: {chance:.2f}."
    if not there and chance < _MORE_LIKELY:
        return f"{event} was probably seen wrongly: it is there with probability {chance:.2f}."
    verb = "has" if there else "lacks"
    return (
        f"The most probable genotype, as a whole, {verb} {event}; by itself it is there with "
        f"probability {chance:.2f}."
    )


def _fit_sentence(typicality: float) -> str:
    share = f"{percent(typicality, 1)} of samples drawn from the model are no more probable"
    if typicality < UNUSUAL:
        return f"It does not fit the model: only {share}."
    return f"It fits the model: {share}."


def _next_lines(placed: Placement, sample: str, width: int | None) -> list[str]:
    coming = [each for each in placed.next_events(sample) if each.probability >= _LIKELY]
    if not coming:
        return ["  Next: nothing, if the most probable genotype is right."]
    rows = [["next", "probability", "median time", ""]]
    rows += [
        [visible(each.event), f"{each.probability:.2f}", f"{each.median_time:.2f}", ""]
        for each in coming
    ]
    return ["", *_indented(aligned(rows, width=_inside(width)))]


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"{_INDENT}{line}" for line in lines]


def _inside(width: int | None) -> int | None:
    """Return the width that is left beside the indent."""
    return None if width is None else width - len(_INDENT)


def _order_lines(orders: Orders, width: int | None) -> list[str]:
    if not orders.orders or not orders.orders[0]:
        return []
    rows = [["probability", "order in which they came"]]
    errors = orders.errors or (None,) * len(orders.orders)
    for order, chance, error in zip(orders.orders, orders.probabilities, errors, strict=True):
        number = f"{chance:.2f}" if error is None else f"{chance:.2f} ± {error:.2f}"
        rows.append([number, order_words(order)])
    return ["", *_indented(aligned(rows, width=_inside(width)))]


def _row(placed: Placement, row: int) -> list[str]:
    mean, low, high = placed.counts[row]
    coming = placed.next_events(placed.samples[row])
    following = ["", "", ""]
    if coming and coming[0].probability >= _LIKELY:
        best = coming[0]
        following = [visible(best.event), f"{best.probability:.2f}", f"{best.median_time:.2f}"]
    cells = [
        visible(placed.samples[row]),
        f"{mean:.1f} ({low:.0f}-{high:.0f})",
        f"{placed.typicality[row]:.3f}" + ("!" if placed.typicality[row] < UNUSUAL else " "),
        *following,
        _seen(placed, row),
    ]
    if placed.subtypes.shape[1]:
        best_group = int(placed.subtypes[row].argmax())
        cells.insert(1, f"{best_group + 1} ({placed.subtypes[row, best_group]:.2f})")
    return cells


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
