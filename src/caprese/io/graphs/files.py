"""Progressions as files for other programs; the suffix of the file name selects the format.

In GraphML, GEXF, Cytoscape JSON and DOT, nodes have plain identifiers, ``root``, ``event1``,
``event2`` ..., and names as labels. In a Newick tree, every node but the root is an event by name,
and the length of a branch is the probability of the event given its parent.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar
from xml.etree.ElementTree import ParseError

from caprese._core.files import MARK, FilePath, format_error, replace_file, shown, unpacked_bytes
from caprese._core.words import did_you_mean, percent
from caprese.assessment.confidence import Confidence
from caprese.errors import ModelError
from caprese.io.data.reading import understood
from caprese.io.graphs.networks import NUMBERS, ROOT_NODE, Graph, from_networkx, to_networkx
from caprese.io.json.codec import AnyModel
from caprese.io.text.cells import escaped, name_in, table_text, unescaped
from caprese.io.text.delimited import delimited, place_of, ragged
from caprese.methods.fit import Fit
from caprese.models.base import Model, Order

T = TypeVar("T")

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


def _with_identifiers(graph: Graph) -> Graph:
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


def _by_label(graph: Graph) -> Graph:
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


def _graphml_text(graph: Graph) -> str:
    """Return a graph of `to_networkx` as GraphML."""
    import networkx as nx

    comment = f"<!-- {MARK} -->\n"
    return _DECLARATION + comment + "\n".join(nx.generate_graphml(_with_identifiers(graph))) + "\n"


def _read_graphml(path: FilePath) -> Graph:
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
    return _by_label(graph)


def _gexf_text(graph: Graph) -> str:
    """Return a graph of `to_networkx` as GEXF, without the date: equal graphs give equal files."""
    import networkx as nx

    plain = _with_identifiers(graph)
    for *_, attributes in plain.edges(data=True):
        if "weight" in attributes:  # reserved in GEXF for the width of an edge
            attributes["log_weight"] = attributes.pop("weight")
    meta = f"<meta><creator>{MARK}</creator></meta>"
    return _DECLARATION + _META.sub(meta, "\n".join(nx.generate_gexf(plain)), count=1) + "\n"


def _cytoscape_text(graph: Graph) -> str:
    """Return a graph of `to_networkx` as Cytoscape JSON."""
    import networkx as nx

    described = nx.cytoscape_data(_with_identifiers(graph), name="label")
    content: dict[str, Any] = {"generated_by": MARK, **described}
    content["data"] = dict(content["data"])  # networkx gives pairs, which Cytoscape cannot read
    return json.dumps(content, indent=1, allow_nan=False) + "\n"


def _dot_text(graph: Graph) -> str:
    """Return a graph of `to_networkx` in DOT; an edge from the root is dashed if filtered."""
    plain = _with_identifiers(graph)
    plain.nodes["root"]["shape"] = "plain"
    nodes = [f"  {node} {_listed(values)};" for node, values in plain.nodes(data=True)]
    edges = [
        f"  {parent} -> {child} {_listed(values | _style(values))};"
        for parent, child, values in plain.edges(data=True)
    ]
    header = [f"// {MARK}", "digraph progression {", "  node [shape=box, style=rounded];"]
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
    names = [name if name.isidentifier() else _quoted(name) for name in attributes]
    pairs = zip(names, map(_quoted, attributes.values()), strict=True)
    return f"[{', '.join(map('='.join, pairs))}]"


def _quoted(value: Any) -> str:
    """Quote a value so that Graphviz, which reads entities and backslashes, shows it unchanged."""
    text = str(value).replace("&", "&amp;").replace("\\", "\\\\")
    return '"' + text.replace('"', '\\"') + '"'


def _newick_text(graph: Graph) -> str:
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


def edge_rows(graph: Graph) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the columns of a table of edges, and its rows by column; the root has no name."""
    rows = [_row(graph, parent, child) for child in graph for parent in graph.predecessors(child)]
    known = dict.fromkeys(column for row in rows for column in row)
    evidence = [column for column in known if column not in (*_FIRST, *_LAST)]
    return [column for column in (*_FIRST, *evidence, *_LAST) if column in known], rows


def _edge_table_text(graph: Graph, delimiter: str = ",", *, guard_formulas: bool = False) -> str:
    """Return the edges of a graph of `to_networkx` as delimited text; the root has no name."""
    header, rows = edge_rows(graph)
    table = ([row.get(column, "") for column in header] for row in rows)
    return table_text(
        [header, *table], delimiter=delimiter, guard_formulas=guard_formulas, number=str
    )


def _read_edge_table(path: FilePath) -> Graph:
    """Read a graph from a table of edges: columns `parent`, `child`, `probability` or `rate`."""
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_node(ROOT_NODE)
    links: list[tuple[str, str, dict[str, str]]] = []
    with delimited(path) as (_, rows):
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


