"""Hazards ascent: rates and effects of highest penalised likelihood.

All parameters are logarithms in one matrix: in row i and column j the effect of event i on event j,
on the diagonal the base rates; in a further column, if the rate of observation may change, the
effects on it, or if the mean of an unknown time is fitted, in the first row the rate of this time;
and in a last one, if there is a load, what is added to the effects of all others on each event.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import compress
from typing import Literal, NamedTuple, Self, get_args

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese.data.dataset import Dataset
from caprese.data.visits import Times, Visits
from caprese.fitting import noisy_hazards
from caprese.fitting.ascent import ascend
from caprese.fitting.dense_hazards import DenseObservations
from caprese.fitting.timed_hazards import TimedSeries
from caprese.kernels import hazards
from caprese.kernels.functions import exp, log, product
from caprese.models.blur import Blur, kinds
from caprese.models.dense import NO_ORDERS
from caprese.models.hazards import (
    Hazards,
    Lattices,
    is_dense,
    sub_lattices,
)
from caprese.models.noise import Noise
from caprese.models.states import check_lattice

Penalty = Literal["l1", "l2", "symmetric"]
PENALTIES: tuple[Penalty, ...] = get_args(Penalty)
Load = Literal["none", "common", "events"]
LOADS: tuple[Load, ...] = get_args(Load)

SMOOTHING = 1e-5  # |x| is replaced by sqrt(x^2 + SMOOTHING), as the package mhn does
_LIMIT = float(log(1e6))  # of all parameters: beyond, they cannot be told from infinity
_FLAT = 1e-7  # slope at which an ascent ends
_CLOSE = 1e-3  # difference up to which rough maxima are climbed to the top, to be compared
_LONG = 3e6  # states times events, with times: about a tenth of a second of each step
_STRONGER = 4.0  # times the penalty, or weaker, at whose maxima further ascents start
_EXACT, ROUGH = 1e-12, 1e-7  # relative gain at which an ascent ends: of an answer, of one fold

_PILOT, _ROUNDS = 2.0, 2  # penalty times samples, and ascents, by which dense samples are drawn
_VERY_ROUGH = 1e-5  # relative gain at which these end

_LIGHT = 4.0  # times the squares of loads less their mean: a normal prior of deviation 0.35


@dataclass(frozen=True)
class Observations:
    """The distinct observations of a data set, all in the same order.

    They share few sub-lattices, with seen orders or without. Last come dense ones, in thinned ones.
    With errors of observation there is one lattice, of all events. With times, what was observed is
    the history of a patient, of one or several samples.
    """

    events: tuple[str, ...]
    present: BoolArray  # distinct observations x events
    known: BoolArray
    lattices: Lattices
    times: FloatArray  # how often each was observed
    dense: DenseObservations
    blur: Blur | None = None  # how true genotypes become these observations, if there are errors
    series: TimedSeries | None = None  # the histories, if times are used
    owners: IntArray | None = None  # the history of each sample, whose entries are those above

    @classmethod
    def of(cls, data: Dataset) -> "Observations":
        """Return the observations of a data set."""
        distinct, which = data.distinct()
        codes = distinct.codes()
        dense = is_dense(codes)
        seen = sorted(_seen_orders(data, which).items())
        times = np.bincount(which, minlength=len(codes)).astype(np.float64)
        for (kind, _), number in seen:
            times[kind] -= number
        plain = np.flatnonzero(dense & (times > 0))
        thin: list[tuple[_Seen, float]] = [((kind, ()), times[kind]) for kind in plain.tolist()]
        thin += [each for each in seen if dense[each[0][0]]]
        seen = [each for each in seen if not dense[each[0][0]]]
        plain = np.flatnonzero((times > 0) & ~dense)
        kinds = np.array([*plain.tolist(), *(kind for (kind, _), _ in seen)], dtype=np.int64)
        often = np.array([*times[plain], *(float(number) for _, number in seen)])
        pairs = [
            (len(plain) + row, *pair) for row, ((_, own), _) in enumerate(seen) for pair in own
        ]
        lattices, order = sub_lattices(codes[kinds], *_rows_and_confidence(pairs))
        last = np.array([kind for (kind, _), _ in thin], dtype=np.int64)
        rows = np.concatenate([kinds[order], last])
        often = np.array([*often[order], *(float(number) for _, number in thin)])
        orders = tuple(_columns(own) for (_, own), _ in thin)
        found = DenseObservations(codes[last], orders)
        return cls(data.events, codes[rows] == 1, codes[rows] < 2, lattices, often, found)

    @classmethod
    def in_time(cls, data: Dataset, times: Times) -> "Observations":
        """Return the histories of the patients of a data set, with this of their times."""
        visits = Visits.of(data, times, from_given=True)
        kept = visits.kept()
        lattices, _ = sub_lattices(kept.codes[:0])
        number, none = visits.number.astype(np.float64), DenseObservations(kept.codes[:0], ())
        seen = kept.codes == 1, kept.codes < 2
        owners = np.repeat(np.arange(len(number)), visits.lengths)
        series = TimedSeries.of(visits, times)
        return cls(data.events, *seen, lattices, number, none, None, series, owners)

    def with_errors(self, noise: Noise) -> "Observations":
        """Return the same as observed with errors; they have no seen orders."""
        check_lattice(len(self.events))
        codes = np.where(self.known, self.present, 2).astype(np.uint8)
        blur = Blur(noise, tuple(kinds(codes)) if self.blur is None else self.blur.kinds)
        return replace(self, blur=blur)

    def without_orders(self) -> "Observations":
        """Return the same, as if nothing had been seen of their orders; itself if nothing was."""
        *_, pairs, earlier, later, confidence = self.lattices
        if not (len(confidence) or any(len(each[0]) for each in self.dense.orders)):
            return self
        lattices = *self.lattices[:5], 0 * pairs, earlier[:0], later[:0], confidence[:0]
        dense = DenseObservations(self.dense.codes, (NO_ORDERS,) * len(self.dense.codes))
        return _drawn(replace(self, lattices=lattices, dense=dense))

    def drawn_at(self, parameters: FloatArray) -> "Observations":
        """Return the same with the sub-lattices of dense ones drawn by these parameters."""
        if not len(self.dense.codes):
            return self
        return replace(self, dense=self.dense.drawn_at(*_rates_and_effects(parameters)))

    @property
    def long(self) -> bool:
        """Whether times make each step of an ascent long."""
        return self.series is not None and self.series.states * len(self.events) > _LONG

    @property
    def paced(self) -> bool:
        """Whether the mean of an unknown time is fitted."""
        return self.series is not None and bool(self.series.free)

    def pace(self, parameters: FloatArray) -> float:
        """Return the rate of the unknown time that is fitted, as a logarithm; 0 if none is."""
        return float(parameters[0, len(parameters)]) if self.paced else 0.0

    def stated(self, parameters: FloatArray) -> FloatArray:
        """Return the parameters in the unit of the mean time of a first sample, without a pace."""
        if not self.paced:
            return parameters
        n = len(parameters)
        first = self.series is not None and self.series.free == "first"
        return np.asarray(parameters[:, :n] - first * self.pace(parameters) * np.eye(n))

    def tallies(self, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return how often each event is present and absent, in observations made so many times."""
        each = times if self.owners is None else times[self.owners]
        return each @ self.present, each @ (self.known & ~self.present)

    def varied(self, times: FloatArray) -> BoolArray:
        """Return which events are present in some of these observations and absent in others."""
        present, absent = self.tallies(times)
        return np.asarray((present > 0) & (absent > 0))


