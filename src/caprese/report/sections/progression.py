"""The progression as a picture, and its edges as a table."""

from caprese._core.significance import SIGNIFICANT
from caprese._core.words import listing, percent, visible
from caprese.assessment.confidence import UNDETERMINED
from caprese.models.base import PatternedOrder
from caprese.report.analysis import QUICK, OrderedAnalysis, default_replicates
from caprese.report.content import Block, Column, Notice, Paragraph, Picture, Section, Table
from caprese.report.edges import AssessedEdge, assessed_edges
from caprese.report.glossary import GLOSSARY
from caprese.text.fits import event_numbers
from caprese.text.sentences import (
    NOTHING,
    Cell,
    Sentence,
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


def progression(analysis: OrderedAnalysis) -> Section:
    """Return the picture of the progression, and how to read it."""
    reading = phrase(
        "Read the picture from the [root]: each [edge] leads from a [parent] to an [event] that "
        "follows it. {numbers}",
        numbers=analysis.support.say("reading", replicates=str(analysis.support.number)),
    )
    few: Sentence = (
        "There are fewer replicates than usual because the method is fitted to each of them; the "
        "intervals below take that into account.",
    )
    several: Sentence = (
        "Of an event with several parents, the probability depends on which of them are there."
        if isinstance(analysis.fit.model, PatternedOrder)
        else "An event with several parents occurs only after all of them.",
    )
    usual = default_replicates(analysis.fit.method)
    slow = analysis.confidence is not None and analysis.requested <= usual < QUICK
    many = bool((analysis.adjacency.sum(axis=0) > 1).any())
    blocks: list[Block] = [
        Paragraph(joined([reading, few if slow else (), several if many else ()])),
        Picture("progression", _description(analysis), analysis.support.say("picture")),
        *(Paragraph(as_sentence(note)) for note in analysis.notes),
    ]
    recovery = analysis.fit.recovery
    if recovery is not None and not recovery.settled:
        words = (
            f"The inference did not converge in {recovery.rounds} rounds; the most likely "
            "progression is shown."
        )
        blocks.append(Notice((words,)))
    return Section("progression", "The progression", tuple(blocks))


def edges(analysis: OrderedAnalysis) -> Section:
    """Return all edges in a table, with the evidence for each."""
    intro = [phrase("The table lists every [edge] of the picture."), analysis.support.say("edges")]
    if any(edge.p_values for edge in assessed_edges(analysis)):
        tests = (
            "The [p-value|p-values] show whether it could be due to chance. A dagger (†) marks "
            "p-values of {significant} or more, which are not significant."
        )
        intro.append(phrase(tests, significant=f"{SIGNIFICANT:g}"))
    blocks: list[Block] = [Paragraph(joined(intro)), *pattern_notices(analysis), _table(analysis)]
    return Section("edges", "The edges", tuple(blocks))


def pattern_notices(analysis: OrderedAnalysis) -> tuple[Notice, ...]:
    """Return that edges from the events of a pattern stand for the pattern, and its support."""
    model, confidence = analysis.fit.model, analysis.confidence
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


def _table(analysis: OrderedAnalysis) -> Table:
    edges = assessed_edges(analysis)
    own = analysis.support.name
    numbers = {name: each for name, each in event_numbers(analysis.fit).items() if name != own}
    tests = list(dict.fromkeys(test for edge in edges for test in edge.p_values))
    columns = (
        Column("parent", "parent"),
        Column("child"),
        Column("frequency", "frequency"),
        *(Column(name, name if name in GLOSSARY else "") for name in numbers),
        Column(own, own),
        *(Column(f"p: {TESTS[test]}", TESTS[test]) for test in tests),
        Column("reason"),
    )
    rows = tuple(
        (
            analysis.parent_name(edge.parent),
            (analysis.name(edge.child),),
            share(float(analysis.fit.counts.frequency[edge.child])),
            *(quantity(name, float(column[edge.child])) for name, column in numbers.items()),
            NOTHING if edge.parent == UNDETERMINED else share(edge.support, edge.interval),
            *(_test(edge, test) for test in tests),
            analysis.remarks[edge.child],
        )
        for edge in edges
    )
    return Table(analysis.support.say("caption"), columns, rows, name="edges")


def _test(edge: AssessedEdge, test: str) -> Cell:
    if test not in edge.p_values:
        return NOTHING
    return p_value(edge.p_values[test], SIGNIFICANT)


def as_sentence(words: Sentence) -> Sentence:
    """Return words with a capital letter and a full stop."""
    first, *rest = words
    start = f"{first[:1].upper()}{first[1:]}" if isinstance(first, str) else first
    return (start, *rest, ".")


def _description(analysis: OrderedAnalysis) -> str:
    edges = [
        f"{plain(analysis.parent_name(edge.parent))} to {analysis.name(edge.child).shown}"
        for edge in assessed_edges(analysis)
    ]
    return "A drawing of the progression. Its edges: " + "; ".join(edges) + "."
