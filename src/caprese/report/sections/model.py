"""The model: an order as a picture and a table of edges, or parameters without an order."""

from collections.abc import Iterator, Sequence
from typing import Any

from caprese._core.significance import SIGNIFICANT
from caprese._core.words import listing, number_of, percent, visible
from caprese.assessment.confidence import UNDETERMINED
from caprese.assessment.directions import Direction, Rests
from caprese.assessment.effects import Intervals, effect_facts, effect_intervals
from caprese.methods.fit import Fit, OrderedFit
from caprese.models.base import EffectsModel, Order, PatternedOrder, nodes_of, parent_sets
from caprese.plots.heatmaps import effects_figure
from caprese.plots.progression.drawing import progression_figure
from caprese.report.analysis import QUICK, default_replicates
from caprese.report.content import (
    Block,
    Bullets,
    Inside,
    Notice,
    Paragraph,
    Picture,
    Step,
    Sure,
    Table,
    columns,
    long_list,
    section,
)
from caprese.report.glossary import explained
from caprese.report.order import AssessedEdge, AssessedOrder
from caprese.text.directions import ABOUT, direction_rows, direction_sentence
from caprese.text.facts import names_of, sentence
from caprese.text.fits import event_columns, largest_first
from caprese.text.sentences import (
    NOTHING,
    Cell,
    Sentence,
    as_sentence,
    joined,
    listed,
    p_value,
    phrase,
    plain,
    share,
)

# The tests by the term that explains each; "score" itself explains the score.
TESTS = {
    "temporal_priority": "temporal priority",
    "probability_raising": "probability raising",
    "co_occurrence": "co-occurrence",
    "score": "permutation",
}


@section("tree", "The tree of CAPRESE")
def tree_section(order: AssessedOrder, parts: Sequence[Block]) -> Iterator[Block | Inside]:
    """Return all about the tree of the paper's method, where a report does not lead with it."""
    edges = _uncertain_of(order)
    yield Inside.of("A single tree of all events: {edges}.", order.sure, edges=edges)
    yield Paragraph.of(
        "This tree is shown because it is that of the paper's method, which infers one from any "
        "data; the judgement supports no order here."
        if order.refuted
        else "CAPRESE infers a single tree or forest of all [event|events], whether they have a "
        "known place or not. How far to trust each [edge] is shown by its [support]."
    )
    yield from parts


@section("progression", "The progression")
def progression_section(order: AssessedOrder) -> Iterator[Block | Inside]:
    """Return the picture of the progression, and how to read it."""
    yield Inside.of("A picture: {edges}.", order.sure, edges=_uncertain_of(order))
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
    many = any(len(parents) > 1 for parents in order.parents)
    yield Paragraph(joined([reading, few if fewer else (), several if many else ()]))
    edges = "; ".join(
        f"{plain(order.parent_name(edge.parent))} to {order.names[edge.child].shown}"
        for edge in order.edges
    )
    yield Picture(
        "progression",
        f"A drawing of the progression. Its edges: {edges}.",
        order.support.say("picture"),
        lambda: progression_figure(order.fit, order.confidence),
        _as_list(order),
    )
    yield from notes(order.fit)
    recovery = order.fit.recovery
    if recovery is not None and not recovery.settled:
        yield Notice.of(
            "The inference did not converge in {rounds} rounds; the most likely progression is "
            "shown.",
            rounds=str(recovery.rounds),
        )


@section("edges", "The edges")
def edges_section(order: AssessedOrder) -> Iterator[Block | Inside]:
    """Return all edges in a table, with the evidence for each."""
    yield Inside.of("All edges with the evidence for each: {edges}.", edges=_uncertain_of(order))
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


@section("directions", "What the directions rest on")
def directions_section(
    order: AssessedOrder, found: Sequence[Direction]
) -> Iterator[Block | Inside]:
    """Return for each edge whether its direction was seen, is implied, or is not determined."""
    open_ones = sum(each.rests == Rests.OPEN for each in found)
    sure = Sure.YES if not open_ones else Sure.NO if open_ones == len(found) else Sure.PARTLY
    number = f"{open_ones} of {number_of(len(found), 'edge')}"
    said = "The data do not determine the direction of {number}."
    yield Inside.of(said, sure, number=number).later
    names = names_of(order.events)
    yield Paragraph(direction_sentence(found, names))
    yield Paragraph((ABOUT,))
    caption = (
        "Seen: in how many samples the order was seen, of those in which any order of the two was "
        "seen. Lost: by how much the logarithm of the probability of the data falls if the edge is "
        "turned round. Both ways: the same for a hazard network, which allows either order; below "
        "3 it explains the samples as well the other way round."
    )
    titles = columns("order", "rests on", "seen", "lost", "both ways")
    yield Table((caption,), titles, tuple(direction_rows(found, names)), name="directions")


def pattern_notices(order: AssessedOrder) -> Iterator[Notice]:
    """Return that edges from the events of a pattern stand for the pattern, and its support."""
    model, confidence = order.fit.model, order.confidence
    if not isinstance(model, PatternedOrder) or not model.pattern_edges:
        return
    found = [" → ".join(map(visible, edge)) for edge in model.pattern_edges]
    counted = ""
    if confidence is not None:
        counted = ", with the share of the replicates that have them"
        shares = [percent(confidence.pattern_support(*edge)) for edge in model.pattern_edges]
        found = [f"{edge} ({share})" for edge, share in zip(found, shares, strict=True)]
    yield Notice.of(
        "Parents that are patterns{counted}: {found}. An edge from an event of such a pattern "
        "stands for the pattern as a whole; its own support and tests are those of the event "
        "alone.",
        counted=counted,
        found=listing(found, 12),
    )


