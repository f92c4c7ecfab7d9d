"""The density of an edge probability, approximated by pieces, to draw from it.

The logarithm is linear between points that are spaced by the curvature at the maximum. What is
drawn is corrected by the ratio of the density to the approximation, so that no accuracy is lost.
`forest_messages.aim` says which event, under which parent.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from caprese.kernels.compiling import kernel
from caprese.kernels.draws import uniform
from caprese.kernels.forest_messages import gain

_SIDE = 5  # points of the approximation on either side of the best probability
_POINTS = 2 * _SIDE + 3  # with both ends
_DROP = 8.0  # how far the approximation falls to an end where the density is 0
_ELSEWHERE = 0.02  # share of proposals that ignore the approximation


class Pieces(NamedTuple):
    """An approximation: the logarithm of the density at points, and the share of each piece."""

    points: NDArray[np.float64]
    log_densities: NDArray[np.float64]
    shares: NDArray[np.float64]


@kernel
def empty_pieces():  # type: ignore[no-untyped-def]
    """Return room for an approximation."""
    return Pieces(np.empty(_POINTS), np.empty(_POINTS), np.empty(_POINTS - 1))


@kernel(borrows=True)
def fill_pieces(table, work, theta, first, second, pieces):  # type: ignore[no-untyped-def]
    """Approximate the density of an edge probability by pieces with a linear logarithm.

    Points are spaced by the curvature at the maximum, and ever closer to an end that is near.
    Returns the log integral.
    """
    points, log_densities, shares = pieces
    spread = 1.0 / (abs(first) + np.sqrt(second) + 1e-3)
    spacing = (0.6, 1.3, 2.2, 3.5, 6.0)
    points[0], points[_POINTS - 1], points[_SIDE + 1] = 0.0, 1.0, theta
    nearer = 1.0
    for k in range(_SIDE):
        nearer *= 0.5
        points[_SIDE - k] = max(theta - spacing[k] * spread, theta * nearer)
        points[_SIDE + 2 + k] = min(theta + spacing[k] * spread, 1.0 - (1.0 - theta) * nearer)
    for k in range(1, _POINTS - 1):
        log_densities[k] = gain(table, work, points[k])
    log_densities[0] = max(gain(table, work, 0.0), log_densities[1] - _DROP)
    log_densities[_POINTS - 1] = max(gain(table, work, 1.0), log_densities[_POINTS - 2] - _DROP)
    top = log_densities[_SIDE + 1]
    total = 0.0
    for k in range(_POINTS - 1):
        shares[k] = _integral(points, log_densities, k, top)
        total += shares[k]
    for k in range(_POINTS - 1):
        shares[k] /= total
    return top + np.log(total)


@kernel(borrows=True)
def _integral(points, log_densities, k, top):  # type: ignore[no-untyped-def]
    """Return the integral over one piece, divided by exp(top)."""
    width, rise = points[k + 1] - points[k], abs(log_densities[k + 1] - log_densities[k])
    if width <= 0.0:
        return 0.0
    highest = width * np.exp(max(log_densities[k], log_densities[k + 1]) - top)
    if rise < 1e-6:
        return highest * (1.0 - 0.5 * rise)
    return -highest * np.expm1(-rise) / rise


@kernel(borrows=True)
def draw_theta(stream, pieces):  # type: ignore[no-untyped-def]
    """Draw an edge probability from the approximation."""
    if uniform(stream) < _ELSEWHERE:
        return uniform(stream)
    points, log_densities, shares = pieces
    rest = uniform(stream)
    chosen = _SIDE
    for k in range(_POINTS - 1):
        if shares[k] > 0.0:
            chosen = k
            rest -= shares[k]
            if rest <= 0.0:
                break
    width, rise = (
        points[chosen + 1] - points[chosen],
        log_densities[chosen + 1] - log_densities[chosen],
    )
    u = uniform(stream)
    if abs(rise) < 1e-6:
        along = u
    elif rise > 0.0:
        along = 1.0 + np.log(u + (1.0 - u) * np.exp(-rise)) / rise
    else:
        along = np.log1p(u * np.expm1(rise)) / rise
    return min(max(points[chosen] + along * width, 1e-15), 1.0 - 1e-15)


@kernel(borrows=True)
def log_proposal(theta, pieces, log_mass):  # type: ignore[no-untyped-def]
    """Return the log-density of the approximation."""
    points, log_densities = pieces.points, pieces.log_densities
    k = 0
    while k < _POINTS - 2 and theta >= points[k + 1]:
        k += 1
    width = points[k + 1] - points[k]
    objective = log_densities[k]
    if width > 0.0:
        objective += (log_densities[k + 1] - log_densities[k]) * (theta - points[k]) / width
    return np.log((1.0 - _ELSEWHERE) * np.exp(objective - log_mass) + _ELSEWHERE)
