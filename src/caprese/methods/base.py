"""What every method takes and returns, and what only some methods can do.

A method is a frozen dataclass of parameters with one verb, `fit`. Code that needs more of a method,
or of its evidence, asks for one of the protocols declared here, never for the method's name.
"""

from collections.abc import Iterator
from dataclasses import Field, dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeVar, runtime_checkable

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese._core.facts import Fact
from caprese._core.words import number_of
from caprese.data.counts import Counts
from caprese.data.curation import Step
from caprese.data.dataset import Dataset
from caprese.data.scores import PairCounts
from caprese.errors import ModelError
from caprese.fitting.diagnostics import Diagnostics
from caprese.fitting.estimate import Estimate, estimate
from caprese.fitting.forest_em import RateIntervals
from caprese.fitting.recovery import Inferred, Recovery
from caprese.fitting.shrinkage_choice import ShrinkageChoice
from caprese.fitting.subtypes import Subtype
from caprese.models.base import EffectsModel, Model, Order, OrderedModel, nodes_of
from caprese.models.forest import ROOT, Forest
from caprese.models.noise import Noise

if TYPE_CHECKING:
    import pandas as pd


class Reason(StrEnum):
    """Why an event has the parent it has."""

    EDGE = "edge"
    NO_PARENT = "no admissible parent"
    TIED = "tied"
    FILTERED = "filtered"
    NEVER = "never seen"
    ALWAYS = "always seen"
    NOISE = "no more than errors would show"

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


@runtime_checkable
class PairEvidence(Protocol):
    """Evidence that rests on a score of every pair of events."""

    def pair_scores(self) -> PairScores:
        """Return the scores."""


@runtime_checkable
class ShrinkageEvidence(Protocol):
    """Evidence that depends on a shrinkage, which may have been chosen for the data."""

    @property
    def choice(self) -> ShrinkageChoice | None:
        """How the shrinkage was chosen; None if it was given."""


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
class SubtypeEvidence(Protocol):
    """Evidence for groups of samples, each with a forest of its own."""

    @property
    def subtypes(self) -> tuple[Subtype, ...]:
        """The groups, the largest first; none if only one forest was asked for."""

    @property
    def samples(self) -> tuple[str, ...]:
        """Names of the samples, in the order of the memberships of each group."""


M = TypeVar("M", bound=Model)
E = TypeVar("E", bound=Evidence)


