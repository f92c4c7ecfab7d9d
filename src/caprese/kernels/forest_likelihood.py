"""Probabilities of what was observed of a forest, many samples at a time.

Each event has two numbers for its parent: the probability of what was observed in its subtree if
the event has occurred, and if it has not. With a thousand events they are far below the smallest
number of the processor, and one may be far below the other. So each has a power besides: how often
it was multiplied by `_UNIT`. That is done only where it became small, and looked for only where a
lower bound of all samples says that it may have. The inner loops run over samples, and logarithms
are taken once, at the end.
"""

import math

import numpy as np

from caprese.kernels.arrays import add_to, fill, ones
from caprese.kernels.compiling import kernel

_BLOCK = 64  # samples
_UNIT = 2.0**230
_SMALL = 1 / _UNIT  # a product of four such numbers is still far from underflow
_MOST = 4  # powers by which two numbers differ that make the smaller one negligible
_UNKNOWN = 2


@kernel
def log_probabilities(codes, order, parents, log_p, log_q, log_observed):  # type: ignore[no-untyped-def]
    """Return the log-probability of each observation, a row of `codes`.

    The parameters are those of `messages.upward_pass`.
    """
    samples, n = codes.shape
    p, q, seen = np.exp(log_p), np.exp(log_q), np.exp(log_observed)
    block = np.empty((n, _BLOCK), dtype=np.uint8)
    yes, no = np.empty((n, _BLOCK)), np.empty((n, _BLOCK))
    powers = np.empty((2, n, _BLOCK), np.int32)  # of yes and of no
    result = np.empty(samples)
    for start in range(0, samples, _BLOCK):
        number = min(_BLOCK, samples - start)
        for event in range(n):
            fill(block[event, number:], _UNKNOWN)
        for k in range(number):
            for event in range(n):
                block[event, k] = codes[start + k, event]
        for event in range(n):
            _look_up(seen, block[event], yes[event], no[event])
        total, power = _upward(order, parents, p, q, seen, yes, no, powers)
        for k in range(number):
            log = math.log(total[k]) if total[k] > 0.0 else -math.inf
            result[start + k] = log - power[k] * math.log(_UNIT)
    return result


@kernel
def _look_up(seen, codes, yes, no):  # type: ignore[no-untyped-def]
    """Fill the probabilities of codes if an event is there, and if not; as choices, for vectors."""
    no_0, no_1, no_2 = seen[0]
    yes_0, yes_1, yes_2 = seen[1]
    for k in range(_BLOCK):
        code = np.int64(codes[k])
        yes[k] = yes_0 if code == 0 else yes_1 if code == 1 else yes_2
        no[k] = no_0 if code == 0 else no_1 if code == 1 else no_2


@kernel
def _upward(order, parents, p, q, seen, yes, no, powers):  # type: ignore[no-untyped-def]
    """Return the probabilities of a block, and their powers; children before their parents."""
    n = len(order)
    yes_powers, no_powers = powers
    yes_least, no_least = np.empty(n), np.empty(n)  # at most the least number that is not 0
    fill(yes_least, _least(seen[1]))
    fill(no_least, _least(seen[0]))
    scaled = np.zeros(n, np.bool_)  # whether an event has powers
    if min(_least(seen[0]), _least(seen[1])) < _SMALL:
        for event in range(n):
            _with_powers(event, powers, scaled)
            yes_least[event] = _rescale(yes[event], yes_powers[event])
            no_least[event] = _rescale(no[event], no_powers[event])
    total, total_power, total_least = ones(_BLOCK), np.zeros(_BLOCK, np.int32), 1.0
    either, power = np.empty(_BLOCK), np.empty(_BLOCK, np.int32)
    for position in range(n - 1, -1, -1):
        event = order[position]
        parent, chance, other = parents[event], p[event], q[event]
        own_yes, own_no = yes[event], no[event]
        if chance < _SMALL:
            _with_powers(event, powers, scaled)
        if scaled[event]:
            least = _sum(
                chance, other, own_yes, own_no, yes_powers[event], no_powers[event], either, power
            )
        else:
            least = min(chance * yes_least[event], other * no_least[event] if other > 0.0 else 1.0)
            for k in range(_BLOCK):
                either[k] = chance * own_yes[k] + other * own_no[k]
        if parent < 0:
            for k in range(_BLOCK):
                total[k] *= either[k]
            total_least *= least
            if scaled[event]:
                add_to(total_power, power)
            if total_least < _SMALL:
                total_least = _rescale(total, total_power)
            continue
        above_yes, above_no = yes[parent], no[parent]
        for k in range(_BLOCK):
            above_yes[k] *= either[k]
            above_no[k] *= own_no[k]
        yes_least[parent] *= least
        no_least[parent] *= no_least[event]
        if scaled[event]:
            _with_powers(parent, powers, scaled)
            add_to(yes_powers[parent], power)
            add_to(no_powers[parent], no_powers[event])
        if min(yes_least[parent], no_least[parent]) < _SMALL:
            _with_powers(parent, powers, scaled)
            yes_least[parent] = _rescale(above_yes, yes_powers[parent])
            no_least[parent] = _rescale(above_no, no_powers[parent])
    return total, total_power


@kernel
def _with_powers(event, powers, scaled):  # type: ignore[no-untyped-def]
    """Give an event powers of 0, if it has none."""
    if not scaled[event]:
        scaled[event] = True
        fill(powers[0, event], 0)
        fill(powers[1, event], 0)


@kernel
def _least(values):  # type: ignore[no-untyped-def]
    """Return the least number that is not 0; 1 if there is none."""
    least = 1.0
    for value in values:
        if 0.0 < value < least:
            least = value
    return least


@kernel
def _rescale(values, powers):  # type: ignore[no-untyped-def]
    """Multiply what became small by the unit until it is not; return the least number."""
    if _least(values) < _SMALL:
        for k in range(_BLOCK):
            while 0.0 < values[k] < _SMALL:
                values[k] *= _UNIT
                powers[k] += 1
    return _least(values)


@kernel
def _sum(chance, other, yes, no, yes_powers, no_powers, either, power):  # type: ignore[no-untyped-def]
    """Fill ``chance * yes + other * no``, and its power; return the least of them.

    The larger of two numbers has the lower power.
    """
    chance_power = 0
    while 0.0 < chance < _SMALL:
        chance *= _UNIT
        chance_power += 1
    for k in range(_BLOCK):
        first, second = chance * yes[k], other * no[k]
        first_power, second_power = yes_powers[k] + chance_power, no_powers[k]
        if second == 0.0 or (first > 0.0 and first_power <= second_power):
            lead, less = first_power, second_power - first_power
            either[k] = first + (second * _UNIT ** -min(less, _MOST) if second > 0.0 else 0.0)
        else:
            lead, less = second_power, first_power - second_power
            either[k] = second + (first * _UNIT ** -min(less, _MOST) if first > 0.0 else 0.0)
        power[k] = lead
    return _rescale(either, power)
