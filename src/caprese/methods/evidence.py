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
from caprese._core.facts import Fact
from caprese.data.counts import Counts
from caprese.data.seen_orders import SeenOrders
from caprese.fitting.diagnostics import Diagnostics
from caprese.fitting.forest_em import RateIntervals
from caprese.fitting.subtypes import Subtype
from caprese.models.base import Order
from caprese.models.forest import ROOT, Forest
from caprese.models.noise import Noise


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


def of_parents(matrix: FloatArray, forest: Forest, root: ArrayLike = np.nan) -> FloatArray:
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
