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

    def order_probabilities(
        self, codes: Codes, pairs: IntArray, next_rates: Callable[[BoolArray], FloatArray]
    ) -> FloatArray:
        """Return how probably the first event of each pair came before the second.

        Averaged over the true genotypes that the sample may be in; of two events of which only one
        is there, it came first, and of two that are absent either. NaN for impossible samples.

        The probabilities must be those that follow from the rates, while samples are taken at
        rate 1.

        Parameters
        ----------
        pairs
            Rows of sample, event and event.
        """
        paths, found = _Paths(self.present, next_rates(self.present)), np.empty(len(pairs))
        step = max(1, _ENTRIES // len(self.present))
        for start in range(0, len(codes), step):
            own = np.flatnonzero((pairs[:, 0] >= start) & (pairs[:, 0] < start + step))
            chances = observation_chances(codes[start : start + step], self.present, self.noise)
            found[own] = self._of_block(paths, chances.T, pairs[own] - np.array([start, 0, 0]))
        return found

    def _of_block(self, paths: "_Paths", chances: FloatArray, pairs: IntArray) -> FloatArray:
        """Return how probably pairs are in order, by the chances to observe states x samples."""
        later, found = paths.chances_after(chances), np.empty(len(pairs))
        _, kind = np.unique(pairs[:, 1:], axis=0, return_inverse=True)
        for each in range(kind.max(initial=-1) + 1):
            own = np.flatnonzero(kind.ravel() == each)
            first, second = pairs[own[0], 1:]
            samples = pairs[own, 0]
            without = np.flatnonzero(~self.present[:, second])
            weights = self.probabilities[without]
            before = self.present[without, first]
            steps = np.where(before, weights * paths.rates[without, second], 0.0)
            ends = np.where(before, weights, weights / 2)
            total = product(self.probabilities, chances[:, samples])
            found[own] = product(steps, later[np.ix_(paths.ends[without, second], samples)])
            found[own] += product(ends, chances[np.ix_(without, samples)])
            with np.errstate(invalid="ignore"):
                found[own] /= total
        return found

    def later(
        self,
        earlier: Codes,
        later: Codes,
        next_rates: Callable[[BoolArray], FloatArray],
        ended: float,
    ) -> FloatArray:
        """Return how probably a later sample of a patient is observed, given the earlier one.

        Parameters
        ----------
        ended
            The rate of the time between them, which is exponential.
        """
        paths = _Paths(self.present, next_rates(self.present))
        step, found = max(1, _ENTRIES // len(self.present)), []
        for start, shares in zip(range(0, len(earlier), step), self.shares(earlier), strict=True):
            chances = observation_chances(later[start : start + step], self.present, self.noise)
            after = paths.chances_after(chances.T, ended)
            found.append((shares * after.T).sum(axis=1))
        return np.concatenate(found)

    def shares(self, codes: Codes) -> Iterator[FloatArray]:
        """Yield the probability of each state given each sample, for some samples at a time."""
        step = max(1, _ENTRIES // len(self.present))
        for start in range(0, len(codes), step):
            chances = observation_chances(codes[start : start + step], self.present, self.noise)
            weights = chances * self.probabilities
            with np.errstate(invalid="ignore"):
                yield weights / weights.sum(axis=1, keepdims=True)


class _Paths:
    """The steps between true genotypes: where each ends, and its rate."""

    def __init__(self, present: BoolArray, rates: FloatArray) -> None:
        sets = as_sets(present)
        order = np.argsort(sets)
        targets = sets[:, None] | 1 << np.arange(present.shape[1])
        at = order[np.minimum(np.searchsorted(sets[order], targets), len(sets) - 1)]
        self.ends = np.where(sets[at] == targets, at, 0)
        self.rates = np.where(sets[at] == targets, rates, 0.0)
        self.total = rates.sum(axis=1)
        self.sizes = present.sum(axis=1)

    def chances_after(self, chances: FloatArray, ended: float = 1.0) -> FloatArray:
        """Return how probably each sample is observed from each state on, states x samples.

        Parameters
        ----------
        chances
            How probably it is observed in each state, if it is taken there.
        ended
            The rate at which samples are taken.
        """
        found = ended * chances
        for size in range(self.sizes.max(), -1, -1):
            own = np.flatnonzero(self.sizes == size)
            for ends, rates in zip(self.ends[own].T, self.rates[own].T, strict=True):
                found[own] += rates[:, None] * found[ends]
            found[own] /= (ended + self.total[own])[:, None]
        return found


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
