"""Forest EM: edge probabilities and error rates of a given forest, by two estimators."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese._core.significance import LEVEL, standard_errors
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.fitting.ascent import ascend
from caprese.fitting.estimated import Estimate
from caprese.fitting.profile import Maximum, interval_end
from caprese.kernels.forest_em import ForestEM, maximise_likelihood, slopes
from caprese.kernels.functions import exp, log
from caprese.models.base import observation_codes
from caprese.models.forest import ROOT, Forest, NoisyForest
from caprese.models.noise import Noise

_STARTS = (Noise(0.02, 0.02), Noise(0.2, 0.02), Noise(0.02, 0.2))
_ALMOST_ONE = 1 - 1e-9
_POSITIVE, _NEGATIVE = -2, -1  # positions of the two rates in a point
_HIGHEST_RATE = 1 - 1e-6
_ROUGH = 1e-3  # gain of log-likelihood in a round, below which the best start alone goes on
_ROUNDS = 100  # of EM, after which the gradient takes over
_NEAR_ZERO = 1e-9  # a number that the gradient leaves above 0
_INNER = 1e-4  # EM leaves 0 and 1 never, and numbers close to them slowly
_OTHER_RATES = (0.02, 0.4)  # to start from, as shares of what one rate leaves to the other


@dataclass(frozen=True)
class LeastSquares:
    """Error rates by Szabo's least squares."""

    forest: Forest  #: The forest with the edge probabilities that follow from the rates.
    noise: Noise  #: The rates.
    #: Sum of squared differences between the frequencies seen and those the forest predicts.
    residual: float


@dataclass(frozen=True)
class ForestEstimate(Estimate[NoisyForest]):
    """Error rates and edge probabilities of highest likelihood: an `Estimate`, and its history."""

    history: tuple[float, ...] = ()  #: The log-likelihood after each step; it never falls.

    @property
    def forest(self) -> Forest:
        """The forest with these probabilities."""
        return self.model.forest


@dataclass(frozen=True)
class RateIntervals:
    """Intervals for the two error rates, each as its lower and upper end."""

    false_positive: tuple[float, float]
    false_negative: tuple[float, float]


def szabo_error_rates(forest: Forest, counts: Counts) -> LeastSquares:
    """Return the error rates whose forest best predicts the frequencies of the events.

    For given rates, edge probabilities are recovered from the pair counts, P(i, j) / P(i), within
    [0, 1] but not otherwise clipped; the frequencies they predict are compared with those seen.

    Parameters
    ----------
    forest
        Its parents are used; its probabilities are not.
    counts
        Pair counts of the data.

    Examples
    --------
    >>> from caprese.data.datasets import ovarian
    >>> forest = Forest(ovarian().events, (ROOT, 0, ROOT, 2, 2, ROOT, 4), (0.5,) * 7)
    >>> szabo_error_rates(forest, Counts.of(ovarian())).noise
    Noise(false_positive=0.208..., false_negative=0.0267...)

    References
    ----------
    Szabo and Boucher (2002), Mathematical Biosciences 176:219-236.
    """
    from scipy.optimize import minimize

    seen = counts.frequency[counts.present > 0]
    highest = np.array([seen.min(initial=1), 1 - counts.frequency.max()])

    def candidate(rates: FloatArray) -> LeastSquares:
        positive, negative = np.clip(rates, 0, np.minimum(highest, _ALMOST_ONE))
        if positive + negative >= 1:
            return LeastSquares(forest, Noise(), np.inf)
        noise = Noise(float(positive), float(negative))
        recovered = replace(forest, probabilities=recovered_edges(forest, counts, noise))
        predicted = noise.false_positive + noise.signal * recovered.marginals()
        return LeastSquares(recovered, noise, float(((counts.frequency - predicted) ** 2).sum()))

    def residual(rates: FloatArray) -> float:
        return candidate(rates).residual

    grid = [highest * share for share in product(np.linspace(0, 1, 8), repeat=2)]
    starts = [candidate(rates).noise.rates for rates in sorted(grid, key=residual)[:3]]
    options = {"xatol": 1e-8, "fatol": 1e-16}
    ends = [minimize(residual, start, method="Nelder-Mead", options=options).x for start in starts]
    return candidate(min(ends, key=residual))


