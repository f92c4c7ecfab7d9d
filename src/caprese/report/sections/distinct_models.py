"""How many different progressions the replicates gave, and which."""

from caprese._core.words import percent
from caprese.assessment.bootstrap import MOST_DISTINGUISHED
from caprese.assessment.confidence import KEPT, UNDETERMINED, Parents, monte_carlo_interval
from caprese.models.forest import ROOT
from caprese.report.analysis import OrderedAnalysis
from caprese.report.content import Block, Column, Paragraph, Picture, Section, Table
from caprese.report.sections.progression import parent_name
from caprese.text.sentences import Sentence, listed, share, told

_SHOWN = 6  # progressions in the table


def distinct_models(analysis: OrderedAnalysis) -> Section:
    """Return how often each whole progression came back."""
    confidence = analysis.confidence
    low, high = monte_carlo_interval(confidence.exact, confidence.replicates)
    different = len(confidence.distinct_models)
    intro = told(
        "{n} [replicate|replicates] gave {different}. The one in question came back in {share} of "
        "them ([interval] {low} to {high}).",
        n=str(confidence.replicates),
        different=_different(different),
        share=percent(confidence.exact / confidence.replicates),
        low=percent(float(low)),
        high=percent(float(high)),
    )
    blocks: list[Block] = [Paragraph(intro)]
    if different > 1:
        caption = told("How often each progression came back, and how much they make up together.")
        description = "Bars: the share of the replicates that gave each progression."
        blocks += [Picture("distinct-models", description, caption), _table(analysis)]
    return Section("distinct-models", "Agreement", tuple(blocks))


def _different(progressions: int) -> str:
    if progressions == 1:
        return "one and the same progression"
    least = "at least " if progressions == KEPT else ""
    return f"{least}{progressions} different progressions"


def shares_of_distinct_models(analysis: OrderedAnalysis) -> tuple[list[float], int | None]:
    """Return the share of each progression, and which is the one in question, if it came back."""
    confidence = analysis.confidence
    counted = min(confidence.replicates, MOST_DISTINGUISHED)
    shares = [times / counted for _, times in confidence.distinct_models]
    models = [parents for parents, _ in confidence.distinct_models]
    return shares, models.index(
        confidence.parent_sets
    ) if confidence.parent_sets in models else None


def _table(analysis: OrderedAnalysis) -> Table:
    shares, _ = shares_of_distinct_models(analysis)
    rows = tuple(
        (share(value), _difference(analysis, parents))
        for value, (parents, _) in zip(
            shares[:_SHOWN], analysis.confidence.distinct_models, strict=False
        )
    )
    columns = (Column("share", "support"), Column("how it differs from the one in question"))
    return Table(told("The most frequent ones."), columns, rows)


def _difference(analysis: OrderedAnalysis, parents: Parents) -> Sentence:
    own = analysis.confidence.parent_sets
    if parents == own:
        return ("not at all: it is the one in question",)
    moved = [event for event in analysis.order if parents[event] != own[event]]
    return listed([_moved(analysis, event, parents[event]) for event in moved], most=6)


def _moved(analysis: OrderedAnalysis, event: int, above: tuple[int, ...]) -> Sentence:
    if above == (UNDETERMINED,):
        return told("{event} not determined", event=analysis.name(event))
    parents = listed([parent_name(analysis, parent) for parent in above or (ROOT,)])
    return told("{event} under {parents}", event=analysis.name(event), parents=parents)
