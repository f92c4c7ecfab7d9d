"""A fit as lines of text: the model as a tree, with numbers and reasons beside it."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from caprese._core.arrays import FloatArray
from caprese._core.words import number_of, percent, visible
from caprese.assessment.confidence import Confidence
from caprese.fitting.recovery import Recovery
from caprese.io.json.models import StoredModel, kind_of_model
from caprese.methods import describe
from caprese.methods.base import Fit, OrderedFit
from caprese.models.base import Order
from caprese.text.columns import TextCell, aligned
from caprese.text.curation import log_lines
from caprese.text.facts import in_words
from caprese.text.sentences import decimal
from caprese.text.style import Style, plain
from caprese.text.thresholds import LEVEL
from caprese.text.trees import branches, root_row


def fit_lines(
    fit: Fit[Any, Any], confidence: Confidence | None = None, style: Style = plain
) -> list[str]:
    """Return the lines that show a fit, with the support of its edges if a confidence is given."""
    if isinstance(fit, OrderedFit):
        rows, undetermined = _tree_rows(fit, confidence, style), fit.undetermined
    else:
        rows, undetermined = _event_rows(fit), {}
    unplaced = ", ".join(f"{visible(event)} ({why})" for event, why in undetermined.items())
    parts = (
        in_words(fit.evidence.notes()),
        [f"Could not be placed: {unplaced}"] if unplaced else [],
        _recovery_lines(fit.recovery),
        log_lines(fit.log),
    )
    below = [line for part in parts if part for line in ("", *part)]
    return [style(fit_title(fit), "title"), "", *aligned(rows), *below]


def fit_title(fit: Fit[Any, Any]) -> str:
    """Return the method of a fit and the size of its data, on one line."""
    samples, events = number_of(fit.samples, "sample"), number_of(len(fit.model.events), "event")
    return f"{describe(fit.method)} on {samples} x {events}"


def event_numbers(fit: Fit[Any, Any]) -> dict[str, FloatArray]:
    """Return the numbers that a model, and the evidence for it, give to each event, by name."""
    numbers = _parameters(fit.model)
    return (
        {**numbers, **fit.evidence.columns(fit.model)} if isinstance(fit, OrderedFit) else numbers
    )


def _parameters(model: object) -> dict[str, FloatArray]:
    """Return the parameters of each event; a model without an order may have none."""
    found: dict[str, FloatArray] = getattr(model, "parameters", dict)()
    return found


def model_lines(
    model: StoredModel, confidence: Confidence | None = None, style: Style = plain
) -> list[str]:
    """Return the lines that show a model alone, such as the true model of a simulation."""
    numbers, events = _parameters(model), model.events
    title = f"{kind_of_model(model)} of {number_of(len(events), 'event')}"
    rows: list[list[TextCell]]
    if not isinstance(model, Order):
        rows = [["event", *numbers, ""]]
        rows += [
            [visible(event), *(_number(each[k]) for each in numbers.values()), ""]
            for k, event in enumerate(events)
        ]
        return [style(title, "title"), "", *aligned(rows)]
    header = ["event", *numbers, *([] if confidence is None else ["support"]), ""]
    rows = [[*header], root_row(len(header), style)]
    order = _largest_first(next(iter(numbers.values()), np.zeros(len(events))), events)
    for branch in branches(model.adjacency(), order):
        values = [
            "" if branch.repeated else _number(each[branch.event]) for each in numbers.values()
        ]
        support = [] if confidence is None else [branch.support(confidence, style)]
        rows.append([branch.name(events, style), *values, *support, ""])
    return [style(title, "title"), "", *aligned(rows)]


def _event_rows(fit: Fit[Any, Any]) -> list[list[TextCell]]:
    """Return a row for each event of a model without an order, the most frequent first."""
    events, frequency, numbers = fit.model.events, fit.counts.frequency, event_numbers(fit)
    rows: list[list[TextCell]] = [["event", "frequency", *numbers, ""]]
    for event in _largest_first(frequency, events):
        values = (_number(column[event]) for column in numbers.values())
        rows.append([visible(events[event]), percent(frequency[event]), *values, ""])
    return rows


def _tree_rows(
    fit: OrderedFit[Any, Any], confidence: Confidence | None, style: Style
) -> list[list[TextCell]]:
    events, frequency, numbers = fit.model.events, fit.counts.frequency, event_numbers(fit)
    remarks = in_words(fit.remarks())
    extra = [] if confidence is None else ["support"]
    header = ["event", "frequency", *numbers, *extra, "reason"]
    rows: list[list[TextCell]] = [[*header], root_row(len(header), style)]
    for branch in branches(fit.model.adjacency(), _largest_first(frequency, events)):
        event = branch.event
        values = [
            percent(frequency[event]),
            *(_number(column[event]) for column in numbers.values()),
        ]
        rows.append(
            [
                branch.name(events, style, quiet=events[event] in fit.undetermined),
                *([""] * len(values) if branch.repeated else values),
                *([] if confidence is None else [branch.support(confidence, style)]),
                "shown above" if branch.repeated else remarks[event],
            ]
        )
    return rows


def _largest_first(numbers: FloatArray, events: Sequence[str]) -> list[int]:
    return sorted(range(len(events)), key=lambda event: (-numbers[event], events[event]))


def _number(value: float) -> str:
    return decimal(float(value)).text


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
