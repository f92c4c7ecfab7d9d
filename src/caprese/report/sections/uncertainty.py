"""What could not be determined, and which steps are doubtful."""

from collections.abc import Iterator

from caprese._core.words import percent
from caprese.assessment.confidence import UNDETERMINED
from caprese.methods.base import Reason
from caprese.report.analysis import OrderedAnalysis
from caprese.report.content import Block, Bullets, Heading, Paragraph, Section
from caprese.report.edges import JudgedEdge, judged_edges
from caprese.text.sentences import Sentence, listed, shown_names, told

_WHY = {
    Reason.NEVER: "no sample carries it",
    Reason.ALWAYS: "every sample carries it, so that nothing tells what it follows or precedes",
    Reason.NOISE: "it is seen, or missed, no more often than errors alone would show it",
}
_OPEN = {
    "temporal_priority": "which of the two is the more frequent one, and so comes first",
    "probability_raising": "whether the parent makes the child more frequent",
    "co_occurrence": "whether they meet more often than by chance",
    "score": "whether chance would give another parent as high a score",
}


def uncertainty(analysis: OrderedAnalysis) -> Section:
    """Return what the data left open, and edges with low support or failed tests."""
    parts = {
        "Events that could not be placed": tuple(_unplaced(analysis)),
        "Events whose order nothing tells": (*_merged(analysis), *_equal(analysis)),
        "Doubtful steps": tuple(_doubtful(analysis)),
    }
    blocks: list[Block] = []
    for title, items in parts.items():
        if items:
            blocks += [Heading(title), Bullets(items)]
    if not blocks:
        said = "All events were placed, every step came back in at least 70 % of the replicates"
        tested = ", and no test speaks for chance." if analysis.tests is not None else "."
        blocks = [Paragraph((said + tested,))]
    return Section("doubts", "What is not certain", tuple(blocks))


def _unplaced(analysis: OrderedAnalysis) -> Iterator[Sentence]:
    remarks = dict(zip(analysis.data.events, analysis.remarks, strict=True))
    for event, reason in analysis.fit.undetermined.items():
        why: Sentence = (_WHY[reason],) if reason in _WHY else remarks[event]
        yield told("{event}: {why}.", event=analysis.names[event], why=why)


def _merged(analysis: OrderedAnalysis) -> Iterator[Sentence]:
    for step in analysis.fit.log:
        if step.what == "merge" and step.why == "identical":
            members = shown_names(step.events)
            yield told(
                "{events} are in just the same samples; here they are one event.",
                events=listed([members[event] for event in step.events]),
            )


def _equal(analysis: OrderedAnalysis) -> Iterator[Sentence]:
    for first, second in analysis.inspection.unordered:
        yield told(
            "{first} and {second} occur together and are equally frequent: nothing tells which "
            "of them came first.",
            first=analysis.names[first],
            second=analysis.names[second],
        )


def _doubtful(analysis: OrderedAnalysis) -> Iterator[Sentence]:
    suspects = [edge for edge in judged_edges(analysis) if _suspect(edge)]
    for edge in sorted(suspects, key=lambda edge: edge.support):
        yield _doubt(analysis, edge)


def _suspect(edge: JudgedEdge) -> bool:
    return edge.parent != UNDETERMINED and (edge.weak or bool(edge.failed))


def _doubt(analysis: OrderedAnalysis, edge: JudgedEdge) -> Sentence:
    child = analysis.name(edge.child)
    named = (
        told("{parent} to {child}", parent=analysis.name(edge.parent), child=child)
        if edge.between_events
        else told("{child} as a start of its own", child=child)
    )
    reasons: list[Sentence] = []
    if edge.weak:
        reasons.append((f"it came back in {percent(edge.support)} of the replicates only",))
    if edge.failed:
        unsettled = listed([_OPEN[test] for test in edge.failed])
        reasons.append(told("the tests leave open {unsettled}", unsettled=unsettled))
    return told("{edge}: {why}.", edge=named, why=listed(reasons, word="and"))
