"""What every method is, and what it returns: a model, and what it rests on."""

from dataclasses import Field, dataclass, field, replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeVar, runtime_checkable

import numpy as np

from caprese._core.facts import Fact
from caprese._core.words import number_of
from caprese.data.counts import Counts
from caprese.data.curation import Step
from caprese.data.dataset import Dataset
from caprese.errors import CapreseError, ModelError, ParameterError
from caprese.fitting.estimate import estimate, predictive
from caprese.fitting.estimated import Estimate
from caprese.fitting.recovery import Inferred, Recovery
from caprese.methods.evidence import Evidence, OrderedEvidence, Reason
from caprese.models.base import EffectsModel, Model, Order, OrderedModel, nodes_of
from caprese.models.forest import Forest

if TYPE_CHECKING:
    import pandas as pd


M = TypeVar("M", bound=Model)
E = TypeVar("E", bound=Evidence)


@runtime_checkable
class Method(Protocol):
    """A frozen dataclass of keyword parameters, made with `option`, and one verb."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def fit(self, data: Dataset) -> "Fit[Any, Any]":
        """Infer a model; an answer for every valid data set."""


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

    @classmethod
    def of(
        cls,
        method: Method,
        model: M,
        evidence: E,
        data: Dataset,
        *,
        counts: Counts | None = None,
        recovery: Recovery | None = None,
        **more: Any,
    ) -> Self:
        """Return the answer of a method to data.

        Parameters
        ----------
        counts
            The pair counts of the data, if they are there already.
        recovery
            The errors the counts were recovered from, if any were allowed for.
        more
            Additional fields of a subclass.
        """
        counts = Counts.of(data) if counts is None else counts
        fitted = (method, model, evidence, counts, len(data.samples), data.digest, recovery)
        return cls(*fitted, data=data, **more)

    def __repr__(self) -> str:
        events = number_of(len(self.model.events), "event")
        size = f"{number_of(self.samples, 'sample')} x {events}"
        return f"<{type(self).__name__}: {self.method!r} on {size}>"

    def _repr_html_(self) -> str:
        # The one door that opens upwards, for notebooks: by name, when it is asked for.
        return str(import_module("caprese.report.page").fit_html(self))

    @cached_property
    def estimate(self) -> Estimate[Model]:
        """The model with the numbers and error rates under which its data is most likely."""
        if self.data is None:
            raise ModelError(
                "this fit from a file keeps no predictive model, and needs its data: fit.on(data)"
            )
        return estimate(self.model, self.data)

    @property
    def predictive(self) -> Model:
        """The model under which the fit speaks of observed data: the one with its error rates.

        No surer than the number of samples allows; the numbers of `estimate` are as they are.
        """
        return self.predictor or predictive(self.estimate, self.samples)

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


OM = TypeVar("OM", bound=OrderedModel)
OE = TypeVar("OE", bound=OrderedEvidence)


@dataclass(frozen=True, repr=False)
class OrderedFit(Fit[OM, OE]):
    """The answer of a method whose model has an order: also edges, and why they are there.

    Examples
    --------
    >>> from caprese.data.datasets import acml
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
        >>> from caprese.data.datasets import acml
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

A_FIT = "the fit of a method to data, such as Caprese().fit(data)"

Fitted = Method | Fit[Any, Any]
"""A method, or a fit that is already there."""


def fit_of(fitted: Fitted, data: Dataset) -> Fit[Any, Any]:
    """Return the fit to the data: the one given, if it was made from it, else a new one."""
    if isinstance(fitted, type) or not isinstance(fitted, Method | Fit):
        raise ParameterError("method", "a method or a fit", fitted)
    fit = fitted if isinstance(fitted, Fit) else new_fit(fitted, data)
    return fit.on(data)


def new_fit(method: Method, data: Dataset) -> Fit[Any, Any]:
    """Return the fit of a method to data; what another package does wrong is said to be of it."""
    package, *_ = type(method).__module__.partition(".")
    who = f"the method {type(method).__name__} of {package}"
    try:
        found: object = method.fit(data)
    except (CapreseError, MemoryError):
        raise
    except Exception as error:
        if package == __name__.partition(".")[0]:
            raise
        raise ModelError(f"{who} failed: {type(error).__name__}: {error}") from error
    if not isinstance(found, Fit):
        raise ModelError(f"{who} must return a Fit, got {found!r}")
    return found


def inferred_fit(
    method: Method, inferred: Inferred, evidence: OE, data: Dataset
) -> OrderedFit[Forest, OE]:
    """Return the fit of a method that infers a forest from pair counts."""
    counts, recovery = inferred.counts, inferred.recovery
    return OrderedFit.of(method, inferred.forest, evidence, data, counts=counts, recovery=recovery)


def order_of(progression: Fit[Any, Any] | Model | Order) -> Order:
    """Return the order of events of a fit, or of a model alone; refuse a model without edges."""
    model = progression.model if isinstance(progression, Fit) else progression
    if not isinstance(model, Order):
        has_effects = isinstance(model, EffectsModel)
        instead = "; draw its effects instead: caprese plot effects" if has_effects else ""
        raise ModelError(f"this model has no edges: there is no order to draw or to write{instead}")
    return model
