"""The estimated error rates of the data."""

from typing import Any

from caprese._core.significance import LEVEL
from caprese._core.words import percent
from caprese.methods.fit import Fit, OrderedFit
from caprese.report.analysis import ErrorRates
from caprese.report.content import Block, Column, Paragraph, Section, Table
from caprese.text.sentences import Term, joined, phrase, share
from caprese.text.thresholds import HIGH_ERROR_RATE, POSTERIOR_LEVEL

_MEANINGS = {"false_positive": "reported, but absent", "false_negative": "present, but missed"}


def errors_section(
    fit: Fit[Any, Any], rates: ErrorRates | None, *, converged: bool = True
) -> Section:
    """Return the error rates under which the data is most likely, with their intervals.

    Without rates, `converged` tells whether their estimation did.
    """
    return Section("errors", "Errors in the data", _blocks(fit, rates, converged))


def _blocks(fit: Fit[Any, Any], rates: ErrorRates | None, converged: bool) -> tuple[Block, ...]:
    if rates is not None and rates.posterior:
        return _posterior_rates(rates)
    if isinstance(fit, OrderedFit) and not fit.edges:
        words = "In a progression without edges, errors cannot be distinguished from events."
        return (Paragraph((words,)),)
    if rates is None:
        words = (
            "This model has no error rates."
            if converged
            else "The error rates could not be estimated: the estimation did not converge."
        )
        return (Paragraph((words,)),)
    intro = phrase(
        "Samples that contradict the model are explained by errors. These error rates make the "
        "data most likely, if the model is correct."
    )
    recovery = fit.recovery
    if recovery is not None and recovery.intervals is None:  # the rates were not estimated
        positive, negative = recovery.noise.false_positive, recovery.noise.false_negative
        words = f"The method was given error rates of {percent(positive)} and {percent(negative)}."
        intro = joined([intro, (words,)])
    return (Paragraph(intro), _table(rates), *_verdict(rates))


def _posterior_rates(found: ErrorRates) -> tuple[Block, ...]:
    given = "The method was given these error rates."
    inferred = (
        "Their rates were inferred together with the progression; the table shows posterior means."
    )
    intro = phrase(
        "Samples that contradict the model are explained by errors. {about}",
        about=given if found.intervals is None else inferred,
    )
    return (Paragraph(intro), _table(found), *_verdict(found))


def _table(found: ErrorRates) -> Table:
    level = percent(POSTERIOR_LEVEL if found.posterior else LEVEL)
    interval = "posterior interval" if found.posterior else "rate interval"
    columns = (
        Column("error"),
        Column("the event is"),
        Column("rate")
        if found.intervals is None and found.posterior
        else Column(f"rate, {level} interval", interval),
    )
    rows = tuple(
        (
            (Term(name.replace("_", " "), name.replace("_", " ")),),
            (meaning,),
            share(getattr(found.noise, name), getattr(found.intervals, name, None)),
        )
        for name, meaning in _MEANINGS.items()
    )
    return Table(("Estimated error rates.",), columns, rows, name="error-rates")


def _verdict(found: ErrorRates) -> tuple[Block, ...]:
    if max(found.noise.false_positive, found.noise.false_negative) < HIGH_ERROR_RATE:
        return ()
    words = (
        f"A rate of {percent(HIGH_ERROR_RATE)} or more may mean that the model is wrong rather "
        "than the data: many samples do not follow it."
    )
    return (Paragraph((words,)),)
