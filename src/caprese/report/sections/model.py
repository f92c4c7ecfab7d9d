"""The model: an order as a picture and a table of edges, or parameters without an order."""

from collections.abc import Iterator, Sequence
from typing import Any

from caprese._core.significance import SIGNIFICANT
from caprese._core.words import listing, percent, visible
from caprese.assessment.confidence import UNDETERMINED
from caprese.assessment.effects import effect_facts
from caprese.methods.fit import Fit, OrderedFit
from caprese.models.base import EffectsModel, Order, PatternedOrder, nodes_of, parent_sets
from caprese.plots.heatmaps.drawing import effects_figure
from caprese.plots.progression.drawing import progression_figure
from caprese.report.analysis import QUICK, default_replicates
from caprese.report.content import (
    Block,
    Bullets,
    Column,
    Notice,
    Paragraph,
    Picture,
    Table,
    columns,
    section,
)
from caprese.report.glossary import explained
from caprese.report.order import AssessedEdge, AssessedOrder
from caprese.text.facts import names_of, sentence
from caprese.text.fits import event_numbers, largest_first
from caprese.text.sentences import (
    NOTHING,
    Cell,
    Number,
    Sentence,
    as_sentence,
    joined,
    listed,
    p_value,
    phrase,
    plain,
    quantity,
    share,
)

# The tests by the term that explains each; "score" itself explains the score.
TESTS = {
    "temporal_priority": "temporal priority",
    "probability_raising": "probability raising",
    "co_occurrence": "co-occurrence",
    "score": "permutation",
}


@section("progression", "The progression")
def progression_section(order: AssessedOrder) -> Iterator[Block]:
    """Return the picture of the progression, and how to read it."""
    reading = phrase(
        "Read the picture from the [root]: each [edge] leads from a [parent] to an [event] that "
        "follows it. {numbers}",
        numbers=order.support.say("reading", replicates=str(order.support.number)),
    )
    few: Sentence = (
        "There are fewer replicates than usual because the method is fitted to each of them; the "
        "intervals below take that into account.",
    )
    several: Sentence = (
        "Of an event with several parents, the probability depends on which of them are there."
        if isinstance(order.fit.model, PatternedOrder)
        else "An event with several parents occurs only after all of them.",
    )
    usual = default_replicates(order.fit.method)
    fewer = order.confidence is not None and (order.requested or 0) <= usual < QUICK
    many = bool((order.adjacency.sum(axis=0) > 1).any())
    yield Paragraph(joined([reading, few if fewer else (), several if many else ()]))
    yield Picture(
        "progression",
        _description(order),
        order.support.say("picture"),
        lambda: progression_figure(order.fit, order.confidence),
    )
    yield from notes(order.fit)
    recovery = order.fit.recovery
    if recovery is not None and not recovery.settled:
        words = (
            f"The inference did not converge in {recovery.rounds} rounds; the most likely "
            "progression is shown."
        )
        yield Notice((words,))


@section("edges", "The edges")
def edges_section(order: AssessedOrder) -> Iterator[Block]:
    """Return all edges in a table, with the evidence for each."""
    intro = [phrase("The table lists every [edge] of the picture."), order.support.say("edges")]
    if any(edge.p_values for edge in order.edges):
        tests = (
            "The [p-value|p-values] show whether it could be due to chance. A dagger (†) marks "
            "p-values of {significant} or more, which are not significant."
        )
        intro.append(phrase(tests, significant=f"{SIGNIFICANT:g}"))
    yield Paragraph(joined(intro))
    yield from pattern_notices(order)
    yield _edges_table(order)


def pattern_notices(order: AssessedOrder) -> Iterator[Notice]:
    """Return that edges from the events of a pattern stand for the pattern, and its support."""
    model, confidence = order.fit.model, order.confidence
    if not isinstance(model, PatternedOrder) or not model.pattern_edges:
        return
    shares = [
        "" if confidence is None else f" ({percent(confidence.pattern_support(*edge))})"
        for edge in model.pattern_edges
    ]
    found = [
        f"{visible(pattern)} → {visible(child)}{share}"
        for (pattern, child), share in zip(model.pattern_edges, shares, strict=True)
    ]
    counted = "" if confidence is None else ", with the share of the replicates that have them"
    words = (
        f"Parents that are patterns{counted}: {listing(found, 12)}. An edge from an event of such "
        "a pattern stands for the pattern as a whole; its own support and tests are those of the "
        "event alone."
    )
    yield Notice((words,))