_Seen = tuple[int, tuple[tuple[int, int, float], ...]]  # a genotype, and what is seen of its orders


def _seen_orders(data: Dataset, which: IntArray) -> Counter[_Seen]:
    """Return how many samples have each genotype with the same seen orders, of those with any."""
    found: Counter[_Seen] = Counter()
    if data.orders is not None:
        starts, (_, *events) = data.orders.by_sample(), data.orders.pairs.T
        columns = (*(each.tolist() for each in events), data.orders.confidence.tolist())
        for sample in data.orders.ordered_samples().tolist():
            own = slice(starts[sample], starts[sample + 1])
            found[
                int(which[sample]), tuple(zip(*(each[own] for each in columns), strict=True))
            ] += 1
    return found


def _columns(pairs: tuple[tuple[int, int, float], ...]) -> tuple[IntArray, IntArray, FloatArray]:
    earlier, later, confidence = np.array(pairs).reshape(-1, 3).T
    return earlier.astype(np.int64), later.astype(np.int64), confidence.astype(np.float64)


def _rows_and_confidence(
    pairs: list[tuple[int, int, int, float]],
) -> tuple[IntArray, FloatArray]:
    rows = np.array(pairs, dtype=np.float64).reshape(-1, 4)
    return rows[:, :3].astype(np.int64), rows[:, 3].copy()


