"""Compilation before the first use, on all cores.

Kernels are compiled when they are first called, one after the other: half a minute for all that a
report needs. Here computations with a little data call them before, each method in one of several
processes. Compiled code is kept on disk, where the others find it.
"""

import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from caprese._core.cores import cores
from caprese._core.progress import COMPILING, silent, tell

_SECONDS = {
    "bayes": 13,
    "caprese": 8,
    "hcbn": 8,
    "capri": 5,
    "mhn": 3,
    "oncotree:search=branching": 3,
    "oncotree": 1,
    "likelihood": 1,
    "cbn": 1,
}
"""About how long the kernels of each method take to compile, less those of methods above it."""

_MOST = 4  # processes: more would only wait for the longest method, and each takes 0.4 GB
_PATIENCE = 0.2  # seconds between two reports of progress
_SAMPLES = ((1, 1, 0), (1, 0, 1), (1, 0, 0), (0, 0, 0), (1, 1, 1), (0, 1, 0)) * 4

Process = subprocess.Popen[bytes]


def compile_ahead(
    methods: Iterable[str] | None = None,
    *,
    assess: bool = True,
    least: int = 1,
    jobs: int | None = None,
) -> None:
    """Compile what methods need to be fitted and judged, unless it is compiled already.

    What is compiled is kept, so this helps once: before the first use of an installation, or when
    the image of a container is made.

    Parameters
    ----------
    methods
        Methods, as on the command line; by default all.
    assess
        Whether also to compile the bootstrap, the tests of edges, and where samples stand.
    least
        Number of processes below which nothing is done; with 2 only what is done together.
    jobs
        Number of processes; by default the number of cores, but not more than 4.

    Examples
    --------
    >>> compile_ahead(["mhn", "oncotree"])
    """
    named = _SECONDS if methods is None else map(_listed, methods)
    waiting = _not_compiled(named)
    processes = min(jobs or cores(), _MOST, len(waiting))
    if processes < max(1, least):
        return
    own, *others = _shares(waiting, processes)
    calls = [f"rehearse({share!r}, assess={assess})" for share in others]
    with _running(calls) as started:
        with silent():
            rehearse(own, assess=assess)
        _wait(started)


@contextmanager
def compiling_beside() -> Iterator[None]:
    """Compile everything in another process, which ends with this context if it is not ready."""
    with _running(["compile_ahead(jobs=1)"]):
        yield


def prepare_all() -> None:
    """Write the kernels of all methods for `make wheel`; the cache of compiled code must be empty.

    See `caprese.kernels.prepared`.
    """
    from caprese.kernels.prepared import prepare

    prepare(lambda: rehearse(_SECONDS, assess=True))


def rehearse(methods: Iterable[str], *, assess: bool) -> None:
    """Do with a little data what commands do with methods, and so compile what they need."""
    from caprese.assessment.bootstrap import bootstrap
    from caprese.assessment.comparison import compare
    from caprese.assessment.edge_tests import edge_tests
    from caprese.assessment.judge import judge
    from caprese.data.dataset import Dataset
    from caprese.fitting.estimate import error_intervals
    from caprese.methods import parse_method
    from caprese.methods.base import OrderedFit, fit_of, is_quick
    from caprese.models.base import PlacingModel
    from caprese.patients.place import place

    events = "first", "second", "third"
    data = Dataset.from_rows(_SAMPLES, events=events)
    with_unknown = Dataset.from_rows((*_SAMPLES, (1, None, 0)), events=events)
    for name in methods:
        method = parse_method(name)
        fit_of(method, with_unknown)
        fit = fit_of(method, data)
        (compared,) = compare([fit], data)
        judge([method], data, folds=4, held_out=1, jobs=1)
        if assess and isinstance(fit.predictive, PlacingModel):
            place(fit, data)
        if assess and isinstance(fit, OrderedFit) and is_quick(method):
            error_intervals(compared.estimate, data, 0.95)
            edge_tests(fit, data, permutations=19)
            bootstrap(fit, data, replicates=2)


def _listed(method: str) -> str:
    """Return a method as it is listed here: with those parameters alone that matter."""
    return method if method in _SECONDS else method.partition(":")[0]


def _not_compiled(methods: Iterable[str]) -> list[str]:
    """Return those methods of which a kernel is not compiled that they need late."""
    from caprese.kernels import (
        branching,
        forest_ascent,
        forest_likelihood,
        forest_predictions,
        hazards,
        pairwise_parents,
        parent_subsets,
        poset_em,
        set_transform,
    )

    late = {
        "bayes": forest_predictions.draw_log_probabilities,
        "caprese": forest_likelihood.log_probabilities,
        "hcbn": set_transform.observe_with_errors,
        "capri": parent_subsets.best_sets,
        "mhn": hazards.chances,
        "oncotree:search=branching": branching.certain_parents,
        "oncotree": pairwise_parents.szabo_parents,
        "likelihood": forest_ascent.attachments,
        "cbn": poset_em.maximise_likelihood,
    }
    return [name for name in dict.fromkeys(methods) if name in late and not late[name].is_kept()]


def _shares(methods: Iterable[str], number: int) -> list[list[str]]:
    """Divide methods among processes, so that all end at about the same time."""
    shares: list[list[str]] = [[] for _ in range(number)]
    for method in sorted(methods, key=_SECONDS.__getitem__, reverse=True):
        min(shares, key=lambda share: sum(_SECONDS[one] for one in share)).append(method)
    return shares


@contextmanager
def _running(calls: Iterable[str]) -> Iterator[list[Process]]:
    """Call functions of this file, each in a process of its own, which ends with this context.

    Where no process can be started, there is none; then kernels are compiled when they are needed.
    """
    started: list[Process] = []
    try:
        with suppress(OSError):
            started += map(_started, calls if sys.executable else ())
        yield started
    finally:
        for process in started:
            process.terminate()
            process.wait()


def _started(call: str) -> Process:
    program = f"import caprese.compilation as compilation; compilation.{call}"
    command, nothing = [sys.executable, "-P", "-c", program], subprocess.DEVNULL
    return subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing)


def _wait(processes: Iterable[Process]) -> None:
    """Wait for processes, and report that something is compiled."""
    for process in processes:
        while True:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_PATIENCE)
                break
            tell(COMPILING, 0, 0)
