"""Thinned sub-lattices of mutual hazards: probabilities of what was observed, and their slopes.

The states, and the factors of the moves between them, are those of `thinned_draw`; here they are
fixed, so that a likelihood over them is a smooth function of rates and effects. `rates` and
`effects` are as in `hazards`. A state has the rates of the one it follows from times one row of
effects; so the states are a tree, over which slopes are summed.
"""

import math

import cython
import numpy as np
from cython.cimports.caprese.kernels.elementary import log

from caprese._core.arrays import FloatArray, IntArray, Integer, OctetArray

_LEAST = 1e-300  # for a chance of 0, where a weight is divided by it
_NEVER = -math.inf


class Thinned:
    """Thinned sub-lattices, one after the other.

    Parameters
    ----------
    members, starts
        All events of each, those inside first, and how many are inside.
    bounds
        Where the states of each start.
    previous, added, ends, firsts
        Of each state the one it follows from, within its sub-lattice, the place of the event by
        which it does so, whether it may be observed, and where the moves to it start.
    sources, by, factors
        Of each move the state it starts from, the place of its event, and by what it counts.
    """

    def __init__(
        self,
        members: IntArray,
        bounds: IntArray,
        previous: IntArray,
        added: IntArray,
        ends: OctetArray,
        firsts: IntArray,
        sources: IntArray,
        by: IntArray,
        factors: FloatArray,
    ) -> None:
        self.members, self.bounds, self.previous, self.added = members, bounds, previous, added
        self.ends, self.firsts = ends, firsts
        self.sources, self.by, self.factors = sources, by, factors


class Room:
    """Room for the states of one sub-lattice: their rates, probabilities and slopes."""

    def __init__(self, states: Integer, events: Integer) -> None:
        self.rates, self.sums = np.empty((states, events)), np.empty((states, events))
        self.leave, self.likely = np.empty(states), np.empty(states)
        self.values, self.effects = np.empty(states), np.empty((events, events))
        self.effect_slopes = np.empty((events, events))


def _most(bounds: IntArray) -> int:
    """Return the number of states of the largest sub-lattice."""
    most = 0
    for place in range(len(bounds) - 1):
        most = max(most, bounds[place + 1] - bounds[place])
    return most


def likely(rates: FloatArray, effects: FloatArray, given: Thinned) -> FloatArray:
    """Return the probability to be observed in each state, those that may not be observed included.

    Their weights are included: sums over those of one size are right in the mean.
    """
    room = Room(_most(given.bounds), len(rates))
    result = np.empty(len(given.previous))
    found: cython.double[::1] = result
    with cython.nogil:
        for place in range(len(given.bounds) - 1):
            first = given.bounds[place]
            _substitute(room, given, rates, effects, place)
            for state in range(first, given.bounds[place + 1]):
                found[state] = room.likely[state - first]
    return result


def log_likelihood(
    rates: FloatArray, effects: FloatArray, weights: FloatArray, given: Thinned
) -> tuple[float, FloatArray, FloatArray]:
    """Return the log-likelihood, and its slopes by the logarithms of rates and effects.

    Parameters
    ----------
    weights
        How often the observation of each sub-lattice was made.
    """
    n = len(rates)
    room = Room(_most(given.bounds), n)
    by_rate, by_effect = np.zeros(n), np.zeros((n, n))
    rate_slopes: cython.double[::1] = by_rate
    effect_slopes: cython.double[:, ::1] = by_effect
    total: float = 0.0
    with cython.nogil:
        for place in range(len(given.bounds) - 1):
            if weights[place] > 0.0:
                _substitute(room, given, rates, effects, place)
                chance = _chance(room, given, place)
                total += weights[place] * log(chance) if chance > 0.0 else _NEVER
                _find_slopes(room, given, place, weights[place] / max(chance, _LEAST), 1.0)
                for i in range(n):
                    own = given.members[place * n + i]
                    rate_slopes[own] += room.sums[0, i]
                    for k in range(n):
                        effect_slopes[given.members[place * n + k], own] += room.effect_slopes[k, i]
    return total, by_rate, by_effect


