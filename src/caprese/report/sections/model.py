"""A model without an order: its numbers, and how well it explains the data beside the others."""

from caprese.assessment.comparison import Compared
from caprese.methods import describe
from caprese.report.analysis import Analysis
from caprese.report.content import Block, Column, Heading, Paragraph, Section, Table
from caprese.report.sections.alternatives import compared_numbers
from caprese.report.sections.progression import as_sentence
from caprese.text.sentences import Cell, decimal, share, told


def model(analysis: Analysis) -> Section:
    """Return the numbers of each event, and the likelihood of each method."""
    fit = analysis.fit
    intro = told(
        "This model has no order of [event|events]: nothing in it says that one comes before "
        "another. It gives each event these numbers."
    )
    numbers = fit.model.parameters() if hasattr(fit.model, "parameters") else {}
    columns = (
        Column("event"),
        Column("frequency", "frequency"),
        *(Column(name) for name in numbers),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            (analysis.name(event),),
            share(float(fit.counts.frequency[event])),
            *(decimal(float(values[event])) for values in numbers.values()),
        )
        for event in range(len(fit.model.events))
    )
    blocks: list[Block] = [
        Paragraph(intro),
        Table(told("All events."), columns, rows),
        *(Paragraph(as_sentence(analysis.in_words(note))) for note in fit.evidence.notes()),
        Heading("What other methods say"),
        Table(
            told("The first is the one in question."),
            (Column("method"), Column("log-likelihood", "log-likelihood"), Column("BIC", "BIC")),
            tuple(_row(one) for one in analysis.compared),
        ),
    ]
    return Section("model", "The model", tuple(blocks))


def _row(one: Compared) -> tuple[Cell, ...]:
    return ((describe(one.fit.method),), *compared_numbers(one))
