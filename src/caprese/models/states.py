"""States: the true genotypes that a sample may have, all of them listed, up to 20 events."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese.errors import ModelError, Remedy
from caprese.kernels.functions import product
from caprese.models.noise import Noise

MOST_EVENTS = 20  # of which all sets are held in memory
EQUAL = 1 - 1e-9  # of the largest probability: as probable
_BYTES = 100  # for each set while rates are estimated; and one more for each event
_ENTRIES = 2**22  # of a table of samples and genotypes that is held at once
_HALVINGS = 60

Codes = NDArray[np.uint8]
"""What was seen of each event: 0 absent, 1 present, 2 unknown."""


def check_lattice(events: int) -> None:
    """Refuse more events than fit in memory, and say how much they would take."""
    if events > MOST_EVENTS:
        need = (_BYTES + events) * 2.0**events / 2**30
        raise ModelError(
            f"the list of all genotypes of {events} events has up to 2^{events} states, which take "
            f"{need:,.3g} GiB; the most is {MOST_EVENTS} events",
            remedy=Remedy("top", MOST_EVENTS, f"keeps the {MOST_EVENTS} most frequent ones"),
        )


def as_sets(rows: BoolArray) -> IntArray:
    """Return each row as a whole number, column k in bit k."""
    return np.asarray(rows.astype(np.int64) @ (1 << np.arange(rows.shape[-1])))


def from_sets(sets: IntArray, events: int) -> BoolArray:
    """Return sets as rows of so many events; the opposite of `as_sets`."""
    return np.asarray(sets[:, None] >> np.arange(events) & 1 == 1)


def all_unknown(events: int) -> Codes:
    """Return what is seen of a sample of which nothing is known."""
    return np.full(events, 2, dtype=np.uint8)


def completions(seen: Codes) -> BoolArray:
    """Return every genotype with these entries, of which those that are 2 are unknown.

    Examples
    --------
    >>> completions(np.array([1, 2], dtype=np.uint8)).astype(int)
    array([[1, 0],
           [1, 1]])
    """
    free = np.flatnonzero(seen == 2)
    present = np.tile(seen == 1, (1 << len(free), 1))
    present[:, free] = from_sets(np.arange(1 << len(free)), len(free))
    return present


def observation_chances(codes: Codes, present: BoolArray, noise: Noise) -> FloatArray:
    """Return the probability to observe each sample in each true genotype, samples x states."""
    seen, missed = (codes == 1).astype(float), (codes == 0).astype(float)
    there = present.astype(float)  # products of 0 and 1 are exact
    positive, negative = noise.false_positive, noise.false_negative
    chance = np.ones((len(codes), len(present)))
    for rate, times in (
        (positive, seen @ (1 - there).T),
        (1 - positive, missed @ (1 - there).T),
        (negative, missed @ there.T),
        (1 - negative, seen @ there.T),
    ):
        powers = np.cumprod([1.0, *[rate] * codes.shape[1]])
        chance *= powers[times.astype(np.intp)]
    return chance


@dataclass(frozen=True)
class States:
    """True genotypes, how probable they are, and how they are observed."""

    present: BoolArray  # states x events
    probabilities: FloatArray
    noise: Noise

    def observed(self, codes: Codes) -> FloatArray:
        """Return the probability to observe each sample."""
        return product(observation_chances(codes, self.present, self.noise), self.probabilities)

    def averages(self, codes: Codes, values: FloatArray) -> FloatArray:
        """Return values of the states, averaged over those that each sample may be in."""
        return np.concatenate([shares @ values for shares in self.shares(codes)])

    def likeliest(self, codes: Codes) -> BoolArray:
        """Return the most probable genotype of each sample; of equal ones that of fewest events."""
        smallest = np.argsort(self.present.sum(axis=1), kind="stable")
        found = []
        for shares in self.shares(codes):
            best = shares >= EQUAL * shares.max(axis=1, keepdims=True)
            found.append(self.present[smallest[best[:, smallest].argmax(axis=1)]])
        return np.concatenate(found)

    def waiting_medians(
        self, codes: Codes, next_rates: Callable[[BoolArray], FloatArray]
    ) -> FloatArray:
        """Return the median time until each event comes, by its rate in each state."""
        rates = next_rates(self.present).T
        found = [[waiting_median(each, shares) for each in rates] for shares in self.shares(codes)]
        return np.concatenate(found, axis=1).T

    def shares(self, codes: Codes) -> Iterator[FloatArray]:
        """Yield the probability of each state given each sample, for some samples at a time."""
        step = max(1, _ENTRIES // len(self.present))
        for start in range(0, len(codes), step):
            chances = observation_chances(codes[start : start + step], self.present, self.noise)
            weights = chances * self.probabilities
            with np.errstate(invalid="ignore"):
                yield weights / weights.sum(axis=1, keepdims=True)


def next_chances(rates: FloatArray) -> FloatArray:
    """Return each rate over the sum of its row; zeros where nothing can come."""
    total = rates.sum(axis=1, keepdims=True)
    return np.asarray(rates / np.where(total > 0, total, 1.0))


def waiting_median(rates: FloatArray, shares: FloatArray) -> FloatArray:
    """Return the median of exponential times for samples x states; of rate 0 they do not count."""
    distinct, places = np.unique(rates, return_inverse=True)
    weights = shares @ (places[:, None] == np.arange(len(distinct)))
    return mixture_median(distinct[distinct > 0], weights[:, distinct > 0])


def mixture_median(rates: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the median of exponential times: positive rates, one for all rows or for each.

    By halving the logarithmic interval between the medians of the fastest and of the slowest.
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