class Maximum(NamedTuple):
    """Where an ascent ended, and whether before it reached its limit of steps."""

    parameters: FloatArray
    converged: bool


@dataclass(frozen=True)
class Objective:
    """The penalised log-likelihood per sample, which is maximised."""

    penalty: Penalty
    strength: float
    observation: bool  # whether events may change the rate of observation
    load: Load = "none"  # what is added to all effects: nothing, one number, one for each event

    def value(
        self,
        parameters: FloatArray,
        seen: Observations,
        times: FloatArray,
        spread: "_Spread | None" = None,
    ) -> tuple[float, FloatArray]:
        """Return the objective and its slopes, of observations made so many times.

        How a load is spread depends on these times only: an ascent says it of all its points.
        """
        spread = spread or self._spread(seen, times)
        loaded = parameters if spread is None else spread.loaded(parameters)
        samples = times.sum()
        columns = len(parameters) + self.observation
        own, load = parameters[:, :columns], parameters[:, columns + seen.paced :]
        total, slopes = log_likelihood(loaded, seen, times)
        size, price = _PENALTIES[self.penalty](_effects(own))
        value = total / samples - self.strength * size
        by_own = slopes / samples
        by_own[:, :columns] -= self.strength * price
        if spread is None:
            return value, by_own
        unlike = product(spread.unlike, load)
        by_effect = (slopes[:, : len(own)] * spread.pairs).sum(axis=0)
        by_load = product(spread.matrix, by_effect[:, None]) - 2 * _LIGHT * unlike
        value -= _LIGHT * float((unlike**2).sum()) / samples
        return value, np.hstack([by_own, by_load / samples])

    def loaded(self, parameters: FloatArray, seen: Observations, times: FloatArray) -> FloatArray:
        """Return the parameters without a column of the load, which is added to the effects."""
        spread = self._spread(seen, times)
        return parameters if spread is None else spread.loaded(parameters)

    def _spread(self, seen: Observations, times: FloatArray) -> "_Spread | None":
        return None if self.load == "none" else _Spread.of(self.load, seen.varied(times))

    def load_factor(self, parameters: FloatArray, seen: Observations) -> float:
        """Return the factor by which the load changes a rate, in the geometric mean."""
        varied = seen.varied(seen.times)
        if self.load == "none" or not varied.any():
            return 1.0
        return float(exp(parameters[varied, -1:].mean()).item())

    def best_maximum(self, seen: Observations) -> Maximum:
        """Return the best of three maxima, as there are many.

        One ascent starts from independent events, one from the few effects of a stronger penalty,
        one from the many of a weaker penalty on their squares. Where times make them long, the
        first is all.
        """
        if seen.long:
            return self.maximum(seen, seen.times, tolerance=ROUGH)
        few = replace(self, strength=_STRONGER * self.strength)
        many = replace(self, strength=self.strength / _STRONGER, penalty="l2")
        climb = partial(self.maximum, seen, seen.times)
        starts = [each.maximum(seen, seen.times, tolerance=ROUGH) for each in (few, many)]
        rough = [climb(start=start.parameters, tolerance=ROUGH) for start in starts]
        found = [climb(), *rough]
        heights = [self.value(end.parameters, seen, seen.times)[0] for end in found]
        close = [height >= max(heights) - _CLOSE for height in heights[1:]]
        found += [climb(start=end.parameters) for end in compress(rough, close)]
        return max(found, key=lambda end: self.value(end.parameters, seen, seen.times)[0])

    def maximum(
        self,
        seen: Observations,
        times: FloatArray,
        *,
        start: FloatArray | None = None,
        tolerance: float = _EXACT,
    ) -> Maximum:
        """Return a maximum, by L-BFGS from independent events or from a start.

        An event that is never or always seen says nothing of its effects: it gets the odds of one
        more success and failure as its rate, and effects of 1.
        """
        first, (least, most) = self.start_and_bounds(seen, times)
        shape = first.shape

        spread = self._spread(seen, times)

        def height(flat: FloatArray) -> tuple[float, FloatArray]:
            value, slopes = self.value(flat.reshape(shape), seen, times, spread)
            return value, slopes.ravel()

        begin, bounds = first if start is None else start, (least.ravel(), most.ravel())
        found = ascend(height, begin.ravel(), bounds, gain=tolerance, slope=_FLAT)
        return Maximum(found.point.reshape(shape), found.converged)

    def start_and_bounds(
        self, seen: Observations, times: FloatArray
    ) -> tuple[FloatArray, tuple[FloatArray, FloatArray]]:
        """Return the odds of the events as rates, without effects; and bounds of all parameters."""
        n = len(seen.events)
        present, absent = seen.tallies(times)
        constant = (present == 0) | (absent == 0)
        odds = (present + constant) / (absent + constant)
        first = np.zeros((n, n + self.observation + seen.paced + (self.load != "none")))
        np.fill_diagonal(first, np.clip(log(odds), -_LIMIT, _LIMIT))
        fixed = np.zeros(first.shape, dtype=bool)
        fixed[constant] = True
        fixed[:, :n] |= constant
        if seen.paced:
            fixed[:, n] = np.arange(n) > 0
        return first, (np.where(fixed, first, -_LIMIT), np.where(fixed, first, _LIMIT))


