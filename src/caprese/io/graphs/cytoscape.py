"""Graphs as Cytoscape JSON, which Cytoscape and cytoscape.js open."""

import json
from typing import TYPE_CHECKING, Any

from caprese._core.files import FilePath, format_error, text_lines
from caprese.io.graphs.identifiers import by_label, with_identifiers

if TYPE_CHECKING:
    import networkx as nx

_EXPECTED = 'not Cytoscape JSON: expected "elements" with "nodes" and "edges"'


def cytoscape_text(graph: "nx.DiGraph") -> str:
    """Return a graph of `to_networkx` as Cytoscape JSON.

    Examples
    --------
    >>> from caprese.io.graphs.networks import to_networkx
    >>> from caprese.models.forest import ROOT, Forest
    >>> content = json.loads(cytoscape_text(to_networkx(Forest(("8q+",), (ROOT,), (0.5,)))))
    >>> content["elements"]["nodes"][1]["data"]["name"]
    '8q+'
    """
    import networkx as nx

    content = nx.cytoscape_data(with_identifiers(graph), name="label")
    content["data"] = dict(content["data"])  # a list of pairs so far, which Cytoscape does not read
    return json.dumps(content, indent=1, allow_nan=False) + "\n"


def read_cytoscape(path: FilePath) -> "nx.DiGraph":
    """Read a graph from Cytoscape JSON, from this program or from Cytoscape.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from caprese.io.graphs.networks import to_networkx
    >>> from caprese.models.forest import ROOT, Forest
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "tree.cyjs")
    ...     _ = path.write_text(cytoscape_text(to_networkx(Forest(("8q+",), (ROOT,), (0.5,)))))
    ...     list(read_cytoscape(path).edges(data="probability"))
    [('', '8q+', 0.5)]
    """
    import networkx as nx

    graph = nx.DiGraph()
    content = _content(path)
    try:
        for node in content["elements"]["nodes"]:
            data = node["data"]
            named = {"label": data["name"]} if "name" in data else {}
            graph.add_node(str(data["id"]), **named | data)
        for edge in content["elements"]["edges"]:
            graph.add_edge(str(edge["data"]["source"]), str(edge["data"]["target"]), **edge["data"])
    except (KeyError, TypeError):
        raise format_error(path, _EXPECTED) from None
    return by_label(graph)


def _content(path: FilePath) -> Any:
    try:
        return json.loads("".join(text_lines(path)))
    except json.JSONDecodeError as error:
        problem = f"not JSON: {error.msg}"
        raise format_error(path, problem, line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise format_error(path, _EXPECTED) from None
