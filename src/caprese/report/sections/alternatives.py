"""Alternatives: other parents that the data allows, and the results of other methods."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from caprese._core.words import percent
from caprese.assessment.comparison import Compared
from caprese.assessment.confidence import UNDETERMINED, Parents
from caprese.methods import describe
from caprese.methods.evidence import PairEvidence, PairScores
from caprese.methods.fit import OrderedFit
from caprese.models.base import parent_sets
from caprese.models.forest import ROOT
from caprese.report.analysis import Analysis, OrderedAnalysis
from caprese.report.content import Block, Column, Heading, Paragraph, Picture, Section, Table
from caprese.report.glossary import GLOSSARY
from caprese.text.sentences import NOTHING, Cell, Number, Sentence, decimal, joined, listed, phrase
from caprese.text.thresholds import NOTABLE

_MOST_EVENTS = 20  # up to which a picture of all pairs is legible


def alternatives(analysis: OrderedAnalysis) -> Section:
    """Return other parents of each event, and the results of the other methods."""
    blocks = (*_other_parents(analysis), *other_methods(analysis))
    return Section("alternatives", "Alternatives", blocks)


def _other_parents(analysis: OrderedAnalysis) -> Iterator[Block]:
    rows = tuple(row for event in analysis.order if (row := _row(analysis, event)))
    yield Heading("Other parents")
    support = analysis.support
    if not rows:
        yield Paragraph(support.say("no other parent", share=percent(NOTABLE)))
        return
    scores = _pair_scores(analysis)
    also = f"Also shown is the parent with the second best {scores.name}." if scores else ""
    found = support.say("other parents", share=percent(NOTABLE))
    yield Paragraph(joined([found, (also,) if also else ()]))
    others = support.words["other parents column"]
    columns = [Column("event"), Column("parent", "parent"), Column(others)]
    if scores is not None:
        term = scores.name if scores.name in GLOSSARY else ""
        columns += [Column("second best parent"), Column(f"its {scores.name}", term)]
    yield Table(support.say("percentages"), tuple(columns), rows, name="other-parents")
    if len(analysis.data.events) <= _MOST_EVENTS:
        yield Picture(
            "support",
            f"A matrix of the {support.name} of every possible edge.",
            support.say("all pairs"),
        )


def _row(analysis: OrderedAnalysis, event: int) -> tuple[Cell, ...] | None:
    """Return a row for an event that often, or probably, has another parent."""
    n = len(analysis.data.events)
    support = analysis.support.matrix[:, event]
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
    """Return the scores of a method that scores pairs of events, unless they are the support."""
    evidence = analysis.fit.evidence
    scores = evidence.pair_scores() if isinstance(evidence, PairEvidence) else None
    return None if scores is None or scores.name == analysis.support.name else scores


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
    caption = "All methods, fitted to the same data."
    yield Table((caption,), tuple(columns), rows, name="methods")


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
    parents, own = (_parents(fit) for fit in (one.fit, analysis.fit))
    return analysis.differences(parents, own) or ("none",)


def _parents(fit: OrderedFit[Any, Any]) -> Parents:
    """Return the parents of each event; an event that could not be placed is no root."""
    found = zip(fit.model.events, parent_sets(fit.model.adjacency()), strict=True)
    return tuple(
        own if own or event not in fit.undetermined else (UNDETERMINED,) for event, own in found
    )
