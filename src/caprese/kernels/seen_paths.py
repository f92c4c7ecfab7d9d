"""Paths to one sample of which orders were seen, over the sub-lattice that it shares with others.

The paths have weights: with c the confidence that a came before b, the rate at which b is taken on
a path counts c times if a is there, else 1 - c times. States are left at the rates as they are; how
long they stay, `stays`, depends on the state alone, so that it is found once for all samples.

The states of the sample have the events seen to be later than others in the last bits. A state with
none of these is as probable as without seen orders, and is not visited again. Others come in blocks
of 16, which differ in the first four events: a block is left by each other event at once.
"""

import cython
import numpy as np
from cython.cimports.caprese.kernels.words import popcount, trailing_zeros

from caprese._core.arrays import FloatArray, IntArray, Integer

_DOUBT = 1e-6  # of any seen order, at least: so that none is impossible


class Paths:
    """Room for the paths to one sample after the other.

    Parameters
    ----------
    inside
        The number of events of the largest sub-lattice; 0 if no orders were seen.

    Attributes
    ----------
    size, late, shared
        The number of events of the sample, at least 4; the place of the first that was seen to be
        later; how many blocks have none of these.
    places
        Of each event the place in the sub-lattice; those beyond the last never occur.
    present, free
        What is present in the sample and what may be, as sets of these events.
    effects, base, within
        Effects and base rates with the weights; the products of the effects of what is there, for
        each state of a block.
    rows, homes
        For each number of other events: the rates in the block, and its first state in the
        sub-lattice.
    low_homes
        Of each state of a block, what it adds to the first in the sub-lattice.
    likely, values
        For each state its probability, and the derivative of a function by it.
    sums, flows, effect_slopes
        Slopes summed over blocks, over states of a block, and by the logarithms of the effects.
    """

    def __init__(self, inside: Integer) -> None:
        most = max(inside, 4)
        states = 1 << most if inside else 1
        self.size, self.late, self.shared, self.present, self.free = 0, 0, 0, 0, 0
        self.places = np.zeros(most, np.int64)
        self.effects, self.within = np.zeros((most, most)), np.zeros((most, 16))
        self.rows, self.homes = np.zeros((most + 1, most)), np.zeros(most + 1, np.int64)
        self.low_homes = np.zeros(16, np.int64)
        self.likely, self.values = np.zeros(states), np.zeros(states)
        self.sums, self.flows = np.zeros((most + 1, most)), np.zeros((most, 16))
        self.effect_slopes = np.zeros((most, most))


def enter(
    paths: Paths,
    rates: FloatArray,
    effects: FloatArray,
    present: Integer,
    free: Integer,
    earlier: IntArray,
    later: IntArray,
    confidence: FloatArray,
    start: Integer,
    stop: Integer,
) -> None:
    """Take the events of a sample from those of its sub-lattice, and weigh by what was seen.

    The base rates are the first of the rates of the sub-lattice.

    Each event that is taken counts 1 - c times for each event that it was seen to follow; those
    that are there make up for it, c / (1 - c) times.
    """
    after: cython.longlong = 0
    for pair in range(start, stop):
        after |= 1 << later[pair]
    paths.size, paths.present, paths.free = 0, 0, 0
    for last in range(2):
        rest: cython.longlong = (present | free) & (after if last else ~after)
        if last:
            paths.late = paths.size
        while rest:
            k = trailing_zeros(rest)
            rest &= rest - 1
            paths.places[paths.size] = k
            paths.present |= (present >> k & 1) << paths.size
            paths.free |= (free >> k & 1) << paths.size
            paths.size += 1
    inside = paths.size
    paths.size = max(inside, 4)
    paths.shared = 1 << (paths.late - 4) if paths.late > 3 else 0
    for i in range(paths.size):
        paths.rows[0, i] = rates[0, paths.places[i]] if i < inside else 0.0
        for k in range(paths.size):
            known: cython.bint = i < inside and k < inside
            paths.effects[k, i] = effects[paths.places[k], paths.places[i]] if known else 0.0
            paths.effect_slopes[k, i] = 0.0
    for pair in range(start, stop):
        sure = min(max(confidence[pair], _DOUBT), 1.0 - _DOUBT)
        first, second = _place(paths, earlier[pair]), _place(paths, later[pair])
        paths.rows[0, second] *= 1.0 - sure
        paths.effects[first, second] *= sure / (1.0 - sure)
    for low in range(16):
        lowest, rest = trailing_zeros(low), low & (low - 1)
        homes: cython.longlong = 0
        for i in range(paths.size):
            paths.within[i, low] = 1.0
            if low:
                paths.within[i, low] = paths.within[i, rest] * paths.effects[lowest, i]
            paths.flows[i, low] = 0.0
            if i < min(inside, 4) and low >> i & 1:
                homes |= 1 << paths.places[i]
        paths.low_homes[low] = homes
    for i in range(paths.size):
        paths.sums[0, i] = 0.0
    paths.homes[0] = 0


