"""Graphs as text for other programs: GraphML, GEXF, Cytoscape JSON, DOT, Newick, tables of edges.

Nodes have plain identifiers, ``root``, ``event1``, ``event2`` ..., and names as labels. In a Newick
tree, every node but the root is an event by name, and the length of a branch is the probability of
the event given its parent.
"""

import json
import re
from collections.abc import Mapping
from contextlib import closing
from io import BytesIO
from typing import Any
from xml.etree.ElementTree import ParseError

from caprese._core.files import FilePath, format_error, shown, unpacked_bytes
from caprese._core.words import percent
from caprese.errors import ModelError
from caprese.io.data.reading import understood
from caprese.io.graphs.networks import NUMBERS, ROOT_NODE, Graph
from caprese.io.text.cells import escaped, name_in, table_text, unescaped
from caprese.io.text.delimited import delimited_rows, place_of, ragged

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_PER_BYTE = 128  # bytes of memory for each byte of XML, as elements and as a graph
_META = re.compile(r"<meta\b.*?</meta>", re.DOTALL)
_BARE = re.compile(r"[A-Za-z0-9.+*/-]+")
# Biopython reads a backslash before a quote as an escape; the standard doubles the quote.
_BEFORE_QUOTE = re.compile(r"\\(?='|$)")
_OF_CHILD = ("frequency", "reason", "undetermined", "members")
_FIRST = ("parent", "child", *NUMBERS)
_EDGES = "a table of edges: parent, child, probability"
_LAST = ("support", "filtered", *_OF_CHILD)


def with_identifiers(graph: Graph) -> Graph:
    """Return the graph with ``root``, ``event1``, ``event2`` ... for nodes, and escaped text."""
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
    """Return the graph whose nodes are the events by label, or else by identifier."""
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


def graphml_text(graph: Graph) -> str:
    """Return a graph of `to_networkx` as GraphML."""
    import networkx as nx

    return _DECLARATION + "\n".join(nx.generate_graphml(with_identifiers(graph))) + "\n"


def read_graphml(path: FilePath) -> Graph:
    """Read a graph from GraphML."""
    import networkx as nx

    content = BytesIO(unpacked_bytes(path, _PER_BYTE))
    with understood(path, "not GraphML"):
        try:
            graph = nx.read_graphml(content)
        except ParseError as error:
            line, column = error.position
            problem = f"not XML: {error.msg.partition(':')[0]}"
            raise format_error(path, problem, line=line, column=column + 1) from None
    return by_label(graph)


def gexf_text(graph: Graph) -> str:
    """Return a graph of `to_networkx` as GEXF, without the date: equal graphs give equal files."""
    import networkx as nx

    lines = nx.generate_gexf(_unweighted(with_identifiers(graph)))
    meta = "<meta><creator>caprese</creator></meta>"
    return _DECLARATION + _META.sub(meta, "\n".join(lines), count=1) + "\n"


def _unweighted(graph: Graph) -> Graph:
    """Rename `weight` to `log_weight`: GEXF reserves `weight` for the width of an edge."""
    for *_, attributes in graph.edges(data=True):
        if "weight" in attributes:
            attributes["log_weight"] = attributes.pop("weight")
    return graph


def cytoscape_text(graph: Graph) -> str:
    """Return a graph of `to_networkx` as Cytoscape JSON."""
    import networkx as nx

    content = nx.cytoscape_data(with_identifiers(graph), name="label")
    content["data"] = dict(content["data"])  # networkx gives pairs, which Cytoscape cannot read
    return json.dumps(content, indent=1, allow_nan=False) + "\n"


def dot_text(graph: Graph) -> str:
    """Return a graph of `to_networkx` in DOT; an edge from the root is dashed if filtered."""
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
    listed = (f"{_name(name)}={_quoted(value)}" for name, value in attributes.items())
    return f"[{', '.join(listed)}]"


def _name(name: str) -> str:
    """Return the name of an attribute, in quotes unless it is a plain word."""
    return name if name.isidentifier() else _quoted(name)


def _quoted(value: Any) -> str:
    """Quote a value so that Graphviz, which reads entities and backslashes, shows it unchanged."""
    text = str(value).replace("&", "&amp;").replace("\\", "\\\\")
    return '"' + text.replace('"', '\\"') + '"'


def newick_text(graph: Graph) -> str:
    """Return a graph of `to_networkx` in Newick format, if no event has more than one parent."""
    import networkx as nx

    for event in graph:
        if graph.in_degree(event) > 1:
            parents = " and ".join(shown(parent) for parent in graph.predecessors(event))
            raise ModelError(f"Newick holds only trees, but {shown(event)} has parents {parents}")
    done: dict[str, str] = {}
    for node in nx.dfs_postorder_nodes(graph, ROOT_NODE):
        below = ",".join(done.pop(child) for child in graph.successors(node))
        done[node] = (f"({below})" if below else "") + _branch(graph, node)
    return done[ROOT_NODE] + ";\n"


def _branch(graph: Graph, node: str) -> str:
    if node == ROOT_NODE:
        return ""
    (attributes,) = (values for *_, values in graph.in_edges(node, data=True))
    probability = attributes.get("probability")
    return _label(node) + ("" if probability is None else f":{probability!r}")


def _label(name: str) -> str:
    if _BARE.fullmatch(name):
        return name
    text = _BEFORE_QUOTE.sub(r"\\u005c", escaped(name))
    return "'" + text.replace("'", "''") + "'"


def edge_table_text(graph: Graph, delimiter: str = ",", *, guard_formulas: bool = False) -> str:
    """Return the edges of a graph of `to_networkx` as delimited text; the root has no name."""
    rows = [_row(graph, parent, child) for child in graph for parent in graph.predecessors(child)]
    known = dict.fromkeys(column for row in rows for column in row)
    evidence = [column for column in known if column not in (*_FIRST, *_LAST)]
    header = [column for column in (*_FIRST, *evidence, *_LAST) if column in known]
    table = ([row.get(column, "") for column in header] for row in rows)
    return table_text(
        [header, *table], delimiter=delimiter, guard_formulas=guard_formulas, number=str
    )


def read_edge_table(path: FilePath) -> Graph:
    """Read a graph from a table of edges: columns `parent`, `child`, `probability` or `rate`."""
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_node(ROOT_NODE)
    links: list[tuple[str, str, dict[str, str]]] = []
    with closing(delimited_rows(path)) as rows:
        first, header = next(rows)
        columns = [place_of(path, first, header, name, _EDGES) for name in ("parent", "child")]
        numbers = {name: header.index(name) for name in NUMBERS if name in header}
        for line, fields in rows:
            if len(fields) != len(header):
                raise ragged(path, line, len(fields), len(header))
            parent, child = (name_in(fields[column]) for column in columns)
            if not child.strip():
                raise format_error(path, "the child has no name", line=line, column=columns[1] + 1)
            given = {name: fields[at].strip() for name, at in numbers.items()}
            links.append((parent, child, {name: text for name, text in given.items() if text}))
    graph.add_nodes_from(child for _, child, _ in links)  # first, for the order of the events
    for parent, child, attributes in links:
        graph.add_edge(parent, child, **attributes)
    return graph


def _row(graph: Graph, parent: str, child: str) -> dict[str, Any]:
    known = graph.nodes[child]
    of_child = {name: known[name] for name in _OF_CHILD if name in known}
    return {"parent": parent, "child": child, **graph.edges[parent, child], **of_child}