def _edges_table(order: AssessedOrder) -> Table:
    own = order.support.name
    numbers = {name: each for name, each in event_numbers(order.fit).items() if name != own}
    tests = list(dict.fromkeys(test for edge in order.edges for test in edge.p_values))
    p_values = (f"[{TESTS[test]}|p: {TESTS[test]}]" for test in tests)
    titles = (
        *columns("[parent]", "child", "[frequency]"),
        *map(explained, numbers),
        *columns(f"[{own}]", *p_values, "reason"),
    )
    rows = tuple(
        (
            order.parent_name(edge.parent),
            (order.names[edge.child],),
            share(float(order.fit.counts.frequency[edge.child])),
            *(quantity(name, float(column[edge.child])) for name, column in numbers.items()),
            NOTHING if edge.parent == UNDETERMINED else share(edge.support, edge.interval),
            *(_test(edge, test) for test in tests),
            order.remarks[edge.child],
        )
        for edge in order.edges
    )
    return Table(order.support.say("caption"), titles, rows, name="edges")


def _test(edge: AssessedEdge, test: str) -> Cell:
    if test not in edge.p_values:
        return NOTHING
    return p_value(edge.p_values[test], SIGNIFICANT)


def notes(fit: Fit[Any, Any]) -> tuple[Paragraph, ...]:
    """Return what the method notes about the fit."""
    names = names_of(fit.model.events)
    return tuple(Paragraph(as_sentence(sentence(fact, names))) for fact in fit.evidence.notes())


def _description(order: AssessedOrder) -> str:
    edges = [
        f"{plain(order.parent_name(edge.parent))} to {order.names[edge.child].shown}"
        for edge in order.edges
    ]
    return "A drawing of the progression. Its edges: " + "; ".join(edges) + "."


@section("model", "The model")
def model_section(fit: Fit[Any, Any]) -> Iterator[Block]:
    """Return the parameters of each event."""
    intro = phrase(
        "This model has no edges: it does not say that one [event] occurs before another. The "
        "table shows its parameters for each event."
    )
    yield from (Paragraph(intro), *_effects(fit.model), events_table(fit), *notes(fit))


def _effects(model: object) -> Iterator[Block]:
    """Return the effects of events on each other as a picture and in words, if there are any."""
    if not isinstance(model, EffectsModel):
        return
    reading = phrase(
        "Each [event] changes how fast the others occur. Read the picture by rows: in red cells "
        "the event of the row speeds up that of the column, in blue cells it slows it down; x3 is "
        "three times as fast, /3 three times as slow. The first row has the [base rate|base rates]."
    )
    yield Paragraph(reading)
    names = names_of(model.events)
    number, *strongest = (sentence(fact, names) for fact in effect_facts(model))
    said = "; ".join(plain(each) for each in strongest)
    yield Picture(
        "effects",
        f"A heat map of the effects between all pairs of events. The strongest: {said or 'none'}.",
        ("The effects of events (rows) on the rates of others (columns).",),
        lambda: effects_figure(model),
    )
    first, *_rest = as_sentence(number)
    heading: Sentence = (str(first),) if strongest else as_sentence(number)
    yield Paragraph(heading)
    if strongest:
        yield Bullets(tuple(map(as_sentence, strongest)))
    limits = (
        "Samples of one time point each show which events go together, and only weakly which of "
        "the two acts on the other: compare an effect with the one in the opposite direction."
    )
    yield Paragraph((limits,))


def events_table(fit: Fit[Any, Any]) -> Table:
    """Return all that a fit says of its events, the most frequent first."""
    names, events = names_of(fit.model.events), fit.model.events
    numbers: dict[str, list[Number]] = {
        "frequency": [share(float(value)) for value in fit.counts.frequency]
    }
    for name, values in event_numbers(fit).items():
        numbers[name] = [quantity(name, float(value)) for value in values]
    titles = [*map(explained, numbers)]
    cells: list[Sequence[Cell]] = [[(names(event),) for event in events], *numbers.values()]
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
