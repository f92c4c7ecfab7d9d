"""Bootstrap: resample or simulate data many times, infer from each, and count what comes back."""

import signal
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from caprese._core.arrays import IntArray
from caprese._core.checks import whole
from caprese._core.environment import worker_count
from caprese._core.progress import tell
from caprese.assessment.confidence import (
    KEPT,
    UNDETERMINED,
    Confidence,
    Parents,
    determined,
    most_frequent,
    ranked_votes,
    vote_rows,
)
from caprese.assessment.refits import Kind, refits, source_of
from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.kernels.pairwise_parents import add_ancestors
from caprese.methods.fit import Fit, Fitted, Method, OrderedFit, fit_of
from caprese.methods.protocols import CountsMethod, is_quick
from caprese.models.base import ParentSets, PatternedOrder, parent_sets
from caprese.models.forest import ROOT
from caprese.models.noise import Noise
from caprese.simulation.replicates import CountedReplicates, Replicates

if TYPE_CHECKING:
    from caprese.assessment.effects import EffectConfidence

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
    kind: Kind = "nonparametric",
    noise: Noise | Literal["estimate"] | None = None,
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
        kind: Kind = "nonparametric",
        noise: Noise | Literal["estimate"] | None = None,
        replicates: int = 1000,
        seed: int = 1,
        jobs: int | None = None,
    ) -> None:
        whole("replicates", replicates, 1)
        whole("seed", seed)
        workers = worker_count(jobs)
        data = Dataset.of(data)
        fit = fit_of(method, data)
        if not isinstance(fit, OrderedFit):
            raise ModelError("a bootstrap counts edges, and this model has none")
        source = source_of(fit, data, kind, noise, seed)
        self._parts = _inferred(fit.method, source, replicates, workers)
        self._tally = _Tally(fit)
        self._seed, self._digest = seed, fit.digest

    def __iter__(self) -> Iterator[int]:
        for found in self._parts:
            with _undisturbed():
                self._tally.add(found)
            yield self.done

    @property
    def done(self) -> int:
        """How many replicates are done."""
        return self._tally.replicates

    @property
    def confidence(self) -> Confidence:
        """What was counted so far; at least one replicate must be done."""
        return self._tally.result(self._seed, self._digest)


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


def _inferred(method: Method, source: Replicates, replicates: int, jobs: int) -> Iterator["_Found"]:
    """Yield what was found in the replicates, in order, a chunk at a time."""
    if is_quick(method) and isinstance(source, CountedReplicates):
        yield from _from_counts(method, source, replicates, jobs)
    else:
        step = min(50, -(-replicates // (4 * jobs)))
        yield from refits(method, source, replicates, jobs, _model, step=step)


def _from_counts(
    method: CountsMethod, source: CountedReplicates, replicates: int, jobs: int
) -> Iterator[IntArray]:
    def work(start: int, stop: int) -> IntArray:
        counts = source.counts(start, stop)
        gone = counts.never | counts.always
        return np.where(gone, UNDETERMINED, method.infer_parents(counts))

    fit_in = _CHUNK_BYTES // (8 * source.columns**2)
    step = max(1, min(fit_in, -(-replicates // (4 * jobs))))
    starts = range(0, replicates, step)
    spans = ((start, min(start + step, replicates)) for start in starts)
    if jobs == 1:
        yield from (work(*span) for span in spans)
        return
    with ThreadPoolExecutor(jobs) as pool:
        waiting = [pool.submit(work, *span) for span in islice(spans, 2 * jobs)]
        while waiting:
            yield waiting.pop(0).result()
            waiting += [pool.submit(work, *span) for span in islice(spans, 1)]


class _Model(NamedTuple):
    """The parents of a model, and the patterns among them."""

    parents: Parents
    pattern_edges: tuple[tuple[str, str], ...]


def _model(fit: Fit[Any, Any]) -> _Model:
    """Return the parents of a model; mark the events that are in none or in all of the samples."""
    order, gone = fit.model, fit.counts.never | fit.counts.always
    above = zip(gone.tolist(), parent_sets(order.adjacency()), strict=True)
    parents = tuple((UNDETERMINED,) if mark else own for mark, own in above)
    return _Model(parents, order.pattern_edges if isinstance(order, PatternedOrder) else ())


_Found = IntArray | list[_Model]  # a parent for each event, many at a time; or sets of parents


class _Tally:
    """What was counted so far."""

    def __init__(self, fit: Fit[Any, Any]) -> None:
        n = len(fit.model.events)
        self.events = fit.model.events
        self.parent_sets, self.pattern_edges = _model(fit)
        self.votes, self.ancestors = np.zeros((n + 2, n), np.int64), np.zeros((n, n), np.int64)
        self.vectors = Counter[bytes]()  # parents; bytes are counted much faster than numbers
        self.sets, self.patterns = Counter[Parents](), Counter[tuple[str, str]]()
        self.replicates = self.exact = 0

    def add(self, found: _Found) -> None:
        if isinstance(found, np.ndarray):
            self._add_vectors(found)
        else:
            self._add_sets(found)
        self.replicates += len(found)

    def _add_vectors(self, parents: IntArray) -> None:
        n = len(self.events)
        cell = vote_rows(parents, n) * n + np.arange(n)
        self.votes += np.bincount(cell.ravel(), minlength=(n + 2) * n).reshape(n + 2, n)
        add_ancestors(parents, self.ancestors)
        own = np.array([above[0] if above else ROOT for above in self.parent_sets])
        self.exact += int((parents == own).all(axis=1).sum())
        distinguished = parents[: max(0, MOST_DISTINGUISHED - self.replicates)]
        self.vectors.update(distinguished.astype(np.int32).view(f"V{4 * n}").ravel().tolist())

    def _add_sets(self, models: list[_Model]) -> None:
        n = len(self.events)
        found = [model.parents for model in models]
        for parents in found:
            pairs = [(i, j) for j, above in enumerate(parents) for i in above or (ROOT,)]
            above, child = (np.array(column) for column in zip(*pairs, strict=True))
            self.votes[vote_rows(above, n), child] += 1
            self.ancestors += ParentSets(self.events, determined(parents)).ancestors()
        self.patterns.update(edge for model in models for edge in model.pattern_edges)
        self.exact += models.count(_Model(self.parent_sets, self.pattern_edges))
        self.sets.update(found[: max(0, MOST_DISTINGUISHED - self.replicates)])

    def result(self, seed: int, digest: str) -> Confidence:
        return Confidence(
            self.events,
            self.parent_sets,
            self.replicates,
            self.exact,
            self.votes,
            self.ancestors,
            most_frequent(self.sets or _decoded(self.vectors)),
            (seed,),
            digest,
            self.pattern_edges,
            ranked_votes(self.patterns),
        )


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
