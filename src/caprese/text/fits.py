"""A fit as lines of text: the model as a tree, with numbers and reasons beside it."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from caprese._core.arrays import FloatArray
from caprese._core.significance import LEVEL
from caprese._core.words import duration, number_of, percent, visible
from caprese.assessment.confidence import Confidence
from caprese.assessment.effects import effect_facts
from caprese.data.dataset import Dataset
from caprese.fitting.estimate import kind_name
from caprese.fitting.recovery import Recovery
from caprese.fitting.subtypes import Subtype
from caprese.io.json.fits import AnyModel
from caprese.methods import describe, name_of
from caprese.methods.evidence import SubtypeEvidence
from caprese.methods.fit import Fit, OrderedFit
from caprese.methods.protocols import LongMethod
from caprese.models.base import EffectsModel, Order, nodes_of, numbers_of
from caprese.models.forest import ROOT
from caprese.text.columns import aligned, separated
from caprese.text.facts import in_words
from caprese.text.inspection import log_lines
from caprese.text.sentences import quantity
from caprese.text.style import Style, plain
from caprese.text.trees import branches, tree_rows

_LONG = 30.0  # seconds from which on a user is told beforehand


def fit_lines(
    fit: Fit[Any, Any],
    confidence: Confidence | None = None,
    style: Style = plain,
    width: int | None = None,
) -> list[str]:
    """Return the lines that show a fit, with the support of its edges if a confidence is given.

    With a `width`, its tables are not wider, if possible.
    """
    events, frequency = fit.model.events, fit.counts.frequency
    columns = {"frequency": [percent(share) for share in frequency], **_texts(event_numbers(fit))}
    reasons, undetermined = None, {}
    if isinstance(fit, OrderedFit):
        reasons, undetermined = in_words(fit.remarks()), fit.undetermined
    order = largest_first(frequency, events)
    rows = _rows(fit.model, order, columns, confidence, style, reasons, undetermined)
    unplaced = ", ".join(f"{visible(event)} ({why})" for event, why in undetermined.items())
    return separated(
        [style(fit_title(fit), "title")],
        aligned(rows, width=width),
        in_words(fit.evidence.notes()),
        _effect_lines(fit.model),
        *_subtype_parts(fit, style, width),
        [f"Could not be placed: {unplaced}"] if unplaced else [],
        _recovery_lines(fit.recovery),
        log_lines(fit.log),
    )


def _effect_lines(model: Any) -> list[str]:
    """Return the strongest effects of events on each other, if the model has any."""
    if not isinstance(model, EffectsModel):
        return []
    number, *strongest = in_words(effect_facts(model))
    return [number, *(f"  {line}" for line in strongest)]


def _subtype_parts(fit: Fit[Any, Any], style: Style, width: int | None) -> list[list[str]]:
    """Return the tree of each subtype as lines, if there are several."""
    evidence = fit.evidence
    if not isinstance(evidence, SubtypeEvidence) or len(evidence.subtypes) < 2:
        return []
    return [
        [
            style(f"subtype {place}, {percent(each.weight)} of samples", "title"),
            *_tree(each, style, width),
        ]
        for place, each in enumerate(evidence.subtypes, start=1)
    ]


def _tree(subtype: Subtype, style: Style, width: int | None) -> list[str]:
    forest, frequency = subtype.forest, subtype.frequencies
    above = np.where(forest.parents == ROOT, len(forest.events), forest.parents)
    posterior = subtype.parent_probabilities[above, np.arange(len(above))]
    columns = {
        "frequency": [percent(share) for share in frequency],
        "elsewhere": [percent(share) for share in subtype.elsewhere],
        **_texts({**forest.parameters(), "posterior": posterior}),
    }
    rows = _rows(forest, largest_first(frequency, forest.events), columns, style=style)
    return aligned(rows, width=width)


def fit_title(fit: Fit[Any, Any]) -> str:
    """Return the method of a fit and the size of its data, on one line."""
    samples, events = number_of(fit.samples, "sample"), number_of(len(fit.model.events), "event")
    return f"{describe(fit.method)} on {samples} x {events}"


def event_numbers(fit: Fit[Any, Any]) -> dict[str, FloatArray]:
    """Return the numbers that a model, and the evidence for it, give to each event, by name."""
    evidence = fit.evidence.columns(fit.model) if isinstance(fit, OrderedFit) else {}
    return {**numbers_of(fit.model), **evidence}


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
    rows = _rows(model, order, _texts(numbers), confidence, style)
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
        lines = branches(links, [*order, *range(len(model.events), len(nodes))])
        return tree_rows(lines, nodes, columns, confidence, style, reasons, quiet)
    cells = [[visible(model.events[k]), *(each[k] for each in columns.values())] for k in order]
    return [["event", *columns, ""], *([*row, ""] for row in cells)]


def largest_first(numbers: FloatArray, events: Sequence[str]) -> list[int]:
    """Return the positions of events, those with the largest numbers first."""
    return sorted(range(len(events)), key=lambda event: (-numbers[event], events[event]))


def _texts(numbers: Mapping[str, FloatArray]) -> dict[str, list[str]]:
    return {
        name: [quantity(name, float(value)).text for value in values]
        for name, values in numbers.items()
    }


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
    """Return about how long a number of fits will take; empty if it is a matter of seconds."""
    if not isinstance(method, LongMethod):
        return ""
    seconds = method.expected_seconds(data) * times
    if seconds < _LONG:
        return ""
    fits = "a fit" if times == 1 else number_of(times, "fit")
    events = number_of(len(data.events), "event")
    return f"{fits} of {name_of(method)} to {events} will take about {duration(seconds)}"
