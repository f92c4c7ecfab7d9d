"""Progress of long computations: a bar on a terminal, nothing elsewhere.

A computation reports its progress with `tell`; `listening` sets the function that receives it. The
command line shows a bar. By default nobody listens.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from math import inf
from shutil import get_terminal_size
from time import monotonic

from caprese._core.words import duration

Listener = Callable[[str, int, int], None]

_CLEARED = "\r\x1b[2K"  # the line, whatever it held
_LENGTH = 40  # characters of a bar
_PAUSE = 0.1  # seconds between two changes of a bar

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


def tell(what: str, done: int, total: int) -> None:
    """Report progress to the current listener, if there is one."""
    listener = _listener.get()
    if listener is not None:
        listener(what, done, total)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Call a function with the kind of work, how much is done, and the total, on every report."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def silent() -> AbstractContextManager[None]:
    """Ignore reports from inside; for parts of a computation that reports as a whole."""
    return listening(lambda _what, _done, _total: None)


@contextmanager
def progress_bars() -> Iterator[None]:
    """Show a bar for each kind of work until the end, if standard error is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():  # None if closed
        yield
        return
    bar = _Bar()
    try:
        with listening(bar.show):
            yield
    finally:
        bar.clear()


class _Bar:
    """A bar with the rate and the time that is left; at the end its line is cleared."""

    def __init__(self) -> None:
        self._what, self._done = "", 0
        self._started, self._shown = 0.0, -inf

    def show(self, what: str, done: int, total: int) -> None:
        now = monotonic()
        if what != self._what or done < self._done:
            self._started, self._shown = now, -inf
        self._what, self._done = what, done
        if now - self._shown < _PAUSE and done < total:
            return
        self._shown = now
        filled = "#" * round(_LENGTH * done / max(total, 1))
        rate = _rate(done, total, now - self._started)
        line = f"{what} {done}/{total} [{filled:-<{_LENGTH}}]{rate}"
        _write(_CLEARED + line[: get_terminal_size().columns - 1])

    def clear(self) -> None:
        if self._shown > -inf:
            _write(_CLEARED)


def _rate(done: int, total: int, seconds: float) -> str:
    """Return how fast the work is done, and how long the rest takes; empty in the first second."""
    if not done or seconds < 1:
        return ""
    return f" {done / seconds:,.0f}/s, {duration((total - done) * seconds / done)} left"


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
