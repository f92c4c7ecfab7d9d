"""The data: its size, its curation, warnings, a picture of all of it, and its error rates."""

from collections.abc import Iterator, Sequence
from typing import Any

from caprese._core.significance import HIGH_ERROR_RATE, LEVEL, POSTERIOR_LEVEL
from caprese._core.words import number_of, percent, visible
from caprese.data.curation import Step
from caprese.data.dataset import Dataset
from caprese.data.inspection import Inspection
from caprese.io.data.annotations import Annotation
from caprese.methods.fit import Fit, OrderedFit
from caprese.models.base import Order
from caprese.plots.oncoprint import COLUMNS, oncoprint_figure
from caprese.report.analysis import ErrorRates
from caprese.report.content import (
    Block,
    Bullets,
    Paragraph,
    Picture,
    Properties,
    Section,
    Table,
    columns,
    section,
)
from caprese.text.facts import names_of, sentence
from caprese.text.inspection import inspection_properties, log_lines
from caprese.text.sentences import Term, phrase, share

_TERMS = {"genotypes": "[genotype|Genotypes]"}
_LONGEST_STEP = 600  # characters of a step of the curation
_MEANINGS = {"false_positive": "reported, but absent", "false_negative": "present, but missed"}


@section("data", "The data")
def data_section(
    data: Dataset,
    found: Inspection,
    log: Sequence[Step] = (),
    *,
    order: Order | None = None,
    annotation: Annotation | None = None,
) -> Iterator[Block]:
    """Return what to know about the data before looking at any result.

    The picture shows parents above their children if there is an order.
    """
    yield _properties(found)
    yield Section("curation", "Curation", _curation(log))
    yield Section("warnings", "Warnings", (_warnings(data, found),))
    yield Section("overview", "Overview", (_oncoprint(data, order, annotation),))


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
    return Picture(
        "oncoprint",
        description,
        caption,
        lambda: oncoprint_figure(data, model=order, annotation=track or None, title=title),
    )


@section("errors", "Errors in the data")
def errors_section(
    fit: Fit[Any, Any], rates: ErrorRates | None, *, converged: bool = True
) -> Iterator[Block]:
    """Return the error rates under which the data is most likely, with their intervals."""
    posterior = rates is not None and rates.posterior
    if isinstance(fit, OrderedFit) and not fit.edges and not posterior:
        words = "In a progression without edges, errors cannot be distinguished from events."
        yield Paragraph((words,))
    elif rates is None:
        yield Paragraph(("This model has no error rates.",))
    else:
        said = f"Samples that contradict the model are explained by errors. {_source(fit, rates)}"
        if not converged:
            said += " Their estimation did not converge; they are the best found."
        yield from (Paragraph((said,)), _rates_table(rates), *_high_rates(rates))


def _source(fit: Fit[Any, Any], rates: ErrorRates) -> str:
    """Return where the rates are from."""
    if rates.posterior and rates.intervals is None:
        return "The method was given these error rates."
    if rates.posterior:
        inferred = "Their rates were inferred together with the progression"
        return f"{inferred}; the table shows posterior means."
    words = "These error rates make the data most likely, if the model is correct."
    recovery = fit.recovery
    if recovery is None or recovery.intervals is not None:
        return words
    positive, negative = recovery.noise.false_positive, recovery.noise.false_negative
    given = f"The method was given error rates of {percent(positive)} and {percent(negative)}."
    return f"{words} {given}"


def _rates_table(found: ErrorRates) -> Table:
    level = percent(POSTERIOR_LEVEL if found.posterior else LEVEL)
    interval = "posterior interval" if found.posterior else "rate interval"
    given = found.intervals is None and found.posterior
    titles = columns(
        "error", "the event is", "rate" if given else f"[{interval}|rate, {level} interval]"
    )
    rows = tuple(
        (
            (Term(name.replace("_", " "), name.replace("_", " ")),),
            (meaning,),
            share(getattr(found.noise, name), getattr(found.intervals, name, None)),
        )
        for name, meaning in _MEANINGS.items()
    )
    return Table(("Estimated error rates.",), titles, rows, name="error-rates")


def _high_rates(found: ErrorRates) -> Iterator[Block]:
    if max(found.noise.false_positive, found.noise.false_negative) >= HIGH_ERROR_RATE:
        words = (
            f"A rate of {percent(HIGH_ERROR_RATE)} or more may mean that the model is wrong rather "
            "than the data: many samples do not follow it."
        )
        yield Paragraph((words,))
