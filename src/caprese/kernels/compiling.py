"""How kernels are compiled: a function called by others is optimised once, within its caller."""

# mypy: disable-error-code="no-untyped-call"

import gc
import signal
from collections.abc import Callable
from functools import cached_property
from threading import current_thread, main_thread
from time import perf_counter
from typing import Any

from numba import njit
from numba.core import event

from caprese._core.progress import COMPILING, tell
from caprese.kernels.cache import INSIDE_IS_KNOWN, QuickCache

_PATIENCE = 1.0  # seconds of compiling before it is reported

inlined = njit(nogil=True, inline="always")
"""A function of a line or two, copied to where it is called."""

ANY_ORDER = {"reassoc", "contract", "nsz"}
"""For `fastmath`: sums are taken in any order, so that they can be vectorised."""


class Kernel:
    """A compiled function, which Python and other kernels can call.

    By itself numba optimises and translates each function with all that it calls, although only
    the one that Python calls is ever run: the innermost of ten nested functions is compiled ten
    times. Here a function called by another kernel is only typed; it is optimised and translated
    as a part of the one that Python calls, which is kept on disk. A kernel that calls itself must
    be called by another. With a release of numba whose inside is not known, kernels are compiled in
    its own way: more slowly, to the same code.

    Parameters
    ----------
    function
        What is compiled, for each types of its arguments.
    options
        Further options of `numba.njit`.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        self.function, self.options = function, options
        self.__doc__, self.__name__ = function.__doc__, function.__name__
        self.__module__, self.__wrapped__ = function.__module__, function

    def __call__(self, *arguments: Any) -> Any:
        """Run the function, compiled on its own."""
        return self._called_by_python(*arguments)

    @cached_property
    def _called_by_python(self) -> Any:
        if not INSIDE_IS_KNOWN:
            return njit(cache=True, nogil=True, **self.options)(self.function)
        from caprese.kernels.parts import KernelCompiler

        compiled = njit(nogil=True, pipeline_class=KernelCompiler, **self.options)(self.function)
        compiled._cache = QuickCache(self.function)
        return compiled

    def is_kept(self) -> bool:
        """Whether compiled code of the function is on disk, as far as that is known."""
        return not INSIDE_IS_KNOWN or bool(self._called_by_python._cache.is_kept())

    @cached_property
    def _called_by_kernels(self) -> Any:
        from caprese.kernels.parts import PartCompiler

        return njit(nogil=True, pipeline_class=PartCompiler, **self.options)(self.function)

    @property
    def _numba_type_(self) -> Any:
        """What numba sees where a kernel names this one."""
        if not INSIDE_IS_KNOWN:
            return self._called_by_python._numba_type_
        from caprese.kernels.parts import PartType

        return PartType(self._called_by_kernels)


def kernel(
    function: Callable[..., Any] | None = None, *, borrows: bool = False, **options: Any
) -> Any:
    """Decorate a function that is compiled when it is called, once for all times.

    Parameters
    ----------
    borrows
        Whether it neither creates nor returns arrays, nor is given any by what it calls. Then it
        need not count the references to arrays, which takes longer than a short loop does.
    """
    # An option that is not set is that of the kernel that calls this one first.
    options = {"fastmath": False, "error_model": "python", **options}
    if INSIDE_IS_KNOWN:
        options["_nrt"] = not borrows
    if function is None:
        return lambda decorated: Kernel(decorated, options)
    return Kernel(function, options)


class _Signals:
    """Requests to stop (Ctrl-C, SIGTERM) that come while something is compiled.

    LLVM calls functions of Python, and an exception that is raised there is lost, or leaves a
    function half compiled. So requests are noted, and answered where compiling can be left.
    """

    def __init__(self) -> None:
        self.handlers: dict[int, Any] = {}
        self.noted: int | None = None

    def hold(self) -> None:
        """Note requests from now on."""
        if current_thread() is not main_thread():
            return
        for number in (signal.SIGINT, signal.SIGTERM):
            handler = signal.getsignal(number)
            if callable(handler):
                self.handlers[number] = handler
                signal.signal(number, self._note)

    def _note(self, number: int, frame: Any) -> None:  # noqa: ARG002
        self.noted = number

    def answer(self) -> None:
        """Answer a request that was noted, as it would have been without compiling."""
        number, self.noted = self.noted, None
        if number is not None and current_thread() is main_thread():
            self.handlers[number](number, None)

    def release(self) -> None:
        """Note requests no longer, and answer the one that was noted."""
        if current_thread() is main_thread():
            for number, handler in self.handlers.items():
                signal.signal(number, handler)
            self.answer()


class _Watch(event.Listener):
    """Whatever is compiled in this process, one function after another.

    Numba creates very many objects that refer to each other and live on; looking for garbage among
    them takes a tenth of the time, so that waits until the end.
    """

    def __init__(self) -> None:
        self.depth, self.done, self.seconds, self.started = 0, 0, 0.0, 0.0
        self.collecting = False
        self.signals = _Signals()

    def on_start(self, event: Any) -> None:  # noqa: ARG002
        """Note that a function is compiled now, perhaps for another one."""
        if self.depth == 0:
            self.started, self.collecting = perf_counter(), gc.isenabled()
            gc.disable()
            self.signals.hold()
        self.depth += 1
        if self.is_slow():
            tell(COMPILING, self.done, 0)
        self.signals.answer()

    def on_end(self, event: Any) -> None:  # noqa: ARG002
        """Note that a function is compiled."""
        self.depth -= 1
        self.done += 1
        if self.depth == 0:
            self.seconds += perf_counter() - self.started
            if self.collecting:
                gc.enable()
            self.signals.release()

    def is_slow(self) -> bool:
        """Whether a function is compiled now, and it has been long enough to say so."""
        return self.depth > 0 and self.seconds + perf_counter() - self.started > _PATIENCE


_watch = _Watch()
event.register("numba:compile", _watch)


def seconds_of_compiling() -> float:
    """Return how long this process has been compiling so far."""
    return _watch.seconds
