"""Mutual hazards in time: the probability of what was seen of patients at known or unknown times.

`rates` and `effects` are as in `hazards`, but rates are absolute: nothing is relative to a rate of
observation. A chain begins in a state that is known, and consists of legs: time passes, then a
sample is taken, of which some entries may be unknown. With the generator Q of the events, what a
leg does to the probabilities of states is the matrix exp(Q t) if the time t is known, and r (r -
Q)^-1 if it is exponential with the rate r.

Both are sums of resolvents (s - Q)^-1, each times a weight: one, with s = r; or twelve, and their
complex conjugates, by the trapezoidal rule on a contour of Talbot's kind, whose error is 2e-14 for
all rates and times (Trefethen, Weideman and Schmelzer 2006, BIT 46:653-670). As events stay, a
resolvent is one substitution over the states. All poles are passed at once, as the innermost loop.
"""

import cython
import numpy as np
from cython.cimports.caprese.kernels.elementary import log
from cython.cimports.caprese.kernels.hazards import Room, enter_lattice, occur, pass_on
from cython.cimports.caprese.kernels.words import popcount, trailing_zeros

from caprese._core.arrays import FloatArray, IntArray, Integer

_LEAST = 1e-25  # of a probability, which below 1e-14 cannot be told from 0
_FEW = 4  # the width of a single pole: the others have no weight


class Chains:
    """The chains of all patients, one after the other.

    Parameters
    ----------
    members, starts
        The events that may come in each chain, and where those of each start.
    fixed, fixed_starts
        The events that are there from the start of each chain.
    legs
        Where the legs of each chain start.
    present, free
        What is present at the end of each leg, and what may be, as states of its chain.
    elapsed
        The time of each leg; negative where it is unknown.
    kinds
        Of which of the rates of unknown times each leg is.
    """

    def __init__(
        self,
        members: IntArray,
        starts: IntArray,
        fixed: IntArray,
        fixed_starts: IntArray,
        legs: IntArray,
        present: IntArray,
        free: IntArray,
        elapsed: FloatArray,
        kinds: IntArray,
    ) -> None:
        self.members, self.starts = members, starts
        self.fixed, self.fixed_starts = fixed, fixed_starts
        self.legs, self.present, self.free = legs, present, free
        self.elapsed, self.kinds = elapsed, kinds


class Poles:
    """Room for the resolvents of one leg after the other.

    Parameters
    ----------
    inside, legs
        The most events and legs of a chain.
    contour
        The poles and weights of the exponential function: real and imaginary parts of both.

    Attributes
    ----------
    width
        How many poles the leg has.
    shift_re, shift_im, weight_re, weight_im
        The poles and their weights.
    mass
        For each leg the probability of each state before it, and after the last one.
    re, im
        For each state and pole the solution of the equations forwards.
    back_re, back_im
        That of the transposed equations.
    own_re, own_im
        The solution in one state, times the weights.
    stayed
        The sum over all states of what is lost on leaving them, for the rate of the leg.
    """

    def __init__(self, inside: Integer, legs: Integer, contour: FloatArray) -> None:
        states, self.most = 1 << inside, contour.shape[1]
        self.contour, self.width, self.stayed = contour, 0, 0.0
        self.shift_re, self.shift_im = np.zeros(self.most), np.zeros(self.most)
        self.weight_re, self.weight_im = np.zeros(self.most), np.zeros(self.most)
        self.mass = np.zeros((legs + 1, states))
        self.re, self.im = np.zeros((states, self.most)), np.zeros((states, self.most))
        self.back_re, self.back_im = np.zeros((states, self.most)), np.zeros((states, self.most))
        self.own_re, self.own_im = np.zeros(self.most), np.zeros(self.most)


