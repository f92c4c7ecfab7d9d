"""Pair counts on packed bits: 64 samples to a machine word, one instruction to count them."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numba import njit
from numba.extending import intrinsic

from caprese.arrays import BoolArray, IntArray

_BLOCK = 256  # words per column and pass, so that a few hundred columns stay in the second cache


def pair_counts(*tables: BoolArray) -> IntArray:
    """Return how many rows are True in both columns, for every pair of columns of all tables.

    The tables, equally long, stand side by side; nothing but their packed bits is copied.
    """
    words = -(-len(tables[0]) // 64)
    columns = sum(table.shape[1] for table in tables)
    packed = np.empty((columns, words), dtype=np.uint64)
    workers = os.cpu_count() or 1
    bounds = np.linspace(0, words, workers + 1).astype(np.int64)
    spans = [(int(a), int(b)) for a, b in pairwise(bounds) if a < b]
    above = 0
    for table in tables:
        rows = packed[above : above + table.shape[1]]
        octets = np.ascontiguousarray(table).view(np.uint8)
        _each(spans, lambda start, stop, octets=octets, rows=rows: _pack(octets, rows, start, stop))
        above += table.shape[1]
    partial = [np.zeros((columns, columns), dtype=np.int64) for _ in spans]
    into = dict(zip(spans, partial, strict=True))
    _each(spans, lambda start, stop: _count(packed, start, stop, into[start, stop]))
    upper: IntArray = np.sum(partial, axis=0)
    return upper + np.triu(upper, 1).T


def _each(spans: list[tuple[int, int]], work: Callable[..., Any]) -> None:
    with ThreadPoolExecutor(len(spans)) as pool:
        for done in [pool.submit(work, *span) for span in spans]:
            done.result()


@intrinsic
def _popcount(_typing, word):  # type: ignore[no-untyped-def]
    def codegen(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return word(word), codegen


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def _count(packed, start, stop, upper):  # type: ignore[no-untyped-def]
    columns = packed.shape[0]
    for first in range(start, stop, _BLOCK):
        last = min(stop, first + _BLOCK)
        for i in range(columns):
            for j in range(i, columns):
                both = np.int64(0)
                for word in range(first, last):
                    both += np.int64(_popcount(packed[i, word] & packed[j, word]))  # type: ignore[call-arg]
                upper[i, j] += both
