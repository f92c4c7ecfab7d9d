"""A fit as lines of text: the model as a tree, numbers and reasons beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from caprese.arrays import FloatArray
from caprese.confidence import UNDETERMINED, Confidence
from caprese.methods import describe
from caprese.methods.base import Fit, FittedModel, Recovery
from caprese.models.forest import ROOT
from caprese.models.poset import parent_sets
from caprese.report.columns import aligned, number_of, visible
from caprese.report.log_text import log_lines

_LARGE = 10_000  # from here on a number is told by its size


def fit_lines(fit: Fit[Any, Any], confidence: Confidence | None = None) -> list[str]:
    """Return the lines that show a fit, and how often each edge came back if that is known.

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
    tree = aligned(_rows(fit, confidence))
    log = ["", *log_lines(fit.log)] if fit.log else []
    return [title, "", *tree, *notes, *_recovery_lines(fit.recovery), *log]


@dataclass(frozen=True)
class _Branch:
    """A line of the drawn tree: an event under one of its parents."""

    event: int
    parent: int
    others: tuple[int, ...]
    before: str
    again: bool

    def name(self, events: Sequence[str]) -> str:
        """Return the lines before the event, its name, and its other parents."""
        others = ", ".join(visible(events[other]) for other in self.others)
        return self.before + visible(events[self.event]) + (f" (and {others})" if others else "")


def _rows(fit: Fit[Any, Any], confidence: Confidence | None) -> list[list[str]]:
    numbers = {**fit.model.parameters(), **fit.evidence.columns(fit.model)}
    remarks = fit.evidence.remarks(fit.counts, fit.model)
    extra = [] if confidence is None else ["support"]
    header = ["event", "frequency", *numbers, *extra, "reason"]
    rows = [header, ["root"] + [""] * (len(header) - 1)]
    for branch in _branches(fit.model, fit.counts.frequency):
        event = branch.event
        told = [
            f"{100 * fit.counts.frequency[event]:.0f} %",
            *(_number(column[event]) for column in numbers.values()),
        ]
        rows.append(
            [
                branch.name(fit.model.events),
                *([""] * len(told) if branch.again else told),
                *([] if confidence is None else [_support(confidence, branch)]),
                "shown above" if branch.again else visible(remarks[event], longest=120),
            ]
        )
    return rows


def _support(confidence: Confidence, branch: _Branch) -> str:
    row = len(confidence.events) if branch.parent == ROOT else branch.parent
    if confidence.parents[branch.event] == (UNDETERMINED,):
        row = len(confidence.events) + 1
    return f"{100 * confidence.support[row, branch.event]:.1f} %"


def _number(value: float) -> str:
    if np.isnan(value):
        return ""
    return f"{value:.3f}" if abs(value) < _LARGE else f"{value:.2g}"


def _branches(model: FittedModel, frequency: FloatArray) -> list[_Branch]:
    """List events as the tree is drawn: under each parent, but its children only once."""
    parents = parent_sets(model.adjacency())
    children: dict[int, list[int]] = {}
    for event in sorted(
        range(len(model.events)), key=lambda event: (-frequency[event], model.events[event])
    ):
        for parent in parents[event] or (ROOT,):
            children.setdefault(parent, []).append(event)
    drawn: list[_Branch] = []
    seen: set[int] = set()
    waiting = [
        (event, ROOT, "", position == 0) for position, event in enumerate(children[ROOT][::-1])
    ]
    while waiting:
        event, parent, before, last = waiting.pop()
        again = event in seen
        seen.add(event)
        others = tuple(other for other in parents[event] if other != parent)
        drawn.append(_Branch(event, parent, others, before + ("└─ " if last else "├─ "), again))
        below = before + ("   " if last else "│  ")
        waiting += [
            (child, event, below, position == 0)
            for position, child in enumerate([] if again else children.get(event, [])[::-1])
        ]
    return drawn


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
