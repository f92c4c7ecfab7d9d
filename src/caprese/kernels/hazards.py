"""Mutual hazards on sub-lattices: probabilities of all subsets of some events, and their slopes.

The events of a sub-lattice come first, then all others, which are absent in every state. A state is
a set of the first ones, event k in bit k. `rates` are base rates relative to the rate of
observation; `effects[k, i]` is the factor by which event k changes the rate of event i, and 0 for
i = k, so that what is there does not come again.

States are visited as the nodes of a tree: the parent of a state lacks its lowest bit. The rates in
a state are those in its parent times one row of effects; only the rates on the way from the root
are kept. What is summed over all states that contain event k is summed over the subtrees whose
first state has k as its lowest bit. So a state costs a few operations for each event, whatever the
number of events in it.

Where the order of some events of a sample was seen, the paths to it have weights: see `seen_paths`.
"""

import math

import cython
import numpy as np
from cython.cimports.caprese.kernels.elementary import log
from cython.cimports.caprese.kernels.seen_paths import Paths, enter, follow, trace
from cython.cimports.caprese.kernels.words import popcount, trailing_zeros

from caprese._core.arrays import FloatArray, IntArray, Integer

_LEAST = 1e-300  # for a chance of 0, where a weight is divided by it
_NEVER = -math.inf  # the logarithm of no chance at all


class Room:
    """Room for the sub-lattices of one call, one after the other.

    Parameters
    ----------
    inside
        The number of events of the largest sub-lattice.
    events
        The number of all events.
    ordered
        Whether orders were seen.

    Attributes
    ----------
    inside
        The number of events of the sub-lattice.
    order
        All events, those of the sub-lattice first.
    is_inside
        Of each event: whether it is of the sub-lattice.
    width
        The number of events, rounded up to a multiple of 4: what is beyond the last is 0.
    effects
        Rows of the events of the sub-lattice; columns in this order.
    rows, leave
        For each number of events: the rates in the state that is visited, in this order, and the
        sum of all rates and of the rate of observation, 1. The first are the base rates.
    likely, values
        For each state its probability, and the derivative of a function by it.
    sums
        For each number of events: slopes that are summed over a subtree.
    effect_slopes
        Slopes by the logarithms of the effects.
    stays, lost
        Where orders were seen, for each state the mean time in it, and what is lost on leaving it
        on the paths to samples with orders.
    """

    def __init__(self, inside: Integer, events: Integer, ordered: cython.bint) -> None:
        self.events, self.width = events, (events + 3) // 4 * 4
        self.inside, self.ordered = 0, ordered
        self.order, self.is_inside = np.empty(events, np.int64), np.empty(events, np.uint8)
        self.effects = np.zeros((inside, self.width))
        self.rows, self.leave = np.zeros((inside + 1, self.width)), np.empty(inside + 1)
        self.likely, self.values = np.empty(1 << inside), np.empty(1 << inside)
        self.sums = np.zeros((inside + 1, self.width))
        self.effect_slopes = np.zeros((inside, self.width))
        states = 1 << inside if ordered else 0
        self.stays, self.lost = np.zeros(states), np.zeros(states)


def probabilities(rates: FloatArray, effects: FloatArray, members: IntArray) -> FloatArray:
    """Return the probability to be observed with each subset of some events, and no others."""
    inside = len(members)
    room = Room(inside, len(rates), False)
    with cython.nogil:
        enter_lattice(room, rates, effects, members, 0, inside)
        _substitute(room, inside)
    return np.asarray(room.likely)


def enter_lattice(
    room: Room,
    rates: FloatArray,
    effects: FloatArray,
    members: IntArray,
    start: Integer,
    inside: Integer,
) -> None:
    """Put the events of a sub-lattice first, and rates and effects into this order."""
    for event in range(room.events):
        room.is_inside[event] = 0
    for k in range(inside):
        room.order[k] = members[start + k]
        room.is_inside[members[start + k]] = 1
    place = inside
    for event in range(room.events):
        if not room.is_inside[event]:
            room.order[place] = event
            place += 1
    for i in range(room.events):
        room.rows[0, i] = rates[room.order[i]]
    for k in range(inside):
        for i in range(room.events):
            room.effects[k, i] = effects[room.order[k], room.order[i]]
        room.effects[k, k] = 0.0
    room.leave[0] = 1.0
    for i in range(room.events):
        room.leave[0] += room.rows[0, i]
    room.inside = inside


