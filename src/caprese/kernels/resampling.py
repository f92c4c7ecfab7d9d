"""Pair counts of many resampled or simulated data sets, on packed bits."""

import numpy as np

from caprese.kernels.bits import popcount, transpose
from caprese.kernels.compiling import kernel
from caprese.kernels.random import next_state, random_bits, random_indices, stream, threshold


@kernel
def resample(samples, seed, replicate):  # type: ignore[no-untyped-def]
    """Return the positions of the samples of a replicate."""
    chosen = np.empty(samples, dtype=np.int64)
    random_indices(stream(seed, replicate), samples, chosen)
    return chosen


@kernel
def resampled_pair_counts(rows, columns, seed, start, stop):  # type: ignore[no-untyped-def]
    """Return the pair counts of the resamples `start` to `stop` of a 0/1 table.

    Parameters
    ----------
    rows
        The table, 64 columns to a word: column c of a row is bit c % 64 of its word c // 64.
    """
    samples = len(rows)
    packed = np.empty((64 * rows.shape[1], (samples + 63) // 64), dtype=np.uint64)
    counts = np.empty((stop - start, columns, columns), dtype=np.int64)
    chosen = np.empty(samples, dtype=np.int64)
    block = np.empty(64, dtype=np.uint64)
    for replicate in range(start, stop):
        random_indices(stream(seed, replicate), samples, chosen)
        for position in range(packed.shape[1]):
            first = 64 * position
            for word in range(rows.shape[1]):
                block[:] = 0
                for k in range(min(64, samples - first)):
                    block[k] = rows[chosen[first + k], word]
                transpose(block)
                for column in range(min(64, columns - 64 * word)):
                    packed[64 * word + column, position] = block[column]
        _count(packed[:columns], counts[replicate - start])
    return counts


@kernel
def simulated_samples(samples, model, seed, replicate):  # type: ignore[no-untyped-def]
    """Return the samples of a replicate simulated from a forest with errors, samples x events."""
    n = len(model[0])
    packed = np.empty((n, (samples + 63) // 64), dtype=np.uint64)
    _simulate(packed, samples, model, stream(seed, replicate))
    table = np.empty((samples, n), dtype=np.bool_)
    for k in range(samples):
        for event in range(n):
            table[k, event] = (packed[event, k // 64] >> np.uint64(k % 64)) & np.uint64(1)
    return table


@kernel
def simulated_pair_counts(samples, known, model, seed, start, stop):  # type: ignore[no-untyped-def]
    """Return the pair counts of the replicates `start` to `stop`, simulated from a forest.

    Parameters
    ----------
    known
        Packed, a row of words for each event: in which samples it is known. No rows if there are
        no unknown entries. Otherwise the counted columns are the observed events, then these rows.
    model
        Parents, order, order by name, probabilities, false positive and false negative rate.
    """
    n = len(model[0])
    columns = n + len(known)
    packed = np.empty((columns, (samples + 63) // 64), dtype=np.uint64)
    packed[n:] = known
    counts = np.empty((stop - start, columns, columns), dtype=np.int64)
    for replicate in range(start, stop):
        _simulate(packed[:n], samples, model, stream(seed, replicate))
        if len(known):
            packed[:n] &= known
        _count(packed, counts[replicate - start])
    return counts


@kernel
def _simulate(packed, samples, model, state):  # type: ignore[no-untyped-def]
    """Draw each event, remove it where its parent is absent, then add the errors."""
    parents, order, by_name, probabilities, false_positive, false_negative = model
    added, missed = np.empty_like(packed[0]), np.empty_like(packed[0])
    for event in by_name:
        state = _bernoulli_bits(packed[event], missed, samples, probabilities[event], 0.0, state)
    for event in order:
        if parents[event] >= 0:
            packed[event] &= packed[parents[event]]
    if false_positive > 0 or false_negative > 0:
        for event in by_name:
            state = _bernoulli_bits(added, missed, samples, false_positive, false_negative, state)
            packed[event] = (packed[event] & ~missed) | (added & ~packed[event])


@kernel
def _bernoulli_bits(words, others, samples, probability, other, state):  # type: ignore[no-untyped-def]
    """Fill one random bit per sample for each of two probabilities, from the same draw.

    An entry is either present or absent, so one draw is enough for both kinds of error.
    """
    limit, other_limit = threshold(probability), threshold(other)
    for position in range(len(words)):
        word, other_word = np.uint64(0), np.uint64(0)
        for shift in range(min(64, samples - 64 * position)):
            state = next_state(state)
            draw, bit = random_bits(state) >> np.uint64(11), np.uint64(1) << np.uint64(shift)
            if draw < limit:
                word |= bit
            if draw < other_limit:
                other_word |= bit
        words[position], others[position] = word, other_word
    return state


@kernel
def _count(packed, counts):  # type: ignore[no-untyped-def]
    columns, words = packed.shape
    for i in range(columns):
        for j in range(i, columns):
            both = np.int64(0)
            for word in range(words):
                both += np.int64(popcount(packed[i, word] & packed[j, word]))  # type: ignore[call-arg]
            counts[i, j] = counts[j, i] = both
