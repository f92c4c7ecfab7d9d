"""The pictures of the page: those of the report, the tree with places to point at."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np

from caprese._core.words import percent
from caprese.assessment.confidence import Confidence
from caprese.methods.fit import OrderedFit, order_of
from caprese.models.base import nodes_of
from caprese.plots.canvas.figures import figure_bytes
from caprese.plots.layout.graph_layout import Route
from caprese.plots.progression.drawing import progression_figure
from caprese.plots.progression.plan import marks_of, progression_plan
from caprese.report.pictures import inline_svg
from caprese.text.facts import in_words
from caprese.text.fits import event_numbers
from caprese.text.sentences import decimal, shown_names

STATES = {
    "seen": "seen in this sample",
    "missed": "probably missed in this sample",
    "wrong": "probably seen wrongly in this sample",
    "next": "probably comes next in this sample",
}


class Item(NamedTuple):
    """An event in a list of a progression."""

    place: int
    depth: int
    name: str
    tip: str  # empty of a pattern, which is no event
    support: str
    also: list[str]  # its other parents


_MARGIN = 3.0  # around a node, in points


def live_tree(
    fit: OrderedFit[Any, Any],
    confidence: Confidence | None,
    key: str = "tree",
    states: Sequence[str] = (),
) -> str:
    """Return the progression as SVG; every node can be pointed at, focused and pressed.

    `states` are words of `STATES` for each event, which mark the place of a sample.
    """
    order, marks = order_of(fit), marks_of(fit, confidence)
    ((tree, shift),) = progression_plan(order, marks).trees
    content = figure_bytes(progression_figure(fit, confidence), "svg")
    root = ElementTree.fromstring(inline_svg(content, key))
    root.attrib.pop("aria-hidden")
    root.set("role", "group")
    chosen = "" if states else "; choose an event to see its alternatives and samples"
    root.set("aria-label", f"The progression{chosen}.")
    for drawn in root:
        drawn.set("aria-hidden", "true")
    layer = ElementTree.SubElement(root, "g", {"class": "live"})
    tips = event_tips(fit, confidence)
    for (parent, child), route in tree.layout.routes(tree.edges).items():
        if child < len(tips):  # and not a pattern
            _add_edge(layer, route.shifted(shift), parent, child, tips[child])
    names = shown_names(fit.model.events)
    centres, boxes = tree.layout.centres + shift, tree.layout.boxes
    for event, name in enumerate(fit.model.events):
        state = states[event] if states else ""
        tip = "\n".join([tips[event], *([STATES[state]] if state else [])])
        node = _add_node(layer, event, names[name].shown, tip, centres[event], boxes[event])
        if states:  # a picture to look at, with nothing to choose
            node.attrib |= {"class": f"node {state}".strip(), "role": "img", "aria-label": tip}
    return ElementTree.tostring(root, encoding="unicode")


def outline_of(fit: OrderedFit[Any, Any], confidence: Confidence | None) -> list[Item]:
    """Return the progression as a list: each event below its parents, further in than they are.

    An event with several parents stands below the first of them, and names the others.
    """
    nodes, links = nodes_of(fit.model)
    marks, events = marks_of(fit, confidence), len(fit.model.events)
    names = [each.shown for each in shown_names(nodes).values()]
    tips = event_tips(fit, confidence)
    above = [np.flatnonzero(links[:, node]).tolist() for node in range(len(nodes))]
    found: list[Item] = []
    frequency = [*fit.counts.frequency.tolist(), *(1.0 for _ in nodes[events:])]  # of patterns, 1
    ranked = sorted(range(len(nodes)), key=frequency.__getitem__)  # the most frequent last
    left = [(node, 0) for node in ranked if not above[node]]
    while left:
        node, depth = left.pop()
        own = above[node] or [len(nodes)]
        known = [marks.support_of(nodes, events, (parent, node)) for parent in own]
        shares = [percent(share) for share in known if share is not None]
        also = [names[parent] for parent in above[node][1:]]
        tip = tips[node] if node < events else ""
        found.append(Item(node, depth, names[node], tip, ", ".join(shares), also))
        left += [(child, depth + 1) for child in ranked if above[child][:1] == [node]]
    return found


def event_tips(fit: OrderedFit[Any, Any], confidence: Confidence | None) -> list[str]:
    """Return what is said of each event when it is pointed at, in lines."""
    numbers = event_numbers(fit)
    nodes, links = nodes_of(fit.model)
    names = [each.shown for each in shown_names(nodes).values()]
    marks, events = marks_of(fit, confidence), len(fit.model.events)
    reasons = in_words(fit.remarks())
    tips = []
    for event, name in enumerate(names[:events]):
        above = np.flatnonzero(links[:, event]).tolist()
        parents = [names[parent] for parent in above]
        lines = [
            name,
            f"after {' and '.join(parents)}" if parents else "from the root",
            f"frequency {percent(float(fit.counts.frequency[event]))}",
        ]
        lines += [
            f"{title} {shown.text}"
            for title, values in numbers.items()
            if (shown := decimal(float(values[event]))).text
        ]
        if confidence is not None:
            edges = [(parent, event) for parent in above or [len(nodes)]]
            known = [marks.support_of(nodes, events, edge) for edge in edges]
            shares = ", ".join(percent(share) for share in known if share is not None)
            lines.append(f"support {shares} of {confidence.replicates} replicates")
        tips.append("\n".join([*lines, reasons[event]]))
    return tips


def _add_node(
    layer: ElementTree.Element, event: int, name: str, tip: str, centre: Any, size: Any
) -> ElementTree.Element:
    left, top = (centre - size / 2 - _MARGIN).tolist()
    width, height = (size + 2 * _MARGIN).tolist()
    label = f"{name}. {', '.join(tip.splitlines()[1:])}. Show its alternatives and samples."
    about = {
        "class": "node",
        "data-event": str(event),
        "data-tip": tip,
        "tabindex": "0",
        "role": "button",
        "aria-label": label,
        "fill": "none",  # also without the style of the page, as in a picture that is downloaded
        "pointer-events": "all",
    }
    node = ElementTree.SubElement(layer, "g", about)
    numbers = {"x": left, "y": top, "width": width, "height": height, "rx": 4.0}
    ElementTree.SubElement(node, "rect", {each: f"{value:.2f}" for each, value in numbers.items()})
    return node


def _add_edge(layer: ElementTree.Element, route: Route, parent: int, child: int, tip: str) -> None:
    first, *others = [f"{x:.2f} {y:.2f}" for x, y in route.curve.tolist()]
    end = " ".join(f"{part:.2f}" for part in route.tip.tolist())
    about = {
        "class": "edge",
        "fill": "none",
        "data-parent": str(parent),
        "data-event": str(child),
        "data-tip": tip,
        "d": f"M{first}C{' '.join(others)}L{end}",
    }
    ElementTree.SubElement(layer, "path", about)
