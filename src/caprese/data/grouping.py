"""Distinct rows of a table, in the order of their content, and columns that are equal.

Rows are packed into few words of 64 bits whose numerical order is the order of the rows. Sorting
these takes a tenth of the time of sorting rows of bytes, and memory for an eighth of them.
"""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import BoolArray, IntArray

ROWS_AT_ONCE = 2**13
"""A multiple of eight, so that the bits of so many rows fill whole bytes."""


def distinct_rows(
    values: BoolArray, known: BoolArray | None, order: IntArray
) -> tuple[IntArray, IntArray]:
    """Return the first row of each kind, and for each row which of these kinds it is.

    Kinds are sorted by their entries, those of the columns in `order` first to last: absent before
    present before unknown.
    """
    words = _words(values, known, order)
    rows = np.lexsort(words[::-1])
    ordered = words[:, rows]
    starts = np.append(True, (ordered[:, 1:] != ordered[:, :-1]).any(axis=0))
    kind = np.empty(len(rows), dtype=np.int64)
    kind[rows] = np.cumsum(starts) - 1
    return rows[starts], kind


def equal_columns(*tables: BoolArray) -> list[list[int]]:
    """Return the groups of two or more columns that are equal in each of the tables.

    Columns are compared many rows at a time; those that already differ from all others are not
    looked at again, so that most tables are not read to their end.
    """
    groups = [list(range(tables[0].shape[1]))]
    for table in tables:
        for block in row_blocks(len(table)):
            left = [(number, column) for number, group in enumerate(groups) for column in group]
            bits = np.packbits(table[block].take([column for _, column in left], axis=1), axis=0)
            parts = defaultdict[tuple[int, bytes], list[int]](list)
            for (number, column), content in zip(left, np.ascontiguousarray(bits.T), strict=True):
                parts[number, content.tobytes()].append(column)
            groups = [part for part in parts.values() if len(part) > 1]
            if not groups:
                return []
    return groups


def row_blocks(number: int) -> Iterator[slice]:
    """Yield slices of rows that are small enough to be copied without much memory."""
    for start in range(0, number, ROWS_AT_ONCE):
        yield slice(start, start + ROWS_AT_ONCE)


def _words(values: BoolArray, known: BoolArray | None, order: IntArray) -> NDArray[np.uint64]:
    """Return the content of each row as numbers, words x rows: the first words come first."""
    bits = len(order) * (1 if known is None else 2)
    words = np.empty((-(-bits // 64), len(values)), dtype=np.uint64)
    for block in row_blocks(len(values)):
        entries = values[block].take(order, axis=1)
        if known is not None:
            pairs = np.stack([~known[block].take(order, axis=1), entries], axis=-1)
            entries = pairs.reshape(len(entries), -1)
        packed = np.zeros((len(entries), 8 * len(words)), dtype=np.uint8)
        packed[:, : -(-bits // 8)] = np.packbits(entries, axis=1)
        words[:, block] = packed.view(">u8").T
    return words
