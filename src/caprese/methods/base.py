"""What every method takes and returns."""

from collections.abc import Callable
from dataclasses import Field, dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np

from caprese.arrays import BoolArray, FloatArray, IntArray
from caprese.counts import Counts
from caprese.curation import Step
from caprese.dataset import Dataset
from caprese.errors import ModelError
from caprese.estimation import RateIntervals
from caprese.metrics import OrderedModel
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
        """Whether the data told the place of the event."""
        return self in (Reason.EDGE, Reason.NO_PARENT, Reason.FILTERED)


@dataclass(frozen=True)
class Recovery:
    """The errors a fit allowed for.

    Parameters
    ----------
    noise
        Their rates, given or estimated.
    log_likelihood
        Of the data, under the model and these rates.
    intervals
        95 % intervals for the rates; None if they were given.
    rounds
        How often a forest was inferred and its rates estimated, to infer again from the counts
        recovered with them; the likeliest is the answer. 0 if the rates were given.
    settled
        Whether the forest stood in the last round.
    """

    noise: Noise
    log_likelihood: float
    intervals: RateIntervals | None
    rounds: int
    settled: bool


class Evidence(Protocol):
    """What a method knows beyond its model; each method has a type of its own."""

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why each event has the parent it has."""

    def columns(self, model: Any, /) -> dict[str, FloatArray]:
        """Numbers to show beside each event, by what they are called; NaN where there is none."""

    def notes(self) -> tuple[str, ...]:
        """Return what else is to be said of the fit, a line each."""

    def remarks(self, counts: Counts, model: Any, /) -> tuple[str, ...]:
        """One line for each event: why it stands where it stands."""


class FittedModel(OrderedModel, Protocol):
    """What a method infers: an order of events, with numbers to each of them."""

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """Pairs of parent and child by name."""

    def parameters(self) -> dict[str, FloatArray]:
        """Return the numbers of the model that belong to each event, by what they are called."""


M = TypeVar("M", bound=FittedModel)
E = TypeVar("E", bound=Evidence)


class Method(Protocol):
    """A frozen dataclass of keyword parameters, made with `option`, and one verb."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def fit(self, data: Dataset) -> "Fit[Any, Any]":
        """Infer a progression; an answer for every data set, however poor."""


@dataclass(frozen=True)
class Fit(Generic[M, E]):
    """The answer of a method: a model, and what it rests on.

    Parameters
    ----------
    method
        The method with the parameters it was run with.
    model
        The progression.
    evidence
        The method's own account of why.
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
    """

    method: Method
    model: M
    evidence: E
    counts: Counts
    samples: int
    digest: str
    recovery: Recovery | None = None
    log: tuple[Step, ...] = ()

    def __post_init__(self) -> None:
        if self.model.events != self.counts.events:
            raise ModelError("model and counts must have the same events in the same order")
        if len(self.evidence.reasons) != len(self.model.events):
            raise ModelError("evidence must have one reason for each event")

    @property
    def undetermined(self) -> dict[str, Reason]:
        """Events the data could not place, and why."""
        reasons = zip(self.model.events, self.evidence.reasons, strict=True)
        return {event: reason for event, reason in reasons if not reason.decided}

    def table(self) -> "pd.DataFrame":
        """Return one row per event: its parent, frequency, probability, evidence and reason.

        Several parents are joined by an ampersand.

        Examples
        --------
        >>> from caprese.datasets import acml
        >>> from caprese.methods import Caprese
        >>> Caprese().fit(acml()).table()[["parent", "reason"]]
                                  parent                reason
        event
        SETBP1 missense             <NA>  no admissible parent
        ASXL1 indel                 <NA>  no admissible parent
        ASXL1 nonsense   SETBP1 missense                  edge
        """
        import pandas as pd

        names = np.array(self.model.events, dtype=object)
        parents = [" & ".join(names[own]) or None for own in self.model.adjacency().T]
        return pd.DataFrame(
            {
                "parent": pd.array(parents, dtype="string"),
                "frequency": self.counts.frequency,
                **self.model.parameters(),
                **self.evidence.columns(self.model),
                "reason": [str(reason) for reason in self.evidence.reasons],
                "remark": self.evidence.remarks(self.counts, self.model),
            },
            index=pd.Index(self.model.events, name="event"),
        )


def first_reason(*cases: tuple[BoolArray, Reason]) -> tuple[Reason, ...]:
    """Return for each event the reason of the first case that holds; one always must.

    Examples
    --------
    >>> seen, rest = np.array([True, False]), np.array([True, True])
    >>> [str(reason) for reason in first_reason((seen, Reason.ALWAYS), (rest, Reason.TIED))]
    ['always seen', 'tied']
    """
    events = range(len(cases[0][0]))
    return tuple(next(reason for holds, reason in cases if holds[event]) for event in events)


def number(text: str) -> float:
    """Read a number, as the command line gives it."""
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"must be a number, got {text!r}") from None


def whole_number(text: str) -> int:
    """Read a whole number, as the command line gives it."""
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"must be a whole number, got {text!r}") from None


def yes_or_no(text: str) -> bool:
    """Read yes or no, as the command line gives it."""
    if text not in ("yes", "no"):
        raise ValueError(f"must be yes or no, got {text!r}")
    return text == "yes"


def option(default: Any, about: str, parse: Callable[[str], Any] = number) -> Any:
    """Declare a parameter of a method.

    Parameters
    ----------
    default
        Its value when nothing is said.
    about
        One sentence on what it does, for the help of the command line.
    parse
        Reads its value from text; what it refuses, it says as "must be <rule>, got <value>".
    """
    return field(default=default, metadata={"about": about, "parse": parse})


def hang(counts: Counts, parents: IntArray) -> Forest:
    """Return the forest of these parents, with the conditional frequencies seen in the data."""
    n = len(counts.events)
    under = np.maximum(parents, 0)
    joint, first = counts.joint[under, np.arange(n)], counts.first[under, np.arange(n)]
    given = joint / np.maximum(first, np.finfo(float).tiny)
    return Forest(counts.events, parents, np.where(parents == ROOT, counts.frequency, given))
