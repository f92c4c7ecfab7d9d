"""Graphs in files: nodes have plain identifiers, and names as labels."""

from typing import Any

from caprese._core.files import shown
from caprese.errors import ModelError
from caprese.io.graphs.networks import ROOT_NODE, Graph
from caprese.io.text.cells import escaped, unescaped


def with_identifiers(graph: Graph) -> Graph:
    """Return a graph of `to_networkx` with ``root``, ``event1``, ``event2`` ... for nodes.

    So no program has to handle unusual names as identifiers. All text is escaped.
    """
    import networkx as nx

    events = [node for node in graph if node != ROOT_NODE]
    identifiers = {event: f"event{k}" for k, event in enumerate(events, start=1)}
    renamed = nx.relabel_nodes(graph, identifiers | {ROOT_NODE: "root"})
    nodes = [attributes for _, attributes in renamed.nodes(data=True)]
    edges = [attributes for *_, attributes in renamed.edges(data=True)]
    for attributes in (renamed.graph, *nodes, *edges):
        for name, value in attributes.items():
            if isinstance(value, str):
                attributes[name] = escaped(value)
    return renamed


def by_label(graph: Graph) -> Graph:
    """Return the graph whose nodes are the events by name; the opposite of `with_identifiers`.

    A node without a label is named by its identifier; the root is the node of kind ``root``.
    """
    import networkx as nx

    if not graph.is_directed():
        raise ModelError("the edges have no direction; expected them from parent to child")
    names: dict[Any, str] = {}
    seen = set[str]()
    for node, attributes in graph.nodes(data=True):
        name = unescaped(str(attributes.get("label", node)))
        if attributes.get("kind") == "root":
            name = ROOT_NODE
        elif not name.strip():
            raise ModelError(f"the event {shown(str(node))} has an empty label")
        if name in seen:
            raise ModelError(f"{shown(name or 'root')} occurs twice; names must differ")
        seen.add(name)
        names[node] = name
    return nx.relabel_nodes(nx.DiGraph(graph), names)
