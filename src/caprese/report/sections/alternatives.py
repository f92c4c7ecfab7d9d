"""Alternatives: other parents that the data allows, other methods, and which predicts best."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from caprese._core.significance import NOTABLE
from caprese._core.words import number_of, percent
from caprese.assessment.comparison import Compared
from caprese.assessment.confidence import UNDETERMINED, Parents
from caprese.assessment.judgement import Judgement
from caprese.assessment.order_judgement import OrderJudgement
from caprese.assessment.plan import Plan
from caprese.assessment.series_judgement import SeriesJudgement
from caprese.methods import describe
from caprese.methods.evidence import PairEvidence, PairScores
from caprese.methods.fit import Fit, OrderedFit
from caprese.models.base import parent_sets
from caprese.models.forest import ROOT
from caprese.plots.canvas.figures import Figure
from caprese.plots.curves import judgement_figure
from caprese.plots.heatmaps import scores_figure, support_figure
from caprese.report.content import (
    Block,
    Bullets,
    Inside,
    Paragraph,
    Picture,
    Sure,
    Table,
    columns,
    long_list,
    section,
)
from caprese.report.glossary import explained
from caprese.report.order import AssessedOrder
from caprese.text import series
from caprese.text.comparison import choice_lines, design, interval, plan_about, plan_rows
from caprese.text.seen_orders import ABOUT, TITLES, order_rows, order_sentence, scored
from caprese.text.sentences import NOTHING, Cell, Number, decimal, joined, listed, phrase

_MOST_EVENTS = 20  # up to which a picture of all pairs is legible


@section("other-parents", "Other parents")
def other_parents(order: AssessedOrder) -> Iterator[Block | Inside]:
    """Return other parents of each event that the data allows."""
    support, evidence = order.support, order.fit.evidence
    scores = evidence.pair_scores() if isinstance(evidence, PairEvidence) else None
    if scores is not None and scores.name == support.name:
        scores = None  # as it is shown already
    rows = tuple(row for event in order.sequence if (row := _row(order, scores, event)))
    events = number_of(len(rows), "event")
    yield Inside.of("Other parents that the data allows, of {events}.", events=events).later
    if not rows:
        yield Paragraph(support.say("no other parent", share=percent(NOTABLE)))
        return
    found = support.say("other parents", share=percent(NOTABLE))
    also = (f"Also shown is the parent with the second best {scores.name}.",) if scores else ()
    yield Paragraph(joined([found, also]))
    titles = columns("event", "[parent]", support.words["other parents column"])
    if scores is not None:
        titles += ("second best parent", explained(scores.name, f"its {scores.name}"))
    folded = long_list(rows)
    yield Table(support.say("percentages"), titles, rows, folded, name="other-parents")
    if len(order.events) <= _MOST_EVENTS:
        yield Picture(
            "support",
            f"A matrix of the {support.name} of every possible edge.",
            support.say("all pairs"),
            lambda: _figure(order),
        )


def _figure(order: AssessedOrder) -> Figure:
    if order.confidence is not None:
        return support_figure(order.fit.model, order.confidence)
    n, matrix = len(order.events), order.support.matrix
    pairs = ~np.eye(n, dtype=bool)
    scores = PairScores(order.support.name, matrix[:n], pairs, matrix[n])
    return scores_figure(order.fit.model, scores)


def _row(order: AssessedOrder, scores: PairScores | None, event: int) -> tuple[Cell, ...] | None:
    """Return a row for an event that often, or probably, has another parent."""
    support = order.support.matrix[:, event]
    own = set(order.parents_or_root(event))
    others = [
        (float(support[row]), parent)
        for row, parent in enumerate([*range(len(order.events)), ROOT, UNDETERMINED])
        if support[row] >= NOTABLE and parent not in own
    ]
    if not others:
        return None
    ranked = [
        phrase("{parent} {share}", parent=order.parent_name(parent), share=percent(share))
        for share, parent in sorted(others, key=lambda other: (-other[0], other[1]))
    ]
    parents = listed([order.parent_name(parent) for parent in sorted(own)])
    second = () if scores is None else _second(order, scores, event)
    return ((order.names[event],), parents, listed(ranked, "or"), *second)


def _second(order: AssessedOrder, scores: PairScores, event: int) -> tuple[Cell, ...]:
    """Return the best admissible parent that is not a parent of the event, and its score."""
    admissible = np.flatnonzero(scores.admissible[:, event]).tolist()
    candidates = [row for row in admissible if row not in order.parents[event]]
    if not candidates:
        return ("none",), NOTHING
    best = max(candidates, key=lambda row: (scores.matrix[row, event], order.events[row]))
    return (order.names[best],), decimal(float(scores.matrix[best, event]))


@section("methods", "What each method infers")
def other_methods(
    compared: Sequence[Compared], own: Fit[Any, Any], order: AssessedOrder | None
) -> Iterator[Block | Inside]:
    """Return how well each method explains the data, and how its edges differ."""
    inferred = number_of(len(compared), "method")
    said = "{methods}: how well each fits the data, and its edges."
    yield Inside.of(said, methods=inferred).later
    if len(compared) < 2:
        yield Paragraph.of("No other method gave a result to compare.")
        return
    yield Paragraph.of(
        "The [log-likelihood] measures how well each model explains the data it was fitted to, "
        "with its best parameters and error rates; how well it predicts other samples is shown "
        "under Held-out prediction.{mixtures}",
        mixtures=" That of a method with subtypes is of all its forests together."
        if any(one.mixes for one in compared)
        else "",
    )
    titles = columns("method", "[log-likelihood]")
    if order is not None:
        titles += (f"differences from {describe(own.method)}",)
    rows = tuple(_compared_row(one, order) for one in compared)
    caption = f"{number_of(len(rows), 'method')}, each fitted to all samples."
    yield Table((caption,), titles, rows, name="methods")


def _compared_row(one: Compared, order: AssessedOrder | None) -> tuple[Cell, ...]:
    name = describe(one.fit.method)
    likely = one.log_likelihood
    row: tuple[Cell, ...] = (
        (name,),
        NOTHING if likely is None else Number(f"{likely:.1f}", likely),
    )
    if order is None:
        return row
    if not isinstance(one.fit, OrderedFit):
        return (*row, ("a model without edges",))
    return (*row, order.differences(_parents(one.fit), _parents(order.fit)))


def _parents(fit: OrderedFit[Any, Any]) -> Parents:
    """Return the parents of each event; an event that could not be placed is no root."""
    found = zip(fit.model.events, parent_sets(fit.model.adjacency()), strict=True)
    return tuple(
        own if own or event not in fit.undetermined else (UNDETERMINED,) for event, own in found
    )


@section("judgement", "Held-out prediction")
def judgement_section(found: Judgement | None) -> Iterator[Block | Inside]:
    """Return how well the methods predict held-out samples."""
    if found is None:
        yield Inside.of("Too few samples to tell which method predicts best.", Sure.NO)
        yield Paragraph.of(
            "A likelihood on the data that a model was fitted to does not tell whether to believe "
            "it. There are too few samples to see how well each method predicts [held-out] ones."
        )
        return
    yield Inside.of(
        "{best} predicts best of {methods}."
        if found.supports_order
        else "None of {methods} predicts clearly better than independent events.",
        Sure.YES if found.supports_order else Sure.NO,
        best=found.methods[found.best],
        methods=number_of(len(found.methods) - 1, "method"),
    )
    yield Paragraph.of(
        "Each method was fitted to a part of the samples and predicted the [held-out] others "
        "({design}).",
        design=design(found),
    )
    if found.choice is not None:
        yield Bullets(tuple((f"{line}.",) for line in choice_lines(found.choice)))
    yield Picture(
        "judgement",
        "A chart of the gain of each method over independent events, with intervals.",
        phrase("The gain of each method over independent events; filled if it is beyond chance."),
        lambda: judgement_figure(found),
    )
    caption = phrase(
        "Mean log-probability of a held-out sample; how much better it is predicted than by "
        "independent events, in [nats] with an interval; and how well single entries that were "
        "hidden are told apart.",
    )
    titles = columns(
        *("method", "[log-probability]"),
        *("[nats|how much better it predicts]", "[AUC|hidden entries]"),
    )
    ranked = np.argsort(-found.scores, kind="stable").tolist()
    yield Table(caption, titles, tuple(_judged_row(found, k) for k in ranked), name="held-out")
    if found.plan is not None:
        yield from _planned(found.plan)
    if found.orders is not None:
        yield from _judged_orders(found.orders)
    if found.series is not None:
        yield from _judged_series(found.series)


def _planned(plan: Plan) -> Iterator[Block]:
    if rows := tuple(tuple((cell,) for cell in row) for row in plan_rows(plan)):
        titles = columns("question", "samples", "interval of 90 %")
        yield Table((f"{plan_about(plan)}.",), titles, rows, name="plan", plain=True)


def _judged_orders(found: OrderJudgement) -> Iterator[Block]:
    yield Paragraph(order_sentence(found))
    yield Table(
        (f"Which of two events came first, as it was seen in {scored(found)}. {ABOUT}",),
        columns(*TITLES),
        tuple(order_rows(found)),
        name="orders",
    )


def _judged_series(found: SeriesJudgement) -> Iterator[Block]:
    yield Paragraph(series.series_sentence(found))
    rows = (
        tuple((text,) if text else NOTHING for text in row) for row in series.series_rows(found)
    )
    about = f"What comes next in a patient, in {series.predicted(found)}. {series.ABOUT}"
    yield Table((about,), columns(*series.TITLES), tuple(rows), name="series")


def _judged_row(found: Judgement, place: int) -> tuple[Cell, ...]:
    score, gain = float(found.scores[place]), found.gains[place]
    auc = float(found.entry_scores()["AUC"][place])
    shown = Number(f"{gain.mean:.2f}", gain.mean, interval(found, gain))
    return (
        (found.methods[place],),
        Number(f"{score:.3f}", score),
        NOTHING if place == found.reference else shown,
        NOTHING if np.isnan(auc) else Number(f"{auc:.3f}", auc),
    )