class Method(Protocol):
    """A frozen dataclass of keyword parameters, made with `option`, and one verb."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def fit(self, data: Dataset) -> "Fit[Any, Any]":
        """Infer a model; an answer for every valid data set."""


@runtime_checkable
class CountsMethod(Protocol):
    """A method that may need nothing but pair counts, and then infers from many at once."""

    @property
    def counts_suffice(self) -> bool:
        """Whether `infer_parents` can stand in for `fit`, with these parameters."""

    def infer_parents(self, counts: Counts) -> IntArray:
        """Return the parent of each event, for a whole batch of counts at once."""


@runtime_checkable
class ScoringMethod(Protocol):
    """A method that scores pairs of events, so that a score can be tested by permutations."""

    def pair_score(self, counts: PairCounts, evidence: Any, /) -> FloatArray:
        """Return the score of any counts, by the parameters that gave this evidence."""


@runtime_checkable
class SeededMethod(Protocol):
    """A method that draws random numbers, so that it can be repeated on the same data."""

    @property
    def seed(self) -> int:
        """Of the random numbers."""


class RunningFit(Protocol):
    """A fit that can be looked at while it is computed; iterating over it computes it."""

    def __iter__(self) -> Iterator[int]:
        """Compute it step by step; yield how much is done."""

    @property
    def done(self) -> int:
        """How much is done; 0 if there is nothing to look at yet."""

    @property
    def fit(self) -> "Fit[Any, Any]":
        """The fit so far, equal to that of its own `method` run to the end."""


@runtime_checkable
class GradualMethod(Protocol):
    """A method that can be stopped: what is done by then is a fit with other parameters."""

    def running_fit(self, data: Dataset) -> RunningFit:
        """Return a fit that is about to be computed."""


@runtime_checkable
class LongMethod(Method, Protocol):
    """A method that may take minutes or hours, and can tell before it starts."""

    def expected_seconds(self, data: Dataset) -> float:
        """Return about how long a fit takes on this machine; 0 if it is a matter of seconds."""


@runtime_checkable
class ChoosingMethod(Protocol):
    """A method that may choose a parameter from the data, which takes most of its time."""

    def with_choices(self, evidence: Any, /) -> Method:
        """Return the method with the parameters that were chosen, as this evidence has them."""


@runtime_checkable
class NamingMethod(Protocol):
    """A method whose parameters name events, some of which a part of the data may lack."""

    def within(self, part: Dataset, whole: Dataset) -> "Method":
        """Return the method without what names events of the whole that the part does not have."""


def is_quick(method: Method) -> bool:
    """Whether a method infers from pair counts alone, so that replicates cost little."""
    return isinstance(method, CountsMethod) and method.counts_suffice


@dataclass(frozen=True)
class Fit(Generic[M, E]):
    """The answer of a method: a model, and what it rests on.

    Parameters
    ----------
    method
        The method with the parameters it was run with.
    model
        The model.
    evidence
        The method's own account of it.
    counts
        The pair counts of the data.
    samples
        How many samples there were.
    digest
        Fingerprint of the data.
    recovery
        The errors the counts were recovered from, if any were allowed for.
    log
        What was done to the data before it was fitted.
    data
        What was fitted; None in a fit read from a file.
    predictor
        The predictive model, in a fit read from a file.
    """

    method: Method
    model: M
    evidence: E
    counts: Counts
    samples: int
    digest: str
    recovery: Recovery | None = None
    log: tuple[Step, ...] = ()
    data: Dataset | None = field(default=None, repr=False, compare=False)
    predictor: Model | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.model.events != self.counts.events:
            raise ModelError("model and counts must have the same events in the same order")

    def __repr__(self) -> str:
        events = number_of(len(self.model.events), "event")
        size = f"{number_of(self.samples, 'sample')} x {events}"
        return f"<{type(self).__name__}: {self.method!r} on {size}>"

    def _repr_html_(self) -> str:
        # The one door that opens upwards, for notebooks: by name, when it is asked for.
        return str(import_module("caprese.report.notebook").fit_html(self))

    @cached_property
    def estimate(self) -> Estimate:
        """The model with the numbers and error rates under which its data is most likely."""
        return estimate(self.model, self._known_data())

    @property
    def predictive(self) -> Model:
        """The model under which the fit speaks of observed data: the one with its error rates."""
        return self.predictor or self.estimate.model

    def on(self, data: Dataset) -> Self:
        """Return the fit with the data it was made from, as one read from a file needs it.

        Raises
        ------
        ModelError
            If it was made from other data.
        """
        if self.data is data:
            return self
        if data.digest != self.digest:
            raise ModelError("the fit was made from other data: the fingerprints differ")
        return replace(self, data=data)

    def _known_data(self) -> Dataset:
        if self.data is None:
            raise ModelError(
                "this fit from a file keeps no predictive model, and needs its data: fit.on(data)"
            )
        return self.data


OM = TypeVar("OM", bound=OrderedModel)
OE = TypeVar("OE", bound=OrderedEvidence)


@dataclass(frozen=True, repr=False)
class OrderedFit(Fit[OM, OE]):
    """The answer of a method whose model has an order: also edges, and why they are there.

    Examples
    --------
    >>> from caprese.data.embedded import acml
    >>> from caprese.methods import Caprese
    >>> Caprese().fit(acml())
    <OrderedFit: Caprese(shrinkage=0.5, noise=None) on 64 samples x 3 events>
      root -> SETBP1 missense
      root -> ASXL1 indel
      SETBP1 missense -> ASXL1 nonsense
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.evidence.reasons) != len(self.model.events):
            raise ModelError("evidence must have one reason for each event")

    def __repr__(self) -> str:
        shown = [
            f"  {' & '.join(parents) or 'root'} -> {event}"
            for event, parents in zip(self.model.events, self._parent_names(), strict=True)
        ]
        more = [f"  ... {len(shown) - _SHOWN} more"] if len(shown) > _SHOWN else []
        return "\n".join([super().__repr__(), *shown[:_SHOWN], *more])

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """Pairs of parent and child by name."""
        return self.model.edges

    @cached_property
    def undetermined(self) -> dict[str, Reason]:
        """Events whose parents the data could not determine, and why."""
        reasons = zip(self.model.events, self.evidence.reasons, strict=True)
        return {event: reason for event, reason in reasons if not reason.decided}

    def remarks(self) -> tuple[Fact, ...]:
        """Return why each event has the parents it has."""
        return self.evidence.remarks(self.counts, self.model)

    def table(self) -> "pd.DataFrame":
        """Return one row per event: its parent, frequency, probability, evidence and reason.

        Several parents are joined by an ampersand.

        Examples
        --------
        >>> from caprese.data.embedded import acml
        >>> from caprese.methods import Caprese
        >>> Caprese().fit(acml()).table()[["parent", "reason"]]
                                  parent                reason
        event
        SETBP1 missense             <NA>  no admissible parent
        ASXL1 indel                 <NA>  no admissible parent
        ASXL1 nonsense   SETBP1 missense                  edge
        """
        import pandas as pd

        parents = [" & ".join(names) or None for names in self._parent_names()]
        return pd.DataFrame(
            {
                "parent": pd.array(parents, dtype="string"),
                "frequency": self.counts.frequency,
                **self.model.parameters(),
                **self.evidence.columns(self.model),
                "reason": [str(reason) for reason in self.evidence.reasons],
            },
            index=pd.Index(self.model.events, name="event"),
        )

    def _parent_names(self) -> list[list[str]]:
        names, links = nodes_of(self.model)
        shown = np.array(names, dtype=object)
        return [shown[own].tolist() for own in links.T[: len(self.model.events)]]


