"""Worker processes, which do not see an interruption: it is for the one that waits for them."""

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar
from warnings import catch_warnings, simplefilter

Result = TypeVar("Result")


_ALONE = 4.0  # seconds of one core, done and to come, from which on workers pay; they take two


def in_order(
    function: Callable[..., Result], tasks: Sequence[Sequence[Any]], jobs: int
) -> Iterator[Result]:
    """Yield what a function says of each task; with workers only if it takes a few seconds.

    Those are started once as much was done alone, and as much is left if tasks go on like this.
    """
    started, done = time.process_time(), 0
    while done < len(tasks) and (jobs == 1 or not _pay(started, done, len(tasks))):
        yield function(*tasks[done])
        done += 1
    if done < len(tasks):
        from joblib import delayed

        yield from in_processes((delayed(function)(*task) for task in tasks[done:]), jobs)


def _pay(started: float, done: int, tasks: int) -> bool:
    spent = time.process_time() - started
    return spent >= _ALONE and spent * (tasks - done) >= _ALONE * done


def in_processes(tasks: Iterable[Any], jobs: int, *, ordered: bool = True) -> Iterator[Any]:
    """Yield the results of tasks, which `joblib.delayed` made, as soon as they are there."""
    from joblib import Parallel

    workers = Parallel(jobs, return_as="generator" if ordered else "generator_unordered")
    with ExitStack() as ending:
        with _uninterrupted():  # workers inherit it, also while they start
            found = workers(tasks)
            ending.callback(_close, found)
        yield from found


def _close(results: Any) -> None:
    """End the workers if results are left, before what they start with is removed."""
    with catch_warnings():
        simplefilter("ignore")  # of results that nobody took
        results.close()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait until the end; processes that are started inside never see it."""
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return
    from multiprocessing.resource_tracker import ensure_running

    ensure_running()  # first, because where it starts it lets interruptions through again
    waiting: list[int] = []
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # is inherited
    handler = signal.signal(signal.SIGINT, lambda number, _frame: waiting.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler or signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    if waiting:  # it came to another thread, such as those of numpy
        signal.raise_signal(signal.SIGINT)
