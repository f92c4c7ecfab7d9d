"""Graphs in DOT, the language of Graphviz."""

from collections.abc import Mapping
from typing import Any

from caprese._core.words import percent
from caprese.io.graphs.identifiers import with_identifiers
from caprese.io.graphs.networks import Graph


def dot_text(graph: Graph) -> str:
    """Return a graph of `to_networkx` in DOT.

    Edges are labelled with their probability and, if known, their support. An edge from the root is
    dashed if another parent of the event was filtered out.
    """
    plain = with_identifiers(graph)
    plain.nodes["root"]["shape"] = "plain"
    nodes = [f"  {node} {_listed(values)};" for node, values in plain.nodes(data=True)]
    edges = [
        f"  {parent} -> {child} {_listed(values | _style(values))};"
        for parent, child, values in plain.edges(data=True)
    ]
    header = ["digraph progression {", "  node [shape=box, style=rounded];"]
    return "\n".join([*header, *nodes, *edges, "}\n"])


def _style(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the label and the line style of an edge."""
    numbers = []
    if "probability" in values:
        numbers.append(f"{values['probability']:.2f}")
    if "support" in values:
        numbers.append(f"({percent(values['support'])})")
    label = {"label": " ".join(numbers)} if numbers else {}
    return label | ({"style": "dashed"} if values.get("filtered") else {})


def _listed(attributes: Mapping[str, Any]) -> str:
    return (
        "["
        + ", ".join(f"{_name(name)}={_quoted(value)}" for name, value in attributes.items())
        + "]"
    )


def _name(name: str) -> str:
    """Return the name of an attribute, in quotes unless it is a plain word."""
    return name if name.isidentifier() else _quoted(name)


def _quoted(value: Any) -> str:
    """Quote a value so that Graphviz, which reads entities and backslashes, shows it unchanged."""
    text = str(value).replace("&", "&amp;").replace("\\", "\\\\")
    return '"' + text.replace('"', '\\"') + '"'
