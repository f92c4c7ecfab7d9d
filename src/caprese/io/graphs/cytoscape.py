"""Graphs as Cytoscape JSON, which Cytoscape and cytoscape.js open."""

import json

from caprese.io.graphs.identifiers import with_identifiers
from caprese.io.graphs.networks import Graph


def cytoscape_text(graph: Graph) -> str:
    """Return a graph of `to_networkx` as Cytoscape JSON."""
    import networkx as nx

    content = nx.cytoscape_data(with_identifiers(graph), name="label")
    content["data"] = dict(content["data"])  # networkx gives pairs, which Cytoscape cannot read
    return json.dumps(content, indent=1, allow_nan=False) + "\n"
