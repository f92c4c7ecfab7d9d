"""Each edge of an answer with all that speaks for and against it."""

from collections.abc import Mapping
from dataclasses import dataclass

from caprese.assessment.confidence import UNDETERMINED, monte_carlo_interval
from caprese.models.forest import ROOT
from caprese.report.analysis import OrderedAnalysis

WEAK = 0.7  # support below which another answer is not unlikely
SIGNIFICANT = 0.05  # p-values from here on do not rule out chance


@dataclass(frozen=True)
class JudgedEdge:
    """An edge, those from the root too, and how it stood up.

    Parameters
    ----------
    parent, child
        Positions of the events; the parent may be ROOT, or UNDETERMINED if nothing can place
        the child.
    support, low, high
        Share of the replicates in which it came back, and the interval of that share.
    p_values
        Adjusted p-values by the name of the test; none for edges from the root.
    """

    parent: int
    child: int
    support: float
    low: float
    high: float
    p_values: Mapping[str, float]

    @property
    def between_events(self) -> bool:
        """Whether the parent is an event."""
        return self.parent >= 0

    @property
    def weak(self) -> bool:
        """Whether it came back so seldom that another answer is not unlikely."""
        return self.support < WEAK

    @property
    def failed(self) -> tuple[str, ...]:
        """The tests that do not rule out chance."""
        return tuple(test for test, value in self.p_values.items() if value >= SIGNIFICANT)


def judged_edges(analysis: OrderedAnalysis) -> tuple[JudgedEdge, ...]:
    """Return all edges of the answer, parents before their children.

    Examples
    --------
    >>> from caprese.data.embedded import acml
    >>> from caprese.methods import Caprese
    >>> from caprese.report.analysis import analyse
    >>> edges = judged_edges(analyse(Caprese(), acml(), replicates=50))
    >>> [(edge.parent, edge.child) for edge in edges]
    [(-1, 0), (0, 2), (-1, 1)]
    """
    p_values = _p_values(analysis)
    return tuple(
        _judged(analysis, parent, child, p_values.get((parent, child), {}))
        for child in analysis.order
        for parent in _parents(analysis, child)
    )


def _parents(analysis: OrderedAnalysis, child: int) -> tuple[int, ...]:
    if analysis.constant[child]:
        return (UNDETERMINED,)
    return analysis.parents_of(child) or (ROOT,)


def _judged(
    analysis: OrderedAnalysis, parent: int, child: int, p_values: Mapping[str, float]
) -> JudgedEdge:
    confidence, events = analysis.confidence, len(analysis.data.events)
    row = {ROOT: events, UNDETERMINED: events + 1}.get(parent, parent)
    times = int(confidence.votes[row, child])
    low, high = monte_carlo_interval(times, confidence.replicates)
    share = float(confidence.support[row, child])
    return JudgedEdge(parent, child, share, float(low), float(high), p_values)


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
