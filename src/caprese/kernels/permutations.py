"""Permutations of one event over the samples: how often it then meets each of the others."""

import numpy as np

from caprese.kernels.bits import popcount
from caprese.kernels.compiling import kernel
from caprese.kernels.random import next_state, random_bits, stream

_LOW = np.uint64(0xFFFFFFFF)
_PLACES = 8  # binary places of the share of samples that are drawn together
_SHARES = (1 << _PLACES) - 1


@kernel
def permuted_counts(columns, samples, carriers, seed, start, stop, counts):  # type: ignore[no-untyped-def]
    """Fill rows `start` to `stop` of `counts`: one permutation each, a count for each column.

    To permute an event is to draw its carriers from the samples. Each permutation has its own
    random stream.

    Parameters
    ----------
    columns
        One for each event, 64 samples in a word; bits beyond the last sample are not set.
    samples
        How many samples there are, fewer than 2 ** 32.
    carriers
        How many of them carry the event that is permuted.
    """
    chosen = np.empty(columns.shape[1], np.uint64)
    for permutation in range(start, stop):
        _draw(chosen, samples, carriers, stream(seed, permutation))
        for column in range(len(columns)):
            meet = np.int64(0)
            for word in range(len(chosen)):
                meet += np.int64(popcount(columns[column, word] & chosen[word]))  # type: ignore[call-arg]
            counts[permutation, column] = meet


@kernel
def _draw(chosen, samples, number, state):  # type: ignore[no-untyped-def]
    """Set the bits of so many different samples, all sets of them equally likely.

    Each sample is drawn by itself with a probability a little smaller than needed, 64 at a time.
    Then single samples are added or removed at random until the number is right. Neither favours
    any sample, so all sets of the right number are equally likely in the end.
    """
    share = number * _SHARES // samples
    drawn = np.int64(0)
    for word in range(len(chosen)):
        bits = np.uint64(0)
        for place in range(_PLACES):  # of the share as a binary number, from the last
            state = next_state(state)
            if share >> place & 1:
                bits |= random_bits(state)
            else:
                bits &= random_bits(state)
        if 64 * word + 64 > samples:
            bits &= (np.uint64(1) << np.uint64(samples - 64 * word)) - np.uint64(1)
        chosen[word] = bits
        drawn += np.int64(popcount(bits))  # type: ignore[call-arg]
    bound = np.uint64(samples)
    unfair = (np.uint64(1 << 32) - bound) % bound
    while drawn != number:
        state = next_state(state)
        product = (random_bits(state) >> np.uint64(32)) * bound
        if (product & _LOW) >= unfair:
            sample = product >> np.uint64(32)
            word, bit = sample >> np.uint64(6), np.uint64(1) << (sample & np.uint64(63))
            if (chosen[word] & bit != np.uint64(0)) == (drawn > number):
                chosen[word] ^= bit
                drawn += 1 if drawn < number else -1
