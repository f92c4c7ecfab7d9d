"""Samples on the page: where they stand, and one of them on the tree."""

from typing import Any

from caprese.app.pictures import live_tree
from caprese.app.views import html
from caprese.methods.fit import Fit, OrderedFit
from caprese.patients.place import Placement
from caprese.recipe.results import Results, needed
from caprese.report.page import blocks_html
from caprese.report.sections.patients import Patients, patients_section, sample_card


def patients_view(results: Results) -> str:
    """Return where the samples stand, in the words of the report; each row opens a card."""
    placed, fit = needed(results.placement), results.placed_in
    found = Patients(placed, fit, results.annotation, results.tests, results.curves)
    return blocks_html(patients_section(found, found.rows, with_cards=False).blocks)


def patient_view(placed: Placement, fit: Fit[Any, Any], row: int) -> str:
    """Return all about one sample, and its place on the tree."""
    svg = ""
    if isinstance(fit, OrderedFit):
        places = [placed.events.index(event) for event in fit.model.events]
        states = [_state(placed, row, place) for place in places]
        svg = live_tree(fit, None, "patient", states)
    return html("patient", svg=svg, card=blocks_html([sample_card(Patients(placed, fit), row)]))


def _state(placed: Placement, row: int, event: int) -> str:
    if placed.wrongly_seen[row, event]:
        return "wrong"
    if placed.data.values[row, event]:
        return "seen"
    if placed.missed[row, event]:
        return "missed"
    return "next" if placed.following[row] == event else ""
