"""Several models: subtypes of samples, and the distinct models of the replicates."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from caprese._core.significance import LEVEL
from caprese._core.words import number_of, percent, visible
from caprese.assessment.bootstrap import MOST_DISTINGUISHED
from caprese.assessment.confidence import Confidence, monte_carlo_interval
from caprese.fitting.subtypes import Subtype
from caprese.methods.evidence import SubtypeEvidence
from caprese.models.base import parent_sets
from caprese.plots.canvas.figures import Figure
from caprese.plots.curves import LEAST_SHOWN, draw_distinct_models
from caprese.plots.progression.drawing import subtypes_figure
from caprese.report.content import (
    Block,
    Inside,
    Paragraph,
    Picture,
    Section,
    Table,
    columns,
    long_list,
    section,
)
from caprese.report.order import AssessedOrder
from caprese.text.sentences import SHORT, Cell, Sentence, Term, listed, phrase, share

_MOST_EVENTS = 3  # that set a subtype apart
_LEAST_DIFFERENCE = 0.1  # of two frequencies that are worth a word
_MOST_SAMPLES = 500  # in the table
_MOST_BARS = 24  # in the picture
_MOST_MODELS = 6  # in the table
_ALL = 1 - 1e-9  # sum of the shares of the models that are kept, if these are all


@section("subtypes", "Subtypes")
def subtypes_section(order: AssessedOrder, evidence: SubtypeEvidence) -> Iterator[Block | Inside]:
    """Return the groups of samples, what sets them apart, and which samples belong to each."""
    found = evidence.subtypes
    number = number_of(len(found), "subtype")
    yield Inside.of("{number} of the samples, each with a progression of its own.", number=number)
    if len(found) == 1:
        words = "One [subtype] is enough: a single forest describes all [sample|samples]."
        yield Paragraph.of(words)
        return
    yield Paragraph.of(
        "The [sample|samples] fall into {number}, each with a [progression] of its own. The "
        "progression above is the single one that describes all samples best.",
        number=number,
    )
    yield Picture(
        "subtypes",
        f"The progressions of {number}.",
        phrase("The progression of each [subtype]; frequencies are those among its samples."),
        lambda: subtypes_figure(order.fit),
    )
    yield _overview(order, found)
    yield Section("members", "Which samples", (_members(evidence),))


def _overview(order: AssessedOrder, found: tuple[Subtype, ...]) -> Table:
    titles = columns(
        *("[subtype]", "share of samples", "most probable for"),
        *("frequencies that differ most", "parents that differ from subtype 1"),
    )
    members = np.array([each.memberships for each in found]).argmax(axis=0)
    first = parent_sets(found[0].forest.adjacency())
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            (f"subtype {place + 1}",),
            share(each.weight),
            (number_of(int((members == place).sum()), "sample"),),
            _differences(order, each),
            order.differences(parent_sets(each.forest.adjacency()), first) if place else ("",),
        )
        for place, each in enumerate(found)
    )
    return Table(("The subtypes, the largest first.",), titles, rows, name="subtypes")


def _differences(order: AssessedOrder, subtype: Subtype) -> Sentence:
    difference = np.abs(subtype.frequencies - subtype.elsewhere)
    most = [k for k in np.argsort(-difference, kind="stable") if difference[k] >= _LEAST_DIFFERENCE]
    each = [
        phrase(
            "{event} {inside} (elsewhere {outside})",
            event=order.names[int(k)],
            inside=percent(float(subtype.frequencies[k])),
            outside=percent(float(subtype.elsewhere[k])),
        )
        for k in most[:_MOST_EVENTS]
    ]
    return listed(each, separator="; ") or ("none",)


def _members(evidence: SubtypeEvidence) -> Table:
    chances = np.array([each.memberships for each in evidence.subtypes])
    shown = range(min(len(evidence.samples), _MOST_SAMPLES))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            (visible(evidence.samples[k], SHORT),),
            (f"subtype {int(chances[:, k].argmax()) + 1}",),
            *(share(float(chance)) for chance in chances[:, k]),
        )
        for k in shown
    )
    own = (f"subtype {place + 1}" for place in range(len(chances)))
    titles = columns("sample", "most probable", *own)
    caption = "The probability that each sample belongs to each subtype."
    if len(evidence.samples) > len(shown):
        caption += f" The first {len(shown)} samples; the file of the fit has all."
    return Table((caption,), titles, rows, long_list(rows, "sample"), name="samples")


@section("distinct-models", "Distinct models")
def distinct_models_section(
    order: AssessedOrder, confidence: Confidence
) -> Iterator[Block | Inside]:
    """Return how often each model was inferred from a replicate."""
    low, high = monte_carlo_interval(confidence.exact, confidence.replicates, LEVEL)
    distinct = len(confidence.distinct_models)
    shares = _shares(confidence)
    yield Inside.of(
        "How often the replicates gave the whole model: {share}.",
        share=percent(confidence.exact / confidence.replicates),
    ).later
    yield Paragraph.of(
        "{n} of the data gave {more}{distinct}. The one shown above was found in {share} of "
        "the replicates ([interval] {low} to {high}).",
        n=Term("replicate", number_of(confidence.replicates, "replicate")),
        more="more than " if sum(shares) < _ALL else "",
        distinct=number_of(distinct, "distinct model"),
        share=percent(confidence.exact / confidence.replicates),
        low=percent(float(low)),
        high=percent(float(high)),
    )
    if distinct == 1:
        return
    if shares[0] < LEAST_SHOWN:
        yield Paragraph.of(
            "Even the most frequent model was found in only {share} of them, too few to draw the "
            "shares of the models.",
            share=percent(shares[0]),
        )
    else:
        caption = phrase("The share of each distinct model, and the cumulative share.")
        description = "A bar chart of the share of replicates that gave each model."
        figure = partial(_figure, shares, confidence)
        yield Picture("distinct-models", description, caption, figure)
    yield _models_table(order, confidence)


def _shares(confidence: Confidence) -> list[float]:
    """Return the share of each distinct model."""
    counted = min(confidence.replicates, MOST_DISTINGUISHED)
    return [times / counted for _, times in confidence.distinct_models]


def _figure(shares: Sequence[float], confidence: Confidence) -> Figure:
    from matplotlib.figure import Figure

    models = [parents for parents, _ in confidence.distinct_models[:_MOST_BARS]]
    own = confidence.parent_sets
    figure = Figure(figsize=(6.4, 2.6), layout="constrained")
    figure.patch.set_visible(False)
    axes = figure.subplots()
    axes.patch.set_visible(False)
    fitted = models.index(own) if own in models else None
    draw_distinct_models(axes, shares[:_MOST_BARS], fitted=fitted)
    return figure


def _models_table(order: AssessedOrder, confidence: Confidence) -> Table:
    models = [parents for parents, _ in confidence.distinct_models[:_MOST_MODELS]]
    rows = tuple(
        (share(value), order.differences(parents, confidence.parent_sets))
        for value, parents in zip(_shares(confidence), models, strict=False)
    )
    titles = columns("[support|share]", "differences from the one above")
    return Table(("The most frequent models.",), titles, rows, name="distinct-models")
