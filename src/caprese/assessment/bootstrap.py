"""Bootstrap: resample or simulate data many times, infer from each, and count what comes back."""

import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

import numpy as np

from caprese._core.arrays import FloatArray, IntArray
from caprese._core.checks import SEEDS, one_of, whole
from caprese._core.environment import worker_count
from caprese._core.progress import silent, tell
from caprese._core.workers import in_processes
from caprese.assessment.confidence import (
    KEPT,
    UNDETERMINED,
    Confidence,
    Parents,
    determined,
    edge_rows,
    most_frequent,
    ranked_votes,
    vote_rows,
)
from caprese.data.dataset import Dataset
from caprese.errors import ModelError, ParameterError
from caprese.fitting.estimate import with_errors
from caprese.kernels.pairwise_parents import add_ancestors
from caprese.methods.fit import Fit, Fitted, Method, OrderedFit, fit_of, new_fit
from caprese.methods.protocols import CountsMethod, SeededMethod, is_quick
from caprese.models.base import ParentSets, PatternedOrder, parent_sets
from caprese.models.forest import ROOT
from caprese.models.noise import Noise
from caprese.simulation.replicates import Countable, Repeats, Replicates, Resamples, draws_like

if TYPE_CHECKING:
    from caprese.assessment.effects import EffectConfidence

T = TypeVar("T")
Taken = Callable[[Fit[Any, Any]], T]  # what is kept of a fit
BootstrapKind = Literal["nonparametric", "parametric", "statistical"]
Errors = Noise | Literal["estimate"] | None  # of what a parametric bootstrap simulates

_CHUNK_BYTES = 2**24  # of pair counts at once
MOST_DISTINGUISHED = 100_000  # replicates whose whole models are distinguished


class BootstrapInterrupted(KeyboardInterrupt):
    """An interruption of a bootstrap, with what was counted so far.

    Parameters
    ----------
    confidence
        Of the replicates that were done; None if there were none.
    """

    def __init__(self, confidence: "Confidence | EffectConfidence | None") -> None:
        super().__init__()
        self.confidence = confidence


def bootstrap(
    method: Fitted,
    data: Dataset,
    *,
    kind: BootstrapKind = "nonparametric",
    noise: Errors = None,
    replicates: int = 1000,
    seed: int = 1,
    jobs: int | None = None,
) -> Confidence:
    """Resample or simulate data many times, infer from each, and count what comes back.

    The same seed gives the same counts, whatever the number of jobs and the order of rows and
    columns. A `KeyboardInterrupt` carries what was counted by then, as its `confidence`.

    Parameters
    ----------
    method
        A method, or a fit to the data.
    data
        The data in question.
    kind
        ``"nonparametric"``: take samples of the data with replacement. ``"parametric"``: simulate
        them from the fitted model. ``"statistical"``: fit a method that draws random numbers, such
        as `Capri`, to the same data with other seeds.
    noise
        For the parametric kind: errors to add to what is simulated. ``"estimate"``: simulate from
        the predictive model, with the error rates of highest likelihood. None: no errors.
    replicates
        How often.
    seed
        A whole number, not negative.
    jobs
        How many workers; by default as many as there are cores.

    Examples
    --------
    >>> from caprese.data.datasets import ovarian
    >>> from caprese.methods import Caprese
    >>> confidence = bootstrap(Caprese(), ovarian(), replicates=2000)
    >>> confidence.edge_table()["support"].round(1)
    event
    8q+    1.0
    3q+    0.9
    5q-    0.5
    4q-    0.5
    8p-    0.5
    1q+    0.8
    Xp-    0.6
    Name: support, dtype: float64
    """
    settings: dict[str, Any] = {"kind": kind, "noise": noise, "seed": seed, "jobs": jobs}
    running = RunningBootstrap(method, data, replicates=replicates, **settings)
    try:
        for done in running:
            tell("replicates", done, replicates)
    except KeyboardInterrupt:
        raise BootstrapInterrupted(running.confidence if running.done else None) from None
    return running.confidence


