"""Pair counts of many resampled, simulated or permuted data sets, on packed bits.

Each replicate has its own random stream. There are fewer than 2 ** 32 samples.
"""

import cython
import numpy as np
from cython.cimports.caprese.kernels.bits import add_pair_counts
from cython.cimports.caprese.kernels.many_words import bits_below, common_bits, fill_with_share
from cython.cimports.caprese.kernels.words import next_state, popcount, random_bits, stream_of

from caprese._core.arrays import BoolArray, FloatArray, IntArray, Integer, OctetArray, WordArray

_STEPS = 9007199254740992.0  # 2 ** 53
_HALF = 0xFFFFFFFF  # the lower half of a word
_SHARES = 255  # of 256: a little less than the whole


class Source:
    """A forest with errors, from which samples are simulated."""

    def __init__(
        self,
        parents: IntArray,
        order: IntArray,
        by_name: IntArray,
        probabilities: FloatArray,
        false_positive: float,
        false_negative: float,
    ) -> None:
        self.parents, self.order, self.by_name = parents, order, by_name
        self.probabilities = probabilities
        self.false_positive, self.false_negative = false_positive, false_negative


Model = tuple[IntArray, IntArray, IntArray, FloatArray, float, float]
"""The arguments of a `Source`."""


def resample(samples: Integer, seed: Integer, replicate: Integer) -> IntArray:
    """Return the positions of the samples of a replicate."""
    chosen = np.empty(samples, dtype=np.int64)
    _draw_samples(seed, replicate, chosen)
    return chosen


