"""Rates and error rate of a poset by accelerated expectation maximisation (EM).

No step decreases the log-likelihood. A point holds the logarithms of the rates, then the logit of
the error rate. Loops are written out because they compile much faster than whole-array expressions.
"""

import math

import numpy as np

from caprese.kernels.arrays import fill
from caprese.kernels.compiling import kernel
from caprese.kernels.lattice import lattice
from caprese.kernels.poset_step import expectations, new_step

LEAST_RATE, MOST_RATE = 1e-6, 1e6
LEAST_ERROR, MOST_ERROR = 1e-9, 0.5
_NO_ERROR = 1e-300  # an error rate fixed at 0; its logit must be finite
_LONGEST_STEP = 2.0  # in any coordinate
_GAIN_FACTOR, _GAIN_OFFSET = 5.0, 3.0  # rates that tend to infinity gain more than expected
_SHORTEST_STEP = 1e-8  # scale of a step; if even that decreases the likelihood, it is a maximum


@kernel
def maximise_likelihood(ancestors, rates, error, data, limits, target):  # type: ignore[no-untyped-def]
    """Return rates and error rate at a maximum, its log-likelihood, and whether EM converged.

    EM gives the gradient and the first estimate of the curvature, which later steps improve (the
    quasi-Newton acceleration of Jamshidian and Jennrich 1997). Plain EM would need very many
    steps where rates tend to infinity.

    Parameters
    ----------
    ancestors
        ``[j]``: the set of all ancestors of j, event k in bit k.
    rates, error
        Where to start.
    data
        As `poset_step.expectations` takes it.
    limits
        Whether the error rate is estimated or fixed; the log-likelihood that may be left to gain;
        the largest number of steps.
    target
        EM stops early, without convergence, when it is unlikely to reach this log-likelihood.
    """
    estimate_error, tolerance, steps = limits
    poset = lattice(ancestors)
    point = _point(rates, error)
    lower, upper = _bounds(point, estimate_error)
    gradient, curvature = np.empty(len(point)), np.empty(len(point))
    next_point, next_gradient = np.empty(len(point)), np.empty(len(point))
    direction, scratch = np.empty(len(point)), np.empty(len(point))
    inverse, step = np.empty((len(point), len(point))), new_step(poset, data, len(rates))
    log_likelihood = _gradient(poset, point, data, step, gradient, curvature)
    _reset(inverse, curvature)
    converged = False
    for _ in range(steps):
        gain = _direction(inverse, point, gradient, lower, upper, direction, scratch)
        if not gain > 0:
            _reset(inverse, curvature)
            gain = _direction(inverse, point, gradient, lower, upper, direction, scratch)
        if not gain > 2 * tolerance:
            converged = True
            break
        if log_likelihood + _GAIN_OFFSET + _GAIN_FACTOR * gain < target:
            break
        scale = _LONGEST_STEP / max(_LONGEST_STEP, _largest(direction))
        while True:
            for k in range(len(point)):
                next_point[k] = min(max(point[k] + scale * direction[k], lower[k]), upper[k])
            next_log_likelihood = _gradient(poset, next_point, data, step, next_gradient, curvature)
            if (
                next_log_likelihood >= log_likelihood + 1e-4 * scale * gain
                or scale < _SHORTEST_STEP
            ):
                break
            scale /= 4
        if scale < _SHORTEST_STEP:
            converged = True
            break
        _bfgs_update(inverse, point, next_point, gradient, next_gradient, scratch)
        point, next_point, log_likelihood = next_point, point, next_log_likelihood
        gradient, next_gradient = next_gradient, gradient
    best_rates = np.empty(len(rates))
    for k in range(len(rates)):
        best_rates[k] = math.exp(point[k])
    return best_rates, _expit(point[-1]), log_likelihood, converged


@kernel
def _point(rates, error):  # type: ignore[no-untyped-def]
    point = np.empty(len(rates) + 1)
    for k in range(len(rates)):
        point[k] = math.log(min(max(rates[k], LEAST_RATE), MOST_RATE))
    point[-1] = _logit(max(error, _NO_ERROR))
    return point


