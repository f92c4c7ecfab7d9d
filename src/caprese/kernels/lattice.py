"""The lattice of a poset: probabilities of genotypes, and expectations given the observed ones.

Sets of events are integers, event k in bit k. `ancestors[j]` is the set of all ancestors of j. A
state is a set that contains all ancestors of each of its events. Arrays are over the states, of
which a poset has far fewer than the 2 ** n sets of its n events, except where a whole table of
observations is expected at once.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from caprese.kernels.arrays import fill, sum_of
from caprese.kernels.bits import popcount
from caprese.kernels.compiling import kernel

_TRANSFORM_COST = 0.7  # of one entry of a transform, in pairs of a state and a genotype,
_LARGE, _LARGE_COST = 15, 2.0  # and with so many events, whose arrays exceed the cache
_LEAST_RATIO = 1e-12  # of the error rates whose 20th power is still a number
_SMALLEST = 1e-300
_WIDTH = 16  # genotypes
_TURNED = 3  # events: eight numbers are a vector of the processor
_SUMS = {"reassoc", "contract", "nsz"}  # sums in any order, so that they can be vectorised


class Lattice(NamedTuple):
    """The states of a poset, subsets before supersets, and what can occur in each.

    Every state but the first, the empty one, is another one and one more event. In this tree each
    state is followed by its descendants, so that the path to a state is a stack.
    """

    states: NDArray[np.int64]  # as sets
    added: NDArray[np.int64]  # the event that was added last; -1 for the empty state
    depths: NDArray[np.int64]  # how many events each holds
    # Without a sign, as indices that could be negative take twice the time.
    starts: NDArray[np.uint64]  # the next events of state k are at starts[k] to starts[k + 1]
    nexts: NDArray[np.uint64]  # events
    targets: NDArray[np.uint64]  # and the states they lead to


@kernel
def lattice(ancestors):  # type: ignore[no-untyped-def]
    """Return the lattice of a poset."""
    n = len(ancestors)
    order = _ancestors_first(ancestors)
    states, below, ranks = _states(ancestors, order)
    number = len(states)
    after = np.empty((number, n), np.int64)  # where an event leads to, by its place in the order
    steps = 0
    for k in range(number):
        fill(after[k], -1)
    for k in range(1, number):
        after[below[k], ranks[k]] = k
    for k in range(number):
        for rank in range(n):
            if rank < ranks[k] and after[below[k], rank] >= 0:
                after[k, rank] = after[after[below[k], rank], ranks[k]]
            steps += after[k, rank] >= 0
    added, depths = np.empty(number, np.int64), np.zeros(number, np.int64)
    added[0] = -1
    starts = np.zeros(number + 1, np.uint64)
    nexts, targets = np.empty(steps, np.uint64), np.empty(steps, np.uint64)
    end = 0
    for k in range(number):
        if k > 0:
            added[k], depths[k] = order[ranks[k]], depths[below[k]] + 1
        for rank in range(n):
            if after[k, rank] >= 0:
                nexts[end], targets[end] = order[rank], after[k, rank]
                end += 1
        starts[k + 1] = end
    return Lattice(states, added, depths, starts, nexts, targets)


@kernel
def _ancestors_first(ancestors):  # type: ignore[no-untyped-def]
    """Return the events, each after its ancestors."""
    n = len(ancestors)
    order, filled, done = np.empty(n, np.int64), 0, 0
    while filled < n:
        for event in range(n):
            if not done >> event & 1 and ancestors[event] & ~done == 0:
                order[filled] = event
                filled += 1
                done |= 1 << event
    return order


@kernel
def _states(ancestors, order):  # type: ignore[no-untyped-def]
    """Return the states, the state that each extends, and the place of the event that is added.

    A state is extended by events that come later in the order than all it holds. Later events
    first, so that subsets come before supersets.
    """
    n = len(order)
    states, below, ranks = (
        np.empty(1 << n, np.int64),
        np.empty(1 << n, np.int64),
        np.empty(1 << n, np.int64),
    )
    waiting = np.empty((n * n + 1, 2), np.int64)  # state to extend, place of the event
    waiting[0, 0] = waiting[0, 1] = -1
    left, number = 1, 0
    while left > 0:
        left -= 1
        from_state, rank = waiting[left]
        state = states[from_state] | 1 << order[rank] if rank >= 0 else 0
        states[number], below[number], ranks[number] = state, from_state, rank
        for later in range(rank + 1, n):
            if ancestors[order[later]] & ~state == 0:
                waiting[left, 0], waiting[left, 1] = number, later
                left += 1
        number += 1
    return states[:number].copy(), below[:number].copy(), ranks[:number].copy()


@kernel
def probabilities(poset, rates):  # type: ignore[no-untyped-def]
    """Return for each state the rate of leaving, and its probability.

    That is the probability to be in it at the time of observation, one more event of rate 1, after
    which nothing occurs.
    """
    starts, nexts, targets = poset.starts, poset.nexts, poset.targets
    number = len(poset.states)
    reached, leaving, likely = np.zeros(number), np.empty(number), np.empty(number)
    reached[0] = 1.0
    for k in range(number):
        total = 1.0
        for at in range(starts[k], starts[k + 1]):
            total += rates[nexts[at]]
        share = reached[k] / total
        leaving[k], likely[k] = total, share
        for at in range(starts[k], starts[k + 1]):
            reached[targets[at]] += share * rates[nexts[at]]
    return leaving, likely


@kernel
def over_all_sets(poset, values, events):  # type: ignore[no-untyped-def]
    """Return values of the states as an array over all sets of events; the others are 0."""
    result = np.zeros(1 << events)
    for k in range(len(values)):
        result[poset.states[k]] = values[k]
    return result


@kernel
def observe_with_errors(values, known, error):  # type: ignore[no-untyped-def]
    """Replace probabilities of true sets by those of observed sets; unknown events are summed over.

    Works in place, one event at a time.
    """
    bit = 1
    while bit < len(values):
        _observe(values, bit, known & bit != 0, error)
        bit *= 2


@kernel
def _observe(values, distance, known, error):  # type: ignore[no-untyped-def]
    """Observe one event; sets with and without it are this far apart in the array."""
    same, other = (1.0 - error, error) if known else (1.0, 1.0)
    for start in range(0, len(values), 2 * distance):
        middle = start + distance
        absent, present = values[start:middle], values[middle : middle + distance]
        for k in range(distance):
            one, two = absent[k], present[k]
            absent[k] = same * one + other * two
            present[k] = other * one + same * two


@kernel
def _observe_counting(values, errors, distance, known, error):  # type: ignore[no-untyped-def]
    """Do the same, and sum the number of errors times their probability into `errors`."""
    same, other = (1.0 - error, error) if known else (1.0, 1.0)
    wrong = error if known else 0.0
    for start in range(0, len(values), 2 * distance):
        middle = start + distance
        end = middle + distance
        absent, present = values[start:middle], values[middle:end]
        absent_errors, present_errors = errors[start:middle], errors[middle:end]
        for k in range(distance):
            one, two = absent[k], present[k]
            first, second = absent_errors[k], present_errors[k]
            absent[k] = same * one + other * two
            present[k] = other * one + same * two
            absent_errors[k] = same * first + other * second + wrong * two
            present_errors[k] = other * first + same * second + wrong * one


@kernel
def expectations(poset, rates, error, data):  # type: ignore[no-untyped-def]
    """Return the log-likelihood, and expected occurrences, waiting times and number of errors.

    Occurrences and waiting times are of each event. All are expectations given the observations,
    summed over samples; the path of a sample ends when it is observed. Plain EM would set each
    rate to `occurrences / waiting_times` next.

    Parameters
    ----------
    data
        The distinct genotypes as sets, how often each was observed, the set of events known in
        each (equal ones in sequence), and the number of known entries in all.
    """
    n = len(rates)
    starts, nexts, targets = poset.starts, poset.nexts, poset.targets
    leaving, likely = probabilities(poset, rates)
    log_likelihood, mistakes, through = _true_counts(poset, likely, error, data, n)
    occurrences, waiting_times = np.zeros(n), np.zeros(n)
    for k in range(len(likely) - 1, -1, -1):
        # Expected paths through the state, divided by the probability to reach it.
        paths, share = through[k], likely[k]
        for at in range(starts[k], starts[k + 1]):
            event = nexts[at]
            next_paths = rates[event] * through[targets[at]]
            paths += next_paths
            occurrences[event] += share * next_paths
        paths /= leaving[k]
        through[k] = paths
        time = share * paths
        for at in range(starts[k], starts[k + 1]):
            waiting_times[nexts[at]] += time
    return log_likelihood, occurrences, waiting_times, mistakes


@kernel
def _true_counts(poset, likely, error, data, events):  # type: ignore[no-untyped-def]
    """Return the log-likelihood, the expected number of errors, and of times each state was true.

    The last is divided by the probability of the state. Few states are compared with each
    genotype; for many, a transform of all sets at once is faster.
    """
    genotypes, known = data[0], data[2]
    transforms = 1
    for g in range(1, len(genotypes)):
        transforms += known[g] != known[g - 1]
    cost = _TRANSFORM_COST if events < _LARGE else _LARGE_COST
    if float(len(genotypes)) * len(likely) > cost * transforms * events * (1 << events):
        return _true_counts_by_transform(poset, likely, error, data, events)
    if error < _LEAST_RATIO:
        return _true_counts_by_pair(poset, likely, error, data, events)
    return _true_counts_by_path(poset, likely, error, data, events)


@kernel(fastmath=_SUMS)
def _true_counts_by_path(poset, likely, error, data, events):  # type: ignore[no-untyped-def]
    """Extend the chances of all genotypes along the path to each state, event by event.

    Chances, and expected numbers of errors, are relative to those of the empty state. For one more
    event, that of a genotype that holds the event is multiplied by (1 - error) / error, that of
    another by its inverse, and there is one error less, or more.
    """
    genotypes, times, known, entries = data
    number = _WIDTH * -(-len(genotypes) // _WIDTH)  # loops over whole vectors are the fastest
    factor, change = np.empty((events, number)), np.zeros((events, number))
    shown = np.zeros(number)
    up = (1.0 - error) / error
    for event in range(events):
        fill(factor[event], 1.0)
        for g in range(len(genotypes)):
            if known[g] >> event & 1:
                present = genotypes[g] >> event & 1
                factor[event, g], change[event, g] = (up, -1.0) if present else (1.0 / up, 1.0)
                shown[g] += present
    chance, errors = np.empty((events + 1, number)), np.zeros((events + 1, number))
    fill(chance[0], 1.0)
    totals, total_wrong = np.empty(number), np.zeros(number)
    fill(totals, likely[0])
    for k in range(1, len(likely)):
        depth, event, share = poset.depths[k], poset.added[k], likely[k]
        before, after, times_factor = chance[depth - 1], chance[depth], factor[event]
        for g in range(number):
            both = before[g] * times_factor[g]
            after[g] = both
            totals[g] += share * both
        errors_before, errors_after, plus = errors[depth - 1], errors[depth], change[event]
        for g in range(number):  # apart, as a loop over so many arrays is not vectorised
            wrong = errors_before[g] + plus[g]
            errors_after[g] = wrong
            total_wrong[g] += share * after[g] * wrong
    log_likelihood, mistakes, all_shown = 0.0, 0.0, 0.0
    weights = np.zeros(number)
    for g in range(len(genotypes)):
        weight = times[g] / max(totals[g], _SMALLEST)
        log_likelihood += times[g] * math.log(totals[g])
        mistakes += times[g] * shown[g] + weight * total_wrong[g]
        all_shown += times[g] * shown[g]
        weights[g] = weight
    log_likelihood += all_shown * math.log(error) + (entries - all_shown) * math.log1p(-error)
    return log_likelihood, mistakes, _weighted_chances(poset, factor, chance, weights)


@kernel(fastmath=_SUMS)
def _weighted_chances(poset, factor, chance, weights):  # type: ignore[no-untyped-def]
    """Return for each state the chances of all genotypes, times their weights."""
    result = np.empty(len(poset.states))
    result[0] = sum_of(weights)
    for k in range(1, len(result)):
        depth, event = poset.depths[k], poset.added[k]
        before, after, times_factor = chance[depth - 1], chance[depth], factor[event]
        total = 0.0
        for g in range(len(weights)):
            both = before[g] * times_factor[g]
            after[g] = both
            total += both * weights[g]
        result[k] = total
    return result


@kernel
def _true_counts_by_pair(poset, likely, error, data, events):  # type: ignore[no-untyped-def]
    """Count the errors of each genotype in each state; right for any error rate."""
    genotypes, times, known, _entries = data
    true_counts = np.zeros(len(likely))
    chance = np.empty(events + 1)  # of this number of errors
    log_likelihood, mistakes = 0.0, 0.0
    for g in range(len(genotypes)):
        at, mask = genotypes[g], known[g]
        if g == 0 or mask != known[g - 1]:
            entries = np.int64(popcount(mask))  # type: ignore[call-arg]
            for errors in range(entries + 1):
                chance[errors] = error**errors * (1.0 - error) ** (entries - errors)
        total, wrong = 0.0, 0.0
        for k in range(len(likely)):
            errors = np.int64(popcount((at ^ poset.states[k]) & mask))  # type: ignore[call-arg]
            both = likely[k] * chance[errors]
            total += both
            wrong += both * errors
        log_likelihood += times[g] * (math.log(total) if total > 0 else -math.inf)
        weight = times[g] / max(total, _SMALLEST)
        mistakes += weight * wrong
        for k in range(len(likely)):
            errors = np.int64(popcount((at ^ poset.states[k]) & mask))  # type: ignore[call-arg]
            true_counts[k] += weight * chance[errors]
    return log_likelihood, mistakes, true_counts


@kernel
def _true_counts_by_transform(poset, likely, error, data, events):  # type: ignore[no-untyped-def]
    """Observe all sets of events at once, for each set of known events.

    Sets that differ in one of the first events are so near to each other in the array that a loop
    over them is not vectorised. These events are observed while the array is turned: they are the
    last ones then.
    """
    genotypes, times, known, _entries = data
    size, turned = 1 << events, min(_TURNED, events)
    true_counts = np.zeros(len(likely))
    all_likely, observed, errors = np.zeros(size), np.empty(size), np.empty(size)
    other, other_errors = np.empty(size), np.empty(size)
    for k in range(len(likely)):
        all_likely[_turned(poset.states[k], turned, events)] = likely[k]
    log_likelihood, mistakes, first = 0.0, 0.0, 0
    while first < len(genotypes):
        mask = known[first]
        for k in range(size):
            other[k], other_errors[k] = all_likely[k], 0.0
        for event in range(turned):
            distance = 1 << (events - turned + event)
            _observe_counting(other, other_errors, distance, mask >> event & 1, error)
        _turn(other, observed, events - turned)
        _turn(other_errors, errors, events - turned)
        for event in range(turned, events):
            _observe_counting(observed, errors, 1 << event, mask >> event & 1, error)
        last = first
        for k in range(size):
            other[k] = 0.0
        while last < len(genotypes) and known[last] == mask:
            at = genotypes[last]
            log_likelihood += times[last] * (
                math.log(observed[at]) if observed[at] > 0 else -math.inf
            )
            other[at] = times[last] / max(observed[at], _SMALLEST)
            mistakes += other[at] * errors[at]
            last += 1
        for event in range(turned, events):
            _observe(other, 1 << event, mask >> event & 1, error)
        _turn(other, observed, turned)
        for event in range(turned):
            _observe(observed, 1 << (events - turned + event), mask >> event & 1, error)
        for k in range(len(likely)):
            true_counts[k] += observed[_turned(poset.states[k], turned, events)]
        first = last
    return log_likelihood, mistakes, true_counts


@kernel
def _turned(place, turned, events):  # type: ignore[no-untyped-def]
    """Return the set in which the first events are the last ones."""
    return place >> turned | (place & (1 << turned) - 1) << (events - turned)


@kernel
def _turn(values, into, first):  # type: ignore[no-untyped-def]
    """Copy an array over all sets of events; this number of its first events become the last."""
    columns = 1 << first
    rows = len(values) // columns
    for column in range(columns):
        part = into[rows * column : rows * (column + 1)]
        for row in range(rows):
            part[row] = values[columns * row + column]
