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


def report_content(analysis: Analysis, *, title: str = "", command: str = "") -> Report:
    """Return all that a report says.

    Parameters
    ----------
    analysis
        What it rests on.
    title
        Of the report; how many events there are if left out.
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
    samples = number_of(fit.samples, "sample")
    events = number_of(len(fit.model.events), "event")
    replicates = number_of(analysis.confidence.replicates, "replicate")
    summary = f"{describe(fit.method)} on {samples} and {events}, {replicates}"
    said = tuple(section(analysis) for section in _SECTIONS)
    return Report(
        title or f"The order of {events}", summary, (*said, repetition(analysis, command))
    )
