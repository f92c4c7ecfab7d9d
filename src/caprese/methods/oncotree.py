"""Oncotrees: trees by Desper's weight, searched as Szabo or as Edmonds do."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese._core.facts import Fact
from caprese.data import scores
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.fitting.recovery import Inferred, NoiseOption, clean_counts, infer
from caprese.fitting.structure import (
    EQUAL,
    best_candidates,
    best_parents,
    maximum_branching,
    over_batch,
)
from caprese.kernels.functions import exp, log
from caprese.kernels.pairwise_parents import szabo_parents
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
from caprese.methods.parameters import Parameters, noise_option, one_word, option
from caprese.models.forest import ROOT, Forest

TreeSearch = Literal["szabo", "branching"]


@dataclass(frozen=True, eq=False)
class OncotreeEvidence(ReasonedEvidence):
    """Why the oncotree gave each event its parent."""

    weight: FloatArray  #: Desper's weight of equation 2, a logarithm; parent row, child column.
    root_weight: FloatArray  #: The same of the root as the parent.
    #: Which events may be parents: for Szabo's search the strictly more frequent ones, for the
    #: branching all that were ever seen together; parent row, child column.
    admissible: BoolArray
    reasons: tuple[Reason, ...]  #: Why each event has the parent it has.

    def __post_init__(self) -> None:
        n = len(self.reasons)
        freeze_arrays(self, weight=(n, n), root_weight=(n,), admissible=(n, n))

    def columns(self, forest: Forest) -> dict[str, FloatArray]:
        """Return the log weight of each edge; those of the root included."""
        return {"weight": of_parents(self.weight, forest, self.root_weight)}

    def pair_scores(self) -> PairScores:
        """Return the weight of every pair."""
        return PairScores("weight", self.weight, self.admissible, self.root_weight)

    def remark(self, event: int, reason: Reason, counts: Counts, forest: Forest) -> Fact:
        """Return why an event has the parent it has."""
        admissible = self.admissible[:, event]
        best = best_candidates(exp(self.weight[:, [event]]), admissible[:, None])[:, 0]
        names = names_of(counts, best)
        match reason:
            case Reason.EDGE | Reason.FILTERED if not self._is_heaviest(event, forest, best):
                return Fact("heaviest tree", names)
            case Reason.EDGE:
                return Fact("heaviest parent", values={"candidates": int(admissible.sum())})
            case Reason.FILTERED:
                return Fact("heavier root", names)
            case Reason.TIED:
                return Fact("equal weights", names)
            case _:
                return Fact(str(reason))

    def _is_heaviest(self, event: int, forest: Forest, best: BoolArray) -> bool:
        """Whether no admissible parent alone would weigh more than the one chosen."""
        parent = forest.parents[event]
        if parent != ROOT:
            return bool(best[parent])
        others = self.weight[self.admissible[:, event], event]
        return bool(self.root_weight[event] >= others.max(initial=-np.inf))


@dataclass(frozen=True, kw_only=True)
class Oncotree(Parameters):
    """Infer an oncogenetic tree by Desper's weight, which measures correlation.

    Parameters
    ----------
    search
        ``"szabo"``: each event takes the heaviest parent among the strictly more frequent events
        and the root, as the program of Szabo does. ``"branching"``: the tree of maximal total
        weight, as Desper defines it.
    noise
        Error rates to allow for; ``"estimate"`` finds them by maximum likelihood.

    Examples
    --------
    >>> from caprese.data.datasets import ovarian
    >>> Oncotree().fit(ovarian()).model.edges
    (('8q+', '3q+'), ('5q-', '4q-'), ('5q-', '8p-'), ('8p-', 'Xp-'))

    References
    ----------
    Desper et al. (1999), Journal of Computational Biology 6:37-51. Szabo and Boucher (2002),
    Mathematical Biosciences 176:219-236.
    """

    search: TreeSearch = option(
        "szabo",
        "Which tree: szabo (heaviest more frequent parent) or branching (heaviest tree).",
        one_word(*get_args(TreeSearch)),
    )
    noise: NoiseOption = noise_option()

    @property
    def counts_suffice(self) -> bool:
        """Whether `infer_parents` can stand in for `fit`."""
        return self.noise != "estimate"

    def fit(self, data: Dataset) -> OrderedFit[Forest, OncotreeEvidence]:
        """Infer the forest of a data set; a frame or a 0/1 array is taken for one."""
        data = Dataset.of(data)
        inferred = infer(self._parents, self.noise, data)
        return inferred_fit(self, inferred, self._evidence(inferred), data)

    def infer_parents(self, counts: Counts) -> IntArray:
        """Return the parents alone, for a whole batch of counts at once."""
        return self._parents(clean_counts(counts, self.noise))

    def pair_score(self, counts: scores.PairCounts, _evidence: OncotreeEvidence) -> FloatArray:
        """Return Desper's weight, before its logarithm."""
        return scores.desper(counts)

    def _parents(self, counts: Counts) -> IntArray:
        if self.search == "branching":
            return maximum_branching(*_log_weights(counts))[0]
        if counts.joint.ndim > 2:
            return over_batch(szabo_parents, counts)
        weight, admissible = scores.desper(counts), _admissible(counts)
        heaviest = np.where(admissible, weight, 0.0).max(axis=-2)
        outweighed = scores.desper_root(counts) >= heaviest - EQUAL
        return np.where(outweighed, ROOT, best_parents(weight, admissible))

    def _evidence(self, inferred: Inferred) -> OncotreeEvidence:
        counts, parents = inferred.clean, inferred.forest.parents
        weight, root_weight = _log_weights(counts)
        if self.search == "branching":
            admissible = np.isfinite(weight) & ~np.eye(len(parents), dtype=bool)
            tied = maximum_branching(weight, root_weight)[1]
        else:
            admissible = _admissible(counts)
            heaviest = np.where(admissible, exp(weight), 0.0).max(axis=0)
            tied = np.asarray(heaviest >= exp(root_weight) - EQUAL)
        alone = np.asarray(~admissible.any(axis=0))
        reasons = first_reason(
            (inferred.hidden, Reason.NOISE),
            (counts.never, Reason.NEVER),
            (counts.always, Reason.ALWAYS),
            (parents != ROOT, Reason.EDGE),
            (alone, Reason.NO_PARENT),
            (tied, Reason.TIED),
            (parents == ROOT, Reason.FILTERED),
        )
        return OncotreeEvidence(weight, root_weight, admissible, reasons)


def _admissible(counts: Counts) -> BoolArray:
    """Szabo's candidates: the strictly more frequent events, but none that is always there."""
    return scores.temporal_priority(counts) & (counts.first < counts.total)


def _log_weights(counts: Counts) -> tuple[FloatArray, FloatArray]:
    """Return the weights of equation 2, of the events and of the root as parents.

    An event that is always there would weigh the same as the root; it is no parent.
    """
    weight = np.where(counts.first < counts.total, scores.desper(counts), 0.0)
    root_weight = np.where(counts.known > 0, scores.desper_root(counts), 1.0)
    return log(weight), log(root_weight)
