"""Rates and error rate of a poset by accelerated expectation maximisation (EM).

No step decreases the log-likelihood. A point holds the logarithms of the rates, then the logit of
the error rate.
"""

import cython
import numpy as np
from cython.cimports.caprese.kernels.elementary import exp, log
from cython.cimports.caprese.kernels.lattice import (
    Lattice,
    fill_lattice,
    fill_probabilities,
)
from cython.cimports.caprese.kernels.true_counts import Observations, TrueCounts, fill_true_counts

from caprese._core.arrays import FloatArray, IntArray, Integer

_LEAST_RATE, _MOST_RATE = 1e-6, 1e6
_LEAST_ERROR, _MOST_ERROR = 1e-9, 0.5
_NO_ERROR = 1e-300  # an error rate fixed at 0; its logit must be finite
_LONGEST_STEP = 2.0  # in any coordinate
_GAIN_FACTOR, _GAIN_OFFSET = 5.0, 3.0  # rates that tend to infinity gain more than expected
_SHORTEST_STEP = 1e-8  # scale of a step; if even that decreases the likelihood, it is a maximum


class Limits:
    """When EM ends.

    Parameters
    ----------
    estimate_error
        Whether the error rate is estimated or fixed.
    tolerance
        The log-likelihood that may be left to gain.
    steps
        The largest number of steps.
    """

    def __init__(self, estimate_error: cython.bint, tolerance: float, steps: Integer) -> None:
        self.estimate_error, self.tolerance, self.steps = estimate_error, tolerance, steps


class Step:
    """The rates and the error rate of a step, and what it expects of some data and any poset."""

    def __init__(self, data: Observations) -> None:
        self.data = data
        self.poset = Lattice(data.events)
        self.true_counts = TrueCounts(data)
        self.rates, self.error = np.empty(data.events), 0.0
        self.occurrences = np.empty(data.events)
        self.waiting_times = np.empty(data.events)
        self.times = np.empty(1 << data.events)  # in each state, divided by its probability
        self.sums = np.empty(4 << self.poset.half)  # by sets of either half of the events


class Ascent:
    """The way to a maximum of the likelihood of some data, for any poset."""

    def __init__(self, data: Observations) -> None:
        size = data.events + 1
        self.size = size
        self.step = Step(data)
        self.point, self.next_point = np.empty(size), np.empty(size)
        self.lower, self.upper = np.empty(size), np.empty(size)  # bounds of the point
        self.gradient, self.next_gradient = np.empty(size), np.empty(size)
        self.curvature = np.empty(size)  # if nothing were hidden
        self.inverse = np.empty((size, size))  # of the curvature
        self.direction, self.scratch = np.empty(size), np.empty(size)


def maximise_likelihood(
    ascent: Ascent,
    ancestors: IntArray,
    rates: FloatArray,
    error: float,
    limits: Limits,
    target: float,
) -> tuple[FloatArray, float, float, bool]:
    """Return rates and error rate at a maximum, its log-likelihood, and whether EM converged.

    Parameters
    ----------
    ancestors
        ``[j]``: the set of all ancestors of j, event k in bit k.
    rates, error
        Where to start.
    target
        As `ascend` takes it.
    """
    with cython.nogil:
        start(ascent, ancestors, rates, error, limits)
        log_likelihood, converged = ascend(ascent, limits, target)
    return np.array(ascent.step.rates), ascent.step.error, log_likelihood, converged


def start(
    ascent: Ascent, ancestors: IntArray, rates: FloatArray, error: float, limits: Limits
) -> None:
    """Set the poset of an ascent, the bounds of its point, and the point to rates and error."""
    n = ascent.size - 1
    fill_lattice(ascent.step.poset, ancestors)
    for k in range(n):
        ascent.lower[k], ascent.upper[k] = log(_LEAST_RATE), log(_MOST_RATE)
        ascent.point[k] = log(min(max(rates[k], _LEAST_RATE), _MOST_RATE))
    place: float = _logit(max(error, _NO_ERROR))
    if limits.estimate_error:
        ascent.lower[n], ascent.upper[n] = _logit(_LEAST_ERROR), _logit(_MOST_ERROR)
        place = min(max(place, ascent.lower[n]), ascent.upper[n])
    else:
        ascent.lower[n] = ascent.upper[n] = place
    ascent.point[n] = place


