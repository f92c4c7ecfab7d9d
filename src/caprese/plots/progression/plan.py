"""The plan of a picture of a progression: what it shows, and where. Nothing here draws."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from caprese._core.arrays import FloatArray
from caprese._core.words import percent
from caprese.assessment.confidence import Confidence
from caprese.data.patterns import Formula
from caprese.methods.evidence import PosteriorEvidence, Reason
from caprese.methods.fit import Fit, OrderedFit
from caprese.models.base import Model, Order, PatternedOrder, nodes_of
from caprese.plots.canvas.labels import legible_names, text_width, wrapped
from caprese.plots.canvas.legend import (
    Entry,
    Legend,
    bar_symbol,
    dotted_symbol,
    gate_symbol,
    line_symbol,
    stacked_symbol,
    wedge_symbol,
)
from caprese.plots.canvas.palette import LINE, SOFT
from caprese.plots.layout.layered import Edge
from caprese.plots.layout.placement import Direction, Placement, edges_of, layers
from caprese.plots.layout.sorting import by_frequency
from caprese.plots.progression.crowds import Crowd, crowd_entries
from caprese.plots.progression.nodes import Gate, Node, root_size

EDGE_LABEL = 7.0  # font size
MARGIN = 8.0
LEGEND_GAP = 14.0
FAINT = 0.8  # width of an edge that the model does not have

_NOTABLE = 0.1  # posterior probability from which on such an edge is drawn

_PAGE = (520.0, 680.0)  # the size of a printed page
# Arrangements to choose from, the preferred one first: the direction of growth, the characters of a
# name on a line, and whether the frequency is beside the name.
_ARRANGEMENTS: tuple[tuple[Direction, int, bool], ...] = (
    ("down", 16, False),
    ("right", 48, True),
    ("right", 24, True),
    ("right", 16, False),
)


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
        but whose probability is at least 10 %, are drawn faintly.
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


@dataclass(frozen=True)
class ProgressionPlan:
    """A picture of a progression before it is drawn: its nodes, their places, the legend."""

    names: tuple[str, ...]  # of the nodes: events, then patterns
    nodes: tuple[Node | Gate, ...]
    placement: Placement
    edges: tuple[Edge, ...]
    legend: Legend
    alternatives: tuple[Edge, ...] = ()  # edges that the model does not have
    at_root: Crowd | None = None  # the samples at the root, if they are shown

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height, with margins and legend."""
        width, height = self.placement.extent
        below = LEGEND_GAP + self.legend.height if self.legend.lines else 0.0
        return max(width, self.legend.width) + 2 * MARGIN, height + below + 2 * MARGIN


def page_scale(extent: tuple[float, float], page: tuple[float, float] = _PAGE) -> float:
    """Return the factor that makes a picture fit on a page; 1 if it fits as it is."""
    return min(1.0, *(room / need for room, need in zip(page, extent, strict=True)))


def marks_of(
    progression: Fit[Any, Any] | Model | Order, confidence: Confidence | None = None
) -> Marks:
    """Return what the picture of a fit shows beyond edges; of a model alone, only the support.

    Without a confidence, a fit whose evidence is a posterior shows its probabilities as support.
    """
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


def _pattern_support(confidence: Confidence) -> dict[tuple[str, str], float]:
    return {
        (pattern, child): votes / confidence.replicates
        for pattern, child, votes in confidence.pattern_votes
    }


def progression_plan(
    model: Order, marks: Marks, direction: Direction | Literal["auto"] = "auto"
) -> ProgressionPlan:
    """Return the plan of a picture: of several arrangements, the one that fits a page best."""
    plans = [
        _arranged(model, marks, *arrangement)
        for arrangement in _ARRANGEMENTS
        if direction in (arrangement[0], "auto")
    ]
    return max(plans, key=lambda plan: page_scale(plan.extent))  # the first of equals


def siblings_by_frequency(
    edges: Sequence[Edge], events: Sequence[str], frequency: FloatArray
) -> list[Edge]:
    """Return edges sorted by the frequency of the child, the highest first, then by its name."""
    rank = {event: place for place, event in enumerate(by_frequency(events, frequency))}
    return sorted(edges, key=lambda edge: rank[edge[1]])


def node_sizes(
    nodes: Collection[Node | Gate],
    edges: Sequence[Edge],
    direction: Direction,
    at_root: Crowd | None = None,
) -> FloatArray:
    """Return the sizes of all nodes and of the root; in a column they are equally wide."""
    sizes = np.array([*(node.size for node in nodes), root_size(at_root)])
    if direction == "right":  # so that the bars of a column are aligned
        layer = layers(edges, len(sizes))
        boxes = np.array([*(isinstance(node, Node) for node in nodes), False])
        for row in range(1, int(layer.max()) + 1):
            sizes[(layer == row) & boxes, 0] = sizes[layer == row, 0].max()
    return sizes


def _arranged(
    model: Order, marks: Marks, direction: Direction, width: int, beside: bool
) -> ProgressionPlan:
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
    placement = Placement.of(edges, sizes, direction=direction, label=label_size)
    legend = Legend.of(legend_entries(model, marks), placement.extent[0])
    others = _alternatives(edges, model.events, marks)
    return ProgressionPlan(names, nodes, placement, tuple(edges), legend, others, at_root)


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


def legend_entries(model: Order, marks: Marks) -> list[Entry]:
    """Return the symbols that occur in a picture, and what each means."""
    shown = set(model.events)
    edges = edges_of(model.adjacency())
    candidates = [
        (
            marks.frequency is not None and not marks.crowds,
            bar_symbol,
            "share of samples with the event, also the size of its box",
        ),
        (
            marks.support is not None,
            wedge_symbol,
            "posterior probability of the edge"
            if marks.posterior
            else "support: share of replicates with the edge",
        ),
        (
            bool(_alternatives(edges, model.events, marks)),
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
    return [*crowd_entries(marks.crowds), *found]
