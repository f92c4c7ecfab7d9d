"""Stacked: a weighted mixture of what several models predict."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress

import numpy as np

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, IntArray, sealed, shaped
from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.kernels.functions import exp, log
from caprese.models.base import (
    AveragedModel,
    Model,
    PlacingModel,
    has_clock,
    in_order_of,
    pair_order_probabilities,
)
from caprese.models.noise import Noise, ObservedWithErrors
from caprese.models.states import mixture_median

_SLOWEST = 1e-12  # rate of an event that no part expects
_SUM = 1e-6  # by which weights may miss 1


@dataclass(frozen=True, eq=False)
class Stacked(ArrayValue):
    """A mixture of models: each sample comes from one of them, with a probability of its own.

    What it says of a sample is what its models say, each with its share for the sample: its weight,
    times how probable it makes the sample, since that is how probably the sample came from it. What
    comes next is said by the models that have a clock alone; what came first is left open, at 1/2,
    by models that do not say.

    Parameters
    ----------
    models
        One or more, all of the same events in the same order.
    weights
        The weight of each, summing to 1.
    order_weights
        By how much each counts in what came first and what comes next, given what is there,
        summing to 1. None: by its share for the sample, as in everything else.

    Examples
    --------
    >>> from caprese.models.independence import Independence
    >>> rare, common = Independence(("a", "b"), (0.1, 0.1)), Independence(("a", "b"), (0.9, 0.9))
    >>> model = Stacked((rare, common), (0.5, 0.5))
    >>> data = Dataset.from_rows([[1, 1], [1, None]], events="ab")
    >>> exp(model.log_probabilities(data)).round(2)
    array([0.41, 0.5 ])
    >>> model.event_probabilities(data).round(2)
    array([[1.  , 1.  ],
           [1.  , 0.82]])
    """

    models: tuple[Model, ...] = field(metadata={"models": True})
    weights: FloatArray
    order_weights: FloatArray | None = field(default=None, metadata={"optional": True})

    def __post_init__(self) -> None:
        object.__setattr__(self, "models", tuple(self.models))
        if not self.models:
            raise ModelError("models of a stack must be one or more")
        self._check("weights")
        if self.order_weights is not None:
            self._check("order_weights")
        if any(model.events != self.events for model in self.models):
            raise ModelError("models of a stack must have the same events in the same order")

    def _check(self, name: str) -> None:
        weights = shaped(self, name, (len(self.models),))
        if not ((weights >= 0).all() and abs(weights.sum() - 1) <= _SUM):
            raise ModelError(f"{name} must sum to 1 and not be negative, got {weights.tolist()}")

    def __repr__(self) -> str:
        return f"<Stacked: {len(self.models)} models, {len(self.events)} events>"

    @property
    def events(self) -> tuple[str, ...]:
        """Names of the events."""
        return self.models[0].events

    @property
    def noise(self) -> Noise:
        """The error rates, averaged over the models; a model without errors has rates of 0."""
        rates = np.zeros(2)
        for model, weight in zip(self.models, self.weights, strict=True):
            if isinstance(model, ObservedWithErrors):
                rates += weight * model.noise.rates
        return Noise(*rates.tolist())

    def log_probabilities(self, data: Dataset) -> FloatArray:
        """Return the log-probability of each sample; unknown entries are summed over."""
        return mixed(self._log_probabilities(data), self.weights)

    def shares(self, data: Dataset) -> FloatArray:
        """Return how much each model counts for each sample, models x samples.

        Its weight times how probable it makes the sample; a sample that no model allows, by weight.
        """
        return mixture_shares(self._log_probabilities(data), self.weights)

    def event_probabilities(self, data: Dataset) -> FloatArray:
        """Return how probably each event is truly there, given all seen; samples x events."""
        shares = zip(self.models, self.shares(data), strict=True)
        return _sum((share, model.event_probabilities(data)) for model, share in shares)

    def order_probabilities(self, data: Dataset, pairs: IntArray) -> FloatArray:
        """Return how probably the first event of each pair came before the second."""
        shares = self._order_shares(data)[:, pairs[:, 0]]
        found = np.full(len(pairs), 0.5)
        for model, share in zip(self.models, shares, strict=True):
            says = pair_order_probabilities(model, data, pairs)
            found += np.where(share > 0, share * (says - 0.5), 0.0)
        return found

    def sample(self, samples: int, rng: np.random.Generator) -> Dataset:
        """Draw samples, each from a model that is drawn by weight."""
        chosen = rng.choice(len(self.models), size=samples, p=self.weights / self.weights.sum())
        values = np.zeros((samples, len(self.events)), dtype=bool)
        for place, model in enumerate(self.models):
            rows = np.flatnonzero(chosen == place)
            if rows.size:
                values[rows] = in_order_of(self.events, model.sample(rows.size, rng)).values
        return Dataset(sealed(values), self.events)

    @property
    def untimed(self) -> bool:
        """Whether none of its models has a clock, so that none says what comes next."""
        return not any(map(has_clock, self.models))

    def placed(self) -> "Stacked":
        """Return the mixture, if samples have a place in any of its models; else refuse."""
        if not any(isinstance(model, PlacingModel) for model in self.models):
            raise ModelError("samples have no place in any part of this stack")
        return self

    def with_errors(self) -> "Stacked":
        """Return the mixture of those models that allow for errors; of all if none does."""
        return self.only([isinstance(model, ObservedWithErrors) for model in self.models])

    def with_clocks(self) -> "Stacked":
        """Return the mixture of those models that have a clock; of all if none has."""
        return self.only(list(map(has_clock, self.models)))

    def only(self, chosen: Sequence[bool]) -> "Stacked":
        """Return the mixture of some models, with the same ratio of weights; of all if of none."""
        own = np.asarray(chosen, dtype=bool)
        if own.all() or not own.any():
            return self
        weights = _of_some(self.weights, own)
        by_order = None if self.order_weights is None else _of_some(self.order_weights, own)
        return Stacked(tuple(compress(self.models, own)), weights, by_order)

    def parts(self, data: Dataset) -> Iterator[tuple[PlacingModel, FloatArray]]:
        """Yield each model with a clock, and how much it counts for what comes next."""
        for model, share in self._clocks(data):
            if isinstance(model, AveragedModel):
                yield from ((part, share * own) for part, own in model.parts(data))
            else:
                yield model, share

    def next_rates(self, genotypes: BoolArray) -> FloatArray:
        """Return the mean rate at which each event comes next in each genotype.

        Each model counts by how probable it makes the genotype. To predict, use
        `next_probabilities`, which averages probabilities instead of rates.
        """
        data = Dataset(np.asarray(genotypes, dtype=bool), self.events)
        return _sum((share, model.next_rates(data.values)) for model, share in self._clocks(data))

    def next_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability that each event is the next one, samples x events."""
        return _sum((share, model.next_probabilities(data)) for model, share in self._clocks(data))

    def count_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability that 0, 1, ... events are truly there, for each sample."""
        placing = self._placing(data)
        return _sum((share, model.count_probabilities(data)) for model, share in placing)

    def likeliest_genotypes(self, data: Dataset) -> BoolArray:
        """Return the true genotype that counts most, samples x events as in the data.

        Of the most probable ones of the models, that of models with the largest shares together; of
        equal ones, one with the fewest events.
        """
        placing = list(self._placing(data))
        truths = np.array([model.likeliest_genotypes(data) for model, _ in placing])
        shares = np.array([share for _, share in placing])
        alike = (truths[:, None] == truths[None]).all(axis=3)  # models x models x samples
        support = np.einsum("klr,lr->kr", alike, shares)
        rank = support.round(9) - truths.sum(axis=2) * 1e-12
        return np.asarray(truths[rank.argmax(axis=0), np.arange(truths.shape[1])])

    def waiting_medians(self, data: Dataset) -> FloatArray:
        """Return the median time until each event comes, samples x events as in the data.

        Of the models together, as if the time by each were exponential with the median it states.
        """
        clocks = list(self._clocks(data))
        shares = np.array([share for _, share in clocks])
        with np.errstate(divide="ignore"):
            rates = np.log(2) / np.array([model.waiting_medians(data) for model, _ in clocks])
        comes = np.isfinite(rates)
        speeds = np.maximum(np.where(comes, rates, 1.0), _SLOWEST)
        weights = np.where(comes, shares[:, :, None], 0.0)
        columns = range(len(data.events))
        medians = [mixture_median(speeds[:, :, k].T, weights[:, :, k].T) for k in columns]
        return np.array(medians).T

    def _log_probabilities(self, data: Dataset) -> FloatArray:
        """Return the log-probability of each sample by each model, models x samples."""
        return np.array([model.log_probabilities(data) for model in self.models])

    def _placing(self, data: Dataset) -> Iterator[tuple[PlacingModel, FloatArray]]:
        """Yield the models that say where samples stand, with shares that sum to 1 over them."""
        own = self._that_place()
        return _placing_models(own.models, own.shares(data))

    def _clocks(self, data: Dataset) -> Iterator[tuple[PlacingModel, FloatArray]]:
        """Yield the models that say what comes next, with shares that sum to 1 over them."""
        own = self.with_clocks()._that_place()
        return _placing_models(own.models, own._order_shares(data))

    def _that_place(self) -> "Stacked":
        return self.placed().only([isinstance(model, PlacingModel) for model in self.models])

    def _order_shares(self, data: Dataset) -> FloatArray:
        """Return how much each model counts for what came first and comes next."""
        if self.order_weights is None:
            return self.shares(data)
        return np.repeat(self.order_weights[:, None], len(data.samples), axis=1)


def _of_some(weights: FloatArray, own: BoolArray) -> FloatArray:
    """Return some weights, with the same ratio; equal ones if all are 0."""
    some = weights[own] if weights[own].any() else np.ones(own.sum())
    return np.asarray(some / some.sum())


def _placing_models(
    models: Sequence[Model], shares: FloatArray
) -> Iterator[tuple[PlacingModel, FloatArray]]:
    for model, share in zip(models, shares, strict=True):
        if isinstance(model, PlacingModel):
            yield model, share


def mixed(log_probabilities: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the log-probability of each sample in a mixture, from those by part: parts x samples.

    Examples
    --------
    >>> exp(mixed(np.log([[0.5], [0.1]]), np.array([0.25, 0.75]))).round(3)
    array([0.2])
    """
    relative, most = relative_probabilities(log_probabilities)
    return np.asarray(most + log((weights[:, None] * relative).sum(axis=0)))


def mixture_shares(log_probabilities: FloatArray, weights: FloatArray) -> FloatArray:
    """Return how much each part counts for each sample, parts x samples; columns sum to 1."""
    counts = weights[:, None] * relative_probabilities(log_probabilities)[0]
    total = counts.sum(axis=0)
    by_weight = np.broadcast_to(weights[:, None] / weights.sum(), counts.shape)
    return np.where(total > 0, counts / np.where(total > 0, total, 1.0), by_weight)


def relative_probabilities(log_probabilities: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return probabilities relative to the largest of each sample, and its logarithm."""
    most = log_probabilities.max(axis=0)
    most = np.where(np.isfinite(most), most, 0.0)
    return exp(log_probabilities - most), most


def _sum(terms: Iterable[tuple[FloatArray, FloatArray]]) -> FloatArray:
    """Return the sum of values by their shares; values without a share do not count."""
    return np.asarray(
        sum(np.where(share[:, None] > 0, share[:, None] * value, 0.0) for share, value in terms)
    )
