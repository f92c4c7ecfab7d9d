"""The sections of a report, one question each, and the order in which they are read."""

from caprese.methods import describe
from caprese.report.analysis import Analysis
from caprese.report.columns import number_of
from caprese.report.content import Report
from caprese.report.sections.alternatives import alternatives
from caprese.report.sections.closing import citation, repetition
from caprese.report.sections.doubts import doubts
from caprese.report.sections.errors import errors
from caprese.report.sections.material import material
from caprese.report.sections.opening import answer, question
from caprese.report.sections.progression import edges, progression
from caprese.report.sections.spectrum import spectrum

_SECTIONS = (
    question,
    answer,
    material,
    progression,
    edges,
    doubts,
    alternatives,
    errors,
    spectrum,
    citation,
)


def report_content(
    analysis: Analysis, *, title: str = "Progression report", command: str = ""
) -> Report:
    """Return all that a report says.

    Parameters
    ----------
    analysis
        What it rests on.
    title
        Of the report.
    command
        The command that makes the report, if there is one.

    Examples
    --------
    >>> from caprese.datasets import acml
    >>> from caprese.methods import Caprese
    >>> from caprese.report.analysis import analyse
    >>> from caprese.report.words import plain
    >>> report = report_content(analyse(Caprese(), acml(), replicates=50))
    >>> print(plain(report.section("answer").blocks[0].text)[:50])
    SETBP1 missense and ASXL1 indel come first, waitin
    """
    fit = analysis.fit
    size = f"{number_of(fit.samples, 'sample')} and {number_of(len(fit.model.events), 'event')}"
    summary = f"{describe(fit.method)} on {size}, {analysis.confidence.replicates} replicates"
    said = tuple(section(analysis) for section in _SECTIONS)
    return Report(title, summary, (*said, repetition(analysis, command)))
