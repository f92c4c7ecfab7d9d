"""The lattice of a poset: how likely each genotype is, and what the genotypes seen tell of it.

Sets of events are whole numbers, event k in bit k. `above[j]` is the set of all events that j waits
for. A state is a set that holds, with each event, all that it waits for. Arrays over sets have
2 ** n entries; those of sets that are no states stay 0.
"""

import math

import numpy as np
from numba import njit

_WORTH = 0.6  # how much a step of blurring costs, in steps from a state to a genotype
_LEAST = 1e-300


@njit(cache=True, nogil=True)
def lattice(above):  # type: ignore[no-untyped-def]
    """Return the states, smaller before larger sets, and the events that can come next.

    Those of state k stand from `starts[k]` to `starts[k + 1]` in the third array.
    """
    n = len(above)
    states, starts = np.empty(1 << n, np.int64), np.empty((1 << n) + 1, np.int64)
    nexts = np.empty(n << n, np.int8)
    number, end = 0, 0
    for state in range(1 << n):
        before, possible = end, True
        for event in range(n):
            ready = above[event] & ~state == 0
            if state >> event & 1:
                if not ready:
                    possible = False
                    break
            elif ready:
                nexts[end] = event
                end += 1
        if possible:
            states[number], starts[number] = state, before
            number += 1
        else:
            end = before
    starts[number] = end
    return states[:number], starts[: number + 1], nexts[:end]


@njit(cache=True, nogil=True)
def probabilities(states, starts, nexts, rates):  # type: ignore[no-untyped-def]
    """Return for each set how likely it is reached, the rate at which it is left, and seen.

    The time of observation is one more event, of rate 1, which ends everything.
    """
    size = 1 << len(rates)
    reached, leaving, seen = np.zeros(size), np.zeros(size), np.zeros(size)
    reached[0] = 1.0
    for k in range(len(states)):
        state, total = states[k], 1.0
        for at in range(starts[k], starts[k + 1]):
            total += rates[nexts[at]]
        share = reached[state] / total
        leaving[state], seen[state] = total, share
        for at in range(starts[k], starts[k + 1]):
            reached[state | 1 << nexts[at]] += share * rates[nexts[at]]
    return reached, leaving, seen


@njit(cache=True, nogil=True)
def blur(values, known, error):  # type: ignore[no-untyped-def]
    """See each event through errors, in place; sum over the events that are not known."""
    size = len(values)
    bit = 1
    while bit < size:
        same, other = (1.0 - error, error) if known & bit else (1.0, 1.0)
        for start in range(0, size, 2 * bit):
            for absent in range(start, start + bit):
                present = absent + bit
                one, two = values[absent], values[present]
                values[absent] = same * one + other * two
                values[present] = other * one + same * two
        bit *= 2


@njit(cache=True, nogil=True)
def blur_counting(values, errors, known, error):  # type: ignore[no-untyped-def]
    """Do as `blur` does, and sum up beside it how many errors that takes, times how likely."""
    size = len(values)
    bit = 1
    while bit < size:
        told = known & bit != 0
        same, other = (1.0 - error, error) if told else (1.0, 1.0)
        wrong = error if told else 0.0
        for start in range(0, size, 2 * bit):
            for absent in range(start, start + bit):
                present = absent + bit
                one, two = values[absent], values[present]
                first, second = errors[absent], errors[present]
                values[absent] = same * one + other * two
                values[present] = other * one + same * two
                errors[absent] = same * first + other * second + wrong * two
                errors[present] = other * first + same * second + wrong * one
        bit *= 2