def _place(paths: Paths, home: Integer) -> int:
    """Return which event of the sample is this one of the sub-lattice."""
    place: cython.Py_ssize_t = 0
    while paths.places[place] != home:
        place += 1
    return place


def _occur(paths: Paths, event: Integer, depth: Integer) -> None:
    """Fill the rates in a block of so many other events: those in its parent, changed by one."""
    for i in range(paths.size):
        paths.rows[depth, i] = paths.rows[depth - 1, i] * paths.effects[event, i]
    paths.homes[depth] = paths.homes[depth - 1] | 1 << paths.places[event]


def follow(paths: Paths, likely: FloatArray, stays: FloatArray) -> None:
    """Find the probability of each state, from that of the states of the sub-lattice."""
    states = 1 << paths.size
    for state in range(16 * paths.shared, states):
        paths.likely[state] = 0.0
    if paths.shared == 0:
        paths.likely[0] = 1.0
    for block in range(states // 16):
        depth, first = popcount(block), 16 * block
        if block:
            _occur(paths, 4 + trailing_zeros(block), depth)
        home = paths.homes[depth]
        if block < paths.shared:
            for low in range(16):
                paths.likely[first + low] = likely[home | paths.low_homes[low]]
        else:
            for low in range(16):
                share = paths.likely[first + low] * stays[home | paths.low_homes[low]]
                paths.likely[first + low] = share
                for k in range(4):
                    if not low >> k & 1:
                        rate = paths.rows[depth, k] * paths.within[k, low]
                        paths.likely[first + low + (1 << k)] += share * rate
        for k in range(paths.late if block < paths.shared else 4, paths.size):
            if not first >> k & 1:
                _push(paths, first, first + (1 << k), k, paths.rows[depth, k])


def _push(paths: Paths, first: Integer, target: Integer, event: Integer, rate: float) -> None:
    """Add what leaves a block by an event to the block where it comes."""
    low: cython.Py_ssize_t = 0
    while low < 16:
        one = paths.likely[first + low] * (rate * paths.within[event, low])
        two = paths.likely[first + low + 1] * (rate * paths.within[event, low + 1])
        three = paths.likely[first + low + 2] * (rate * paths.within[event, low + 2])
        four = paths.likely[first + low + 3] * (rate * paths.within[event, low + 3])
        paths.likely[target + low] += one
        paths.likely[target + low + 1] += two
        paths.likely[target + low + 2] += three
        paths.likely[target + low + 3] += four
        low += 4


def trace(paths: Paths, stays: FloatArray, values: FloatArray, lost: FloatArray) -> None:
    """Find the slopes by rates and effects, without what is lost on leaving states.

    Those by the base rates are left in the first row of the sums. What the states that are shared
    with the sub-lattice count is added to its values, and what is lost in others to `lost`.
    """
    blocks = (1 << paths.size) // 16
    for block in range(blocks - 1, -1, -1):
        depth, first = popcount(block), 16 * block
        ones = trailing_zeros(block + 1)  # the trailing bits that are set: these rows are new
        for bit in range(ones - 1, -1, -1):
            _occur(paths, 4 + bit, depth - bit)
            for i in range(paths.size):
                paths.sums[depth - bit, i] = 0.0
        home = paths.homes[depth]
        for k in range(paths.late if block < paths.shared else 4, paths.size):
            if not first >> k & 1:
                flow = _pull(paths, first, first + (1 << k), k, paths.rows[depth, k])
                paths.sums[depth, k] += flow
        if block < paths.shared:
            for low in range(16):
                values[home | paths.low_homes[low]] += paths.values[first + low]
        else:
            _settle_values(paths, stays, lost, first, depth)
        if block:
            event = 4 + trailing_zeros(block)
            for i in range(paths.size):
                paths.effect_slopes[event, i] += paths.sums[depth, i]
                paths.sums[depth - 1, i] += paths.sums[depth, i]
                paths.sums[depth, i] = 0.0
    for low in range(1, 16):
        for k in range(4):
            if low >> k & 1:
                for i in range(paths.size):
                    paths.effect_slopes[k, i] += paths.flows[i, low]


def _settle_values(
    paths: Paths, stays: FloatArray, lost: FloatArray, first: Integer, depth: Integer
) -> None:
    """Add values and slopes of the events that differ within a block, and what is lost in it."""
    home, low = paths.homes[depth], 15
    zero, one, two, three = 0.0, 0.0, 0.0, 0.0
    while low >= 0:
        value, share = paths.values[first + low], paths.likely[first + low]
        if not low & 1:
            term: float = (
                paths.rows[depth, 0] * paths.within[0, low] * paths.values[first + low + 1]
            )
            value += term
            term *= share
            paths.flows[0, low] += term
            zero += term
        if not low & 2:
            term = paths.rows[depth, 1] * paths.within[1, low] * paths.values[first + low + 2]
            value += term
            term *= share
            paths.flows[1, low] += term
            one += term
        if not low & 4:
            term = paths.rows[depth, 2] * paths.within[2, low] * paths.values[first + low + 4]
            value += term
            term *= share
            paths.flows[2, low] += term
            two += term
        if not low & 8:
            term = paths.rows[depth, 3] * paths.within[3, low] * paths.values[first + low + 8]
            value += term
            term *= share
            paths.flows[3, low] += term
            three += term
        place = home | paths.low_homes[low]
        value *= stays[place]
        paths.values[first + low] = value
        lost[place] += value * share
        low -= 1
    paths.sums[depth, 0] += zero
    paths.sums[depth, 1] += one
    paths.sums[depth, 2] += two
    paths.sums[depth, 3] += three


def _pull(paths: Paths, first: Integer, target: Integer, event: Integer, rate: float) -> float:
    """Add the values of a block to the one from which an event leads there; return the flow."""
    flow: float = 0.0
    low: cython.Py_ssize_t = 0
    while low < 16:
        one = paths.values[target + low] * (rate * paths.within[event, low])
        two = paths.values[target + low + 1] * (rate * paths.within[event, low + 1])
        three = paths.values[target + low + 2] * (rate * paths.within[event, low + 2])
        four = paths.values[target + low + 3] * (rate * paths.within[event, low + 3])
        paths.values[first + low] += one
        paths.values[first + low + 1] += two
        paths.values[first + low + 2] += three
        paths.values[first + low + 3] += four
        one *= paths.likely[first + low]
        two *= paths.likely[first + low + 1]
        three *= paths.likely[first + low + 2]
        four *= paths.likely[first + low + 3]
        paths.flows[event, low] += one
        paths.flows[event, low + 1] += two
        paths.flows[event, low + 2] += three
        paths.flows[event, low + 3] += four
        flow += (one + two) + (three + four)
        low += 4
    return flow