@kernel
def _bounds(point, estimate_error):  # type: ignore[no-untyped-def]
    """Return the lower and upper bounds of a point."""
    lower, upper = np.empty(len(point)), np.empty(len(point))
    for k in range(len(point) - 1):
        lower[k], upper[k] = math.log(LEAST_RATE), math.log(MOST_RATE)
    if estimate_error:
        lower[-1], upper[-1] = _logit(LEAST_ERROR), _logit(MOST_ERROR)
        point[-1] = min(max(point[-1], lower[-1]), upper[-1])
    else:
        lower[-1] = upper[-1] = point[-1]
    return lower, upper


@kernel(borrows=True)
def _gradient(poset, point, data, step, gradient, curvature):  # type: ignore[no-untyped-def]
    """Return the log-likelihood; fill its gradient, and its curvature if nothing were hidden."""
    n = len(point) - 1
    rates, occurrences, waiting_times = step.rates, step.occurrences, step.waiting_times
    for k in range(n):
        rates[k] = math.exp(point[k])
    error = _expit(point[-1])
    log_likelihood, errors = expectations(poset, error, data, step)
    for k in range(n):
        gradient[k] = occurrences[k] - rates[k] * waiting_times[k]
        curvature[k] = max(rates[k] * waiting_times[k], 1e-9)
    gradient[n] = errors - data[3] * error
    curvature[n] = max(data[3] * error * (1 - error), 1e-9)
    return log_likelihood


@kernel(borrows=True)
def _reset(inverse, curvature):  # type: ignore[no-untyped-def]
    """Reset the inverse curvature to the one of EM, as if nothing were hidden."""
    for i in range(len(curvature)):
        fill(inverse[i], 0.0)
        inverse[i, i] = 1 / curvature[i]


@kernel(borrows=True)
def _direction(inverse, point, gradient, lower, upper, direction, scratch):  # type: ignore[no-untyped-def]
    """Fill the direction of the next step; return the gradient along it.

    Coordinates at a bound stay there.
    """
    for k in range(len(point)):
        scratch[k] = 0.0 if _at_bound(k, point, gradient, lower, upper) else gradient[k]
    gain = 0.0
    for i in range(len(point)):
        row, along = inverse[i], 0.0
        for j in range(len(point)):
            along += row[j] * scratch[j]
        direction[i] = 0.0 if _at_bound(i, point, gradient, lower, upper) else along
        gain += direction[i] * scratch[i]
    return gain


@kernel(borrows=True)
def _at_bound(k, point, gradient, lower, upper):  # type: ignore[no-untyped-def]
    down, up = point[k] <= lower[k], point[k] >= upper[k]
    return (down and gradient[k] < 0) or (up and gradient[k] > 0) or (down and up)


@kernel(borrows=True)
def _largest(direction):  # type: ignore[no-untyped-def]
    largest = 0.0
    for k in range(len(direction)):
        largest = max(largest, abs(direction[k]))
    return largest


@kernel(borrows=True)
def _bfgs_update(inverse, point, next_point, gradient, next_gradient, image):  # type: ignore[no-untyped-def]
    """Update the inverse curvature by the change of the gradient (BFGS)."""
    n = len(point)
    product = 0.0
    for i in range(n):
        product += (next_point[i] - point[i]) * (gradient[i] - next_gradient[i])
    if product <= 1e-12:
        return
    spread = 0.0
    for i in range(n):
        row, total = inverse[i], 0.0
        for j in range(n):
            total += row[j] * (gradient[j] - next_gradient[j])
        image[i] = total
        spread += total * (gradient[i] - next_gradient[i])
    inverse_product = 1 / product
    scale = (1 + spread * inverse_product) * inverse_product
    for i in range(n):
        one = next_point[i] - point[i]
        ahead, aside = scale * one - image[i] * inverse_product, one * inverse_product
        row = inverse[i]
        for j in range(n):
            row[j] += ahead * (next_point[j] - point[j]) - aside * image[j]


@kernel
def _logit(probability):  # type: ignore[no-untyped-def]
    return math.log(probability / (1 - probability))


@kernel
def _expit(value):  # type: ignore[no-untyped-def]
    return 1 / (1 + math.exp(-value))
