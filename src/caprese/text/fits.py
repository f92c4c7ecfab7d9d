"""A fit as lines of text: the model as a tree, numbers and reasons beside it."""

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
from caprese.text.style import Style, plain
from caprese.text.trees import branches, root_row

_LARGE = 10_000  # from here on a number is told by its size


def fit_lines(
    fit: Fit[Any, Any], confidence: Confidence | None = None, style: Style = plain
) -> list[str]:
    """Return the lines that show a fit, and how often each edge came back if that is known.

    Parameters
    ----------
    style
        How parts of the text are emphasised; by default not at all.

    Examples
    --------
    >>> from caprese.data.embedded import acml
    >>> from caprese.methods import Caprese
    >>> print(*fit_lines(Caprese().fit(acml())), sep=chr(10))
    caprese (shrinkage 0.5) on 64 samples x 3 events
    <BLANKLINE>
    event                  frequency  probability  score  reason
    root
    ├─ SETBP1 missense          22 %        0.219         no admissible parent
    │  └─ ASXL1 nonsense         8 %        0.286  0.720  the only admissible parent
    └─ ASXL1 indel              14 %        0.141         no admissible parent
    """
    size = f"{number_of(fit.samples, 'sample')} x {number_of(len(fit.model.events), 'event')}"
    title = f"{describe(fit.method)} on {size}"
    if not isinstance(fit, OrderedFit):
        table = aligned(_numbers_of_events(fit))
        return [style(title, "title"), "", *table, *_notes(fit), *_log(fit)]
    undetermined = ", ".join(
        f"{visible(event)} ({reason})" for event, reason in fit.undetermined.items()
    )
    notes = [*_notes(fit), *(["", f"Could not be placed: {undetermined}"] if undetermined else [])]
    tree = aligned(_rows(fit, confidence, style))
    return [style(title, "title"), "", *tree, *notes, *_recovery_lines(fit.recovery), *_log(fit)]


def _notes(fit: Fit[Any, Any]) -> list[str]:
    notes = in_words(fit.evidence.notes())
    return ["", *notes] if notes else []


def _log(fit: Fit[Any, Any]) -> list[str]:
    return ["", *log_lines(fit.log)] if fit.log else []


def _numbers_of_events(fit: Fit[Any, Any]) -> list[list[TextCell]]:
    """Return a row for each event of a model without an order, the most frequent first."""
    events, frequency = fit.model.events, fit.counts.frequency
    numbers = fit.model.parameters() if hasattr(fit.model, "parameters") else {}
    rows: list[list[TextCell]] = [["event", "frequency", *numbers, ""]]
    for event in _largest_first(frequency, events):
        values = (_number(column[event]) for column in numbers.values())
        rows.append([visible(events[event]), percent(frequency[event]), *values, ""])
    return rows


def model_lines(
    model: StoredModel, confidence: Confidence | None = None, style: Style = plain
) -> list[str]:
    """Return the lines that show a model alone, such as the truth of a simulation.

    Parameters
    ----------
    confidence
        Of a bootstrap of the same events, for the support of the edges.
    style
        How parts of the text are emphasised; by default not at all.

    Examples
    --------
    >>> from caprese.models.dag import ConjunctiveDag
    >>> dag = ConjunctiveDag(("a", "b", "c"), ((), (), (0, 1)), (0.5, 0.8, 0.5))
    >>> print(*model_lines(dag), sep=chr(10))
    dag of 3 events
    <BLANKLINE>
    event             probability
    root
    ├─ b                    0.800
    │  └─ c (and a)         0.500
    └─ a                    0.500
       └─ c (and b)
    """
    numbers: dict[str, FloatArray] = getattr(model, "parameters", dict)()
    title = f"{kind_of_model(model)} of {number_of(len(model.events), 'event')}"
    if not isinstance(model, Order):
        rows = [["event", *numbers, ""]]
        rows += [
            [visible(event), *(_number(each[k]) for each in numbers.values()), ""]
            for k, event in enumerate(model.events)
        ]
        return [style(title, "title"), "", *aligned(rows)]
    header = ["event", *numbers, *([] if confidence is None else ["support"]), ""]
    lines: list[list[TextCell]] = [[*header], root_row(len(header), style)]
    order = _largest_first(next(iter(numbers.values()), np.zeros(len(model.events))), model.events)
    for branch in branches(model.adjacency(), order):
        told = ["" if branch.again else _number(each[branch.event]) for each in numbers.values()]
        support = [] if confidence is None else [branch.support(confidence, style)]
        lines.append([branch.name(model.events, style), *told, *support, ""])
    return [style(title, "title"), "", *aligned(lines)]


def _rows(
    fit: OrderedFit[Any, Any], confidence: Confidence | None, style: Style
) -> list[list[TextCell]]:
    numbers = {**fit.model.parameters(), **fit.evidence.columns(fit.model)}
    remarks = in_words(fit.remarks())
    extra = [] if confidence is None else ["support"]
    header = ["event", "frequency", *numbers, *extra, "reason"]
    rows: list[list[TextCell]] = [[*header], root_row(len(header), style)]
    events, frequency = fit.model.events, fit.counts.frequency
    for branch in branches(fit.model.adjacency(), _largest_first(frequency, events)):
        event = branch.event
        told = [
            percent(frequency[event]),
            *(_number(column[event]) for column in numbers.values()),
        ]
        rows.append(
            [
                branch.name(events, style, quiet=events[event] in fit.undetermined),
                *([""] * len(told) if branch.again else told),
                *([] if confidence is None else [branch.support(confidence, style)]),
                "shown above" if branch.again else remarks[event],
            ]
        )
    return rows


def _largest_first(numbers: FloatArray, events: Sequence[str]) -> list[int]:
    return sorted(range(len(events)), key=lambda event: (-numbers[event], events[event]))


def _number(value: float) -> str:
    if np.isnan(value):
        return ""
    return f"{value:.3f}" if abs(value) < _LARGE else f"{value:.2g}"


def _recovery_lines(recovery: Recovery | None) -> list[str]:
    if recovery is None:
        return []
    lines = ["", f"log-likelihood with errors: {recovery.log_likelihood:.2f}"]
    for name in ("false_positive", "false_negative"):
        line = f"{name.replace('_', ' ')} rate: {getattr(recovery.noise, name):.3f}"
        if recovery.intervals is not None:
            low, high = getattr(recovery.intervals, name)
            line += f" (95 % interval {low:.3f} to {high:.3f})"
        lines.append(line)
    if not recovery.settled:
        lines.append(f"Did not settle in {recovery.rounds} rounds; the likeliest forest is shown.")
    return lines
