"""A model without an order: its parameters, and how well it explains the data."""

from collections.abc import Sequence
from typing import Any

from caprese.assessment.effects import effect_facts
from caprese.methods.fit import Fit, OrderedFit
from caprese.models.base import EffectsModel, Order, nodes_of, parent_sets
from caprese.plots.heatmaps.drawing import effects_figure
from caprese.report.content import Block, Bullets, Column, Paragraph, Section, Table
from caprese.report.glossary import explained
from caprese.report.pictures import picture
from caprese.report.sections.progression import notes
from caprese.text.facts import names_of, sentence
from caprese.text.fits import event_numbers, largest_first
from caprese.text.sentences import (
    Cell,
    Number,
    Sentence,
    as_sentence,
    listed,
    phrase,
    plain,
    quantity,
    share,
)


def model_section(fit: Fit[Any, Any]) -> Section:
    """Return the parameters of each event."""
    intro = phrase(
        "This model has no edges: it does not say that one [event] occurs before another. The "
        "table shows its parameters for each event."
    )
    blocks: tuple[Block, ...] = (
        Paragraph(intro),
        *_effects(fit.model),
        events_table(fit),
        *notes(fit),
    )
    return Section("model", "The model", blocks)


def _effects(model: object) -> tuple[Block, ...]:
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
    names = names_of(model.events)
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


def events_table(fit: Fit[Any, Any]) -> Table:
    """Return all that a fit says of its events, the most frequent first."""
    names, events = names_of(fit.model.events), fit.model.events
    columns: dict[str, list[Number]] = {
        "frequency": [share(float(value)) for value in fit.counts.frequency]
    }
    for name, values in event_numbers(fit).items():
        columns[name] = [quantity(name, float(value)) for value in values]
    titles = [*map(explained, columns)]
    cells: list[Sequence[Cell]] = [[(names(event),) for event in events], *columns.values()]
    if isinstance(fit, OrderedFit):
        titles = [Column("parent", "parent"), *titles, Column("reason")]
        reasons = [sentence(fact, names) for fact in fit.remarks()]
        cells = [cells[0], _parents(fit.model), *cells[1:], reasons]
    rows = list(zip(*cells, strict=True))
    order = largest_first(fit.counts.frequency, events)
    caption = "All events, the most frequent first."
    shown = tuple(rows[k] for k in order)
    return Table((caption,), (Column("event"), *titles), shown, name="events")


def _parents(model: Order) -> list[Sentence]:
    """Return the parents of each event, which may be patterns."""
    nodes, links = nodes_of(model)
    names = [*map(names_of(nodes), nodes)]
    above = parent_sets(links)[: len(model.events)]
    return [listed([names[parent] for parent in each]) or ("root",) for each in above]
