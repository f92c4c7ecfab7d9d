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
"""

import math

import numpy as np

from caprese.kernels.arrays import chosen, copy_into, fill, sum_of
from caprese.kernels.bits import popcount
from caprese.kernels.compiling import ANY_ORDER, inlined, kernel


@inlined
def _number_of(state):  # type: ignore[no-untyped-def]
    """Return how many events a state has."""
    return np.int64(popcount(np.uint64(state)))  # type: ignore[call-arg]


@inlined
def _lowest(state):  # type: ignore[no-untyped-def]
    """Return the position of the lowest bit that is set."""
    return _number_of((state & -state) - 1)


@kernel(fastmath=ANY_ORDER)
def probabilities(rates, effects):  # type: ignore[no-untyped-def]
    """Return the probability to be observed in each state, by substitution.

    p(s) leave(s) = [s is empty] + sum over k in s of rate(k | s - k) p(s - k), where leave(s) is
    the sum of all rates in s and of the rate of observation, 1.
    """
    inside, n = effects.shape
    likely = np.zeros(1 << inside)
    likely[0] = 1.0
    rows = np.empty((inside + 1, n))
    copy_into(rows[0], rates)
    for state in range(1 << inside):
        depth = _number_of(state)
        row = rows[depth]
        if state:
            above, factors = rows[depth - 1], effects[_lowest(state)]
            for i in range(n):
                row[i] = above[i] * factors[i]
        leave = 1.0
        for i in range(n):
            leave += row[i]
        share = likely[state] / leave
        likely[state] = share
        for k in range(inside):  # the rate of those in the state is 0
            likely[state | 1 << k] += share * row[k]
    return likely


@kernel(fastmath=ANY_ORDER)
def _add_slopes(rates, effects, likely, values, rate_slopes, effect_slopes):  # type: ignore[no-untyped-def]
    """Add the slopes of a function of the probabilities to those by the logarithms of all rates.

    Parameters
    ----------
    values
        The derivative of the function by each probability; replaced by the adjoint, which solves
        the transposed equations: leave(s) v(s) = value(s) + sum of rate(k | s) v(s + k).
    """
    inside, n = effects.shape
    rows, sums = np.empty((inside + 1, n)), np.zeros((inside + 1, n))
    copy_into(rows[0], rates)
    for state in range((1 << inside) - 1, -1, -1):
        depth = _number_of(state)
        ones = _lowest(state + 1)  # the trailing bits that are set: these rows are new
        for bit in range(ones - 1, -1, -1):
            above, new, factors = rows[depth - bit - 1], rows[depth - bit], effects[bit]
            for i in range(n):
                new[i] = above[i] * factors[i]
        row, total = rows[depth], sums[depth]
        leave = 1.0
        for i in range(n):
            leave += row[i]
        value = values[state]
        for k in range(inside):
            value += row[k] * values[state | 1 << k]
        value /= leave
        values[state] = value
        share = likely[state]
        for k in range(inside):
            total[k] += share * row[k] * (values[state | 1 << k] - value)
        lost = share * value
        for i in range(inside, n):
            total[i] -= lost * row[i]
        if state:
            above, slopes = sums[depth - 1], effect_slopes[_lowest(state)]
            for i in range(n):
                slopes[i] += total[i]
                above[i] += total[i]
                total[i] = 0.0
    for i in range(n):
        rate_slopes[i] += sums[0, i]


@kernel
def _events_first(members, n):  # type: ignore[no-untyped-def]
    """Return all events, those of the sub-lattice first."""
    order, rest = np.empty(n, np.int64), np.empty(n, np.bool_)
    fill(rest, True)
    for k in range(len(members)):
        order[k] = members[k]
        rest[members[k]] = False
    place = len(members)
    for event in range(n):
        if rest[event]:
            order[place] = event
            place += 1
    return order


@kernel
def _local_effects(effects, order, inside):  # type: ignore[no-untyped-def]
    local = np.empty((inside, len(order)))
    for k in range(inside):
        for i in range(len(order)):
            local[k, i] = effects[order[k], order[i]]
        local[k, k] = 0.0
    return local


@kernel
def _chance(likely, present, free):  # type: ignore[no-untyped-def]
    """Return the probability of all states with what is present and any of what is free."""
    total, some = likely[present | free], free
    while some:
        some = (some - 1) & free
        total += likely[present | some]
    return total


@kernel
def chances(rates, effects, lattices):  # type: ignore[no-untyped-def]
    """Return the probability of each observation of some sub-lattices.

    Parameters
    ----------
    lattices
        The events of all sub-lattices and where those of each start; for each observation what is
        present and what is free, and where those of each sub-lattice start.
    """
    members, starts, present, free, firsts = lattices
    found = np.empty(len(present))
    for place in range(len(starts) - 1):
        inside = members[starts[place] : starts[place + 1]]
        order = _events_first(inside, len(rates))
        likely = probabilities(chosen(rates, order), _local_effects(effects, order, len(inside)))
        for k in range(firsts[place], firsts[place + 1]):
            found[k] = _chance(likely, present[k], free[k])
    return found


@kernel
def log_likelihood(rates, effects, lattices, weights):  # type: ignore[no-untyped-def]
    """Return the log-likelihood, and its slopes by the logarithms of rates and effects.

    Parameters
    ----------
    weights
        How often each observation was made.
    """
    members, starts, present, free, firsts = lattices
    n = len(rates)
    total, rate_slopes, effect_slopes = 0.0, np.zeros(n), np.zeros((n, n))
    for place in range(len(starts) - 1):
        first, last = firsts[place], firsts[place + 1]
        if sum_of(weights[first:last]) == 0.0:
            continue
        inside = members[starts[place] : starts[place + 1]]
        order = _events_first(inside, n)
        base, local = chosen(rates, order), _local_effects(effects, order, len(inside))
        likely = probabilities(base, local)
        values = np.zeros(len(likely))
        for k in range(first, last):
            if weights[k] > 0.0:
                chance = _chance(likely, present[k], free[k])
                total += weights[k] * math.log(chance) if chance > 0.0 else -math.inf
                _spread(values, present[k], free[k], weights[k] / max(chance, 1e-300))
        own, between = np.zeros(n), np.zeros((len(inside), n))
        _add_slopes(base, local, likely, values, own, between)
        for i in range(n):
            rate_slopes[order[i]] += own[i]
            for k in range(len(inside)):
                if k != i:
                    effect_slopes[order[k], order[i]] += between[k, i]
    return total, rate_slopes, effect_slopes


@kernel
def _spread(values, present, free, slope):  # type: ignore[no-untyped-def]
    """Add a slope to all states with what is present and any of what is free."""
    values[present | free] += slope
    some = free
    while some:
        some = (some - 1) & free
        values[present | some] += slope
