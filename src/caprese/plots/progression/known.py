"""What is known of the order of events, as a picture; events without a known place stand apart."""

from collections.abc import Collection, Iterator, Sequence
from itertools import compress

import numpy as np

from caprese._core.words import listing, number_of, percent
from caprese.assessment.directions import Rests
from caprese.assessment.known import KnownOrders
from caprese.plots.canvas.figures import Figure, figure_of
from caprese.plots.canvas.labels import TextLine, legible_names, text_width, wrapped
from caprese.plots.canvas.legend import Entry, bar_symbol, line_symbol, no_symbol, wedge_symbol
from caprese.plots.canvas.palette import SOFT
from caprese.plots.layout.across import Edge
from caprese.plots.layout.graph_layout import GraphLayout, edges_of
from caprese.plots.progression.nodes import Node
from caprese.plots.progression.plan import ARRANGEMENTS, Arrangement, siblings_by_frequency
from caprese.plots.progression.tree import (
    EDGE_LABEL,
    EXCLUSIVE,
    FAINT,
    EdgeStyle,
    Panel,
    Panels,
    Tree,
    best_on_page,
    node_sizes,
)

_TITLE, _LINE, _HEAD = 9.0, 7.0, 18.0  # font sizes, and the height of a line above a panel
_APART = (0.0, 16.0)  # between panels
_WIDEST = 460.0  # of a row of events without a known place
_GAP = 12.0  # between two of these
_THIN, _THICK = 0.7, 3.0  # widths of orders, by their probability
_UNDETERMINED = 1.2  # of those whose direction is not determined
_EXCLUSIVE, _MOST_WORDS = "mutually exclusive", 3


def known_figure(known: KnownOrders, exclusive: Sequence[tuple[str, str]] = ()) -> Figure:
    """Return a figure of what is known: an arrow for each order that does not follow from others.

    Arrows are as thick as their order is probable, dashed where the data do not determine the
    direction, and faded where the probability is between 50 % and the threshold. Events without
    any arrow stand below. How many pairs of events have no order of more than 50 % is said.

    Parameters
    ----------
    known
        The result of `known_orders`.
    exclusive
        Pairs of events that exclude each other, as `inspect` finds them: dotted lines between
        events whose place is known, and words for others.

    Examples
    --------
    >>> from caprese import Caprese, datasets
    >>> from caprese.assessment.known import known_orders
    >>> figure = known_figure(known_orders(Caprese().fit(datasets.ovarian())))
    >>> [text.get_text() for text in figure.axes[0].texts][-1]
    'direction not determined by these data'
    """
    return figure_of(best_on_page([_plan(known, exclusive, each) for each in ARRANGEMENTS]))


def _plan(
    known: KnownOrders, exclusive: Sequence[tuple[str, str]], arrangement: Arrangement
) -> Panels:
    nodes = _nodes(known, arrangement)
    placed = ~np.isin(known.events, known.apart)
    panels = []
    if placed.any():
        tree = _progression(known, exclusive, nodes, np.flatnonzero(placed).tolist(), arrangement)
        line = TextLine(_bounds(known), _LINE)
        panels.append((Panel(tree, ((line, _LINE / 2),), _HEAD),))
    if not placed.all():
        words = "place not known at all" if known.faded.any() else "place not known"
        line = TextLine.heading(words, _TITLE)
        apart = [node for node, own in zip(nodes, placed, strict=True) if not own]
        panels.append((Panel(_in_rows(apart), ((line, _TITLE / 2),), _HEAD),))
    within = {*compress(known.events, placed)}
    entries = (*_entries(known), *_exclusive_entries(within, exclusive))
    return Panels(tuple(panels), entries, _APART)


def _nodes(known: KnownOrders, arrangement: Arrangement) -> list[Node]:
    _, width, beside = arrangement
    names = legible_names(known.events)
    shares = known.frequency.tolist()
    return [
        Node(wrapped(name, width), share, beside, event=event)
        for event, name, share in zip(known.events, names, shares, strict=True)
    ]


