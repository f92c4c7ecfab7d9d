"""Trees in Newick format: the root has no name, every other node is an event.

The length of a branch is the probability of the event given its parent.
"""

import re

from caprese._core.files import shown
from caprese.errors import ModelError
from caprese.io.graphs.networks import ROOT_NODE, Graph
from caprese.io.text.cells import escaped

_BARE = re.compile(r"[A-Za-z0-9.+*/-]+")
# Biopython reads a backslash before a quote as an escape; the standard doubles the quote.
_BEFORE_QUOTE = re.compile(r"\\(?='|$)")


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
