"""Graphs in DOT, the language of Graphviz."""

import html
import re
from collections import deque
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from caprese._core.files import FilePath, format_error, shown, text_lines
from caprese.io.graphs.identifiers import by_label, with_identifiers

if TYPE_CHECKING:
    import networkx as nx

_TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*+"|->|[{}\[\];,=]|-?[\w.\x80-\U0010ffff]+'
    r"|(?P<skipped>\s+|//[^\n]*|/\*.*?\*/|(?<![^\n])#[^\n]*)",
    re.DOTALL,
)
_DEFAULTS = ("node", "edge", "graph")
_MARKS = frozenset(("->", *"{}[];,="))


def dot_text(graph: "nx.DiGraph") -> str:
    """Return a graph of `to_networkx` in DOT.

    Edges are labelled with their probability and, where known, their support. They are dashed where
    they start at the root because another was filtered.

    Examples
    --------
    >>> from caprese.io.graphs.networks import to_networkx
    >>> from caprese.models.forest import ROOT, Forest
    >>> print(dot_text(to_networkx(Forest(("8q+", "8p-"), (ROOT, 0), (0.5, 0.25)))))
    digraph progression {
      node [shape=box, style=rounded];
      root [label="root", kind="root", shape="plain"];
      event1 [label="8q+", kind="event"];
      event2 [label="8p-", kind="event"];
      root -> event1 [probability="0.5", label="0.50"];
      event1 -> event2 [probability="0.25", label="0.25"];
    }
    """
    plain = with_identifiers(graph)
    plain.nodes["root"]["shape"] = "plain"
    nodes = [f"  {node} {_listed(values)};" for node, values in plain.nodes(data=True)]
    edges = [
        f"  {parent} -> {child} {_listed(values | _drawn(values))};"
        for parent, child, values in plain.edges(data=True)
    ]
    opening = ["digraph progression {", "  node [shape=box, style=rounded];"]
    return "\n".join([*opening, *nodes, *edges, "}\n"])


def read_dot(path: FilePath) -> "nx.DiGraph":
    """Read a graph from DOT: nodes, edges and attributes; no subgraphs, ports or HTML.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "tree.dot")
    ...     _ = path.write_text('digraph { r [kind=root] r -> "8q+" [probability=0.5] }')
    ...     list(read_dot(path).edges(data="probability"))
    [('', '8q+', '0.5')]
    """
    import networkx as nx

    graph = nx.DiGraph()
    for chain, attributes in _statements(path, "".join(text_lines(path))):
        if len(chain) == 1:
            graph.add_node(chain[0], **attributes)
        for parent, child in pairwise(chain):
            graph.add_edge(parent, child, **attributes)
    return by_label(graph)


def _drawn(values: Mapping[str, Any]) -> dict[str, str]:
    """Return how an edge is to be drawn."""
    shown_numbers = []
    if "probability" in values:
        shown_numbers.append(f"{values['probability']:.2f}")
    if "support" in values:
        shown_numbers.append(f"({100 * values['support']:.0f} %)")
    label = {"label": " ".join(shown_numbers)} if shown_numbers else {}
    return label | ({"style": "dashed"} if values.get("filtered") else {})


def _listed(attributes: Mapping[str, Any]) -> str:
    return "[" + ", ".join(f"{name}={_quoted(value)}" for name, value in attributes.items()) + "]"


def _quoted(value: Any) -> str:
    """Quote a value so that Graphviz shows it as it is: it reads entities and backslashes."""
    text = str(value).replace("&", "&amp;").replace("\\", "\\\\")
    return '"' + text.replace('"', '\\"') + '"'


def _unquoted(token: str) -> str:
    if not token.startswith('"'):
        return token
    return html.unescape(re.sub(r"\\([\\\"])", r"\1", token[1:-1]))


def _tokens(path: FilePath, text: str) -> Iterator[str]:
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            line = text.count("\n", 0, place) + 1
            raise format_error(path, f"{shown(text[place])} is not expected in DOT", line=line)
        if found["skipped"] is None:
            yield found.group()
        place = found.end()


def _statements(path: FilePath, text: str) -> Iterator[tuple[list[str], dict[str, str]]]:
    """Yield the nodes of each statement, one or a chain of them, with the attributes given."""
    tokens = deque(_tokens(path, text))
    try:
        _opening(path, tokens)
        while tokens[0] != "}":
            chain, mark = [_word(path, tokens)], tokens[0]
            while tokens[0] in ("->", "="):
                tokens.popleft()
                chain.append(_word(path, tokens))
            attributes = _attributes(path, tokens)
            if mark != "=" and chain[0].lower() not in _DEFAULTS:
                yield list(map(_unquoted, chain)), attributes
            if tokens[0] == ";":
                tokens.popleft()
    except IndexError:
        raise format_error(path, "the graph ends too early; expected '}'") from None


def _opening(path: FilePath, tokens: deque[str]) -> None:
    if tokens[0].lower() == "strict":
        tokens.popleft()
    if tokens.popleft().lower() != "digraph":
        raise format_error(path, "not a directed graph in DOT; expected 'digraph'")
    if tokens[0] != "{":
        _word(path, tokens)
    if tokens.popleft() != "{":
        raise format_error(path, "expected '{' after the name of the graph")


def _word(path: FilePath, tokens: deque[str]) -> str:
    word = tokens.popleft()
    if word in _MARKS or word.lower() == "subgraph":
        raise format_error(path, f"{shown(word)} where a name was expected; no subgraphs are read")
    return word


def _attributes(path: FilePath, tokens: deque[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    while tokens[0] == "[":
        tokens.popleft()
        while tokens[0] != "]":
            name = _unquoted(_word(path, tokens))
            if tokens.popleft() != "=":
                raise format_error(path, f"expected '=' after {shown(name)}")
            found[name] = _unquoted(_word(path, tokens))
            if tokens[0] in (",", ";"):
                tokens.popleft()
        tokens.popleft()
    return found
