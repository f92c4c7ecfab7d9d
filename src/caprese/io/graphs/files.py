"""Progressions as files for other programs; the suffix of the file name selects the format."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from caprese._core.files import FilePath, format_error, replace_file
from caprese._core.words import did_you_mean
from caprese.assessment.confidence import Confidence
from caprese.errors import ModelError
from caprese.io.graphs.formats import (
    cytoscape_text,
    dot_text,
    edge_table_text,
    gexf_text,
    graphml_text,
    newick_text,
    read_edge_table,
    read_graphml,
)
from caprese.io.graphs.networks import from_networkx, to_networkx
from caprese.io.json.fits import AnyModel
from caprese.methods.fit import Fit
from caprese.models.base import Model, Order

T = TypeVar("T")


@dataclass(frozen=True)
class GraphFormat:
    """A format of graphs: what it is for, its writer and, if it can be read, its reader."""

    about: str
    text: Callable[..., str]
    read: Callable[[FilePath], Any] | None = None
    table: bool = False  # of cells, which can be guarded


_DOT = GraphFormat("DOT, for Graphviz", dot_text)
_NEWICK = GraphFormat("Newick, for phylogenetics; single parents only", newick_text)
_CSV = GraphFormat("table of edges, with commas", edge_table_text, read_edge_table, table=True)
_TSV = GraphFormat(
    "table of edges, with tabs", partial(edge_table_text, delimiter="\t"), read_edge_table, True
)

GRAPH_FORMATS: Mapping[str, GraphFormat] = MappingProxyType(
    {
        ".graphml": GraphFormat(
            "GraphML, for Cytoscape, Gephi and igraph", graphml_text, read_graphml
        ),
        ".gexf": GraphFormat("GEXF, for Gephi", gexf_text),
        ".cyjs": GraphFormat("Cytoscape JSON, for Cytoscape", cytoscape_text),
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
