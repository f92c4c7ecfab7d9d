"""The pictures of a report, as SVG elements that use the colours of the page."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np

from caprese.methods.evidence import PairScores
from caprese.plots.canvas import palette
from caprese.plots.canvas.figures import figure_bytes
from caprese.plots.distinct_models import draw_distinct_models
from caprese.plots.heatmaps.drawing import effects_figure, scores_figure, support_figure
from caprese.plots.judgement import judgement_figure
from caprese.plots.oncoprint.drawing import oncoprint_figure
from caprese.plots.patients.progression import patients_figure
from caprese.plots.progression.drawing import progression_figure
from caprese.plots.progression.subtypes import subtypes_figure
from caprese.report.analysis import Analysis, OrderedAnalysis
from caprese.report.sections.distinct_models import shares_of_distinct_models

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_BARS = 24  # in the picture of the distinct models
# The page defines these colours as variables, so that they follow its light or dark scheme.
_COLOURS = {
    getattr(palette, name).lower(): f"var(--{name.lower()})"
    for name in ("INK", "SOFT", "LINE", "PALE", "PAPER", "BLUE", "VERMILION", "AMBER")
} | {"#000000": "var(--ink)"}


def svg_pictures(analysis: Analysis, keys: tuple[str, ...]) -> Mapping[str, str]:
    """Return the pictures with these keys, as SVG."""
    return {key: inline_svg(figure_bytes(_FIGURES[key](analysis), "svg"), key) for key in keys}


def inline_svg(content: bytes, key: str) -> str:
    """Return an SVG file as an element of a page, with unique ids and the colours of the page."""
    root = ElementTree.fromstring(content)
    for element in root.iter():
        element.tag = _local(element.tag)
        element.attrib = {
            _local(name): _adapted(_local(name), value, key)
            for name, value in element.attrib.items()
        }
        for child in list(element):
            if _local(child.tag) in ("metadata", "style"):
                element.remove(child)
    width = float(root.get("width", "0").removesuffix("pt")) * 4 / 3  # a point is 4/3 pixels
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.set("style", f"--natural: {width:.0f}px")
    root.set("aria-hidden", "true")
    return ElementTree.tostring(root, encoding="unicode")


def _adapted(name: str, value: str, key: str) -> str:
    """Prefix ids with the key of the picture, and replace colours by variables of the page."""
    if name == "id":
        return f"{key}-{value}"
    if name == "href" and value.startswith("#"):
        return f"#{key}-{value[1:]}"
    value = value.replace("url(#", f"url(#{key}-")
    if name in ("style", "fill", "stroke"):
        for colour, variable in _COLOURS.items():
            value = value.replace(colour, variable)
    return value


def _local(name: str) -> str:
    """Return a name without its namespace, which HTML does not need in an svg element."""
    return name.rpartition("}")[2]


def _distinct_models_figure(analysis: OrderedAnalysis) -> "Figure":
    from matplotlib.figure import Figure

    shares, fitted = shares_of_distinct_models(analysis)
    shown = fitted if fitted is not None and fitted < _MOST_BARS else None
    figure = Figure(figsize=(6.4, 2.6), layout="constrained")
    figure.patch.set_visible(False)
    axes = figure.subplots()
    axes.patch.set_visible(False)
    draw_distinct_models(axes, shares[:_MOST_BARS], fitted=shown)
    return figure


def _oncoprint_figure(analysis: Analysis) -> "Figure":
    order = analysis.fit.model if isinstance(analysis, OrderedAnalysis) else None
    if analysis.annotation is None:
        return oncoprint_figure(analysis.data, model=order)
    track = analysis.annotation
    return oncoprint_figure(
        analysis.data, model=order, annotation=track.categories, title=track.title
    )


def _support_figure(analysis: OrderedAnalysis) -> "Figure":
    if analysis.confidence is None:
        n, matrix = len(analysis.data.events), analysis.support.matrix
        pairs = ~np.eye(n, dtype=bool)
        scores = PairScores(analysis.support.name, matrix[:n], pairs, matrix[n])
        return scores_figure(analysis.fit.model, scores)
    return support_figure(analysis.fit.model, analysis.confidence)


_FIGURES: Mapping[str, Callable[[Any], "Figure"]] = {
    "oncoprint": _oncoprint_figure,
    "progression": lambda analysis: progression_figure(analysis.fit, analysis.confidence),
    "support": _support_figure,
    "effects": lambda analysis: effects_figure(analysis.fit.model),
    "distinct-models": _distinct_models_figure,
    "subtypes": lambda analysis: subtypes_figure(analysis.fit),
    "judgement": lambda analysis: judgement_figure(analysis.judgement),
    "patients": lambda analysis: patients_figure(analysis.fit, analysis.placement),
}
