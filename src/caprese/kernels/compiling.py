"""How kernels are compiled: a function called by others is optimised once, within its caller."""

# mypy: disable-error-code="no-untyped-call"

import gc
from collections.abc import Callable
from functools import cached_property
from time import perf_counter
from typing import Any

from numba import _dynfunc, njit, types  # type: ignore[attr-defined]
from numba.core import event
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering
from numba.extending import models, register_model

from caprese._core.progress import COMPILING, tell

_PATIENCE = 1.0  # seconds of compiling before it is reported

inlined = njit(nogil=True, inline="always")
"""A function of a line or two, copied to where it is called."""


class Kernel:
    """A compiled function, which Python and other kernels can call.

    By itself numba optimises and translates each function with all that it calls, although only
    the one that Python calls is ever run: the innermost of ten nested functions is compiled ten
    times. Here a function called by another kernel is only typed; it is optimised and translated
    as a part of the one that Python calls, which is kept on disk. A kernel that calls itself must
    be called by another.

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
        return njit(cache=True, nogil=True, **self.options)(self.function)

    @cached_property
    def _called_by_kernels(self) -> Any:
        return njit(nogil=True, pipeline_class=_PartCompiler, **self.options)(self.function)

    @property
    def _numba_type_(self) -> Any:
        """What numba sees where a kernel names this one."""
        return _KernelType(self._called_by_kernels)


def kernel(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Decorate a function that is compiled when it is called, once for all times."""
    if function is None:
        return lambda decorated: Kernel(decorated, options)
    return Kernel(function, options)


class _KernelType(types.Dispatcher):
    """The type of a kernel, which is not compiled anew for each constant that it is given."""

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """Return the types of a call."""
        return super().get_call_type(context, tuple(map(types.unliteral, args)), kws)


register_model(_KernelType)(models.OpaqueModel)


class _Part(JITCodeLibrary):
    """Code that is linked to what it calls, but neither optimised nor translated."""

    def finalize(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(NativeLowering):
    """The last step of the compiler, less the translation to machine code."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _Part(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        state.flags.no_cpython_wrapper = state.flags.no_cfunc_wrapper = True
        super().run_pass(state)
        described = state.cr.fndesc
        # By this object numba finds the code; it is never called, so it leads to no address.
        key = _dynfunc.make_function(
            described.lookup_module(), described.qualname, "", 0, state.cr.env, (state.library,)
        )
        state.targetctx.insert_user_function(key, described, [state.library])
        state.cr = state.cr._replace(cfunc=key)
        return True


class _PartCompiler(CompilerBase):
    """Numba's compiler with another last step."""

    def define_pipelines(self) -> list[Any]:
        steps = DefaultPassBuilder.define_nopython_pipeline(self.state)
        steps.passes[:] = [
            (_PartLowering if step is NativeLowering else step, reason)
            for step, reason in steps.passes
        ]
        steps.finalize()
        return [steps]


class _Watch(event.Listener):
    """Whatever is compiled in this process, one function after another.

    Numba creates very many objects that refer to each other and live on; looking for garbage among
    them takes a tenth of the time, so that waits until the end.
    """

    def __init__(self) -> None:
        self.depth, self.done, self.seconds, self.started = 0, 0, 0.0, 0.0
        self.collecting = False

    def on_start(self, event: Any) -> None:  # noqa: ARG002
        """Note that a function is compiled now, perhaps for another one."""
        if self.depth == 0:
            self.started, self.collecting = perf_counter(), gc.isenabled()
            gc.disable()
        self.depth += 1
        if self.is_slow():
            tell(COMPILING, self.done, 0)

    def on_end(self, event: Any) -> None:  # noqa: ARG002
        """Note that a function is compiled."""
        self.depth -= 1
        self.done += 1
        if self.depth == 0:
            self.seconds += perf_counter() - self.started
            if self.collecting:
                gc.enable()

    def is_slow(self) -> bool:
        """Whether a function is compiled now, and it has been long enough to say so."""
        return self.depth > 0 and self.seconds + perf_counter() - self.started > _PATIENCE


_watch = _Watch()
event.register("numba:compile", _watch)


def seconds_of_compiling() -> float:
    """Return how long this process has been compiling so far."""
    return _watch.seconds


def is_compiling() -> bool:
    """Whether something is compiled in this process now, for long enough to say so."""
    return _watch.is_slow()
