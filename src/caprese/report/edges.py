"""Each edge of a fit with the evidence for and against it."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from caprese._core.significance import SIGNIFICANT
from caprese.assessment.confidence import UNDETERMINED, vote_rows
from caprese.models.forest import ROOT
from caprese.report.analysis import OrderedAnalysis
from caprese.text.thresholds import SURE, WEAK


@dataclass(frozen=True)
class AssessedEdge:
    """An edge between two events or from the root, with its support and its tests."""

    parent: int  # position, or ROOT, or UNDETERMINED if the child cannot be placed
    child: int
    support: float  # share of the replicates that have the edge, or its posterior probability
    interval: tuple[float, float] | None  # of that share
    p_values: Mapping[str, float]  # adjusted, by test; empty for edges from the root

    @property
    def between_events(self) -> bool:
        """Whether the parent is an event."""
        return self.parent >= 0

    @property
    def weak(self) -> bool:
        """Whether the support is too low to exclude another parent."""
        return self.support < WEAK

    @property
    def not_significant(self) -> tuple[str, ...]:
        """The tests that do not exclude chance."""
        return tuple(test for test, value in self.p_values.items() if value >= SIGNIFICANT)

    @property
    def uncertain(self) -> bool:
        """Whether there is evidence against the edge; never if the child cannot be placed."""
        return self.parent != UNDETERMINED and (self.weak or bool(self.not_significant))

    @property
    def sure(self) -> bool:
        """Whether the edge is well supported and all its tests are significant."""
        return self.support >= SURE and not self.not_significant


def assessed_edges(analysis: OrderedAnalysis) -> tuple[AssessedEdge, ...]:
    """Return all edges of a fit, parents before their children."""
    p_values = _p_values(analysis)
    return tuple(
        _assessed(analysis, parent, child, p_values.get((parent, child), {}))
        for child in analysis.order
        for parent in _parents(analysis, child)
    )


def _parents(analysis: OrderedAnalysis, child: int) -> tuple[int, ...]:
    if analysis.constant[child]:
        return (UNDETERMINED,)
    return analysis.parents_of(child) or (ROOT,)


def _assessed(
    analysis: OrderedAnalysis, parent: int, child: int, p_values: Mapping[str, float]
) -> AssessedEdge:
    support = analysis.support
    row = int(vote_rows(np.array(parent), len(analysis.data.events)))
    share = float(support.matrix[row, child])
    return AssessedEdge(parent, child, share, support.interval(row, child), p_values)


def _p_values(analysis: OrderedAnalysis) -> dict[tuple[int, int], dict[str, float]]:
    """Return the adjusted p-values of each edge, by the name of the test."""
    if analysis.tests is None:
        return {}
    place = {event: position for position, event in enumerate(analysis.data.events)}
    adjusted = analysis.tests.adjusted()
    return {
        (place[parent], place[child]): {test: float(values[k]) for test, values in adjusted.items()}
        for k, (parent, child) in enumerate(analysis.tests.edges)
    }
