"""How many different progressions the replicates gave, and which."""

from caprese.bootstrapping import TOLD_APART
from caprese.confidence import KEPT, UNDETERMINED, Parents, monte_carlo_interval
from caprese.models.forest import ROOT
from caprese.report.analysis import Analysis
from caprese.report.content import Block, Column, Paragraph, Picture, Section, Table
from caprese.report.sections.progression import parent_name
from caprese.report.words import Sentence, listed, percent, share, told

_SHOWN = 6  # progressions in the table


def spectrum(analysis: Analysis) -> Section:
    """Return how often each whole progression came back."""
    confidence = analysis.confidence
    low, high = monte_carlo_interval(confidence.exact, confidence.replicates)
    different = len(confidence.spectrum)
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
        blocks += [Picture("spectrum", description, caption), _table(analysis)]
    return Section("spectrum", "Agreement", tuple(blocks))


def _different(progressions: int) -> str:
    if progressions == 1:
        return "one and the same progression"
    least = "at least " if progressions == KEPT else ""
    return f"{least}{progressions} different progressions"


def spectrum_shares(analysis: Analysis) -> tuple[list[float], int | None]:
    """Return the share of each progression, and which is the one in question, if it came back."""
    confidence = analysis.confidence
    counted = min(confidence.replicates, TOLD_APART)
    shares = [times / counted for _, times in confidence.spectrum]
    models = [parents for parents, _ in confidence.spectrum]
    return shares, models.index(confidence.parents) if confidence.parents in models else None


def _table(analysis: Analysis) -> Table:
    shares, _ = spectrum_shares(analysis)
    rows = tuple(
        (share(value), _difference(analysis, parents))
        for value, (parents, _) in zip(shares[:_SHOWN], analysis.confidence.spectrum, strict=False)
    )
    columns = (Column("share", "support"), Column("how it differs from the one in question"))
    return Table(told("The most frequent ones."), columns, rows)


def _difference(analysis: Analysis, parents: Parents) -> Sentence:
    own = analysis.confidence.parents
    if parents == own:
        return ("not at all: it is the one in question",)
    moved = [event for event in analysis.order if parents[event] != own[event]]
    return listed([_moved(analysis, event, parents[event]) for event in moved], most=6)


def _moved(analysis: Analysis, event: int, above: tuple[int, ...]) -> Sentence:
    if above == (UNDETERMINED,):
        return told("{event} not determined", event=analysis.name(event))
    parents = listed([parent_name(analysis, parent) for parent in above or (ROOT,)])
    return told("{event} under {parents}", event=analysis.name(event), parents=parents)
