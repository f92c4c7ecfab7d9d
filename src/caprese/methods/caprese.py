"""CAPRESE: trees by probability raising and shrinkage (Algorithm 1 of the paper)."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese._core.facts import Fact
from caprese.data import scores
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.errors import ParameterError
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
from caprese.methods.parameters import Parameters, noise_option, number, option, or_auto
from caprese.models.forest import ROOT, Forest
from caprese.models.noise import Noise


@dataclass(frozen=True, eq=False)
class CapreseEvidence(ReasonedEvidence):
    """Why CAPRESE gave each event its parent; matrices are parent row, child column."""

    probability_raising: FloatArray  #: The raw estimate, alpha.
    correlation: FloatArray  #: The correction, beta.
    score: FloatArray  #: The shrinkage-like estimator m, which mixes the two.
    admissible: BoolArray  #: Which events may be parents: more frequent, and with a positive score.
    reasons: tuple[Reason, ...]  #: Why each event has the parent it has.
    #: The shrinkage that was chosen for the data, and why; None if it was given.
    choice: ShrinkageChoice | None = None

    def __post_init__(self) -> None:
        matrices = ("probability_raising", "correlation", "score", "admissible")
        freeze_arrays(self, **dict.fromkeys(matrices, (len(self.reasons),) * 2))

    def columns(self, forest: Forest) -> dict[str, FloatArray]:
        """Return the score of each edge; NaN at the root."""
        return {"score": of_parents(self.score, forest)}

    def pair_scores(self) -> PairScores:
        """Return the score of every pair."""
        return PairScores("score", self.score, self.admissible)

    def notes(self) -> tuple[Fact, ...]:
        """Return which shrinkage was chosen, and why, if it was left to the data."""
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


@dataclass(frozen=True, kw_only=True)
class Caprese(Parameters):
    """Infer a forest by probability raising, with a shrinkage-like estimator against noise.

    Parameters
    ----------
    shrinkage
        The paper's lambda, in [0, 1]: near 0 for data without errors (0.01), 0.5 for noisy data;
        ``"auto"`` chooses it by simulations of the data at hand.
    noise
        Error rates to allow for; ``"estimate"`` finds them by maximum likelihood.

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

    @property
    def counts_suffice(self) -> bool:
        """Whether `infer_parents` can stand in for `fit`."""
        return self.noise != "estimate" and self.shrinkage != "auto"

    def fit(self, data: Dataset) -> OrderedFit[Forest, CapreseEvidence]:
        """Infer the forest of a data set; a frame or a 0/1 array is taken for one."""
        data = Dataset.of(data)
        choice = self._choice(data) if self.shrinkage == "auto" else None
        chosen = self if choice is None else replace(self, shrinkage=choice.shrinkage)
        inferred = infer(chosen._parents, self.noise, data)
        return inferred_fit(self, inferred, chosen._evidence(inferred, choice), data)

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

    def _parents(self, counts: Counts) -> IntArray:
        """Algorithm 1: score, best admissible parent, filter."""
        if counts.joint.ndim > 2:
            return over_batch(caprese_parents, counts, self._given())
        score = scores.shrinkage(counts, self._given())
        parents = best_parents(score, _admissible(counts, score))
        return np.where(_independent(counts), ROOT, parents)

    def _evidence(self, inferred: Inferred, choice: ShrinkageChoice | None) -> CapreseEvidence:
        counts, parents = inferred.clean, inferred.forest.parents
        raising, correlation = scores.probability_raising(counts), scores.correlation(counts)
        score = scores.mixture(raising, correlation, self._given())
        admissible = _admissible(counts, score)
        reasons = first_reason(
            (inferred.hidden, Reason.NOISE),
            (counts.never, Reason.NEVER),
            (counts.always, Reason.ALWAYS),
            (parents != ROOT, Reason.EDGE),
            (~admissible.any(axis=0), Reason.NO_PARENT),
            (_independent(counts), Reason.FILTERED),
            (parents == ROOT, Reason.TIED),
        )
        return CapreseEvidence(raising, correlation, score, admissible, reasons, choice)


def _admissible(counts: Counts, score: FloatArray) -> BoolArray:
    """Step 3, which events may be parents: prima facie causes of the child."""
    return (score > 0) & scores.temporal_priority(counts)


def _independent(counts: Counts) -> BoolArray:
    """Step 4: whether the root outweighs every more frequent event x as the parent of j.

    1 / (1 + P(j)) > P(x) / (P(x) + P(j)) P(x, j) / (P(x) P(j)), multiplied out, so that whole
    numbers are compared. An event that is always there says nothing of j, nor does one that is
    only known where j is absent; they are not compared.
    """
    telling = (counts.first < counts.total) & (counts.second > 0)
    comparable = scores.temporal_priority(counts) & telling
    root = counts.second * (counts.first + counts.second)
    return np.asarray(
        ((root > counts.joint * (counts.total + counts.second)) | ~comparable).all(-2)
    )
