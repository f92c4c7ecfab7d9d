"""Alternatives: other parents that the data allows, and the results of other methods."""

from collections.abc import Iterator

import numpy as np

from caprese._core.words import percent
from caprese.assessment.comparison import Compared
from caprese.assessment.confidence import UNDETERMINED
from caprese.methods import describe
from caprese.methods.base import OrderedFit, PairEvidence, PairScores
from caprese.models.base import parent_sets
from caprese.models.forest import ROOT
from caprese.report.analysis import Analysis, OrderedAnalysis
from caprese.report.content import Block, Column, Heading, Paragraph, Picture, Section, Table
from caprese.text.sentences import NOTHING, Cell, Number, Sentence, decimal, listed, phrase
from caprese.text.thresholds import NOTABLE

_MOST_EVENTS = 20  # up to which a picture of all pairs is legible


def alternatives(analysis: OrderedAnalysis) -> Section:
    """Return other parents of each event, and the results of the other methods."""
    blocks = (*_other_parents(analysis), *other_methods(analysis))
    return Section("alternatives", "Alternatives", blocks)


def _other_parents(analysis: OrderedAnalysis) -> Iterator[Block]:
    rows = tuple(row for event in analysis.order if (row := _row(analysis, event)))
    yield Heading("Other parents")
    if not rows:
        words = "No event had another parent in {bound} or more of the [replicate|replicates]."
        yield Paragraph(phrase(words, bound=percent(NOTABLE)))
        return
    words = (
        "These [event|events] had another parent in {bound} or more of the "
        "[replicate|replicates].{also}"
    )
    scores = _pair_scores(analysis)
    also = (
        "" if scores is None else f" Also shown is the parent with the second best {scores.name}."
    )
    yield Paragraph(phrase(words, bound=percent(NOTABLE), also=also))
    columns = [Column("event"), Column("parent", "parent"), Column("other parents in replicates")]
    if scores is not None:
        columns += [Column("second best parent"), Column(f"its {scores.name}", scores.name)]
    yield Table(phrase("Percentages are the [support] of the other parents."), tuple(columns), rows)
    if len(analysis.data.events) <= _MOST_EVENTS:
        yield Picture(
            "support",
            "A matrix of the support of every possible edge.",
            phrase(
                "The [support] of every possible [edge]; the edges of the progression are outlined."
            ),
        )


def _row(analysis: OrderedAnalysis, event: int) -> tuple[Cell, ...] | None:
    """Return a row for an event that had another parent in many replicates."""
    n = len(analysis.data.events)
    support = analysis.confidence.support[:, event]
    own = {UNDETERMINED} if analysis.constant[event] else set(analysis.parents_of(event)) or {ROOT}
    others = [
        (float(support[row]), parent)
        for row, parent in enumerate([*range(n), ROOT, UNDETERMINED])
        if support[row] >= NOTABLE and parent not in own
    ]
    if not others:
        return None
    ranked = [
        phrase("{parent} {share}", parent=analysis.parent_name(parent), share=percent(share))
        for share, parent in sorted(others, key=lambda other: (-other[0], other[1]))
    ]
    parents = listed([analysis.parent_name(parent) for parent in sorted(own)])
    return ((analysis.name(event),), parents, listed(ranked, "or"), *_second(analysis, event))


def _second(analysis: OrderedAnalysis, event: int) -> tuple[Cell, ...]:
    """Return the best admissible parent that is not a parent of the event, and its score."""
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
    """Return the scores of a method that scores pairs of events."""
    evidence = analysis.fit.evidence
    return evidence.pair_scores() if isinstance(evidence, PairEvidence) else None


def other_methods(analysis: Analysis) -> Iterator[Block]:
    """Yield a table of how well each method explains the data, and how its edges differ."""
    yield Heading("Other methods")
    if len(analysis.compared) < 2:
        yield Paragraph(("No other method gave a result to compare.",))
        return
    words = (
        "All methods were given the same data. The [log-likelihood] measures how well each model "
        "explains the data it was fitted to, with its best parameters and error rates; how well it "
        "predicts other samples is shown under Held-out prediction."
    )
    yield Paragraph(phrase(words))
    columns = [Column("method"), Column("log-likelihood", "log-likelihood")]
    rows = tuple(_compared_row(analysis, one) for one in analysis.compared)
    if isinstance(analysis, OrderedAnalysis):
        columns.append(Column("differences from this report"))
        rows = tuple(
            (*row, _differences(analysis, one))
            for row, one in zip(rows, analysis.compared, strict=True)
        )
    yield Table(("All methods, fitted to the same data.",), tuple(columns), rows)


def _compared_row(analysis: Analysis, one: Compared) -> tuple[Cell, ...]:
    name = describe(one.fit.method) + (", this report" if one.fit is analysis.fit else "")
    log_likelihood = one.estimate.log_likelihood
    return (
        (name,),
        Number(f"{log_likelihood:.1f}", log_likelihood),
    )


def _differences(analysis: OrderedAnalysis, one: Compared) -> Sentence:
    if not isinstance(one.fit, OrderedFit):
        return ("a model without edges",)
    parents, own = (parent_sets(fit.model.adjacency()) for fit in (one.fit, analysis.fit))
    return analysis.differences(parents, own) or ("none",)
