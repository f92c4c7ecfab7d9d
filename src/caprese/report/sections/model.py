"""A model without an order: its parameters, and how well it explains the data."""

from typing import Any

from caprese.assessment.effects import effect_facts
from caprese.methods.fit import Fit
from caprese.models.base import EffectsModel
from caprese.plots.heatmaps.drawing import effects_figure
from caprese.report.content import Block, Bullets, Column, Paragraph, Section, Table
from caprese.report.glossary import GLOSSARY
from caprese.report.pictures import picture
from caprese.report.sections.progression import notes
from caprese.text.facts import Names, names_of, sentence
from caprese.text.fits import event_numbers
from caprese.text.sentences import Cell, Sentence, as_sentence, phrase, plain, quantity, share


def model_section(fit: Fit[Any, Any]) -> Section:
    """Return the parameters of each event."""
    intro = phrase(
        "This model has no edges: it does not say that one [event] occurs before another. The "
        "table shows its parameters for each event."
    )
    names = names_of(fit.model.events)
    blocks: tuple[Block, ...] = (
        Paragraph(intro),
        *_effects(fit.model, names),
        _table(fit, names),
        *notes(fit),
    )
    return Section("model", "The model", blocks)


def _effects(model: object, names: Names) -> tuple[Block, ...]:
    """Return the effects of events on each other as a picture and in words, if there are any."""
    if not isinstance(model, EffectsModel):
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
    number, *strongest = (sentence(fact, names) for fact in effect_facts(model))
    said = "; ".join(plain(each) for each in strongest)
    heat_map = picture(
        "effects",
        f"A heat map of the effects between all pairs of events. The strongest: {said or 'none'}.",
        ("The effects of events (rows) on the rates of others (columns).",),
        lambda: effects_figure(model),
    )
    first, *_rest = as_sentence(number)
    heading: Sentence = (str(first),) if strongest else as_sentence(number)
    return (
        Paragraph(reading),
        heat_map,
        Paragraph(heading),
        *((Bullets(tuple(as_sentence(each) for each in strongest)),) if strongest else ()),
        Paragraph(limits),
    )


def _table(fit: Fit[Any, Any], names: Names) -> Table:
    numbers = event_numbers(fit)
    columns = (
        Column("event"),
        Column("frequency", "frequency"),
        *(Column(name, name if name in GLOSSARY else "") for name in numbers),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            (names(event),),
            share(float(fit.counts.frequency[k])),
            *(quantity(name, float(values[k])) for name, values in numbers.items()),
        )
        for k, event in enumerate(fit.model.events)
    )
    return Table(("The parameters of all events.",), columns, rows, name="parameters")
