"""The folder of what is uploaded: private, and removed even after a process that was killed."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import IO

_PREFIX = "caprese-app-"
_LOCK = "in-use"


@contextmanager
def private_folder() -> Iterator[Path]:
    """Return a folder that other users cannot read, for as long as it is needed.

    Folders whose process was killed are removed first.
    """
    _remove_abandoned()
    with (
        TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True) as folder,
        open(Path(folder, _LOCK), "xb") as lock,
    ):
        _locked(lock)
        yield Path(folder)


def _remove_abandoned() -> None:
    for folder in Path(gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if _is_own(folder) and _is_abandoned(folder / _LOCK):
                shutil.rmtree(folder)


def _is_own(folder: Path) -> bool:
    state = folder.lstat()
    return not hasattr(os, "getuid") or state.st_uid == os.getuid()


def _is_abandoned(path: Path) -> bool:
    """Whether no process holds the lock, which ends with the process, however it ends."""
    if os.name == "nt":
        path.unlink()  # an open file cannot be removed
        return True
    with open(path, "rb") as lock:
        return _locked(lock)


def _locked(file: IO[bytes]) -> bool:
    """Lock a file until it is closed; return False if another process has locked it."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def entrance(folder: Path, address: str) -> Path:
    """Write a page that leads to an address, which only this user can read, and return its path.

    All users see the arguments of the browser that is started, so the address is not among them.
    """
    path = folder / "open.html"
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(
            '<!doctype html><meta charset="utf-8"><title>caprese</title>'
            f'<meta http-equiv="refresh" content="0; url={address}">'
            f'<a href="{address}">caprese</a>\n'
        )
    return path
