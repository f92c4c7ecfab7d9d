"""Kernels as parts of others: typed, but optimised and translated only within their callers.

This is written against the inside of numba, and used with the releases in `cache.KNOWN_RELEASES`.
"""

# mypy: disable-error-code="no-untyped-call"

from functools import cache
from typing import Any

from numba import _dynfunc, types  # type: ignore[attr-defined]
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering
from numba.extending import models, register_model


class PartType(types.Dispatcher):
    """The type of a kernel, which is not compiled anew for each constant that it is given."""

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """Return the types of a call."""
        return super().get_call_type(context, tuple(map(types.unliteral, args)), kws)


register_model(PartType)(models.OpaqueModel)


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
        returned = state.targetctx.data_model_manager[state.return_type]
        if not state.flags.nrt and returned.contains_nrt_meminfo():
            raise TypeError(f"{state.func_id.func_name} borrows arrays, and cannot return one")
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


class _Remembering:
    """What numba knows of types; the type of a call is found only once.

    Numba tries one implementation of a function after the other, for `a[k]` some forty, and again
    for each `a[k]`: a sixth of the time of compiling.
    """

    def __init__(self, context: Any) -> None:
        self._context = context
        self._found: dict[Any, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_function_type(self, function: Any, args: Any, kws: Any) -> Any:
        """Return the types of a call; those of kernels can depend on what is being compiled."""
        if kws or isinstance(function, types.Dispatcher):
            return self._context.resolve_function_type(function, args, kws)
        key = function, args
        if key not in self._found:
            self._found[key] = self._context.resolve_function_type(function, args, kws)
        return self._found[key]


@cache
def _remembering(context: Any, flags: str) -> _Remembering:  # noqa: ARG001
    """Return what is remembered with these flags, which numba's own functions are compiled with."""
    return _Remembering(context)


class KernelCompiler(CompilerBase):
    """Numba's compiler, less what it does again and again."""

    def __init__(self, context: Any, *others: Any) -> None:
        *_, flags, _ = others
        super().__init__(_remembering(context, flags.summary()), *others)

    def define_pipelines(self) -> list[Any]:
        """Return the steps of the compiler."""
        return [DefaultPassBuilder.define_nopython_pipeline(self.state)]


class PartCompiler(KernelCompiler):
    """The compiler with another last step."""

    def define_pipelines(self) -> list[Any]:
        """Return the steps of the compiler."""
        (steps,) = super().define_pipelines()
        steps.passes[:] = [
            (_PartLowering if step is NativeLowering else step, reason)
            for step, reason in steps.passes
        ]
        steps.finalize()
        return [steps]
