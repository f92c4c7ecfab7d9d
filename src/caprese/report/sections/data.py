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
    Inside,
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
) -> Iterator[Block | Inside]:
    """Return what to know about the data before any result; the picture may show an order."""
    yield Inside.of(
        "{samples} and {events}, {warnings}, and a picture of all of it.",
        samples=number_of(len(data.samples), "sample"),
        events=number_of(len(data.events), "event"),
        warnings=number_of(len(found.warnings), "warning"),
    )
    named = inspection_properties(found).items()
    yield Properties(
        tuple((phrase(_TERMS.get(name, name.capitalize())), (text,)) for name, text in named)
    )
    yield Section("curation", "Curation", tuple(_curation(log)))
    warnings = tuple(sentence(fact, names_of(data.events)) for fact in found.warnings)
    shown = Bullets(warnings) if warnings else Paragraph.of("There are no warnings.")
    yield Section("warnings", "Warnings", (shown,))
    yield Section("overview", "Overview", (_oncoprint(data, order, annotation),))


def _curation(log: Sequence[Step]) -> Iterator[Block]:
    steps = tuple((visible(line, _LONGEST_STEP),) for line in log_lines(log))
    changed = "changed the table before the fit:" if steps else "did not change the table."
    yield Paragraph.of(f"The [curation] {changed}")
    if steps:
        yield Bullets(steps)


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
    track, title = (None, "") if annotation is None else (annotation.categories, annotation.title)
    return Picture(
        "oncoprint",
        description,
        caption,
        lambda: oncoprint_figure(data, model=order, annotation=track or None, title=title),
    )


@section("errors", "Errors in the data")
def errors_section(fit: Fit[Any, Any], rates: ErrorRates | None) -> Iterator[Block | Inside]:
    """Return the error rates under which the data is most likely, with their intervals."""
    yield Inside.of("How often events are reported although absent, or missed.").later
    posterior = rates is not None and rates.posterior
    if isinstance(fit, OrderedFit) and not fit.edges and not posterior:
        words = "In a progression without edges, errors cannot be distinguished from events."
        yield Paragraph.of(words)
    elif rates is None:
        yield Paragraph.of("This model has no error rates.")
    else:
        said = f"Samples that contradict the model are explained by errors. {_source(fit, rates)}"
        if not fit.estimate.converged:
            said += " Their estimation did not converge; they are the best found."
        yield from (Paragraph.of(said), _rates_table(rates))
        if max(rates.noise.false_positive, rates.noise.false_negative) >= HIGH_ERROR_RATE:
            yield Paragraph.of(
                "A rate of {high} or more may mean that the model is wrong rather than the data: "
                "many samples do not follow it.",
                high=percent(HIGH_ERROR_RATE),
            )


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
