"""Trees in Newick format: the root without a name, events named at every other node.

The length of a branch is the probability of the event given its parent.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from caprese._core.files import FilePath, format_error, shown, text_lines
from caprese.errors import ModelError
from caprese.io.graphs.networks import ROOT_NODE
from caprese.io.text.escapes import escaped, unescaped

if TYPE_CHECKING:
    import networkx as nx

_BARE = re.compile(r"[A-Za-z0-9.+*/-]+")
_TOKEN = re.compile(
    r"(?P<mark>[(),;])|(?P<quoted>'(?:[^']|'')*+')|:\s*(?P<length>[^\s()\[\]',:;]+)"
    r"|(?P<bare>[^\s()\[\]',:;]+)|\s+|\[[^\]]*\]"
)
# Biopython takes a backslash before a quote for an escape; the standard doubles the quote.
_BEFORE_QUOTE = re.compile(r"\\(?='|$)")


def newick_text(graph: "nx.DiGraph") -> str:
    """Return a graph of `to_networkx` in Newick format, if no event has more than one parent.

    Examples
    --------
    >>> from caprese.io.graphs.networks import to_networkx
    >>> from caprese.models.forest import ROOT, Forest
    >>> forest = Forest(("8q+", "8p-", "5' end"), (ROOT, 0, ROOT), (0.75, 0.5, 0.25))
    >>> print(newick_text(to_networkx(forest)))
    ((8p-:0.5)8q+:0.75,'5'' end':0.25);
    """
    import networkx as nx

    for event in graph:
        if graph.in_degree(event) > 1:
            parents = " and ".join(shown(parent) for parent in graph.predecessors(event))
            raise ModelError(f"Newick holds trees only, but {shown(event)} follows {parents}")
    done: dict[str, str] = {}
    for node in nx.dfs_postorder_nodes(graph, ROOT_NODE):
        below = ",".join(done.pop(child) for child in graph.successors(node))
        done[node] = (f"({below})" if below else "") + _branch(graph, node)
    return done[ROOT_NODE] + ";\n"


def read_newick(path: FilePath) -> "nx.DiGraph":
    """Read a graph from Newick format.

    An unnamed node at the top is the root; one with a name is the first event.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "tree.nwk")
    ...     _ = path.write_text("((8p-:0.5)8q+:0.75);")
    ...     list(read_newick(path).edges(data="probability"))
    [('', '8q+', '0.75'), ('8q+', '8p-', '0.5')]
    """
    tree = _Tree(path)
    for mark, name, length in _tokens(path, "".join(text_lines(path))):
        tree.take(mark, name, length)
    return tree.graph()


def _branch(graph: "nx.DiGraph", node: str) -> str:
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


def _tokens(path: FilePath, text: str) -> Iterator[tuple[str, str, str]]:
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            line = text.count("\n", 0, place) + 1
            problem = f"{shown(text[place])} is not expected in a Newick tree"
            raise format_error(path, problem, line=line)
        mark, quoted, length, bare = found.group("mark", "quoted", "length", "bare")
        name = quoted[1:-1].replace("''", "'") if quoted else bare
        if mark or name or length:
            yield mark or "", unescaped(name or ""), length or ""
        place = found.end()


class _Tree:
    """What was read of a tree so far; nodes are numbers, 0 is the top."""

    def __init__(self, path: FilePath) -> None:
        self.path = path
        self.parents = [-1]
        self.names = [""]
        self.lengths = [""]
        self.here = 0
        self.ended = False

    def take(self, mark: str, name: str, length: str) -> None:
        if self.ended:
            raise format_error(self.path, "text after the first tree; expected a single one")
        if mark == "(":
            self._begin(self.here)
        elif mark == ",":
            self._begin(self._above())
        elif mark == ")":
            self.here = self._above()
        elif mark == ";":
            self.ended = True
        elif name:
            self.names[self.here] += name
        else:
            self.lengths[self.here] = length

    def graph(self) -> "nx.DiGraph":
        import networkx as nx

        if not self.ended or self.here != 0:
            raise format_error(self.path, "the tree ends too early; expected ')' or ';'")
        first = 0 if self.names[0] else 1
        graph = nx.DiGraph()
        graph.add_node(ROOT_NODE)
        for node in range(first, len(self.names)):
            self._check_name(node, graph)
            graph.add_node(self.names[node])
        for node in range(first, len(self.names)):
            parent = ROOT_NODE if self.parents[node] < 0 else self.names[self.parents[node]]
            probability = {"probability": self.lengths[node]} if self.lengths[node] else {}
            graph.add_edge(parent, self.names[node], **probability)
        return graph

    def _begin(self, parent: int) -> None:
        self.here = len(self.names)
        self.parents.append(parent)
        self.names.append("")
        self.lengths.append("")

    def _above(self) -> int:
        if self.parents[self.here] < 0:
            raise format_error(self.path, "')' or ',' outside of all parentheses")
        return self.parents[self.here]

    def _check_name(self, node: int, graph: "nx.DiGraph") -> None:
        name = self.names[node]
        if not name.strip():
            raise format_error(self.path, "a node below the root has no name; expected an event")
        if name in graph:
            raise format_error(self.path, f"{shown(name)} stands twice; names must differ")