def resampled_pair_counts(
    rows: WordArray, columns: Integer, seed: Integer, start: Integer, stop: Integer
) -> IntArray:
    """Return the pair counts of the resamples `start` to `stop` of a 0/1 table.

    Parameters
    ----------
    rows
        The table, 64 columns to a word: column c of a row is bit c % 64 of its word c // 64.
    """
    counts = np.empty((stop - start, columns, columns), dtype=np.int64)
    chosen = np.empty(rows.shape[0], dtype=np.int64)
    block = np.empty(64, dtype=np.uint64)
    packed = np.empty((columns, (rows.shape[0] + 63) // 64), dtype=np.uint64)
    _count_resamples(rows, seed, start, chosen, block, packed, _upper(columns), counts)
    return counts


def _count_resamples(
    rows: WordArray,
    seed: Integer,
    start: Integer,
    chosen: IntArray,
    block: WordArray,
    packed: WordArray,
    upper: IntArray,
    counts: IntArray,
) -> None:
    with cython.nogil:
        for replicate in range(counts.shape[0]):
            _draw_samples(seed, start + replicate, chosen)
            for position in range(packed.shape[1]):
                for word in range(rows.shape[1]):
                    _pack_chosen(rows, word, chosen, position, block, packed)
            _count(packed, upper, counts, replicate)


def _pack_chosen(
    rows: WordArray,
    word: Integer,
    chosen: IntArray,
    position: Integer,
    block: WordArray,
    packed: WordArray,
) -> None:
    """Pack 64 samples, of each the 64 columns in a word."""
    first = 64 * position
    samples = min(64, chosen.shape[0] - first)
    for k in range(samples):
        block[k] = rows[chosen[first + k], word]
    for k in range(samples, 64):
        block[k] = 0
    columns = min(64, packed.shape[0] - 64 * word)
    _transpose(block, columns)
    for column in range(columns):
        packed[64 * word + column, position] = block[column]


def _transpose(block: WordArray, number: Integer) -> None:
    """Transpose 64 words of 64 bits in place: bit j of word k becomes bit k of word j.

    Only the first words of the result, so many, are right.
    """
    mask: cython.ulonglong = 0x00000000FFFFFFFF
    width: cython.Py_ssize_t = 32
    while width:
        square: cython.Py_ssize_t = 0
        while square < number:  # swap its upper right and its lower left quarter
            for k in range(square, square + width):
                other = ((block[k] >> width) ^ block[k + width]) & mask
                block[k] ^= other << width
                block[k + width] ^= other
            square += 2 * width
        width >>= 1
        mask ^= mask << width


def simulated_samples(
    samples: Integer, model: Model, seed: Integer, replicate: Integer
) -> BoolArray:
    """Return the samples of a replicate simulated from a forest with errors, samples x events."""
    events = len(model[0])
    packed = np.empty((events, (samples + 63) // 64), dtype=np.uint64)
    table = np.empty((samples, events), dtype=np.uint8)
    _fill_table(Source(*model), seed, replicate, packed, np.empty(events, dtype=np.uint64), table)
    return table.view(np.bool_)


def _fill_table(
    source: Source,
    seed: Integer,
    replicate: Integer,
    packed: WordArray,
    words: WordArray,
    table: OctetArray,
) -> None:
    with cython.nogil:
        _simulate(source, table.shape[0], stream_of(seed, replicate), packed)
        for position in range(packed.shape[1]):
            for event in range(table.shape[1]):
                words[event] = packed[event, position]
            for place in range(min(64, table.shape[0] - 64 * position)):
                for event in range(table.shape[1]):
                    table[64 * position + place, event] = words[event] >> place & 1


def simulated_pair_counts(
    samples: Integer,
    known: WordArray,
    model: Model,
    seed: Integer,
    start: Integer,
    stop: Integer,
) -> IntArray:
    """Return the pair counts of the replicates `start` to `stop`, simulated from a forest.

    Parameters
    ----------
    known
        Packed, a row of words for each event: in which samples it is known. No rows if there are
        no unknown entries. Otherwise the counted columns are the observed events, then these rows.
    """
    columns = len(model[0]) + known.shape[0]
    counts = np.empty((stop - start, columns, columns), dtype=np.int64)
    packed = np.empty((columns, (samples + 63) // 64), dtype=np.uint64)
    _count_simulated(Source(*model), samples, known, seed, start, packed, _upper(columns), counts)
    return counts


def _count_simulated(
    source: Source,
    samples: Integer,
    known: WordArray,
    seed: Integer,
    start: Integer,
    packed: WordArray,
    upper: IntArray,
    counts: IntArray,
) -> None:
    events = source.parents.shape[0]
    with cython.nogil:
        for row in range(known.shape[0]):
            for word in range(known.shape[1]):
                packed[events + row, word] = known[row, word]
        for replicate in range(counts.shape[0]):
            _simulate(source, samples, stream_of(seed, start + replicate), packed)
            for row in range(known.shape[0]):
                for word in range(known.shape[1]):
                    packed[row, word] &= known[row, word]
            _count(packed, upper, counts, replicate)


def _simulate(source: Source, samples: Integer, state: Integer, packed: WordArray) -> None:
    """Draw each event, remove it where its parent is absent, then add the errors."""
    for k in range(source.by_name.shape[0]):
        event = source.by_name[k]
        limit = _threshold(source.probabilities[event])
        for word in range(packed.shape[1]):
            number = min(64, samples - 64 * word)
            state, bits, _ = bits_below(state, number, limit, 0)
            packed[event, word] = bits
    for k in range(source.order.shape[0]):
        event = source.order[k]
        parent = source.parents[event]
        if parent >= 0:
            for word in range(packed.shape[1]):
                packed[event, word] &= packed[parent, word]
    if source.false_positive > 0 or source.false_negative > 0:
        _add_errors(source, samples, state, packed)


def _add_errors(source: Source, samples: Integer, state: Integer, packed: WordArray) -> None:
    """Add the false positives and the false negatives.

    An entry is either present or absent, so one draw is enough for both kinds of error.
    """
    limit, other_limit = _threshold(source.false_positive), _threshold(source.false_negative)
    for k in range(source.by_name.shape[0]):
        event = source.by_name[k]
        for word in range(packed.shape[1]):
            number = min(64, samples - 64 * word)
            state, added, missed = bits_below(state, number, limit, other_limit)
            true = packed[event, word]
            packed[event, word] = true ^ ((true & missed) | (~true & added))


def _threshold(probability: float) -> int:
    """Return the number that the upper 53 random bits are below with this probability."""
    return cython.cast(cython.ulonglong, probability * _STEPS)


def _upper(columns: Integer) -> IntArray:
    """Return room for the counts of `add_pair_counts`."""
    size = columns + columns % 2
    return np.empty((size, size), dtype=np.int64)


def _count(packed: WordArray, upper: IntArray, counts: IntArray, replicate: Integer) -> None:
    """Fill the pair counts of a replicate."""
    upper[:, :] = 0
    add_pair_counts(packed, 0, packed.shape[1], upper)
    for i in range(packed.shape[0]):  # one row after the other, as they are in memory
        for j in range(i):
            counts[replicate, i, j] = upper[j, i]
        for j in range(i, packed.shape[0]):
            counts[replicate, i, j] = upper[i, j]


def permuted_counts(
    columns: WordArray,
    samples: Integer,
    carriers: Integer,
    seed: Integer,
    start: Integer,
    stop: Integer,
    counts: IntArray,
) -> None:
    """Fill rows `start` to `stop` of `counts`: one permutation each, a count for each column.

    To permute an event is to draw its carriers from the samples.

    Parameters
    ----------
    columns
        One for each event, 64 samples in a word; bits beyond the last sample are not set.
    carriers
        How many samples carry the event that is permuted.
    """
    chosen = np.empty((2, columns.shape[1]), dtype=np.uint64)
    _permute(columns, samples, carriers, seed, start, stop, chosen, counts)


def _permute(
    columns: WordArray,
    samples: Integer,
    carriers: Integer,
    seed: Integer,
    start: Integer,
    stop: Integer,
    chosen: WordArray,
    counts: IntArray,
) -> None:
    with cython.nogil:
        while start < stop:
            number = min(2, stop - start)
            for row in range(number):
                _draw_carriers(stream_of(seed, start + row), samples, carriers, chosen, row)
            _count_two(columns, chosen, number, start, counts)
            start += number


def _count_two(
    columns: WordArray, chosen: WordArray, number: Integer, first: Integer, counts: IntArray
) -> None:
    """Count the carriers that each column holds, of two permutations or of one."""
    words = columns.shape[1]
    for half in range((columns.shape[0] + 1) // 2):
        column = 2 * half
        ac, ad, bc, bd = common_bits(chosen, 0, columns, column, 0, words)
        is_pair: cython.bint = column + 1 < columns.shape[0]
        counts[first, column] = ac
        if is_pair:
            counts[first, column + 1] = ad
        if number > 1:
            counts[first + 1, column] = bc
            if is_pair:
                counts[first + 1, column + 1] = bd


def _draw_carriers(
    state: Integer, samples: Integer, number: Integer, chosen: WordArray, row: Integer
) -> None:
    """Set the bits of so many different samples, all sets of them equally likely.

    Each sample is drawn by itself with a probability a little smaller than needed, 64 at a time.
    Then single samples are added or removed at random until the number is right. Neither favours
    any sample, so all sets of the right number are equally likely in the end.
    """
    words = chosen.shape[1]
    state = fill_with_share(state, number * _SHARES // max(1, samples), chosen, row)
    if samples % 64:
        chosen[row, words - 1] &= (cython.cast(cython.ulonglong, 1) << (samples % 64)) - 1
    drawn: cython.Py_ssize_t = 0
    for word in range(words):
        drawn += popcount(chosen[row, word])
    while drawn != number:
        state, sample = _draw_below(state, samples)
        bit = cython.cast(cython.ulonglong, 1) << (sample % 64)
        is_chosen: cython.bint = chosen[row, sample // 64] & bit != 0
        if is_chosen == (drawn > number):
            chosen[row, sample // 64] ^= bit
            drawn += 1 if drawn < number else -1


def _draw_samples(seed: Integer, replicate: Integer, chosen: IntArray) -> None:
    """Fill the positions of the samples of a replicate, drawn with replacement."""
    state = stream_of(seed, replicate)
    for k in range(chosen.shape[0]):
        state, chosen[k] = _draw_below(state, chosen.shape[0])


def _draw_below(state: Integer, bound: Integer) -> tuple[int, int]:
    """Return the next state, and a uniform integer in [0, bound) (Lemire 2019)."""
    while True:
        state = next_state(state)
        product = (random_bits(state) >> 32) * bound
        rest = product & _HALF
        if rest >= bound or rest >= (_HALF + 1 - bound) % bound:
            return state, product >> 32
