"""A fit as lines of text: the model as a tree, with numbers and reasons beside it.

The tree is by hand, because one of rich has no columns of numbers, and no event with two parents.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray
from caprese._core.budget import check_time
from caprese._core.significance import CONTRADICTED, LEVEL, SURE
from caprese._core.words import duration, number_of, percent, visible
from caprese.assessment.confidence import UNDETERMINED, Confidence
from caprese.assessment.effects import Intervals, effect_facts, effect_intervals
from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.fitting.estimate import kind_name
from caprese.fitting.recovery import Recovery
from caprese.fitting.subtypes import Subtype
from caprese.io.json.codec import AnyModel
from caprese.methods import describe, name_of
from caprese.methods.evidence import PosteriorEvidence, SubtypeEvidence
from caprese.methods.fit import Fit, Method, OrderedFit
from caprese.methods.protocols import CostedMethod, LongMethod, learns_from_orders
from caprese.models.base import EffectsModel, Order, nodes_of, numbers_of, parent_sets
from caprese.models.forest import ROOT
from caprese.text.columns import aligned, separated
from caprese.text.facts import in_words
from caprese.text.inspection import log_lines
from caprese.text.sentences import Number, quantity, share
from caprese.text.style import Emphasis, Style, plain

_LONG = 5.0  # seconds from which on a user is told beforehand
_DEEPEST = 60  # levels that are indented; below them the level is written


def fit_lines(
    fit: Fit[Any, Any],
    confidence: Confidence | None = None,
    style: Style = plain,
    width: int | None = None,
) -> list[str]:
    """Return the lines that show a fit, with the support of its edges if a confidence is given.

    With a `width`, its tables are not wider, if possible.
    """
    columns = _texts(event_columns(fit))
    reasons, undetermined = None, {}
    if isinstance(fit, OrderedFit):
        reasons, undetermined = in_words(fit.remarks()), fit.undetermined
    order = largest_first(fit.counts.frequency, fit.model.events)
    rows = _rows(fit.model, order, columns, confidence, style, reasons, undetermined)
    unplaced = ", ".join(f"{visible(event)} ({why})" for event, why in undetermined.items())
    return separated(
        [style(fit_title(fit), "title")],
        aligned(rows, width=width),
        in_words(fit.evidence.notes()),
        _effect_lines(fit.model, effect_intervals(fit)),
        *_subtype_parts(fit, style, width),
        [f"Could not be placed: {unplaced}"] if unplaced else [],
        _recovery_lines(fit.recovery),
        log_lines(fit.log),
    )


def _effect_lines(model: Any, intervals: Intervals | None = None) -> list[str]:
    """Return the strongest effects of events on each other, if the model has any."""
    if not isinstance(model, EffectsModel):
        return []
    number, *strongest = in_words(effect_facts(model, intervals=intervals))
    return [number, *(f"  {line}" for line in strongest)]


def _subtype_parts(fit: Fit[Any, Any], style: Style, width: int | None) -> Iterator[list[str]]:
    """Yield the tree of each subtype as lines, if there are several."""
    evidence = fit.evidence
    if isinstance(evidence, SubtypeEvidence) and len(evidence.subtypes) > 1:
        for place, each in enumerate(evidence.subtypes, start=1):
            title = f"subtype {place}, {percent(each.weight)} of samples"
            yield [style(title, "title"), *_tree(each, style, width)]


def _tree(subtype: Subtype, style: Style, width: int | None) -> list[str]:
    forest, frequency = subtype.forest, subtype.frequencies
    above = np.where(forest.parents == ROOT, len(forest.events), forest.parents)
    posterior = subtype.parent_probabilities[above, np.arange(len(above))]
    columns = {
        "frequency": [*map(share, frequency)],
        "elsewhere": [*map(share, subtype.elsewhere)],
        **_columns({**forest.parameters(), "posterior": posterior}),
    }
    order = largest_first(frequency, forest.events)
    return aligned(_rows(forest, order, _texts(columns), style=style), width=width)


def fit_title(fit: Fit[Any, Any]) -> str:
    """Return the method of a fit and the size of its data, on one line."""
    samples, events = number_of(fit.samples, "sample"), number_of(len(fit.model.events), "event")
    return f"{describe(fit.method)} on {samples} x {events}"


def event_numbers(fit: Fit[Any, Any]) -> dict[str, FloatArray]:
    """Return the numbers that a model, and the evidence for it, give to each event, by name."""
    evidence = fit.evidence.columns(fit.model) if isinstance(fit, OrderedFit) else {}
    return {**numbers_of(fit.model), **evidence}


def event_columns(fit: Fit[Any, Any]) -> dict[str, list[Number]]:
    """Return the frequency of each event, and all that a fit says of it, as columns of a table."""
    frequency = [share(float(value)) for value in fit.counts.frequency]
    return {"frequency": frequency, **_columns(event_numbers(fit))}


def _columns(numbers: Mapping[str, FloatArray]) -> dict[str, list[Number]]:
    return {
        name: [quantity(name, float(value)) for value in values] for name, values in numbers.items()
    }


def _texts(columns: Mapping[str, Sequence[Number]]) -> dict[str, list[str]]:
    return {name: [number.text for number in column] for name, column in columns.items()}


def model_lines(
    model: AnyModel,
    confidence: Confidence | None = None,
    style: Style = plain,
    width: int | None = None,
) -> list[str]:
    """Return the lines that show a model alone, such as the true model of a simulation."""
    numbers, events = numbers_of(model), model.events
    title = f"{kind_name(model)} of {number_of(len(events), 'event')}"
    order = list(range(len(events)))
    if isinstance(model, Order):
        order = largest_first(next(iter(numbers.values()), np.zeros(len(events))), events)
    rows = _rows(model, order, _texts(_columns(numbers)), confidence, style)
    return separated([style(title, "title")], aligned(rows, width=width), _effect_lines(model))


def _rows(
    model: AnyModel,
    order: Sequence[int],
    columns: Mapping[str, Sequence[str]],
    confidence: Confidence | None = None,
    style: Style = plain,
    reasons: Sequence[str] | None = None,
    quiet: Collection[str] = (),
) -> list[list[str]]:
    """Return a header and a row for each event, as a tree if the model has an order."""
    if isinstance(model, Order):
        nodes, links = nodes_of(model)
        order = [*order, *range(len(model.events), len(nodes))]
        return tree_rows(links, order, nodes, columns, confidence, style, reasons, quiet)
    cells = [[visible(model.events[k]), *(each[k] for each in columns.values())] for k in order]
    return [["event", *columns, ""], *([*row, ""] for row in cells)]


@dataclass(frozen=True)
class _Branch:
    """One line of a tree: an event below one of its parents, all given by their positions."""

    event: int
    parent: int  # may be ROOT
    other_parents: tuple[int, ...]
    prefix: str  # the lines that lead to the event
    repeated: bool  # whether the event was already shown below another parent

    def name(self, events: Sequence[str], style: Style, *, quiet: bool) -> str:
        """Return the prefix, the name of the event, and its other parents."""
        others = ", ".join(visible(events[other]) for other in self.other_parents)
        name = visible(events[self.event]) + (f" (and {others})" if others else "")
        return style(self.prefix, "quiet") + (style(name, "quiet") if quiet else name)

    def support(self, nodes: Sequence[str], confidence: Confidence, style: Style) -> str:
        """Return the support of this parent; empty for a pattern, which follows from its events."""
        n = len(confidence.events)
        if self.event >= n:
            return ""
        if self.parent >= n:
            share = confidence.pattern_support(nodes[self.parent], nodes[self.event])
        elif confidence.parent_sets[self.event] == (UNDETERMINED,):
            share = float(confidence.support[n + 1, self.event])
        else:
            share = float(confidence.support[n if self.parent == ROOT else self.parent, self.event])
        text, emphasis = percent(share, 1), support_emphasis(share)
        return text if emphasis is None else style(text, emphasis)


def support_emphasis(support: float) -> Emphasis | None:
    """Return the emphasis of an edge with this support."""
    return "sure" if support >= SURE else "unsure" if support < CONTRADICTED else None


def tree_rows(
    links: BoolArray,
    order: Sequence[int],
    events: Sequence[str],
    columns: Mapping[str, Sequence[str]],
    confidence: Confidence | None,
    style: Style,
    reasons: Sequence[str] | None = None,
    quiet: Collection[str] = (),
) -> list[list[str]]:
    """Return the header and the rows of a tree; siblings are shown in the given order.

    Columns hold a text for each event, and nothing for patterns, which may follow the events.
    """
    support = [] if confidence is None else ["support"]
    header = ["event", *columns, *support, "" if reasons is None else "reason"]
    rows = [header, [style("root", "quiet"), *[""] * (len(header) - 1)]]
    rows += [
        [
            branch.name(events, style, quiet=events[branch.event] in quiet),
            *(_entry(column, branch) for column in columns.values()),
            *([] if confidence is None else [branch.support(events, confidence, style)]),
            "" if reasons is None else _entry(reasons, branch, "shown above"),
        ]
        for branch in _branches(links, order)
    ]
    return rows


def _entry(column: Sequence[str], branch: _Branch, repeated: str = "") -> str:
    """Return the text of an event in a column; empty for a pattern."""
    if branch.repeated:
        return repeated
    return column[branch.event] if branch.event < len(column) else ""


def _branches(adjacency: BoolArray, order: Sequence[int]) -> list[_Branch]:
    """Return the lines of a tree, from top to bottom, indented as far as there is space."""
    parents = parent_sets(adjacency)
    children: dict[int, list[int]] = {}
    for event in order:
        for parent in parents[event] or (ROOT,):
            children.setdefault(parent, []).append(event)
    lines: list[_Branch] = []
    seen: set[int] = set()
    # A stack and not a recursion: a chain may be deeper than Python allows calls to be.
    stack = [
        (event, ROOT, "", 1, position == 0) for position, event in enumerate(children[ROOT][::-1])
    ]
    while stack:
        event, parent, before, level, last = stack.pop()
        repeated = event in seen
        seen.add(event)
        others = tuple(other for other in parents[event] if other != parent)
        next_ones = [] if repeated else children.get(event, [])[::-1]
        mark, space = ("└─ ", "   ") if last else ("├─ ", "│  ")
        prefix = before + mark if level <= _DEEPEST else f"… level {level} {mark}"
        lines.append(_Branch(event, parent, others, prefix, repeated))
        below = before + space if level < _DEEPEST else ""
        stack += [
            (child, event, below, level + 1, position == 0)
            for position, child in enumerate(next_ones)
        ]
    return lines


def largest_first(numbers: FloatArray, events: Sequence[str]) -> list[int]:
    """Return the positions of events, those with the largest numbers first."""
    return sorted(range(len(events)), key=lambda event: (-numbers[event], events[event]))


def _recovery_lines(recovery: Recovery | None) -> list[str]:
    if recovery is None:
        return []
    lines = [f"log-likelihood with errors: {recovery.log_likelihood:.2f}"]
    for name in ("false_positive", "false_negative"):
        line = f"{name.replace('_', ' ')} rate: {getattr(recovery.noise, name):.3f}"
        if recovery.intervals is not None:
            low, high = getattr(recovery.intervals, name)
            line += f" ({percent(LEVEL)} interval {low:.3f} to {high:.3f})"
        lines.append(line)
    if not recovery.settled:
        lines.append(
            f"Did not converge in {recovery.rounds} rounds; the most likely forest is shown."
        )
    return lines


def expected_time(method: object, data: Dataset, times: int = 1) -> str:
    """Return about how long a number of fits will take; empty if it is a matter of seconds.

    Raises
    ------
    CapreseError
        If they would take years.
    """
    if not isinstance(method, LongMethod | CostedMethod):
        return ""
    here = method.expected_seconds(data) if isinstance(method, LongMethod) else 0.0
    total = (here or _formula(method, data)) * times
    fits = "a fit" if times == 1 else number_of(times, "fit")
    if total < _LONG:
        return ""
    what = f"{fits} of {name_of(method)} to {number_of(len(data.events), 'event')}"
    check_time(what, total)
    return f"{what} will take about {duration(total)}{'' if here else ' on one core'}"


def _formula(method: Method, data: Dataset) -> float:
    """Return the cost of a fit in seconds of one core, if it is known; a refusal comes later."""
    with suppress(ModelError):
        return method.cost(data) if isinstance(method, CostedMethod) else 0.0
    return 0.0


def answered_by_posterior(fit: Fit[Any, Any], replicates: int) -> str:
    """Return that a fit knows already what a bootstrap asks; empty unless it is a posterior."""
    if not isinstance(fit.evidence, PosteriorEvidence):
        return ""
    times = number_of(replicates, "replicate")
    return (
        "the fit says already how probable each edge is, in the column posterior; "
        f"the bootstrap draws this posterior again from each of {times}"
    )


def unused_orders(method: Method, data: Dataset) -> str:
    """Return that a method cannot learn from the seen orders of data; empty if it does."""
    if data.orders is None or learns_from_orders(method):
        return ""
    return f"{name_of(method)} does not use the seen orders: the fit is that of the samples alone"