def fit_forest(
    forest: Forest,
    data: Dataset,
    *,
    noise: Noise | None = None,
    tolerance: float = 1e-7,
    steps: int = 10_000,
) -> ForestEstimate:
    """Return the edge probabilities and error rates under which the data is most likely.

    By expectation maximisation on the exact likelihood, accelerated by squared extrapolation where
    that does not lower the likelihood, and by the gradient where many steps do not end it; from
    three starts, as there may be several maxima. Where rounds gain less than 0.001, only the best
    of the three goes on.

    Parameters
    ----------
    forest
        Its parents are used; its probabilities are not.
    data
        The samples; unknown entries are summed over.
    noise
        Error rates to keep fixed; by default they are estimated.
    tolerance
        The iteration ends when a round of steps gains less log-likelihood than this.
    steps
        The largest number of steps, converged or not.

    Examples
    --------
    >>> from caprese.data.datasets import ovarian
    >>> forest = Forest(ovarian().events, (ROOT, 0, ROOT, 2, 0, ROOT, 4), (0.5,) * 7)
    >>> best = fit_forest(forest, ovarian())
    >>> best.converged, round(best.log_likelihood, 2)
    (True, -377.61)
    """
    em = _EM.of(forest, data)
    free = np.ones(len(forest.events) + 2, dtype=bool)
    free[-2:] = noise is None
    starts = _STARTS if noise is None else (noise,)
    rough = max(tolerance, _ROUGH)
    runs = [em.run(em.start(rates), free, rough, steps) for rates in starts]
    point, history, converged = max(runs, key=_log_likelihood)
    if converged and rough > tolerance:
        left = steps - len(history) + 1
        point, further, converged = em.run(point, free, tolerance, left)
        history = (*history, *further[1:])
    rates = noise or Noise(float(point[-2]), float(point[-1]))
    model = NoisyForest(replace(forest, probabilities=point[:-2]), rates)
    return ForestEstimate(model, history[-1], len(point), rates, converged, history)


def rate_intervals(
    estimate: ForestEstimate, data: Dataset, *, level: float = LEVEL
) -> RateIntervals:
    """Return profile-likelihood intervals for the two error rates.

    An interval holds the rates at which the likelihood, maximised over all else, is so close to
    its maximum that a likelihood-ratio test would not reject them.

    Parameters
    ----------
    estimate
        The maximum, as `fit_forest` gives it for the same data.
    level
        Probability that an interval covers the true rate, if the forest is true.
    """
    em = _EM.of(estimate.forest, data)
    best = np.append(estimate.forest.probabilities, estimate.model.noise.rates)
    depth = standard_errors(level) ** 2 / 2  # half the quantile of chi-square
    positive, negative = (
        _RateProfile(em, rate, estimate.log_likelihood).interval(best, depth)
        for rate in (_POSITIVE, _NEGATIVE)
    )
    return RateIntervals(positive, negative)


Point = FloatArray  # edge probabilities, then the false positive and the false negative rate
Run = tuple[Point, tuple[float, ...], bool]  # the last point, the log-likelihoods, converged


def _log_likelihood(run: Run) -> float:
    return run[1][-1]


@dataclass(frozen=True, eq=False)
class _EM:
    """Expectation maximisation over the distinct genotypes of a data set."""

    forest: Forest
    codes: NDArray[np.uint8]
    times: IntArray

    @classmethod
    def of(cls, forest: Forest, data: Dataset) -> "_EM":
        distinct, times = data.genotypes()
        return cls(forest, observation_codes(forest.events, distinct), times)

    def start(self, noise: Noise) -> Point:
        """Start from the observed frequencies, away from 0 and 1, which EM never leaves."""
        present, known = self.codes == 1, self.codes < 2
        under = np.maximum(self.forest.parents, 0)
        reached = known & ((self.forest.parents == ROOT) | present[:, under])
        given = (self.times @ (present & reached) + 0.5) / (self.times @ reached + 1)
        return np.append(given, noise.rates)

    def run(self, point: Point, free: BoolArray, tolerance: float, steps: int) -> Run:
        """Iterate from a point until a round of steps gains less than the tolerance.

        Where EM is slow, because the data hardly tell some numbers from others, the maximum is
        approached by the gradient.
        """
        first = self._climbed(point, free, tolerance, min(steps, _ROUNDS))
        if first[2] or steps <= _ROUNDS:
            return first
        near = self._along_gradient(first[0], free)
        last = self._climbed(near, free, tolerance, steps - _ROUNDS)
        if not last[1][0] >= first[1][-1]:
            last = self._climbed(first[0], free, tolerance, steps - _ROUNDS)
        return last[0], first[1] + last[1][1:], last[2]

    def _climbed(self, point: Point, free: BoolArray, tolerance: float, steps: int) -> Run:
        work = self._work(point, free)
        reached, history, converged = maximise_likelihood(work, tolerance, steps)
        return reached, tuple(history.tolist()), converged

    def _along_gradient(self, point: Point, free: BoolArray) -> Point:
        """Return a point of higher likelihood, by L-BFGS on log-odds; the same if there is none."""

        def at(odds: FloatArray) -> Point:
            return np.where(free, 1 / (1 + exp(-odds)), point)

        def height(odds: FloatArray) -> tuple[float, FloatArray]:
            return slopes(self._work(at(odds), free))

        inner = np.clip(point, _NEAR_ZERO, 1 - _NEAR_ZERO)
        far = np.full(len(point), float(-log(_NEAR_ZERO)))
        start = log(inner / (1 - inner))
        end = at(ascend(height, start, (-far, far), gain=1e-14, slope=1e-3).point)
        return end if end[-2:].sum() < _HIGHEST_RATE else point

    def _work(self, point: Point, free: BoolArray) -> ForestEM:
        order, parents = self.forest.order, self.forest.parents
        return ForestEM(self.codes, self.times, order, parents, point, free.view(np.uint8))


