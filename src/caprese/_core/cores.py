"""How many cores this process may use."""

import os

from caprese._core.checks import whole

LIMIT = "OMP_NUM_THREADS"  # joblib sets it in its workers, so that together they fill the cores


def cores() -> int:
    """Return how many threads or workers to start.

    That is fewer than the machine has cores if a scheduler gave some of them to this process, or if
    the environment limits its threads.

    Raises
    ------
    ValueError
        If that limit is no positive whole number.
    """
    allowed = _allowed()
    limit, *_nested = os.environ.get(LIMIT, "").split(",")  # OpenMP allows a limit for each level
    if not limit:
        return allowed
    if not (limit.isdecimal() and int(limit) > 0):
        problem = f"must be a positive whole number, got {limit!r}"
        raise ValueError(f"the environment variable {LIMIT} {problem}")
    return min(allowed, int(limit))


def _allowed() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # on macOS and Windows


def worker_count(jobs: int | None) -> int:
    """Return how many workers are wanted; by default as many as there are cores."""
    return cores() if jobs is None else whole("jobs", jobs, 1)
