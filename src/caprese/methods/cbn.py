"""CBN: the maximal poset that the genotypes allow (ct-CBN), with waiting times."""

from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, NumberArray
from caprese._core.facts import Fact
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.data.scores import temporal_priority
from caprese.fitting.estimated import convergence_field, convergence_notes
from caprese.fitting.poset_em import STEPS, fit_poset
from caprese.methods.evidence import (
    Reason,
    ReasonedEvidence,
    freeze_arrays,
    same_samples,
    searched_reasons,
)
from caprese.methods.fit import OrderedFit
from caprese.methods.parameters import Parameters, number, option
from caprese.models.base import parent_sets
from caprese.models.poset import Poset, TimedPoset
from caprese.models.states import check_lattice


@dataclass(frozen=True, eq=False)
class CBNEvidence(ReasonedEvidence):
    """Which samples contradict the order that was found."""

    #: ``against[i, j]``: how many samples carry j but not i, and so contradict i coming before j.
    against: NumberArray
    compatible: int  #: How many samples the poset allows.
    samples: int  #: Of how many.
    log_likelihood: float  #: Of those it allows.
    reasons: tuple[Reason, ...]  #: Why each event has the parents it has.
    converged: bool = convergence_field()  #: Whether the rates converged.

    def __post_init__(self) -> None:
        n = len(self.reasons)
        freeze_arrays(self, against=(n, n))

    def columns(self, poset: Poset) -> dict[str, FloatArray]:
        """Return how many samples contradict the parents of each event; NaN at the root."""
        own = np.where(poset.adjacency(), self.against, 0).sum(axis=0)
        followed = poset.adjacency().any(axis=0)
        return {"against": np.where(followed, own, np.nan)}

    def notes(self) -> tuple[Fact, ...]:
        """Return how many samples the poset allows."""
        values = {
            "compatible": self.compatible,
            "samples": self.samples,
            "log-likelihood": self.log_likelihood,
        }
        found = Fact("compatible samples", values=values)
        return (found, *convergence_notes(STEPS, converged=self.converged))

    def remark(self, event: int, reason: Reason, counts: Counts, poset: Poset) -> Fact:
        """Return why an event has the parents it has."""
        match reason:
            case Reason.EDGE:
                return Fact("rarely alone", values={"parents": len(poset.parent_sets[event])})
            case Reason.NO_PARENT:
                return Fact("seen alone")
            case Reason.TIED:
                return same_samples(counts, event)
            case _:
                return Fact(str(reason))


@dataclass(frozen=True, kw_only=True)
class CBN(Parameters):
    """Infer the maximal poset of a conjunctive Bayesian network without errors.

    An event comes before another if it is more frequent and few samples carry the other without
    it; all such relations together are the poset. The rates are those of highest
    likelihood for the samples that the poset allows. Up to 20 events.

    Parameters
    ----------
    tolerance
        Share of the samples that may contradict a relation, in [0, 1).

    Examples
    --------
    >>> from caprese.data.datasets import ovarian
    >>> CBN(tolerance=0.1).fit(ovarian()).model.edges
    (('8q+', '3q+'), ('8q+', '8p-'))

    References
    ----------
    Beerenwinkel et al. (2007), Bernoulli 13:893-909. Beerenwinkel and Sullivant (2009), Biometrika
    96:645-661.
    """

    tolerance: float = option(
        0.0, "Share of the samples that may contradict a relation.", number(0, 1, "[)")
    )

    def fit(self, data: Dataset) -> OrderedFit[TimedPoset, CBNEvidence]:
        """Infer the poset of a data set.

        Raises
        ------
        ModelError
            If there are more than 20 events.
        """
        data = Dataset.of(data)
        counts = Counts.of(data)
        poset = Poset(data.events, parent_sets(self.relations(counts)))
        allowed = data.take_samples(np.flatnonzero(_allowed(poset, data)))
        estimate = fit_poset(poset, allowed, error=0.0)
        evidence = CBNEvidence(
            counts.second - counts.joint,
            len(allowed.samples),
            len(data.samples),
            estimate.log_likelihood,
            searched_reasons(counts, poset, edges_first=True),
            estimate.converged,
        )
        return OrderedFit.of(self, estimate.model.poset, evidence, data, counts=counts)

    def cost(self, data: Dataset) -> float:
        """Return the seconds of one core of a fit: the sets of events that a poset allows."""
        check_lattice(len(data.events))
        return 0.005 + 1e-5 * 2.0 ** len(data.events)

    def relations(self, counts: Counts) -> BoolArray:
        """Return which event precedes which: rarely missing, more frequent, and neither constant.

        Being more frequent keeps the order free of cycles where a tolerance alone would not.
        """
        varies = ~(counts.never | counts.always)
        missed = counts.second - counts.joint
        return np.asarray(
            (missed <= self.tolerance * counts.total)
            & (counts.second > 0)
            & temporal_priority(counts)
            & np.logical_and.outer(varies, varies)
        )


def _allowed(poset: Poset, data: Dataset) -> BoolArray:
    """Whether each sample is compatible with the poset, as far as it is known."""
    maybe = data.values | ~data.known_mask
    result = np.ones(len(data.samples), dtype=bool)
    for parent, event in np.argwhere(poset.ancestors()):
        result &= maybe[:, parent] | ~data.values[:, event]
    return result
