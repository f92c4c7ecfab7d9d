"""Pair counts on packed bits: 64 samples per machine word, counted by one instruction."""

import cython
import numpy as np
from cython.cimports.caprese.kernels.many_words import common_bits

from caprese._core.arrays import BoolArray, IntArray, Integer, OctetArray, WordArray
from caprese.kernels.threads import over_spans

_BLOCK = 256  # words per column and pass; a few hundred columns stay in the second-level cache
_WORTH_A_THREAD = 2**23  # entries


def pair_counts(*tables: BoolArray) -> IntArray:
    """Return how many rows are True in both columns, for every pair of columns of all tables.

    The tables have the same number of rows; only their packed bits are copied.
    """
    words = (len(tables[0]) + 63) // 64
    columns = sum(table.shape[1] for table in tables)
    packed = np.empty((columns, words), dtype=np.uint64)
    octets = [np.ascontiguousarray(table).view(np.uint8) for table in tables]

    def counted(start: int, stop: int) -> IntArray:
        above = 0
        for table in octets:
            pack(table, packed[above : above + table.shape[1]], start, stop)
            above += table.shape[1]
        return upper_counts(packed, start, stop)

    parts = over_spans(counted, words, least=_WORTH_A_THREAD // (64 * max(1, columns)))
    counts = np.sum(parts, axis=0)[:columns, :columns]
    return np.maximum(counts, counts.T)


def pack(octets: OctetArray, packed: WordArray, start: Integer, stop: Integer) -> None:
    """Fill words `start` to `stop` of each row of `packed` with a column of a 0/1 table.

    Row ``64 * w + k`` of the table becomes bit k of word w; there are none beyond its last row.
    """
    room = np.zeros((8, octets.shape[1]), dtype=np.uint8)
    _pack(octets, packed, start, stop, room)


def _pack(
    octets: OctetArray, packed: WordArray, start: Integer, stop: Integer, eights: OctetArray
) -> None:
    """Pack eight rows to the bits of a byte, then eight bytes to a word."""
    with cython.nogil:
        for word in range(start, stop):
            for place in range(64):
                _push(eights, place // 8, octets, 64 * word + place)
            for column in range(octets.shape[1]):
                bits: cython.ulonglong = 0
                for eight in range(8):
                    bits |= cython.cast(cython.ulonglong, eights[eight, column]) << (8 * eight)
                packed[column, word] = bits


def _push(eights: OctetArray, eight: Integer, octets: OctetArray, row: Integer) -> None:
    """Shift the bits of each entry down and put a row of the table above them."""
    last = octets.shape[0] - 1
    mask: cython.uchar = 0x80 if row <= last else 0
    row = min(row, last)
    for column in range(octets.shape[1]):
        eights[eight, column] = (eights[eight, column] >> 1) | (octets[row, column] << 7 & mask)


def upper_counts(packed: WordArray, start: Integer, stop: Integer) -> IntArray:
    """Return the pair counts of columns in words `start` to `stop`, as `add_pair_counts` does."""
    size = packed.shape[0] + packed.shape[0] % 2
    upper = np.zeros((size, size), dtype=np.int64)
    _count(packed, start, stop, upper)
    return upper


def _count(packed: WordArray, start: Integer, stop: Integer, upper: IntArray) -> None:
    with cython.nogil:
        while start < stop:
            last = min(stop, start + _BLOCK)
            add_pair_counts(packed, start, last, upper)
            start = last


def add_pair_counts(packed: WordArray, start: Integer, stop: Integer, upper: IntArray) -> None:
    """Add the pair counts of columns in words `start` to `stop`, those above the diagonal.

    The size of `upper` is even, and what is added beyond the last column has no meaning; nor have
    the few counts that are added below the diagonal.
    """
    for row in range(upper.shape[0] // 2):
        for column in range(row, upper.shape[0] // 2):
            i, j = 2 * row, 2 * column
            ac, ad, bc, bd = common_bits(packed, i, packed, j, start, stop)
            upper[i, j] += ac
            upper[i, j + 1] += ad
            upper[i + 1, j] += bc
            upper[i + 1, j + 1] += bd