@dataclass(frozen=True, eq=False)
class _RateProfile:
    """The highest log-likelihood as a function of one of the two rates."""

    em: _EM
    rate: int  # its position in a point, from the end
    top: float  # the highest log-likelihood of all

    def interval(self, best: Point, depth: float) -> tuple[float, float]:
        """Return where the profile has fallen by a depth, on both sides of the best point."""
        highest = Maximum(float(best[self.rate]), best, 0.0)
        distance = sqrt(2 * depth) * self._deviation(highest.value)
        low, high = (
            interval_end(self, highest, limit, depth, distance) for limit in (0.0, _HIGHEST_RATE)
        )
        return low, high

    def near(self, value: float, known: Sequence[Maximum]) -> Maximum:
        """Return the maximum for a rate, from the line through those of the two nearest rates."""
        nearest, *others = sorted(known, key=lambda each: abs(each.value - value))
        start = nearest.point.copy()
        if others:
            share = (value - nearest.value) / (others[0].value - nearest.value)
            start += share * (others[0].point - start)
        return self._maximum(value, np.clip(start, _INNER, 1 - _INNER), 1e-5)

    def afresh(self, value: float) -> Maximum:
        """Return the best maximum for a rate, from two very different values of the other rate."""
        others = [share * (1 - value) for share in _OTHER_RATES]
        starts = [self.em.start(Noise(other, other)) for other in others]
        found = [self._maximum(value, start, 1e-3) for start in starts]
        return min(found, key=lambda each: each.fall)

    def _maximum(self, value: float, start: Point, tolerance: float) -> Maximum:
        free = np.ones(len(start), dtype=bool)
        free[self.rate] = False
        start[-2:] = np.minimum(start[-2:], (1 - value) / 2)  # so that their sum is below 1
        start[self.rate] = value
        run = self.em.run(start, free, tolerance, 1000)
        return Maximum(value, run[0], self.top - _log_likelihood(run))

    def _deviation(self, value: float) -> float:
        """Return about the standard error of the rate, were it known which events occurred."""
        shares = self.em.forest.marginals()
        chances = self.em.times.sum() * (1 - shares if self.rate == _POSITIVE else shares).sum()
        share = (value * chances + 1) / (chances + 2)
        return sqrt(share * (1 - share) / (chances + 1))


def recovered_edges(forest: Forest, counts: Counts, noise: Noise) -> FloatArray:
    """Return P(child | parent) before the noise, within [0, 1] but not otherwise clipped."""
    event = np.arange(len(forest.events))
    under = np.maximum(forest.parents, 0)
    total = counts.total[under, event]
    parent, child = (
        (seen - noise.false_positive * total) / noise.signal
        for seen in (counts.first[under, event], counts.second[under, event])
    )
    both = (
        counts.joint[under, event]
        - noise.signal * noise.false_positive * (parent + child)
        - noise.false_positive**2 * total
    ) / noise.signal**2
    alone = (counts.frequency - noise.false_positive) / noise.signal
    given = np.where(parent > 0, both / np.where(parent > 0, parent, 1), 0)
    return np.clip(np.where(forest.parents == ROOT, alone, given), 0, 1)
