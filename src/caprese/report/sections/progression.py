"""The progression as a picture, and its edges as a table."""

from typing import Any

from caprese._core.significance import SIGNIFICANT
from caprese._core.words import listing, percent, visible
from caprese.assessment.confidence import UNDETERMINED
from caprese.methods.fit import Fit
from caprese.models.base import PatternedOrder
from caprese.plots.progression.drawing import progression_figure
from caprese.report.analysis import QUICK, default_replicates
from caprese.report.content import Block, Notice, Paragraph, Section, Table, columns
from caprese.report.glossary import explained
from caprese.report.order import AssessedEdge, AssessedOrder
from caprese.report.pictures import picture
from caprese.text.facts import names_of, sentence
from caprese.text.fits import event_numbers
from caprese.text.sentences import (
    NOTHING,
    Cell,
    Sentence,
    as_sentence,
    joined,
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


def progression_section(order: AssessedOrder) -> Section:
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
    blocks: list[Block] = [
        Paragraph(joined([reading, few if fewer else (), several if many else ()])),
        picture(
            "progression",
            _description(order),
            order.support.say("picture"),
            lambda: progression_figure(order.fit, order.confidence),
        ),
        *notes(order.fit),
    ]
    recovery = order.fit.recovery
    if recovery is not None and not recovery.settled:
        words = (
            f"The inference did not converge in {recovery.rounds} rounds; the most likely "
            "progression is shown."
        )
        blocks.append(Notice((words,)))
    return Section("progression", "The progression", tuple(blocks))


def edges_section(order: AssessedOrder) -> Section:
    """Return all edges in a table, with the evidence for each."""
    intro = [phrase("The table lists every [edge] of the picture."), order.support.say("edges")]
    if any(edge.p_values for edge in order.edges):
        tests = (
            "The [p-value|p-values] show whether it could be due to chance. A dagger (†) marks "
            "p-values of {significant} or more, which are not significant."
        )
        intro.append(phrase(tests, significant=f"{SIGNIFICANT:g}"))
    blocks: list[Block] = [Paragraph(joined(intro)), *pattern_notices(order), _table(order)]
    return Section("edges", "The edges", tuple(blocks))


def pattern_notices(order: AssessedOrder) -> tuple[Notice, ...]:
    """Return that edges from the events of a pattern stand for the pattern, and its support."""
    model, confidence = order.fit.model, order.confidence
    if not isinstance(model, PatternedOrder) or not model.pattern_edges:
        return ()
    shares = [
        "" if confidence is None else f" ({percent(confidence.pattern_support(*edge))})"
        for edge in model.pattern_edges
    ]
    found = [
        f"{visible(pattern)} → {visible(child)}{share}"
        for (pattern, child), share in zip(model.pattern_edges, shares, strict=True)
    ]
    counted = "" if confidence is None else ", with the share of the replicates that have them"
    return (
        Notice(
            (
                f"Parents that are patterns{counted}: {listing(found, 12)}. An edge from an event "
                "of such a pattern stands for the pattern as a whole; its own support and tests "
                "are those of the event alone.",
            )
        ),
    )


def _table(order: AssessedOrder) -> Table:
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