def ascend(ascent: Ascent, limits: Limits, target: float) -> tuple[float, bool]:
    """Return the log-likelihood at a maximum, and whether EM converged; the step has its rates.

    EM gives the gradient and the first estimate of the curvature, which later steps improve (the
    quasi-Newton acceleration of Jamshidian and Jennrich 1997). Plain EM would need very many
    steps where rates tend to infinity.

    Parameters
    ----------
    target
        EM stops early, without convergence, when it is unlikely to reach this log-likelihood.
    """
    log_likelihood: float = _fill_gradient(ascent, ascent.point, ascent.gradient)
    converged: cython.bint = False
    _reset(ascent)
    for _ in range(limits.steps):
        gain: float = _fill_direction(ascent)
        if not gain > 0:
            _reset(ascent)
            gain = _fill_direction(ascent)
        if not gain > 2 * limits.tolerance:
            converged = True
            break
        if log_likelihood + _GAIN_OFFSET + _GAIN_FACTOR * gain < target:
            break
        next_log_likelihood, rises = _line_search(ascent, log_likelihood, gain)
        if not rises:
            converged = True
            break
        log_likelihood = next_log_likelihood
        _update_inverse(ascent)
        for k in range(ascent.size):
            ascent.point[k], ascent.gradient[k] = ascent.next_point[k], ascent.next_gradient[k]
    _fill_rates(ascent, ascent.point)
    return log_likelihood, converged


def _line_search(ascent: Ascent, log_likelihood: float, gain: float) -> tuple[float, bool]:
    """Return the log-likelihood of the next point in the direction, and whether it rises there."""
    longest: float = _LONGEST_STEP
    for k in range(ascent.size):
        longest = max(longest, abs(ascent.direction[k]))
    scale: float = _LONGEST_STEP / longest
    while True:
        for k in range(ascent.size):
            moved = ascent.point[k] + scale * ascent.direction[k]
            ascent.next_point[k] = min(max(moved, ascent.lower[k]), ascent.upper[k])
        found = _fill_gradient(ascent, ascent.next_point, ascent.next_gradient)
        if scale < _SHORTEST_STEP:
            return found, False
        if found >= log_likelihood + 1e-4 * scale * gain:
            return found, True
        scale /= 4


def _fill_gradient(ascent: Ascent, point: FloatArray, gradient: FloatArray) -> float:
    """Return the log-likelihood; fill its gradient, and its curvature if nothing were hidden."""
    n, entries = ascent.size - 1, ascent.step.data.entries
    _fill_rates(ascent, point)
    log_likelihood, errors = expectations(ascent.step)
    for k in range(n):
        waited: float = ascent.step.rates[k] * ascent.step.waiting_times[k]
        gradient[k] = ascent.step.occurrences[k] - waited
        ascent.curvature[k] = max(waited, 1e-9)
    error = ascent.step.error
    gradient[n] = errors - entries * error
    ascent.curvature[n] = max(entries * error * (1 - error), 1e-9)
    return log_likelihood


def _fill_rates(ascent: Ascent, point: FloatArray) -> None:
    """Fill the rates and the error rate at a point."""
    for k in range(ascent.size - 1):
        ascent.step.rates[k] = exp(point[k])
    ascent.step.error = 1 / (1 + exp(-point[ascent.size - 1]))


def _reset(ascent: Ascent) -> None:
    """Reset the inverse curvature to the one of EM, as if nothing were hidden."""
    for i in range(ascent.size):
        for j in range(ascent.size):
            ascent.inverse[i, j] = 0.0
        ascent.inverse[i, i] = 1 / ascent.curvature[i]


def _fill_direction(ascent: Ascent) -> float:
    """Fill the direction of the next step; return the gradient along it.

    Coordinates at a bound stay there.
    """
    gain: float = 0.0
    for k in range(ascent.size):
        ascent.scratch[k] = 0.0 if _at_bound(ascent, k) else ascent.gradient[k]
    for i in range(ascent.size):
        along: float = 0.0
        for j in range(ascent.size):
            along += ascent.inverse[i, j] * ascent.scratch[j]
        ascent.direction[i] = 0.0 if _at_bound(ascent, i) else along
        gain += ascent.direction[i] * ascent.scratch[i]
    return gain