class _Spread(NamedTuple):
    """How the column of a load is added to the effects of events that vary on each other."""

    pairs: BoolArray  # the effects that it is added to
    matrix: FloatArray  # by which the column becomes what is added on each event
    unlike: FloatArray  # by which it becomes its differences from its mean

    @classmethod
    def of(cls, load: Load, varied: BoolArray) -> Self:
        """Return that of events of which these vary."""
        average = np.outer(varied, varied) / max(1, varied.sum())
        pairs = varied[:, None] & varied & ~np.eye(len(varied), dtype=bool)
        each = np.diag(varied.astype(np.float64))
        return cls(pairs, average if load == "common" else each, each - average)

    def loaded(self, parameters: FloatArray) -> FloatArray:
        """Return the parameters without a column of the load, which is added to the effects."""
        found = parameters[:, :-1].copy()
        found[:, : len(found)] += self.pairs * product(self.matrix, parameters[:, -1])
        return found


def log_likelihood(
    parameters: FloatArray, seen: Observations, times: FloatArray
) -> tuple[float, FloatArray]:
    """Return the log-likelihood of observations, and its slopes by all parameters."""
    n = len(parameters)
    if seen.series is not None:
        return _of_series(seen.series, parameters, seen.pace(parameters), times)
    rates, effects = _rates_and_effects(parameters)
    if seen.blur is None:
        exact = len(times) - len(seen.dense.codes)
        found = hazards.log_likelihood(rates, effects, times[:exact], *seen.lattices)
        total, by_rate, by_effect = found
        if exact < len(times):
            dense = seen.dense.log_likelihood(rates, effects, times[exact:])
            total, by_rate, by_effect = total + dense[0], by_rate + dense[1], by_effect + dense[2]
    else:
        found = noisy_hazards.log_likelihood(rates, effects, times, seen.blur)
        total, by_rate, by_effect = found
    slopes = by_effect
    if parameters.shape[1] > n:
        slopes = np.empty_like(parameters)
        slopes[:, :n] = by_effect
        slopes[:, n:] = -by_effect.sum(axis=1, keepdims=True)
    _set_diagonal(slopes, by_rate)
    return total, slopes


