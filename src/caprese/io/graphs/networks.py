"""Progressions as networkx graphs, and back."""

import json
import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from caprese._core.files import shown
from caprese.assessment.confidence import Confidence
from caprese.errors import ModelError
from caprese.io.json.codec import AnyModel
from caprese.methods import describe
from caprese.methods.evidence import Reason
from caprese.methods.fit import Fit, OrderedFit, order_of
from caprese.models.base import Model, Order, PatternedOrder, numbers_of, parent_sets
from caprese.models.dag import ConjunctiveDag
from caprese.models.forest import ROOT, Forest
from caprese.models.poset import Poset, TimedPoset

if TYPE_CHECKING:
    import networkx as nx

ROOT_NODE = ""
"""The node of the root: the empty text, which no event can have as its name."""

NUMBERS = ("probability", "rate")
"""Attributes of all edges into an event: the number of the event in its model."""

Attributes = dict[str, Any]
Graph: TypeAlias = "nx.DiGraph"
_OF_NODE = ("frequency", "reason")  # the other columns of a fit's table belong to the edge


def to_networkx(
    progression: Fit[Any, Any] | Model | Order, confidence: Confidence | None = None
) -> Graph:
    """Return a progression as a directed graph whose nodes are the events, by name, and the root.

    The root is the node `ROOT_NODE`, the empty text; it is the parent of every event without other
    parents. Attributes are text, booleans and finite numbers, which every writer of networkx
    accepts; unknown ones are omitted.

    Parameters
    ----------
    progression
        A fit, or a model alone. A fit gives more attributes: frequencies, scores, reasons.
    confidence
        The result of a bootstrap of the same events, for the support of the edges.

    Returns
    -------
    networkx.DiGraph
        Attributes of a node: `label`, `kind` (``event``, ``root`` or ``pattern``); for a fit also
        `frequency`, `reason`, `undetermined`, and the `members` of a composite event as a JSON
        list; for a pattern its `operator` and `formula`. A pattern is a node between its events and
        its children. Attributes of an edge: `probability` of the child given all its parents, or
        its `rate`; for a fit also its evidence, such as `score` or `weight`, and `filtered`, true
        if the edge starts at the root because another parent was filtered out; `support`.
        Attributes of the graph: the method and the data.

    Raises
    ------
    ModelError
        If the model has no edges, or the confidence has other events.

    Examples
    --------
    >>> from caprese.data.datasets import acml
    >>> from caprese.methods import Caprese
    >>> graph = to_networkx(Caprese().fit(acml()))
    >>> list(graph.edges)
    [('', 'SETBP1 missense'), ('', 'ASXL1 indel'), ('SETBP1 missense', 'ASXL1 nonsense')]
    >>> round(graph.edges["SETBP1 missense", "ASXL1 nonsense"]["probability"], 3)
    0.286
    """
    import networkx as nx

    fit = progression if isinstance(progression, Fit) else None
    model = order_of(progression)
    if confidence is not None and confidence.events != model.events:
        raise ModelError("confidence must have the same events in the same order as the model")
    graph = nx.DiGraph(**_provenance(fit, confidence))
    graph.add_node(ROOT_NODE, label="root", kind="root")
    rows = _fit_rows(fit) if isinstance(fit, OrderedFit) else [({}, row) for row in _rows(model)]
    # The last row left is that of the root, -1; the one after it counts undetermined parents.
    support = None if confidence is None else confidence.support[:-1]
    for event, (of_node, _) in zip(model.events, rows, strict=True):
        graph.add_node(event, label=event, kind="event", **of_node)
    for i, j in _links(model):
        parent = ROOT_NODE if i == ROOT else model.events[i]
        share = {} if support is None else {"support": float(support[i, j])}
        graph.add_edge(parent, model.events[j], **rows[j][1], **share)
    if isinstance(model, PatternedOrder):
        _add_patterns(graph, model, rows, confidence)
    return graph


def _add_patterns(
    graph: Graph,
    model: PatternedOrder,
    rows: list[tuple[Attributes, Attributes]],
    confidence: Confidence | None,
) -> None:
    """Add a node for each pattern, with edges from its events and to its children."""
    for pattern in model.patterns:
        formula = pattern.formula
        about = {"operator": formula.operator, "formula": str(formula)}
        graph.add_node(pattern.name, label=pattern.name, kind="pattern", **about)
        graph.add_edges_from((event, pattern.name) for event in formula.members)
    for name, child in model.pattern_edges:
        support = None if confidence is None else confidence.pattern_support(name, child)
        share = {} if support is None else {"support": support}
        graph.add_edge(name, child, **rows[model.events.index(child)][1], **share)