def earlier_shares(rates: FloatArray, effects: FloatArray, given: Thinned) -> FloatArray:
    """Return the share of the paths of each sub-lattice on which event i comes before j."""
    n = len(rates)
    room = Room(_most(given.bounds), n)
    result = np.zeros((len(given.bounds) - 1, n, n))
    found: cython.double[:, :, ::1] = result
    with cython.nogil:
        for place in range(len(given.bounds) - 1):
            _substitute(room, given, rates, effects, place)
            chance = _chance(room, given, place)
            _find_slopes(room, given, place, 1.0 / max(chance, _LEAST), 0.0)
            for i in range(n):
                for k in range(n):
                    found[place, given.members[place * n + k], given.members[place * n + i]] = (
                        room.effect_slopes[k, i]
                    )
    return result


def _substitute(
    room: Room, given: Thinned, rates: FloatArray, effects: FloatArray, place: Integer
) -> None:
    """Find the probability to be observed in each state of a sub-lattice."""
    n = len(rates)
    offset: cython.Py_ssize_t = place * n
    first: cython.Py_ssize_t = given.bounds[place]
    for k in range(n):
        own = given.members[offset + k]
        for i in range(n):
            room.effects[k, i] = effects[own, given.members[offset + i]]
        room.effects[k, k] = 0.0
    for state in range(given.bounds[place + 1] - first):
        total: float = 1.0
        chance: float = 0.0
        if state == 0:
            for i in range(n):
                room.rates[0, i] = rates[given.members[offset + i]]
                total += room.rates[0, i]
            chance = 1.0
        else:
            above, event = given.previous[first + state], given.added[first + state]
            for i in range(n):
                room.rates[state, i] = room.rates[above, i] * room.effects[event, i]
                total += room.rates[state, i]
            for move in range(given.firsts[first + state], given.firsts[first + state + 1]):
                source = given.sources[move]
                rate = room.rates[source, given.by[move]] * given.factors[move]
                chance += room.likely[source] * rate
        room.leave[state], room.likely[state] = total, chance / total


def _chance(room: Room, given: Thinned, place: Integer) -> float:
    """Return the probability of all states that may be observed."""
    total: float = 0.0
    first = given.bounds[place]
    for state in range(given.bounds[place + 1] - first):
        if given.ends[first + state]:
            total += room.likely[state]
    return total


def _find_slopes(room: Room, given: Thinned, place: Integer, slope: float, leaving: float) -> None:
    """Find the slopes of the chance, times a factor, by the logarithms of rates and effects.

    As in `hazards`; those by the base rates are left in the first row of the sums.
    """
    n, first = len(room.effects), given.bounds[place]
    states: cython.Py_ssize_t = given.bounds[place + 1] - first
    room.sums[:states, :] = 0.0
    room.effect_slopes[:, :] = 0.0
    for state in range(states):
        room.values[state] = slope if given.ends[first + state] else 0.0
    for state in range(states - 1, -1, -1):
        value: float = room.values[state] / room.leave[state]
        for move in range(given.firsts[first + state], given.firsts[first + state + 1]):
            source, event = given.sources[move], given.by[move]
            term: float = room.rates[source, event] * given.factors[move] * value
            room.values[source] += term
            room.sums[source, event] += room.likely[source] * term
        lost: float = value * room.likely[state] * leaving
        for i in range(n):
            room.sums[state, i] -= lost * room.rates[state, i]
        if state > 0:
            above, added = given.previous[first + state], given.added[first + state]
            for i in range(n):
                room.effect_slopes[added, i] += room.sums[state, i]
                room.sums[above, i] += room.sums[state, i]
    for k in range(n):
        room.effect_slopes[k, k] = 0.0
