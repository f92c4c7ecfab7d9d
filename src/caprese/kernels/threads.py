"""Run compiled loops on all cores; they release the interpreter lock."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def over_spans(work: Callable[[int, int], T], length: int, least: int = 1) -> list[T]:
    """Call ``work(start, stop)`` on pieces of ``range(length)``; return the results in order.

    A piece shorter than `least` is not worth a thread.
    """
    pieces = max(1, min(os.cpu_count() or 1, length // max(1, least)))
    bounds = [length * k // pieces for k in range(pieces + 1)]
    if pieces == 1:
        return [work(0, length)]
    with ThreadPoolExecutor(pieces) as pool:
        return list(pool.map(work, bounds[:-1], bounds[1:]))
