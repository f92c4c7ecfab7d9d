"""The lattice of a poset: probabilities of genotypes, and expectations given the observed ones.

Sets of events are integers, event k in bit k. `ancestors[j]` is the set of all ancestors of j. A
state is a set that contains all ancestors of each of its events. Arrays over sets have 2 ** n
entries; those of sets that are not states stay 0.
"""

import math

import numpy as np
from numba import njit

_TRANSFORM_COST = 0.6  # of one step of the transform, in steps from a state to a genotype
_SMALLEST = 1e-300


@njit(cache=True, nogil=True)
def lattice(ancestors):  # type: ignore[no-untyped-def]
    """Return the states, subsets before supersets, and the events that can occur next.

    Those of state k are at `starts[k]` to `starts[k + 1]` of the third array.
    """
    n = len(ancestors)
    states, starts = np.empty(1 << n, np.int64), np.empty((1 << n) + 1, np.int64)
    nexts = np.empty(n << n, np.int8)
    number, end = 0, 0
    for state in range(1 << n):
        before, possible = end, True
        for event in range(n):
            ready = ancestors[event] & ~state == 0
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
    """Return for each set the probability to reach it, the rate of leaving, and its probability.

    The last is the probability to be in it at the time of observation, one more event of rate 1,
    after which nothing occurs.
    """
    size = 1 << len(rates)
    reached, leaving, likely = np.zeros(size), np.zeros(size), np.zeros(size)
    reached[0] = 1.0
    for k in range(len(states)):
        state, total = states[k], 1.0
        for at in range(starts[k], starts[k + 1]):
            total += rates[nexts[at]]
        share = reached[state] / total
        leaving[state], likely[state] = total, share
        for at in range(starts[k], starts[k + 1]):
            reached[state | 1 << nexts[at]] += share * rates[nexts[at]]
    return reached, leaving, likely


@njit(cache=True, nogil=True)
def observe_with_errors(values, known, error):  # type: ignore[no-untyped-def]
    """Replace probabilities of true sets by those of observed sets; unknown events are summed over.

    Works in place, one event at a time.
    """
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
def observe_counting_errors(values, errors, known, error):  # type: ignore[no-untyped-def]
    """Do the same, and sum the number of errors times their probability into `errors`."""
    size = len(values)
    bit = 1
    while bit < size:
        observed = known & bit != 0
        same, other = (1.0 - error, error) if observed else (1.0, 1.0)
        wrong = error if observed else 0.0
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
    reached, leaving, likely = probabilities(states, starts, nexts, rates)
    log_likelihood, mistakes, true_counts = _true_counts(states, likely, error, data)
    occurrences, waiting_times = np.zeros(n), np.zeros(n)
    for k in range(len(states) - 1, -1, -1):
        state = states[k]
        # Expected paths through the state, divided by the probability to reach it.
        through = true_counts[state]
        for at in range(starts[k], starts[k + 1]):
            through += rates[nexts[at]] * true_counts[state | 1 << nexts[at]]
        through /= leaving[state]
        true_counts[state] = through
        share = reached[state] / leaving[state]
        for at in range(starts[k], starts[k + 1]):
            following = true_counts[state | 1 << nexts[at]]
            occurrences[nexts[at]] += share * rates[nexts[at]] * following
            waiting_times[nexts[at]] += share * through
    return log_likelihood, occurrences, waiting_times, mistakes


@njit(cache=True, nogil=True)
def _true_counts(states, likely, error, data):  # type: ignore[no-untyped-def]
    """Return the log-likelihood, the expected number of errors, and of times each set was true.

    The last is divided by the probability of the set. Few states are compared with each genotype;
    for many states a transform of all sets at once is faster.
    """
    if len(data[0]) * len(states) < _TRANSFORM_COST * len(likely) * math.log2(len(likely)):
        return _true_counts_by_state(states, likely, error, data)
    return _true_counts_by_transform(likely, error, data)


@njit(cache=True, nogil=True)
def _true_counts_by_state(states, likely, error, data):  # type: ignore[no-untyped-def]
    genotypes, times, known, _entries = data
    true_counts, bits = np.zeros_like(likely), _bits(len(likely))
    chance = np.empty(bits[len(likely) - 1] + 1)  # of this number of errors
    log_likelihood, mistakes = 0.0, 0.0
    for k in range(len(genotypes)):
        at, mask = genotypes[k], known[k]
        if k == 0 or bits[mask] != bits[known[k - 1]]:
            for errors in range(bits[mask] + 1):
                chance[errors] = error**errors * (1.0 - error) ** (bits[mask] - errors)
        total, wrong = 0.0, 0.0
        for state in states:
            errors = bits[(at ^ state) & mask]
            both = likely[state] * chance[errors]
            total += both
            wrong += both * errors
        log_likelihood += times[k] * (math.log(total) if total > 0 else -math.inf)
        weight = times[k] / max(total, _SMALLEST)
        mistakes += weight * wrong
        for state in states:
            true_counts[state] += weight * chance[bits[(at ^ state) & mask]]
    return log_likelihood, mistakes, true_counts


@njit(cache=True, nogil=True)
def _true_counts_by_transform(likely, error, data):  # type: ignore[no-untyped-def]
    genotypes, times, known, _entries = data
    true_counts = np.zeros_like(likely)
    observed, errors, back = np.empty_like(likely), np.empty_like(likely), np.empty_like(likely)
    log_likelihood, mistakes, first = 0.0, 0.0, 0
    while first < len(genotypes):
        for k in range(len(likely)):
            observed[k], errors[k], back[k] = likely[k], 0.0, 0.0
        observe_counting_errors(observed, errors, known[first], error)
        last = first
        while last < len(genotypes) and known[last] == known[first]:
            at = genotypes[last]
            log_likelihood += times[last] * (
                math.log(observed[at]) if observed[at] > 0 else -math.inf
            )
            back[at] = times[last] / max(observed[at], _SMALLEST)
            mistakes += back[at] * errors[at]
            last += 1
        observe_with_errors(back, known[first], error)
        for k in range(len(likely)):
            true_counts[k] += back[k]
        first = last
    return log_likelihood, mistakes, true_counts


@njit(cache=True, nogil=True)
def _bits(size):  # type: ignore[no-untyped-def]
    """Return the number of events in each set."""
    bits = np.zeros(size, np.int64)
    for k in range(1, size):
        bits[k] = bits[k >> 1] + (k & 1)
    return bits
