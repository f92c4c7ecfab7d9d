"""The question, a summary of the answer, and what is uncertain."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from caprese._core.significance import CONTRADICTED, SIGNIFICANT, SURE, WEAK
from caprese._core.words import number_of, percent
from caprese.data.curation import Why
from caprese.data.inspection import Inspection
from caprese.methods import describe
from caprese.report.content import (
    Block,
    Bullets,
    Inside,
    Notice,
    Paragraph,
    Section,
    Table,
    columns,
    long_list,
    section,
)
from caprese.report.order import AssessedEdge, AssessedOrder
from caprese.report.sections.model import pattern_notices
from caprese.text.facts import names_of, sentence
from caprese.text.sentences import (
    Cell,
    Piece,
    Sentence,
    as_sentence,
    joined,
    listed,
    phrase,
    share,
)

_NOT_SHOWN = {
    "temporal_priority": "that the parent is more frequent, and so earlier, than the child",
    "probability_raising": "that the parent raises the probability of the child",
    "co_occurrence": "that the two occur together more often than by chance",
    "score": "that the parent scores higher than by chance",
}


@section("question", "The question")
def question_section(events: int, samples: int) -> Iterator[Block | Inside]:
    """Return the question, why such data can answer it, and the limits of the answer."""
    yield Inside.of("Why such samples can tell an order, and the limits of the answer.").later
    order = f"In which order do these {events} events occur"
    yield Paragraph.of(
        "{asked} as the disease progresses? The data is {samples} taken at an unknown stage of the "
        "disease.",
        asked="When does this event occur" if events == 1 else order,
        samples="one sample," if samples == 1 else f"{samples} samples, each",
    )
    yield Paragraph.of(
        "Such samples carry information about the order of events. If one [event] is more frequent "
        "than another, and the rarer one is mostly found in samples that also have the more "
        "frequent one, then the more frequent one probably occurred first. Many such comparisons "
        "together give a [progression], which starts at the [root]."
    )
    yield Paragraph.of(
        "The order is an average over all [sample|samples]. It is not the history of any single "
        "patient, and it does not prove that one event causes another."
    )


@section("summary", "Summary")
def summary_section(order: AssessedOrder) -> Iterator[Block]:
    """Return a few sentences on which events occur first, and how sure the edges are.

    Where a judgement supports no order, nothing of that is said.
    """
    if order.refuted:
        yield Notice.of(
            "No order is supported by these data. {method} is shown as what was tried: its edges "
            "are not known, however often they are found in resampled data.",
            method=f"What {describe(order.fit.method)} infers",
        )
    else:
        parts = [_first_events(order), *_extremes(order), _uncertain(order), _whole(order)]
        yield Paragraph(joined(parts))
    yield from pattern_notices(order)
    found, requested = order.confidence, order.requested
    if found is not None and found.replicates != requested:
        done = f"{found.replicates} of {requested}"
        words = "The analysis was interrupted after {done} [replicate|replicates]."
        yield Notice.of(words, done=done)
    for fact in order.fit.evidence.notes():
        if fact.kind in {"chains do not agree", "chains too short", "other seeds"}:
            yield Notice(as_sentence(sentence(fact)))


def _first_events(order: AssessedOrder) -> Sentence:
    """Return which events occur first, how many follow, and how many could not be placed."""
    unplaced, events = len(order.fit.undetermined), number_of(len(order.events), "event")
    if unplaced == len(order.events):
        return (f"The order of the {events} cannot be determined from this data.",)
    left = (f"{unplaced} of {events} could not be placed.",) if unplaced else ()
    return joined([_order(order), left])


def _order(order: AssessedOrder) -> Sentence:
    undetermined = order.fit.undetermined
    placed = [each for each in order.sequence if order.events[each] not in undetermined]
    first = [event for event in placed if not order.parents[event]]
    later, names = len(placed) - len(first), order.names
    follow = "one event follows" if later == 1 else f"{later} events follow"
    if not first:
        return (f"No event is known to occur first: {follow} events that could not be placed.",)
    if len(placed) == 1:
        only = "Only {event} could be placed."
        return phrase(
            only if undetermined else "There is only one event: {event}.", event=names[first[0]]
        )
    if later == 0:
        every = listed([names[event] for event in first])
        return phrase("No edges were found: {all} occur independently.", all=every)
    reached = order.fit.model.ancestors()[:, placed].sum(axis=1)
    leading = [event for event in first if reached[event]]
    if [int(reached[event]) for event in first] == [later]:
        return phrase(
            "{first} occurs first; all other placed events follow it.", first=names[first[0]]
        )
    groups = (
        (leading, f"{{all}} occurs first; {follow}.", f"{{all}} start independently; {follow}."),
        ([e for e in first if e not in leading], "{all} stands alone.", "{all} stand alone."),
    )
    return joined(
        [
            phrase(one if len(own) == 1 else several, all=listed([names[event] for event in own]))
            for own, one, several in groups
            if own
        ]
    )


def _extremes(order: AssessedOrder) -> list[Sentence]:
    """Return a sentence on the best supported edge, and one on the least supported edge.

    The first is the best one between two events; the second may be from the root.
    """
    edges = sorted(order.placed_edges, key=lambda edge: -edge.support)
    between = [edge for edge in edges if edge.between_events]
    if not between:
        return []
    support = order.support
    highest = support.say(
        "highest",
        best="only" if len(between) == 1 else support.say("best"),
        edge=order.edge_name(between[0]),
        share=percent(between[0].support),
        replicates=str(support.number),
        but=", but not all tests are significant" if between[0].not_significant else "",
    )
    return [highest] if len(edges) == 1 else [highest, _lowest(order, edges[-1])]


def _lowest(order: AssessedOrder, edge: AssessedEdge) -> Sentence:
    verdict: Piece | Sentence = "it is likely, but not certain"
    if edge.sure:
        verdict = "even this edge is well supported"
    elif edge.support < CONTRADICTED:
        verdict = order.support.say("contradicted")
    elif edge.weak:
        verdict = "it is uncertain"
    share = percent(edge.support)
    return order.support.say("lowest", edge=order.edge_name(edge), share=share, verdict=verdict)


def _uncertain(order: AssessedOrder) -> Sentence:
    """Return how many edges are listed as uncertain, if any, and why."""
    edges = order.placed_edges
    uncertain = [edge for edge in edges if edge.uncertain]
    if not uncertain:
        return ()
    some, weak = len(uncertain), sum(edge.weak for edge in uncertain)
    why = []
    if weak:
        why.append(order.support.say("low", number=str(weak), share=percent(WEAK)))
    if some > weak:
        others = "of {number} a [p-value] is {least} or more"
        why.append(phrase(others, number=str(some - weak), least=f"{SIGNIFICANT:g}"))
    start = "Counting those from the root, {some} of {all} {are} uncertain: {why}."
    return phrase(
        start if order.fit.edges else "But this is uncertain for {some} of {all}: {why}.",
        some=str(some),
        all=number_of(len(edges), "edge" if order.fit.edges else "event"),
        are="is" if some == 1 else "are",
        why=listed(why, separator=", "),
    )


def _whole(order: AssessedOrder) -> Sentence:
    if not order.fit.edges:
        return ()
    sure = all(edge.sure for edge in order.edges)
    if order.confidence is None:
        whole = "So the [progression] can be interpreted as a whole."
        return phrase(whole if sure else "Interpret the [progression] edge by edge.")
    share = order.confidence.exact / order.confidence.replicates
    sound = share >= SURE and sure
    return phrase(
        "The whole [progression] was found in {share} of the replicates: {advice}.",
        share=percent(share),
        advice="it can be interpreted as a whole" if sound else "interpret it edge by edge",
    )


@section("uncertainty", "Uncertainty")
def uncertainty_section(order: AssessedOrder, found: Inspection) -> Iterator[Block | Inside]:
    """Return what the data does not determine, and edges with low support or failed tests."""
    uncertain = [edge for edge in order.edges if edge.uncertain]
    yield Inside.of(
        "{edges}; {events} without a place.",
        edges=number_of(len(uncertain), "uncertain edge"),
        events=number_of(len(order.fit.undetermined), "event"),
    )
    parts = (
        ("not-placed", "Events that could not be placed", tuple(_unplaced(order))),
        ("equal", "Equally frequent events", (*_merged(order), *_equal(order, found))),
    )
    for key, title, items in parts:
        if items:
            yield Section(key, title, (Bullets(items),))
    if uncertain:
        table = _uncertain_edges(order, uncertain)
        yield Section("uncertain-edges", "Uncertain edges", (table,))
    elif not any(items for _, _, items in parts):
        said = [("All events were placed",), order.support.say("all above", share=percent(WEAK))]
        if order.tests is not None:
            said.append(("all tests are significant",))
        yield Paragraph((*listed(said), "."))


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


def _uncertain_edges(order: AssessedOrder, edges: Sequence[AssessedEdge]) -> Table:
    """Return the uncertain edges, the least supported first, with what speaks against each."""
    name = order.support.name
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            order.parent_name(edge.parent),
            (order.names[edge.child],),
            replace(share(edge.support, edge.interval), doubtful=edge.weak),
            *(
                (listed([_NOT_SHOWN[test] for test in edge.not_significant], separator="; "),)
                if order.tests is not None
                else ()
            ),
        )
        for edge in sorted(edges, key=lambda edge: edge.support)
    )
    caption = phrase(
        "The least supported first. A dagger (†) marks a {name} below {least}.",
        name=name,
        least=percent(WEAK),
    )
    titles = columns("[parent]", "child", f"[{name}]")
    if order.tests is not None:
        titles += ("the tests do not show",)
    return Table(caption, titles, rows, long_list(rows, "edge"), name="uncertain-edges")
