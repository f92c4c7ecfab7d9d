"""What a method knows beyond its model: why events have their parents, scores, posteriors.

Each method has a type of evidence of its own. Code that needs more of it than notes asks for one of
the protocols declared here, never for the method.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, shaped
from caprese._core.facts import CHAINS_DISAGREE, Fact
from caprese.data.counts import Counts
from caprese.data.seen_orders import SeenOrders
from caprese.data.visits import Visits
from caprese.fitting.diagnostics import Diagnostics
from caprese.fitting.forest_em import RateIntervals
from caprese.fitting.subtypes import Subtype
from caprese.models.base import Order
from caprese.models.forest import ROOT, Forest
from caprese.models.noise import Noise
from caprese.models.timed_forest import TimedForest

_UNLIKELY = 0.05  # posterior probability below which another parent is not worth a word


class Reason(StrEnum):
    """Why an event has the parent it has."""

    EDGE = "edge"
    NO_PARENT = "no admissible parent"
    TIED = "tied"
    FILTERED = "filtered"
    NEVER = "never seen"
    ALWAYS = "always seen"
    NOISE = "no more than errors would show"
    OUTWEIGHED = "its likeliest parent comes after it"

    @property
    def decided(self) -> bool:
        """Whether the data determined the parents of the event."""
        return self in (Reason.EDGE, Reason.NO_PARENT, Reason.FILTERED)


class Evidence(Protocol):
    """What a method knows beyond its model; each method has a type of its own."""

    def notes(self) -> tuple[Fact, ...]:
        """Return what else is to be said of the fit."""


def chains_disagree(evidence: Any) -> bool:
    """Whether chains found different answers, so that edges that follow from them may be wrong."""
    return any(note.doubt == CHAINS_DISAGREE for note in evidence.notes())


@runtime_checkable
class OrderedEvidence(Evidence, Protocol):
    """What a method knows beyond an ordered model: why each event has its parents."""

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why each event has the parents it has."""

    def columns(self, model: Any, /) -> dict[str, FloatArray]:
        """Numbers to show beside each event, by name; NaN where there is none."""

    def remarks(self, counts: Counts, model: Any, /) -> tuple[Fact, ...]:
        """One fact for each event: why it has the parents it has."""


@dataclass(frozen=True)
class PairScores:
    """The score of every pair of events: parent row, child column.

    Parameters
    ----------
    name
        What the score is called.
    matrix
        The scores.
    admissible
        Which events may be parents.
    root
        The score of the root as the parent of each event; None if it has none.
    """

    name: str
    matrix: FloatArray
    admissible: BoolArray
    root: FloatArray | None = None


@dataclass(frozen=True)
class OrdersUsed:
    """How many seen orders of how many samples a fit has learnt from."""

    pairs: int
    samples: int

    @classmethod
    def of(cls, orders: SeenOrders | None) -> "OrdersUsed | None":
        """Return how many there are; None if there are none."""
        return None if orders is None else cls(len(orders), int(orders.ordered_samples().size))

    def note(self) -> Fact:
        """Return it as a note on the fit."""
        return Fact("seen orders used", values={"pairs": self.pairs, "samples": self.samples})


@dataclass(frozen=True)
class TimesUsed:
    """What a fit has learnt from the times of samples, and the unit of time of its model.

    Parameters
    ----------
    patients, series
        How many patients there are, and how many of them have several visits.
    visits, known
        How many visits there are, and before how many of them the elapsed time is known.
    left_out
        How many samples are in no history.
    mean_time
        The mean time until the first sample of a patient is taken, in the unit of the data: the
        unit in which models count time. None where no time is known.
    mean_gap
        The mean time between two samples of a patient, in the unit of the model, where only their
        order is known; None where the times between are known or there are none.
    """

    patients: int
    series: int
    visits: int
    known: int
    left_out: int
    mean_time: float | None = None
    mean_gap: float | None = None

    @classmethod
    def of(
        cls, visits: Visits, *, mean_time: float | None = None, mean_gap: float | None = None
    ) -> "TimesUsed":
        """Return what the visits of patients say, and what was estimated from them."""
        total = int(visits.weights.sum())
        counted = (visits.patients, visits.series, total, visits.known(), visits.left_out)
        known = mean_gap is None or np.isnan(mean_gap)
        return cls(*counted, mean_time, None if known else mean_gap)

    def notes(self) -> tuple[Fact, ...]:
        """Return it as notes on the fit."""
        found = [
            Fact(
                "times used",
                values={
                    "patients": self.patients,
                    "series": self.series,
                    "visits": self.visits,
                    "known": self.known,
                },
            )
        ]
        if self.mean_time is not None:
            found.append(Fact("unit of time", values={"mean": self.mean_time}))
        if self.mean_gap is not None:
            found.append(Fact("time between samples", values={"mean": self.mean_gap}))
        if self.left_out:
            found.append(Fact("samples in no history", values={"samples": self.left_out}))
        return tuple(found)


