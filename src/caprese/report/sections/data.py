"""The data: its size, its curation, warnings, and a picture of all of it."""

from collections.abc import Sequence

from caprese._core.words import number_of, visible
from caprese.data.curation import Step
from caprese.data.dataset import Dataset
from caprese.data.inspection import Inspection
from caprese.io.data.annotations import Annotation
from caprese.models.base import Order
from caprese.plots.oncoprint import COLUMNS, oncoprint_figure
from caprese.report.content import Block, Bullets, Paragraph, Picture, Properties, Section
from caprese.report.pictures import picture
from caprese.text.curation import log_lines
from caprese.text.facts import names_of, sentence
from caprese.text.inspection import inspection_properties
from caprese.text.sentences import phrase

_TERMS = {"genotypes": "[genotype|Genotypes]"}
_LONGEST_STEP = 600  # characters of a step of the curation


def data_section(
    data: Dataset,
    found: Inspection,
    log: Sequence[Step] = (),
    *,
    order: Order | None = None,
    annotation: Annotation | None = None,
) -> Section:
    """Return what to know about the data before looking at any result.

    The picture shows parents above their children if there is an order.
    """
    return Section(
        "data",
        "The data",
        (
            _properties(found),
            Section("curation", "Curation", _curation(log)),
            Section("warnings", "Warnings", (_warnings(data, found),)),
            Section("overview", "Overview", (_oncoprint(data, order, annotation),)),
        ),
    )


def _properties(found: Inspection) -> Properties:
    named = inspection_properties(found).items()
    return Properties(
        tuple((phrase(_TERMS.get(name, name.capitalize())), (text,)) for name, text in named)
    )


def _curation(log: Sequence[Step]) -> tuple[Block, ...]:
    steps = tuple((visible(line, _LONGEST_STEP),) for line in log_lines(log))
    if not steps:
        return (Paragraph(phrase("The [curation] did not change the table.")),)
    return (Paragraph(phrase("The [curation] changed the table before the fit:")), Bullets(steps))


def _warnings(data: Dataset, found: Inspection) -> Block:
    if not found.warnings:
        return Paragraph(("There are no warnings.",))
    return Bullets(tuple(sentence(fact, names_of(data.events)) for fact in found.warnings))


def _oncoprint(data: Dataset, order: Order | None, annotation: Annotation | None) -> Picture:
    samples, events = number_of(len(data.samples), "sample"), number_of(len(data.events), "event")
    caption = phrase(
        "Each row is an [event]{order}, each column a [sample]; the [frequency] is on the right."
        "{many}",
        order="" if order is None else ", parents above their children",
        many=" There are too many samples to show each: neighbouring samples share a column."
        if len(data.samples) > COLUMNS
        else "",
    )
    description = f"A matrix of {events} and {samples}; coloured cells are events that are present."
    track = {} if annotation is None else annotation.categories
    title = "" if annotation is None else annotation.title
    return picture(
        "oncoprint",
        description,
        caption,
        lambda: oncoprint_figure(data, model=order, annotation=track or None, title=title),
    )
