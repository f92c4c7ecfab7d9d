"""Progress of long computations: a bar on a terminal, nothing elsewhere.

A computation reports its progress with `tell`; `listening` sets the function that receives it. The
command line shows a bar. By default nobody listens.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
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
    """Show a progress bar for each kind of work, one at a time, if standard error is a terminal.

    The bar disappears at the end.
    """
    if sys.stderr is None or not sys.stderr.isatty():  # None if closed
        yield
        return
    with ExitStack() as open_bar:
        shown: tuple[str, int] = ("", 0)
        update: Callable[[int], None] | None = None

        def show(what: str, done: int, total: int) -> None:
            nonlocal shown, update
            if update is None or what != shown[0] or done < shown[1]:
                open_bar.close()
                update = open_bar.enter_context(_bar(what, total))
            update(done)
            shown = (what, done)

        with listening(show):
            yield


@contextmanager
def _bar(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a bar with the rate and the time that is left; at the end its line is cleared."""
    started, shown = monotonic(), -inf

    def update(done: int) -> None:
        nonlocal shown
        now = monotonic()
        if now - shown < _PAUSE and done < total:
            return
        shown = now
        filled = "#" * round(_LENGTH * done / max(total, 1))
        line = f"{what} {done}/{total} [{filled:-<{_LENGTH}}]{_rate(done, total, now - started)}"
        _write(_CLEARED + line[: get_terminal_size().columns - 1])

    try:
        yield update
    finally:
        _write(_CLEARED)


def _rate(done: int, total: int, seconds: float) -> str:
    """Return how fast the work is done, and how long the rest takes; empty in the first second."""
    if not done or seconds < 1:
        return ""
    return f" {done / seconds:,.0f}/s, {duration((total - done) * seconds / done)} left"


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
