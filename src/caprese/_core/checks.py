"""Checks of parameters, each of which returns the value or refuses it by name."""

import math
import re
from collections.abc import Collection, Iterable
from numbers import Integral, Real
from typing import Any

from caprese._core.words import nearest
from caprese.errors import ParameterError

_TIME = re.compile(r"(\d{1,15}(?:\.\d{1,15})?)\s*([smh]?)")
_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}

MOST = 10**9
"""The largest whole number of a parameter without a bound of its own.

Beyond it is a typing error, and no number of a compiled loop.
"""

SEEDS = 0, 2**63 - 1
"""The bounds of a seed of random numbers."""


def whole(parameter: str, value: Any, least: int = 0, most: int | None = None) -> int:
    """Return a whole number within bounds."""
    integral = isinstance(value, Integral) and not isinstance(value, bool)
    if integral and most is None and int(value) > MOST:
        raise ParameterError(parameter, f"at most {MOST:,}", value)
    if not integral or not least <= int(value) <= (MOST if most is None else most):
        bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise ParameterError(parameter, f"a whole number {bounds}", value)
    return int(value)


def number(
    parameter: str,
    value: Any,
    low: float = -math.inf,
    high: float = math.inf,
    ends: str = "[]",
) -> float:
    """Return a number within bounds; a round bracket in `ends` is a bound that it may not reach."""
    real = isinstance(value, Real) and not isinstance(value, bool)
    excluded = [bound for bound, end in zip((low, high), ends, strict=True) if end in "()"]
    if not real or not math.isfinite(value) or not low <= value <= high or value in excluded:
        raise ParameterError(parameter, _range(low, high, ends), value)
    return float(value)


def seconds(parameter: str, value: Any) -> float:
    """Return a time in seconds, from a number or a text such as ``90``, ``60s``, ``2m``, ``1h``."""
    found = _TIME.fullmatch(value.strip()) if isinstance(value, str) else None
    length = float(found[1]) * _UNITS[found[2]] if found else value
    real = isinstance(length, Real) and not isinstance(length, bool)
    if not real or not 0 < length <= MOST:
        raise ParameterError(parameter, "a time such as 90, 60s, 2m or 1h", value)
    return float(length)


def one_of(parameter: str, value: Any, choices: Collection[Any]) -> Any:
    """Return a value that is one of these; if it is not, suggest one that is similar."""
    if any(value is each or (type(value) is type(each) and value == each) for each in choices):
        return value
    known = list(map(str, choices))
    rule = f"one of {', '.join(known)}" if known else "omitted: there is none"
    meant = nearest(value, known) if isinstance(value, str) else None
    raise ParameterError(parameter, rule, value, meant=meant)


def instance(parameter: str, value: Any, kind: Any, rule: str) -> Any:
    """Return a value that is of this type, or of one of these."""
    if isinstance(value, type) or not isinstance(value, kind):
        raise ParameterError(parameter, rule, value)
    return value


def listed(parameter: str, value: Any) -> tuple[Any, ...]:
    """Return what is in a list, or in anything else that can be iterated over."""
    return tuple(instance(parameter, value, Iterable, "a list"))


def _range(low: float, high: float, ends: str) -> str:
    if high < math.inf and low > -math.inf:
        return f"in {ends[0]}{low:g}, {high:g}{ends[1]}"
    if low == -math.inf:
        return "a number" if high == math.inf else f"a number of at most {high:g}"
    above = "a number above" if ends[0] == "(" else "a number of at least"
    return "a positive number" if (low, ends[0]) == (0, "(") else f"{above} {low:g}"
