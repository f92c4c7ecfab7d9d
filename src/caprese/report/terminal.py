"""A fit as lines of text: the forest as a tree, numbers and reasons beside it."""

from typing import Any

import numpy as np

from caprese.arrays import FloatArray
from caprese.confidence import Confidence
from caprese.methods import describe
from caprese.methods.base import Fit, Recovery
from caprese.models.forest import ROOT, Forest
from caprese.report.columns import aligned, number_of, visible
from caprese.report.log_text import log_lines


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


def _rows(fit: Fit[Any, Any], confidence: Confidence | None) -> list[list[str]]:
    support = np.zeros(0) if confidence is None else confidence.edge_votes / confidence.replicates
    numbers = fit.evidence.columns(fit.model.parents)
    remarks = fit.evidence.remarks(fit.counts, fit.model.parents)
    extra = [] if confidence is None else ["support"]
    header = ["event", "frequency", "probability", *numbers, *extra, "reason"]
    rows = [header, ["root"] + [""] * (len(header) - 1)]
    for event, branch in _branches(fit.model, fit.counts.frequency):
        rows.append(
            [
                branch + visible(fit.model.events[event]),
                f"{100 * fit.counts.frequency[event]:.0f} %",
                f"{fit.model.probabilities[event]:.3f}",
                *(_number(column[event]) for column in numbers.values()),
                *(f"{100 * support[event]:.1f} %" for _ in extra),
                visible(remarks[event], longest=120),
            ]
        )
    return rows


def _number(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.3f}"


def _branches(forest: Forest, frequency: FloatArray) -> list[tuple[int, str]]:
    """List events as the tree is drawn, each with the lines before its name."""
    children: dict[int, list[int]] = {}
    for event in sorted(
        range(len(forest.events)), key=lambda event: (-frequency[event], forest.events[event])
    ):
        children.setdefault(int(forest.parents[event]), []).append(event)
    drawn: list[tuple[int, str]] = []
    waiting = [(event, "", position == 0) for position, event in enumerate(children[ROOT][::-1])]
    while waiting:
        event, before, last = waiting.pop()
        drawn.append((event, before + ("└─ " if last else "├─ ")))
        below = before + ("   " if last else "│  ")
        waiting += [
            (child, below, position == 0)
            for position, child in enumerate(children.get(event, [])[::-1])
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
