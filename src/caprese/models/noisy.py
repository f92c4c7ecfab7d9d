"""Noisy: a model whose genotypes are observed with errors."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese._core.checks import instance
from caprese.data.dataset import Dataset
from caprese.kernels.functions import log
from caprese.models.base import (
    Model,
    Order,
    PlacingModel,
    Sampled,
    UntimedModel,
    as_in,
    asked_pairs,
    observation_codes,
    pair_order_probabilities,
)
from caprese.models.noise import Noise
from caprese.models.states import Codes, States, next_chances

T = TypeVar("T", bound=np.generic)


class ListedModel(Sampled, Protocol):
    """A model of true genotypes, all of which can be listed."""

    def states(self, seen: Codes | None = None, /) -> tuple[BoolArray, FloatArray]:
        """Return every genotype that can be, and its probability.

        Or only those that agree with what was seen of a sample without errors.
        """

    def next_rates(self, genotypes: BoolArray) -> FloatArray:
        """Return the rate at which each event comes next in each true genotype."""


class ClockedOrder(ListedModel, Order, Protocol):
    """An order of events with a clock, all genotypes of which can be listed."""


def orders_by_clock(
    truth: ClockedOrder, noise: Noise, data: Dataset, pairs: IntArray
) -> FloatArray:
    """Return how probably the first event of each pair came first, given all seen of its sample.

    By recursion over all true genotypes. In a sample that cannot be, by the ancestors alone.
    """
    samples, first, second = asked_pairs(truth.events, data, pairs)
    rows, which = np.unique(samples, return_inverse=True)
    seen = observation_codes(truth.events, data)[rows]
    codes, kind = np.unique(seen, axis=0, return_inverse=True)
    asked = np.column_stack([kind.ravel()[which], first, second])
    states = States(*truth.states(), noise)
    found = states.order_probabilities(codes, asked, truth.next_rates)
    above = truth.ancestors().astype(float)
    stated = (1 + above - above.T)[first, second] / 2
    return np.where(np.isnan(found), stated, found)


class Noisy:
    """A model of true genotypes that are observed with errors; see `PlacingModel`.

    A dataclass of a model and of `noise`. What it says of samples it says by listing the true
    genotypes that they may have: up to 20 events, and without errors up to 20 that are unknown in
    a sample.
    """

    if TYPE_CHECKING:  # a property here would be taken for the default of a field

        @property
        def noise(self) -> Noise:
            """How often what is observed is wrong."""

    def __post_init__(self) -> None:
        instance("noise", self.noise, Noise, "of type Noise")

    @property
    def truth(self) -> ListedModel:
        """The model that the true genotypes are drawn from: by default the first field."""
        own: Any = self
        return cast(ListedModel, getattr(own, fields(own)[0].name))

    @property
    def events(self) -> tuple[str, ...]:
        """Names of the events."""
        return self.truth.events

    @property
    def untimed(self) -> bool:
        """Whether it has no clock, as the model of the true genotypes."""
        return isinstance(self.truth, UntimedModel) and self.truth.untimed

    def probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability to observe each sample; unknown entries are summed over."""
        return self._answers(data, States.observed)

    def log_probabilities(self, data: Dataset) -> FloatArray:
        """Return the log-probability to observe each sample; unknown entries are summed over."""
        return log(self.probabilities(data))

    def log_likelihood(self, data: Dataset) -> float:
        """Return the log-probability of all samples together."""
        return float(self.log_probabilities(data).sum())

    def event_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability that each event is truly there; NaN for impossible samples."""
        found = self._averages(data, lambda present: present.astype(float))
        return as_in(data, self.events, found)

    def likeliest_genotypes(self, data: Dataset) -> BoolArray:
        """Return the most probable true genotype of each sample; of equal ones the smallest."""
        return as_in(data, self.events, self._answers(data, States.likeliest))

    def count_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability that 0, 1, ... events are truly there, for each sample."""
        counted = np.eye(len(self.events) + 1)
        return self._averages(data, lambda present: counted[present.sum(axis=1)])

    def next_rates(self, genotypes: BoolArray) -> FloatArray:
        """Return the rate at which each event comes next in each true genotype."""
        return self.truth.next_rates(genotypes)

    def next_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability that each event is the next one, over all true genotypes."""
        found = self._averages(data, lambda present: next_chances(self.next_rates(present)))
        return as_in(data, self.events, found)

    def waiting_medians(self, data: Dataset) -> FloatArray:
        """Return the median time until each event comes, samples x events as in the data."""
        rates = self.next_rates
        found = self._answers(data, lambda states, codes: states.waiting_medians(codes, rates))
        return as_in(data, self.events, found)

    def order_probabilities(self, data: Dataset, pairs: IntArray) -> FloatArray:
        """Return how probably the first event of each pair came first, by the true genotypes."""
        return pair_order_probabilities(cast(Model, self.truth), data, pairs)

    def sample(self, samples: int, rng: np.random.Generator) -> Dataset:
        """Draw samples as they would be observed."""
        return self.noise.corrupt(self.truth.sample(samples, rng), rng)

    def _averages(self, data: Dataset, values: Callable[[BoolArray], FloatArray]) -> FloatArray:
        """Return values of true genotypes, averaged over those that each sample may have."""
        return self._answers(
            data, lambda states, codes: states.averages(codes, values(states.present))
        )

    def _answers(self, data: Dataset, answer: Callable[[States, Codes], NDArray[T]]) -> NDArray[T]:
        """Return an answer for each sample; without errors from the genotypes it may have only."""
        codes = observation_codes(self.events, data)
        if self.noise != Noise():
            return answer(States(*self.truth.states(), self.noise), codes)
        distinct, which = np.unique(codes, axis=0, return_inverse=True)
        parts = [
            answer(States(*self.truth.states(seen), self.noise), seen[None]) for seen in distinct
        ]
        return np.concatenate(parts)[which.reshape(-1)]


@dataclass(frozen=True)
class Observed(Noisy):
    """Genotypes of any model, observed with errors; if it cannot list them, for drawing alone."""

    model: Any
    noise: Noise


class SeenWithoutErrors:
    """What a model of true genotypes says of data that was observed without errors.

    By listing its genotypes, as a `ListedModel` can, or by a model of the same with errors.
    """

    def without_errors(self) -> PlacingModel:
        """Return the model as one of what is observed, without errors."""
        return Observed(self, Noise())

    def log_probabilities(self, data: Dataset) -> FloatArray:
        """Return the log-probability of each sample without errors; -inf where it cannot be."""
        return self.without_errors().log_probabilities(data)

    def event_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability that each event is there; only unknown entries are in doubt."""
        return self.without_errors().event_probabilities(data)

    def likeliest_genotypes(self, data: Dataset) -> BoolArray:
        """Return the most probable genotype of each sample; only unknown entries are in doubt."""
        return self.without_errors().likeliest_genotypes(data)

    def count_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability that 0, 1, ... events are there, for each sample."""
        return self.without_errors().count_probabilities(data)

    def next_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability that each event is the next one; NaN for impossible samples."""
        return self.without_errors().next_probabilities(data)

    def waiting_medians(self, data: Dataset) -> FloatArray:
        """Return the median time until each event comes, samples x events as in the data."""
        return self.without_errors().waiting_medians(data)
