"""Progress of long computations: a bar on a terminal, nothing elsewhere.

A computation reports its progress with `tell`; `listening` sets the function that receives it. The
command line shows a bar. By default nobody listens.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar

Listener = Callable[[str, int, int], None]

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
    from rich import progress
    from rich.console import Console

    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TextColumn("{task.fields[rate]}"),
        progress.TimeRemainingColumn(),
    )
    with progress.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total, rate="")

        def update(done: int) -> None:
            bar.update(task, completed=done)
            speed = bar.tasks[0].speed
            bar.update(task, rate="" if speed is None else f"{speed:,.0f}/s")

        yield update
