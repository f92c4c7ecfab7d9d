"""Tables of edges, one row per edge, for spreadsheets, R and pandas."""

from collections.abc import Sequence
from contextlib import closing
from typing import Any

from caprese._core.files import FilePath, format_error, shown
from caprese._core.words import number_of
from caprese.io.graphs.networks import NUMBERS, ROOT_NODE, Graph
from caprese.io.text.cells import name_in, table_text
from caprese.io.text.delimited import delimited_rows

_OF_CHILD = ("frequency", "reason", "undetermined", "members")
_FIRST = ("parent", "child", *NUMBERS)
_LAST = ("support", "filtered", *_OF_CHILD)


def edge_table_text(graph: Graph, delimiter: str = ",", *, guard_formulas: bool = False) -> str:
    """Return the edges of a graph of `to_networkx` as delimited text; the root has no name.

    The columns are the parent, the child, attributes of the edge, and attributes of the child.
    """
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
        columns = [_column(path, first, header, name) for name in ("parent", "child")]
        numbers = {name: header.index(name) for name in NUMBERS if name in header}
        for line, fields in rows:
            if len(fields) != len(header):
                number = number_of(len(fields), "field")
                problem = f"{number}, expected {len(header)}, as in the header"
                raise format_error(path, problem, line=line)
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


def _column(path: FilePath, line: int, header: Sequence[str], name: str) -> int:
    if name not in header:
        problem = f"no column {shown(name)}; expected a table of edges: parent, child, probability"
        raise format_error(path, problem, line=line)
    return header.index(name)