_SHOWN = 12  # events of a fit whose parents are printed

Fitted = Method | Fit[Any, Any]
"""A method, or a fit that is already there."""


def fit_of(fitted: Fitted, data: Dataset) -> Fit[Any, Any]:
    """Return the fit to the data: the one given, if it was made from it, else a new one."""
    fit = fitted if isinstance(fitted, Fit) else fitted.fit(data)
    return fit.on(data)


def method_of(fitted: Fitted) -> Method:
    """Return the method of a fit, or the method itself."""
    return fitted.method if isinstance(fitted, Fit) else fitted


def with_choices(fit: Fit[Any, Any]) -> Method:
    """Return the method of a fit; what it chose from the data is given, and not chosen again."""
    method = fit.method
    return method.with_choices(fit.evidence) if isinstance(method, ChoosingMethod) else method


def inferred_fit(
    method: Method, inferred: Inferred, evidence: OE, data: Dataset
) -> OrderedFit[Forest, OE]:
    """Return the fit of a method that infers a forest from pair counts."""
    return OrderedFit(
        method,
        inferred.forest,
        evidence,
        inferred.counts,
        len(data.samples),
        data.digest,
        inferred.recovery,
        data=data,
    )


def order_of(progression: Fit[Any, Any] | Model | Order) -> Order:
    """Return the order of events of a fit, or of a model alone.

    Raises
    ------
    ModelError
        If the model has none, so that there are no edges to draw or to write.
    """
    model = progression.model if isinstance(progression, Fit) else progression
    if not isinstance(model, Order):
        has_effects = isinstance(model, EffectsModel)
        instead = "; draw its effects instead: caprese plot effects" if has_effects else ""
        raise ModelError(f"this model has no edges: there is no order to draw or to write{instead}")
    return model


def forest_reasons(counts: Counts, forest: Forest) -> tuple[Reason, ...]:
    """Return the reasons of a forest found by a search: identical events cannot be told apart."""
    return first_reason(
        (counts.never, Reason.NEVER),
        (counts.always, Reason.ALWAYS),
        (np.asarray(counts.identical.any(axis=0)), Reason.TIED),
        (forest.parents != ROOT, Reason.EDGE),
        (forest.parents == ROOT, Reason.NO_PARENT),
    )


def first_reason(*cases: tuple[BoolArray, Reason]) -> tuple[Reason, ...]:
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
