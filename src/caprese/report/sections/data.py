"""The data: its size, its curation, warnings, and a picture of all of it."""

import numpy as np

from caprese._core.words import number_of, percent, visible
from caprese.plots.oncoprint.plan import COLUMNS
from caprese.report.analysis import Analysis, OrderedAnalysis
from caprese.report.content import Block, Bullets, Heading, Paragraph, Picture, Properties, Section
from caprese.text.curation import log_lines
from caprese.text.sentences import phrase

_LONGEST_STEP = 600  # characters of a step of the curation


def data(analysis: Analysis) -> Section:
    """Return what to know about the data before looking at any result."""
    blocks = (
        _properties(analysis),
        Heading("Curation"),
        *_curation(analysis),
        Heading("Warnings"),
        _warnings(analysis),
        Heading("Overview"),
        _oncoprint(analysis),
    )
    return Section("data", "The data", blocks)


def _properties(analysis: Analysis) -> Properties:
    found = analysis.inspection
    present = found.events_per_sample
    unknown = f"{found.unknown} ({percent(found.unknown / found.entries)})"
    properties = {
        phrase("Samples"): str(found.samples),
        phrase("Events"): str(len(found.events)),
        phrase("Unknown entries"): unknown if found.unknown else "none",
        phrase(
            "Events per sample"
        ): f"{present[0]} to {present[-1]}, median {np.median(present):g}",
        phrase("Distinct [genotype|genotypes]"): str(found.genotypes),
    }
    return Properties(tuple((name, (value,)) for name, value in properties.items()))


def _curation(analysis: Analysis) -> tuple[Block, ...]:
    steps = tuple((visible(line, _LONGEST_STEP),) for line in log_lines(analysis.fit.log))
    if not steps:
        return (Paragraph(phrase("The [curation] did not change the table.")),)
    return (Paragraph(phrase("The [curation] changed the table before the fit:")), Bullets(steps))


def _warnings(analysis: Analysis) -> Block:
    if not analysis.warnings:
        return Paragraph(("There are no warnings.",))
    return Bullets(analysis.warnings)


def _oncoprint(analysis: Analysis) -> Picture:
    samples = number_of(len(analysis.data.samples), "sample")
    events = number_of(len(analysis.data.events), "event")
    caption = phrase(
        "Each row is an [event]{order}, each column a [sample]; the [frequency] is on the right."
        "{many}",
        order=", parents above their children" if isinstance(analysis, OrderedAnalysis) else "",
        many=" There are too many samples to show each: neighbouring samples share a column."
        if len(analysis.data.samples) > COLUMNS
        else "",
    )
    description = f"A matrix of {events} and {samples}; coloured cells are events that are present."
    return Picture("oncoprint", description, caption)
