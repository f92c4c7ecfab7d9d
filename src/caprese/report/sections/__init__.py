"""The sections of a report, and their order."""

from collections.abc import Iterator

from caprese._core.words import number_of
from caprese.methods.evidence import SubtypeEvidence
from caprese.report.analysis import Analysis
from caprese.report.content import Report, Section
from caprese.report.order import AssessedOrder
from caprese.report.sections.alternatives import judgement_section, other_methods, other_parents
from caprese.report.sections.answer import answer_section, beside_the_word, known_section
from caprese.report.sections.data import data_section, errors_section
from caprese.report.sections.groups import groups_section
from caprese.report.sections.model import (
    directions_section,
    edges_section,
    model_section,
    progression_section,
    tree_section,
)
from caprese.report.sections.patients import Patients, in_the_tree, patients_section
from caprese.report.sections.reproducibility import citation_section, reproducibility_section
from caprese.report.sections.several_models import distinct_models_section, subtypes_section
from caprese.report.sections.summary import question_section, summary_section, uncertainty_section
from caprese.report.sections.times import times_section, trees_sections
from caprese.text.facts import names_of
from caprese.text.fits import fit_title


def report_content(analysis: Analysis, *, title: str = "", **repeating: str) -> Report:
    """Return the content of a report; see `write_report`."""
    events = number_of(len(analysis.data.events), "event")
    order = analysis.order
    subtitle = ", ".join(filter(None, (fit_title(analysis.fit), analysis.size)))
    if not analysis.leads:
        subtitle = f"{number_of(len(analysis.data.samples), 'sample')} x {events}"
    default = f"A model of {events}" if order is None else f"The order of {events}"
    assert analysis.answer is not None
    exclusive = [(pair.first, pair.second) for pair in analysis.inspection.exclusive]
    sections = (
        answer_section(analysis.answer, exclusive),
        *(_led_by_method(analysis) if analysis.leads else _led_by_answer(analysis)),
        *_the_rest(analysis),
        *(() if order is None else (question_section(len(order.events), analysis.fit.samples),)),
        citation_section(analysis.fit.method),
        reproducibility_section(analysis, **repeating),
    )
    names = names_of(analysis.data.events)
    found = tuple(map(names, analysis.data.events))
    return Report(title or default, subtitle, sections, events=found)


def _led_by_answer(analysis: Analysis) -> Iterator[Section]:
    """Yield what the judged methods know together, then the tree in a section of its own."""
    yield from _judged(analysis)
    if analysis.order is not None:
        parts = tuple(_about_the_order(analysis, analysis.order))
        yield tree_section(analysis.order, parts)
    yield _methods(analysis)


def _led_by_method(analysis: Analysis) -> Iterator[Section]:
    if analysis.order is None:
        yield beside_the_word(model_section(analysis.fit), analysis.answer, analysis.fit)
    else:
        yield from _about_the_order(analysis, analysis.order)
    yield from _judged(analysis)
    yield _methods(analysis)


def _judged(analysis: Analysis) -> Iterator[Section]:
    """Yield how well each method predicts, and what is known."""
    assert analysis.answer is not None
    yield judgement_section(analysis.judgement)
    known = analysis.answer.known
    if known is not None:
        yield known_section(known)
        if known.parts:
            yield times_section(analysis.answer, known, analysis.seed)
    yield from trees_sections(analysis.data.orders, known)


def _about_the_order(analysis: Analysis, order: AssessedOrder) -> Iterator[Section]:
    yield beside_the_word(summary_section(order), analysis.answer, analysis.fit)
    yield progression_section(order)
    yield edges_section(order)
    if not order.refuted:
        if analysis.directions:
            yield directions_section(order, analysis.directions)
        yield uncertainty_section(order, analysis.inspection)
    yield other_parents(order)
    yield from grouped_sections(order)


def _methods(analysis: Analysis) -> Section:
    return other_methods(analysis.compared, analysis.fit, analysis.order)


def _the_rest(analysis: Analysis) -> Iterator[Section]:
    fit, order = analysis.fit, analysis.order
    model, placed = None if order is None else order.fit.model, analysis.placement
    shown = (analysis.data, analysis.inspection, fit.log)
    yield data_section(*shown, order=model, annotation=analysis.annotation)
    yield errors_section(fit, analysis.errors)
    if placed is not None:
        compared = (analysis.tests, analysis.curves)
        patients = patients_section(Patients(placed, fit, analysis.annotation, *compared))
        refuted = order is not None and order.refuted
        yield patients if analysis.leads else in_the_tree(patients, refuted=refuted)
    if analysis.groups is not None:
        yield groups_section(analysis.groups)


def grouped_sections(order: AssessedOrder) -> Iterator[Section]:
    """Yield the sections on subtypes and on distinct models, if there are any."""
    evidence = order.fit.evidence
    if isinstance(evidence, SubtypeEvidence) and evidence.subtypes:
        yield subtypes_section(order, evidence)
    if order.confidence is not None:
        yield distinct_models_section(order, order.confidence)
