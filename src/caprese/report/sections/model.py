"""A model without an order: its parameters, and how well it explains the data."""

from caprese.assessment.effects import effect_facts
from caprese.models.base import EffectsModel
from caprese.report.analysis import Analysis
from caprese.report.content import Block, Bullets, Column, Paragraph, Picture, Section, Table
from caprese.report.glossary import GLOSSARY
from caprese.report.sections.alternatives import other_methods
from caprese.report.sections.progression import as_sentence
from caprese.text.fits import event_numbers
from caprese.text.sentences import Cell, Sentence, phrase, plain, quantity, share


def model(analysis: Analysis) -> Section:
    """Return the parameters of each event, and a comparison with the other methods."""
    intro = phrase(
        "This model has no edges: it does not say that one [event] occurs before another. The "
        "table shows its parameters for each event."
    )
    blocks: tuple[Block, ...] = (
        Paragraph(intro),
        *_effects(analysis),
        _table(analysis),
        *(Paragraph(as_sentence(note)) for note in analysis.notes),
        *other_methods(analysis),
    )
    return Section("model", "The model", blocks)


def _effects(analysis: Analysis) -> tuple[Block, ...]:
    """Return the effects of events on each other as a picture and in words, if there are any."""
    if not isinstance(analysis.fit.model, EffectsModel):
        return ()
    reading = phrase(
        "Each [event] changes how fast the others occur. Read the picture by rows: in red cells "
        "the event of the row speeds up that of the column, in blue cells it slows it down; x3 is "
        "three times as fast, /3 three times as slow. The first row has the [base rate|base rates]."
    )
    limits = phrase(
        "Samples of one time point each show which events go together, and only weakly which of "
        "the two acts on the other: compare an effect with the one in the opposite direction."
    )
    number, *strongest = (analysis.in_words(fact) for fact in effect_facts(analysis.fit.model))
    said = "; ".join(plain(each) for each in strongest)
    picture = Picture(
        "effects",
        f"A heat map of the effects between all pairs of events. The strongest: {said or 'none'}.",
        ("The effects of events (rows) on the rates of others (columns).",),
    )
    first, *_rest = as_sentence(number)
    heading: Sentence = (str(first),) if strongest else as_sentence(number)
    return (
        Paragraph(reading),
        picture,
        Paragraph(heading),
        *((Bullets(tuple(as_sentence(each) for each in strongest)),) if strongest else ()),
        Paragraph(limits),
    )


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
