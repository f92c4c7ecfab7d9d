"""The progression as a picture and, edge by edge, as a table."""

from caprese.assessment.confidence import UNDETERMINED
from caprese.models.forest import ROOT
from caprese.report.analysis import QUICK, OrderedAnalysis, usual_replicates
from caprese.report.content import Block, Column, Notice, Paragraph, Picture, Section, Table
from caprese.report.edges import SIGNIFICANT, JudgedEdge, judged_edges
from caprese.report.glossary import GLOSSARY
from caprese.text.sentences import (
    NOTHING,
    Cell,
    Sentence,
    decimal,
    joined,
    p_value,
    plain,
    share,
    told,
)

# Tests by what they ask; each is a term of its own.
TESTS = {
    "temporal_priority": "earlier",
    "probability_raising": "raised",
    "co_occurrence": "together",
    "score": "best",
}


def progression(analysis: OrderedAnalysis) -> Section:
    """Return the picture of the answer and how to read it."""
    reading = told(
        "Read it from the [root] on: an [event] stands behind the one it waits for, its [parent]. "
        "The width of a line, and the number on it, is the [support]: in how many of {n} "
        "[replicate|replicates] of the data this step came back.",
        n=str(analysis.confidence.replicates),
    )
    few = told(
        "They are fewer than usual, as this method takes its time; the intervals below allow for "
        "that."
    )
    several = told("An event with several parents waits for all of them.")
    slow = analysis.wanted <= usual_replicates(analysis.fit.method) < QUICK
    many = bool((analysis.fit.model.adjacency().sum(axis=0) > 1).any())
    blocks: list[Block] = [
        Paragraph(joined([reading, few if slow else (), several if many else ()])),
        Picture("progression", _description(analysis), told("The [progression] with its support.")),
        *(
            Paragraph(as_sentence(analysis.in_words(note)))
            for note in analysis.fit.evidence.notes()
        ),
    ]
    recovery = analysis.fit.recovery
    if recovery is not None and not recovery.settled:
        words = f"The answer did not settle in {recovery.rounds} rounds; the likeliest is shown."
        blocks.append(Notice((words,)))
    return Section("progression", "The progression", tuple(blocks))


def edges(analysis: OrderedAnalysis) -> Section:
    """Return all edges in a table, with what speaks for each."""
    intro = told(
        "Every [edge] of the picture. [support|Support] tells whether other samples would have "
        "led to the same step; the [p-value|p-values] tell whether chance alone could have made "
        "it. A dagger (†) marks p-values of {bound} or more, which do not rule out chance.",
        bound=f"{SIGNIFICANT:g}",
    )
    return Section("edges", "The edges", (Paragraph(intro), _table(analysis)))


def parent_name(analysis: OrderedAnalysis, parent: int) -> Sentence:
    """Return the name of a parent, the root and nobody among them."""
    if parent == UNDETERMINED:
        return ("not determined",)
    return ("root",) if parent == ROOT else (analysis.name(parent),)


def _table(analysis: OrderedAnalysis) -> Table:
    judged = judged_edges(analysis)
    numbers = {
        **analysis.fit.model.parameters(),
        **analysis.fit.evidence.columns(analysis.fit.model),
    }
    tests = list(dict.fromkeys(test for edge in judged for test in edge.p_values))
    columns = (
        Column("parent", "parent"),
        Column("child"),
        Column("frequency", "frequency"),
        *(Column(name, name if name in GLOSSARY else "") for name in numbers),
        Column("support", "support"),
        *(Column(f"p: {TESTS[test]}", TESTS[test]) for test in tests),
        Column("why it stands there"),
    )
    rows = tuple(
        (
            parent_name(analysis, edge.parent),
            (analysis.name(edge.child),),
            share(float(analysis.fit.counts.frequency[edge.child])),
            *(decimal(float(column[edge.child])) for column in numbers.values()),
            NOTHING if edge.parent == UNDETERMINED else share(edge.support, (edge.low, edge.high)),
            *(_test(edge, test) for test in tests),
            analysis.remarks[edge.child],
        )
        for edge in judged
    )
    caption = told(
        "Frequency and the columns after it are of the child; beside the support its [interval]."
    )
    return Table(caption, columns, rows)


def _test(edge: JudgedEdge, test: str) -> Cell:
    if test not in edge.p_values:
        return NOTHING
    return p_value(edge.p_values[test], SIGNIFICANT)


def as_sentence(words: Sentence) -> Sentence:
    """Return words with a capital letter and a full stop."""
    first, *rest = words
    start = f"{first[:1].upper()}{first[1:]}" if isinstance(first, str) else first
    return (start, *rest, ".")


def _description(analysis: OrderedAnalysis) -> str:
    steps = [
        f"{plain(parent_name(analysis, edge.parent))} to {analysis.name(edge.child).shown}"
        for edge in judged_edges(analysis)
    ]
    return "A drawing of the progression. Its edges: " + "; ".join(steps) + "."
