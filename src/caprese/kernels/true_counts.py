"""How often each state of a poset was true, as expected from the observed genotypes.

There are three ways, of which the fastest is taken. All return the log-likelihood and the expected
number of errors, and fill how often each state was true, divided by its probability.

One way is to observe all sets of events at once. An event is observed by a matrix 1 + factor *
flip: sets that differ in it are mixed. The factor of an error is error / (1 - error), so that
probabilities are relative to 1 - error for each known event. The factor of an unknown event is 1:
it is summed over.
"""

import cython
import numpy as np
from cython.cimports.caprese.kernels.elementary import log, log1p
from cython.cimports.caprese.kernels.lattice import Lattice
from cython.cimports.caprese.kernels.words import popcount

from caprese._core.arrays import FloatArray, IntArray, Integer

_TRANSFORM_COST = 0.25  # of one event of one set, in pairs of a state and a genotype
_MOST_ERROR = 0.49  # for a transform; at 1/2 all observations are equally likely
_LEAST_RATIO = 1e-12  # of the error rates whose 20th power is still a number
_SMALLEST = 1e-300
_LEAST_PRODUCT = 1e-150  # whose square is still a number
_WIDTH = 8  # genotypes in a line of the cache
_CACHED = 12  # events whose sets fit in the nearest cache; even


class Observations:
    """The distinct genotypes of a data set.

    Parameters
    ----------
    events
        How many there are.
    genotypes
        As sets.
    times
        How often each was observed.
    known
        The set of events known in each; equal ones in sequence.
    """

    def __init__(
        self, events: Integer, genotypes: IntArray, times: FloatArray, known: IntArray
    ) -> None:
        number = len(genotypes)
        self.events, self.number, self.groups, self.entries = events, number, 0, 0.0
        self.genotypes, self.times, self.known = genotypes, times, known
        self.ends = np.empty(number, np.int64)  # of groups of which the same events are known
        for g in range(number):
            self.entries += self.times[g] * popcount(self.known[g])
            if g + 1 == number or self.known[g + 1] != self.known[g]:
                self.ends[self.groups] = g + 1
                self.groups += 1


def _aligned(rows: Integer, size: Integer) -> FloatArray:
    """Return an array that starts with a line of the cache, so that no vector lies in two."""
    room = np.empty(rows * size + 8)
    first = -room.__array_interface__["data"][0] // 8 % 8
    return room[first : first + rows * size].reshape(rows, size)


class Sets:
    """Values of all sets of so many events."""

    def __init__(self, events: Integer) -> None:
        self.events = events
        self.values = _aligned(1, 1 << events)[0]


