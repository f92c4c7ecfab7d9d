"""Rates of a poset by expectation maximisation, accelerated and never downhill.

A point holds the logarithms of the rates, then the logit of the error. Loops are written out: they
compile in a fraction of the time that whole-array expressions take.
"""

import math

import numpy as np
from numba import njit

from caprese.kernels.lattice import expectations, lattice

LEAST_RATE, MOST_RATE = 1e-6, 1e6
LEAST_ERROR, MOST_ERROR = 1e-9, 0.5
_NEVER = 1e-300  # an error that is held at 0
_LONGEST = 2.0  # step in any direction
_HOPE, _SLACK = (
    5.0,
    3.0,
)  # of the slope's promise, and beyond: rates that tend to infinity gain more
_SHORTEST = 1e-8  # share of a step; if even that leads down, this is the peak


@njit(cache=True, nogil=True)
def climb(above, rates, error, data, limits, target):  # type: ignore[no-untyped-def]
    """Climb to a peak of the likelihood, never downhill.

    Expectation maximisation gives the slope and the first guess of the curvature; from then on
    what the slope did tells more (the quasi-Newton acceleration of Jamshidian and Jennrich
    1997), because rates that tend to infinity make the plain steps endless. The limits are
    whether the error is to be found, or stays as it is; how much log-likelihood may be left to
    gain; how many steps to take at the most. A climb that does not look as if it came near the
    target is given up. Returns the rates, the error, the log-likelihood, and whether no more was
    left to gain.
    """
    hidden, tolerance, steps = limits
    states, starts, nexts = lattice(above)
    point = _point(rates, error)
    lows, highs = _bounds(point, hidden)
    slope, curvature = np.empty_like(point), np.empty_like(point)
    ahead, its_slope, way = np.empty_like(point), np.empty_like(point), np.empty_like(point)
    inverse = np.empty((len(point), len(point)))
    height = _slope(states, starts, nexts, point, data, slope, curvature)
    _forget(inverse, curvature)
    settled = False
    for _ in range(steps):
        gain = _way(inverse, point, slope, lows, highs, way)
        if not gain > 0:
            _forget(inverse, curvature)
            gain = _way(inverse, point, slope, lows, highs, way)
        if not gain > 2 * tolerance:
            settled = True
            break
        if height + _SLACK + _HOPE * gain < target:
            break
        share = _LONGEST / max(_LONGEST, _largest(way))
        while True:
            for k in range(len(point)):
                ahead[k] = min(max(point[k] + share * way[k], lows[k]), highs[k])
            its_height = _slope(states, starts, nexts, ahead, data, its_slope, curvature)
            if its_height >= height + 1e-4 * share * gain or share < _SHORTEST:
                break
            share /= 4
        if share < _SHORTEST:
            settled = True
            break
        _learn(inverse, point, ahead, slope, its_slope)
        point, ahead, height = ahead, point, its_height
        slope, its_slope = its_slope, slope
    peak = np.empty(len(rates))
    for k in range(len(rates)):
        peak[k] = math.exp(point[k])
    return peak, _expit(point[-1]), height, settled


@njit(cache=True, nogil=True)
def _point(rates, error):  # type: ignore[no-untyped-def]
    point = np.empty(len(rates) + 1)
    for k in range(len(rates)):
        point[k] = math.log(min(max(rates[k], LEAST_RATE), MOST_RATE))
    point[-1] = _logit(max(error, _NEVER))
    return point


@njit(cache=True, nogil=True)
def _bounds(point, hidden):  # type: ignore[no-untyped-def]
    """Return how low and how high each number of a point may get."""
    lows, highs = np.empty_like(point), np.empty_like(point)
    for k in range(len(point) - 1):
        lows[k], highs[k] = math.log(LEAST_RATE), math.log(MOST_RATE)
    if hidden:
        lows[-1], highs[-1] = _logit(LEAST_ERROR), _logit(MOST_ERROR)
        point[-1] = min(max(point[-1], lows[-1]), highs[-1])
    else:
        lows[-1] = highs[-1] = point[-1]
    return lows, highs


@njit(cache=True, nogil=True)
def _slope(states, starts, nexts, point, data, slope, curvature):  # type: ignore[no-untyped-def]
    """Return the log-likelihood; fill in its slope, and the curvature it had if all were seen."""
    n = len(point) - 1
    rates = np.empty(n)
    for k in range(n):
        rates[k] = math.exp(point[k])
    error = _expit(point[-1])
    height, came, waited, mistakes = expectations(states, starts, nexts, rates, error, data)
    for k in range(n):
        slope[k] = came[k] - rates[k] * waited[k]
        curvature[k] = max(rates[k] * waited[k], 1e-9)
    slope[n] = mistakes - data[3] * error
    curvature[n] = max(data[3] * error * (1 - error), 1e-9)
    return height


@njit(cache=True, nogil=True)
def _forget(inverse, curvature):  # type: ignore[no-untyped-def]
    """Guess the inverse curvature as if everything were seen."""
    for i in range(len(curvature)):
        for j in range(len(curvature)):
            inverse[i, j] = 0.0
        inverse[i, i] = 1 / curvature[i]


@njit(cache=True, nogil=True)
def _way(inverse, point, slope, lows, highs, way):  # type: ignore[no-untyped-def]
    """Fill in the way to go; return the slope along it. Numbers at their bounds stay there."""
    gain = 0.0
    for i in range(len(point)):
        way[i] = 0.0
        if _stuck(i, point, slope, lows, highs):
            continue
        for j in range(len(point)):
            if not _stuck(j, point, slope, lows, highs):
                way[i] += inverse[i, j] * slope[j]
        gain += way[i] * slope[i]
    return gain


@njit(cache=True, nogil=True)
def _stuck(k, point, slope, lows, highs):  # type: ignore[no-untyped-def]
    down, up = point[k] <= lows[k], point[k] >= highs[k]
    return (down and slope[k] < 0) or (up and slope[k] > 0) or (down and up)


@njit(cache=True, nogil=True)
def _largest(way):  # type: ignore[no-untyped-def]
    largest = 0.0
    for each in way:
        largest = max(largest, abs(each))
    return largest


@njit(cache=True, nogil=True)
def _learn(inverse, point, ahead, slope, its_slope):  # type: ignore[no-untyped-def]
    """Improve the guess of the inverse curvature by what a step did to the slope (BFGS)."""
    n = len(point)
    product = 0.0
    for i in range(n):
        product += (ahead[i] - point[i]) * (slope[i] - its_slope[i])
    if product <= 1e-12:
        return
    image, spread = np.zeros(n), 0.0
    for i in range(n):
        for j in range(n):
            image[i] += inverse[i, j] * (slope[j] - its_slope[j])
        spread += image[i] * (slope[i] - its_slope[i])
    scale = (1 + spread / product) / product
    for i in range(n):
        one = ahead[i] - point[i]
        for j in range(n):
            other = ahead[j] - point[j]
            inverse[i, j] += scale * one * other - (image[i] * other + one * image[j]) / product


@njit(cache=True, nogil=True)
def _logit(share):  # type: ignore[no-untyped-def]
    return math.log(share / (1 - share))


@njit(cache=True, nogil=True)
def _expit(value):  # type: ignore[no-untyped-def]
    return 1 / (1 + math.exp(-value))
