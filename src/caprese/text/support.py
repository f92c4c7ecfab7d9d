"""A bootstrap as lines of text: the model with its support, all pairs of events, edge tests."""

from typing import Any

import numpy as np

from caprese._core.significance import LEVEL
from caprese._core.words import number_of, visible
from caprese.assessment.confidence import UNDETERMINED, Confidence, monte_carlo_interval
from caprese.assessment.edge_tests import EdgeTests
from caprese.methods.fit import Fit
from caprese.models.forest import ROOT
from caprese.text.columns import aligned
from caprese.text.fits import fit_lines
from caprese.text.style import Style, plain
from caprese.text.trees import branches, tree_rows


def confidence_lines(
    fit: Fit[Any, Any], confidence: Confidence, style: Style = plain, width: int | None = None
) -> list[str]:
    """Return the lines that show a fit with the support of each edge and of the whole model."""
    return [*fit_lines(fit, confidence, style, width), "", exact_line(confidence)]


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
    rows = tree_rows(branches(adjacency, by_name), events, {}, confidence, style)
    title = f"bootstrap of a model of {number_of(len(events), 'event')}"
    return [style(title, "title"), "", *aligned(rows, width=width), "", exact_line(confidence)]


def table_lines(confidence: Confidence, width: int | None = None) -> list[str]:
    """Return the support of every possible edge: a row for each parent, a column for each child.

    An asterisk marks the edges of the model.
    """
    own = {  # rows of the table, the first of which is the root
        (parent + 1, event)
        for event, above in enumerate(confidence.parent_sets)
        for parent in above or (ROOT,)
        if parent != UNDETERMINED
    }
    *above, root, undetermined = confidence.support
    parents = ["root", *confidence.events, "not determined"]
    rows = [["parent", *map(visible, confidence.events), ""]]
    for place, (parent, shares) in enumerate(
        zip(parents, [root, *above, undetermined], strict=True)
    ):
        cells = [
            f"{share:.3f}" + ("*" if (place, event) in own else " ")
            for event, share in enumerate(shares)
        ]
        rows.append([visible(parent), *cells, ""])
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
