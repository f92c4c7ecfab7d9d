"""The distinct models that were inferred from the replicates, and how often."""

from caprese._core.significance import LEVEL
from caprese._core.words import number_of, percent
from caprese.assessment.bootstrap import MOST_DISTINGUISHED
from caprese.assessment.confidence import Confidence, Parents, monte_carlo_interval
from caprese.plots.distinct_models import LEAST_SHOWN
from caprese.report.analysis import OrderedAnalysis
from caprese.report.content import Block, Column, Paragraph, Picture, Section, Table
from caprese.text.sentences import Sentence, Term, phrase, share

_MOST_MODELS = 6  # in the table
_ALL = 1 - 1e-9  # sum of the shares of the models that are kept, if these are all


def distinct_models(analysis: OrderedAnalysis) -> Section:
    """Return how often each model was inferred from a replicate."""
    confidence = _confidence(analysis)
    low, high = monte_carlo_interval(confidence.exact, confidence.replicates, LEVEL)
    distinct = len(confidence.distinct_models)
    shares, _ = shares_of_distinct_models(analysis)
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
        blocks.append(Picture("distinct-models", description, caption))
    if distinct > 1:
        blocks.append(_table(analysis))
    return Section("distinct-models", "Distinct models", tuple(blocks))


def shares_of_distinct_models(analysis: OrderedAnalysis) -> tuple[list[float], int | None]:
    """Return the share of each distinct model, and the position of the fitted one if any."""
    confidence = _confidence(analysis)
    counted = min(confidence.replicates, MOST_DISTINGUISHED)
    shares = [times / counted for _, times in confidence.distinct_models]
    models = [parents for parents, _ in confidence.distinct_models]
    fitted = confidence.parent_sets
    return shares, models.index(fitted) if fitted in models else None


def _table(analysis: OrderedAnalysis) -> Table:
    shares, _ = shares_of_distinct_models(analysis)
    models = [parents for parents, _ in _confidence(analysis).distinct_models]
    rows = tuple(
        (share(value), _differences(analysis, parents))
        for value, parents in zip(shares[:_MOST_MODELS], models[:_MOST_MODELS], strict=True)
    )
    columns = (Column("share", "support"), Column("differences from this report"))
    return Table(("The most frequent models.",), columns, rows, name="distinct-models")


def _differences(analysis: OrderedAnalysis, parents: Parents) -> Sentence:
    return analysis.differences(parents, _confidence(analysis).parent_sets) or ("none",)


def _confidence(analysis: OrderedAnalysis) -> Confidence:
    assert analysis.confidence is not None  # this section is only for a bootstrap
    return analysis.confidence