def _place_poles(poles: Poles, elapsed: float, rate: float) -> None:
    """Place the poles of a leg of this time, or if it is unknown, of this rate."""
    if elapsed >= 0.0:
        poles.width = poles.most
        for p in range(poles.width):
            poles.shift_re[p] = poles.contour[0, p] / elapsed
            poles.shift_im[p] = poles.contour[1, p] / elapsed
            poles.weight_re[p] = poles.contour[2, p] / elapsed
            poles.weight_im[p] = poles.contour[3, p] / elapsed
        return
    poles.width = _FEW
    for p in range(_FEW):
        poles.shift_re[p], poles.shift_im[p] = rate, 0.0
        poles.weight_re[p], poles.weight_im[p] = 0.0, 0.0
    poles.weight_re[0] = rate


def _pass_time(room: Room, poles: Poles, leg: Integer) -> None:
    """Solve (s - Q)^T p = mass for each pole s.

    p(x) (s + exit(x)) = mass(x) + sum over k in x of rate(k | x - k) p(x - k).
    """
    inside, width = room.inside, poles.width
    for state in range(1 << inside):
        for p in range(width):
            poles.re[state, p] = poles.mass[leg, state]
            poles.im[state, p] = 0.0
    for state in range(1 << inside):
        depth = popcount(state)
        if state:
            occur(room, trailing_zeros(state), depth)
        _divide(poles.re, poles.im, poles, state, room.leave[depth] - 1.0)
        for k in range(inside):
            if not state >> k & 1:
                _push(poles, state, state | 1 << k, room.rows[depth, k])


def _push(poles: Poles, state: Integer, target: Integer, rate: float) -> None:
    for p in range(poles.width):
        poles.re[target, p] += rate * poles.re[state, p]
        poles.im[target, p] += rate * poles.im[state, p]


def _divide(re: FloatArray, im: FloatArray, poles: Poles, state: Integer, rate: float) -> None:
    """Divide the row of a state by the poles and the rate at which it is left."""
    for p in range(poles.width):
        real: float = rate + poles.shift_re[p]
        imaginary: float = poles.shift_im[p]
        norm: float = 1.0 / (real * real + imaginary * imaginary)
        first: float = re[state, p]
        second: float = im[state, p]
        re[state, p] = (first * real + second * imaginary) * norm
        im[state, p] = (second * real - first * imaginary) * norm


def _weighed(
    re: FloatArray,
    im: FloatArray,
    by_re: FloatArray,
    by_im: FloatArray,
    row: Integer,
    width: Integer,
) -> float:
    """Return the real part of the sum of a row, times weights."""
    first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
    p: cython.Py_ssize_t = 0
    while p < width:
        first += by_re[p] * re[row, p] - by_im[p] * im[row, p]
        second += by_re[p + 1] * re[row, p + 1] - by_im[p + 1] * im[row, p + 1]
        third += by_re[p + 2] * re[row, p + 2] - by_im[p + 2] * im[row, p + 2]
        fourth += by_re[p + 3] * re[row, p + 3] - by_im[p + 3] * im[row, p + 3]
        p += 4
    return (first + second) + (third + fourth)


def _agrees(state: Integer, present: Integer, free: Integer) -> cython.bint:
    return state & ~free == present


def _follow(room: Room, poles: Poles, given: Chains, chain: Integer, unknown: FloatArray) -> float:
    """Find the probability of each state before and after the legs; return that of what was seen.

    The poles are then those of the last leg.
    """
    states, first = 1 << room.inside, given.legs[chain]
    total: float = 0.0
    for state in range(states):
        poles.mass[0, state] = 0.0
    poles.mass[0, 0] = 1.0
    for leg in range(given.legs[chain + 1] - first):
        _place_poles(poles, given.elapsed[first + leg], unknown[given.kinds[first + leg]])
        _pass_time(room, poles, leg)
        total = 0.0
        for state in range(states):
            poles.mass[leg + 1, state] = 0.0
            if _agrees(state, given.present[first + leg], given.free[first + leg]):
                share = _weighed(
                    poles.re, poles.im, poles.weight_re, poles.weight_im, state, poles.width
                )
                poles.mass[leg + 1, state] = share
                total += share
    return total


