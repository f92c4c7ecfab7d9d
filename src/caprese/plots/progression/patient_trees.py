"""Trees of patients: what was seen of single samples, as small multiples, and what is known."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import BoolArray, IntArray
from caprese._core.words import number_of
from caprese.assessment.known import KnownOrders
from caprese.data.seen_orders import SeenOrders
from caprese.errors import ModelError
from caprese.plots.canvas.figures import Figure, figure_of
from caprese.plots.canvas.labels import TextLine, legible, legible_names, wrapped
from caprese.plots.canvas.legend import Entry, line_symbol, no_symbol
from caprese.plots.canvas.palette import BLUE, LINE, VERMILION
from caprese.plots.layout.across import Edge
from caprese.plots.layout.graph_layout import GraphLayout, edges_of
from caprese.plots.progression.nodes import Node
from caprese.plots.progression.tree import EdgeStyle, Panel, Panels, Tree, node_sizes

_TITLE = 7.0  # font size
_HEAD = 14.0  # height above a tree
_APART = (20.0, 16.0)
_PAGE = 560.0  # width
_MOST = 24  # trees
_LINE, _LONGEST = 12, 20  # characters of a name on a line, and of the name of a sample
_AGREES = EdgeStyle(2.0, BLUE)
_AGAINST = EdgeStyle(1.6, VERMILION, "dashed")
_OPEN = EdgeStyle(1.0, LINE)


@dataclass(frozen=True)
class SeenTree:
    """The order of events as it was seen in some samples: an edge to each event that came next."""

    events: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]
    samples: tuple[str, ...]


def trees_figure(orders: SeenOrders, known: KnownOrders | None = None) -> Figure:
    """Return a figure of the trees that were seen in single samples, the most frequent first.

    Each tree stands once, with the number of samples that have it; beyond 24 trees the others are
    counted. Samples whose orders are not a tree are counted too.

    Parameters
    ----------
    orders
        The seen orders of a data set.
    known
        What a fit knows: edges on whose order it agrees are blue, those that it has the other way
        round are red and dashed, and those that it leaves open are grey.

    Raises
    ------
    ModelError
        If there is no tree, or an event that `known` lacks.

    Examples
    --------
    >>> from caprese import datasets
    >>> figure = trees_figure(datasets.aml_trees().orders)
    >>> [text.get_text() for text in figure.axes[0].texts if "samples" in text.get_text()][:1]
    ['2 samples']
    """
    return figure_of(trees_plan(orders, known))


def trees_plan(orders: SeenOrders, known: KnownOrders | None = None) -> Panels:
    """Return the plan of the trees of samples; see `trees_figure`."""
    trees = seen_trees(orders)
    if not trees:
        raise ModelError("no tree was seen: the data has no orders of events within its samples")
    if known is not None and not set(orders.events) <= set(known.events):
        raise ModelError("seen orders and known orders must be of the same events")
    panels = [_panel(tree, known) for tree in trees[:_MOST]]
    rows: list[list[Panel]] = []
    for panel in panels:
        used = sum(each.extent[0] + _APART[0] for each in rows[-1]) if rows else _PAGE
        if used + panel.extent[0] > _PAGE:
            rows.append([])
        rows[-1].append(panel)
    entries = (*_entries(panels), *_left_out(trees, orders))
    return Panels(tuple(map(tuple, rows)), entries, _APART)


def seen_trees(orders: SeenOrders) -> list[SeenTree]:
    """Return the distinct trees that were seen, the most frequent first, then the largest.

    Of each sample only firm orders count. Samples in which an event comes after two that have no
    order among each other are left out, as their orders are not a tree.

    Examples
    --------
    >>> orders = SeenOrders.from_rows([("p", "a", "b"), ("q", "a", "b"), ("r", "b", "c")])
    >>> [(tree.edges, tree.samples) for tree in seen_trees(orders)]
    [((('a', 'b'),), ('p', 'q')), ((('b', 'c'),), ('r',))]
    """
    found: dict[tuple[tuple[str, ...], tuple[tuple[str, str], ...]], list[str]] = {}
    firm, starts = orders.firm(), orders.by_sample()
    for place, sample in enumerate(orders.samples):
        own = np.arange(starts[place], starts[place + 1])
        pairs = orders.pairs[own[firm[own]]][:, 1:]
        if pairs.size and (edges := _direct(pairs, len(orders.events))) is not None:
            names = tuple(sorted((orders.events[i], orders.events[j]) for i, j in edges))
            events = tuple(sorted({event for pair in names for event in pair}))
            found.setdefault((events, names), []).append(sample)
    trees = [SeenTree(events, edges, tuple(own)) for (events, edges), own in found.items()]
    return sorted(trees, key=lambda tree: (-len(tree.samples), -len(tree.events), tree.edges))


def _direct(pairs: IntArray, events: int) -> list[tuple[int, int]] | None:
    """Return the orders that do not follow from others; None unless each event has one before."""
    before = np.zeros((events, events), dtype=bool)
    before[pairs[:, 0], pairs[:, 1]] = True
    direct: BoolArray = before & ~(before.astype(np.int64) @ before > 0)
    if (direct.sum(axis=0) > 1).any() or (before & before.T).any():
        return None
    return [(i, j) for i, j in np.argwhere(direct).tolist()]


def _panel(tree: SeenTree, known: KnownOrders | None) -> Panel:
    nodes = tuple(
        Node(wrapped(name, _LINE), event=event)
        for event, name in zip(tree.events, legible_names(tree.events), strict=True)
    )
    place = {event: number for number, event in enumerate(tree.events)}
    links = np.zeros((len(nodes), len(nodes)), dtype=bool)
    styles: dict[Edge, EdgeStyle] = {}
    for earlier, later in tree.edges:
        links[place[earlier], place[later]] = True
        styles[place[earlier], place[later]] = _style(earlier, later, known)
    edges = edges_of(links)
    sizes = node_sizes(nodes, edges, "down")
    sizes[-1] = 0.0
    layout = GraphLayout.of(edges, sizes)
    number = len(tree.samples)
    title = legible(tree.samples[0], _LONGEST) if number == 1 else number_of(number, "sample")
    line = TextLine(title, _TITLE, bold=number > 1)
    return Panel(Tree(nodes, styles, layout, rooted=False), ((line, _TITLE / 2),), _HEAD)


def _style(earlier: str, later: str, known: KnownOrders | None) -> EdgeStyle:
    """Return how an edge is drawn, by what is known of its order."""
    if known is None:
        return EdgeStyle()
    if known.order(earlier, later).probability >= known.threshold:
        return _AGREES
    return _AGAINST if known.order(later, earlier).probability >= known.threshold else _OPEN


def _entries(panels: Sequence[Panel]) -> Iterator[Entry]:
    """Yield what the colours mean that occur."""
    found = {style for panel in panels for style in panel.tree.edges.values()}
    meanings = {
        _AGREES: "the model has the same order",
        _AGAINST: "the model has it the other way round",
        _OPEN: "the model leaves it open",
    }
    for style, meaning in meanings.items():
        if style in found:
            yield Entry(line_symbol(style.width, style.colour, style.line), meaning)


def _left_out(trees: Sequence[SeenTree], orders: SeenOrders) -> Iterator[Entry]:
    """Yield how many trees are not drawn, and how many samples have orders that are no tree."""
    if len(trees) > _MOST:
        yield Entry(no_symbol, f"{number_of(len(trees) - _MOST, 'other tree')} left out")
    others = orders.ordered_samples().size - sum(len(tree.samples) for tree in trees)
    if others:
        yield Entry(no_symbol, f"the orders of {number_of(others, 'sample')} are not a tree")
