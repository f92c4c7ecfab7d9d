"""Independence: events that know nothing of each other. What every order has to beat."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray
from caprese._core.names import distinct_names
from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.kernels.functions import log, log1p
from caprese.models.base import PlacingModel, check_numbers, in_order_of
from caprese.models.forest import ROOT, Forest, NoisyForest
from caprese.models.noisy import SeenWithoutErrors


@dataclass(frozen=True, eq=False)
class Independence(ArrayValue, SeenWithoutErrors):
    """Events that occur independently of each other; what is observed is taken as it is.

    Parameters
    ----------
    events
        Distinct names.
    frequencies
        Probability of each event.

    Examples
    --------
    >>> model = Independence(("a", "b"), (0.5, 0.2))
    >>> data = Dataset.from_rows([[1, 0], [None, 1]], events="ab")
    >>> np.exp(model.log_probabilities(data))
    array([0.4, 0.2])
    >>> model.event_probabilities(data)
    array([[1. , 0. ],
           [0.5, 1. ]])
    """

    untimed: ClassVar[bool] = True
    events: tuple[str, ...]
    frequencies: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "events", distinct_names("event", self.events, ModelError))
        check_numbers(self, "frequencies")

    def parameters(self) -> dict[str, FloatArray]:
        """Return the numbers of the model that belong to each event, by name."""
        return {"probability": self.frequencies}

    def log_probabilities(self, data: Dataset) -> FloatArray:
        """Return the log-probability of each sample; unknown entries are summed over."""
        data = in_order_of(self.events, data)
        terms = np.where(data.values, log(self.frequencies), log1p(-self.frequencies))
        return np.asarray(terms.sum(axis=1, where=data.known_mask))

    def event_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability that each event is there: as observed, or its frequency."""
        observed = data.values.astype(np.float64)
        places = [self.events.index(event) for event in data.events]
        return np.where(data.known_mask, observed, self.frequencies[places])

    def next_rates(self, genotypes: BoolArray) -> FloatArray:
        """Return the rate at which each event comes next in each genotype."""
        return self.without_errors().next_rates(genotypes)

    def blocked(self, events: BoolArray) -> PlacingModel:
        """Return the same events without these, which do not occur."""
        return replace(self, frequencies=np.where(events, 0.0, self.frequencies))

    def sample(self, samples: int, rng: np.random.Generator) -> Dataset:
        """Draw samples; the same stream gives the same data whatever the order of the events."""
        return self.without_errors().forest.sample(samples, rng)

    def without_errors(self) -> NoisyForest:
        """Return the same distribution as a forest in which all events follow the root."""
        star = Forest(self.events, np.full(len(self.events), ROOT), self.frequencies)
        return star.without_errors()
