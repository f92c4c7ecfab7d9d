"""What could not be determined, and which edges are uncertain."""

from collections.abc import Iterator

from caprese._core.words import percent
from caprese.data.curation import Why
from caprese.data.inspection import Inspection
from caprese.report.content import Block, Bullets, Paragraph, Section
from caprese.report.order import AssessedEdge, AssessedOrder
from caprese.text.facts import names_of
from caprese.text.sentences import Sentence, listed, phrase
from caprese.text.thresholds import WEAK

_NOT_SHOWN = {
    "temporal_priority": "that the parent is more frequent, and so earlier, than the child",
    "probability_raising": "that the parent raises the probability of the child",
    "co_occurrence": "that the two occur together more often than by chance",
    "score": "that the parent scores higher than by chance",
}


def uncertainty_section(order: AssessedOrder, found: Inspection) -> Section:
    """Return what the data does not determine, and edges with low support or failed tests."""
    parts = (
        ("not-placed", "Events that could not be placed", tuple(_unplaced(order))),
        ("equal", "Equally frequent events", (*_merged(order), *_equal(order, found))),
        ("uncertain-edges", "Uncertain edges", tuple(_uncertain(order))),
    )
    blocks: tuple[Block, ...] = tuple(
        Section(key, title, (Bullets(items),)) for key, title, items in parts if items
    )
    if not blocks:
        said = [("All events were placed",), order.support.say("all above", share=percent(WEAK))]
        if order.tests is not None:
            said.append(("all tests are significant",))
        blocks = (Paragraph((*listed(said), ".")),)
    return Section("uncertainty", "Uncertainty", blocks)


def _unplaced(order: AssessedOrder) -> Iterator[Sentence]:
    for event, name, remark in zip(order.events, order.names, order.remarks, strict=True):
        if event in order.fit.undetermined:
            yield phrase("{event}: {why}.", event=name, why=remark)


def _merged(order: AssessedOrder) -> Iterator[Sentence]:
    for step in order.fit.log:
        if step.what == "merge" and step.why == Why.IDENTICAL:
            yield phrase(
                "{events} occur in exactly the same samples; they are treated as one event.",
                events=listed([*map(names_of(step.events), step.events)]),
            )


def _equal(order: AssessedOrder, found: Inspection) -> Iterator[Sentence]:
    for pair in found.unordered:
        yield phrase(
            "{pair} raise each other's probability and are equally frequent, so frequency does not "
            "tell which of them comes first.",
            pair=listed([*map(names_of(order.events), pair)]),
        )


def _uncertain(order: AssessedOrder) -> Iterator[Sentence]:
    edges = [edge for edge in order.edges if edge.uncertain]
    for edge in sorted(edges, key=lambda edge: edge.support):
        root = phrase("{child} as an independent root", child=order.names[edge.child])
        name = order.edge_name(edge) if edge.between_events else root
        yield phrase("{edge}: {why}.", edge=name, why=listed(_reasons(order, edge)))


def _reasons(order: AssessedOrder, edge: AssessedEdge) -> list[Sentence]:
    reasons: list[Sentence] = []
    if edge.weak:
        reasons.append(order.support.say("only", share=percent(edge.support)))
    if edge.not_significant:
        claims = listed([_NOT_SHOWN[test] for test in edge.not_significant], word="or")
        reasons.append(phrase("the tests do not show {claims}", claims=claims))
    return reasons