def from_networkx(graph: Graph) -> AnyModel:
    """Return the model of a graph like those of `to_networkx`.

    Edges with a `probability` give a forest if no event has more than one parent, else a
    conjunctive DAG; edges with a `rate` give a timed poset, edges with neither a poset. The number
    must be the same on all edges into an event. The events of a pattern are parents of its
    children; the tables of a conditional DAG are in JSON files only.

    Examples
    --------
    >>> forest = Forest(("a", "b"), (ROOT, 0), (0.5, 0.25))
    >>> from_networkx(to_networkx(forest)) == forest
    True
    """
    patterns = {node for node, kind in graph.nodes(data="kind") if kind == "pattern"}
    events = [node for node in graph if node != ROOT_NODE and node not in patterns]
    place = {event: k for k, event in enumerate(events)}
    above = [
        tuple(place[parent] for parent in _parent_events(graph, event, patterns))
        for event in events
    ]
    given = {name for *_, values in graph.edges(data=True) for name in values}
    name = next((name for name in NUMBERS if name in given), None)
    if name is None:
        return Poset(tuple(events), tuple(above))
    numbers = np.array([_parameter(graph, event, name) for event in events])
    if name == "rate":
        return TimedPoset(tuple(events), tuple(above), numbers)
    if any(len(parents) > 1 for parents in above):
        return ConjunctiveDag(tuple(events), tuple(above), numbers)
    single = np.array([parents[0] if parents else ROOT for parents in above], dtype=np.int64)
    return Forest(tuple(events), single, numbers)


def _parent_events(graph: Graph, event: str, patterns: set[str]) -> list[str]:
    """Return the parents of an event, with the events of a pattern in place of the pattern."""
    found: dict[str, None] = {}
    for parent in graph.predecessors(event):
        found |= dict.fromkeys(graph.predecessors(parent) if parent in patterns else [parent])
    return [parent for parent in found if parent != ROOT_NODE]


def _links(model: Order) -> Iterator[tuple[int, int]]:
    """Yield positions of parent, or ROOT, and child; edges from patterns are not among them."""
    every = parent_sets(model.adjacency())
    direct = parent_sets(model.direct_adjacency()) if isinstance(model, PatternedOrder) else every
    for child, parents in enumerate(direct):
        for parent in parents or (() if every[child] else (ROOT,)):
            yield parent, child


def _rows(model: Order) -> list[Attributes]:
    """Return the attributes of the edges into each event."""
    numbers = {name: values.tolist() for name, values in numbers_of(model).items()}
    events = range(len(model.events))
    return [_numbers({name: each[k] for name, each in numbers.items()}) for k in events]


def _fit_rows(fit: OrderedFit[Any, Any]) -> list[tuple[Attributes, Attributes]]:
    members = {step.composite: step.events for step in fit.log if step.what in ("merge", "add")}
    undetermined = fit.undetermined
    rows = []
    table = fit.table().to_dict("records")
    for event, given, row in zip(fit.model.events, _rows(fit.model), table, strict=True):
        node: Attributes = {name: row[name] for name in _OF_NODE}
        node["undetermined"] = event in undetermined
        if event in members:
            node["members"] = json.dumps(members[event], ensure_ascii=False)
        filtered = row["reason"] == Reason.FILTERED
        rows.append((node, {**given, **_numbers(row), "filtered": filtered}))
    return rows


def _numbers(row: Mapping[str, Any]) -> dict[str, float]:
    """Return the numbers in a row that belong to the edge; JSON and GraphML need finite ones."""
    return {
        name: value
        for name, value in row.items()
        if name not in _OF_NODE and isinstance(value, float) and math.isfinite(value)
    }


def _provenance(fit: Fit[Any, Any] | None, confidence: Confidence | None) -> Attributes:
    about: Attributes = {}
    if fit is not None:
        about |= {"method": describe(fit.method), "samples": fit.samples, "digest": fit.digest}
    if confidence is not None:
        about |= {"replicates": confidence.replicates, "exact": confidence.exact}
    return about


def _parameter(graph: Graph, event: str, name: str) -> float:
    edges = [values for *_, values in graph.in_edges(event, data=True)]
    if not edges or not all(name in values for values in edges):
        raise ModelError(f"no {name} on the edges into {shown(str(event))}")
    first, *others = {_number(event, name, values[name]) for values in edges}
    if others:
        problem = f"differ in {name}: {min(first, *others)} to {max(first, *others)}"
        raise ModelError(f"the edges into {shown(str(event))} {problem}")
    return first


def _number(event: str, name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        problem = f"must be a number, got {shown(str(value))}"
        raise ModelError(f"the {name} of {shown(str(event))} {problem}") from None
