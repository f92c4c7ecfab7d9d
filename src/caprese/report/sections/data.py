"""The data: its size, what was done to it, what to beware of, and a picture of all of it."""

from collections.abc import Sequence

import numpy as np

from caprese._core.words import number_of, percent, visible
from caprese.plots.oncoprint.plan import COLUMNS
from caprese.report.analysis import Analysis
from caprese.report.content import Block, Bullets, Facts, Heading, Paragraph, Picture, Section
from caprese.text.curation import log_lines
from caprese.text.sentences import Sentence, told

_LONG = 600  # signs of a warning or of a step of the curation


def data(analysis: Analysis) -> Section:
    """Return what there is to know of the data before looking at any answer."""
    blocks: list[Block] = [_facts(analysis), Heading("What was done to it")]
    steps = log_lines(analysis.fit.log)
    if steps:
        blocks += [
            Paragraph(told("Before the fit, the [curation] changed the table:")),
            Bullets(_lines(steps)),
        ]
    else:
        blocks += [Paragraph(told("Nothing: the [curation] left the table as it was."))]
    blocks += [Heading("What to beware of"), *_warnings(analysis), *_oncoprint(analysis)]
    return Section("data", "The data", tuple(blocks))


def _facts(analysis: Analysis) -> Facts:
    found = analysis.inspection
    carried = found.events_per_sample
    unknown = f"{found.unknown} ({percent(found.unknown / found.entries)})"
    facts = {
        told("Samples"): str(found.samples),
        told("Events"): str(len(found.events)),
        told("Unknown entries"): unknown if found.unknown else "none",
        told("Events in a sample"): f"{carried[0]} to {carried[-1]}, median {np.median(carried):g}",
        told("Different [genotype|genotypes]"): str(found.genotypes),
    }
    return Facts(tuple((name, (value,)) for name, value in facts.items()))


def _warnings(analysis: Analysis) -> tuple[Block, ...]:
    if not analysis.warnings:
        return (Paragraph(told("Nothing stands out.")),)
    return (Bullets(analysis.warnings),)


def _oncoprint(analysis: Analysis) -> tuple[Block, ...]:
    samples = number_of(len(analysis.data.samples), "sample")
    events = number_of(len(analysis.data.events), "event")
    caption = told(
        "Who carries what: a row for each [event], parents before their children, a column for "
        "each [sample]. At the right the [frequency].{many}",
        many=" Where samples are too many to be told apart, neighbours share a column."
        if len(analysis.data.samples) > COLUMNS
        else "",
    )
    description = f"Which of {samples} carry which of {events}, as coloured cells."
    return (Heading("All of it at a glance"), Picture("oncoprint", description, caption))


def _lines(lines: Sequence[str]) -> tuple[Sentence, ...]:
    return tuple((visible(line, _LONG),) for line in lines)
