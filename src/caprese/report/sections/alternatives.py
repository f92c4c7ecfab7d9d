"""What else the data allows: other parents, and what other methods say."""

from collections.abc import Iterator

import numpy as np

from caprese.arrays import BoolArray, FloatArray
from caprese.comparison import Compared
from caprese.confidence import UNDETERMINED
from caprese.methods import describe
from caprese.models.forest import ROOT
from caprese.report.analysis import Analysis
from caprese.report.content import Block, Column, Heading, Paragraph, Picture, Section, Table
from caprese.report.sections.progression import parent_name
from caprese.report.words import NOTHING, Cell, Number, Sentence, decimal, listed, percent, told

_NOTABLE = 0.1  # share of the replicates from which on another parent is worth a word
_MOST_EVENTS = 20  # up to which a picture of all pairs is easy to read


def alternatives(analysis: Analysis) -> Section:
    """Return second-best parents and the answers of the other methods."""
    return Section("alternatives", "Alternatives", (*_other_parents(analysis), *_methods(analysis)))


def _other_parents(analysis: Analysis) -> Iterator[Block]:
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
    also = "" if scored is None else f", and which parent comes second by its {scored[0]}"
    yield Paragraph(told(words, bound=percent(_NOTABLE), also=also))
    columns = [Column("event"), Column("stands under", "parent"), Column("in other replicates")]
    if scored is not None:
        columns += [Column("second best"), Column(f"its {scored[0]}", scored[0])]
    yield Table(told("Shares are [support]."), tuple(columns), rows)
    if len(analysis.data.events) <= _MOST_EVENTS:
        yield Picture(
            "support",
            "A table of how often each event was a parent of each other one.",
            told("The [support] of every possible [edge]; those of the progression are outlined."),
        )


def _row(analysis: Analysis, event: int) -> tuple[Cell, ...] | None:
    """Return a row if the replicates, or the scores, name another parent."""
    n = len(analysis.data.events)
    support = analysis.confidence.support[:, event]
    named = {n: ROOT, n + 1: UNDETERMINED}
    own = {UNDETERMINED} if analysis.constant[event] else set(analysis.parents(event)) or {ROOT}
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


def _second(analysis: Analysis, event: int) -> tuple[Cell, ...]:
    """Return the best admissible parent that is not the parent, and its score."""
    found = _pair_scores(analysis)
    if found is None:
        return ()
    _, scores, admissible = found
    candidates = [
        int(row)
        for row in np.flatnonzero(admissible[:, event])
        if row not in analysis.parents(event)
    ]
    if not candidates:
        return ("none",), NOTHING
    best = max(candidates, key=lambda row: (scores[row, event], analysis.data.events[row]))
    return (analysis.name(best),), decimal(float(scores[best, event]))


def _pair_scores(analysis: Analysis) -> tuple[str, FloatArray, BoolArray] | None:
    """Return what a method that goes by scores of pairs calls them, all of them, who may be."""
    evidence = analysis.fit.evidence
    admissible = getattr(evidence, "admissible", None)
    name = next(iter(evidence.columns(analysis.fit.model)), "")
    scores = getattr(evidence, name, None)
    return None if admissible is None or scores is None else (name, scores, admissible)


def _methods(analysis: Analysis) -> Iterator[Block]:
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


def _compared_row(analysis: Analysis, one: Compared) -> tuple[Cell, ...]:
    differs = [
        told("{event} under {parents}", event=analysis.name(event), parents=parents)
        for event in analysis.order
        if (parents := _parents_by(analysis, one, event)) != _parents_of(analysis, event)
    ]
    own = one.fit.method == analysis.fit.method
    same: Sentence = ("the one in question",) if own else ("none: the same",)
    return (
        (describe(one.fit.method),),
        Number(f"{one.estimate.log_likelihood:.1f}", one.estimate.log_likelihood),
        Number(f"{one.bic:.1f}", one.bic),
        listed(differs, most=8) if differs else same,
    )


def _parents_of(analysis: Analysis, event: int) -> Sentence:
    return listed([parent_name(analysis, each) for each in analysis.parents(event) or (ROOT,)])


def _parents_by(analysis: Analysis, one: Compared, event: int) -> Sentence:
    above = np.flatnonzero(one.fit.model.adjacency()[:, event]).tolist() or [ROOT]
    return listed([parent_name(analysis, each) for each in above])