def _progression(
    known: KnownOrders,
    exclusive: Sequence[tuple[str, str]],
    nodes: Sequence[Node],
    own: Sequence[int],
    arrangement: Arrangement,
) -> Tree:
    direction, *_ = arrangement
    events, kept = [known.events[k] for k in own], [nodes[k] for k in own]
    found = edges_of((known.drawn | known.faded)[np.ix_(own, own)])
    edges = siblings_by_frequency(found, events, known.frequency[own])
    sizes = node_sizes(kept, edges, direction)
    sizes[-1] = 0.0
    room = (text_width(">99 %", EDGE_LABEL), EDGE_LABEL + 1)
    layout = GraphLayout.of(edges, sizes, direction=direction, label=room)
    stated = [(i, j) for i, j in edges if i < len(own)]  # without those from the root
    styles = {(i, j): _style(known, events[i], events[j]) for i, j in stated}
    apart = tuple(
        (events.index(one), events.index(other))
        for one, other in exclusive
        if one in events and other in events
    )
    return Tree(tuple(kept), styles, layout, rooted=False, exclusive=apart)


def _style(known: KnownOrders, earlier: str, later: str) -> EdgeStyle:
    order = known.order(earlier, later)
    if order.probability < known.threshold:
        return EdgeStyle(FAINT, SOFT, label=percent(order.probability))
    width = _THIN + (_THICK - _THIN) * order.probability
    label = percent(order.probability)
    if order.direction.rests == Rests.OPEN:
        return EdgeStyle(_UNDETERMINED, SOFT, "dashed", label)
    return EdgeStyle(width, label=label)


def _in_rows(nodes: Sequence[Node]) -> Tree:
    """Return events side by side, in as many rows as they need."""
    widest = max(node.size[0] for node in nodes)
    columns = max(1, int(_WIDEST // (widest + _GAP)))
    root = len(nodes)
    above = [k - columns if k >= columns else root for k in range(len(nodes))]
    below: list[Edge] = [(parent, k) for k, parent in enumerate(above)]
    sizes = np.array([*(node.size for node in nodes), (0.0, 0.0)])
    return Tree(tuple(nodes), {}, GraphLayout.of(below, sizes), rooted=False)


def _bounds(known: KnownOrders) -> str:
    """Return which orders the picture shows, and what it leaves out."""
    n, disagree = len(known.events), len(known.disagreements)
    rest = n * (n - 1) // 2 - int(known.known.sum()) - known.weaker - disagree
    said = [f"known orders have a probability of {percent(known.threshold)} or more"]
    if rest:
        said.append(f"{number_of(rest, 'pair')} without an order above 50 % left out")
    if known.contradicted:
        weak = number_of(known.contradicted, "weaker order")
        said.append(f"{weak} that others contradict left out")
    if disagree:
        said.append(f"models disagree on {number_of(disagree, 'pair')}")
    return "; ".join(said)


def _exclusive_entries(
    within: Collection[str], exclusive: Sequence[tuple[str, str]]
) -> Iterator[Entry]:
    """Yield what dotted lines mean, and the exclusive pairs that have no line."""
    lines = [pair for pair in exclusive if all(event in within for event in pair)]
    if lines:
        yield Entry(line_symbol(EXCLUSIVE.width, EXCLUSIVE.colour, EXCLUSIVE.line), _EXCLUSIVE)
    words = [" and ".join(legible_names(pair, 20)) for pair in exclusive if pair not in lines]
    if words:
        yield Entry(no_symbol, f"{_EXCLUSIVE}: {listing(words, _MOST_WORDS)}", 0.0)


def _entries(known: KnownOrders) -> list[Entry]:
    found = [Entry(bar_symbol, "share of samples with the event")]
    rests = {order.direction.rests for order in known.orders}
    if rests - {Rests.OPEN}:
        found.append(Entry(wedge_symbol, "probability that one event comes before the other"))
    if Rests.OPEN in rests:
        words = "direction not determined by these data"
        found.append(Entry(line_symbol(_UNDETERMINED, SOFT, "dashed"), words))
    if known.faded.any():
        words = f"weaker, not known: between 50 % and {percent(known.threshold)}"
        found.append(Entry(line_symbol(FAINT, SOFT, "solid"), words))
    return found
