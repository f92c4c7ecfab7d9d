"""Sums for tests of many pairs of columns: ranks of two groups, and hypergeometric tails."""

import cython
import numpy as np
from cython.cimports.caprese.kernels.elementary import exp, log, sqrt

from caprese._core.arrays import BoolArray, FloatArray, IntArray, Integer

_SPREADS, _MORE = 10.0, 60.0  # beyond these all terms together are below rounding


def rank_sums(
    first: FloatArray, second: FloatArray, valid: BoolArray
) -> tuple[FloatArray, IntArray, FloatArray]:
    """Return Mann and Whitney's W, the number of values and the tie term, for each column.

    W counts the pairs in which the first is larger, ties by half. The tie term is the sum of
    t^3 - t over all groups of t equal values of both together.

    Parameters
    ----------
    first, second
        Rows of values.
    valid
        Which rows count in each column.
    """
    numbers = valid.sum(axis=0, dtype=np.int64)
    larger, ties = np.zeros(len(numbers)), np.zeros(len(numbers))
    counts: cython.longlong[::1] = numbers
    ones: cython.double[:, ::1] = _ascending(first, valid)
    others: cython.double[:, ::1] = _ascending(second, valid)
    wins: cython.double[::1] = larger
    tied: cython.double[::1] = ties
    with cython.nogil:
        for column in range(len(counts)):
            wins[column], tied[column] = _merged(ones, others, column, counts[column])
    return larger, numbers, ties


def _ascending(values: FloatArray, valid: BoolArray) -> FloatArray:
    """Return the values that count of each column in ascending order, as the start of a row."""
    rows = np.ascontiguousarray(np.where(valid, values, np.inf).T)
    rows.sort(axis=1)
    return rows


def _merged(
    ones: FloatArray, others: FloatArray, row: Integer, number: Integer
) -> tuple[float, float]:
    """Return W and the tie term of two rows in ascending order."""
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t = 0
    larger, ties = 0.0, 0.0
    while i < number or j < number:
        from_ones: cython.bint = j >= number or (i < number and ones[row, i] <= others[row, j])
        value: float = ones[row, i] if from_ones else others[row, j]
        smaller, start = j, i
        while i < number and ones[row, i] == value:
            i += 1
        while j < number and others[row, j] == value:
            j += 1
        own, equal = i - start, j - smaller
        larger += own * (smaller + 0.5 * equal)
        group: float = own + equal
        ties += group * group * group - group
    return larger, ties


def hypergeometric_tails(
    joint: IntArray, first: IntArray, rest: IntArray, second: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Return P(X > joint) and P(X >= joint), for each entry of equally long arrays.

    X is how many of `first` are among `second` drawn from `first` and `rest`.
    """
    most = 0
    for k in range(len(joint)):
        most = max(most, first[k] + rest[k])
    logarithms, tails, tails_from_here = (
        np.zeros(most + 1),
        np.empty(len(joint)),
        np.empty(len(joint)),
    )
    logs: cython.double[::1] = logarithms
    above: cython.double[::1] = tails
    from_here: cython.double[::1] = tails_from_here
    with cython.nogil:
        for number in range(2, most + 1):
            logs[number] = logs[number - 1] + log(number)
        for k in range(len(joint)):
            total = first[k] + rest[k]
            common = (
                logs[first[k]]
                + logs[rest[k]]
                + logs[second[k]]
                + logs[total - second[k]]
                - logs[total]
            )
            tail, own = 0.0, 0.0
            low = max(joint[k], second[k] - rest[k])
            mean: float = cython.cast(cython.double, first[k]) / max(total, 1) * second[k]
            beyond: float = (
                max(cython.cast(cython.double, low), mean) + _SPREADS * sqrt(mean) + _MORE
            )
            highest = min(first[k], second[k])
            if beyond < highest:
                highest = cython.cast(cython.Py_ssize_t, beyond)
            for number in range(highest, low - 1, -1):
                term = exp(
                    common
                    - logs[number]
                    - logs[first[k] - number]
                    - logs[second[k] - number]
                    - logs[rest[k] - second[k] + number]
                )
                if number > joint[k]:
                    tail += term
                else:
                    own = term
            above[k] = min(tail, 1.0)
            from_here[k] = min(tail + own, 1.0)
    return tails, tails_from_here
