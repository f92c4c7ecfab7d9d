"""Timed hazards: the likelihood of samples at known times and of series, and its slopes.

Between two samples of a patient that are known, all that was absent may come: such a pair is a
chain of its own, in which the earlier sample is the start. Samples with unknown entries are passed
on the way, with all that they may be.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np

from caprese._core.arrays import FloatArray, IntArray
from caprese.data.visits import Times, Visits
from caprese.errors import ModelError, Remedy
from caprese.fitting.contour import CONTOUR
from caprese.kernels import timed_hazards
from caprese.kernels.functions import exp, log
from caprese.kernels.threads import over_spans
from caprese.models.states import Codes, as_sets

MOST_OPEN = 16  # events that may come between two samples, of which all sets are held
_BLOCK = 64  # chains that are passed by one call, whatever the number of cores
_WORTH_THREADS = 3e5  # states times events: about ten milliseconds
_SOON = 1e-9  # in place of a time of 0, in units of the mean time

T = TypeVar("T")
_Leg = tuple[int, int, float, int]  # what is present, what may be, the time, and which time it is
_Chain = tuple[tuple[int, ...], tuple[int, ...], tuple[_Leg, ...]]  # what may come, what is there
_FIRST, _BETWEEN = 0, 1  # times: before the first sample of a patient, or between two


@dataclass(frozen=True, eq=False)
class TimedSeries:
    """What was seen of patients, as chains of samples.

    Parameters
    ----------
    chains
        Distinct ones, those of fewer states first, as the kernel takes them.
    ends
        Where blocks of them start, and where the last one ends.
    which, owners
        The chains of all histories, and the history that each is of.
    histories
        How many histories there are.
    states
        How many states the legs of all chains pass.
    unit
        The unit of time of the chains, in that of the data; NaN if no time is known.
    free
        The unknown time whose mean is fitted: ``first``, before a first sample, ``between`` two
        samples, or none.
    """

    chains: timed_hazards.Chains
    ends: IntArray
    which: IntArray
    owners: IntArray
    histories: int
    states: float
    unit: float
    free: Literal["first", "between", ""]

    @classmethod
    def of(cls, visits: Visits, times: Times) -> "TimedSeries":
        """Return the chains of all histories.

        Raises
        ------
        ModelError
            If more than 16 events may come between two samples.
        """
        kept, unit = visits.kept(), unit_of(visits, times)
        elapsed = np.maximum(kept.elapsed / (unit if unit > 0 else 1.0), _SOON)
        found: dict[_Chain, int] = {}
        which, owners = list[int](), list[int]()
        for owner in range(len(kept.number)):
            own = slice(kept.starts[owner], kept.starts[owner + 1])
            for chain in _chains(kept.codes[own], elapsed[own].tolist(), kept.given[owner]):
                which.append(found.setdefault(chain, len(found)))
                owners.append(owner)
        distinct = sorted(found, key=lambda chain: (len(chain[0]), found[chain]))
        place = np.argsort([found[chain] for chain in distinct])
        return cls(
            _for_kernel(distinct),
            np.array([*range(0, len(distinct), _BLOCK), len(distinct)]),
            place[which],
            np.array(owners),
            len(kept.number),
            float(sum(2.0 ** len(inside) * len(legs) for inside, _, legs in distinct)),
            unit,
            free_time(visits, times),
        )

    def log_chances(self, rates: FloatArray, effects: FloatArray, pace: float) -> FloatArray:
        """Return the log-probability of each history.

        Parameters
        ----------
        pace
            The rate of the unknown time that is fitted, as a logarithm.
        """
        unknown = self._unknown(pace)

        def of_block(start: int, stop: int) -> FloatArray:
            return timed_hazards.chances(rates, effects, unknown, CONTOUR, self.chains, start, stop)

        chances = np.concatenate(self._blocks(of_block, len(rates)))
        found = np.zeros(self.histories)
        np.add.at(found, self.owners, log(chances)[self.which])
        return found

    def log_likelihood(
        self, rates: FloatArray, effects: FloatArray, pace: float, times: FloatArray
    ) -> tuple[float, FloatArray, FloatArray, float]:
        """Return the log-likelihood of histories that were observed so many times, and its slopes.

        By the logarithms of rates and effects, and by the pace.
        """
        unknown = self._unknown(pace)
        weights = np.zeros(int(self.ends[-1]))
        np.add.at(weights, self.which, times[self.owners])

        def of_block(start: int, stop: int) -> tuple[float, FloatArray, FloatArray, FloatArray]:
            return timed_hazards.log_likelihood(
                rates, effects, unknown, CONTOUR, weights, self.chains, start, stop
            )

        found = self._blocks(of_block, len(rates))
        total, by_rate, by_effect, by_unknown = (
            sum(each[1:], each[0]) for each in zip(*found, strict=True)
        )
        by_pace = float(by_unknown[_BETWEEN if self.free == "between" else _FIRST])
        return float(total), by_rate, by_effect, by_pace if self.free else 0.0

    def mean_time(self, pace: float) -> float:
        """Return the mean time until a first sample, in the unit of the data."""
        return self.unit / float(self._unknown(pace)[_FIRST])

    def mean_gap(self, pace: float) -> float:
        """Return the mean time between two samples, if it was fitted, in that of a first sample."""
        return 1 / float(exp(np.array(pace))) if self.free == "between" else float("nan")

    def _unknown(self, pace: float) -> FloatArray:
        rates = np.ones(2)
        if self.free:
            rates[_BETWEEN if self.free == "between" else _FIRST] = exp(np.array(pace))
        return rates

    def _blocks(self, work: Callable[[int, int], T], events: int) -> list[T]:
        """Return what each block of chains gives, on all cores."""
        ends = self.ends.tolist()

        def of_blocks(first: int, last: int) -> list[T]:
            return [work(ends[block], ends[block + 1]) for block in range(first, last)]

        least = 1 if self.states * events > _WORTH_THREADS else len(ends)
        return [one for part in over_spans(of_blocks, len(ends) - 1, least) for one in part]


def unit_of(visits: Visits, times: Times) -> float:
    """Return the mean of the known times that are counted in it; NaN if none is known."""
    if times == "known" and not np.isnan(visits.mean_time()):
        return visits.mean_time()
    known = visits.elapsed[~np.isnan(visits.elapsed)]
    return float(known.mean()) if len(known) else float("nan")


def free_time(visits: Visits, times: Times) -> Literal["first", "between", ""]:
    """Return which unknown time has a mean of its own; none if there is no other time."""
    if visits.given.all():
        return ""
    return "first" if times == "gaps" else "between" if times == "order" else ""


def _chains(codes: Codes, elapsed: list[float], given: bool) -> Iterator[_Chain]:
    """Yield the chains of one history: from a sample that is known to the next that is.

    What an ancestor that is given does not tell is taken to be absent in it.
    """
    start, since = np.zeros(codes.shape[1], dtype=bool), 0
    if given:
        start, since = codes[0] == 1, 1
    for visit, seen in enumerate(codes):
        if visit < since:
            continue
        if (seen == 2).any() and visit < len(codes) - 1:
            continue
        open_to = np.flatnonzero((seen > 0) & ~start)
        if len(open_to) > MOST_OPEN:
            remedy = Remedy("top", MOST_OPEN, f"keeps the {MOST_OPEN} most frequent ones")
            problem = f"{len(open_to)} events may come between two samples of a patient"
            raise ModelError(f"{problem}; the most with known times is {MOST_OPEN}", remedy=remedy)
        legs = [
            (
                int(as_sets(codes[leg, open_to] == 1)),
                int(as_sets(codes[leg, open_to] == 2)),
                -1.0 if np.isnan(elapsed[leg]) else elapsed[leg],
                _BETWEEN if leg else _FIRST,
            )
            for leg in range(since, visit + 1)
        ]
        yield tuple(open_to.tolist()), tuple(np.flatnonzero(start).tolist()), tuple(legs)
        start, since = seen == 1, visit + 1


def _for_kernel(chains: list[_Chain]) -> timed_hazards.Chains:
    """Return chains as the kernel takes them."""
    inside, there, legs = zip(*chains, strict=True)
    present, free, elapsed, kinds = zip(*(leg for own in legs for leg in own), strict=True)
    members, starts = _joined(inside)
    fixed, fixed_starts = _joined(there)
    return timed_hazards.Chains(
        members,
        starts,
        fixed,
        fixed_starts,
        np.cumsum([0, *map(len, legs)]),
        np.array(present, dtype=np.int64),
        np.array(free, dtype=np.int64),
        np.array(elapsed),
        np.array(kinds, dtype=np.int64),
    )


def _joined(parts: tuple[tuple[int, ...], ...]) -> tuple[IntArray, IntArray]:
    """Return all numbers, and where those of each part start."""
    starts = np.cumsum([0, *map(len, parts)])
    return np.array([each for part in parts for each in part], dtype=np.int64), starts
