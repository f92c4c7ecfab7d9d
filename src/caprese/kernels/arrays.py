"""Filling and copying of arrays, by loops.

Numba compiles a function for each use of `np.ones`, `np.full`, `sum` or a slice on the left of an
assignment, the last with all that the message of a possible error needs: seconds in all.
"""

import numpy as np

from caprese.kernels.compiling import kernel


@kernel
def ones(number):  # type: ignore[no-untyped-def]
    """Return an array of ones."""
    result = np.empty(number)
    fill(result, 1.0)
    return result


@kernel(borrows=True)
def fill(target, value):  # type: ignore[no-untyped-def]
    """Set all entries of a vector to a value."""
    for k in range(len(target)):
        target[k] = value


@kernel(borrows=True)
def copy_into(target, source):  # type: ignore[no-untyped-def]
    """Set the first entries of a vector to those of another."""
    for k in range(len(source)):
        target[k] = source[k]


@kernel(borrows=True)
def add_to(target, source):  # type: ignore[no-untyped-def]
    """Add a vector to another."""
    for k in range(len(target)):
        target[k] += source[k]


@kernel(borrows=True)
def copy_rows(target, source):  # type: ignore[no-untyped-def]
    """Set the rows of a matrix to those of another."""
    for k in range(len(source)):
        copy_into(target[k], source[k])


@kernel(borrows=True)
def sum_of(values):  # type: ignore[no-untyped-def]
    """Return the sum of a vector, first to last."""
    result = 0.0
    for k in range(len(values)):
        result += values[k]
    return result


@kernel
def chosen(values, places):  # type: ignore[no-untyped-def]
    """Return the entries of a vector at some places."""
    result = np.empty_like(values[: len(places)])
    for k in range(len(places)):
        result[k] = values[places[k]]
    return result


@kernel(borrows=True)
def norm(values):  # type: ignore[no-untyped-def]
    """Return the Euclidean length of a vector."""
    result = 0.0
    for k in range(len(values)):
        result += values[k] * values[k]
    return np.sqrt(result)
