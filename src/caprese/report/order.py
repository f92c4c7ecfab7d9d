"""An order of events with the evidence for and against each of its edges."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray
from caprese._core.significance import LEVEL, SIGNIFICANT, SURE, WEAK
from caprese.assessment.confidence import (
    UNDETERMINED,
    Confidence,
    Parents,
    monte_carlo_interval,
    vote_rows,
)
from caprese.assessment.edge_tests import EdgeTests
from caprese.methods.evidence import PosteriorEvidence
from caprese.methods.fit import OrderedFit
from caprese.models.base import parent_sets
from caprese.models.forest import ROOT
from caprese.plots.layout.sorting import by_progression
from caprese.report.content import Sure
from caprese.text.facts import names_of, sentence
from caprese.text.sentences import Event, Piece, Sentence, listed, phrase

_BOOTSTRAP = {
    "highest": "The {best} edge between events is from {edge}: it was found in {share} of "
    "{replicates} [replicate|replicates] of the data{but}.",
    "best": "best supported",
    "lowest": "The least supported edge of all is from {edge}, with {share}: {verdict}.",
    "contradicted": "most replicates contradict it",
    "reading": "The number on an edge, and its width, show the [support]: the share of "
    "{replicates} [replicate|replicates] of the data in which the edge was found.",
    "picture": "The [progression] with its support.",
    "edges": "The [support] shows whether other samples would have given the same edge.",
    "caption": "The columns before the support describe the child; below the support is its "
    "[interval].",
    "all above": "every edge was found in at least {share} of the replicates",
    "no other parent": "No event had another parent in {share} or more of the "
    "[replicate|replicates].",
    "other parents": "These [event|events] had another parent in {share} or more of the "
    "[replicate|replicates].",
    "other parents column": "other parents in replicates",
}
_POSTERIOR = {
    "highest": "The {best} edge between events is from {edge}: its "
    "[posterior|posterior probability] is {share}{but}.",
    "best": "most probable",
    "lowest": "The least probable edge of all is from {edge}, with {share}: {verdict}.",
    "contradicted": "all other parents together are more probable",
    "reading": "The number on an edge, and its width, show its [posterior|posterior probability]. "
    "Faint dashed lines lead from other parents that are possible.",
    "picture": "The most probable [progression], with the probability of each edge.",
    "edges": "The [posterior] is the probability of the edge, given the data and the model; no "
    "bootstrap and no test is needed.",
    "caption": "The columns before the posterior describe the child.",
    "all above": "every edge has a posterior probability of at least {share}",
    "no other parent": "No event has another parent with a [posterior|posterior probability] of "
    "{share} or more.",
    "other parents": "These [event|events] have another parent with a "
    "[posterior|posterior probability] of {share} or more.",
    "other parents column": "other parents",
}
_BOTH = {
    "low": "of {number} the {name} is below {share}",
    "all pairs": "The {name} of every possible [edge]; the edges of the progression are outlined.",
    "percentages": "Percentages are the {name} of the other parents.",
}
_NAMES = {"support": "[support]", "posterior": "[posterior|posterior probability]"}
_MOST_DIFFERENCES = 8  # between two models that are listed


@dataclass(frozen=True, eq=False)
class EdgeSupport:
    """A number for every edge that is possible, what it rests on, and what it is called."""

    name: str  # title of its column, and its term in the glossary
    matrix: FloatArray  # by parent and child; then rows for the root, and for not being placed
    intervals: tuple[FloatArray, FloatArray] | None  # lower and upper ends, if there are any
    number: int  # of replicates or draws
    noun: str
    words: Mapping[str, str]  # templates of sentences that depend on what the number means

    def say(self, key: str, **parts: Piece | Sentence) -> Sentence:
        """Return the sentence of this key."""
        template = self.words.get(key) or _BOTH[key]
        return phrase(template, name=phrase(_NAMES[self.name]), **parts)


def _bootstrap_support(found: Confidence) -> EdgeSupport:
    low, high = monte_carlo_interval(found.votes, found.replicates, LEVEL)
    rests = (found.replicates, "replicate")
    return EdgeSupport("support", found.support, (low, high), *rests, _BOOTSTRAP)


def _posterior_support(evidence: PosteriorEvidence, constant: BoolArray) -> EdgeSupport:
    """Return the posterior probability of each edge; none of events that are constant."""
    probabilities = np.where(constant, 0.0, evidence.parent_probabilities)
    matrix = np.vstack([probabilities, constant.astype(float)])
    draws = evidence.diagnostics.draws
    return EdgeSupport("posterior", matrix, None, draws, "draw", _POSTERIOR)


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
    """A fit of a model with an order, and how far to trust each of its edges."""

    fit: OrderedFit[Any, Any]
    confidence: Confidence | None = None  # None if the evidence is a posterior
    requested: int | None = None  # replicates, of which an interrupted bootstrap has fewer
    tests: EdgeTests | None = None  # of the edges, if they were made
    refuted: bool = False  # whether methods were judged, and none supports an order

    @cached_property
    def support(self) -> EdgeSupport:
        """How far to trust each edge: the support by replicates, or a posterior probability."""
        if self.confidence is not None:
            return _bootstrap_support(self.confidence)
        return _posterior_support(self.fit.evidence, self._constant)

    @property
    def events(self) -> tuple[str, ...]:
        """The names of the events."""
        return tuple(self.fit.model.events)

    @cached_property
    def names(self) -> tuple[Event, ...]:
        """The events as they are shown."""
        return tuple(map(names_of(self.events), self.events))

    @cached_property
    def remarks(self) -> tuple[Sentence, ...]:
        """Why each event has the parents it has."""
        return tuple(sentence(fact, names_of(self.events)) for fact in self.fit.remarks())

    @cached_property
    def sequence(self) -> tuple[int, ...]:
        """Positions of the events, parents before their children, frequent events first."""
        found = by_progression(self.events, self.fit.counts.frequency, self.fit.model)
        return tuple(int(event) for event in found)

    @cached_property
    def parents(self) -> Parents:
        """Positions of the parents of each event."""
        return parent_sets(self.fit.model.adjacency())

    @property
    def _constant(self) -> BoolArray:
        """Whether each event is in none or in all of the samples, so that it cannot be placed."""
        return np.asarray(self.fit.counts.never | self.fit.counts.always)

    def parents_or_root(self, event: int) -> tuple[int, ...]:
        """Return the parents of an event: ROOT if there is none, or UNDETERMINED."""
        if self._constant[event]:
            return (UNDETERMINED,)
        return self.parents[event] or (ROOT,)

    def parent_name(self, parent: int) -> Sentence:
        """Return the name of a parent, which may be ROOT or UNDETERMINED."""
        if parent == UNDETERMINED:
            return ("not determined",)
        return ("root",) if parent == ROOT else (self.names[parent],)

    @cached_property
    def edges(self) -> tuple[AssessedEdge, ...]:
        """All edges, those from the root too, parents before their children."""
        return tuple(
            self._assessed(parent, child)
            for child in self.sequence
            for parent in self.parents_or_root(child)
        )

    @property
    def sure(self) -> Sure:
        """How sure the edges are, all together."""
        edges = self.placed_edges
        if self.refuted:
            return Sure.NO
        if edges and all(edge.sure for edge in edges):
            return Sure.YES
        uncertain = sum(edge.uncertain for edge in edges)
        return Sure.NO if 2 * uncertain > len(edges) or not edges else Sure.PARTLY

    @property
    def placed_edges(self) -> list[AssessedEdge]:
        """The edges of the events that could be placed, those from the root too."""
        return [edge for edge in self.edges if edge.parent != UNDETERMINED]

    def _assessed(self, parent: int, child: int) -> AssessedEdge:
        place = int(vote_rows(np.array(parent), len(self.events))), child
        ends, p_values = self.support.intervals, self._p_values.get((parent, child), {})
        interval = None if ends is None else (float(ends[0][place]), float(ends[1][place]))
        return AssessedEdge(parent, child, float(self.support.matrix[place]), interval, p_values)

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

    def edge_name(self, edge: AssessedEdge) -> Sentence:
        """Return an edge in words."""
        parent = self.names[edge.parent] if edge.between_events else "the root"
        return phrase("{parent} to {child}", parent=parent, child=self.names[edge.child])

    def differences(self, one: Parents, other: Parents) -> Sentence:
        """Return the parents in which a model differs from another."""
        found = [
            self._with_parents(event, one[event])
            for event in self.sequence
            if one[event] != other[event]
        ]
        return listed(found, separator="; ", most=_MOST_DIFFERENCES) or ("none",)

    def _with_parents(self, event: int, parents: tuple[int, ...]) -> Sentence:
        """Return the sentence that an event has these parents; none stand for the root."""
        if parents == (UNDETERMINED,):
            return phrase("{event} is not determined", event=self.names[event])
        return phrase(
            "{event} has {noun} {parents}",
            event=self.names[event],
            noun="parent" if len(parents) < 2 else "parents",
            parents=listed([self.parent_name(parent) for parent in parents or (ROOT,)]),
        )
