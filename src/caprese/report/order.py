"""An order of events with the evidence for and against each of its edges."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from caprese._core.arrays import BoolArray
from caprese._core.significance import SIGNIFICANT
from caprese.assessment.confidence import UNDETERMINED, Confidence, Parents, vote_rows
from caprese.assessment.edge_tests import EdgeTests
from caprese.methods.fit import OrderedFit
from caprese.models.forest import ROOT
from caprese.plots.layout.sorting import by_progression
from caprese.report.support import EdgeSupport, bootstrap_support, posterior_support
from caprese.text.facts import names_of, sentence
from caprese.text.sentences import Event, Sentence, listed, phrase
from caprese.text.thresholds import SURE, WEAK

_MOST_DIFFERENCES = 8  # between two models that are listed


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


@dataclass(frozen=True)
class AssessedOrder:
    """A fit of a model with an order, and how far to trust each of its edges.

    Parameters
    ----------
    fit
        The fit.
    confidence
        A bootstrap of the fit; None if its evidence is a posterior, which needs no bootstrap.
    requested
        Number of replicates that were requested, if an interrupted bootstrap may have fewer.
    tests
        Tests of the edges; None if they were not made.
    """

    fit: OrderedFit[Any, Any]
    confidence: Confidence | None = None
    requested: int | None = None
    tests: EdgeTests | None = None

    @cached_property
    def support(self) -> EdgeSupport:
        """How far to trust each edge: the support by replicates, or a posterior probability."""
        if self.confidence is not None:
            return bootstrap_support(self.confidence)
        return posterior_support(self.fit.evidence, np.array(self.constant))

    @property
    def events(self) -> tuple[str, ...]:
        """The names of the events."""
        return tuple(self.fit.model.events)

    @cached_property
    def sequence(self) -> tuple[int, ...]:
        """Positions of the events, parents before their children, frequent events first."""
        found = by_progression(self.events, self.fit.counts.frequency, self.fit.model)
        return tuple(int(event) for event in found)

    @cached_property
    def edges(self) -> tuple[AssessedEdge, ...]:
        """All edges, those from the root too, parents before their children."""
        return tuple(
            self._assessed(parent, child)
            for child in self.sequence
            for parent in self.parents_or_root(child)
        )

    @property
    def placed_edges(self) -> list[AssessedEdge]:
        """The edges of the events that could be placed, those from the root too."""
        return [edge for edge in self.edges if edge.parent != UNDETERMINED]

    def edge_name(self, edge: AssessedEdge) -> Sentence:
        """Return an edge in words."""
        parent = self.names[edge.parent] if edge.between_events else "the root"
        return phrase("{parent} to {child}", parent=parent, child=self.names[edge.child])

    @cached_property
    def remarks(self) -> tuple[Sentence, ...]:
        """Why each event has the parents it has."""
        return tuple(sentence(fact, names_of(self.events)) for fact in self.fit.remarks())

    @property
    def constant(self) -> tuple[bool, ...]:
        """Whether each event is in none or in all of the samples, so that it cannot be placed."""
        counts = self.fit.counts
        return tuple((counts.never | counts.always).tolist())

    @cached_property
    def adjacency(self) -> BoolArray:
        """Whether i is a parent of j, for every pair i, j."""
        return np.asarray(self.fit.model.adjacency())

    @cached_property
    def names(self) -> tuple[Event, ...]:
        """The events as they are shown."""
        return tuple(map(names_of(self.events), self.events))

    def parents_of(self, event: int) -> tuple[int, ...]:
        """Return the positions of the parents of an event."""
        return tuple(np.flatnonzero(self.adjacency[:, event]).tolist())

    def parents_or_root(self, event: int) -> tuple[int, ...]:
        """Return the parents of an event: ROOT if there is none, or UNDETERMINED."""
        if self.constant[event]:
            return (UNDETERMINED,)
        return self.parents_of(event) or (ROOT,)

    def parent_name(self, parent: int) -> Sentence:
        """Return the name of a parent, which may be ROOT or UNDETERMINED."""
        if parent == UNDETERMINED:
            return ("not determined",)
        return ("root",) if parent == ROOT else (self.names[parent],)

    def differences(self, one: Parents, other: Parents) -> Sentence:
        """Return the parents in which a model differs from another."""
        found = [
            self._with_parents(event, one[event])
            for event in self.sequence
            if one[event] != other[event]
        ]
        return listed(found, separator="; ", most=_MOST_DIFFERENCES) or ("none",)

    def _with_parents(self, event: int, parents: Sequence[int]) -> Sentence:
        """Return the sentence that an event has these parents; none stand for the root."""
        if tuple(parents) == (UNDETERMINED,):
            return phrase("{event} is not determined", event=self.names[event])
        return phrase(
            "{event} has {noun} {parents}",
            event=self.names[event],
            noun="parent" if len(parents) < 2 else "parents",
            parents=listed([self.parent_name(parent) for parent in parents or (ROOT,)]),
        )

    def _assessed(self, parent: int, child: int) -> AssessedEdge:
        row = int(vote_rows(np.array(parent), len(self.events)))
        share, interval = float(self.support.matrix[row, child]), self.support.interval(row, child)
        return AssessedEdge(parent, child, share, interval, self._p_values.get((parent, child), {}))

    @cached_property
    def _p_values(self) -> Mapping[tuple[int, int], Mapping[str, float]]:
        """The adjusted p-values of each edge, by the name of the test."""
        if self.tests is None:
            return {}
        adjusted = self.tests.adjusted()
        return {
            (self.events.index(parent), self.events.index(child)): {
                test: float(values[k]) for test, values in adjusted.items()
            }
            for k, (parent, child) in enumerate(self.tests.edges)
        }
