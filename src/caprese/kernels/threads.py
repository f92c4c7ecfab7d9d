"""Run compiled loops on all cores; they release the interpreter lock."""

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

from caprese._core.environment import cores

T = TypeVar("T")


def over_spans(work: Callable[[int, int], T], length: int, least: int = 1) -> list[T]:
    """Call ``work(start, stop)`` on pieces of ``range(length)``; return the results in order.

    A piece shorter than `least` is not worth a thread.
    """
    pieces = max(1, min(cores(), length // max(1, least)))
    bounds = [length * k // pieces for k in range(pieces + 1)]
    if pieces == 1:
        return [work(0, length)]
    with ThreadPoolExecutor(pieces) as pool:
        # In a context like this one, so that progress is reported from there too.
        started = [
            pool.submit(copy_context().run, work, start, stop)
            for start, stop in itertools.pairwise(bounds)
        ]
        return [each.result() for each in started]
