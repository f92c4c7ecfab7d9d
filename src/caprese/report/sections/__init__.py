"""The sections of a report, one question each, and the order in which they are read."""

from collections.abc import Callable, Sequence
from typing import Any

from caprese._core.words import number_of
from caprese.methods import describe
from caprese.report.analysis import Analysis, OrderedAnalysis
from caprese.report.content import Report, Section
from caprese.report.sections.alternatives import alternatives
from caprese.report.sections.data import data
from caprese.report.sections.distinct_models import distinct_models
from caprese.report.sections.errors import errors
from caprese.report.sections.model import model
from caprese.report.sections.progression import edges, progression
from caprese.report.sections.reproducibility import citation, repetition
from caprese.report.sections.summary import answer, question
from caprese.report.sections.uncertainty import uncertainty

_ORDERED: Sequence[Callable[[Any], Section]] = (
    question,
    answer,
    data,
    progression,
    edges,
    uncertainty,
    alternatives,
    errors,
    distinct_models,
    citation,
)
_UNORDERED: Sequence[Callable[[Any], Section]] = (model, data, citation)


def report_content(analysis: Analysis, *, title: str = "", command: str = "") -> Report:
    """Return all that a report says.

    Parameters
    ----------
    analysis
        What it rests on.
    title
        Of the report; by default how many events there are.
    command
        The command that makes the report, if there is one.

    Examples
    --------
    >>> from caprese.data.embedded import acml
    >>> from caprese.methods import Caprese
    >>> from caprese.report.analysis import analyse
    >>> from caprese.text.sentences import plain
    >>> report = report_content(analyse(Caprese(), acml(), replicates=50))
    >>> print(plain(report.section("answer").blocks[0].text)[:50])
    SETBP1 missense and ASXL1 indel come first, waitin
    """
    fit, ordered = analysis.fit, isinstance(analysis, OrderedAnalysis)
    samples = number_of(fit.samples, "sample")
    events = number_of(len(fit.model.events), "event")
    summary = f"{describe(fit.method)} on {samples} and {events}"
    if isinstance(analysis, OrderedAnalysis):
        summary += f", {number_of(analysis.confidence.replicates, 'replicate')}"
    said = tuple(section(analysis) for section in (_ORDERED if ordered else _UNORDERED))
    default = f"The order of {events}" if ordered else f"A model of {events}"
    return Report(title or default, summary, (*said, repetition(analysis, command)))