def _edges_table(order: AssessedOrder) -> Table:
    own = order.support.name
    numbers = {name: each for name, each in event_columns(order.fit).items() if name != own}
    tests = list(dict.fromkeys(test for edge in order.edges for test in edge.p_values))
    p_values = (f"[{TESTS[test]}|p: {TESTS[test]}]" for test in tests)
    titles = (
        *columns("[parent]", "child"),
        *map(explained, numbers),
        *columns(f"[{own}]", *p_values, "reason"),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            order.parent_name(edge.parent),
            (order.names[edge.child],),
            *(column[edge.child] for column in numbers.values()),
            NOTHING if edge.parent == UNDETERMINED else share(edge.support, edge.interval),
            *(p_value(edge.p_values.get(test), SIGNIFICANT) for test in tests),
            order.remarks[edge.child],
        )
        for edge in order.edges
    )
    folded = long_list(rows, "edge")
    return Table(order.support.say("caption"), titles, rows, folded, name="edges")


def _uncertain_of(order: AssessedOrder) -> str:
    """Return how many edges are uncertain; if no order is supported, that none is known."""
    edges = order.placed_edges
    if order.refuted:
        return f"none of {number_of(len(edges), 'edge')} is known"
    uncertain = sum(edge.uncertain for edge in edges)
    return f"{uncertain or 'none'} of {number_of(len(edges), 'edge')} uncertain"


def _as_list(order: AssessedOrder) -> tuple[Step, ...]:
    """Return the progression as a list: what follows each event, each event once."""
    below: dict[int, list[AssessedEdge]] = {}
    told: set[int] = set()
    for edge in order.edges:
        if edge.child not in told:
            below.setdefault(edge.parent, []).append(edge)
        told.add(edge.child)

    def step(edge: AssessedEdge) -> Step:
        others = [each for each in order.parents[edge.child] if each != edge.parent]
        said = phrase(
            "{event} ({share}{also})",
            event=order.names[edge.child],
            share=percent(edge.support),
            also=phrase(", also after {all}", all=listed([*map(order.parent_name, others)]))
            if others
            else "",
        )
        return Step(said, tuple(map(step, below.get(edge.child, ()))))

    return tuple(step(edge) for parent, own in below.items() if parent < 0 for edge in own)


def notes(fit: Fit[Any, Any]) -> tuple[Paragraph, ...]:
    """Return what the method notes about the fit."""
    names = names_of(fit.model.events)
    return tuple(Paragraph(as_sentence(sentence(fact, names))) for fact in fit.evidence.notes())


@section("model", "The model")
def model_section(fit: Fit[Any, Any]) -> Iterator[Block | Inside]:
    """Return the parameters of each event."""
    yield Inside.of("A model without edges, and its parameters for each event.")
    yield Paragraph.of(
        "This model has no edges: it does not say that one [event] occurs before another. The "
        "table shows its parameters for each event."
    )
    if isinstance(fit.model, EffectsModel):
        yield from _effects(fit.model, effect_intervals(fit))
    yield from (events_table(fit), *notes(fit))


def _effects(model: EffectsModel, intervals: Intervals | None) -> Iterator[Block]:
    """Return the effects of events on each other as a picture and in words."""
    yield Paragraph.of(
        "Each [event] changes how fast the others occur. Read the picture by rows: in red cells "
        "the event of the row speeds up that of the column, in blue cells it slows it down; x3 is "
        "three times as fast, /3 three times as slow. The first row has the [base rate|base rates]."
    )
    names = names_of(model.events)
    number, *strongest = (
        sentence(fact, names) for fact in effect_facts(model, intervals=intervals)
    )
    said = "; ".join(plain(each) for each in strongest)
    yield Picture(
        "effects",
        f"A heat map of the effects between all pairs of events. The strongest: {said or 'none'}.",
        ("The effects of events (rows) on the rates of others (columns).",),
        lambda: effects_figure(model),
    )
    heading = as_sentence(number)
    yield Paragraph(heading[:1] if strongest else heading)
    if strongest:
        yield Bullets(tuple(map(as_sentence, strongest)))
    yield Paragraph.of(
        "Samples of one time point each show which events go together, and only weakly which of "
        "the two acts on the other: compare an effect with the one in the opposite direction."
    )


def events_table(fit: Fit[Any, Any]) -> Table:
    """Return all that a fit says of its events, the most frequent first."""
    names, events = names_of(fit.model.events), fit.model.events
    numbers = event_columns(fit)
    titles = [*map(explained, numbers)]
    cells: list[Sequence[Cell]] = [*numbers.values()]
    if isinstance(fit, OrderedFit):
        titles = [*columns("[parent]"), *titles, "reason"]
        cells = [_parents(fit.model), *cells, [sentence(fact, names) for fact in fit.remarks()]]
    rows = list(zip([(names(event),) for event in events], *cells, strict=True))
    shown = tuple(rows[k] for k in largest_first(fit.counts.frequency, events))
    caption = "All events, the most frequent first."
    return Table((caption,), ("event", *titles), shown, name="events")


def _parents(model: Order) -> list[Sentence]:
    """Return the parents of each event, which may be patterns."""
    nodes, links = nodes_of(model)
    names = [*map(names_of(nodes), nodes)]
    above = parent_sets(links)[: len(model.events)]
    return [listed([names[parent] for parent in each]) or ("root",) for each in above]
