"""Ascent: the maximum of a smooth function of many parameters, within bounds.

Libraries add up in an order that depends on the processor, which on a flat top is seen in the
answer. Here every sum has one order, so that the same function gives the same maximum everywhere.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from caprese._core.arrays import FloatArray
from caprese.kernels.functions import product
from caprese.kernels.quasi_newton import direction

STEPS = 5000

_REMEMBERED = 10  # moves
_ENOUGH = 1e-4  # share of the rise that the slopes promise, which a step must give
_LEFT = 0.9  # share of the slope along a step, of which no more may be left
_TRIALS = 30  # of a length of a step

Function = Callable[[FloatArray], tuple[float, FloatArray]]


class Top(NamedTuple):
    """Where an ascent ended, and whether before it reached its limit of steps."""

    point: FloatArray
    value: float
    converged: bool


def ascend(
    function: Function,
    start: FloatArray,
    bounds: tuple[FloatArray, FloatArray],
    *,
    gain: float,
    slope: float = 1e-5,
    steps: int = STEPS,
) -> Top:
    """Return a maximum of a function, by L-BFGS from a start.

    Parameters that are at a bound, and would leave it, rest.

    Parameters
    ----------
    function
        Returns a value and its slopes at a point. Where the value is not finite, steps are
        shortened.
    start, bounds
        Where it begins, and the least and the greatest value of each parameter.
    gain
        It ends when a step gains less than this share of the value, or of 1.
    slope
        It ends when no slope is steeper.
    steps
        It ends after so many, without having converged.

    Examples
    --------
    >>> def hill(x):
    ...     return -float(((x - 3) ** 2).sum()), 6 - 2 * x
    >>> bounds = np.zeros(2), np.array([1.0, 5.0])
    >>> ascend(hill, np.array([0.5, 0.5]), bounds, gain=1e-12).point.tolist()
    [1.0, 3.0]

    References
    ----------
    Byrd et al. (1995), SIAM Journal on Scientific Computing 16:1190-1208, on bounds. Lewis and
    Overton (2013), Mathematical Programming 141:135-163, on the length of steps.
    """
    here = _at(function, np.clip(start, *bounds))
    moves = falls = np.zeros((0, len(start)))
    for _ in range(steps):
        free = _free(here, bounds)
        if np.abs(here.slopes * free).max(initial=0.0) <= slope:
            return Top(here.point, here.value, True)
        way = direction(here.slopes * free, moves * free, falls * free)
        if not len(moves):
            way /= np.abs(way).sum()
        there = _step(function, here, way, bounds)
        if there is None and len(moves):  # the curvature misleads
            moves = falls = moves[:0]
            continue
        if there is None:
            return Top(here.point, here.value, True)
        moves = np.vstack([moves[1 - _REMEMBERED :], there.point - here.point])
        falls = np.vstack([falls[1 - _REMEMBERED :], here.slopes - there.slopes])
        gained, size = there.value - here.value, max(1.0, abs(here.value), abs(there.value))
        here = there
        if gained <= gain * size:
            return Top(here.point, here.value, True)
    return Top(here.point, here.value, False)


class _Place(NamedTuple):
    point: FloatArray
    value: float
    slopes: FloatArray


def _at(function: Function, point: FloatArray) -> _Place:
    return _Place(point, *function(point))


def _free(here: _Place, bounds: tuple[FloatArray, FloatArray]) -> FloatArray:
    """Return 1 for each parameter that may follow its slope, else 0."""
    least, most = bounds
    rests = (here.point <= least) & (here.slopes <= 0) | (here.point >= most) & (here.slopes >= 0)
    return np.where(rests, 0.0, 1.0)


def _step(
    function: Function, here: _Place, way: FloatArray, bounds: tuple[FloatArray, FloatArray]
) -> _Place | None:
    """Return a place on the way that is enough higher and where less slope is left, if there is.

    The length of the step is doubled or halved; what would leave the bounds stays at them.
    """
    promised = float(product(here.slopes, way))
    short, long, length = 0.0, np.inf, 1.0
    best = None
    for _ in range(_TRIALS):
        point = np.clip(here.point + length * way, *bounds)
        there = _at(function, point)
        rise = float(product(here.slopes, point - here.point))
        if not there.value >= here.value + _ENOUGH * rise or rise <= 0:
            long = length
        else:
            best = there
            inside = bool((point == here.point + length * way).all())
            if not inside or float(product(there.slopes, way)) <= _LEFT * promised:
                return there
            short = length
        length = (short + long) / 2 if long < np.inf else 2 * length
    return best
