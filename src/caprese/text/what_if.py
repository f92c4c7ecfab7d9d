"""What follows when events are blocked or slowed, as lines of text."""

import math
from collections.abc import Callable, Collection, Sequence

from caprese._core.words import number_of, percent, visible
from caprese.patients.outlooks import Interval, Intervention, Outlook, Slowed, Target, WhatIf
from caprese.patients.rests_on import Pairs
from caprese.patients.what_if import ENDS
from caprese.patients.what_if_samples import SampleOutlooks
from caprese.text.columns import aligned, separated
from caprese.text.style import Style
from caprese.text.style import plain as unstyled

CAUTION = (
    "This is a consequence of the model, no advice for treatment: blocked events no longer occur, "
    "slowed ones occur at their rate times the factor, and nothing else of the model changes."
)
_UNIT = "time: median, in units of the mean time until a sample is taken"
_MOST = 12  # orders in a sentence
_LISTED = 200  # samples in a printed table
_SAME = 0.005  # change of a time, as a share, that counts for nothing in words


def what_if_lines(
    found: WhatIf, style: Style = unstyled, width: int | None = None, *, most: int = 0
) -> list[str]:
    """Return the lines that show what follows from interventions.

    Parameters
    ----------
    most
        How many genotypes of an `Intervention` are shown, the most probable first.
    """
    return separated(
        [style(_title(found), "title"), *_first(found)],
        aligned(what_if_rows(found), width=width),
        _genotype_lines(found, most, width),
        what_if_notes(found),
    )


def _title(found: WhatIf) -> str:
    first = found.outlooks[0]
    after = "" if found.carried is None else f" in a sample with {_names(found.carried)}"
    if _is_ranking(found):
        return f"What if one event is blocked{after}: what delays {goal_words(first.target)} most"
    return f"What if {change_words(first.blocked, first.slowed)}{after}"


def _is_ranking(found: WhatIf) -> bool:
    """Whether several interventions are compared in one target."""
    return len({each.blocked for each in found.outlooks}) > 1


def _names(events: Sequence[str]) -> str:
    return ", ".join(map(visible, events)) or "no event"


def change_words(blocked: Sequence[str], slowed: Slowed) -> str:
    """Return an intervention in words."""
    parts = []
    if blocked:
        parts.append(f"{_names(blocked)} {'is' if len(blocked) == 1 else 'are'} blocked")
    parts += [f"{visible(event)} has {factor:g} times its rate" for event, factor in slowed]
    return " and ".join(parts)


def goal_words(target: Target | None) -> str:
    """Return a target in words."""
    if target is None:
        return "the next event"
    return visible(target) if isinstance(target, str) else number_of(target, "event")


def _first(found: WhatIf) -> list[str]:
    """Return what one outlook, or the first of a ranking, says, in a sentence."""
    first = found.outlooks[0]
    if len(found.outlooks) > 1 and not _is_ranking(found):
        return []
    if not _delays(first):
        nothing = f"No single event delays {goal_words(first.target)} when it is blocked."
        return [nothing] if _is_ranking(found) else [outlook_sentence(first, found.timed)]
    return [outlook_sentence(first, found.timed)]


def _delays(found: Outlook) -> bool:
    slower = not math.isnan(found.factor) and found.factor > 1 + _SAME
    return slower or found.difference < -_SAME


def outlook_sentence(found: Outlook, timed: bool) -> str:
    """Return an outlook in a sentence."""
    goal = goal_words(found.target)
    when = "before the next sample is taken" if timed else "by the time at which samples are taken"
    change = change_words(found.blocked, found.slowed)
    said = (
        f"If {change}, {goal} {_verb(found.target)} reached {when} with probability "
        f"{percent(found.probability_with)} (otherwise {percent(found.probability)})"
    )
    if not timed:
        return f"{said}."
    usual, changed = time_text(found.median_time), time_text(found.median_time_with)
    if math.isinf(found.median_time_with):
        return (
            f"{said}; at no time is that more probable than 1/2 (otherwise the median is {usual})."
        )
    return f"{said}; the median time until then is {changed} (otherwise {usual})."


def _verb(target: Target) -> str:
    return "are" if isinstance(target, int) and target > 1 else "is"


def time_text(time: float) -> str:
    """Return a median time; nothing where none is known."""
    if math.isnan(time):
        return ""
    return "never" if math.isinf(time) else f"{time:.2g}" if time < 100 else f"{time:.0f}"