@runtime_checkable
class PairEvidence(Protocol):
    """Evidence that rests on a score of every pair of events."""

    def pair_scores(self) -> PairScores:
        """Return the scores."""


@runtime_checkable
class PosteriorEvidence(Protocol):
    """Evidence that is a posterior distribution, so that no bootstrap is needed."""

    @property
    def parent_probabilities(self) -> FloatArray:
        """The probability of each parent: parent row, the last one the root, child column."""

    @property
    def mean_noise(self) -> Noise:
        """The posterior means of the error rates, or the rates that were given."""

    @property
    def intervals(self) -> RateIntervals | None:
        """Their 90 % intervals; None if the rates were given."""

    @property
    def diagnostics(self) -> Diagnostics:
        """How well the chains agree."""


@runtime_checkable
class OrderPosterior(PosteriorEvidence, Protocol):
    """A posterior that also says how probable each order of two events is."""

    @property
    def ancestor_probabilities(self) -> FloatArray:
        """The probability that i comes before j, for every pair i, j."""


@runtime_checkable
class EffectsEvidence(Protocol):
    """Evidence that may know how sure the effects of a model are."""

    @property
    def effect_intervals(self) -> tuple[FloatArray, FloatArray] | None:
        """Between which factors each effect is with 90 %; a last column is of observation."""


@runtime_checkable
class MixtureEvidence(Protocol):
    """Evidence for a mixture of the models of several methods."""

    @property
    def mixed(self) -> tuple[str, ...]:
        """The methods, in the order of the models of the mixture."""

    @property
    def doubted(self) -> tuple[str, ...]:
        """Those whose chains found different answers, so that their edges are not to be used."""


@runtime_checkable
class SubtypeEvidence(Protocol):
    """Evidence for groups of samples, each with a forest of its own."""

    @property
    def subtypes(self) -> tuple[Subtype, ...]:
        """The groups, the largest first; none if only one forest was asked for."""

    @property
    def samples(self) -> tuple[str, ...]:
        """Names of the samples, in the order of the memberships of each group."""


def freeze_arrays(value: object, **shapes: tuple[int, ...]) -> None:
    """Make arrays of a frozen dataclass read-only, and refuse those that have another shape."""
    for name, shape in shapes.items():
        shaped(value, name, shape, None)


class ReasonedEvidence(ArrayValue):
    """What evidence for an ordered model says if a subclass, a frozen dataclass, says no more.

    The subclass has a field `reasons`, one for each event.
    """

    reasons: tuple[Reason, ...]

    def columns(self, _model: Any) -> dict[str, FloatArray]:
        """Return no numbers beside the events."""
        return {}

    def notes(self) -> tuple[Fact, ...]:
        """Return what else is to be said of the fit: nothing."""
        return ()

    def remarks(self, counts: Counts, model: Any) -> tuple[Fact, ...]:
        """Return one fact for each event: why it has the parents it has."""
        return tuple(
            self.remark(event, reason, counts, model) for event, reason in enumerate(self.reasons)
        )

    def remark(self, _event: int, reason: Reason, _counts: Counts, _model: Any) -> Fact:
        """Return why one event has the parents it has."""
        return Fact(str(reason))