def _trace(
    room: Room,
    poles: Poles,
    given: Chains,
    chain: Integer,
    unknown: FloatArray,
    slope: float,
    by_unknown: FloatArray,
) -> None:
    """Find the slopes of the legs of a chain that was followed, the last leg first.

    `slope` is the derivative by the probability of what was seen, times this probability.
    """
    states, first = 1 << room.inside, given.legs[chain]
    last = given.legs[chain + 1] - first - 1
    total: float = 0.0
    for state in range(states):
        total += poles.mass[last + 1, state]
    for state in range(states):
        seen = _agrees(state, given.present[first + last], given.free[first + last])
        room.values[state] = slope / total if seen else 0.0
    for leg in range(last, -1, -1):
        kind = given.kinds[first + leg]
        if leg < last:
            _place_poles(poles, given.elapsed[first + leg], unknown[kind])
            _pass_time(room, poles, leg)
        _find_slopes(room, poles)
        if given.elapsed[first + leg] < 0.0:
            by_unknown[kind] += slope - unknown[kind] * poles.stayed
        if leg == 0:
            return
        for state in range(states):
            room.values[state] = 0.0
            if _agrees(state, given.present[first + leg - 1], given.free[first + leg - 1]):
                room.values[state] = _weighed(
                    poles.back_re,
                    poles.back_im,
                    poles.weight_re,
                    poles.weight_im,
                    state,
                    poles.width,
                )


def _find_slopes(room: Room, poles: Poles) -> None:
    """Solve (s - Q) v = values for each pole s, and add the slopes of the leg.

    The rate of event k in state x has the slope rate(k | x) p(x) (v(x + k) - v(x)), summed over the
    poles with their weights. `stayed` is the sum of p(x) v(x).
    """
    poles.stayed = 0.0
    for state in range((1 << room.inside) - 1, 0, -1):
        depth = popcount(state)
        ones = trailing_zeros(state + 1)  # the trailing bits that are set: these rows are new
        for bit in range(ones - 1, -1, -1):
            occur(room, bit, depth - bit)
        pass_on(room, trailing_zeros(state), depth, _adjoint(room, poles, state, depth))
    lost = _adjoint(room, poles, 0, 0)
    for i in range(room.width):
        room.sums[0, i] -= lost * room.rows[0, i]


def _adjoint(room: Room, poles: Poles, state: Integer, depth: Integer) -> float:
    """Find v in one state; return p v, the sum over the poles."""
    for p in range(poles.width):
        poles.back_re[state, p], poles.back_im[state, p] = room.values[state], 0.0
        poles.own_re[p] = (
            poles.weight_re[p] * poles.re[state, p] - poles.weight_im[p] * poles.im[state, p]
        )
        poles.own_im[p] = (
            poles.weight_re[p] * poles.im[state, p] + poles.weight_im[p] * poles.re[state, p]
        )
    for k in range(room.inside):
        if not state >> k & 1:
            rate, target = room.rows[depth, k], state | 1 << k
            for p in range(poles.width):
                poles.back_re[state, p] += rate * poles.back_re[target, p]
                poles.back_im[state, p] += rate * poles.back_im[target, p]
            room.sums[depth, k] += rate * _weighed(
                poles.back_re, poles.back_im, poles.own_re, poles.own_im, target, poles.width
            )
    _divide(poles.back_re, poles.back_im, poles, state, room.leave[depth] - 1.0)
    lost = _weighed(poles.back_re, poles.back_im, poles.own_re, poles.own_im, state, poles.width)
    poles.stayed += lost
    return lost


