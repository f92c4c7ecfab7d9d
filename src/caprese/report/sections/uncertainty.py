"""What could not be determined, and which edges are uncertain."""

from collections.abc import Iterator

from caprese._core.words import percent
from caprese.data.curation import Why
from caprese.report.analysis import OrderedAnalysis
from caprese.report.content import Block, Bullets, Heading, Paragraph, Section
from caprese.report.edges import AssessedEdge, assessed_edges
from caprese.text.sentences import Sentence, listed, phrase, shown_names
from caprese.text.thresholds import WEAK

_NOT_SHOWN = {
    "temporal_priority": "that the parent is more frequent, and so earlier, than the child",
    "probability_raising": "that the parent raises the probability of the child",
    "co_occurrence": "that the two occur together more often than by chance",
    "score": "that the parent scores higher than by chance",
}


def uncertainty(analysis: OrderedAnalysis) -> Section:
    """Return what the data does not determine, and edges with low support or failed tests."""
    parts = {
        "Events that could not be placed": tuple(_unplaced(analysis)),
        "Equally frequent events": (*_merged(analysis), *_equal(analysis)),
        "Uncertain edges": tuple(_uncertain(analysis)),
    }
    blocks: list[Block] = []
    for title, items in parts.items():
        if items:
            blocks += [Heading(title), Bullets(items)]
    if not blocks:
        found = [analysis.support.say("all above", share=percent(WEAK))]
        if analysis.tests is not None:
            found.append(("all tests are significant",))
        clauses = listed([("All events were placed",), *found])
        blocks = [Paragraph((*clauses, "."))]
    return Section("uncertainty", "Uncertainty", tuple(blocks))


def _unplaced(analysis: OrderedAnalysis) -> Iterator[Sentence]:
    for event, remark in zip(analysis.data.events, analysis.remarks, strict=True):
        if event in analysis.fit.undetermined:
            yield phrase("{event}: {why}.", event=analysis.names[event], why=remark)


def _merged(analysis: OrderedAnalysis) -> Iterator[Sentence]:
    for step in analysis.fit.log:
        if step.what == "merge" and step.why == Why.IDENTICAL:
            members = shown_names(step.events)
            yield phrase(
                "{events} occur in exactly the same samples; they are treated as one event.",
                events=listed([members[event] for event in step.events]),
            )


def _equal(analysis: OrderedAnalysis) -> Iterator[Sentence]:
    for first, second in analysis.inspection.unordered:
        yield phrase(
            "{first} and {second} raise each other's probability and are equally frequent, so "
            "frequency does not tell which of them comes first.",
            first=analysis.names[first],
            second=analysis.names[second],
        )


def _uncertain(analysis: OrderedAnalysis) -> Iterator[Sentence]:
    edges = [edge for edge in assessed_edges(analysis) if edge.uncertain]
    for edge in sorted(edges, key=lambda edge: edge.support):
        yield phrase(
            "{edge}: {why}.", edge=_name(analysis, edge), why=listed(_reasons(analysis, edge))
        )


def _name(analysis: OrderedAnalysis, edge: AssessedEdge) -> Sentence:
    child = analysis.name(edge.child)
    if not edge.between_events:
        return phrase("{child} as an independent root", child=child)
    return phrase("{parent} to {child}", parent=analysis.name(edge.parent), child=child)


def _reasons(analysis: OrderedAnalysis, edge: AssessedEdge) -> list[Sentence]:
    reasons: list[Sentence] = []
    if edge.weak:
        reasons.append(analysis.support.say("only", share=percent(edge.support)))
    if edge.not_significant:
        claims = listed([_NOT_SHOWN[test] for test in edge.not_significant], word="or")
        reasons.append(phrase("the tests do not show {claims}", claims=claims))
    return reasons
