"""A model as the lines of a tree: each event below its parents, with its descendants only once.

By hand, because a tree of rich has no columns of numbers beside it, and no event with two parents.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from caprese._core.arrays import BoolArray
from caprese._core.significance import CONTRADICTED, SURE
from caprese._core.words import percent, visible
from caprese.assessment.confidence import UNDETERMINED, Confidence
from caprese.models.base import parent_sets
from caprese.models.forest import ROOT
from caprese.text.style import Emphasis, Style

_DEEPEST = 60  # levels that are indented; below them the level is written


@dataclass(frozen=True)
class Branch:
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
        """Return the support of this parent, or of an event without a determined parent.

        Empty for a pattern, which only follows from its events.
        """
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
    lines: Iterable[Branch],
    events: Sequence[str],
    columns: Mapping[str, Sequence[str]],
    confidence: Confidence | None,
    style: Style,
    reasons: Sequence[str] | None = None,
    quiet: Collection[str] = (),
) -> list[list[str]]:
    """Return the header and the rows of a tree; columns hold a text for each event.

    Events may be followed by patterns, for which columns and reasons hold nothing.
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
        for branch in lines
    ]
    return rows


def _entry(column: Sequence[str], branch: Branch, repeated: str = "") -> str:
    """Return the text of an event in a column; empty for a pattern."""
    if branch.repeated:
        return repeated
    return column[branch.event] if branch.event < len(column) else ""


def branches(adjacency: BoolArray, order: Sequence[int]) -> list[Branch]:
    """Return the lines of a tree, from top to bottom; siblings are shown in the given order.

    Each is indented by its level; where that would take more than 180 characters, a line gives the
    number of its level instead.
    """
    parents = parent_sets(adjacency)
    children: dict[int, list[int]] = {}
    for event in order:
        for parent in parents[event] or (ROOT,):
            children.setdefault(parent, []).append(event)
    lines: list[Branch] = []
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
        lines.append(Branch(event, parent, others, prefix, repeated))
        below = before + space if level < _DEEPEST else ""
        stack += [
            (child, event, below, level + 1, position == 0)
            for position, child in enumerate(next_ones)
        ]
    return lines
