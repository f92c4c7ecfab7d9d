"""A fit as lines of text: the model as a tree, numbers and reasons beside it."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from caprese.arrays import FloatArray
from caprese.confidence import Confidence
from caprese.io.models import Model, kind_of_model
from caprese.methods import describe
from caprese.methods.base import Fit, Recovery
from caprese.report.columns import Cell, aligned, number_of, visible
from caprese.report.ink import Ink, plain
from caprese.report.log_text import log_lines
from caprese.report.tree_text import branches, root_row

_LARGE = 10_000  # from here on a number is told by its size


def fit_lines(
    fit: Fit[Any, Any], confidence: Confidence | None = None, ink: Ink = plain
) -> list[str]:
    """Return the lines that show a fit, and how often each edge came back if that is known.

    Parameters
    ----------
    ink
        How parts of the text are set off; not at all if left out.

    Examples
    --------
    >>> from caprese.datasets import acml
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
    undetermined = ", ".join(
        f"{visible(event)} ({reason})" for event, reason in fit.undetermined.items()
    )
    notes = ["", *fit.evidence.notes()] if fit.evidence.notes() else []
    notes += ["", f"Could not be placed: {undetermined}"] if undetermined else []
    tree = aligned(_rows(fit, confidence, ink))
    log = ["", *log_lines(fit.log)] if fit.log else []
    return [ink(title, "title"), "", *tree, *notes, *_recovery_lines(fit.recovery), *log]


def model_lines(model: Model, confidence: Confidence | None = None, ink: Ink = plain) -> list[str]:
    """Return the lines that show a model alone, such as the truth of a simulation.

    Parameters
    ----------
    confidence
        Of a bootstrap of the same events, for the support of the edges.
    ink
        How parts of the text are set off; not at all if left out.

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
    header = ["event", *numbers, *([] if confidence is None else ["support"]), ""]
    rows: list[list[Cell]] = [[*header], root_row(len(header), ink)]
    order = _largest_first(next(iter(numbers.values()), np.zeros(len(model.events))), model.events)
    for branch in branches(model.adjacency(), order):
        told = ["" if branch.again else _number(each[branch.event]) for each in numbers.values()]
        support = [] if confidence is None else [branch.support(confidence, ink)]
        rows.append([branch.name(model.events, ink), *told, *support, ""])
    title = f"{kind_of_model(model)} of {number_of(len(model.events), 'event')}"
    return [ink(title, "title"), "", *aligned(rows)]


def _rows(fit: Fit[Any, Any], confidence: Confidence | None, ink: Ink) -> list[list[Cell]]:
    numbers = {**fit.model.parameters(), **fit.evidence.columns(fit.model)}
    remarks = fit.evidence.remarks(fit.counts, fit.model)
    extra = [] if confidence is None else ["support"]
    header = ["event", "frequency", *numbers, *extra, "reason"]
    rows: list[list[Cell]] = [[*header], root_row(len(header), ink)]
    events, frequency = fit.model.events, fit.counts.frequency
    for branch in branches(fit.model.adjacency(), _largest_first(frequency, events)):
        event = branch.event
        told = [
            f"{100 * frequency[event]:.0f} %",
            *(_number(column[event]) for column in numbers.values()),
        ]
        rows.append(
            [
                branch.name(events, ink, quiet=events[event] in fit.undetermined),
                *([""] * len(told) if branch.again else told),
                *([] if confidence is None else [branch.support(confidence, ink)]),
                "shown above" if branch.again else visible(remarks[event], longest=120),
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
