"""Passage: how probably, and how soon, events occur that are asked for, in models with a clock.

True genotypes are the states of a process in continuous time, and each event adds itself at a rate.
Where the states can be listed everything is exact, else paths are simulated.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese._core.names import by_name
from caprese._core.progress import tell
from caprese.kernels.functions import exp, log, product
from caprese.models.base import Effects, RatedModel
from caprese.models.states import as_sets, from_sets

MOST_STATES = 2**17  # of all parts that are listed: of 17 events, or of larger posets
_MOST_EVENTS = 62  # bits of a set
_STREAM = 0x1F  # apart from the streams of other work with the same seed
_NODES, _SPAN = 24, 4.0  # of an inverse Laplace transform, and the ratio of times that it serves
_LONGEST = 2.0**60
_HALVINGS = 50

Values = NDArray[np.complex128]
Transform = Callable[[Values], Values]
"""What gives the mean of exp(-z T) for rows x nodes z, of times T that may be infinite."""


@dataclass(frozen=True, eq=False)
class Process:
    """True genotypes of a model with a clock, each event at its rate times a factor.

    Time goes on at the same pace in all genotypes, in units of the mean time until a sample without
    events is taken.
    """

    model: RatedModel
    factors: FloatArray

    def taken(self, genotypes: BoolArray) -> FloatArray:
        """Return the rate at which a sample with each genotype is taken."""
        if not isinstance(self.model, Effects):
            return np.ones(len(genotypes))
        return exp(product(genotypes.astype(float), log(self.model.observation)))

    def rates(self, genotypes: BoolArray) -> FloatArray:
        """Return the rate of each event in each genotype."""
        pace = self.taken(genotypes)[:, None]
        return np.asarray(self.model.next_rates(genotypes) * pace * self.factors)


@dataclass(frozen=True)
class Goal:
    """What is to be reached: an event at a position, or so many events."""

    event: int | None = None
    number: int = 0

    def reached(self, genotypes: BoolArray) -> BoolArray:
        """Return which genotypes have it."""
        if self.event is not None:
            return np.asarray(genotypes[:, self.event])
        return np.asarray(genotypes.sum(axis=1) >= self.number)

    def first(self, times: FloatArray) -> FloatArray:
        """Return when it was reached, by the times of events, paths x events; infinite if never."""
        if self.event is not None:
            return np.asarray(times[:, self.event])
        within = 0 < self.number <= times.shape[1]
        none = np.full(len(times), np.inf if self.number else 0.0)
        return np.sort(times, axis=1)[:, self.number - 1] if within else none


class Reach(NamedTuple):
    """How probably a goal is reached before the next sample is taken, and the median time.

    One number for each start; the time is infinite where it is not reached with probability 1/2.
    Errors are standard errors of simulated numbers, 0 of exact ones.
    """

    probability: FloatArray
    median: FloatArray
    probability_error: FloatArray
    median_error: FloatArray


@dataclass(frozen=True, eq=False)
class Listed:
    """All genotypes that a process reaches from some, by size, and the steps between them."""

    present: BoolArray  # states x events
    ends: IntArray  # states x events: where the step to one more event leads
    rates: FloatArray  # states x events
    taken: FloatArray  # the rate at which a sample of each is taken
    starts: IntArray  # the place of each genotype that was given

    @classmethod
    def of(cls, process: Process, genotypes: BoolArray, most: int) -> "Listed | None":
        """List the genotypes that are reached from these; None if there are more than so many."""
        n = genotypes.shape[1]
        if n > _MOST_EVENTS:
            return None
        given, bits = as_sets(genotypes), 1 << np.arange(n)
        sizes, ahead = genotypes.sum(axis=1), np.zeros(0, dtype=np.int64)
        sets: list[IntArray] = []
        rates: list[FloatArray] = []
        for size in range(n + 1):
            here = np.unique(np.concatenate([ahead, given[sizes == size]]))
            most -= len(here)
            if most < 0:
                return None
            speeds = process.rates(from_sets(here, n))
            ahead = (here[:, None] | bits)[speeds > 0]
            sets.append(here)
            rates.append(speeds)
        return cls._joined(process, np.concatenate(sets), np.concatenate(rates), given)

    @classmethod
    def _joined(
        cls, process: Process, sets: IntArray, rates: FloatArray, given: IntArray
    ) -> "Listed":
        n = rates.shape[1]
        order = np.argsort(sets)
        targets = np.where(rates > 0, sets[:, None] | 1 << np.arange(n), sets[:, None])
        ends = order[np.searchsorted(sets[order], targets)]
        present = from_sets(sets, n)
        starts = order[np.searchsorted(sets[order], given)]
        return cls(present, ends, rates, process.taken(present), starts)

    def reach(self, goal: BoolArray, leaving: Values | FloatArray) -> NDArray[np.inexact]:
        """Return how probably each state comes to a goal before it is left, at a rate of its own.

        With a complex number z for the rate, the mean of exp(-z T) of the time T to the goal.

        Parameters
        ----------
        goal
            Which states are the goal.
        leaving
            States x any number of columns.
        """
        found = np.zeros(leaving.shape, leaving.dtype)
        total = self.rates.sum(axis=1)[:, None] + leaving
        for own in reversed(self._sizes()):
            for ends, rates in zip(self.ends[own].T, self.rates[own].T, strict=True):
                found[own] += rates[:, None] * found[ends]
            found[own] /= np.where(total[own] == 0, 1.0, total[own])
            found[own] = np.where(goal[own, None], 1.0, found[own])
        return found

    def observed(self, start: int) -> FloatArray:
        """Return the probability that the next sample is taken in each state, from a start."""
        there = np.zeros(len(self.present))
        there[self.starts[start]] = 1.0
        stays = self.taken + self.rates.sum(axis=1)
        for own in self._sizes():
            there[own] /= stays[own]
            for ends, rates in zip(self.ends[own].T, self.rates[own].T, strict=True):
                there[ends] += np.where(rates > 0, rates * there[own], 0.0)
        return np.asarray(there * self.taken)

    def _sizes(self) -> list[slice]:
        """Return which states have 0, 1, ... events."""
        sizes = self.present.sum(axis=1)
        ends = np.searchsorted(sizes, np.arange(self.present.shape[1] + 2))
        return [slice(*pair) for pair in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)]


class Paths(NamedTuple):
    """Simulated paths of a process, one a row."""

    times: FloatArray  # paths x events: when each occurred; 0 at the start, infinite if never
    passed: FloatArray  # the mean number of samples taken by then

    @classmethod
    def of(
        cls, process: Process, genotype: BoolArray, number: int, rng: np.random.Generator
    ) -> "Paths":
        """Simulate paths from a genotype until nothing more can occur, by Gillespie's algorithm.

        The same stream gives the same paths whatever the order of the events.
        """
        order = by_name(process.model.events)
        present = np.tile(genotype, (number, 1))
        times = np.where(present, 0.0, np.inf)
        passed, clock, samples = times.copy(), *np.zeros((2, number))
        left = np.arange(number)
        while left.size:
            reached = process.rates(present[left])[:, order].cumsum(axis=1)
            going = reached[:, -1] > 0
            left, reached = left[going], reached[going]
            waited = rng.exponential(size=left.size) / reached[:, -1]
            drawn = rng.random(left.size) * reached[:, -1]
            event = order[np.minimum((drawn[:, None] >= reached).sum(axis=1), len(order) - 1)]
            clock[left] += waited
            samples[left] += waited * process.taken(present[left])
            present[left, event] = True
            times[left, event], passed[left, event] = clock[left], samples[left]
        return cls(times, passed)

    def observed(self, rng: np.random.Generator) -> BoolArray:
        """Return the genotype in which the next sample of each path is taken."""
        return np.asarray(self.passed <= rng.exponential(size=(len(self.passed), 1)))


class Part(NamedTuple):
    """A model of true genotypes, and how much it counts for each start."""

    model: RatedModel
    shares: FloatArray


@dataclass(frozen=True, eq=False)
class ListedPassage:
    """What is reached from several starts, over the parts of a mixture; exact."""

    starts: BoolArray
    parts: tuple[tuple[Listed, FloatArray], ...]

    simulated = False

    @classmethod
    def of(
        cls, parts: Sequence[Part], factors: FloatArray, starts: BoolArray
    ) -> "ListedPassage | None":
        """Return the passage from these starts; None if there are too many genotypes."""
        found, left = [], MOST_STATES
        for model, shares in parts:
            listed = Listed.of(Process(model, factors), starts, left)
            if listed is None:
                return None
            left -= len(listed.present)
            found.append((listed, shares))
        return cls(starts, tuple(found))

    def reach(self, goal: Goal) -> Reach:
        """Return how probably a goal is reached, and how soon."""
        goals = [goal.reached(listed.present) for listed, _ in self.parts]

        def mean(leaving: Callable[[Listed], FloatArray | Values]) -> NDArray[Any]:
            each = zip(self.parts, goals, strict=True)
            found = (
                shares[:, None] * listed.reach(there, leaving(listed))[listed.starts]
                for (listed, shares), there in each
            )
            return np.asarray(sum(found))

        def transform(z: Values) -> Values:
            return mean(lambda listed: np.broadcast_to(z, (len(listed.present), len(z))))

        chances = mean(lambda listed: listed.taken[:, None])[:, 0]
        ever = mean(lambda listed: np.zeros((len(listed.present), 1)))[:, 0]
        there = goal.reached(self.starts)
        times = np.where(there, 0.0, medians(transform, np.where(there, 0.0, ever)))
        return Reach(chances, times, *np.zeros((2, len(times))))

    def genotypes(self) -> tuple[BoolArray, FloatArray]:
        """Return in which genotypes the next sample is taken, from the first start."""
        present = np.concatenate([listed.present for listed, _ in self.parts])
        shares = np.concatenate([own[0] * listed.observed(0) for listed, own in self.parts])
        return distinct_genotypes(present, shares)


@dataclass(frozen=True, eq=False)
class SimulatedPassage:
    """What is reached from several starts, over the parts of a mixture, by simulated paths."""

    starts: BoolArray
    paths: tuple[Paths, ...]
    ends: BoolArray  # the genotypes in which the next samples of the first start are taken

    simulated = True

    @classmethod
    def of(
        cls,
        parts: Sequence[Part],
        factors: FloatArray,
        starts: BoolArray,
        number: int,
        seed: int,
    ) -> "SimulatedPassage":
        """Simulate so many paths from each start.

        Those of a start follow from its events and the seed.
        """
        order, found = by_name(parts[0].model.events), []
        ends = starts[:0]
        for row, start in enumerate(starts):
            tell("starts simulated", row, len(starts))
            stream = [_STREAM, seed, *np.flatnonzero(start[order]).tolist()]
            rng = np.random.default_rng(stream)
            weights = np.array([shares[row] for _, shares in parts])
            times = rng.multinomial(number, weights / weights.sum())
            own = [
                Paths.of(Process(model, factors), start, each, rng)
                for (model, _), each in zip(parts, times.tolist(), strict=True)
            ]
            found.append(Paths(*map(np.concatenate, zip(*own, strict=True))))
            ends = found[0].observed(rng) if row == 0 else ends
        return cls(starts, tuple(found), ends)

    def reach(self, goal: Goal) -> Reach:
        """Return how probably a goal is reached, and how soon, with standard errors."""
        found = [_simulated_reach(goal, paths) for paths in self.paths]
        return Reach(*np.array(found).T)

    def genotypes(self) -> tuple[BoolArray, FloatArray]:
        """Return in which genotypes the next sample is taken, from the first start."""
        return distinct_genotypes(self.ends, np.full(len(self.ends), 1 / len(self.ends)))


def _simulated_reach(goal: Goal, paths: Paths) -> tuple[float, float, float, float]:
    """Return probability and median time of a goal, and their standard errors.

    The median is between order statistics; its error is half the difference of those that are a
    standard error of their rank apart from it.
    """
    chances, times = np.exp(-goal.first(paths.passed)), np.sort(goal.first(paths.times))
    number = len(times)
    middle, apart = (number - 1) / 2, np.sqrt(number) / 2
    ranks = np.rint([middle, middle - apart, middle + apart]).astype(int)
    median, low, high = times[np.clip(ranks, 0, number - 1)].tolist()
    error = (high - low) / 2 if np.isfinite(high) else (0.0 if np.isinf(low) else np.inf)
    return float(chances.mean()), median, float(chances.std() / np.sqrt(number)), error


def passage(
    parts: Sequence[Part], factors: FloatArray, starts: BoolArray, *, simulated: int, seed: int
) -> ListedPassage | SimulatedPassage:
    """Return what is reached from several starts: exact if genotypes can be listed, else simulated.

    Parameters
    ----------
    parts
        Of a mixture; shares sum to 1 for each start.
    factors
        By which the rate of each event is multiplied.
    starts
        The true genotypes at the start.
    simulated, seed
        How many paths are simulated from each start, and from which seed.
    """
    listed = ListedPassage.of(parts, factors, starts)
    if listed is not None:
        return listed
    return SimulatedPassage.of(parts, factors, starts, simulated, seed)


def distinct_genotypes(present: BoolArray, shares: FloatArray) -> tuple[BoolArray, FloatArray]:
    """Return each genotype once, with the sum of its shares."""
    distinct, which = np.unique(present, axis=0, return_inverse=True)
    total = np.bincount(which.ravel(), shares, minlength=len(distinct))
    return distinct, total.astype(np.float64)


def medians(transform: Transform, ever: FloatArray) -> FloatArray:
    """Return the median of times, given by their transform; infinite for those that never end.

    By an inverse Laplace transform on a parabola (24 nodes serve times of a ratio of four to about
    1e-11), and bisection.

    Parameters
    ----------
    ever
        How probably each time ends at all.

    References
    ----------
    Weideman and Trefethen (2007), Mathematics of Computation 76:1341-1356.

    Examples
    --------
    >>> exponential = lambda z: np.array([[0.1], [7.0]]) / (np.array([[0.1], [7.0]]) + z)
    >>> (np.log(2) / medians(exponential, np.ones(2))).round(9)
    array([0.1, 7. ])
    """
    found = np.full(len(ever), np.inf)
    later = earlier = ever > 0.5
    last = _SPAN / 2
    while later.any() and last < _LONGEST:
        cumulative = _cumulative(transform, last)
        if last == _SPAN / 2:
            earlier = later & (cumulative(np.full(len(ever), last / _SPAN)) >= 0.5)
        ends = cumulative(np.full(len(ever), last)) >= 0.5
        own = later & ends & ~earlier
        found[own] = _halved(cumulative, last)[own]
        later, last = later & ~ends, last * _SPAN
    last = 0.5
    while earlier.any() and last > 1 / _LONGEST:
        cumulative = _cumulative(transform, last)
        own = earlier & (cumulative(np.full(len(ever), last / _SPAN)) < 0.5)
        found[own] = _halved(cumulative, last)[own]
        earlier, last = earlier & ~own, last / _SPAN
    return np.where(earlier, 0.0, found)


def _cumulative(transform: Transform, last: float) -> Callable[[FloatArray], FloatArray]:
    """Return what gives how probably each time has ended by a time from `last` / 4 to `last`."""
    root = np.sqrt(8 * _SPAN + 1)
    step, scale = root / _NODES, np.pi * _NODES / (4 * root * last)
    u = 1 + 1j * step * (np.arange(_NODES) + 0.5)
    z = scale * u**2
    weights = transform(z) * (step / np.pi * 2j * scale * u / z)
    return lambda times: np.asarray((weights * np.exp(z * times[:, None])).sum(axis=1).imag)


def _halved(cumulative: Callable[[FloatArray], FloatArray], last: float) -> FloatArray:
    """Return where probabilities reach 1/2, between a quarter of a time and the time."""
    rows = len(cumulative(np.array([last])))
    low, high = np.full(rows, last / _SPAN), np.full(rows, last)
    for _ in range(_HALVINGS):
        middle = np.sqrt(low * high)
        over = cumulative(middle) >= 0.5
        low, high = np.where(over, low, middle), np.where(over, middle, high)
    return np.asarray(np.sqrt(low * high))
