"""Where compiled code is kept, so that it is compiled only once, and loaded quickly."""

import atexit
import logging
import os
import re
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property, partial
from hashlib import sha256
from lzma import LZMAError
from pathlib import Path
from pickle import PickleError
from tempfile import mkdtemp
from typing import Any
from zipfile import BadZipFile

import numba
from numba import config
from numba.core import caching
from numba.core.event import trigger_event
from numba.core.runtime.nrt import rtsys

from caprese.errors import CapreseError
from caprese.kernels import prepared

KNOWN_RELEASES = ((0, 63), (0, 68))
"""The first and the last release of numba with whose inside kernels were tried."""

INSIDE_IS_KNOWN = KNOWN_RELEASES[0] <= numba.version_info.short <= KNOWN_RELEASES[1]
"""Whether kernels may rely on the inside of this release of numba."""

_IN_MEMORY = "/dev/shm"  # often the only writable folder of a container
_SETTING = "NUMBA_CACHE_DIR"
_HERE = Path(__file__).parent
_IMPORT = re.compile(rb"^\s*from caprese\.kernels\.(\w+) import", re.MULTILINE)
_ANNOTATION = 5  # where numba keeps the types of all variables as a text, after the code
_DAMAGED = OSError, EOFError, ValueError, RuntimeError, LZMAError, PickleError, BadZipFile
_BLAS, _USES_BLAS = "scipy.linalg.cython_blas", "numba.np.arraymath"


class _MachineCode(caching.CompileResultCacheImpl):
    """What is kept of a compiled function that no other one calls: machine code, and its names.

    Numba also keeps the code from which it would compile the function into others, which takes most
    of the time that loading takes, and the types of all variables as a text.
    """

    def reduce(self, cres: Any) -> Any:
        """Return what is kept."""
        (name, kind, (machine_code, _)), *rest = super().reduce(cres)  # type: ignore[no-untyped-call]
        rest[_ANNOTATION] = ""
        return ((name, kind, (machine_code, prepared.stubs(cres.fndesc))), *rest)


class QuickCache(caching.FunctionCache):
    """The compiled code of a function on disk, which is loaded quickly.

    Before it loads any code, numba declares all that a function could call: a seventh of a second.
    Only the compiler needs that, and it sees to it again; what is loaded needs the memory
    management alone.

    Numba compiles a function again if its own file has changed; here also if one has changed from
    which that file imports kernels.
    """

    _impl_class = _MachineCode

    def is_kept(self) -> bool:
        """Whether there is code of the function, for any types of its arguments."""
        kept = self._readable(self._cache_file._load_index)
        return any(key[-1] == self._sources for key in kept or ())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for arguments of these types; None if it has to be compiled."""
        rtsys.initialize(target_context)
        found = self._readable(partial(self._load_overload, sig, target_context))
        if found is None:
            found = self._readable(partial(self._translated, sig, target_context), kept=False)
        if found is None:
            load_without_blas()
        return found

    def _readable(self, read: Callable[[], Any], *, kept: bool = True) -> Any:
        """Return what is read; None if it is damaged, and then it is forgotten if it was kept."""
        try:
            return read()
        except _DAMAGED:
            _warn_once("compiled code that cannot be read is ignored, and compiled again")
            if kept:
                with suppress(OSError):
                    self._cache_file.flush()  # type: ignore[no-untyped-call]
            return None

    def _translated(self, sig: Any, context: Any) -> Any:
        """Return the code of a prepared kernel, and keep it; None if it is not prepared."""
        codegen = context.codegen()
        key = self.key_of(sig, codegen)
        if key not in prepared.names():
            return None
        with trigger_event("numba:compile"):
            kept = prepared.translated(key, codegen)
        self._keep(lambda: self._cache_file.save(self._index_key(sig, codegen), kept))  # type: ignore[no-untyped-call]
        return self._impl.rebuild(context, kept)

    def key_of(self, sig: Any, codegen: Any) -> str:
        """Return by which name the prepared code for arguments of these types is found."""
        return prepared.key_of(self._py_func, sig, self._sources, codegen)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code for arguments of these types; where that fails, go on without."""
        self._keep(lambda: super(QuickCache, self).save_overload(sig, data))  # type: ignore[no-untyped-call]

    def _keep(self, save: Callable[[], None]) -> None:
        try:
            self._impl.locator.ensure_cache_path()
            save()
        except OSError as error:
            _warn_once(
                f"compiled code cannot be kept ({error.strerror or error}), so it is compiled at "
                f"every start; to keep it, set {_SETTING} to a folder with free space"
            )

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return (*super()._index_key(sig, codegen), self._sources)  # type: ignore[no-untyped-call]

    @cached_property
    def _sources(self) -> str:
        """A digest of all files of kernels that the function may be compiled from."""
        found, waiting = set(), [Path(self._py_func.__code__.co_filename)]
        while waiting:
            path = waiting.pop()
            if path not in found:
                found.add(path)
                waiting += _imported(path)
        texts = (_text(path) for path in sorted(found, key=lambda path: path.name))
        return sha256(b"".join(texts)).hexdigest()


@cache
def _warn_once(message: str) -> None:
    logging.getLogger("caprese").warning("caprese: %s", message)


@cache
def _text(path: Path) -> bytes:
    return path.read_bytes()


@cache
def _imported(path: Path) -> list[Path]:
    """Return the files of kernels from which a file imports."""
    return [_HERE / f"{name.decode()}.py" for name in _IMPORT.findall(_text(path))]


def choose_cache_folder() -> None:
    """Choose a temporary folder for compiled code where numba can write to none of its own.

    These are, in this order, the one in NUMBA_CACHE_DIR, that of the package, and one in the home
    folder. In a container all may be read-only, and numba would refuse to compile. Workers use the
    same temporary folder, which is deleted at the end.
    """
    if _can_be_written():
        return
    folder = _temporary_folder()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ[_SETTING] = folder
    setattr(config, "CACHE_DIR", folder)  # noqa: B010  it has no declared attributes
    _warn_once(
        "there is no writable folder for compiled code, so it is compiled at every start; to keep "
        f"it, set {_SETTING} to one"
    )


def _can_be_written() -> bool:
    """Whether numba finds a folder that it can write to."""
    try:
        caching.FunctionCache(choose_cache_folder)  # type: ignore[no-untyped-call]
    except RuntimeError:
        return False
    return True


def _temporary_folder() -> str:
    for parent in (None, _IN_MEMORY):
        try:
            return mkdtemp(prefix="caprese-", dir=parent)
        except OSError:
            continue
    raise CapreseError(
        f"compiled code needs a folder that can be written; set {_SETTING} or TMPDIR to one"
    )


def load_without_blas() -> None:
    """Load numba's functions of arrays without scipy.linalg, a sixth of a second less.

    Numba tries at once whether there is BLAS, and again where a function needs it. No kernel does,
    and scipy is installed; so what other code compiles in this process finds it as usual.
    """
    if not INSIDE_IS_KNOWN or _BLAS in sys.modules or _USES_BLAS in sys.modules:
        return
    sys.modules[_BLAS] = None  # type: ignore[assignment]  # it cannot be imported
    try:
        from numba.np import arraymath
    finally:
        del sys.modules[_BLAS]
    arraymath._HAVE_BLAS = True
