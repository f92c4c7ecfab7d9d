"""Prepared kernels: in the code of LLVM, so that only their translation for a processor is left.

Numba takes most of the time to find the types of a kernel and to write this code, which is the same
for all processors of a platform and all releases of Python. A wheel holds it, in one file, for one
platform and one release of numba; others compile kernels from Python.
"""

# mypy: disable-error-code="no-untyped-call"

import pickle
import sys
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZIP_LZMA, ZipFile

import llvmlite
import numba
from llvmlite import binding
from numba.core.serialize import dumps

PREPARED = Path(__file__).with_name("prepared.zip")
"""The file with the prepared kernels; there is none unless `make wheel` has written it."""


def key_of(function: Callable[..., Any], arguments: Any, sources: str, codegen: Any) -> str:
    """Return by which name a kernel for these types of arguments is found."""
    platform, *_processor = codegen.magic_tuple()
    versions = platform, numba.__version__, llvmlite.__version__
    named = function.__module__, function.__qualname__, str(arguments), sources
    return sha256(repr((versions, named)).encode()).hexdigest()


def translated(key: str, codegen: Any) -> Any:
    """Return what a cache keeps of a kernel, translated for this processor."""
    with ZipFile(PREPARED) as file:
        (name, code), described, *rest = pickle.loads(file.read(key))
    library = codegen.create_library(name)
    library._final_module = binding.parse_bitcode(code)
    library._optimize_final_module()
    machine_code = codegen._tm.emit_object(library._final_module)
    return ((name, "object", (machine_code, stubs(described))), described, *rest)


def stubs(described: Any) -> bytes:
    """Return code with the names alone of a function that no other one calls."""
    called = described.llvm_cpython_wrapper_name, described.llvm_func_name
    text = "".join(f'define void @"{each}"() {{ unreachable }}\n' for each in called)
    return bytes(binding.parse_assembly(text).as_bitcode())


@cache
def names() -> frozenset[str]:
    """Return the names of all prepared kernels."""
    if not PREPARED.exists():
        return frozenset()
    with ZipFile(PREPARED) as file:
        return frozenset(file.namelist())


def prepare(rehearse: Callable[[], None], path: Path = PREPARED) -> None:
    """Write the kernels that a function calls, in a process that has not called any before.

    Parameters
    ----------
    rehearse
        What to call, with an empty cache of compiled code.
    path
        The file to write.
    """
    from unittest.mock import patch

    from numba.core.codegen import JITCodeLibrary

    codes: dict[Any, bytes] = {}
    optimise = JITCodeLibrary._optimize_final_module

    def remembering(library: Any) -> None:
        codes[library] = library._final_module.as_bitcode()
        optimise(library)

    with patch.object(JITCodeLibrary, "_optimize_final_module", remembering):
        rehearse()
    with ZipFile(path, "w", ZIP_LZMA) as file:
        for dispatcher in _called_by_python():
            for arguments, compiled in dispatcher.overloads.items():
                key = dispatcher._cache.key_of(arguments, compiled.codegen)
                _, *rest = dispatcher._cache._impl.reduce(compiled)
                library = compiled.library
                file.writestr(key, dumps(((library.name, codes[library]), *rest)))


def _called_by_python() -> Iterator[Any]:
    """Yield the kernels that Python has called."""
    from caprese.kernels.compiling import Kernel

    loaded = [name for name in sorted(sys.modules) if name.startswith(f"{__package__}.")]
    for name in loaded:
        for kernel in vars(sys.modules[name]).values():
            own = isinstance(kernel, Kernel) and kernel.__module__ == name
            if own and "_called_by_python" in vars(kernel):
                yield kernel._called_by_python
