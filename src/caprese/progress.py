"""Progress of long work: a bar on a terminal, silence elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar

_listener: ContextVar[Callable[[int, int], None] | None] = ContextVar("listener", default=None)


def tell(done: int, total: int) -> None:
    """Say how far a fit has come, to whoever listens."""
    listener = _listener.get()
    if listener is not None:
        listener(done, total)


@contextmanager
def listening(listener: Callable[[int, int], None]) -> Iterator[None]:
    """Have a function called with how much is done, and of how much.

    Examples
    --------
    >>> with listening(lambda done, total: print(f"{done} of {total}")):
    ...     tell(1, 4)
    1 of 4
    """
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def watched(what: str) -> Iterator[None]:
    """Show a bar of what a fit tells, if it tells anything and this is a terminal.

    One fit after another starts the bar anew.
    """
    if not sys.stderr.isatty():
        yield
        return
    with ExitStack() as open_bar:
        shown = 0
        advance: Callable[[int], None] | None = None

        def show(done: int, total: int) -> None:
            nonlocal shown, advance
            if done < shown:
                open_bar.close()
                shown, advance = 0, None
            if advance is None:
                advance = open_bar.enter_context(progress_bar(what, total))
            advance(done - shown)
            shown = done

        with listening(show):
            yield


@contextmanager
def progress_bar(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Yield a function to call with how much was done; the bar vanishes at the end.

    Examples
    --------
    >>> with progress_bar("replicates", 2) as done:
    ...     done(2)
    """
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total, rate="")

        def advance(done: int) -> None:
            bar.advance(task, done)
            speed = bar.tasks[0].speed
            bar.update(task, rate="" if speed is None else f"{speed:,.0f}/s")

        yield advance
