"""The sections of a report, and their order."""

from collections.abc import Iterator
from dataclasses import replace

from caprese._core.words import number_of
from caprese.methods.evidence import SubtypeEvidence
from caprese.report.analysis import Analysis
from caprese.report.content import Report, Section
from caprese.report.order import AssessedOrder
from caprese.report.sections.alternatives import judgement_section, other_methods, other_parents
from caprese.report.sections.data import data_section, errors_section
from caprese.report.sections.model import (
    directions_section,
    edges_section,
    model_section,
    progression_section,
)
from caprese.report.sections.patients import Patients, patients_section
from caprese.report.sections.reproducibility import citation_section, reproducibility_section
from caprese.report.sections.several_models import distinct_models_section, subtypes_section
from caprese.report.sections.summary import question_section, summary_section, uncertainty_section
from caprese.text.fits import fit_title


def report_content(analysis: Analysis, *, title: str = "", **repeating: str) -> Report:
    """Return the content of a report; see `write_report`."""
    events = number_of(len(analysis.data.events), "event")
    order, placed = analysis.order, analysis.placement
    subtitle = ", ".join(filter(None, (fit_title(analysis.fit), analysis.size)))
    track = analysis.annotation
    default = f"A model of {events}" if order is None else f"The order of {events}"
    sections = (
        *_about_the_model(analysis),
        judgement_section(analysis.judgement),
        errors_section(analysis.fit, analysis.errors),
        *(() if order is None else grouped_sections(order)),
        *([] if placed is None else [patients_section(Patients(placed, analysis.fit, track))]),
        citation_section(analysis.fit.method),
        reproducibility_section(analysis, **repeating),
    )
    return Report(title or default, subtitle, sections)


def _about_the_model(analysis: Analysis) -> Iterator[Section]:
    fit, order = analysis.fit, analysis.order
    others = other_methods(analysis.compared, fit, order)
    model = None if order is None else order.fit.model
    shown = (analysis.data, analysis.inspection, fit.log)
    data = data_section(*shown, order=model, annotation=analysis.annotation)
    if order is None:
        alone = model_section(fit)
        yield from (replace(alone, blocks=(*alone.blocks, others)), data)
        return
    yield question_section(len(order.events), fit.samples)
    yield summary_section(order)
    yield data
    yield progression_section(order)
    yield edges_section(order)
    if analysis.directions:
        yield directions_section(order, analysis.directions)
    yield uncertainty_section(order, analysis.inspection)
    yield Section("alternatives", "Alternatives", (other_parents(order), others))


def grouped_sections(order: AssessedOrder) -> Iterator[Section]:
    """Yield the sections on subtypes and on distinct models, if there are any."""
    evidence = order.fit.evidence
    if isinstance(evidence, SubtypeEvidence) and evidence.subtypes:
        yield subtypes_section(order, evidence)
    if order.confidence is not None:
        yield distinct_models_section(order, order.confidence)
