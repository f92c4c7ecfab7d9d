"""A model as the lines of a tree: each event under its parents, its children only once."""

from collections.abc import Sequence
from dataclasses import dataclass

from caprese._core.arrays import BoolArray
from caprese._core.words import percent, visible
from caprese.assessment.confidence import UNDETERMINED, Confidence
from caprese.models.base import parent_sets
from caprese.models.forest import ROOT
from caprese.text.columns import Styled, TextCell
from caprese.text.style import Style, support_tone


@dataclass(frozen=True)
class Branch:
    """A line of the drawn tree: an event under one of its parents."""

    event: int
    parent: int
    others: tuple[int, ...]
    before: str
    again: bool

    def name(self, events: Sequence[str], style: Style, *, quiet: bool = False) -> Styled:
        """Return the lines before the event, its name, and its other parents."""
        others = ", ".join(visible(events[other]) for other in self.others)
        name = visible(events[self.event]) + (f" (and {others})" if others else "")
        shown = style(name, "quiet") if quiet else name
        return Styled(self.before + name, style(self.before, "quiet") + shown)

    def support(self, confidence: Confidence, style: Style) -> Styled:
        """Return how often the event had this parent, or was as little determined."""
        row = len(confidence.events) if self.parent == ROOT else self.parent
        if confidence.parent_sets[self.event] == (UNDETERMINED,):
            row = len(confidence.events) + 1
        share = float(confidence.support[row, self.event])
        text, tone = percent(share, 1), support_tone(share)
        return Styled(text, text if tone is None else style(text, tone))


def root_row(columns: int, style: Style) -> list[TextCell]:
    """Return the row of the root, which has no numbers.

    Examples
    --------
    >>> from caprese.text.style import plain
    >>> root_row(3, plain)
    [Styled(text='root', shown='root'), '', '']
    """
    return [Styled("root", style("root", "quiet")), *[""] * (columns - 1)]


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
