"""What else the data allows: other parents, and what other methods say."""

from collections.abc import Iterator

import numpy as np

from caprese._core.words import percent
from caprese.assessment.comparison import Compared
from caprese.assessment.confidence import UNDETERMINED
from caprese.methods import describe
from caprese.methods.base import OrderedFit, PairEvidence, PairScores
from caprese.models.forest import ROOT
from caprese.report.analysis import OrderedAnalysis
from caprese.report.content import Block, Column, Heading, Paragraph, Picture, Section, Table
from caprese.report.sections.progression import parent_name
from caprese.text.sentences import NOTHING, Cell, Number, Sentence, decimal, listed, told

_NOTABLE = 0.1  # share of the replicates from which on another parent is worth a word
_MOST_EVENTS = 20  # up to which a picture of all pairs is easy to read


def alternatives(analysis: OrderedAnalysis) -> Section:
    """Return second-best parents and the answers of the other methods."""
    return Section("alternatives", "Alternatives", (*_other_parents(analysis), *_methods(analysis)))


def _other_parents(analysis: OrderedAnalysis) -> Iterator[Block]:
    rows = tuple(row for event in analysis.order if (row := _row(analysis, event)))
    yield Heading("Other parents")
    if not rows:
        words = "No event had another parent in {bound} of the [replicate|replicates] or more."
        yield Paragraph(told(words, bound=percent(_NOTABLE)))
        return
    words = (
        "Where an [event] stood elsewhere in at least {bound} of the [replicate|replicates]{also}."
    )
    scored = _pair_scores(analysis)
    also = "" if scored is None else f", and which parent comes second by its {scored.name}"
    yield Paragraph(told(words, bound=percent(_NOTABLE), also=also))
    columns = [Column("event"), Column("stands under", "parent"), Column("in other replicates")]
    if scored is not None:
        columns += [Column("second best"), Column(f"its {scored.name}", scored.name)]
    yield Table(told("Shares are [support]."), tuple(columns), rows)
    if len(analysis.data.events) <= _MOST_EVENTS:
        yield Picture(
            "support",
            "A table of how often each event was a parent of each other one.",
            told("The [support] of every possible [edge]; those of the progression are outlined."),
        )


def _row(analysis: OrderedAnalysis, event: int) -> tuple[Cell, ...] | None:
    """Return a row if the replicates, or the scores, name another parent."""
    n = len(analysis.data.events)
    support = analysis.confidence.support[:, event]
    named = {n: ROOT, n + 1: UNDETERMINED}
    own = {UNDETERMINED} if analysis.constant[event] else set(analysis.parents_of(event)) or {ROOT}
    rivals = [
        (float(support[row]), named.get(row, row))
        for row in range(n + 2)
        if support[row] >= _NOTABLE and named.get(row, row) not in own
    ]
    if not rivals:
        return None
    ranked = sorted(rivals, key=lambda rival: (-rival[0], rival[1]))
    others = [
        told("{parent} {share}", parent=parent_name(analysis, parent), share=percent(share))
        for share, parent in ranked
    ]
    parents = listed([parent_name(analysis, parent) for parent in sorted(own)])
    return ((analysis.name(event),), parents, listed(others, word="or"), *_second(analysis, event))


def _second(analysis: OrderedAnalysis, event: int) -> tuple[Cell, ...]:
    """Return the best admissible parent that is not the parent, and its score."""
    found = _pair_scores(analysis)
    if found is None:
        return ()
    candidates = [
        int(row)
        for row in np.flatnonzero(found.admissible[:, event])
        if row not in analysis.parents_of(event)
    ]
    if not candidates:
        return ("none",), NOTHING
    best = max(candidates, key=lambda row: (found.matrix[row, event], analysis.data.events[row]))
    return (analysis.name(best),), decimal(float(found.matrix[best, event]))


def _pair_scores(analysis: OrderedAnalysis) -> PairScores | None:
    """Return the scores of a method that goes by scores of pairs."""
    evidence = analysis.fit.evidence
    return evidence.pair_scores() if isinstance(evidence, PairEvidence) else None


def _methods(analysis: OrderedAnalysis) -> Iterator[Block]:
    yield Heading("What other methods say")
    if len(analysis.compared) < 2:
        yield Paragraph(("No other method had an answer to compare.",))
        return
    words = (
        "Each method was given the same data. The [log-likelihood] and the [BIC] tell how well its "
        "answer explains them, allowing for errors, at its best."
    )
    yield Paragraph(told(words))
    columns = (
        Column("method"),
        Column("log-likelihood", "log-likelihood"),
        Column("BIC", "BIC"),
        Column("other parents than above"),
    )
    rows = tuple(_compared_row(analysis, one) for one in analysis.compared)
    yield Table(told("The first is the one in question."), columns, rows)


def _compared_row(analysis: OrderedAnalysis, one: Compared) -> tuple[Cell, ...]:
    ordered = isinstance(one.fit, OrderedFit)
    differs = [
        told("{event} under {parents}", event=analysis.name(event), parents=parents)
        for event in (analysis.order if ordered else ())
        if (parents := _parents_by(analysis, one, event)) != _parents_of(analysis, event)
    ]
    own = one.fit.method == analysis.fit.method
    same: Sentence = (
        ("the one in question",)
        if own
        else ("none: the same",)
        if ordered
        else ("it has no order",)
    )
    return (
        (describe(one.fit.method),),
        *compared_numbers(one),
        listed(differs, most=8) if differs else same,
    )


def compared_numbers(one: Compared) -> tuple[Number, Number]:
    """Return the log-likelihood and the BIC of a model."""
    height = one.estimate.log_likelihood
    return Number(f"{height:.1f}", height), Number(f"{one.bic:.1f}", one.bic)


def _parents_of(analysis: OrderedAnalysis, event: int) -> Sentence:
    return listed([parent_name(analysis, each) for each in analysis.parents_of(event) or (ROOT,)])


def _parents_by(analysis: OrderedAnalysis, one: Compared, event: int) -> Sentence:
    above = np.flatnonzero(one.fit.model.adjacency()[:, event]).tolist() or [ROOT]
    return listed([parent_name(analysis, each) for each in above])
