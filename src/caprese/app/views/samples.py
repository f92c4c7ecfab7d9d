"""Samples on the page: where they stand, and one of them on the tree."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from caprese.app.pictures import live_tree
from caprese.app.views.fragments import html
from caprese.io.data.annotations import Annotation
from caprese.methods.base import Fit, OrderedFit
from caprese.patients.groups import Associations
from caprese.patients.place import Placement
from caprese.patients.survival import Survival
from caprese.plots.canvas.figures import figure_bytes
from caprese.plots.patients.progression import patients_figure
from caprese.plots.survival import survival_figure
from caprese.report.content import Block, Card, Picture, Table
from caprese.report.page import blocks_html
from caprese.report.pictures import inline_svg
from caprese.report.sections.cards import card
from caprese.report.sections.clinical import clinical_blocks
from caprese.report.sections.patients import Patients, patients_section
from caprese.text.sentences import shown_names


def patients_view(
    placed: Placement, fit: Fit[Any, Any], annotation: Annotation | None = None
) -> str:
    """Return where the samples stand, in the words of the report; each row opens a card."""
    found = Patients(placed, fit, annotation)
    blocks = [_opening(block, found.rows) for block in patients_section(found).blocks]
    pictures = {}
    if any(isinstance(block, Picture) for block in blocks):
        content = figure_bytes(patients_figure(fit, placed), "svg")
        pictures = {"patients": inline_svg(content, "patients")}
    return blocks_html(blocks, pictures)


def _opening(block: Block, rows: Sequence[int]) -> Block:
    if not isinstance(block, Table) or not block.searched:
        return block
    return replace(block, opens=tuple(f"sample-{row + 1}" for row in rows))


def clinical_view(placed: Placement, tests: Associations, curves: Survival | None) -> str:
    """Return how the samples compare with a clinical table."""
    blocks = clinical_blocks(tests, curves, shown_names(placed.events))
    pictures = {}
    if curves is not None:
        content = figure_bytes(survival_figure(curves), "svg")
        pictures = {"survival": inline_svg(content, "survival")}
    return blocks_html(blocks, pictures)


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
