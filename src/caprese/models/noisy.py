"""Noisy: a model whose genotypes are observed with errors."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import BoolArray, FloatArray
from caprese.data.dataset import Dataset
from caprese.kernels.functions import log
from caprese.models.base import PlacingModel, Sampled, as_in, observation_codes
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


class Noisy:
    """A model of true genotypes that are observed with errors; see `PlacingModel`.

    What it says of samples it says by listing the true genotypes that they may have: up to 20
    events, and without errors up to 20 that are unknown in a sample.
    """

    if TYPE_CHECKING:  # a property here would be taken for the default of a field

        @property
        def noise(self) -> Noise:
            """How often what is observed is wrong."""

    @property
    def truth(self) -> ListedModel:
        """The progression the true genotypes are drawn from."""
        raise NotImplementedError

    @property
    def events(self) -> tuple[str, ...]:
        """Names of the events."""
        return self.truth.events

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
        """Return the probability that each event is truly there, given all seen of the sample.

        Samples x events, as in the data. NaN for samples that cannot be.
        """

        def answer(states: States, codes: Codes) -> FloatArray:
            return states.averages(codes, states.present.astype(float))

        return as_in(data, self.events, self._answers(data, answer))

    def likeliest_genotypes(self, data: Dataset) -> BoolArray:
        """Return the most probable true genotype of each sample, samples x events as in the data.

        Of equally probable ones, the one with the fewest events.
        """
        return as_in(data, self.events, self._answers(data, States.likeliest))

    def count_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability that 0, 1, ... events are truly there, for each sample."""
        numbers = np.arange(len(self.events) + 1)

        def answer(states: States, codes: Codes) -> FloatArray:
            counts = states.present.sum(axis=1)[:, None] == numbers
            return states.averages(codes, counts.astype(float))

        return self._answers(data, answer)

    def next_rates(self, genotypes: BoolArray) -> FloatArray:
        """Return the rate at which each event comes next in each true genotype."""
        return self.truth.next_rates(genotypes)

    def next_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability that each event is the next one, samples x events as in the data.

        Exact: an average over all true genotypes.
        """

        def answer(states: States, codes: Codes) -> FloatArray:
            return states.averages(codes, next_chances(self.next_rates(states.present)))

        return as_in(data, self.events, self._answers(data, answer))

    def waiting_medians(self, data: Dataset) -> FloatArray:
        """Return the median time until each event comes, samples x events as in the data."""

        def answer(states: States, codes: Codes) -> FloatArray:
            return states.waiting_medians(codes, self.next_rates(states.present))

        return as_in(data, self.events, self._answers(data, answer))

    def sample(self, samples: int, rng: np.random.Generator) -> Dataset:
        """Draw samples as they would be observed."""
        return self.noise.corrupt(self.truth.sample(samples, rng), rng)

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

    @property
    def truth(self) -> ListedModel:
        """The progression the genotypes are drawn from."""
        return cast(ListedModel, self.model)


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
