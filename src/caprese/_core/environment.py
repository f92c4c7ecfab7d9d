"""What the environment allows and has: cores, kernels, optional packages; exit codes for it."""

import os
import re
import signal
from importlib.util import find_spec

from caprese._core.checks import whole
from caprese.errors import CapreseError

LIMIT = "OMP_NUM_THREADS"  # joblib sets it in its workers, so that together they fill the cores
CHOICE = "CAPRESE_PROCESSOR"
OLDER = "x86-64-v2"

BAD_INPUT = 2
INTERRUPTED = 128 + signal.SIGINT  # by the convention of shells
TERMINATED = 128 + signal.SIGTERM

_EXTRA = re.compile(r"""(?P<package>[^;]+?)\s*;.*\bextra\s*==\s*["'](?P<extra>[^"']+)["']""")


def cores() -> int:
    """Return how many threads or workers to start, as a scheduler or the environment allows."""
    limit, *_nested = os.environ.get(LIMIT, "").split(",")  # OpenMP allows a limit for each level
    if not limit:
        return _allowed()
    if not (limit.isdecimal() and int(limit) > 0):
        problem = f"must be a positive whole number, got {limit!r}"
        raise ValueError(f"the environment variable {LIMIT} {problem}")
    return min(_allowed(), int(limit))


def _allowed() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # on macOS and Windows


def worker_count(jobs: int | None) -> int:
    """Return how many workers are wanted; by default as many as there are cores."""
    return cores() if jobs is None else whole("jobs", jobs, 1)


def wants_older() -> bool:
    """Return whether the environment asks for the kernels of older processors."""
    choice = os.environ.get(CHOICE, "")
    if choice not in {"", OLDER}:
        rule = f"must be {OLDER} or not set, got {choice!r}"
        raise ValueError(f"the environment variable {CHOICE} {rule}")
    return choice == OLDER


def check_extra(what: str, package: str, extra: str) -> None:
    """Refuse what needs an optional package that is not installed, before anything is computed."""
    if find_spec(package) is None:
        raise CapreseError(f"{what} needs {package}: {install_command(extra)}")


def install_command(extra: str) -> str:
    """Return the command that installs the packages of an extra, wherever caprese came from."""
    from importlib.metadata import requires  # a twentieth of a second

    found = (_EXTRA.match(each) for each in requires("caprese") or ())
    packages = [each["package"] for each in found if each and each["extra"] == extra]
    return " ".join(["pip install", *(f"'{package}'" for package in packages)])
