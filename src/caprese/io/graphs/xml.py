"""Graphs in XML: GraphML, which is also read, and GEXF."""

import re
import warnings
from io import BytesIO
from xml.etree.ElementTree import ParseError

from caprese._core.files import FilePath, format_error, shown, unpacked_bytes
from caprese.io.graphs.identifiers import by_label, with_identifiers
from caprese.io.graphs.networks import Graph

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_PER_BYTE = 128  # bytes of memory for each byte of XML, as elements and as a graph
_META = re.compile(r"<meta\b.*?</meta>", re.DOTALL)


def graphml_text(graph: Graph) -> str:
    """Return a graph of `to_networkx` as GraphML."""
    import networkx as nx

    return _DECLARATION + "\n".join(nx.generate_graphml(with_identifiers(graph))) + "\n"


def read_graphml(path: FilePath) -> Graph:
    """Read a graph from GraphML."""
    import networkx as nx

    content = BytesIO(unpacked_bytes(path, _PER_BYTE))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about attributes without a type, read as text
            graph = nx.read_graphml(content)
    except ParseError as error:
        line, column = error.position
        problem = f"not XML: {error.msg.partition(':')[0]}"
        raise format_error(path, problem, line=line, column=column + 1) from None
    except Exception as error:  # networkx does not document what it raises on other XML
        raise format_error(path, f"not GraphML: {shown(str(error))}") from None
    return by_label(graph)


def gexf_text(graph: Graph) -> str:
    """Return a graph of `to_networkx` as GEXF.

    The date is omitted, so that equal graphs give equal files.
    """
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
