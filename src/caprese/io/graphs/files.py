"""Progressions as files for other programs, in the format that the ending of the name tells."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from caprese._core.files import FilePath, format_error, replacing
from caprese._core.spelling import did_you_mean
from caprese.assessment.confidence import Confidence
from caprese.errors import ModelError
from caprese.io.graphs.cytoscape import cytoscape_text, read_cytoscape
from caprese.io.graphs.dot import dot_text, read_dot
from caprese.io.graphs.edge_tables import edge_table_text, read_edge_table, tabbed_edge_table_text
from caprese.io.graphs.networks import from_networkx, to_networkx
from caprese.io.graphs.newick import newick_text, read_newick
from caprese.io.graphs.xml import gexf_text, graphml_text, read_gexf, read_graphml
from caprese.io.json.models import StoredModel
from caprese.methods.base import Fit
from caprese.models.base import Model, Order


@dataclass(frozen=True)
class _Format:
    """What a format is for, and the functions between it and a networkx graph."""

    about: str
    text: Callable[[Any], str]
    read: Callable[[FilePath], Any]


_DOT = _Format("DOT, for Graphviz", dot_text, read_dot)
_NEWICK = _Format("Newick, for phylogenetics; single parents only", newick_text, read_newick)
_FORMATS = {
    ".graphml": _Format("GraphML, for Cytoscape, Gephi and igraph", graphml_text, read_graphml),
    ".gexf": _Format("GEXF, for Gephi", gexf_text, read_gexf),
    ".cyjs": _Format("Cytoscape JSON, for Cytoscape", cytoscape_text, read_cytoscape),
    ".dot": _DOT,
    ".gv": _DOT,
    ".nwk": _NEWICK,
    ".newick": _NEWICK,
    ".csv": _Format("edges as a table, with commas", edge_table_text, read_edge_table),
    ".tsv": _Format("edges as a table, with tabs", tabbed_edge_table_text, read_edge_table),
}
FORMATS: Mapping[str, str] = MappingProxyType(
    {ending: each.about for ending, each in _FORMATS.items()}
)
"""What each ending of a file's name stands for."""


def write_graph(
    progression: Fit[Any, Any] | Model | Order,
    path: FilePath,
    confidence: Confidence | None = None,
) -> None:
    """Write a progression to a file for another program; the ending of its name tells the format.

    `FORMATS` lists the endings. The same progression always gives the same file. An existing file
    is replaced only when the new one is complete.

    Parameters
    ----------
    progression
        A fit, or a model alone. A fit gives more: frequencies, scores, reasons.
    path
        Where to.
    confidence
        Of a bootstrap of the same events, for the support of the edges.

    Raises
    ------
    FormatError
        If no format has this ending.
    ModelError
        If the format cannot hold the progression: Newick holds trees only.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from caprese.data.embedded import ovarian
    >>> from caprese.methods import Caprese
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "ovarian.nwk")
    ...     write_graph(Caprese().fit(ovarian()).model, path)
    ...     print(path.read_text())
    ((3q+:0.68...,(Xp-:0.65...)8p-:0.60...)8q+:0.70...,(4q-:0.73...)5q-:0.52...,1q+:0.43...);
    """
    text = graph_text(progression, path, confidence)
    with replacing(path) as file:
        file.write(text)


def graph_text(
    progression: Fit[Any, Any] | Model | Order,
    path: FilePath,
    confidence: Confidence | None = None,
) -> str:
    r"""Return what `write_graph` would write to this path.

    Examples
    --------
    >>> from caprese.models.forest import ROOT, Forest
    >>> graph_text(Forest(("a", "b"), (ROOT, 0), (0.5, 0.25)), "tree.nwk")
    '((b:0.25)a:0.5);\n'
    """
    return _format(path).text(to_networkx(progression, confidence))


def read_graph(path: FilePath) -> StoredModel:
    """Read the model in a file of `write_graph`, or in one of another program if it has the same.

    Every event needs an edge, if only from the root; either all edges have a probability, or all
    have a rate, or none has. What the file says beyond the model, such as scores and support, is
    not read. Newick keeps the events in another order, and no rates; all other formats give back
    an equal model.

    Returns
    -------
    Forest, ConjunctiveDag, TimedPoset or Poset
        With probabilities a forest if no event has more than one parent, else a DAG; with rates a
        timed poset; with neither a poset.

    Raises
    ------
    FormatError
        If there is no such model in the file; the message says why.

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
    reader = _format(path).read
    try:
        return from_networkx(reader(path))
    except ModelError as error:
        raise format_error(path, str(error)) from None


def _format(path: FilePath) -> _Format:
    ending = Path(path).suffix.lower()
    if ending not in _FORMATS:
        endings = ", ".join(_FORMATS)
        meant = did_you_mean(ending, _FORMATS)
        problem = f"the name must end in one of {endings}, got {ending!r}{meant}"
        raise format_error(path, problem)
    return _FORMATS[ending]