def what_if_rows(found: WhatIf) -> list[list[str]]:
    """Return the titles of the columns, and a row for each outlook."""
    ranking, spread = _is_ranking(found), found.replicates > 0
    head = ["blocked" if ranking else "target", "probability", "with", "change"]
    head += ["90 %"] * spread
    if found.timed:
        head += ["time", "with", "times as long", *["90 %"] * spread]
    rows = [[*head, "direction"]]
    for each in found.outlooks:
        first = _names(each.blocked) if ranking else goal_words(each.target)
        row = [first, percent(each.probability), percent(each.probability_with)]
        row.append(_points(each.difference))
        row += [_between(each.difference_interval, _points)] * spread
        if found.timed:
            row += [time_text(each.median_time), time_text(each.median_time_with)]
            row.append(_times(each.factor))
            row += [_between(each.factor_interval, _times)] * spread
        rows.append([*row, "not determined" if each.undetermined else ""])
    return rows


def _points(difference: float) -> str:
    return f"{100 * difference:+.0f}" if abs(difference) >= _SAME else "0"


def _times(factor: float) -> str:
    if math.isnan(factor):
        return ""
    return "never" if math.isinf(factor) else f"{factor:.2f}"


def _between(interval: Interval | None, text: Callable[[float], str]) -> str:
    return "" if interval is None else " to ".join(map(text, interval))


def _genotype_lines(found: WhatIf, most: int, width: int | None) -> list[str]:
    if not (most and isinstance(found, Intervention)):
        return []
    rows = [["genotype", "probability", "with"]]
    shares = found.shares[:most].tolist()
    for present, (usual, changed) in zip(found.genotypes[:most], shares, strict=True):
        carried = [event for event, there in zip(found.events, present, strict=True) if there]
        rows.append([_names(carried), percent(usual), percent(changed)])
    return aligned(rows, width=width)


def what_if_notes(found: WhatIf) -> list[str]:
    """Return what the columns mean, and what the answer rests on."""
    when = "before the next sample is taken" if found.timed else "when samples are taken"
    notes = [f"probability: that the target is there {when}; change: in percentage points"]
    notes += [_UNIT] if found.timed else []
    if found.timed and any(math.isinf(each.median_time_with) for each in found.outlooks):
        notes.append("never: not reached with probability 1/2")
    if not found.timed:
        notes.append("This model has no clock, so nothing is said of times.")
    if found.simulated:
        errors = [max(each.probability_error for each in found.outlooks)]
        notes.append(
            f"Simulated: {found.simulated:,} paths; standard error of a probability at most "
            f"{percent(errors[0], 1)}."
        )
    return [*notes, _interval_note(found), *_direction_notes(found.undetermined), CAUTION]


def _interval_note(found: WhatIf) -> str:
    low, high = (percent(end) for end in ENDS)
    if not found.replicates:
        return "There are no intervals: these need replicates of the data, or a posterior."
    return f"90 %: from {low} to {high} of {found.replicates} replicates or draws."


def _direction_notes(undetermined: Pairs | None) -> list[str]:
    if undetermined is None:
        return ["Whether the data determine the directions that this rests on was not looked at."]
    if not undetermined:
        return []
    pairs = [f"{visible(one)} before {visible(other)}" for one, other in undetermined]
    shown = ", ".join(pairs[:_MOST])
    more = f" and {len(pairs) - _MOST} more" if len(pairs) > _MOST else ""
    return [
        f"Not determined by these data: {shown}{more}. What rests on a direction that is not "
        "determined may be the other way round."
    ]


def sample_outlook_lines(
    found: SampleOutlooks,
    style: Style = unstyled,
    width: int | None = None,
    only: Collection[str] = (),
) -> list[str]:
    """Return the lines that show what an intervention changes for each sample, or for some."""
    goal = goal_words(found.target)
    title = f"What if {change_words(found.blocked, found.slowed)}: when {goal} comes"
    concerned = int((found.concerned & ~found.reached).sum())
    who = f"{concerned} of {number_of(len(found.samples), 'sample')}"
    rows = [["sample", "probability", "with", "time", "with", "next", "next with"]]
    wanted = [row for row, name in enumerate(found.samples) if not only or name in only]
    shown = wanted[:_LISTED]
    rows += [[visible(found.samples[row]), *_sample_cells(found, row)] for row in shown]
    more = len(wanted) - len(shown)
    rest = [f"... {number_of(more, 'more sample')}"] if more else []
    drawn = f"Simulated: {found.simulated:,} paths for each genotype."
    return separated(
        [
            style(title, "title"),
            f"It may change something for {who}, which lack the target and what is changed.",
        ],
        [*aligned(rows, width=width), *rest],
        [
            "probability: that the target comes before another sample is taken, from now on",
            _UNIT,
            *([drawn] if found.simulated else []),
            "There are no intervals of single samples.",
            *_direction_notes(found.undetermined),
            CAUTION,
        ],
    )


def _sample_cells(found: SampleOutlooks, row: int) -> list[str]:
    usual, changed = (visible(each) if each else "-" for each in found.nexts[row])
    if found.reached[row]:
        return ["is there", "", "", "", usual, changed]
    chances = [percent(each) for each in found.probabilities[row].tolist()]
    times = [time_text(each) for each in found.median_times[row].tolist()]
    return [*chances, *times, usual, changed]
