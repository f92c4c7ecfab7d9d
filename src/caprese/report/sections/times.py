"""When events come: their places in the order of all, and the trees that were seen in samples."""

from collections.abc import Iterator

from caprese._core.words import number_of
from caprese.assessment.answer import Answer
from caprese.assessment.known import KnownOrders
from caprese.data.seen_orders import SeenOrders
from caprese.patients.timeline import timeline_of
from caprese.plots.heatmaps import order_figure
from caprese.plots.progression.patient_trees import seen_trees, trees_figure
from caprese.plots.timeline import timeline_figure
from caprese.report.content import (
    Block,
    Inside,
    Paragraph,
    Picture,
    Section,
    Sure,
    Table,
    columns,
    long_list,
    section,
)
from caprese.text.facts import names_of
from caprese.text.sentences import Cell, Number, phrase

_MOST_EVENTS = 60  # up to which the matrix of all pairs is drawn
_INNER, _OUTER = 0.5, 0.9  # shares of the orders within the intervals


@section("times", "When each event comes")
def times_section(answer: Answer, known: KnownOrders, seed: int) -> Iterator[Block | Inside]:
    """Return the places that each event may have, and how probably it comes before each other."""
    models = [answer.fits[name].predictive for name in known.parts]
    found = timeline_of(zip(models, known.weights.tolist(), strict=True), seed=seed)
    names = names_of(found.events)
    first = found.sequence[0]
    sure = Sure.PARTLY if known.firm else Sure.NO
    said = "The place of each event in the order of all: {event} comes first on average."
    yield Inside.of(said, sure, event=names(found.events[first]))
    yield Paragraph.of(
        "Orders of all [event|events] were drawn from the models that state what is known, each by "
        "its weight. An event with a short bar comes at about the same place in all of them; one "
        "with a long bar may come early or late. What models leave open comes in any order."
    )
    inner, outer = found.intervals(_INNER), found.intervals(_OUTER)
    yield Picture(
        "timeline",
        "A chart of the places of each event in the order of all events, with intervals.",
        ("Events sorted by their mean place in the drawn orders.",),
        lambda: timeline_figure(found),
    )
    if len(found.events) <= _MOST_EVENTS:
        yield Picture(
            "order",
            "A matrix of how probably the event of each row comes before that of each column.",
            phrase(
                "How probably each event (row) comes before each other (column){seen}.",
                seen="; what was seen in samples is outlined" if known.seen.any() else "",
            ),
            lambda: order_figure(known),
        )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            (names(found.events[event]),),
            Number(f"{found.means[event]:.1f}", float(found.means[event])),
            *((f"{own[event, 0]:.0f} to {own[event, 1]:.0f}",) for own in (inner, outer)),
        )
        for event in found.sequence
    )
    titles = columns("event", "mean place", "half of the orders", "90 % of the orders")
    caption = f"Places from 1 to {len(found.events)}."
    yield Table((caption,), titles, rows, long_list(rows, "event"), name="timeline")


def trees_sections(orders: SeenOrders | None, known: KnownOrders | None) -> Iterator[Section]:
    """Yield the section on the trees that were seen in samples, if there are any."""
    if orders is not None and seen_trees(orders):
        yield _trees_section(orders, known)


@section("trees", "Trees of single samples")
def _trees_section(orders: SeenOrders, known: KnownOrders | None) -> Iterator[Block | Inside]:
    trees = seen_trees(orders)
    samples = number_of(sum(len(tree.samples) for tree in trees), "sample")
    yield Inside.of(
        "{trees} of {samples}, in which the order of events was seen.",
        trees=number_of(len(trees), "distinct tree"),
        samples=samples,
    ).later
    yield Picture(
        "trees",
        f"Small drawings of the trees of {samples}.",
        phrase(
            "An arrow leads from an event to one that was seen to come after it{colours}.",
            colours="" if known is None else "; the colours compare it with what is known",
        ),
        lambda: trees_figure(orders, known),
    )
