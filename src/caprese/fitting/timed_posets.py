"""Timed posets: rates and error of a poset from samples at known times and series of patients.

All sets of events that the poset allows are passed, for all patients at once: the true sets are
hidden, since each entry may be wrong. Time passes as in `contour`.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese._core.words import number_of
from caprese.data.dataset import Dataset
from caprese.data.visits import Times, Visits
from caprese.errors import ModelError, Remedy
from caprese.fitting.ascent import ascend
from caprese.fitting.contour import CONTOUR
from caprese.fitting.estimated import Estimate
from caprese.fitting.timed_hazards import free_time, unit_of
from caprese.kernels.functions import exp, log, product
from caprese.models.base import in_order_of
from caprese.models.poset import NoisyPoset, TimedPoset
from caprese.models.states import check_lattice, from_sets

MOST_SETS = 2048  # that a poset with times allows
_FAR = float(log(np.array(1e6)))  # of the logarithm of a rate
_LEAST_ERROR, _MOST_ERROR = 1e-4, 0.499
_LEAST = 1e-25  # of a probability
_SOON = 1e-9  # in place of a time of 0
_POLES = CONTOUR[0] + 1j * CONTOUR[1]
_WEIGHTS = CONTOUR[2] + 1j * CONTOUR[3]

Complex = NDArray[np.complex128]
_Moves = list[tuple[IntArray, list[tuple[int, IntArray, IntArray]]]]


class TimedEstimate(NamedTuple):
    """The likeliest numbers of a poset, and what they say of time."""

    estimate: Estimate[NoisyPoset]
    mean_time: float  # until a first sample, in the unit of the data
    mean_gap: float  # between two samples, in that of a first sample, if it was fitted


class _Leg(NamedTuple):
    """Time that passed for some histories, and the samples at its end."""

    own: IntArray  # the histories
    visits: IntArray
    poles: Complex  # histories x poles
    weights: Complex
    unknown: int  # 0 if the time is known; 1 before a first sample, 2 between two


@dataclass(frozen=True, eq=False)
class PosetInTime:
    """The likelihood of the rates of one poset, by the histories of patients.

    Parameters
    ----------
    poset
        Which events wait for which.
    visits
        The histories, with the events of the poset.
    times
        What of their times is used.
    """

    poset: TimedPoset
    visits: Visits
    times: Times

    @cached_property
    def sets(self) -> BoolArray:
        """The sets of events that the poset allows, small ones first."""
        events = len(self.poset.events)
        check_lattice(events)
        every = from_sets(np.arange(1 << events), events)
        allowed = np.ones(len(every), dtype=bool)
        for event, parents in enumerate(self.poset.parent_sets):
            for parent in parents:
                allowed &= ~every[:, event] | every[:, parent]
        found = every[allowed]
        if len(found) > MOST_SETS:
            remedy = Remedy("top", None, "keeps the most frequent events")
            problem = f"a poset that allows {number_of(len(found), 'set')} of events is too large"
            raise ModelError(f"{problem} for known times; the most is {MOST_SETS}", remedy=remedy)
        return found[np.argsort(found.sum(axis=1), kind="stable")]

    @cached_property
    def moves(self) -> _Moves:
        """For each size the sets, and for each event which of them it leaves, and to which."""
        place = {row.tobytes(): k for k, row in enumerate(self.sets)}
        sizes, found = self.sets.sum(axis=1), []
        for size in range(int(sizes.max()) + 1):
            own, moves = np.flatnonzero(sizes == size), []
            for event in range(len(self.poset.events)):
                pairs = []
                for state in own[~self.sets[own, event]].tolist():
                    after = self.sets[state].copy()
                    after[event] = True
                    if (target := place.get(after.tobytes())) is not None:
                        pairs.append((state, target))
                if pairs:
                    start, end = np.array(pairs).T
                    moves.append((event, start, end))
            found.append((own, moves))
        return found

    @cached_property
    def unit(self) -> float:
        """The unit of known times; NaN if there are none."""
        return unit_of(self.visits, self.times)

    @cached_property
    def wrong(self) -> FloatArray:
        """How many entries of each sample differ from each set, visits x sets."""
        codes = self.visits.codes[:, None, :]
        return np.asarray(((codes != 2) & (codes != self.sets)).sum(axis=2, dtype=np.float64))

    @cached_property
    def entries(self) -> FloatArray:
        """How many entries of each sample are known."""
        return np.asarray((self.visits.codes != 2).sum(axis=1, dtype=np.float64))

    @property
    def free(self) -> int:
        """Which unknown time has a mean of its own: 1, 2, or 0 for none."""
        return {"first": 1, "between": 2, "": 0}[free_time(self.visits, self.times)]

    def log_likelihood(self, numbers: FloatArray) -> tuple[float, FloatArray]:
        """Return the log-likelihood and its slopes by the logarithms of rates, error and pace.

        Parameters
        ----------
        numbers
            The logarithms of the rates, of the error, and of the rate of the unknown time that is
            fitted, which is ignored if none is.
        """
        rates, error, pace = exp(numbers[:-2]), float(exp(numbers[-2:-1])[0]), numbers[-1:]
        error_slope = 0.0
        slopes = np.zeros(len(numbers))
        mass = np.zeros((len(self.sets), len(self.visits.number)))
        mass[0] = 1.0
        trail: list[tuple[_Leg, Complex, FloatArray, FloatArray]] = []
        for leg in self._legs(float(exp(pace)[0])):
            passed = self._forwards(mass[:, leg.own], leg.poles, rates)
            out = (passed * leg.weights).real.sum(axis=2)
            wrong = self.wrong[leg.visits].T
            seen = exp(log(error) * wrong + log(1 - error) * (self.entries[leg.visits] - wrong))
            mass[:, leg.own] = out * seen
            trail.append((leg, passed, out, seen))
        chances = np.maximum(mass.sum(axis=0), _LEAST)
        number = self.visits.number.astype(np.float64)
        value = np.tile(number / chances, (len(self.sets), 1))
        for leg, passed, out, seen in reversed(trail):
            own, wrong = value[:, leg.own], self.wrong[leg.visits].T
            right = self.entries[leg.visits] - wrong
            error_slope += float((own * out * seen * (wrong - right * error / (1 - error))).sum())
            back = self._backwards(own * seen, leg.poles, rates)
            weighed = passed * leg.weights
            for _, moves in self.moves:
                for event, start, end in moves:
                    gain = (weighed[start] * (back[end] - back[start])).real.sum()
                    slopes[event] += rates[event] * gain
            if leg.unknown and leg.unknown == self.free:
                stayed = float((weighed * back).real.sum())
                slopes[-1] += number[leg.own].sum() - float(exp(pace)[0]) * stayed
            value[:, leg.own] = (back * leg.weights).real.sum(axis=2)
        slopes[-2] = error_slope
        return float(product(number, log(chances))), slopes

    def _legs(self, pace: float) -> list[_Leg]:
        """Return the legs of all histories, first visits first."""
        found, elapsed = [], self.visits.elapsed / (1.0 if np.isnan(self.unit) else self.unit)
        for place in range(int(self.visits.lengths.max())):
            own = np.flatnonzero(self.visits.lengths > place)
            visits = self.visits.starts[own] + place
            known = ~np.isnan(elapsed[visits])
            kind = 2 if place else 1
            rate = np.full((int((~known).sum()), 1), pace if kind == self.free else 1.0)
            since = np.maximum(elapsed[visits[known]], _SOON)[:, None]
            poles, weights = _POLES / since, _WEIGHTS / since
            found += [_Leg(own[known], visits[known], poles, weights, 0)] * bool(known.any())
            complex_rate = rate.astype(np.complex128)
            rest = _Leg(own[~known], visits[~known], complex_rate, complex_rate, kind)
            found += [rest] * bool((~known).any())
        return found

    def _leaving(self, rates: FloatArray) -> FloatArray:
        """Return the rate at which each set is left."""
        leave = np.zeros(len(self.sets))
        for _, moves in self.moves:
            for event, start, _ in moves:
                leave[start] += rates[event]
        return leave

    def _forwards(self, mass: FloatArray, poles: Complex, rates: FloatArray) -> Complex:
        """Return the resolvents at the poles, times what each set has: sets x histories x poles."""
        found = np.repeat(mass[:, :, None], poles.shape[1], axis=2).astype(np.complex128)
        leave = self._leaving(rates)
        for own, moves in self.moves:
            found[own] /= poles + leave[own][:, None, None]
            for event, start, end in moves:
                found[end] += rates[event] * found[start]
        return found

    def _backwards(self, value: FloatArray, poles: Complex, rates: FloatArray) -> Complex:
        """Return the transposed resolvents, times the value of each set."""
        found = np.repeat(value[:, :, None], poles.shape[1], axis=2).astype(np.complex128)
        leave = self._leaving(rates)
        for own, moves in reversed(self.moves):
            for event, start, end in moves:
                found[start] += rates[event] * found[end]
            found[own] /= poles + leave[own][:, None, None]
        return found


def fit_poset_in_time(model: NoisyPoset, data: Dataset, times: Times) -> TimedEstimate:
    """Return the likeliest rates and error of a poset by the histories of patients.

    Parameters
    ----------
    model
        The poset, and where the ascent starts.
    data, times
        The samples, and what of their times is used.
    """
    poset = model.poset
    visits = Visits.of(in_order_of(poset.events, data), times)
    given = PosetInTime(poset, visits, times)
    samples = float(visits.number.sum())
    errors = log(np.array([_LEAST_ERROR, _MOST_ERROR])).tolist()
    bounds = np.array([*[(-_FAR, _FAR)] * len(poset.events), errors, (-_FAR, _FAR)]).T
    first = np.append(log(poset.rates), [float(log(max(model.error, _LEAST_ERROR))), 0.0])

    def height(numbers: FloatArray) -> tuple[float, FloatArray]:
        value, slopes = given.log_likelihood(numbers)
        return value / samples, slopes / samples

    found = ascend(height, first, (bounds[0], bounds[1]), gain=1e-9)
    numbers = exp(found.point)
    rates, (error, pace) = numbers[:-2], numbers[-2:].tolist()
    in_unit = rates / (pace if given.free == 1 else 1.0)
    best = NoisyPoset(TimedPoset(poset.events, poset.parent_sets, in_unit), error)
    estimate = Estimate(
        best,
        found.value * samples,
        len(rates) + 1 + bool(given.free),
        best.noise,
        found.converged,
    )
    mean_time = given.unit / (pace if given.free == 1 else 1.0)
    return TimedEstimate(estimate, mean_time, 1 / pace if given.free == 2 else float("nan"))