def occur(room: Room, event: Integer, depth: Integer) -> None:
    """Fill the rates in a state of so many events: those in its parent, changed by an event."""
    first, second, third, fourth = 1.0, 0.0, 0.0, 0.0  # parts of one sum, taken side by side
    i: cython.Py_ssize_t = 0
    while i < room.width:
        one: float = room.rows[depth - 1, i] * room.effects[event, i]
        two: float = room.rows[depth - 1, i + 1] * room.effects[event, i + 1]
        three: float = room.rows[depth - 1, i + 2] * room.effects[event, i + 2]
        four: float = room.rows[depth - 1, i + 3] * room.effects[event, i + 3]
        room.rows[depth, i] = one
        room.rows[depth, i + 1] = two
        room.rows[depth, i + 2] = three
        room.rows[depth, i + 3] = four
        first += one
        second += two
        third += three
        fourth += four
        i += 4
    room.leave[depth] = (first + second) + (third + fourth)


def _substitute(room: Room, inside: Integer) -> None:
    """Find the probability to be observed in each state.

    p(s) leave(s) = [s is empty] + sum over k in s of rate(k | s - k) p(s - k), where leave(s) is
    the sum of all rates in s and of the rate of observation, 1.
    """
    for state in range(1 << inside):
        room.likely[state] = 0.0
    room.likely[0] = 1.0
    for state in range(1 << inside):
        depth = popcount(state)
        if state:
            occur(room, trailing_zeros(state), depth)
        share = room.likely[state] / room.leave[depth]
        room.likely[state] = share
        for k in range(inside):  # the rate of those in the state is 0
            room.likely[state | 1 << k] += share * room.rows[depth, k]
        if room.ordered:
            room.stays[state], room.lost[state] = 1.0 / room.leave[depth], 0.0


def _find_slopes(room: Room, inside: Integer, leaving: float) -> None:
    """Find the slopes of a function of the probabilities by the logarithms of rates and effects.

    With v the adjoint, the rate of event k in state s has the slope rate(k | s) p(s) (v(s + k) -
    v(s)), without v(s + k) if k is not of the sub-lattice. The slopes by the base rates are left in
    the first row of the sums.

    `leaving` is 1. With 0 the terms of v(s) are left out: then what is found for the effect of a on
    b, for the logarithm of a probability, is the share of the paths on which a comes before b.
    """
    for k in range(inside):
        for i in range(room.width):
            room.effect_slopes[k, i] = 0.0
    for i in range(room.width):
        room.sums[0, i] = 0.0
    for state in range((1 << inside) - 1, 0, -1):
        depth = popcount(state)
        ones = trailing_zeros(state + 1)  # the trailing bits that are set: these rows are new
        for bit in range(ones - 1, -1, -1):
            occur(room, bit, depth - bit)
        lost = _adjoint(room, state, depth, inside) * room.likely[state] * leaving
        if room.ordered:
            lost += room.lost[state]
        pass_on(room, trailing_zeros(state), depth, lost)
    lost = _adjoint(room, 0, 0, inside) * room.likely[0] * leaving
    if room.ordered:
        lost += room.lost[0]
    for i in range(room.width):
        room.sums[0, i] -= lost * room.rows[0, i]


def _adjoint(room: Room, state: Integer, depth: Integer, inside: Integer) -> float:
    """Return the adjoint, and put it in place of the derivative by the probability of the state.

    It solves the transposed equations: leave(s) v(s) = value(s) + sum of rate(k | s) v(s + k). The
    terms of this sum, times p(s), are added to the sums of slopes.
    """
    first, second, share = room.values[state], 0.0, room.likely[state]
    k: cython.Py_ssize_t = 0
    while k + 2 <= inside:
        one: float = room.rows[depth, k] * room.values[state | 1 << k]
        two: float = room.rows[depth, k + 1] * room.values[state | 2 << k]
        first += one
        second += two
        room.sums[depth, k] += share * one
        room.sums[depth, k + 1] += share * two
        k += 2
    if k < inside:
        last: float = room.rows[depth, k] * room.values[state | 1 << k]
        first += last
        room.sums[depth, k] += share * last
    room.values[state] = (first + second) / room.leave[depth]
    return room.values[state]


