"""A model as the lines of a tree: each event under its parents, its children only once."""

from collections.abc import Sequence
from dataclasses import dataclass

from caprese.arrays import BoolArray
from caprese.confidence import UNDETERMINED, Confidence
from caprese.models.forest import ROOT
from caprese.models.poset import parent_sets
from caprese.report.columns import Cell, Inked, visible
from caprese.report.ink import Ink, support_tone


@dataclass(frozen=True)
class Branch:
    """A line of the drawn tree: an event under one of its parents."""

    event: int
    parent: int
    others: tuple[int, ...]
    before: str
    again: bool

    def name(self, events: Sequence[str], ink: Ink, *, quiet: bool = False) -> Inked:
        """Return the lines before the event, its name, and its other parents."""
        others = ", ".join(visible(events[other]) for other in self.others)
        name = visible(events[self.event]) + (f" (and {others})" if others else "")
        shown = ink(name, "quiet") if quiet else name
        return Inked(self.before + name, ink(self.before, "quiet") + shown)

    def support(self, confidence: Confidence, ink: Ink) -> Inked:
        """Return how often the event had this parent, or was as little determined."""
        row = len(confidence.events) if self.parent == ROOT else self.parent
        if confidence.parents[self.event] == (UNDETERMINED,):
            row = len(confidence.events) + 1
        share = float(confidence.support[row, self.event])
        text, tone = f"{100 * share:.1f} %", support_tone(share)
        return Inked(text, text if tone is None else ink(text, tone))


def root_row(columns: int, ink: Ink) -> list[Cell]:
    """Return the row of the root, which has no numbers.

    Examples
    --------
    >>> from caprese.report.ink import plain
    >>> root_row(3, plain)
    [Inked(text='root', shown='root'), '', '']
    """
    return [Inked("root", ink("root", "quiet")), *[""] * (columns - 1)]


def branches(adjacency: BoolArray, order: Sequence[int]) -> list[Branch]:
    """List events as the tree is drawn; siblings in this order of all events.

    Examples
    --------
    >>> import numpy as np
    >>> chain = np.array([[False, True], [False, False]])
    >>> [branch.before for branch in branches(chain, [0, 1])]
    ['└─ ', '   └─ ']
    """
    parents = parent_sets(adjacency)
    children: dict[int, list[int]] = {}
    for event in order:
        for parent in parents[event] or (ROOT,):
            children.setdefault(parent, []).append(event)
    drawn: list[Branch] = []
    seen: set[int] = set()
    waiting = [
        (event, ROOT, "", position == 0) for position, event in enumerate(children[ROOT][::-1])
    ]
    while waiting:
        event, parent, before, last = waiting.pop()
        again = event in seen
        seen.add(event)
        others = tuple(other for other in parents[event] if other != parent)
        drawn.append(Branch(event, parent, others, before + ("└─ " if last else "├─ "), again))
        below = before + ("   " if last else "│  ")
        waiting += [
            (child, event, below, position == 0)
            for position, child in enumerate([] if again else children.get(event, [])[::-1])
        ]
    return drawn
