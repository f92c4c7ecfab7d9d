"""The plan of a picture of a progression: what it shows, and where. Nothing here draws."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from caprese._core.arrays import FloatArray
from caprese._core.significance import CONTRADICTED
from caprese._core.words import number_of, percent
from caprese.assessment.confidence import Confidence
from caprese.data.patterns import Formula
from caprese.errors import ModelError
from caprese.methods.evidence import PosteriorEvidence, Reason
from caprese.methods.fit import Fit, OrderedFit, order_of
from caprese.models.base import Model, Order, PatternedOrder, nodes_of
from caprese.plots.canvas import LineStyle
from caprese.plots.canvas.labels import legible_names, text_width, wrapped
from caprese.plots.canvas.legend import (
    Entry,
    bar_symbol,
    dotted_symbol,
    gate_symbol,
    line_symbol,
    no_symbol,
    stacked_symbol,
    wedge_symbol,
)
from caprese.plots.canvas.palette import LINE, SOFT
from caprese.plots.layout.across import Edge
from caprese.plots.layout.graph_layout import Direction, GraphLayout, edges_of
from caprese.plots.layout.sorting import by_frequency
from caprese.plots.progression.crowds import Crowd, crowd_entries
from caprese.plots.progression.nodes import Gate, Node
from caprese.plots.progression.tree import (
    EDGE_LABEL,
    FAINT,
    UNDETERMINED,
    EdgeStyle,
    Panel,
    Panels,
    Tree,
    best_on_page,
    node_sizes,
)

_THIN, _THICK = 0.7, 3.0  # widths of edges, by their support
_FAN = 10  # edges that may leave a node before they get thinner
_NOTABLE = 0.1  # posterior probability from which on such an edge is drawn

# Arrangements to choose from, the preferred one first: the direction of growth, the characters of a
# name on a line, and whether the frequency is beside the name.
Arrangement = tuple[Direction, int, bool]
ARRANGEMENTS: tuple[Arrangement, ...] = (
    ("down", 16, False),
    ("right", 48, True),
    ("right", 24, True),
    ("right", 16, False),
)


Progression = Fit[Any, Any] | Model | Order
"""A fit, or a model alone."""


@dataclass(frozen=True)
class Marks:
    """What a picture of a progression shows beyond its edges.

    Parameters
    ----------
    frequency
        Share of the samples that carry each event: a bar in its node. Siblings are sorted by it.
    support
        ``support[i, j]``: share of the replicates in which i was a parent of j, or the posterior
        probability that it is; one more row for the root. The width and the label of each edge.
    filtered
        Events that are independent roots because a filter removed their edge: a dashed edge.
    undetermined
        Events whose parents the data could not determine: a dotted node.
    composites
        Events into which several others were merged: a node of two boxes.
    posterior
        Whether the support is a posterior probability. Then edges that the model does not have,
        but whose probability is at least 10 %, are drawn faintly; those of the model are faint
        below 50 %, and left out below 10 %.
    pattern_support
        Share of the replicates in which a pattern was a parent of an event, by their names.
    crowds
        The samples that stand at each event, and last those at the root: shown in the nodes in
        place of the frequency.
    """

    frequency: FloatArray | None = None
    support: FloatArray | None = None
    filtered: Collection[str] = ()
    undetermined: Collection[str] = ()
    composites: Collection[str] = ()
    posterior: bool = False
    pattern_support: Mapping[tuple[str, str], float] = field(default_factory=dict)
    crowds: tuple[Crowd, ...] = ()

    def support_of(self, nodes: Sequence[str], events: int, edge: Edge) -> float | None:
        """Return the support of an edge; None if it is not known, or leads to a pattern."""
        parent, child = edge
        if self.support is None or child >= events:
            return None
        if parent == len(nodes):  # the root
            return float(self.support[events, child])
        if parent >= events:
            return self.pattern_support.get((nodes[parent], nodes[child]), 0.0)
        return float(self.support[parent, child])


def marks_of(progression: Progression, confidence: Confidence | None = None) -> Marks:
    """Return what the picture of a fit shows beyond edges; of a model alone, only the support.

    Without a confidence, a fit whose evidence is a posterior shows its probabilities as support.
    """
    if confidence is not None:
        _check_belongs(progression, confidence)
    support = None if confidence is None else confidence.support
    patterns = {} if confidence is None else _pattern_support(confidence)
    if not isinstance(progression, OrderedFit):
        return Marks(support=support, pattern_support=patterns)
    fit = progression
    posterior = support is None and isinstance(fit.evidence, PosteriorEvidence)
    reasons = zip(fit.model.events, fit.evidence.reasons, strict=True)
    merged = {step.composite for step in fit.log if step.what in ("merge", "add")}
    return Marks(
        frequency=fit.counts.frequency,
        support=fit.evidence.parent_probabilities if posterior else support,
        filtered=tuple(event for event, reason in reasons if reason == Reason.FILTERED),
        undetermined=tuple(fit.undetermined),
        composites=tuple(event for event in fit.model.events if event in merged),
        posterior=posterior,
        pattern_support=patterns,
    )


def _check_belongs(progression: Progression, confidence: Confidence) -> None:
    if confidence.events != order_of(progression).events:
        raise ModelError("the confidence is of other events than the progression")
    if isinstance(progression, Fit) and confidence.digest != progression.digest:
        raise ModelError("the confidence is of other data than the fit: the fingerprints differ")


def _pattern_support(confidence: Confidence) -> dict[tuple[str, str], float]:
    return {
        (pattern, child): votes / confidence.replicates
        for pattern, child, votes in confidence.pattern_votes
    }


def progression_plan(
    model: Order, marks: Marks, direction: Direction | Literal["auto"] = "auto"
) -> Panels:
    """Return the plan of a picture: of several arrangements, the one that fits a page best."""
    trees = [
        _arranged(model, marks, *arrangement)
        for arrangement in ARRANGEMENTS
        if direction in (arrangement[0], "auto")
    ]
    entries = _legend_entries(model, marks, trees[0])
    return best_on_page([Panels(((Panel(tree),),), entries) for tree in trees])


def siblings_by_frequency(
    edges: Sequence[Edge], events: Sequence[str], frequency: FloatArray
) -> list[Edge]:
    """Return edges sorted by the frequency of the child, the highest first, then by its name."""
    rank = {event: place for place, event in enumerate(by_frequency(events, frequency))}
    return sorted(edges, key=lambda edge: rank[edge[1]])


def _arranged(model: Order, marks: Marks, direction: Direction, width: int, beside: bool) -> Tree:
    names, links = nodes_of(model)
    share = np.zeros(len(names))
    share[: len(model.events)] = 0.0 if marks.frequency is None else marks.frequency
    edges = siblings_by_frequency(edges_of(links), names, share)
    nodes: tuple[Node | Gate, ...] = tuple(
        Node(
            wrapped(label, width),
            None if marks.frequency is None or marks.crowds else float(share[event]),
            beside,
            composite=name in marks.composites,
            undetermined=name in marks.undetermined,
            crowd=marks.crowds[event] if marks.crowds else None,
            event=name,
        )
        for event, (name, label) in enumerate(
            zip(model.events, legible_names(model.events), strict=True)
        )
    )
    if isinstance(model, PatternedOrder):
        nodes += tuple(Gate(_gate_label(pattern.formula)) for pattern in model.patterns)
    label_size = (0.0, 0.0)
    if marks.support is not None:
        label_size = (text_width(">99 %", EDGE_LABEL), EDGE_LABEL + 1)
    at_root = marks.crowds[-1] if marks.crowds else None
    sizes = node_sizes(nodes, edges, direction, at_root)
    layout = GraphLayout.of(edges, sizes, direction=direction, label=label_size)
    others = _alternatives(edges, model.events, marks)
    return Tree(nodes, _styles(edges, names, model, marks), layout, others, at_root)


def _styles(
    edges: Sequence[Edge], names: Sequence[str], model: Order, marks: Marks
) -> dict[Edge, EdgeStyle]:
    """Return how each edge is drawn: thinner if its support is low, or if many leave its parent.

    By a posterior, edges below 50 % are faint, and those below 10 % are left out.
    """
    leaving = int(np.bincount([parent for parent, _ in edges]).max())
    thick = max(1.5 * _THIN, _THICK * min(1.0, _FAN / leaving))
    found = {}
    for parent, child in edges:
        filtered = parent == len(names) and names[child] in marks.filtered
        line: LineStyle = "dashed" if filtered else "solid"
        share = marks.support_of(names, len(model.events), (parent, child))
        if names[child] in marks.undetermined:
            style = UNDETERMINED
        elif share is None:
            style = EdgeStyle(line=line)
        elif marks.posterior and share < _NOTABLE:
            continue  # left out, and counted in the legend
        elif marks.posterior and share < CONTRADICTED:
            style = EdgeStyle(_THIN, LINE, label=percent(share))
        else:
            style = EdgeStyle(_THIN + (thick - _THIN) * share, line=line, label=percent(share))
        found[parent, child] = style
    return found


def _gate_label(formula: Formula) -> str:
    """Return the operator; with those inside it, and a dot for each event, if there are any."""
    inner = [_gate_label(part) if isinstance(part, Formula) else "·" for part in formula.parts]
    plain = all(part == "·" for part in inner)
    return formula.operator if plain else f"{formula.operator}({', '.join(inner)})"


def _alternatives(edges: Sequence[Edge], events: Sequence[str], marks: Marks) -> tuple[Edge, ...]:
    """Return the edges that are not in the model, but probable; no parent of the undetermined."""
    if marks.support is None or not marks.posterior:
        return ()
    own = set(edges)
    found = np.argwhere(marks.support[: len(events) + 1] >= _NOTABLE).tolist()
    return tuple(
        (parent, child)
        for parent, child in found
        if (parent, child) not in own and events[child] not in marks.undetermined
    )


def left_out_words(edges: int) -> str:
    """Return that so many edges are left out, for a legend."""
    return f"{number_of(edges, 'edge')} with a posterior below {percent(_NOTABLE)} left out"


def edges_left_out(model: Order, tree: Tree) -> int:
    """Return how many edges of the model, those from the root too, are not drawn."""
    _, links = nodes_of(model)
    return len(edges_of(links)) - len(tree.edges)


def _legend_entries(model: Order, marks: Marks, tree: Tree) -> tuple[Entry, ...]:
    """Return the symbols that occur in a picture, and what each means."""
    shown, left_out = set(model.events), edges_left_out(model, tree)
    support = "support: share of replicates with the edge"
    candidates = [
        (
            marks.frequency is not None and not marks.crowds,
            bar_symbol,
            "share of samples with the event, also the size of its box",
        ),
        (
            marks.support is not None,
            wedge_symbol,
            "posterior probability of the edge" if marks.posterior else support,
        ),
        (
            marks.posterior and any(style.colour == LINE for style in tree.edges.values()),
            line_symbol(_THIN, LINE, "solid"),
            f"posterior below {percent(CONTRADICTED)}",
        ),
        (bool(left_out), no_symbol, left_out_words(left_out)),
        (
            bool(tree.alternatives),
            line_symbol(FAINT, LINE, "dashed"),
            f"another parent, posterior {percent(_NOTABLE)} or more",
        ),
        (
            bool(shown & set(marks.filtered)),
            line_symbol(1.2, SOFT, "dashed"),
            "independent root: the filter removed its edge",
        ),
        (bool(shown & set(marks.undetermined)), dotted_symbol, "could not be placed"),
        (bool(shown & set(marks.composites)), stacked_symbol, "several events merged"),
        (
            isinstance(model, PatternedOrder) and bool(model.patterns),
            gate_symbol,
            "pattern of events: all (AND), any (OR), exactly one (XOR)",
        ),
    ]
    found = [Entry(symbol, meaning) for occurs, symbol, meaning in candidates if occurs]
    return (*crowd_entries(marks.crowds), *found)
