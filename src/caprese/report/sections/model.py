"""A model without an order: its parameters, and how well it explains the data."""

from caprese.report.analysis import Analysis
from caprese.report.content import Column, Paragraph, Section, Table
from caprese.report.glossary import GLOSSARY
from caprese.report.sections.alternatives import other_methods
from caprese.report.sections.progression import as_sentence
from caprese.text.fits import event_numbers
from caprese.text.sentences import Cell, phrase, quantity, share


def model(analysis: Analysis) -> Section:
    """Return the parameters of each event, and a comparison with the other methods."""
    intro = phrase(
        "This model has no edges: it does not say that one [event] occurs before another. The "
        "table shows its parameters for each event."
    )
    blocks = (
        Paragraph(intro),
        _table(analysis),
        *(Paragraph(as_sentence(note)) for note in analysis.notes),
        *other_methods(analysis),
    )
    return Section("model", "The model", blocks)


def _table(analysis: Analysis) -> Table:
    numbers = event_numbers(analysis.fit)
    columns = (
        Column("event"),
        Column("frequency", "frequency"),
        *(Column(name, name if name in GLOSSARY else "") for name in numbers),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            (analysis.name(event),),
            share(float(analysis.fit.counts.frequency[event])),
            *(quantity(name, float(values[event])) for name, values in numbers.items()),
        )
        for event in range(len(analysis.data.events))
    )
    return Table(("The parameters of all events.",), columns, rows, name="parameters")