class ForestPosteriorEvidence(ReasonedEvidence):
    """What a posterior over forests says of parents, error rates and chains.

    A subclass, a frozen dataclass, has the fields of an `OrderPosterior`.
    """

    parent_probabilities: FloatArray
    ancestor_probabilities: FloatArray
    mean_noise: Noise
    intervals: RateIntervals | None
    diagnostics: Diagnostics

    def __post_init__(self) -> None:
        n = len(self.reasons)
        freeze_arrays(self, parent_probabilities=(n + 1, n), ancestor_probabilities=(n, n))

    def columns(self, forest: Forest | TimedForest) -> dict[str, FloatArray]:
        """Return the posterior probability of the parent of each event, the root included."""
        parents, root = self.parent_probabilities[:-1], self.parent_probabilities[-1]
        return {"posterior": of_parents(parents, forest, root)}

    def pair_scores(self) -> PairScores:
        """Return the posterior probability of every pair."""
        parents, root = self.parent_probabilities[:-1], self.parent_probabilities[-1]
        return PairScores("posterior", parents, ~np.eye(len(root), dtype=bool), root)

    def notes(self) -> tuple[Fact, ...]:
        """Return the error rates, and whether the chains agree."""
        return self._rates(), self._chains()

    def remark(
        self, event: int, reason: Reason, counts: Counts, forest: Forest | TimedForest
    ) -> Fact:
        """Return the most probable other parent of an event."""
        others = self.parent_probabilities[:, event].copy()
        others[forest.parents[event]] = -1  # the root is the last
        best = int(others.argmax())
        if not (reason.decided or reason is Reason.OUTWEIGHED):
            return Fact(str(reason))
        if others[best] < _UNLIKELY:
            return Fact("no other parent", values={"bound": _UNLIKELY})
        named = () if best == len(counts.events) else (counts.events[best],)
        return Fact("another parent", named, {"probability": float(others[best])})

    def _rates(self) -> Fact:
        values: dict[str, float] = {}
        for name in ("false_positive", "false_negative"):
            plain = name.replace("_", " ")
            values[plain] = getattr(self.mean_noise, name)
            if self.intervals is not None:
                low, high = getattr(self.intervals, name)
                values |= {f"{plain} low": low, f"{plain} high": high}
        return Fact("posterior rates", values=values)

    def _chains(self) -> Fact:
        found = self.diagnostics
        values = {
            "R-hat": found.r_hat,
            "effective": found.effective,
            "draws": found.draws,
        }
        concerned = () if found.agree else found.unsettled
        return Fact(found.doubt or "chains agree", concerned, values, doubt=found.doubt)


def of_parents(
    matrix: FloatArray, forest: Forest | TimedForest, root: ArrayLike = np.nan
) -> FloatArray:
    """Return the number of each event below its parent, from a matrix of all pairs.

    Parameters
    ----------
    matrix
        Parent row, child column.
    root
        The numbers of events below the root.
    """
    parents = forest.parents
    chosen = matrix[np.maximum(parents, 0), np.arange(len(parents))]
    return np.where(parents == ROOT, root, chosen)


def names_of(counts: Counts, chosen: BoolArray) -> tuple[str, ...]:
    """Return the names of the events that are chosen, sorted."""
    return tuple(sorted(counts.events[event] for event in np.flatnonzero(chosen)))


def same_samples(counts: Counts, event: int) -> Fact:
    """Return which events are in the same samples, so that no order can be told."""
    return Fact("same samples", names_of(counts, counts.identical[:, event]))


def first_reason(*cases: tuple[ArrayLike, Reason]) -> tuple[Reason, ...]:
    """Return for each event the reason of the first case that holds; one always must.

    Examples
    --------
    >>> seen, rest = np.array([True, False]), np.array([True, True])
    >>> [str(reason) for reason in first_reason((seen, Reason.ALWAYS), (rest, Reason.TIED))]
    ['always seen', 'tied']
    """
    masks = np.array([holds for holds, _ in cases])
    if not masks.any(axis=0).all():
        raise ValueError("one of the cases must hold for each event")
    return tuple(cases[first][1] for first in masks.argmax(axis=0).tolist())


def searched_reasons(
    counts: Counts, model: Order, *, edges_first: bool = False
) -> tuple[Reason, ...]:
    """Return the reasons of an order found by a search: identical events cannot be told apart.

    With `edges_first`, what an edge says of one of them counts more.
    """
    followed = model.adjacency().any(axis=0)
    tied = counts.identical.any(axis=0)
    return first_reason(
        (counts.never, Reason.NEVER),
        (counts.always, Reason.ALWAYS),
        (tied & ~followed if edges_first else tied, Reason.TIED),
        (followed, Reason.EDGE),
        (~followed, Reason.NO_PARENT),
    )