@dataclass(frozen=True)
class GraphFormat:
    """A format of graphs: what it is for, its writer and, if it can be read, its reader."""

    about: str
    text: Callable[..., str]
    read: Callable[[FilePath], Any] | None = None
    table: bool = False  # of cells, which can be guarded


_DOT = GraphFormat("DOT, for Graphviz", _dot_text)
_NEWICK = GraphFormat("Newick, for phylogenetics; single parents only", _newick_text)
_CSV = GraphFormat("table of edges, with commas", _edge_table_text, _read_edge_table, table=True)
_TSV = GraphFormat(
    "table of edges, with tabs", partial(_edge_table_text, delimiter="\t"), _read_edge_table, True
)

GRAPH_FORMATS: Mapping[str, GraphFormat] = MappingProxyType(
    {
        ".graphml": GraphFormat(
            "GraphML, for Cytoscape, Gephi and igraph", _graphml_text, _read_graphml
        ),
        ".gexf": GraphFormat("GEXF, for Gephi", _gexf_text),
        ".cyjs": GraphFormat("Cytoscape JSON, for Cytoscape", _cytoscape_text),
        ".dot": _DOT,
        ".gv": _DOT,
        ".nwk": _NEWICK,
        ".newick": _NEWICK,
        ".csv": _CSV,
        ".tsv": _TSV,
    }
)
"""The format of each suffix of a file name."""


def write_graph(
    progression: Fit[Any, Any] | Model | Order,
    path: FilePath,
    confidence: Confidence | None = None,
    *,
    guard_formulas: bool = False,
) -> None:
    """Write a progression to a file for another program; the suffix selects the format.

    `GRAPH_FORMATS` lists the suffixes. The same progression always gives the same file. An existing
    file is replaced only when the new one is complete.

    Parameters
    ----------
    progression
        A fit, or a model alone. A fit gives more attributes: frequencies, scores, reasons.
    path
        The file to write.
    confidence
        The result of a bootstrap of the same events, for the support of the edges.
    guard_formulas
        As of `write_dataset`, for a table of edges. Other formats are the same with or without it.

    Raises
    ------
    FormatError
        If no format has this suffix.
    ModelError
        If the model has no edges, or the format cannot hold it: Newick holds only trees.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from caprese.data.datasets import ovarian
    >>> from caprese.methods import Caprese
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "ovarian.nwk")
    ...     write_graph(Caprese().fit(ovarian()).model, path)
    ...     print(path.read_text())
    ((3q+:0.68...,(Xp-:0.65...)8p-:0.60...)8q+:0.70...,(4q-:0.73...)5q-:0.52...,1q+:0.43...);
    """
    replace_file(path, graph_text(progression, path, confidence, guard_formulas=guard_formulas))


def graph_text(
    progression: Fit[Any, Any] | Model | Order,
    path: FilePath,
    confidence: Confidence | None = None,
    *,
    guard_formulas: bool = False,
) -> str:
    """Return the text that `write_graph` writes to this path."""
    chosen = _by_suffix(path, GRAPH_FORMATS)
    graph = to_networkx(progression, confidence)
    return chosen.text(graph, guard_formulas=guard_formulas) if chosen.table else chosen.text(graph)


def read_graph(path: FilePath) -> AnyModel:
    """Read a model from GraphML or a table of edges, written by caprese or by another program.

    Every event needs an edge, if only from the root; all edges have a probability, or all have a
    rate, or none has either. Other attributes, such as scores and support, are ignored. The files
    of `write_graph` in these formats give back an equal model. The other formats are only written;
    `read_model` and `read_fit` read the JSON files of caprese.

    Returns
    -------
    Forest, ConjunctiveDag, TimedPoset or Poset
        With probabilities a forest if no event has more than one parent, else a DAG; with rates a
        timed poset; with neither a poset.

    Raises
    ------
    FormatError
        If the format cannot be read, or there is no such model in the file; the message gives the
        reason.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from caprese.models.forest import ROOT, Forest
    >>> forest = Forest(("8q+", "-7q"), (ROOT, 0), (0.5, 0.25))
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "tree.csv")
    ...     write_graph(forest, path)
    ...     read_graph(path) == forest
    True
    """
    readers = {suffix: each.read for suffix, each in GRAPH_FORMATS.items() if each.read is not None}
    suffix = Path(path).suffix.lower()
    if suffix in GRAPH_FORMATS and suffix not in readers:
        name = GRAPH_FORMATS[suffix].about.partition(",")[0]
        readable = f"a model is read from {', '.join(readers)} or the .json of caprese"
        raise format_error(path, f"{name} is written but not read; {readable}")
    reader = _by_suffix(path, readers)
    try:
        return from_networkx(reader(path))
    except ModelError as error:
        raise format_error(path, str(error)) from None


def _by_suffix(path: FilePath, formats: Mapping[str, T]) -> T:
    suffix = Path(path).suffix.lower()
    if suffix not in formats:
        meant = did_you_mean(suffix, formats)
        problem = f"the suffix must be one of {', '.join(formats)}, got {suffix!r}{meant}"
        raise format_error(path, problem)
    return formats[suffix]