def ancestor_shares(method: Fitted, data: Dataset, **how: Any) -> FloatArray:
    """Return in which share of replicates each event is an ancestor of each other, on one core."""
    running = RunningBootstrap(method, data, jobs=1, **how)
    for _ in running:
        pass
    return np.asarray(running.ancestors / running.done)


class RunningBootstrap:
    """A bootstrap that can be looked at while it runs.

    Iterating over it runs it, and yields how many replicates are done. Its `confidence` is always
    that of a whole bootstrap of as many replicates. Parameters are those of `bootstrap`.
    """

    def __init__(
        self,
        method: Fitted,
        data: Dataset,
        *,
        kind: BootstrapKind = "nonparametric",
        noise: Errors = None,
        replicates: int = 1000,
        seed: int = 1,
        jobs: int | None = None,
    ) -> None:
        whole("replicates", replicates, 1)
        whole("seed", seed, *SEEDS)
        workers = worker_count(jobs)
        data = Dataset.of(data)
        fit = fit_of(method, data)
        if not isinstance(fit, OrderedFit):
            raise ModelError("a bootstrap counts edges, and this model has none")
        source = source_of(fit, data, kind, noise, seed)
        self._parts = _inferred(fit.method, source, replicates, workers)
        self._fit, self._seed, self._structure = fit, seed, _structure(fit)
        self.done = self._exact = 0  # replicates, and those in which the model came back
        n = len(fit.model.events)
        self._votes, self.ancestors = np.zeros((n + 2, n), np.int64), np.zeros((n, n), np.int64)
        self._vectors = Counter[bytes]()  # parents; bytes are counted much faster than numbers
        self._sets, self._patterns = Counter[Parents](), Counter[tuple[str, str]]()

    def __iter__(self) -> Iterator[int]:
        for found in self._parts:
            with _undisturbed():
                self._add(found)
            yield self.done

    @property
    def confidence(self) -> Confidence:
        """What was counted so far; at least one replicate must be done."""
        parents, pattern_edges = self._structure
        return Confidence(
            self._fit.model.events,
            parents,
            self.done,
            self._exact,
            self._votes,
            self.ancestors,
            most_frequent(self._sets or _decoded(self._vectors)),
            (self._seed,),
            self._fit.digest,
            pattern_edges,
            ranked_votes(self._patterns),
        )

    def _add(self, found: "_Chunk") -> None:
        if isinstance(found, np.ndarray):
            self._add_vectors(found)
        else:
            self._add_sets(found)
        self.done += len(found)

    def _add_vectors(self, parents: IntArray) -> None:
        n = parents.shape[1]
        cell = vote_rows(parents, n) * n + np.arange(n)
        self._votes += np.bincount(cell.ravel(), minlength=(n + 2) * n).reshape(n + 2, n)
        add_ancestors(parents, self.ancestors)
        own = np.array([above[0] if above else ROOT for above in self._structure[0]])
        self._exact += int((parents == own).all(axis=1).sum())
        distinguished = parents[: max(0, MOST_DISTINGUISHED - self.done)]
        self._vectors.update(distinguished.astype(np.int32).view(f"V{4 * n}").ravel().tolist())

    def _add_sets(self, models: list["_Structure"]) -> None:
        for parents, pattern_edges in models:
            self._votes[edge_rows(parents)] += 1
            self.ancestors += ParentSets(self._fit.model.events, determined(parents)).ancestors()
            self._patterns.update(pattern_edges)
        self._exact += models.count(self._structure)
        distinguished = models[: max(0, MOST_DISTINGUISHED - self.done)]
        self._sets.update(parents for parents, _ in distinguished)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let an interruption wait until what is being counted is counted in full."""
    usual = signal.getsignal(signal.SIGINT)
    if not callable(usual) or threading.current_thread() is not threading.main_thread():
        yield  # interruptions are ignored, or go to another thread
        return
    came: list[Any] = []
    signal.signal(signal.SIGINT, lambda *interruption: came.append(interruption))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
    if came:
        usual(*came[0])


def source_of(
    fit: Fit[Any, Any], data: Dataset, kind: BootstrapKind, noise: Errors, seed: int
) -> Replicates:
    """Return the replicates of the data of a fit."""
    one_of("kind", kind, get_args(BootstrapKind))
    if kind != "parametric" and noise is not None:
        raise ParameterError("noise", f"None in a {kind} bootstrap", noise)
    if kind == "nonparametric":
        return Resamples.of(data, seed)
    if kind == "statistical":
        if not isinstance(fit.method, SeededMethod):
            rule = "another, because this method draws no random numbers"
            raise ParameterError("kind", rule, kind)
        return Repeats(data, seed)
    if not isinstance(noise, Noise | None):
        one_of("noise", noise, ("estimate",))
    if noise == "estimate":
        return draws_like(data, fit.predictive, seed)
    model = fit.model if noise is None else with_errors(fit.model, fit.counts, noise)
    return draws_like(data, model, seed)


def _inferred(method: Method, source: Replicates, replicates: int, jobs: int) -> Iterator["_Chunk"]:
    """Yield what was found in the replicates, in order, a chunk at a time."""
    step = -(-replicates // (4 * jobs))
    if is_quick(method) and isinstance(source, Countable):
        step = max(1, min(step, _CHUNK_BYTES // (8 * source.columns**2)))
        yield from _from_counts(method, source, spans(replicates, step), jobs)
    else:
        yield from refits(method, source, spans(replicates, min(50, step)), jobs, _structure)


def spans(length: int, step: int = 1) -> Iterator[range]:
    """Return numbers from 0 on, so many at a time."""
    return (range(start, min(start + step, length)) for start in range(0, length, step))


def _from_counts(
    method: CountsMethod, source: Countable, parts: Iterator[range], jobs: int
) -> Iterator[IntArray]:
    def work(span: range) -> IntArray:
        counts = source.counts(span.start, span.stop)
        gone = counts.never | counts.always
        return np.where(gone, UNDETERMINED, method.infer_parents(counts))

    if jobs == 1:
        yield from map(work, parts)
        return
    with ThreadPoolExecutor(jobs) as pool:
        waiting = [pool.submit(work, span) for span in islice(parts, 2 * jobs)]
        while waiting:
            yield waiting.pop(0).result()
            waiting += [pool.submit(work, span) for span in islice(parts, 1)]


def refits(
    method: Method, source: Replicates, parts: Iterator[range], jobs: int, taken: Taken[T]
) -> Iterator[list[T]]:
    """Fit a method to each replicate; yield what is taken of the fits, in order, some at a time."""
    from joblib import delayed

    yield from in_processes((delayed(_fitted)(method, source, span, taken) for span in parts), jobs)


def _fitted(method: Method, source: Replicates, span: range, taken: Taken[T]) -> list[T]:
    with silent():
        return [taken(_refitted(method, source, replicate)) for replicate in span]


def _refitted(method: Method, source: Replicates, replicate: int) -> Fit[Any, Any]:
    if isinstance(source, Repeats):
        method = replace(method, seed=source.seed_of(replicate))
    return new_fit(method, source.dataset(replicate))


_Structure = tuple[Parents, tuple[tuple[str, str], ...]]  # parents, and pattern edges among them
_Chunk = IntArray | list[_Structure]  # a parent for each event, many at a time; or sets of parents


def _structure(fit: Fit[Any, Any]) -> _Structure:
    """Return the parents of a model; mark the events that are in none or in all of the samples."""
    order, gone = fit.model, fit.counts.never | fit.counts.always
    above = zip(gone.tolist(), parent_sets(order.adjacency()), strict=True)
    parents = tuple((UNDETERMINED,) if mark else own for mark, own in above)
    return parents, order.pattern_edges if isinstance(order, PatternedOrder) else ()


def _decoded(vectors: Counter[bytes]) -> dict[Parents, int]:
    ranked = sorted(vectors.items(), key=lambda item: (-item[1], item[0]))[:KEPT]
    shared: dict[int, tuple[int, ...]] = {ROOT: ()}  # a thousand models have the same few sets
    return {
        tuple(
            shared.setdefault(parent, (parent,))
            for parent in np.frombuffer(each, np.int32).tolist()
        ): times
        for each, times in ranked
    }