def _at_bound(ascent: Ascent, k: Integer) -> bool:
    down: cython.bint = ascent.point[k] <= ascent.lower[k]
    up: cython.bint = ascent.point[k] >= ascent.upper[k]
    falls: cython.bint = ascent.gradient[k] < 0
    rises: cython.bint = ascent.gradient[k] > 0
    return (down and falls) or (up and rises) or (down and up)


def _update_inverse(ascent: Ascent) -> None:
    """Update the inverse curvature by the change of the gradient (BFGS)."""
    n, inverse, image = ascent.size, ascent.inverse, ascent.scratch
    point, next_point = ascent.point, ascent.next_point
    gradient, next_gradient = ascent.gradient, ascent.next_gradient
    product: float = 0.0
    spread: float = 0.0
    for i in range(n):
        product += (next_point[i] - point[i]) * (gradient[i] - next_gradient[i])
    if product <= 1e-12:
        return
    for i in range(n):
        total: float = 0.0
        for j in range(n):
            total += inverse[i, j] * (gradient[j] - next_gradient[j])
        image[i] = total
        spread += total * (gradient[i] - next_gradient[i])
    by_product = 1 / product
    scale = (1 + spread * by_product) * by_product
    for i in range(n):
        one = next_point[i] - point[i]
        ahead, aside = scale * one - image[i] * by_product, one * by_product
        for j in range(n):
            inverse[i, j] += ahead * (next_point[j] - point[j]) - aside * image[j]


def _logit(probability: float) -> float:
    return log(probability / (1 - probability))


def expectations(step: Step) -> tuple[float, float]:
    """Return the log-likelihood and the expected number of errors.

    Fills the expected occurrences and waiting times of each event. All are expectations given the
    observations, summed over samples; the path of a sample ends when it is observed. Plain EM would
    set each rate to `occurrences / waiting_times` next.
    """
    fill_probabilities(step.poset, step.rates)
    log_likelihood, mistakes = fill_true_counts(step.poset, step.error, step.data, step.true_counts)
    _fill_times(step)
    _fill_totals(step)
    return log_likelihood, mistakes


def _fill_times(step: Step) -> None:
    """Fill for each state the time in it, divided by its probability.

    On the way, that is the expected number of paths through it, divided by the probability to reach
    it.
    """
    for k in range(step.poset.number):
        step.times[k] = step.true_counts.relative[k]
    for size in range(step.poset.events, -1, -1):
        for event in range(step.poset.events):
            rate, kind = step.rates[event], size * step.poset.events + event
            for at in range(step.poset.first_moves[kind], step.poset.first_moves[kind + 1]):
                move = step.poset.moves[at]
                step.times[move >> 32] += rate * step.times[move & 0xFFFFFF]
        for k in range(step.poset.first_states[size], step.poset.first_states[size + 1]):
            step.times[k] *= step.poset.stays[k]


def _fill_totals(step: Step) -> None:
    """Fill how often each event has occurred, and how long it was waited for.

    Both are summed by sets of the first half of the events, and by sets of the other half, first.
    """
    half, size = step.poset.half, cython.cast(cython.Py_ssize_t, 1 << step.poset.half)
    step.sums[:] = 0.0
    for k in range(step.poset.number):
        count = step.poset.likely[k] * step.true_counts.relative[k]
        time = step.poset.likely[k] * step.times[k]
        state, ready = step.poset.states[k], step.poset.ready[k]
        step.sums[state & size - 1] += count
        step.sums[size + (state >> half)] += count
        step.sums[2 * size + (ready & size - 1)] += time
        step.sums[3 * size + (ready >> half)] += time
    for event in range(half - 1, -1, -1):
        step.occurrences[event] = _fold(step, 0, event)
        step.waiting_times[event] = _fold(step, 2, event)
        if half + event < step.poset.events:
            step.occurrences[half + event] = _fold(step, 1, event)
            step.waiting_times[half + event] = _fold(step, 3, event)


def _fold(step: Step, part: Integer, event: Integer) -> float:
    """Return the sum over the sets with their last event, and add each to the set without it."""
    total: float = 0.0
    start, size = part << step.poset.half, cython.cast(cython.Py_ssize_t, 1 << event)
    for k in range(start, start + size):
        total += step.sums[size + k]
        step.sums[k] += step.sums[size + k]
    return total
