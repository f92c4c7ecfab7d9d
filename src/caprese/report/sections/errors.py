"""How often the data seems to be wrong."""

from caprese._core.words import percent
from caprese.models.noise import Noise
from caprese.report.analysis import ErrorRates, OrderedAnalysis
from caprese.report.content import Block, Column, Paragraph, Section, Table
from caprese.text.sentences import Term, joined, share, told

_HIGH = 0.2  # rates from which on errors explain so much that the progression explains little
_MEANINGS = {
    "false_positive": "reported, but not there",
    "false_negative": "there, but missed",
}


def errors(analysis: OrderedAnalysis) -> Section:
    """Return the error rates under which the data is likeliest, with their intervals."""
    return Section("errors", "Errors in the data", _blocks(analysis))


def _blocks(analysis: OrderedAnalysis) -> tuple[Block, ...]:
    if not analysis.fit.model.edges:
        words = "Where no event waits for another, nothing tells errors from events."
        return (Paragraph((words,)),)
    if analysis.errors is None:
        return (Paragraph(("The rates of errors could not be estimated: they did not settle.",)),)
    intro = told(
        "Samples that contradict the [progression] are put down to errors. These rates make the "
        "data likeliest, if the progression is right."
    )
    given = getattr(analysis.fit.method, "noise", None)
    if isinstance(given, Noise):
        words = "The method itself was told rates of {positive} and {negative}."
        rates = (percent(given.false_positive), percent(given.false_negative))
        intro = joined([intro, told(words, positive=rates[0], negative=rates[1])])
    return (Paragraph(intro), _table(analysis.errors), *_verdict(analysis.errors))


def _table(found: ErrorRates) -> Table:
    columns = (
        Column("error"),
        Column("an event is"),
        Column("rate, 95 % interval", "rate interval"),
    )
    rows = tuple(
        (
            (Term(name.replace("_", " "), name.replace("_", " ")),),
            (meaning,),
            share(getattr(found.noise, name), getattr(found.intervals, name, None)),
        )
        for name, meaning in _MEANINGS.items()
    )
    return Table(told("Shares of the entries of the table."), columns, rows)


def _verdict(found: ErrorRates) -> tuple[Block, ...]:
    if max(found.noise.false_positive, found.noise.false_negative) < _HIGH:
        return ()
    words = (
        "A rate this high may speak against the progression rather than against the laboratory: "
        "many samples do not follow it."
    )
    return (Paragraph((words,)),)
