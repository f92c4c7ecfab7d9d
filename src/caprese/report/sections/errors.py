"""The estimated error rates of the data."""

from typing import Any

from caprese._core.significance import LEVEL
from caprese._core.words import percent
from caprese.methods.fit import Fit, OrderedFit
from caprese.report.analysis import ErrorRates
from caprese.report.content import Block, Column, Paragraph, Section, Table
from caprese.text.sentences import Term, share
from caprese.text.thresholds import HIGH_ERROR_RATE, POSTERIOR_LEVEL

_MEANINGS = {"false_positive": "reported, but absent", "false_negative": "present, but missed"}


def errors_section(
    fit: Fit[Any, Any], rates: ErrorRates | None, *, converged: bool = True
) -> Section:
    """Return the error rates under which the data is most likely, with their intervals."""
    return Section("errors", "Errors in the data", _blocks(fit, rates, converged))


def _blocks(fit: Fit[Any, Any], rates: ErrorRates | None, converged: bool) -> tuple[Block, ...]:
    posterior = rates is not None and rates.posterior
    words = ""
    if isinstance(fit, OrderedFit) and not fit.edges and not posterior:
        words = "In a progression without edges, errors cannot be distinguished from events."
    elif rates is None:
        words = "This model has no error rates."
    if words or rates is None:
        return (Paragraph((words,)),)
    said = f"Samples that contradict the model are explained by errors. {_source(fit, rates)}"
    if not converged:
        said += " Their estimation did not converge; they are the best found."
    return (Paragraph((said,)), _table(rates), *_verdict(rates))


def _source(fit: Fit[Any, Any], rates: ErrorRates) -> str:
    """Return where the rates are from."""
    if rates.posterior and rates.intervals is None:
        return "The method was given these error rates."
    if rates.posterior:
        return (
            "Their rates were inferred together with the progression; the table shows posterior "
            "means."
        )
    words = "These error rates make the data most likely, if the model is correct."
    recovery = fit.recovery
    if recovery is None or recovery.intervals is not None:
        return words
    positive, negative = recovery.noise.false_positive, recovery.noise.false_negative
    given = f"The method was given error rates of {percent(positive)} and {percent(negative)}."
    return f"{words} {given}"


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
