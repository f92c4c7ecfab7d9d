"""Graphs as Cytoscape JSON, which Cytoscape and cytoscape.js open."""

import json
from typing import TYPE_CHECKING

from caprese.io.graphs.identifiers import with_identifiers

if TYPE_CHECKING:
    import networkx as nx


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
    content["data"] = dict(content["data"])  # networkx gives pairs, which Cytoscape cannot read
    return json.dumps(content, indent=1, allow_nan=False) + "\n"
