"""Samples on the page: where they stand, and one of them on the tree."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from caprese.app.pictures import live_tree
from caprese.app.views.fragments import html
from caprese.methods.fit import Fit, OrderedFit
from caprese.patients.place import Placement
from caprese.plots.canvas.figures import figure_bytes
from caprese.plots.patients.progression import patients_figure
from caprese.plots.survival import survival_figure
from caprese.report.content import Block, Card, Picture, Table
from caprese.report.page import blocks_html
from caprese.report.pictures import inline_svg
from caprese.report.sections.cards import card
from caprese.report.sections.patients import Patients, patients_section

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def patients_view(found: Patients) -> str:
    """Return where the samples stand, in the words of the report; each row opens a card."""
    blocks = [_opening(block, found.rows) for block in patients_section(found).blocks]
    keys = [block.key for block in blocks if isinstance(block, Picture)]
    figures = {key: _figure(found, key) for key in keys}
    pictures = {key: inline_svg(figure_bytes(each, "svg"), key) for key, each in figures.items()}
    return blocks_html(blocks, pictures)


def _figure(found: Patients, key: str) -> "Figure":
    if key == "survival" and found.curves is not None:
        return survival_figure(found.curves)
    return patients_figure(found.fit, found.placement)


def _opening(block: Block, rows: Sequence[int]) -> Block:
    if not isinstance(block, Table) or block.columns[0].term != "sample":
        return block
    return replace(block, opens=tuple(f"sample-{row + 1}" for row in rows))


def patient_view(placed: Placement, fit: Fit[Any, Any], row: int) -> str:
    """Return all about one sample, and its place on the tree."""
    name = Patients(placed, fit).samples[placed.samples[row]]
    svg = ""
    if isinstance(fit, OrderedFit):
        places = [placed.events.index(event) for event in fit.model.events]
        states = [_state(placed, row, place) for place in places]
        svg = live_tree(fit, None, "patient", states)
    about = Card(f"sample-{row + 1}", ("Sample ", name), card(placed, row))
    return html("patient", svg=svg, card=blocks_html([about]))


def _state(placed: Placement, row: int, event: int) -> str:
    if placed.wrongly_seen[row, event]:
        return "wrong"
    if placed.data.values[row, event]:
        return "seen"
    if placed.missed[row, event]:
        return "missed"
    following = placed.next_events(placed.samples[row])
    return "next" if following and following[0].event == placed.events[event] else ""
