"""Pair counts on packed bits: 64 samples per machine word, counted by one instruction."""

from typing import Any

import numpy as np
from numba.core.cgutils import false_bit
from numba.extending import intrinsic

from caprese._core.arrays import BoolArray, IntArray
from caprese.kernels.compiling import kernel
from caprese.kernels.threads import over_spans

_BLOCK = 256  # words per column and pass; a few hundred columns stay in the second-level cache


def pair_counts(*tables: BoolArray) -> IntArray:
    """Return how many rows are True in both columns, for every pair of columns of all tables.

    The tables have the same number of rows; only their packed bits are copied.
    """
    words = -(-len(tables[0]) // 64)
    columns = sum(table.shape[1] for table in tables)
    packed = np.empty((columns + columns % 2, words), dtype=np.uint64)
    packed[columns:] = 0
    above = 0
    for table in tables:
        into = packed[above : above + table.shape[1]]
        octets = np.ascontiguousarray(table).view(np.uint8)
        over_spans(lambda a, b, octets=octets, into=into: _pack(octets, into, a, b), words)  # type: ignore[misc]
        above += table.shape[1]
    counts: IntArray = np.sum(over_spans(lambda a, b: _count(packed, a, b), words), axis=0)
    upper = np.triu(counts[:columns, :columns])
    return upper + np.triu(upper, 1).T


@intrinsic
def popcount(_typing, word):  # type: ignore[no-untyped-def]
    """Return how many bits of a word are set, by the processor's instruction."""

    def codegen(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return word(word), codegen


@intrinsic
def trailing_zeros(_typing, word):  # type: ignore[no-untyped-def]
    """Return the place of the lowest bit that is set, by the processor's instruction."""

    def codegen(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], false_bit)

    return word(word), codegen


@kernel
def transpose(block):  # type: ignore[no-untyped-def]
    """Transpose 64 words of 64 bits in place: bit j of word k becomes bit k of word j."""
    mask, width = np.uint64(0x00000000FFFFFFFF), 32
    while width:
        shift = np.uint64(width)
        k = 0
        while k < 64:  # swap the upper right and the lower left quarter of each square
            other = ((block[k] >> shift) ^ block[k + width]) & mask
            block[k] ^= other << shift
            block[k + width] ^= other
            k = (k + width + 1) & ~width
        width >>= 1
        mask ^= mask << np.uint64(width)


@kernel
def _pack(octets, packed, start, stop):  # type: ignore[no-untyped-def]
    rows, columns = octets.shape
    word = np.empty(columns, dtype=np.uint64)
    for position in range(start, stop):
        word[:] = 0
        first = 64 * position
        for row in range(first, min(rows, first + 64)):
            shift = np.uint64(row - first)
            for column in range(columns):
                word[column] |= np.uint64(octets[row, column]) << shift
        for column in range(columns):
            packed[column, position] = word[column]


@kernel
def _count(packed, start, stop):  # type: ignore[no-untyped-def]
    """Count an even number of columns, two by two: each word that is loaded serves two pairs."""
    columns = packed.shape[0]
    upper = np.zeros((columns, columns), dtype=np.int64)
    for first in range(start, stop, _BLOCK):
        last = min(stop, first + _BLOCK)
        for i in range(0, columns, 2):
            a, b = packed[i, first:last], packed[i + 1, first:last]
            for j in range(i, columns, 2):
                c, d = packed[j, first:last], packed[j + 1, first:last]
                ac = ad = bc = bd = np.int64(0)
                for word in range(last - first):
                    ac += np.int64(popcount(a[word] & c[word]))  # type: ignore[call-arg]
                    ad += np.int64(popcount(a[word] & d[word]))
                    bc += np.int64(popcount(b[word] & c[word]))
                    bd += np.int64(popcount(b[word] & d[word]))
                upper[i, j] += ac
                upper[i, j + 1] += ad
                upper[i + 1, j] += bc
                upper[i + 1, j + 1] += bd
    return upper
