"""Nesting, an example of a new method: the parent of an event is the rarest event that contains it.

Explained in docs/methods/adding.md.
"""

from dataclasses import dataclass

import numpy as np

from caprese import ROOT, Counts, Dataset, Forest, OrderedFit
from caprese.extend import (
    BoolArray,
    Fact,
    FloatArray,
    IntArray,
    PairCounts,
    PairScores,
    Reason,
    ReasonedEvidence,
    best_parents,
    check_parameters,
    first_reason,
    forest_from_parents,
    number,
    of_parents,
    option,
    temporal_priority,
)

ROUNDING = 1e-12  # relative error of a product of two numbers, and more


@dataclass(frozen=True, eq=False)
class NestingEvidence(ReasonedEvidence):
    """Why each event has its parent; matrices are parent row, child column."""

    lift: FloatArray
    admissible: BoolArray
    reasons: tuple[Reason, ...]

    def columns(self, forest: Forest) -> dict[str, FloatArray]:
        """Return the lift of each edge; NaN at the root."""
        return {"lift": of_parents(self.lift, forest)}

    def pair_scores(self) -> PairScores:
        """Return the lift of every pair, for pictures and for tests of edges."""
        return PairScores("lift", self.lift, self.admissible)

    def remark(self, event: int, reason: Reason, _counts: Counts, _forest: Forest) -> Fact:
        """Return why an event has its parent."""
        if reason is not Reason.EDGE:
            return Fact(str(reason))
        return Fact("best score", values={"candidates": int(self.admissible[:, event].sum())})


@dataclass(frozen=True, kw_only=True)
class Nesting:
    """The parent of an event is the rarest of the more frequent events that contain its samples."""

    share: float = option(
        1.0, "Share of an event's samples that must carry its parent.", number(0, 1, "(]")
    )

    counts_suffice = True

    def __post_init__(self) -> None:
        check_parameters(self)

    def fit(self, data: Dataset) -> OrderedFit[Forest, NestingEvidence]:
        """Infer the forest of a data set."""
        data = Dataset.of(data)  # frames and arrays, too
        counts = Counts.of(data)
        parents, admissible = self.infer_parents(counts), self._admissible(counts)
        reasons = first_reason(
            (counts.never, Reason.NEVER),
            (counts.always, Reason.ALWAYS),
            (parents != ROOT, Reason.EDGE),
            (~admissible.any(axis=0), Reason.NO_PARENT),
            (parents == ROOT, Reason.TIED),
        )
        evidence = NestingEvidence(_lift(counts), admissible, reasons)
        return OrderedFit.of(self, forest_from_parents(counts, parents), evidence, data)

    def infer_parents(self, counts: Counts) -> IntArray:
        """Return the parent of each event, for a whole batch of counts at once."""
        return best_parents(_lift(counts), self._admissible(counts))

    def pair_score(self, counts: PairCounts, _evidence: NestingEvidence) -> FloatArray:
        """Return the score of any counts, for the permutation test of edges."""
        return _lift(counts)

    def _admissible(self, counts: Counts) -> BoolArray:
        contains = counts.joint >= self.share * counts.second * (1 - ROUNDING)
        seen = (counts.second > 0) & (counts.first < counts.total)
        return np.asarray(temporal_priority(counts) & contains & seen)


def _lift(counts: PairCounts) -> FloatArray:
    """Return P(i, j) / (P(i) P(j)): of the events i that contain j, the rarest has the largest."""
    chance = counts.first * counts.second
    return np.where(chance > 0, counts.joint * counts.total / np.maximum(chance, 1e-300), 0.0)
