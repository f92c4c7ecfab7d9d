"""Alternatives: other parents that the data allows, other methods, and which predicts best."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from caprese._core.significance import NOTABLE
from caprese._core.words import percent
from caprese.assessment.comparison import Compared
from caprese.assessment.confidence import UNDETERMINED, Parents
from caprese.assessment.judgement import Judgement
from caprese.methods import describe
from caprese.methods.evidence import PairEvidence, PairScores
from caprese.methods.fit import Fit, OrderedFit
from caprese.models.base import parent_sets
from caprese.models.forest import ROOT
from caprese.plots.curves import judgement_figure
from caprese.plots.heatmaps.drawing import scores_figure, support_figure
from caprese.report.content import Block, Code, Column, Paragraph, Picture, Table, columns, section
from caprese.report.glossary import explained
from caprese.report.order import AssessedOrder
from caprese.text.comparison import design, interval, verdict_sentence
from caprese.text.sentences import NOTHING, Cell, Number, Sentence, decimal, joined, listed, phrase

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_EVENTS = 20  # up to which a picture of all pairs is legible


@section("other-parents", "Other parents")
def other_parents(order: AssessedOrder) -> Iterator[Block]:
    """Return other parents of each event that the data allows."""
    rows = tuple(row for event in order.sequence if (row := _row(order, event)))
    support = order.support
    if not rows:
        yield Paragraph(support.say("no other parent", share=percent(NOTABLE)))
        return
    scores = _pair_scores(order)
    also = f"Also shown is the parent with the second best {scores.name}." if scores else ""
    found = support.say("other parents", share=percent(NOTABLE))
    yield Paragraph(joined([found, (also,) if also else ()]))
    others = support.words["other parents column"]
    titles = [*columns("event", "[parent]", others)]
    if scores is not None:
        its_score = replace(explained(scores.name), title=f"its {scores.name}")
        titles += [Column("second best parent"), its_score]
    yield Table(support.say("percentages"), tuple(titles), rows, name="other-parents")
    if len(order.events) <= _MOST_EVENTS:
        yield Picture(
            "support",
            f"A matrix of the {support.name} of every possible edge.",
            support.say("all pairs"),
            lambda: _figure(order),
        )


def _figure(order: AssessedOrder) -> "Figure":
    if order.confidence is not None:
        return support_figure(order.fit.model, order.confidence)
    n, matrix = len(order.events), order.support.matrix
    pairs = ~np.eye(n, dtype=bool)
    scores = PairScores(order.support.name, matrix[:n], pairs, matrix[n])
    return scores_figure(order.fit.model, scores)


def _row(order: AssessedOrder, event: int) -> tuple[Cell, ...] | None:
    """Return a row for an event that often, or probably, has another parent."""
    n = len(order.events)
    support = order.support.matrix[:, event]
    own = set(order.parents_or_root(event))
    others = [
        (float(support[row]), parent)
        for row, parent in enumerate([*range(n), ROOT, UNDETERMINED])
        if support[row] >= NOTABLE and parent not in own
    ]
    if not others:
        return None
    ranked = [
        phrase("{parent} {share}", parent=order.parent_name(parent), share=percent(share))
        for share, parent in sorted(others, key=lambda other: (-other[0], other[1]))
    ]
    parents = listed([order.parent_name(parent) for parent in sorted(own)])
    return ((order.names[event],), parents, listed(ranked, "or"), *_second(order, event))


def _second(order: AssessedOrder, event: int) -> tuple[Cell, ...]:
    """Return the best admissible parent that is not a parent of the event, and its score."""
    found = _pair_scores(order)
    if found is None:
        return ()
    candidates = [
        int(row)
        for row in np.flatnonzero(found.admissible[:, event])
        if row not in order.parents_of(event)
    ]
    if not candidates:
        return ("none",), NOTHING
    best = max(candidates, key=lambda row: (found.matrix[row, event], order.events[row]))
    return (order.names[best],), decimal(float(found.matrix[best, event]))


def _pair_scores(order: AssessedOrder) -> PairScores | None:
    """Return the scores of a method that scores pairs of events, unless they are the support."""
    evidence = order.fit.evidence
    scores = evidence.pair_scores() if isinstance(evidence, PairEvidence) else None
    return None if scores is None or scores.name == order.support.name else scores


@section("other-methods", "Other methods")
def other_methods(
    compared: Sequence[Compared], own: Fit[Any, Any], order: AssessedOrder | None
) -> Iterator[Block]:
    """Return how well each method explains the data, and how its edges differ."""
    if len(compared) < 2:
        yield Paragraph(("No other method gave a result to compare.",))
        return
    words = (
        "All methods were given the same data. The [log-likelihood] measures how well each model "
        "explains the data it was fitted to, with its best parameters and error rates; how well it "
        "predicts other samples is shown under Held-out prediction."
    )
    yield Paragraph(phrase(words))
    titles = [*columns("method", "[log-likelihood]")]
    rows = tuple(_compared_row(one, own) for one in compared)
    if order is not None:
        titles.append(Column("differences from this report"))
        rows = tuple(
            (*row, _differences(order, one)) for row, one in zip(rows, compared, strict=True)
        )
    caption = "All methods, fitted to the same data."
    yield Table((caption,), tuple(titles), rows, name="methods")


def _compared_row(one: Compared, own: Fit[Any, Any]) -> tuple[Cell, ...]:
    name = describe(one.fit.method) + (", this report" if one.fit is own else "")
    log_likelihood = one.estimate.log_likelihood
    return (name,), Number(f"{log_likelihood:.1f}", log_likelihood)


def _differences(order: AssessedOrder, one: Compared) -> Sentence:
    if not isinstance(one.fit, OrderedFit):
        return ("a model without edges",)
    return order.differences(_parents(one.fit), _parents(order.fit))


def _parents(fit: OrderedFit[Any, Any]) -> Parents:
    """Return the parents of each event; an event that could not be placed is no root."""
    found = zip(fit.model.events, parent_sets(fit.model.adjacency()), strict=True)
    return tuple(
        own if own or event not in fit.undetermined else (UNDETERMINED,) for event, own in found
    )


@section("judgement", "Held-out prediction")
def judgement_section(found: Judgement | None) -> Iterator[Block]:
    """Return how well the methods predict held-out samples, or how to find out."""
    if found is not None:
        yield from _judged(found)
        return
    words = (
        "A likelihood on the data that a model was fitted to does not tell whether to believe it. "
        "How well each method predicts [held-out] samples was not computed here, because there are "
        "too few samples or because it takes long. To find out, with the data in DATA:"
    )
    yield Paragraph(phrase(words))
    yield Code("caprese judge DATA")


def _judged(found: Judgement) -> Iterator[Block]:
    yield Paragraph(verdict_sentence(found))
    words = (
        "Each method was fitted to a part of the samples and predicted the [held-out] others "
        "({design}).{single}"
    )
    single = " This is a single split; the command caprese judge holds out every sample once."
    split = single if found.held_out < found.folds else ""
    yield Paragraph(phrase(words, design=design(found), single=split))
    yield Picture(
        "judgement",
        "A chart of the gain of each method over independent events, with intervals.",
        phrase("The gain of each method over independent events; filled if it is beyond chance."),
        lambda: judgement_figure(found),
    )
    caption = (
        "Mean log-probability of a held-out sample, gain over independent events in nats per "
        "sample with its interval, and area under the curve of hidden entries.",
    )
    titles = columns("method", "log-probability", "gain", "AUC")
    ranked = np.argsort(-found.scores, kind="stable").tolist()
    yield Table(caption, titles, tuple(_judged_row(found, k) for k in ranked), name="held-out")


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
