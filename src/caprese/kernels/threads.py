"""Run compiled loops on all cores; they release the interpreter lock."""

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from contextvars import copy_context
from functools import cache
from typing import Any, TypeVar

from caprese._core.environment import cores

T = TypeVar("T")


def small_products() -> AbstractContextManager[Any]:
    """Return a context in which matrix products take one thread.

    For small matrices the threads of a product wait for each other longer than they work, and on
    busy cores hundreds of times longer.
    """
    context: AbstractContextManager[Any] = _controller().limit(limits=1, user_api="blas")
    return context


@cache
def _controller() -> Any:
    import scipy.linalg  # noqa: F401  with threads of its own, which are found only if it is there
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


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