def pass_on(room: Room, event: Integer, depth: Integer, lost: float) -> None:
    """Add the slopes of a subtree to those of the event that all its states have, and above."""
    for i in range(room.width):
        slope: float = room.sums[depth, i] - lost * room.rows[depth, i]
        room.effect_slopes[event, i] += slope
        room.sums[depth - 1, i] += slope
        room.sums[depth, i] = 0.0


def _chance(likely: FloatArray, present: Integer, free: Integer) -> float:
    """Return the probability of all states with what is present and any of what is free."""
    total, some = likely[present | free], free
    while some:
        some = (some - 1) & free
        total += likely[present | some]
    return total


def _spread(values: FloatArray, present: Integer, free: Integer, slope: float) -> None:
    """Add a slope to all states with what is present and any of what is free."""
    values[present | free] += slope
    some = free
    while some:
        some = (some - 1) & free
        values[present | some] += slope


def _follow(
    room: Room,
    paths: Paths,
    present: Integer,
    free: Integer,
    earlier: IntArray,
    later: IntArray,
    confidence: FloatArray,
    start: Integer,
    stop: Integer,
) -> None:
    """Find the probabilities of the states on the paths to a sample whose orders were seen."""
    enter(paths, room.rows, room.effects, present, free, earlier, later, confidence, start, stop)
    follow(paths, room.likely, room.stays)


def _trace(
    room: Room, paths: Paths, slope: float, by_rate: FloatArray, by_effect: FloatArray
) -> None:
    """Add the slopes of the paths that were followed to one sample."""
    for state in range(1 << paths.size):
        paths.values[state] = 0.0
    _spread(paths.values, paths.present, paths.free, slope)
    trace(paths, room.stays, room.values, room.lost)
    for i in range(popcount(paths.present | paths.free)):
        own = room.order[paths.places[i]]
        by_rate[own] += paths.sums[0, i]
        for k in range(popcount(paths.present | paths.free)):
            by_effect[room.order[paths.places[k]], own] += paths.effect_slopes[k, i]


def chances(
    rates: FloatArray,
    effects: FloatArray,
    members: IntArray,
    starts: IntArray,
    present: IntArray,
    free: IntArray,
    firsts: IntArray,
    pairs: IntArray,
    earlier: IntArray,
    later: IntArray,
    confidence: FloatArray,
) -> FloatArray:
    """Return the probability of each observation of some sub-lattices.

    Where orders were seen, that of the observation and of what was seen of its orders.

    Parameters
    ----------
    members, starts
        The events of all sub-lattices, and where those of each start.
    present, free
        What is present in each observation and what may be, as states of its sub-lattice.
    firsts
        Where the observations of each sub-lattice start.
    pairs
        Where the seen orders of each observation start.
    earlier, later, confidence
        Of each seen order the two events, as positions in the sub-lattice, and its probability.
    """
    ordered, most = len(confidence) > 0, _most(starts)
    room, paths = Room(most, len(rates), ordered), Paths(most if ordered else 0)
    result = np.empty(len(present))
    found: cython.double[::1] = result
    with cython.nogil:
        for place in range(len(starts) - 1):
            inside = starts[place + 1] - starts[place]
            enter_lattice(room, rates, effects, members, starts[place], inside)
            _substitute(room, inside)
            for k in range(firsts[place], firsts[place + 1]):
                first, last, there, may = pairs[k], pairs[k + 1], present[k], free[k]
                if first == last:
                    found[k] = _chance(room.likely, there, may)
                else:
                    _follow(room, paths, there, may, earlier, later, confidence, first, last)
                    found[k] = _chance(paths.likely, paths.present, paths.free)
    return result


