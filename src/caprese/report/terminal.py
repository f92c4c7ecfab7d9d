"""A fit as lines of text: the forest as a tree, numbers and reasons beside it."""

from dataclasses import fields
from typing import Any

import numpy as np

from caprese.methods import name_of
from caprese.methods.base import Fit
from caprese.models.forest import ROOT, Forest


def fit_lines(fit: Fit[Any, Any]) -> list[str]:
    """Return the lines that show a fit.

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
    settings = ", ".join(
        f"{field.name} {getattr(fit.method, field.name)}" for field in fields(fit.method)
    )
    title = (
        f"{name_of(fit.method)} ({settings}) on {fit.samples} samples "
        f"x {len(fit.model.events)} events"
    )
    undetermined = ", ".join(
        f"{visible(event)} ({reason})" for event, reason in fit.undetermined.items()
    )
    notes = ["", f"Could not be placed: {undetermined}"] if undetermined else []
    return [title, "", *_aligned(_rows(fit)), *notes]


def visible(text: str, longest: int = 60) -> str:
    r"""Return a text fit for a line of a terminal: nothing invisible, nothing endless.

    Examples
    --------
    >>> visible("8q+" + chr(10))
    '8q+\\n'
    """
    signs = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
    return signs if len(signs) <= longest else signs[: longest - 1] + "…"


def _rows(fit: Fit[Any, Any]) -> list[list[str]]:
    numbers = fit.evidence.columns(fit.model.parents)
    remarks = fit.evidence.remarks(fit.counts)
    header = ["event", "frequency", "probability", *numbers, "reason"]
    rows = [header, ["root"] + [""] * (len(header) - 1)]
    for event, branch in _branches(fit.model, fit.counts.frequency):
        rows.append(
            [
                branch + visible(fit.model.events[event]),
                f"{100 * fit.counts.frequency[event]:.0f} %",
                f"{fit.model.probabilities[event]:.3f}",
                *(_number(column[event]) for column in numbers.values()),
                visible(remarks[event], longest=120),
            ]
        )
    return rows


def _number(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.3f}"


def _branches(forest: Forest, frequency: np.ndarray) -> list[tuple[int, str]]:
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


def _aligned(rows: list[list[str]]) -> list[str]:
    """Pad the columns: first and last to the left, numbers to the right."""
    from rich.cells import cell_len

    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for name, *numbers, reason in rows:
        cells = [name + " " * (widths[0] - cell_len(name))]
        cells += [cell.rjust(width) for cell, width in zip(numbers, widths[1:], strict=False)]
        lines.append("  ".join([*cells, reason]).rstrip())
    return lines
