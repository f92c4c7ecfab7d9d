"""Search over posets: a walk that at first also goes down, and an ascent that never does.

Every poset met is judged by its likelihood, with the rates and the error that make it highest.
Both searches take a few steps and return where they are, so that they can be watched and stopped.
A place is a poset's parents, its point (rates, then the error) and its log-likelihood. The limits
and the target are those of `rates.climb`.
"""

import math

import numpy as np
from numba import njit

from caprese.kernels.poset_em import climb
from caprese.kernels.posets import KINDS, above, moved, same
from caprese.kernels.random import advanced, scrambled

_TRIALS = 1000  # to draw a move; nearly every draw gives one
_UNIT = 2.0**-53


@njit(cache=True, nogil=True)
def place_of(parents, point, data, limits, target):  # type: ignore[no-untyped-def]
    """Return the place of a poset, climbed to from the point of another.

    It starts with moderate rates: where they tend to infinity the likelihood is flat, and no
    slope leads back.
    """
    n = len(parents)
    rates = np.empty(n)
    for event in range(n):
        rates[event] = min(max(point[event], 0.1), 10.0)
    rates, error, height, _settled = climb(above(parents), rates, point[n], data, limits, target)
    peak = np.empty(n + 1)
    peak[:n], peak[n] = rates, error
    return parents, peak, height


@njit(cache=True, nogil=True)
def walk(place, best, free, data, temperatures, state, limits):  # type: ignore[no-untyped-def]
    """Take a step at each temperature, each a move of the events `free`.

    A step down is taken with probability exp(loss / temperature). Returns the place reached,
    the best met so far, and the state of the random stream.
    """
    for temperature in temperatures:
        neighbour, state = _drawn(place[0], free, state)
        state = advanced(state)
        chance = np.float64(scrambled(state) >> np.uint64(11)) * _UNIT
        enough = place[2] + temperature * math.log(max(chance, _UNIT))
        other = place_of(neighbour, place[1], data, limits, enough)
        if other[2] >= enough:
            place = other
            if place[2] > best[2]:
                best = place
    return place, best, state


@njit(cache=True, nogil=True)
def ascend(place, free, data, at, failed, moves, limits):  # type: ignore[no-untyped-def]
    """Try a number of moves in turn, from number `at` on, and take each that leads up.

    Returns the place, the number of the next move, and how many in a row have failed.
    """
    m = len(free)
    for _ in range(moves):
        kind, one, other = at // (m * m), free[at // m % m], free[at % m]
        at, failed = (at + 1) % (KINDS * m * m), failed + 1
        neighbour = moved(place[0], kind, one, other)
        if not same(neighbour, place[0]):
            enough = place[2] + limits[1]
            higher = place_of(neighbour, place[1], data, limits, enough)
            if higher[2] > enough:
                place, failed = higher, 0
    return place, at, failed


@njit(cache=True, nogil=True)
def _drawn(parents, free, state):  # type: ignore[no-untyped-def]
    """Draw a move; the poset itself, if there is none."""
    for _ in range(_TRIALS):
        state = advanced(state)
        draw = np.int64(scrambled(state) >> np.uint64(1))
        kind, draw = draw % KINDS, draw // KINDS
        one, draw = free[draw % len(free)], draw // len(free)
        neighbour = moved(parents, kind, one, free[draw % len(free)])
        if not same(neighbour, parents):
            return neighbour, state
    return parents, state
