"""Elementary functions that give the same bytes on every processor."""

import math
from math import erfc, expm1, sqrt

_INFINITE = math.inf


def exp(x: float) -> float:
    """Return the exponential function, infinity where it overflows."""
    return math.exp(x) if x < 709.7827128933841 else _INFINITE


def log(x: float) -> float:
    """Return the natural logarithm; minus infinity at 0."""
    return math.log(x) if x > 0 else -_INFINITE if x == 0 else math.nan


def log1p(x: float) -> float:
    """Return the natural logarithm of ``1 + x``."""
    return math.log1p(x) if x > -1 else -_INFINITE if x == -1 else math.nan


__all__ = ["erfc", "exp", "expm1", "log", "log1p", "sqrt"]
