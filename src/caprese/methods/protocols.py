"""What only some methods can do; code asks for it, never for the name of a method."""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, TypeGuard, runtime_checkable

from caprese._core.arrays import FloatArray, IntArray
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.data.scores import PairCounts
from caprese.methods.fit import Fit, Method
from caprese.models.noise import Noise

_ENTRIES_PER_SECOND = 1000  # of a method that does not say what it costs


@runtime_checkable
class CountingMethod(Protocol):
    """A method that may need nothing but counts of events or of pairs, so that it is quick."""

    @property
    def counts_suffice(self) -> bool:
        """Whether that is so, with these parameters."""


@runtime_checkable
class CountsMethod(CountingMethod, Method, Protocol):
    """One that infers from many pair counts at once; `infer_parents` can stand in for `fit`."""

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
    def fit(self) -> Fit[Any, Any]:
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
class CostedMethod(Method, Protocol):
    """A method that knows its cost from the size of the data alone, as `cost_of` gives it."""

    def cost(self, data: Dataset) -> float:
        """Return the seconds of one core that a fit and its prediction take.

        From a fixed formula of what drives the cost, never from the clock, so that it is the same
        everywhere; measured on one machine.

        Raises
        ------
        ModelError
            If the method refuses the data, because of its size.
        """


@runtime_checkable
class NamedMethod(Protocol):
    """A method that a judgement takes only where it is named, such as one of long chains."""

    @property
    def only_by_name(self) -> bool:
        """Whether that is so."""


@runtime_checkable
class ChoosingMethod(Protocol):
    """A method that may choose a parameter from the data, which takes most of its time."""

    def with_choices(self, evidence: Any, /) -> Method:
        """Return the method with the parameters that were chosen, as this evidence has them."""


@runtime_checkable
class OrderedLearning(Protocol):
    """A method that may learn from the seen orders of a data set, beside its genotypes."""

    @property
    def uses_orders(self) -> bool:
        """Whether it does so, with these parameters."""


@runtime_checkable
class CombiningMethod(Method, Protocol):
    """A method that predicts by a mixture of others, weighted by samples that were held out."""

    @property
    def methods(self) -> tuple[Method, ...]:
        """The methods that are mixed."""

    def weights(self, log_probabilities: FloatArray) -> FloatArray:
        """Return the weight of each, from log-probabilities of held-out samples: parts x samples.

        Equal ones, if there are no samples.
        """

    def combined(
        self, fits: Sequence[Fit[Any, Any] | None], log_probabilities: FloatArray, data: Dataset
    ) -> Fit[Any, Any]:
        """Return the mixture of fits that there are already, one for each method or None.

        The weights are those of held-out samples: fits x samples.
        """


@runtime_checkable
class NamingMethod(Protocol):
    """A method whose parameters name events, some of which a part of the data may lack."""

    def within(self, part: Dataset, whole: Dataset) -> Method:
        """Return the method without what names events of the whole that the part does not have."""


def rates_given(method: Method) -> Noise | None:
    """Return the error rates that a method, or a part of a mixture, was given; None if none was."""
    parts = method.methods if isinstance(method, CombiningMethod) else (method,)
    given = (getattr(part, "noise", None) for part in parts)
    return next((rates for rates in given if isinstance(rates, Noise)), None)


def is_quick(method: Method) -> TypeGuard[CountsMethod]:
    """Whether a method infers from pair counts alone, so that replicates cost little."""
    return isinstance(method, CountsMethod) and method.counts_suffice


def cost_of(method: Method, data: Dataset) -> float:
    """Return about how many seconds of one core a fit and its prediction take, from size alone.

    A method that does not say is taken for a quick one if counts suffice, else for a slow one.
    """
    if isinstance(method, CostedMethod):
        return method.cost(data)
    if isinstance(method, CountingMethod) and method.counts_suffice:
        return 0.006 + 1e-5 * len(data.events) ** 2  # CAPRESE and oncotrees, 7 to 60 events
    return data.values.size / _ENTRIES_PER_SECOND


def learns_from_orders(method: object) -> bool:
    """Whether a method, with its parameters, learns from seen orders of events."""
    return isinstance(method, OrderedLearning) and method.uses_orders


def with_choices(fit: Fit[Any, Any]) -> Method:
    """Return the method of a fit; what it chose from the data is given, and not chosen again."""
    method = fit.method
    return method.with_choices(fit.evidence) if isinstance(method, ChoosingMethod) else method
