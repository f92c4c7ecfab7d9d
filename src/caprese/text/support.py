"""A bootstrap as lines of text: a model or effects with their support, all pairs, edge tests."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from caprese._core.significance import LEVEL
from caprese._core.words import number_of, percent, visible
from caprese.assessment.confidence import UNDETERMINED, Confidence, monte_carlo_interval
from caprese.assessment.edge_tests import EdgeTests
from caprese.assessment.effects import ENDS, SLIGHT, EffectConfidence, is_notable
from caprese.methods.fit import Fit
from caprese.models.forest import ROOT
from caprese.text.columns import aligned, separated
from caprese.text.fits import fit_lines, tree_rows
from caprese.text.sentences import decimal
from caprese.text.style import Style, plain

_MOST = 10  # effects that are listed
_KINDS = {
    "nonparametric": "resampled from the data",
    "parametric": "simulated from the fitted model",
}


def confidence_lines(
    fit: Fit[Any, Any], confidence: Confidence, style: Style = plain, width: int | None = None
) -> list[str]:
    """Return the lines that show a fit with the support of each edge and of the whole model."""
    return separated(fit_lines(fit, confidence, style, width), [exact_line(confidence)])


def exact_line(confidence: Confidence) -> str:
    """Return the line with the share of replicates that gave the same model, and its interval."""
    replicates = number_of(confidence.replicates, "replicate")
    share = 100 * confidence.exact / confidence.replicates
    low, high = monte_carlo_interval(confidence.exact, confidence.replicates, LEVEL)
    return (
        f"{replicates}; the same model was inferred in {share:.1f} % "
        f"({100 * low:.1f} to {100 * high:.1f})"
    )


def bootstrap_lines(
    confidence: Confidence, style: Style = plain, width: int | None = None
) -> list[str]:
    """Return the lines that show a bootstrap without its fit."""
    events = confidence.events
    adjacency = np.zeros((len(events), len(events)), dtype=bool)
    for event, above in enumerate(confidence.parent_sets):
        adjacency[[parent for parent in above if parent != UNDETERMINED], event] = True
    by_name = sorted(range(len(events)), key=events.__getitem__)
    rows = tree_rows(adjacency, by_name, events, {}, confidence, style)
    title = f"bootstrap of a model of {number_of(len(events), 'event')}"
    lines = aligned(rows, width=width)
    return separated([style(title, "title")], lines, [exact_line(confidence)])


def table_lines(confidence: Confidence, width: int | None = None) -> list[str]:
    """Return the support of every edge, by parent and child; a star marks those of the model."""
    n = len(confidence.events)
    own = {
        (n if parent == ROOT else parent, event)
        for event, above in enumerate(confidence.parent_sets)
        for parent in above or (ROOT,)
    }
    parents = [*confidence.events, "root", "not determined"]
    rows = [["parent", *map(visible, confidence.events), ""]]
    for place in (n, *range(n), n + 1):
        cells = [
            f"{share:.3f}" + ("*" if (place, event) in own else " ")
            for event, share in enumerate(confidence.support[place])
        ]
        rows.append([visible(parents[place]), *cells, ""])
    return aligned(rows, width=width)


def edge_test_lines(tests: EdgeTests, width: int | None = None) -> list[str]:
    """Return the lines that show the p-values of the edges, adjusted for multiple testing."""
    adjusted = tests.adjusted()
    titles = [name.replace("co_", "co-").replace("_", " ") for name in adjusted]
    rows = [["edge", *titles, ""]]
    for place, (parent, child) in enumerate(tests.edges):
        edge = f"{visible(parent)} -> {visible(child)}"
        rows.append([edge, *(f"{values[place]:.2g}" for values in adjusted.values()), ""])
    return ["p-values of the edges, adjusted for multiple testing", *aligned(rows, width=width)]


def effect_confidence_lines(
    confidence: EffectConfidence, style: Style = plain, width: int | None = None
) -> list[str]:
    """Return the lines that show a bootstrap of effects."""
    replicates = number_of(confidence.replicates, "replicate")
    low, high = (f"{100 * end:.0f}th" for end in ENDS)
    title = (
        f"{replicates}, {_KINDS[confidence.kind]}; low and high are the {low} and {high} percentile"
    )
    kept = [
        f"{name} {value if isinstance(value, str) else f'{value:.3g}'} was chosen once, from the "
        "data, and kept in all replicates"
        for name, value in confidence.kept
    ]
    rates = [
        [visible(str(event)), *_numbers(row), ""]
        for event, *row in confidence.rate_table().itertuples()
    ]
    return separated(
        [style(title, "title"), *kept],
        aligned([["event", "base rate", "low", "high", ""], *rates], width=width),
        _effect_lines(confidence, width),
    )


def _effect_lines(confidence: EffectConfidence, width: int | None) -> list[str]:
    table = confidence.table()
    notable = table[[is_notable(factor) for factor in table["factor"]]]
    slight = percent(SLIGHT)
    if notable.empty:
        return [f"no event changes the rate of another by more than {slight}"]
    rows = [["effect", "factor", "low", "high", "speeds up", "slows down", "absent", ""]]
    for _, cause, event, factor, low, high, *shares in notable.head(_MOST).itertuples():
        effect = f"{visible(cause)} on {visible(event)}"
        rows.append([effect, *_numbers((factor, low, high)), *map(percent, shares), ""])
    return [
        f"the strongest of {number_of(len(table), 'effect')}, and the share of replicates in which "
        f"each speeds up or slows down by more than {slight}",
        *aligned(rows, width=width),
    ]


def _numbers(values: Sequence[float]) -> list[str]:
    return [decimal(value).text for value in values]
