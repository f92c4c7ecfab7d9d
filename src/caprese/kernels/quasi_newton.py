"""Quasi-Newton: the direction of an ascent, from its last moves and the slopes around them."""

import numpy as np

from caprese._core.arrays import FloatArray

_FLAT = 1e-12  # curvature, relative to the size of a change, below which a move says nothing


def direction(slopes: FloatArray, moves: FloatArray, falls: FloatArray) -> FloatArray:
    """Return the slopes times the inverse of the curvature that the last moves show.

    The two loops of L-BFGS.

    Parameters
    ----------
    slopes
        Of the function that is maximised, one for each parameter.
    moves, falls
        How the parameters changed, the oldest move first, and by how much the slopes fell.

    References
    ----------
    Nocedal (1980), Mathematics of Computation 35:773-782.
    """
    found = np.array(slopes)
    _multiply(found, moves, falls, np.zeros(len(moves)))
    return found


def _multiply(found: FloatArray, moves: FloatArray, falls: FloatArray, shares: FloatArray) -> None:
    scale = 0.0
    for move in range(len(moves) - 1, -1, -1):
        curvature, size = _dot(moves[move], falls[move]), _dot(falls[move], falls[move])
        if curvature <= _FLAT * size:
            continue
        if scale == 0:
            scale = curvature / size
        shares[move] = _dot(moves[move], found) / curvature
        _add(found, falls[move], -shares[move])
    if scale > 0:
        for k in range(len(found)):
            found[k] *= scale
    for move in range(len(moves)):
        curvature, size = _dot(moves[move], falls[move]), _dot(falls[move], falls[move])
        if curvature > _FLAT * size:
            _add(found, moves[move], shares[move] - _dot(falls[move], found) / curvature)


def _dot(one: FloatArray, other: FloatArray) -> float:
    total = 0.0
    for k in range(len(one)):
        total += one[k] * other[k]
    return total


def _add(found: FloatArray, vector: FloatArray, share: float) -> None:
    for k in range(len(found)):
        found[k] += share * vector[k]
