"""The sections of a report, and their order."""

from collections.abc import Callable, Sequence
from typing import Any

from caprese._core.words import number_of
from caprese.methods.evidence import SubtypeEvidence
from caprese.report.analysis import Analysis, OrderedAnalysis
from caprese.report.content import Report, Section
from caprese.report.sections.alternatives import alternatives
from caprese.report.sections.data import data
from caprese.report.sections.distinct_models import distinct_models
from caprese.report.sections.errors import errors
from caprese.report.sections.judgement import judgement
from caprese.report.sections.model import model
from caprese.report.sections.patients import patients
from caprese.report.sections.progression import edges, progression
from caprese.report.sections.reproducibility import citation, reproducibility
from caprese.report.sections.subtypes import subtypes
from caprese.report.sections.summary import question, summary
from caprese.report.sections.uncertainty import uncertainty
from caprese.text.fits import fit_title

_ORDERED: Sequence[Callable[[Any], Section]] = (
    question,
    summary,
    data,
    progression,
    edges,
    uncertainty,
    alternatives,
    judgement,
    errors,
)
_UNORDERED: Sequence[Callable[[Any], Section]] = (model, data, judgement, errors)


def _ordered(analysis: OrderedAnalysis) -> Sequence[Callable[[Any], Section]]:
    """Return the sections on a model with an order, depending on what is known about it."""
    evidence = analysis.fit.evidence
    grouped = isinstance(evidence, SubtypeEvidence) and bool(evidence.subtypes)
    groups = (subtypes,) if grouped else ()
    resampled = () if analysis.confidence is None else (distinct_models,)
    return (*_ORDERED, *groups, *resampled)


def report_content(analysis: Analysis, *, title: str = "", command: str = "") -> Report:
    """Return the content of a report; see `write_report`."""
    events = number_of(len(analysis.data.events), "event")
    default, subtitle, sections = f"A model of {events}", fit_title(analysis.fit), _UNORDERED
    if isinstance(analysis, OrderedAnalysis):
        default, sections = f"The order of {events}", _ordered(analysis)
        subtitle += f", {analysis.support.size}"
    placed = () if analysis.placement is None else (patients,)
    content = tuple(section(analysis) for section in (*sections, *placed, citation))
    return Report(title or default, subtitle, (*content, reproducibility(analysis, command)))