class TrueCounts:
    """How often each state was true, and room to find out, for any poset of some data."""

    def __init__(self, data: Observations) -> None:
        events, room = data.events, 1 << data.events
        self.relative = np.empty(room)  # to the probability of each state
        self.sets = Sets(events)
        number = _WIDTH * ((data.number + _WIDTH - 1) // _WIDTH)  # with some that are never seen
        vectors, tables = _aligned(4, number), _aligned(4 * events + 2, number)
        vectors[:] = tables[:] = 0.0
        self.weights, self.totals, self.total_errors, self.shown = vectors
        self.factors, self.changes = tables[:events], tables[events : 2 * events]
        self.factors[:, :] = 1.0
        self.chances = tables[2 * events : 3 * events + 1]
        self.errors = tables[3 * events + 1 :]
        self.order, self.waiting = np.empty(room, np.int64), np.empty(room, np.int64)
        self.of_errors = np.empty(events + 1)  # the probability of each number of errors,
        self.of_states = np.empty(room)  # and of a genotype in each state


def fill_true_counts(
    poset: Lattice, error: float, data: Observations, counts: TrueCounts
) -> tuple[float, float]:
    """Compare each state with each genotype if they are few, else transform all sets at once."""
    pairs: float = cython.cast(cython.double, data.number) * poset.number
    sets: float = cython.cast(cython.double, 1 << data.events) * data.events * data.groups
    if error < _MOST_ERROR and pairs > _TRANSFORM_COST * sets:
        return by_transform(poset, error, data, counts)
    if error < _LEAST_RATIO:
        return by_pair(poset, error, data, counts)
    return by_path(poset, error, data, counts)


def by_transform(
    poset: Lattice, error: float, data: Observations, counts: TrueCounts
) -> tuple[float, float]:
    """Observe all sets of events at once, for each set of known events, there and back.

    The expected number of errors is the slope of the log-likelihood by the logarithm of the factor
    of an error. The slope of a matrix 1 + factor * flip by its factor is flip. That is the matrix
    itself times (flip - factor) / (1 - factor ** 2). So the slope follows from the chances of the
    sets that differ from the observed one in one event.
    """
    factor = error / (1.0 - error)
    log_likelihood: float = data.entries * log1p(-error)
    slope: float = 0.0
    first: cython.Py_ssize_t = 0
    for k in range(poset.number):
        counts.relative[k] = 0.0
    for group in range(data.groups):
        known, last = data.known[first], data.ends[group]
        counts.sets.values[:] = 0.0
        for k in range(poset.number):
            counts.sets.values[poset.states[k]] = poset.likely[k]
        _observe_all(counts.sets, known, factor)
        log_likelihood += _weigh(data, counts, first, last)
        slope += _flipped(data, counts, first, last)
        counts.sets.values[:] = 0.0
        for g in range(first, last):
            counts.sets.values[data.genotypes[g]] = counts.weights[g]
        _observe_all(counts.sets, known, factor)
        for k in range(poset.number):
            counts.relative[k] += counts.sets.values[poset.states[k]]
        first = last
    return log_likelihood, (slope - factor * data.entries) * factor / (1.0 - factor * factor)


def _weigh(data: Observations, counts: TrueCounts, first: Integer, last: Integer) -> float:
    """Return the log-likelihood of genotypes, and fill how often each is seen by its chance.

    Chances are multiplied as long as the product is a number: a logarithm takes much longer.
    """
    result: float = 0.0
    product: float = 1.0
    for g in range(first, last):
        chance = counts.sets.values[data.genotypes[g]]
        counts.weights[g] = data.times[g] / max(chance, _SMALLEST)
        if data.times[g] == 1 and chance > _LEAST_PRODUCT:
            product *= chance
        else:
            result += data.times[g] * log(chance)
        if product < _LEAST_PRODUCT:
            result += log(product)
            product = 1.0
    return result + log(product)


def _flipped(data: Observations, counts: TrueCounts, first: Integer, last: Integer) -> float:
    """Return the sum of the chances of all sets that are a known event away, times the weights.

    One by one: the processor gathers single numbers faster than vectors of them.
    """
    result: float = 0.0
    for g in range(first, last):
        near: float = 0.0
        left = data.known[g]
        while left != 0:
            near += counts.sets.values[data.genotypes[g] ^ left & -left]
            left &= left - 1
        result += counts.weights[g] * near
    return result


def observe_with_errors(likely: FloatArray, known: Integer, error: float) -> FloatArray:
    """Return the probabilities of observed sets from those of true sets.

    Unknown events are summed over: sets that differ in them have the same probability.
    """
    events: cython.Py_ssize_t = 0
    right: float = 1.0
    while 1 << events < len(likely):
        right *= 1.0 - error if known >> events & 1 else 1.0
        events += 1
    sets, result = Sets(events), np.empty(len(likely))
    seen: cython.double[::1] = result
    with cython.nogil:
        sets.values[:] = likely
        _observe_all(sets, known, error / (1.0 - error))
        for k in range(len(seen)):
            seen[k] = right * sets.values[k]
    return result


def _observe_all(sets: Sets, known: Integer, factor: float) -> None:
    """Observe all events, two at a time; the first ones in as many sets as the cache holds."""
    size: cython.Py_ssize_t = 1 << sets.events
    some: cython.Py_ssize_t = min(size, 1 << _CACHED)
    start: cython.Py_ssize_t = 0
    while start < size:
        _observe_cached(sets, start, start + some, known, factor)
        start += some
    event: cython.Py_ssize_t = _CACHED
    while event + 1 < sets.events:
        one, two = _factor(known, event, factor), _factor(known, event + 1, factor)
        _observe_two(sets, 0, size, 1 << event, one, two)
        event += 2
    if sets.events % 2:
        _observe_last(sets, _factor(known, sets.events - 1, factor))


def _observe_cached(
    sets: Sets, start: Integer, stop: Integer, known: Integer, factor: float
) -> None:
    """Observe all events, but for the last ones, in some sets.

    The first distances are written as numbers, from which the compiler makes better code.
    """
    size = stop - start
    if size >= 1 << 2:
        _observe_nearest(sets, start, stop, _factor(known, 0, factor), _factor(known, 1, factor))
    if size >= 1 << 4:
        _observe_two(sets, start, stop, 4, _factor(known, 2, factor), _factor(known, 3, factor))
    if size >= 1 << 6:
        _observe_two(sets, start, stop, 16, _factor(known, 4, factor), _factor(known, 5, factor))
    event: cython.Py_ssize_t = 6
    while size >= 4 << event:
        one, two = _factor(known, event, factor), _factor(known, event + 1, factor)
        _observe_two(sets, start, stop, 1 << event, one, two)
        event += 2


def _factor(known: Integer, event: Integer, factor: float) -> float:
    return factor if known >> event & 1 else 1.0


def _observe_nearest(sets: Sets, start: Integer, stop: Integer, one: float, two: float) -> None:
    """Observe the first two events in some sets, four of which are mixed at a time."""
    for k in range(start // 4, stop // 4):
        none, only = sets.values[4 * k], sets.values[4 * k + 1]
        a, b = none + one * only, only + one * none
        none, only = sets.values[4 * k + 2], sets.values[4 * k + 3]
        c, d = none + one * only, only + one * none
        sets.values[4 * k], sets.values[4 * k + 1] = a + two * c, b + two * d
        sets.values[4 * k + 2], sets.values[4 * k + 3] = c + two * a, d + two * b


def _observe_two(
    sets: Sets, start: Integer, stop: Integer, distance: Integer, one: float, two: float
) -> None:
    """Observe two events in some sets; those that differ in the first event are this far apart."""
    while start < stop:
        middle = start + 2 * distance
        for k in range(distance):
            none, only = sets.values[start + k], sets.values[start + distance + k]
            a, b = none + one * only, only + one * none
            none, only = sets.values[middle + k], sets.values[middle + distance + k]
            c, d = none + one * only, only + one * none
            sets.values[start + k] = a + two * c
            sets.values[start + distance + k] = b + two * d
            sets.values[middle + k] = c + two * a
            sets.values[middle + distance + k] = d + two * b
        start += 4 * distance


def _observe_last(sets: Sets, factor: float) -> None:
    """Observe the last event."""
    half: cython.Py_ssize_t = 1 << sets.events - 1
    for k in range(half):
        one, two = sets.values[k], sets.values[half + k]
        sets.values[k], sets.values[half + k] = one + factor * two, two + factor * one


def by_path(
    poset: Lattice, error: float, data: Observations, counts: TrueCounts
) -> tuple[float, float]:
    """Extend the chances of all genotypes along the path to each state, event by event.

    Chances, and expected numbers of errors, are relative to those of the empty state. For one more
    event, that of a genotype that holds the event is multiplied by (1 - error) / error, that of
    another by its inverse, and there is one error less, or more.
    """
    _fill_factors(data, error, counts)
    _fill_order(poset, counts)
    _fill_totals(poset, counts)
    log_likelihood: float = 0.0
    mistakes: float = 0.0
    all_shown: float = 0.0
    for g in range(data.number):
        weight = data.times[g] / max(counts.totals[g], _SMALLEST)
        log_likelihood += data.times[g] * log(counts.totals[g])
        mistakes += data.times[g] * counts.shown[g] + weight * counts.total_errors[g]
        all_shown += data.times[g] * counts.shown[g]
        counts.weights[g] = weight
    log_likelihood += all_shown * log(error) + (data.entries - all_shown) * log1p(-error)
    _fill_weighted_chances(poset, counts)
    return log_likelihood, mistakes


def _fill_factors(data: Observations, error: float, counts: TrueCounts) -> None:
    """Fill what one more event does to the chance of each genotype and to its errors."""
    up = (1.0 - error) / error
    down = 1.0 / up
    for g in range(data.number):
        counts.shown[g] = popcount(data.genotypes[g] & data.known[g])
    for event in range(data.events):
        for g in range(data.number):
            present: cython.bint = data.genotypes[g] >> event & 1
            if data.known[g] >> event & 1:
                counts.factors[event, g] = up if present else down
                counts.changes[event, g] = -1.0 if present else 1.0


def _fill_order(poset: Lattice, counts: TrueCounts) -> None:
    """Fill the order in which each state is followed by all that follow from it.

    So the path to a state is a stack.
    """
    found: cython.Py_ssize_t = 0
    waiting: cython.Py_ssize_t = 1
    counts.waiting[0] = 0
    while waiting > 0:
        waiting -= 1
        k = counts.waiting[waiting]
        counts.order[found] = k
        found += 1
        for after in range(poset.followers[k], poset.followers[k + 1]):
            counts.waiting[waiting] = after
            waiting += 1


def _fill_totals(poset: Lattice, counts: TrueCounts) -> None:
    """Fill the chance of each genotype, and its expected number of errors, times the chance."""
    number = len(counts.totals)
    for g in range(number):
        counts.chances[0, g] = 1.0
        counts.totals[g], counts.total_errors[g] = poset.likely[0], 0.0
    for place in range(1, poset.number):
        k = counts.order[place]
        depth, event, share = popcount(poset.states[k]), poset.added[k], poset.likely[k]
        for g in range(number):
            chance: float = counts.chances[depth - 1, g] * counts.factors[event, g]
            counts.chances[depth, g] = chance
            counts.totals[g] += share * chance
        for g in range(number):  # apart, as a loop over so many arrays is not vectorised
            wrong: float = counts.errors[depth - 1, g] + counts.changes[event, g]
            counts.errors[depth, g] = wrong
            counts.total_errors[g] += share * counts.chances[depth, g] * wrong


def _fill_weighted_chances(poset: Lattice, counts: TrueCounts) -> None:
    """Fill for each state the chances of all genotypes, times their weights."""
    number = len(counts.weights)
    for g in range(number):
        counts.chances[0, g] = counts.weights[g]
    for place in range(poset.number):
        k = counts.order[place]
        depth, event = popcount(poset.states[k]), poset.added[k]
        if depth > 0:
            for g in range(number):
                counts.chances[depth, g] = counts.chances[depth - 1, g] * counts.factors[event, g]
        counts.relative[k] = _total_chance(counts, depth)


def _total_chance(counts: TrueCounts, depth: Integer) -> float:
    """Return the sum over genotypes, in eight parts: as many as two vectors hold."""
    a, b, c, d, e, f, g, h = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    k: cython.Py_ssize_t = 0
    while k < len(counts.weights):
        a += counts.chances[depth, k]
        b += counts.chances[depth, k + 1]
        c += counts.chances[depth, k + 2]
        d += counts.chances[depth, k + 3]
        e += counts.chances[depth, k + 4]
        f += counts.chances[depth, k + 5]
        g += counts.chances[depth, k + 6]
        h += counts.chances[depth, k + 7]
        k += 8
    return ((a + b) + (c + d)) + ((e + f) + (g + h))


def by_pair(
    poset: Lattice, error: float, data: Observations, counts: TrueCounts
) -> tuple[float, float]:
    """Count the errors of each genotype in each state; right for any error rate."""
    log_likelihood: float = 0.0
    mistakes: float = 0.0
    for k in range(poset.number):
        counts.relative[k] = 0.0
    for g in range(data.number):
        seen, known = data.genotypes[g], data.known[g]
        if g == 0 or known != data.known[g - 1]:
            _fill_chances(counts, popcount(known), error)
        total: float = 0.0
        wrong: float = 0.0
        for k in range(poset.number):
            errors = popcount((seen ^ poset.states[k]) & known)
            counts.of_states[k] = counts.of_errors[errors]
            share = poset.likely[k] * counts.of_states[k]
            total += share
            wrong += share * errors
        log_likelihood += data.times[g] * log(total)
        weight = data.times[g] / max(total, _SMALLEST)
        mistakes += weight * wrong
        for k in range(poset.number):
            counts.relative[k] += weight * counts.of_states[k]
    return log_likelihood, mistakes


def _fill_chances(counts: TrueCounts, entries: Integer, error: float) -> None:
    """Fill the probability that certain ones of some entries are wrong, for each number of them."""
    product: float = 1.0
    for errors in range(entries + 1):
        counts.of_errors[errors] = product
        product *= error
    product = 1.0
    for errors in range(entries, -1, -1):
        counts.of_errors[errors] *= product
        product *= 1.0 - error
