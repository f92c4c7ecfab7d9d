"""Methods of one's own, one for each kind of model; none of them is registered."""

from dataclasses import dataclass, replace

import numpy as np

from caprese import (
    Caprese,
    ConditionalDag,
    ConjunctiveDag,
    Counts,
    Dataset,
    Fit,
    Hazards,
    Independence,
    OrderedFit,
    TimedForest,
    TimedPoset,
)
from caprese.extend import Fact, PairScores, Reason, estimate, frequencies, option, whole_number


@dataclass(frozen=True)
class Plain:
    """Evidence with a reason for each event and nothing else."""

    reasons: tuple[Reason, ...]

    def columns(self, _model):
        return {}

    def notes(self):
        return (Fact("made up", values={"by": "hand"}),)

    def remarks(self, _counts, _model):
        return tuple(Fact(str(reason)) for reason in self.reasons)


@dataclass(frozen=True)
class Scored(Plain):
    """Evidence with a score of every pair, under a name that nothing else knows."""

    def pair_scores(self):
        n = len(self.reasons)
        return PairScores("own score", np.eye(n), ~np.eye(n, dtype=bool))


@dataclass(frozen=True)
class NoEvidence:
    """Evidence of a model without an order."""

    def notes(self):
        return ()


def by_rarity(counts: Counts) -> list[int]:
    """The events, the rarest first."""
    events = range(len(counts.events))
    return sorted(events, key=lambda e: (-counts.present[e], counts.events[e]))[::-1]


def chain_of_sets(counts: Counts) -> tuple[tuple[int, ...], ...]:
    """Each event waits for the two most frequent ones."""
    order = by_rarity(counts)[::-1]
    parents: list[tuple[int, ...]] = [()] * len(order)
    for event in order[2:]:
        parents[event] = (order[0], order[1])
    return tuple(parents)


def ordered(method, data, model):
    reasons = tuple(Reason.EDGE if own.any() else Reason.NO_PARENT for own in model.adjacency().T)
    return OrderedFit.of(method, model, Plain(reasons), data)


@dataclass(frozen=True, kw_only=True)
class OwnForest:
    """The forest of CAPRESE, by a method that needs the samples, with a score of its own."""

    depth: int = option(1, "Means nothing.", whole_number())

    def fit(self, data: Dataset) -> OrderedFit:
        found = ordered(self, data, Caprese().fit(data).model)
        return replace(found, evidence=Scored(found.evidence.reasons))


@dataclass(frozen=True, kw_only=True)
class OwnDag:
    """A conjunctive DAG."""

    def fit(self, data: Dataset) -> OrderedFit:
        parents = chain_of_sets(Counts.of(data))
        return ordered(self, data, ConjunctiveDag(data.events, parents, np.full(len(parents), 0.5)))


@dataclass(frozen=True, kw_only=True)
class OwnTables:
    """A DAG with conditional tables, in which the rarest event follows a pattern."""

    def fit(self, data: Dataset) -> OrderedFit:
        counts = Counts.of(data)
        rarest, *others = by_rarity(counts)
        parents = [
            above if event != rarest else () for event, above in enumerate(chain_of_sets(counts))
        ]
        gates = [
            (0,) if event == rarest and len(others) > 1 else () for event in range(len(parents))
        ]
        names = ", ".join(f'"{data.events[event]}"' for event in others[-2:])
        formulas = (f"either = XOR({names})",) if any(gates) else ()
        tables = [(0.5,) * 2 ** (len(a) + len(g)) for a, g in zip(parents, gates, strict=True)]
        dag = ConditionalDag(data.events, tuple(parents), tuple(tables), formulas, tuple(gates))
        return ordered(self, data, estimate(dag, data).model)


@dataclass(frozen=True, kw_only=True)
class OwnPoset:
    """A timed poset."""

    def fit(self, data: Dataset) -> OrderedFit:
        parents = chain_of_sets(Counts.of(data))
        return ordered(self, data, TimedPoset(data.events, parents, np.ones(len(parents))))


@dataclass(frozen=True, kw_only=True)
class OwnTimedForest:
    """The forest of CAPRESE with waiting times."""

    def fit(self, data: Dataset) -> OrderedFit:
        forest = Caprese().fit(data).model
        return ordered(self, data, TimedForest(data.events, forest.parents, forest.edge_rates()))


@dataclass(frozen=True, kw_only=True)
class OwnFrequencies:
    """A model without edges."""

    def fit(self, data: Dataset) -> Fit[Independence, NoEvidence]:
        return Fit.of(self, frequencies(data), NoEvidence(), data)


@dataclass(frozen=True, kw_only=True)
class OwnHazards:
    """A model without edges, in which each event makes all others twice as fast."""

    def fit(self, data: Dataset) -> Fit[Hazards, NoEvidence]:
        effects = 2.0 - np.eye(len(data.events))
        model = Hazards(data.events, frequencies(data).frequencies / 2, effects)
        return Fit.of(self, model, NoEvidence(), data)


ORDERED = (OwnForest(), OwnDag(), OwnTables(), OwnPoset(), OwnTimedForest())
KINDS = (*ORDERED, OwnFrequencies(), OwnHazards())
