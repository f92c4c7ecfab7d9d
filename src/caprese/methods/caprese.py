"""CAPRESE: trees by probability raising and shrinkage (Algorithm 1 of the paper)."""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese._core.facts import Fact
from caprese.data import scores
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.errors import ParameterError
from caprese.fitting.priority import SeenPriority, edges_of_cycles
from caprese.fitting.recovery import Inferred, NoiseOption, clean_counts, infer
from caprese.fitting.shrinkage_choice import ShrinkageChoice, choose_shrinkage
from caprese.fitting.structure import best_candidates, best_parents, over_batch
from caprese.kernels.pairwise_parents import caprese_parents
from caprese.methods.evidence import (
    PairScores,
    Reason,
    ReasonedEvidence,
    first_reason,
    freeze_arrays,
    names_of,
    of_parents,
)
from caprese.methods.fit import OrderedFit, inferred_fit
from caprese.methods.parameters import (
    Parameters,
    noise_option,
    number,
    option,
    or_auto,
    whole_number,
)
from caprese.models.forest import ROOT, Forest
from caprese.models.noise import Noise


@dataclass(frozen=True, eq=False)
class CapreseEvidence(ReasonedEvidence):
    """Why CAPRESE gave each event its parent; matrices are parent row, child column."""

    probability_raising: FloatArray  #: The raw estimate, alpha.
    correlation: FloatArray  #: The correction, beta.
    score: FloatArray  #: The shrinkage-like estimator m, which mixes the two.
    #: Which events may be parents: more frequent, or seen earlier, and with a positive score.
    admissible: BoolArray
    reasons: tuple[Reason, ...]  #: Why each event has the parent it has.
    #: The shrinkage that was chosen for the data, and why; None if it was given.
    choice: ShrinkageChoice | None = None
    #: Whether seen orders say that i comes before j; None if frequencies alone were compared.
    seen: BoolArray | None = field(default=None, metadata={"optional": True})

    def __post_init__(self) -> None:
        matrices = ["probability_raising", "correlation", "score", "admissible"]
        matrices += [] if self.seen is None else ["seen"]
        freeze_arrays(self, **dict.fromkeys(matrices, (len(self.reasons),) * 2))

    def columns(self, forest: Forest) -> dict[str, FloatArray]:
        """Return the score of each edge; NaN at the root."""
        return {"score": of_parents(self.score, forest)}

    def pair_scores(self) -> PairScores:
        """Return the score of every pair."""
        return PairScores("score", self.score, self.admissible)

    def notes(self) -> tuple[Fact, ...]:
        """Return which shrinkage was chosen, and why, and how many pairs seen orders decided."""
        return (*self._chosen(), *self._seen())

    def _seen(self) -> tuple[Fact, ...]:
        if self.seen is None:
            return ()
        n = len(self.reasons)
        return (
            Fact(
                "priority by seen orders",
                values={"seen": int(self.seen.sum()), "pairs": n * (n - 1) // 2},
            ),
        )

    def _chosen(self) -> tuple[Fact, ...]:
        if self.choice is None:
            return ()
        mean = dict(zip(self.choice.grid.tolist(), self.choice.distance.tolist(), strict=True))
        values = {
            "shrinkage": self.choice.shrinkage,
            "replicates": self.choice.replicates,
            "distance": mean[self.choice.shrinkage],
            "distance at 0.01": mean[0.01],
            "distance at 0.5": mean[0.5],
        }
        return (Fact("shrinkage chosen", values=values),)

    def remark(self, event: int, reason: Reason, counts: Counts, _forest: Forest) -> Fact:
        """Return why an event has the parent it has."""
        admissible = self.admissible[:, event]
        best = names_of(counts, best_candidates(self.score[:, [event]], admissible[:, None]))
        match reason:
            case Reason.EDGE:
                return Fact("best score", values={"candidates": int(admissible.sum())})
            case Reason.TIED:
                return Fact("equal scores", best)
            case Reason.FILTERED:
                return Fact("independent root", best)
            case Reason.NO_PARENT if equal := self._equally_frequent(event, counts):
                return Fact("equally frequent", equal)
            case _:
                return Fact(str(reason))

    def _equally_frequent(self, event: int, counts: Counts) -> tuple[str, ...]:
        equal = (counts.frequency == counts.frequency[event]) & (self.score[:, event] > 0)
        return names_of(counts, equal & (np.arange(len(equal)) != event))


@dataclass(frozen=True, kw_only=True, repr=False)
class Caprese(Parameters):
    """Infer a forest by probability raising, with a shrinkage-like estimator against noise.

    Parameters
    ----------
    shrinkage
        The paper's lambda, in [0, 1]: near 0 for data without errors (0.01), 0.5 for noisy data;
        ``"auto"`` chooses it by simulations of the data at hand.
    noise
        Error rates to allow for; ``"estimate"`` finds them by maximum likelihood.
    orders_at_least
        Where the order of two events was seen in at least so many samples, with a confidence of at
        least 0.9, the majority of these says which came first, in place of the frequencies. None:
        seen orders are not used.

    Examples
    --------
    >>> from caprese.data.datasets import ovarian
    >>> Caprese(shrinkage=0.5).fit(ovarian()).model.edges
    (('8q+', '3q+'), ('5q-', '4q-'), ('8q+', '8p-'), ('8p-', 'Xp-'))

    References
    ----------
    Olde Loohuis et al. (2014), PLoS ONE 9(10): e108358; Algorithm 1.
    """

    shrinkage: float | Literal["auto"] = option(
        0.5,
        "Balance of probability raising (0) and correlation (1): 0.01 for error-free data, 0.5 "
        "for noisy data, or the word auto to choose it for the data at hand.",
        or_auto(number(0, 1)),
    )
    noise: NoiseOption = noise_option()
    orders_at_least: int | None = option(
        None,
        "Samples in which the order of two events must have been seen to count, in place of their "
        "frequencies.",
        whole_number(1),
        later=True,
    )

    @property
    def counts_suffice(self) -> bool:
        """Whether `infer_parents` can stand in for `fit`."""
        chosen = self.noise == "estimate" or self.shrinkage == "auto"
        return not (chosen or self.uses_orders)

    @property
    def uses_orders(self) -> bool:
        """Whether a fit learns from seen orders."""
        return self.orders_at_least is not None

    def fit(self, data: Dataset) -> OrderedFit[Forest, CapreseEvidence]:
        """Infer the forest of a data set; a frame or a 0/1 array is taken for one."""
        data = Dataset.of(data)
        choice = self._choice(data) if self.shrinkage == "auto" else None
        chosen = self if choice is None else replace(self, shrinkage=choice.shrinkage)
        seen = None
        if self.orders_at_least is not None and data.orders is not None:
            seen = SeenPriority.of(data.orders, self.orders_at_least)
        inferred = infer(partial(chosen._parents, seen=seen), self.noise, data)
        return inferred_fit(self, inferred, chosen._evidence(inferred, choice, seen), data)

    def infer_parents(self, counts: Counts) -> IntArray:
        """Return the parents alone, for a whole batch of counts at once."""
        return self._parents(clean_counts(counts, self.noise))

    def pair_score(self, counts: scores.PairCounts, evidence: CapreseEvidence) -> FloatArray:
        """Return the shrinkage-like estimator, with the shrinkage that was given or chosen."""
        chosen = evidence.choice
        return scores.shrinkage(counts, self._given() if chosen is None else chosen.shrinkage)

    def _given(self) -> float:
        if self.shrinkage == "auto":
            raise ParameterError("shrinkage", "a number: counts cannot choose it", "auto")
        return float(self.shrinkage)

    def _choice(self, data: Dataset) -> ShrinkageChoice:
        known = self.noise if isinstance(self.noise, Noise) else None

        def rule(counts: Counts, shrinkage: float) -> IntArray:
            return Caprese(shrinkage=shrinkage, noise=known).infer_parents(counts)

        return choose_shrinkage(rule, data, known)

    def _parents(self, counts: Counts, seen: SeenPriority | None = None) -> IntArray:
        """Algorithm 1: score, best admissible parent, filter."""
        if counts.joint.ndim > 2:
            return over_batch(caprese_parents, counts, self._given())
        score = scores.shrinkage(counts, self._given())
        parents = best_parents(score, _admissible(counts, score, seen))
        return np.where(_independent(counts, seen), ROOT, parents)

    def _evidence(
        self, inferred: Inferred, choice: ShrinkageChoice | None, seen: SeenPriority | None
    ) -> CapreseEvidence:
        counts, parents = inferred.clean, inferred.forest.parents
        raising, correlation = scores.probability_raising(counts), scores.correlation(counts)
        score = scores.mixture(raising, correlation, self._given())
        admissible = _admissible(counts, score, seen)
        reasons = first_reason(
            (inferred.hidden, Reason.NOISE),
            (counts.never, Reason.NEVER),
            (counts.always, Reason.ALWAYS),
            (parents != ROOT, Reason.EDGE),
            (~admissible.any(axis=0), Reason.NO_PARENT),
            (_independent(counts, seen), Reason.FILTERED),
            (parents == ROOT, Reason.TIED),
        )
        earlier = None if seen is None else seen.earlier
        return CapreseEvidence(raising, correlation, score, admissible, reasons, choice, earlier)


def _earlier(counts: Counts, seen: SeenPriority | None) -> BoolArray:
    return scores.temporal_priority(counts) if seen is None else seen.over_frequency(counts)


def _admissible(counts: Counts, score: FloatArray, seen: SeenPriority | None) -> BoolArray:
    """Step 3, which events may be parents: prima facie causes of the child.

    With seen orders, without those that would close a cycle.
    """
    causes = (score > 0) & _earlier(counts, seen)
    if seen is None:
        return causes
    followed = causes & ~_independent(counts, seen)
    return causes & ~edges_of_cycles(score, followed, seen.decided)


def _independent(counts: Counts, seen: SeenPriority | None) -> BoolArray:
    """Step 4: whether the root outweighs every more frequent event x as the parent of j.

    1 / (1 + P(j)) > P(x) / (P(x) + P(j)) P(x, j) / (P(x) P(j)), multiplied out, so that whole
    numbers are compared. An event that is always there says nothing of j, nor does one that is
    only known where j is absent; they are not compared.
    """
    telling = (counts.first < counts.total) & (counts.second > 0)
    comparable = _earlier(counts, seen) & telling
    root = counts.second * (counts.first + counts.second)
    outweighed = root > counts.joint * (counts.total + counts.second)
    if seen is not None:
        outweighed = np.where(seen.decided, seen.outweighed(counts), outweighed)
    return np.asarray((outweighed | ~comparable).all(-2))
