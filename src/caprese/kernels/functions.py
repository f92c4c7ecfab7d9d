"""Functions of arrays that give the same bytes on every processor.

The exponential function and the logarithm of numpy, and products of matrices, are other code on
other processors. What enters a fit is computed here instead.
"""

from math import prod

import numpy as np
from cython.cimports.caprese.kernels import elementary
from numpy.typing import ArrayLike

from caprese._core.arrays import FloatArray


def exp(x: ArrayLike) -> FloatArray:
    """Return the exponential function of each entry."""
    values = np.array(x, dtype=np.float64, order="C")
    _exp(values.reshape(-1))
    return values[()]


def expm1(x: ArrayLike) -> FloatArray:
    """Return the exponential function of each entry, less 1."""
    values = np.array(x, dtype=np.float64, order="C")
    _expm1(values.reshape(-1))
    return values[()]


def log(x: ArrayLike) -> FloatArray:
    """Return the natural logarithm of each entry; minus infinity for 0."""
    values = np.array(x, dtype=np.float64, order="C")
    _log(values.reshape(-1))
    return values[()]


def log1p(x: ArrayLike) -> FloatArray:
    """Return the natural logarithm of 1 plus each entry."""
    values = np.array(x, dtype=np.float64, order="C")
    _log1p(values.reshape(-1))
    return values[()]


def erfc(x: ArrayLike) -> FloatArray:
    """Return the complementary error function of each entry, to 1e-13 of it."""
    values = np.array(x, dtype=np.float64, order="C")
    _erfc(values.reshape(-1))
    return values[()]


def product(left: ArrayLike, right: ArrayLike) -> FloatArray:
    """Return the product of two matrices; each of them may be a vector, as in ``left @ right``."""
    one, other = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    rows, columns = one.shape[: one.ndim - 1], other.shape[1:]
    result = np.zeros((prod(rows), prod(columns)))
    _add_product(
        np.ascontiguousarray(one.reshape(len(result), len(other))),
        np.ascontiguousarray(other.reshape(len(other), result.shape[1])),
        result,
    )
    return result.reshape(rows + columns)[()]


def _exp(values: FloatArray) -> None:
    for k in range(len(values)):
        values[k] = elementary.exp(values[k])


def _expm1(values: FloatArray) -> None:
    for k in range(len(values)):
        values[k] = elementary.expm1(values[k])


def _log(values: FloatArray) -> None:
    for k in range(len(values)):
        values[k] = elementary.log(values[k])


def _log1p(values: FloatArray) -> None:
    for k in range(len(values)):
        values[k] = elementary.log1p(values[k])


def _erfc(values: FloatArray) -> None:
    for k in range(len(values)):
        values[k] = elementary.erfc(values[k])


def _add_product(left: FloatArray, right: FloatArray, out: FloatArray) -> None:
    for i in range(len(left)):
        for k in range(len(right)):
            for j in range(right.shape[1]):
                out[i, j] += left[i, k] * right[k, j]