def _start(
    room: Room,
    given: Chains,
    chain: Integer,
    rates: FloatArray,
    effects: FloatArray,
    base: FloatArray,
) -> None:
    """Enter the lattice of a chain, with the rates under what is there from its start."""
    first, last = given.fixed_starts[chain], given.fixed_starts[chain + 1]
    for event in range(room.events):
        base[event] = rates[event]
        for place in range(first, last):
            base[event] *= effects[given.fixed[place], event]
    for place in range(first, last):
        base[given.fixed[place]] = 0.0
    start = given.starts[chain]
    enter_lattice(room, base, effects, given.members, start, given.starts[chain + 1] - start)


def _collect(
    room: Room, given: Chains, chain: Integer, by_rate: FloatArray, by_effect: FloatArray
) -> None:
    """Add the slopes of a chain to those of all."""
    first, last = given.fixed_starts[chain], given.fixed_starts[chain + 1]
    for i in range(room.events):
        event = room.order[i]
        by_rate[event] += room.sums[0, i]
        for place in range(first, last):
            if given.fixed[place] != event:
                by_effect[given.fixed[place], event] += room.sums[0, i]
        for k in range(room.inside):
            if k != i:
                by_effect[room.order[k], event] += room.effect_slopes[k, i]


def chances(
    rates: FloatArray,
    effects: FloatArray,
    unknown: FloatArray,
    contour: FloatArray,
    given: Chains,
    start: Integer,
    stop: Integer,
) -> FloatArray:
    """Return the probability of what was seen in some of the chains.

    Parameters
    ----------
    unknown
        The rates of unknown times, of each kind.
    contour
        The poles and weights of the exponential function: real and imaginary parts of both.
    start, stop
        Which chains.
    """
    result = np.empty(stop - start)
    found: cython.double[::1] = result
    base: cython.double[::1] = np.empty(len(rates))
    room = Room(_most(given.starts, start, stop), len(rates), False)
    poles = Poles(_most(given.starts, start, stop), _most(given.legs, start, stop), contour)
    with cython.nogil:
        for chain in range(start, stop):
            _start(room, given, chain, rates, effects, base)
            found[chain - start] = max(_follow(room, poles, given, chain, unknown), _LEAST)
    return result


def log_likelihood(
    rates: FloatArray,
    effects: FloatArray,
    unknown: FloatArray,
    contour: FloatArray,
    weights: FloatArray,
    given: Chains,
    start: Integer,
    stop: Integer,
) -> tuple[float, FloatArray, FloatArray, FloatArray]:
    """Return the log-likelihood of some of the chains, and its slopes.

    By the logarithms of rates and effects, and of the rates of unknown times.

    Parameters
    ----------
    weights
        How often each chain was observed.
    unknown, contour, start, stop
        As in `chances`.
    """
    n = len(rates)
    by_rate, by_effect, by_unknown = np.zeros(n), np.zeros((n, n)), np.zeros(len(unknown))
    rate_slopes: cython.double[::1] = by_rate
    effect_slopes: cython.double[:, ::1] = by_effect
    unknown_slopes: cython.double[::1] = by_unknown
    base: cython.double[::1] = np.empty(n)
    room = Room(_most(given.starts, start, stop), n, False)
    poles = Poles(_most(given.starts, start, stop), _most(given.legs, start, stop), contour)
    total: float = 0.0
    with cython.nogil:
        for chain in range(start, stop):
            if weights[chain] == 0.0:
                continue
            _start(room, given, chain, rates, effects, base)
            chance = _follow(room, poles, given, chain, unknown)
            total += weights[chain] * log(max(chance, _LEAST))
            if chance <= _LEAST:
                continue
            for i in range(room.width):
                room.sums[0, i] = 0.0
                for k in range(room.inside):
                    room.effect_slopes[k, i] = 0.0
            _trace(room, poles, given, chain, unknown, weights[chain], unknown_slopes)
            _collect(room, given, chain, rate_slopes, effect_slopes)
    return total, by_rate, by_effect, by_unknown


def _most(bounds: IntArray, start: Integer, stop: Integer) -> int:
    """Return the greatest difference between neighbours."""
    most = 0
    for place in range(start, stop):
        most = max(most, bounds[place + 1] - bounds[place])
    return most