@njit(cache=True, nogil=True)
def expectations(states, starts, nexts, rates, error, data):  # type: ignore[no-untyped-def]
    """Return the log-likelihood, how often each event came, how long it was waited for, and errors.

    All expected given what was seen, summed over the samples; the path of a sample ends when it
    is observed. Expectation maximisation would set each rate to `came / waited` next. `data` holds
    the distinct genotypes as sets, how often each was seen, which events were known in it (equal
    ones stand together), and how many entries are known in all.
    """
    n = len(rates)
    reached, leaving, seen = probabilities(states, starts, nexts, rates)
    height, mistakes, ends = _ends(states, seen, error, data)
    came, waited = np.zeros(n), np.zeros(n)
    for k in range(len(states) - 1, -1, -1):
        state = states[k]
        through = ends[state]  # paths that go through, by how likely the state is reached
        for at in range(starts[k], starts[k + 1]):
            through += rates[nexts[at]] * ends[state | 1 << nexts[at]]
        through /= leaving[state]
        ends[state] = through
        share = reached[state] / leaving[state]
        for at in range(starts[k], starts[k + 1]):
            came[nexts[at]] += share * rates[nexts[at]] * ends[state | 1 << nexts[at]]
            waited[nexts[at]] += share * through
    return height, came, waited, mistakes


@njit(cache=True, nogil=True)
def _ends(states, seen, error, data):  # type: ignore[no-untyped-def]
    """Return the log-likelihood, the errors to expect, and how often each set was the true one.

    The last by how likely each set is. Few states are gone through one by one for each genotype,
    many are blurred all at once.
    """
    if len(data[0]) * len(states) < _WORTH * len(seen) * math.log2(len(seen)):
        return _ends_by_state(states, seen, error, data)
    return _ends_by_blur(seen, error, data)


@njit(cache=True, nogil=True)
def _ends_by_state(states, seen, error, data):  # type: ignore[no-untyped-def]
    genotypes, times, known, _entries = data
    ends, bits = np.zeros_like(seen), _bits(len(seen))
    chance = np.empty(bits[len(seen) - 1] + 1)  # of so many errors
    height, mistakes = 0.0, 0.0
    for k in range(len(genotypes)):
        at, told = genotypes[k], known[k]
        if k == 0 or bits[told] != bits[known[k - 1]]:
            for errors in range(bits[told] + 1):
                chance[errors] = error**errors * (1.0 - error) ** (bits[told] - errors)
        total, wrong = 0.0, 0.0
        for state in states:
            errors = bits[(at ^ state) & told]
            likely = seen[state] * chance[errors]
            total += likely
            wrong += likely * errors
        height += times[k] * (math.log(total) if total > 0 else -math.inf)
        weight = times[k] / max(total, _LEAST)
        mistakes += weight * wrong
        for state in states:
            ends[state] += weight * chance[bits[(at ^ state) & told]]
    return height, mistakes, ends


@njit(cache=True, nogil=True)
def _ends_by_blur(seen, error, data):  # type: ignore[no-untyped-def]
    genotypes, times, known, _entries = data
    ends = np.zeros_like(seen)
    blurred, errors, back = np.empty_like(seen), np.empty_like(seen), np.empty_like(seen)
    height, mistakes, first = 0.0, 0.0, 0
    while first < len(genotypes):
        for k in range(len(seen)):
            blurred[k], errors[k], back[k] = seen[k], 0.0, 0.0
        blur_counting(blurred, errors, known[first], error)
        last = first
        while last < len(genotypes) and known[last] == known[first]:
            at = genotypes[last]
            height += times[last] * (math.log(blurred[at]) if blurred[at] > 0 else -math.inf)
            back[at] = times[last] / max(blurred[at], _LEAST)
            mistakes += back[at] * errors[at]
            last += 1
        blur(back, known[first], error)
        for k in range(len(seen)):
            ends[k] += back[k]
        first = last
    return height, mistakes, ends


@njit(cache=True, nogil=True)
def _bits(size):  # type: ignore[no-untyped-def]
    """Return how many events each set has."""
    bits = np.zeros(size, np.int64)
    for k in range(1, size):
        bits[k] = bits[k >> 1] + (k & 1)
    return bits
