"""Two progressions over the same events side by side, their differences coloured and dashed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from caprese._core.arrays import FloatArray
from caprese._core.names import places
from caprese.errors import ParameterError
from caprese.methods.fit import OrderedFit, order_of
from caprese.plots.canvas.figures import Axes, Figure, draw_on, figure_of
from caprese.plots.canvas.labels import TextLine, legible, legible_names, wrapped
from caprese.plots.canvas.legend import Entry, dotted_symbol, line_symbol
from caprese.plots.canvas.palette import BLUE, SOFT, VERMILION
from caprese.plots.layout.across import Edge
from caprese.plots.layout.graph_layout import Direction, GraphLayout, edges_of, layers
from caprese.plots.progression.nodes import Node
from caprese.plots.progression.plan import Progression, siblings_by_frequency
from caprese.plots.progression.tree import (
    UNDETERMINED,
    EdgeStyle,
    Panel,
    Panels,
    Tree,
    best_on_page,
    node_sizes,
)

_TITLE, _HEAD = 9.0, 21.0  # font size of a title, and the height above a panel
_APART = (36.0, 15.0)  # between panels
_SHARED = EdgeStyle(1.0, SOFT)
_OWN = EdgeStyle(2.0, BLUE, "dashed"), EdgeStyle(2.0, VERMILION, "dashed")
# The direction of growth, and the characters of a name on a line.
_ARRANGEMENTS: tuple[tuple[Direction, int], ...] = (("down", 16), ("right", 24))


@dataclass(frozen=True)
class _Compared:
    """One of the two progressions, its events in the order of the first one."""

    title: str
    edges: Sequence[Edge]
    undetermined: frozenset[int]  # positions of events

    @property
    def placed(self) -> set[Edge]:
        """The edges, without those of events that could not be placed."""
        return {edge for edge in self.edges if edge[1] not in self.undetermined}


def comparison_figure(
    first: Progression,
    second: Progression,
    *,
    titles: tuple[str, str] = ("A", "B"),
    frequency: FloatArray | None = None,
) -> Figure:
    """Return a figure of two progressions; edges that only one has are coloured and dashed.

    Events have the same places in both, unless the two contradict each other in the order of
    events; then each has a layout of its own.

    Parameters
    ----------
    first, second
        Fits or models of the same events, in any order. Events that a fit could not place are
        dotted, as are their edges.
    titles
        A title for each.
    frequency
        Share of the samples that carry each event, in the order of the first model.

    Examples
    --------
    >>> from caprese import ROOT, Forest
    >>> chain = Forest(("a", "b", "c"), (ROOT, 0, 1), (0.5, 0.5, 0.5))
    >>> fork = Forest(("a", "b", "c"), (ROOT, 0, 0), (0.5, 0.5, 0.5))
    >>> figure = comparison_figure(chain, fork, titles=("chain", "fork"))
    >>> [text.get_text() for text in figure.axes[0].texts][-3:]
    ['in both', 'only in chain', 'only in fork']
    """
    return figure_of(_best_plan(first, second, titles, frequency))


def draw_comparison(
    axes: Axes,
    first: Progression,
    second: Progression,
    *,
    titles: tuple[str, str] = ("A", "B"),
    frequency: FloatArray | None = None,
) -> Axes:
    """Draw two progressions on axes, and return these; see `comparison_figure`."""
    return draw_on(axes, _best_plan(first, second, titles, frequency))


def _best_plan(
    first: Progression,
    second: Progression,
    titles: tuple[str, str],
    frequency: FloatArray | None,
) -> Panels:
    """Return, of all arrangements, the plan that fits a page best."""
    events = order_of(first).events
    share = np.zeros(len(events)) if frequency is None else np.asarray(frequency)
    left, right = (
        _compared(progression, title, events, share)
        for progression, title in zip((first, second), titles, strict=True)
    )
    shares = [None] * len(events) if frequency is None else share.tolist()
    plans = [_arranged((left, right), events, shares, *each) for each in _ARRANGEMENTS]
    return best_on_page(plans, landscape=True)


def _compared(
    progression: Progression, title: str, events: tuple[str, ...], frequency: FloatArray
) -> _Compared:
    order = order_of(progression)
    at = places(order.events, events, "both models")
    edges = edges_of(order.adjacency()[np.ix_(at, at)])
    names = progression.undetermined if isinstance(progression, OrderedFit) else {}
    undetermined = frozenset(events.index(name) for name in names)
    ordered = siblings_by_frequency(edges, events, frequency)
    return _Compared(legible(title, 30), ordered, undetermined)


def _arranged(
    both: tuple[_Compared, _Compared],
    events: tuple[str, ...],
    shares: Sequence[float | None],
    direction: Direction,
    width: int,
) -> Panels:
    """Return two panels: side by side if they grow down, otherwise one below the other."""
    labels = [wrapped(name, width) for name in legible_names(events)]
    beside = direction == "right"
    plain = [Node(label, share, beside) for label, share in zip(labels, shares, strict=True)]

    def layout(edges: Sequence[Edge]) -> GraphLayout:
        return GraphLayout.of(edges, node_sizes(plain, edges, direction), direction=direction)

    left, right = both
    together = [*left.edges, *(edge for edge in right.edges if edge not in set(left.edges))]
    agree = _has_an_order(together, len(events) + 1)
    panels = []
    for own, other, style in zip(both, both[::-1], _OWN, strict=True):
        nodes = tuple(
            replace(node, undetermined=k in own.undetermined) for k, node in enumerate(plain)
        )
        styles = _styles(own, other, style)
        tree = Tree(nodes, styles, layout(together if agree else own.edges))
        panels.append(Panel(tree, ((TextLine.heading(own.title, _TITLE), _TITLE),), _HEAD))
    first, second = panels
    rows = ((first,), (second,)) if beside else ((first, second),)
    return Panels(rows, _entries(left, right), _APART)


def _has_an_order(edges: Sequence[Edge], nodes: int) -> bool:
    try:
        layers(edges, nodes)
    except ParameterError:
        return False
    return True


def _styles(own: _Compared, other: _Compared, style: EdgeStyle) -> dict[Edge, EdgeStyle]:
    """Return how each edge is drawn: differently if the other progression does not have it."""
    shared = own.placed & other.placed
    return {
        edge: UNDETERMINED if edge[1] in own.undetermined else _SHARED if edge in shared else style
        for edge in own.edges
    }


def _entries(left: _Compared, right: _Compared) -> tuple[Entry, ...]:
    one, other = left.placed, right.placed
    entries = [Entry(line_symbol(_SHARED.width, SOFT), "in both")] if one & other else []
    differences = ((left, one - other), (right, other - one))
    for (each, edges), style in zip(differences, _OWN, strict=True):
        if edges:
            symbol = line_symbol(style.width, style.colour, style.line)
            entries.append(Entry(symbol, f"only in {each.title}"))
    if left.undetermined or right.undetermined:
        entries.append(Entry(dotted_symbol, "could not be placed"))
    return tuple(entries)
