"""Sums for tests of many pairs of columns: ranks of two groups, and hypergeometric tails."""

import numpy as np

from caprese.kernels.compiling import kernel

_SPREADS, _MORE = 10.0, 60.0  # beyond these all terms together are below rounding


@kernel
def rank_sums(first, second, valid):  # type: ignore[no-untyped-def]
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
    _rows, columns = first.shape
    larger, ties = np.zeros(columns), np.zeros(columns)
    numbers = np.zeros(columns, dtype=np.int64)
    for column in range(columns):
        chosen = np.flatnonzero(valid[:, column])
        number = len(chosen)
        numbers[column] = number
        ones, others = np.empty(number), np.empty(number)
        for place in range(number):
            ones[place] = first[chosen[place], column]
            others[place] = second[chosen[place], column]
        ones.sort()
        others.sort()
        i = j = 0
        while i < number or j < number:
            value = ones[i] if j >= number or (i < number and ones[i] <= others[j]) else others[j]
            smaller, start = j, i
            while i < number and ones[i] == value:
                i += 1
            while j < number and others[j] == value:
                j += 1
            own, equal = i - start, j - smaller
            larger[column] += own * (smaller + 0.5 * equal)
            group = float(own + equal)
            ties[column] += group**3 - group
    return larger, numbers, ties


@kernel
def hypergeometric_tails(joint, first, rest, second):  # type: ignore[no-untyped-def]
    """Return P(X > joint) and P(X >= joint), for each entry of equally long arrays.

    X is how many of `first` are among `second` drawn from `first` and `rest`.
    """
    most = np.int64(0)
    for k in range(len(joint)):
        most = max(most, first[k] + rest[k])
    logs = np.zeros(most + 1)
    for number in range(2, most + 1):
        logs[number] = logs[number - 1] + np.log(number)
    above, from_here = np.empty(len(joint)), np.empty(len(joint))
    for k in range(len(joint)):
        total = first[k] + rest[k]
        common = (
            logs[first[k]] + logs[rest[k]] + logs[second[k]] + logs[total - second[k]] - logs[total]
        )
        tail, own = 0.0, 0.0
        low = max(joint[k], second[k] - rest[k])
        mean = first[k] / max(total, 1) * second[k]
        beyond = max(float(low), mean) + _SPREADS * np.sqrt(mean) + _MORE
        for number in range(min(first[k], second[k], int(beyond)), low - 1, -1):
            term = np.exp(
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
    return above, from_here
