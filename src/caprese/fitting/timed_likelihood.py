"""The likelihood of timed forests in a data set, with the times of samples, and its maxima."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from caprese._core.arrays import FloatArray, IntArray
from caprese.data.courses import Courses, courses
from caprese.data.dataset import Dataset
from caprese.data.visits import Times, Visits
from caprese.fitting.ascent import ascend
from caprese.fitting.estimated import Estimate
from caprese.fitting.genotype_table import GenotypeTable
from caprese.kernels.functions import exp, log, log1p
from caprese.kernels.timed_forests import Tables, expectations, fill
from caprese.models.base import in_order_of
from caprese.models.forest import ROOT
from caprese.models.noise import Noise
from caprese.models.timed_forest import NoisyTimedForest, TimedForest

STEPS = 500  # of an ascent
_TOLERANCE = 1e-9  # of the log-likelihood per patient, relative
_FLAT_ENOUGH = 1e-6  # slopes per patient
_FAR = 14.0  # the largest logarithm of a rate
_LEAST_ERROR = 1e-6
_SHORTEST, _LONGEST = 0.01, 20.0  # mean times between visits
_FEW = 40  # steps while these are chosen
_PACE_DEVIATION = 3.0  # of the prior of the logarithm of the pace
_STEP = 1e-4  # of a difference


@dataclass(frozen=True, kw_only=True)
class TimedPrior:
    """Prior of rates and error rates; with `flat`, the likelihood alone counts.

    The logarithm of a rate has the logistic distribution: an event whose parent is there when the
    progression begins is there when a first sample is taken with a probability that is uniform.
    """

    rate_first: float = 1.0  # of the Beta density of each error rate, restricted to below 1/2
    rate_second: float = 20.0
    flat: bool = False

    def of_rates(self, logarithms: FloatArray, pace: float) -> FloatArray:
        """Return the log-density of each rate, at a rate of the time of first samples."""
        x = logarithms - float(log(pace))
        return np.zeros_like(x) if self.flat else -np.abs(x) - 2 * log1p(exp(-np.abs(x)))

    def rate_slopes(self, logarithms: FloatArray, pace: float) -> FloatArray:
        """Return how these log-densities change with the logarithm of each rate."""
        x = logarithms - float(log(pace))
        share = exp(-np.maximum(x, 0.0)) / (exp(-np.maximum(x, 0.0)) + exp(np.minimum(x, 0.0)))
        return np.zeros_like(x) if self.flat else 2 * share - 1

    def of_errors(self, errors: FloatArray) -> float:
        """Return the log-density of the error rates; 0 if one is, which then is given."""
        if self.flat or not errors.all():
            return 0.0
        own = (self.rate_first - 1) * log(errors) + (self.rate_second - 1) * log1p(-errors)
        return float(own.sum())

    def error_slopes(self, errors: FloatArray) -> FloatArray:
        """Return how it changes with each of them."""
        if self.flat or not errors.all():
            return np.zeros(2)
        own = (self.rate_first - 1) / errors - (self.rate_second - 1) / (1 - errors)
        return np.asarray(own)

    def of_pace(self, pace: float) -> float:
        """Return the log-density of the logarithm of the pace."""
        return 0.0 if self.flat else -0.5 * (float(log(pace)) / _PACE_DEVIATION) ** 2


FLAT = TimedPrior(flat=True)


class Point(NamedTuple):
    """A timed forest with its numbers, in the events and in the unit of time of the compiled loops.

    The pace is the rate at which first samples are taken.
    """

    parents: IntArray
    logarithms: FloatArray  # of the rates
    errors: FloatArray  # false positive, false negative
    pace: float = 1.0


class Maximum(NamedTuple):
    """The numbers under which a forest is most probable."""

    point: Point
    objective: float  # the log-likelihood, with the prior
    converged: bool


class TimedLikelihood:
    """Timed forests in a data set: how probable they make it, and with which numbers the most.

    Events are in an order that depends on the data, and not on their names. Time is counted in a
    unit of its own: the mean of known times before first visits, or of those between visits.

    Parameters
    ----------
    data
        The samples, and the patients they are of.
    times
        What of their times is used; see `Visits.of`.
    noise
        The error rates; None if they are estimated.
    parents
        A forest, for which the mean of unknown times between visits is chosen.
    """

    def __init__(self, data: Dataset, times: Times, noise: Noise | None, parents: IntArray) -> None:
        self.table = GenotypeTable.of(data)
        names = tuple(data.events[place] for place in self.table.positions)
        self.visits, self.noise = Visits.of(data, times).take_events(names), noise
        if noise == Noise():
            self.visits = self.visits.kept()
        self.unit = _unit(self.visits, times)
        self.free_pace = times == "gaps"
        self.gap: float | None = None  # the mean of unknown times between visits
        self.odds = _odds(data, self.table)
        self._courses: Courses = courses(self._scaled())
        if times == "order":
            self._choose_gap(self.table.inward(parents))

    @property
    def events(self) -> int:
        """How many there are."""
        return len(self.visits.events)

    def tables(self) -> Tables:
        """Return room in which forests are compared with the data."""
        return Tables(self._courses.histories)

    def weights(self, pace: float) -> FloatArray:
        """Return how much each point of the grids counts, if first samples are taken so fast."""
        return self._courses.weights(pace)

    def start(self, parents: IntArray) -> Point:
        """Return a forest with numbers from which an ascent may start."""
        errors = np.array([0.02, 0.05]) if self.noise is None else self.noise.rates
        rows = np.where(parents == ROOT, self.events, parents)
        return Point(parents, self.odds[rows, np.arange(self.events)], errors)

    def shifts(self, before: IntArray, after: IntArray) -> FloatArray:
        """Return how the logarithms of rates are expected to change with the parents."""
        columns = np.arange(self.events)
        rows = (np.where(each == ROOT, self.events, each) for each in (after, before))
        return np.subtract(*(self.odds[row, columns] for row in rows))

    def log_likelihood(self, point: Point) -> float:
        """Return the log-likelihood of a forest with its numbers."""
        return self.height(self.tables(), point, FLAT)

    def height(self, tables: Tables, point: Point, prior: TimedPrior) -> float:
        """Return the log-likelihood of a forest with its numbers, and their prior."""
        tables.weights = self.weights(point.pace)
        rates = exp(point.logarithms)
        found = fill(tables, point.parents, rates, point.errors, upwards(point.parents))
        found += float(prior.of_rates(point.logarithms, point.pace).sum())
        return found + prior.of_errors(point.errors) + prior.of_pace(point.pace)

    def maximum(
        self, tables: Tables, start: Point, prior: TimedPrior, steps: int = STEPS
    ) -> Maximum:
        """Return the numbers under which a forest is most probable, by L-BFGS from a point."""
        n, free, paced = self.events, self.noise is None, self.free_pace
        down, scale = upwards(start.parents)[::-1].copy(), float(self.visits.patients)
        used = np.array([True] * n + [free] * 2 + [paced])

        def point_of(x: FloatArray) -> Point:
            errors = _LEAST_ERROR + (0.5 - 2 * _LEAST_ERROR) / (1 + exp(-x[n : n + 2]))
            errors = errors if free else start.errors
            return Point(start.parents, x[:n], errors, float(exp(x[n + 2])))

        def scaled_height(chosen: FloatArray) -> tuple[float, FloatArray]:
            x = np.array(first)
            x[used] = chosen
            point = point_of(x)
            height = self.height(tables, point, prior)
            if not np.isfinite(height):
                return -np.inf, np.zeros(len(chosen))
            expectations(tables, down)
            slopes = np.zeros(n + 3)
            of_rates = prior.rate_slopes(point.logarithms, point.pace)
            slopes[:n] = np.asarray(tables.occurred) - np.asarray(tables.risked) + of_rates
            seen, errors = np.asarray(tables.seen), point.errors
            wrong, right = np.array([seen[0, 1], seen[1, 0]]), np.array([seen[0, 0], seen[1, 1]])
            share = (errors - _LEAST_ERROR) / (0.5 - 2 * _LEAST_ERROR)
            inner = (0.5 - 2 * _LEAST_ERROR) * share * (1 - share)
            own = wrong / errors - right / (1 - errors) if free else np.zeros(2)
            slopes[n : n + 2] = (own + prior.error_slopes(errors)) * inner
            if paced:
                slopes[n + 2] = self._pace_slope(tables, point) - float(of_rates.sum())
                slopes[n + 2] -= float(log(point.pace)) / _PACE_DEVIATION**2 * (not prior.flat)
            return height / scale, slopes[used] / scale

        share = (np.clip(start.errors, 2 * _LEAST_ERROR, 0.499) - _LEAST_ERROR) / 0.5
        first = np.concatenate([start.logarithms, log(share / (1 - share)), [log(start.pace)]])
        far = np.full(int(used.sum()), _FAR)
        ends = {"gain": _TOLERANCE, "slope": _FLAT_ENOUGH}
        found = ascend(scaled_height, first[used], (-far, far), **ends, steps=steps)
        x = np.array(first)
        x[used] = found.point
        return Maximum(point_of(x), found.value * scale, found.converged)

    def model(self, point: Point, events: tuple[str, ...]) -> NoisyTimedForest:
        """Return a point as a model: time in the mean time until a first sample is taken."""
        rates = exp(point.logarithms)[np.argsort(self.table.positions)] / point.pace
        parents = self.table.outward(point.parents)
        return NoisyTimedForest(TimedForest(events, parents, rates), Noise(*point.errors.tolist()))

    def _pace_slope(self, tables: Tables, point: Point) -> float:
        """Return how the log-likelihood changes with the logarithm of the pace."""
        heights = []
        for sign in (1, -1):
            tables.weights = self.weights(point.pace * float(exp(sign * _STEP)))
            none = upwards(point.parents)[:0]
            rates = exp(point.logarithms)
            heights.append(fill(tables, point.parents, rates, point.errors, none))
        return (heights[0] - heights[1]) / (2 * _STEP)

    def _scaled(self) -> Visits:
        return self.visits.scaled(self.unit)

    def _choose_gap(self, parents: IntArray) -> None:
        """Choose the mean of unknown times between visits: the likeliest for a forest."""
        chosen, best = 1.0, self.maximum(self.tables(), self.start(parents), FLAT, _FEW)
        for step in (0.5, 2.0, 2.0**-0.5, 2.0**0.5):
            while _SHORTEST < chosen * step < _LONGEST:
                before, self._courses = self._courses, courses(self._scaled(), gap=chosen * step)
                found = self.maximum(self.tables(), best.point, FLAT, _FEW)
                if found.objective <= best.objective:
                    self._courses = before
                    break
                chosen, best = chosen * step, found
        self.gap = chosen


def fit_timed_forest(forest: TimedForest, data: Dataset) -> Estimate[NoisyTimedForest]:
    """Return the rates and the error rates under which the data is most likely.

    Each sample is taken at an unknown time. By L-BFGS, from the rates of the forest and from those
    that the frequencies suggest.

    Examples
    --------
    >>> from caprese.data.datasets import ovarian
    >>> forest = TimedForest(ovarian().events, (ROOT, 0, ROOT, 2, 0, ROOT, 4), np.ones(7))
    >>> best = fit_timed_forest(forest, ovarian())
    >>> round(best.log_likelihood, 1), best.parameters
    (-374.9, 9)
    """
    ordered = in_order_of(forest.events, data)
    likelihood = TimedLikelihood(ordered, "unknown", None, forest.parents)
    tables = likelihood.tables()
    first = likelihood.start(likelihood.table.inward(forest.parents))
    own = log(np.maximum(forest.rates[likelihood.table.positions], 1e-6))
    starts = (first, first._replace(logarithms=own))
    found = max(
        (likelihood.maximum(tables, each, FLAT) for each in starts), key=lambda each: each.objective
    )
    model = likelihood.model(found.point, forest.events)
    numbers = len(forest.events) + 2  # the rates and the error rates
    return Estimate(model, found.objective, numbers, model.noise, found.converged)


def upwards(parents: IntArray | Sequence[int]) -> IntArray:
    """Return all events, each after its children."""
    return np.array(below_first(list(parents), range(len(parents))), dtype=np.int64)


def below_first(parents: list[int], events: Sequence[int]) -> list[int]:
    """Return events in an order in which each comes after those of them that are below it."""

    def depth(event: int) -> int:
        found = 0
        while event >= 0:
            event, found = parents[event], found + 1
        return found

    return sorted(events, key=depth, reverse=True)


def _unit(visits: Visits, times: Times) -> float:
    """Return the unit of time: the mean of the known times that say how long anything takes."""
    known = ~np.isnan(visits.elapsed) & (visits.first if times == "known" else ~visits.first)
    if times in ("unknown", "order") or not known.any():
        return 1.0
    mean = float(np.average(visits.elapsed[known], weights=visits.weights[known]))
    return mean if mean > 0 else 1.0


def _odds(data: Dataset, table: GenotypeTable) -> FloatArray:
    """Return the log-odds of each event given each other, the last row of all samples."""
    values, known = data.values[:, table.positions], data.known_mask[:, table.positions]
    there, absent = (values & known).astype(float), (~values & known).astype(float)
    both, other = there.T @ there + 0.5, there.T @ absent + 0.5
    alone = (there.sum(axis=0) + 0.5) / (absent.sum(axis=0) + 0.5)
    return np.asarray(log(np.vstack([both / other, alone])))
