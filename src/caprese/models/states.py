"""Where samples stand in a model whose true genotypes can all be listed, up to 20 events."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese.data.dataset import Dataset
from caprese.models.base import as_in, observation_codes
from caprese.models.noise import Noise

_ENTRIES = 2**22  # of a table of samples and genotypes that is held at once
_EQUAL = 1 - 1e-9  # of the largest probability: as probable
_HALVINGS = 60


@dataclass(frozen=True)
class States:
    """Every true genotype that can be, and how it is observed.

    Parameters
    ----------
    events
        Names of the events.
    present
        States x events.
    probabilities
        Of the states.
    rates
        At which each event comes next, states x events.
    noise
        How often what is observed is wrong.
    """

    events: tuple[str, ...]
    present: BoolArray
    probabilities: FloatArray
    rates: FloatArray
    noise: Noise

    def averages(self, data: Dataset, values: FloatArray) -> FloatArray:
        """Return values of the states, averaged over those that each sample may be in."""
        found = np.empty((len(data.samples), values.shape[1]))
        for rows, shares in self.shares(data):
            found[rows] = shares @ values
        return found

    def shares(self, data: Dataset) -> Iterator[tuple[slice, FloatArray]]:
        """Yield the probability of each state given each sample, for some samples at a time."""
        step = max(1, _ENTRIES // len(self.present))
        for start in range(0, len(data.samples), step):
            rows = slice(start, min(start + step, len(data.samples)))
            part = data.take_samples(np.arange(rows.start, rows.stop))
            chances = observation_chances(part, self.events, self.present, self.noise)
            weights = chances * self.probabilities
            with np.errstate(invalid="ignore"):
                yield rows, weights / weights.sum(axis=1, keepdims=True)


class PlacedByStates:
    """What a model says of samples by listing every true genotype; see `PlacingModel`."""

    def true_states(self) -> States:
        """Return every true genotype that can be, and how it is observed."""
        raise NotImplementedError

    def next_rates(self, genotypes: BoolArray) -> FloatArray:
        """Return the rate at which each event comes next in each true genotype."""
        raise NotImplementedError

    def likeliest_genotypes(self, data: Dataset) -> BoolArray:
        """Return the most probable true genotype of each sample, samples x events as in the data.

        Of equally probable ones, the one with the fewest events.
        """
        states = self.true_states()
        smallest = np.argsort(states.present.sum(axis=1), kind="stable")
        found = np.empty((len(data.samples), len(states.events)), dtype=bool)
        for rows, shares in states.shares(data):
            best = shares >= _EQUAL * shares.max(axis=1, keepdims=True)
            found[rows] = states.present[smallest[best[:, smallest].argmax(axis=1)]]
        return as_in(data, states.events, found)

    def count_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability that 0, 1, ... events are truly there, for each sample."""
        states = self.true_states()
        counts = states.present.sum(axis=1)[:, None] == np.arange(len(states.events) + 1)
        return states.averages(data, counts.astype(float))

    def next_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability that each event is the next one, samples x events as in the data.

        Exact: an average over all true genotypes.
        """
        states = self.true_states()
        return as_in(data, states.events, states.averages(data, next_chances(states.rates)))

    def waiting_medians(self, data: Dataset) -> FloatArray:
        """Return the median time until each event comes, samples x events as in the data."""
        states = self.true_states()
        found = np.empty((len(data.samples), len(states.events)))
        for rows, shares in states.shares(data):
            for event in range(len(states.events)):
                found[rows, event] = waiting_median(states.rates[:, event], shares)
        return as_in(data, states.events, found)


def observation_chances(
    data: Dataset, events: tuple[str, ...], states: BoolArray, noise: Noise
) -> FloatArray:
    """Return the probability to observe each sample in each true genotype, samples x states."""
    codes = observation_codes(events, data)
    seen, missed = (codes == 1).astype(float), (codes == 0).astype(float)
    present = states.astype(float)  # products of 0 and 1 are exact
    positive, negative = noise.false_positive, noise.false_negative
    chance = np.ones((len(codes), len(states)))
    for rate, times in (
        (positive, seen @ (1 - present).T),
        (1 - positive, missed @ (1 - present).T),
        (negative, missed @ present.T),
        (1 - negative, seen @ present.T),
    ):
        powers = np.cumprod([1.0, *[rate] * len(events)])
        chance *= powers[times.astype(np.intp)]
    return chance


def next_chances(rates: FloatArray) -> FloatArray:
    """Return each rate over the sum of its row; zeros where nothing can come.

    Examples
    --------
    >>> next_chances(np.array([[1.0, 3.0], [0.0, 0.0]]))
    array([[0.25, 0.75],
           [0.  , 0.  ]])
    """
    total = rates.sum(axis=1, keepdims=True)
    return np.asarray(rates / np.where(total > 0, total, 1.0))


def waiting_median(rates: FloatArray, shares: FloatArray) -> FloatArray:
    """Return the median of exponential times of several rates, each with its share.

    Times of rate 0 never come and do not count; NaN where no other has a share.

    Parameters
    ----------
    rates
        One for each state.
    shares
        Samples x states.

    Examples
    --------
    >>> waiting_median(np.array([1.0, 4.0, 0.0]), np.array([[0.5, 0.0, 0.5], [0.3, 0.3, 0.4]]))
    array([0.69314718, 0.32228462])
    """
    distinct, places = np.unique(rates, return_inverse=True)
    weights = shares @ (places[:, None] == np.arange(len(distinct)))
    return mixture_median(distinct[distinct > 0], weights[:, distinct > 0])


def mixture_median(rates: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the median of exponential times: positive rates, one for all rows or for each.

    By halving the interval between the medians of the fastest and of the slowest, on a logarithmic
    scale.
    """
    found = np.full(len(weights), np.nan)
    with np.errstate(invalid="ignore"):
        rows: IntArray = np.flatnonzero(weights.sum(axis=1) > 0)
    if not rows.size:
        return found
    shares = weights[rows] / weights[rows].sum(axis=1, keepdims=True)
    each = np.broadcast_to(rates, weights.shape)[rows]
    low, high = np.log(np.log(2) / each.max(axis=1)), np.log(np.log(2) / each.min(axis=1))
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        later = (shares * np.exp(-each * np.exp(middle)[:, None])).sum(axis=1) > 0.5
        low, high = np.where(later, middle, low), np.where(later, high, middle)
    found[rows] = np.exp((low + high) / 2)
    return found
