"""The distinct models that were inferred from the replicates, and how often."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from caprese._core.significance import LEVEL
from caprese._core.words import number_of, percent
from caprese.assessment.bootstrap import MOST_DISTINGUISHED
from caprese.assessment.confidence import Confidence, monte_carlo_interval
from caprese.plots.curves import LEAST_SHOWN, draw_distinct_models
from caprese.report.content import Block, Paragraph, Section, Table, columns
from caprese.report.order import AssessedOrder
from caprese.report.pictures import picture
from caprese.text.sentences import Term, phrase, share

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_BARS = 24  # in the picture
_MOST_MODELS = 6  # in the table
_ALL = 1 - 1e-9  # sum of the shares of the models that are kept, if these are all


def distinct_models_section(order: AssessedOrder, confidence: Confidence) -> Section:
    """Return how often each model was inferred from a replicate."""
    low, high = monte_carlo_interval(confidence.exact, confidence.replicates, LEVEL)
    distinct = len(confidence.distinct_models)
    shares = _shares(confidence)
    intro = phrase(
        "{n} of the data gave {more}{distinct}. The model of this report was found in {share} of "
        "the replicates ([interval] {low} to {high}).",
        n=Term("replicate", number_of(confidence.replicates, "replicate")),
        more="more than " if sum(shares) < _ALL else "",
        distinct=number_of(distinct, "distinct model"),
        share=percent(confidence.exact / confidence.replicates),
        low=percent(float(low)),
        high=percent(float(high)),
    )
    blocks: list[Block] = [Paragraph(intro)]
    if distinct > 1 and shares[0] < LEAST_SHOWN:
        rare = f"Even the most frequent model was found in only {percent(shares[0])} of them, too "
        blocks.append(Paragraph((f"{rare}few to draw the shares of the models.",)))
    elif distinct > 1:
        caption = phrase("The share of each distinct model, and the cumulative share.")
        description = "A bar chart of the share of replicates that gave each model."
        figure = partial(_figure, shares, confidence)
        blocks.append(picture("distinct-models", description, caption, figure))
    if distinct > 1:
        blocks.append(_table(order, confidence))
    return Section("distinct-models", "Distinct models", tuple(blocks))


def _shares(confidence: Confidence) -> list[float]:
    """Return the share of each distinct model."""
    counted = min(confidence.replicates, MOST_DISTINGUISHED)
    return [times / counted for _, times in confidence.distinct_models]


def _figure(shares: Sequence[float], confidence: Confidence) -> "Figure":
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


def _table(order: AssessedOrder, confidence: Confidence) -> Table:
    models = [parents for parents, _ in confidence.distinct_models[:_MOST_MODELS]]
    rows = tuple(
        (share(value), order.differences(parents, confidence.parent_sets))
        for value, parents in zip(_shares(confidence), models, strict=False)
    )
    titles = columns("[support|share]", "differences from this report")
    return Table(("The most frequent models.",), titles, rows, name="distinct-models")