def log_likelihood(
    rates: FloatArray,
    effects: FloatArray,
    weights: FloatArray,
    members: IntArray,
    starts: IntArray,
    present: IntArray,
    free: IntArray,
    firsts: IntArray,
    pairs: IntArray,
    earlier: IntArray,
    later: IntArray,
    confidence: FloatArray,
) -> tuple[float, FloatArray, FloatArray]:
    """Return the log-likelihood, and its slopes by the logarithms of rates and effects.

    Parameters
    ----------
    weights
        How often each observation was made.
    members, starts, present, free, firsts, pairs, earlier, later, confidence
        As in `chances`.
    """
    n = len(rates)
    ordered, most = len(confidence) > 0, _most(starts)
    room, paths = Room(most, n, ordered), Paths(most if ordered else 0)
    by_rate, by_effect = np.zeros(n), np.zeros((n, n))
    rate_slopes: cython.double[::1] = by_rate
    effect_slopes: cython.double[:, ::1] = by_effect
    total: float = 0.0
    with cython.nogil:
        for place in range(len(starts) - 1):
            if _sum(weights, firsts[place], firsts[place + 1]) == 0.0:
                continue
            inside = starts[place + 1] - starts[place]
            enter_lattice(room, rates, effects, members, starts[place], inside)
            _substitute(room, inside)
            for state in range(1 << inside):
                room.values[state] = 0.0
            for k in range(firsts[place], firsts[place + 1]):
                if weights[k] > 0.0:
                    first, last, there, may = pairs[k], pairs[k + 1], present[k], free[k]
                    if first == last:
                        chance = _chance(room.likely, there, may)
                        slope = weights[k] / max(chance, _LEAST)
                        _spread(room.values, there, may, slope)
                    else:
                        _follow(room, paths, there, may, earlier, later, confidence, first, last)
                        chance = _chance(paths.likely, paths.present, paths.free)
                        slope = weights[k] / max(chance, _LEAST)
                        _trace(room, paths, slope, rate_slopes, effect_slopes)
                    total += weights[k] * log(chance) if chance > 0.0 else _NEVER
            _find_slopes(room, inside, 1.0)
            for i in range(n):
                rate_slopes[room.order[i]] += room.sums[0, i]
                for k in range(inside):
                    if k != i:
                        effect_slopes[room.order[k], room.order[i]] += room.effect_slopes[k, i]
    return total, by_rate, by_effect


def order_probabilities(
    rates: FloatArray,
    effects: FloatArray,
    members: IntArray,
    starts: IntArray,
    present: IntArray,
    free: IntArray,
    pairs: IntArray,
    first: IntArray,
    second: IntArray,
) -> FloatArray:
    """Return how probably the first event of each pair came before the second.

    1/2 where the observation itself has no probability.

    Parameters
    ----------
    members, starts, present, free
        As in `chances`, each observation in a sub-lattice of its own.
    pairs, first, second
        Where the pairs of each observation start, and their events, as positions in it.
    """
    room = Room(_most(starts), len(rates), False)
    result = np.empty(len(first))
    found: cython.double[::1] = result
    with cython.nogil:
        for place in range(len(present)):
            inside = starts[place + 1] - starts[place]
            enter_lattice(room, rates, effects, members, starts[place], inside)
            _substitute(room, inside)
            for state in range(1 << inside):
                room.values[state] = 0.0
            chance = _chance(room.likely, present[place], free[place])
            _spread(room.values, present[place], free[place], 1.0 / max(chance, _LEAST))
            _find_slopes(room, inside, 0.0)
            for k in range(pairs[place], pairs[place + 1]):
                share = min(room.effect_slopes[first[k], second[k]], 1.0)
                found[k] = share if chance > 0.0 else 0.5
    return result


def _most(starts: IntArray) -> int:
    """Return the number of events of the largest sub-lattice."""
    most = 0
    for place in range(len(starts) - 1):
        most = max(most, starts[place + 1] - starts[place])
    return most


def _sum(weights: FloatArray, first: Integer, last: Integer) -> float:
    total: float = 0.0
    for k in range(first, last):
        total += weights[k]
    return total