def _of_series(
    series: TimedSeries, parameters: FloatArray, pace: float, times: FloatArray
) -> tuple[float, FloatArray]:
    """Return the log-likelihood of histories, and its slopes by all parameters."""
    n, slopes = len(parameters), np.zeros_like(parameters)
    rates, effects = _rates_and_effects(parameters[:, :n])
    total, by_rate, slopes[:, :n], by_pace = series.log_likelihood(rates, effects, pace, times)
    np.fill_diagonal(slopes, by_rate)
    slopes[:1, n:] = by_pace
    return total, slopes


def log_chances(parameters: FloatArray, seen: Observations) -> FloatArray:
    """Return the log-probability of each observation."""
    if seen.series is not None:
        own = _rates_and_effects(parameters[:, : len(parameters)])
        return seen.series.log_chances(*own, seen.pace(parameters))
    rates, effects = _rates_and_effects(parameters)
    if seen.blur is not None:
        return log(noisy_hazards.chances(rates, effects, seen.blur))
    exact = log(hazards.chances(rates, effects, *seen.lattices))
    return np.concatenate([exact, seen.dense.log_chances(rates, effects)])


def _rates_and_effects(parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return base rates and effects, relative to those on observation."""
    n = len(parameters)
    relative = parameters[:, :n].copy()
    if parameters.shape[1] > n:
        relative -= parameters[:, n:].sum(axis=1, keepdims=True)
    _set_diagonal(relative, 0.0)
    return exp(parameters.diagonal()), exp(relative)


def _set_diagonal(matrix: FloatArray, values: FloatArray | float) -> None:
    """Set entry k of each row k, as `numpy.fill_diagonal`, which checks more, does."""
    matrix.flat[:: matrix.shape[1] + 1] = values


def observations(data: Dataset) -> Observations:
    """Return the observations of a data set; sub-lattices of dense ones are drawn near its maximum.

    First by independent events, then twice by rough maxima of the likelihood of what was drawn.
    """
    return _drawn(Observations.of(data))


def _drawn(seen: Observations) -> Observations:
    if not len(seen.dense.codes):
        return seen
    objective = Objective("l1", _PILOT / seen.times.sum(), observation=False)
    end, _ = objective.start_and_bounds(seen, seen.times)
    for _ in range(_ROUNDS):
        seen = seen.drawn_at(end)
        end = objective.maximum(seen, seen.times, start=end, tolerance=_VERY_ROUGH).parameters
    return seen.drawn_at(end)


def as_hazards(events: tuple[str, ...], parameters: FloatArray) -> Hazards:
    """Return the model that has these parameters."""
    n = len(events)
    effects = exp(parameters[:, :n])
    np.fill_diagonal(effects, 1.0)
    return Hazards(events, exp(parameters.diagonal()), effects, exp(parameters[:, n:]).ravel())


def _effects(parameters: FloatArray) -> FloatArray:
    """Return the parameters without the base rates, which have no penalty."""
    effects = parameters.copy()
    _set_diagonal(effects, 0.0)
    return effects


def _l1(effects: FloatArray) -> tuple[float, FloatArray]:
    sizes = np.sqrt(effects**2 + SMOOTHING)
    return float(sizes.sum() - sizes.diagonal().sum()), effects / sizes


def _l2(effects: FloatArray) -> tuple[float, FloatArray]:
    return float((effects**2).sum()), 2 * effects


def _symmetric(effects: FloatArray) -> tuple[float, FloatArray]:
    pairs, observed = np.split(effects, [len(effects)], axis=1)
    sizes = np.sqrt(pairs**2 + pairs.T**2 - pairs * pairs.T + SMOOTHING)
    alone = np.sqrt(observed**2 + SMOOTHING)
    price = np.hstack([(2 * pairs - pairs.T) / (2 * sizes), observed / alone])
    return float(np.triu(sizes, 1).sum() + alone.sum()), price


_PENALTIES: dict[Penalty, Callable[[FloatArray], tuple[float, FloatArray]]] = {
    "l1": _l1,
    "l2": _l2,
    "symmetric": _symmetric,
}
