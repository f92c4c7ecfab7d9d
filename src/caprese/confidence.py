"""Confidence: how often a progression comes back from data drawn anew."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from caprese.arrays import ArrayValue, FloatArray, IntArray, frozen
from caprese.counts import Counts
from caprese.dataset import Dataset
from caprese.errors import ModelError
from caprese.methods.base import Fit, Method, hang
from caprese.models.forest import ROOT, Forest
from caprese.models.noise import Noise
from caprese.models.poset import Poset, TimedPoset, parent_sets
from caprese.replicates import CountedReplicates, Draws, PosetDraws, Replicates, Resamples
from caprese.structure import maximum_branching

if TYPE_CHECKING:
    import pandas as pd

UNDETERMINED = -2  # in place of a parent: the event is in none or in all of the samples
Kind = Literal["nonparametric", "parametric"]
Parents = tuple[tuple[int, ...], ...]
Spectrum = tuple[tuple[Parents, int], ...]

_CHUNK_BYTES = 2**24  # of pair counts at once
_SPECTRUM = 100_000  # replicates whose whole forests are told apart
_KEPT = 1000  # different models that are kept


@dataclass(frozen=True, eq=False)
class Confidence(ArrayValue):
    """How often each edge, and the whole model, came back.

    Parameters
    ----------
    events
        Names of the events.
    parents
        The model in question: for each event the positions of its parents, none for the root, or
        UNDETERMINED (-2) alone where the event is in none or in all of the samples.
    replicates
        How often data was drawn anew and a model inferred from it.
    exact
        How often that was the model in question.
    votes
        ``votes[i, j]``: how often i was a parent of j. Two more rows: how often the root was, and
        how often the event was in none or in all of the samples, so that nobody gets a vote.
    ancestors
        ``ancestors[i, j]``: how often i came before j.
    spectrum
        The most frequent models, as parents and how often; counted in the first 100,000
        replicates of a run.
    seeds
        Seeds of the runs that were added up.
    digest
        Fingerprint of the data.
    """

    events: tuple[str, ...]
    parents: Parents
    replicates: int
    exact: int
    votes: IntArray
    ancestors: IntArray
    spectrum: Spectrum
    seeds: tuple[int, ...]
    digest: str

    def __post_init__(self) -> None:
        n = len(self.events)
        if len(self.parents) != n:
            raise ModelError(f"parents must be one set per event, {n}, got {len(self.parents)}")
        if not all(UNDETERMINED <= row < n for _event, row in self._edges()):
            raise ModelError("parents must be positions of events")
        for name, shape in (("votes", (n + 2, n)), ("ancestors", (n, n))):
            array = frozen(getattr(self, name), np.int64)
            if array.shape != shape:
                raise ModelError(f"{name} must be {shape} for {n} events, got {array.shape}")
            object.__setattr__(self, name, array)

    def __add__(self, other: Self) -> Self:
        """Add up two runs of the same bootstrap with different seeds."""
        if (self.events, self.digest) != (other.events, other.digest):
            raise ModelError("only bootstraps of the same data can be added up")
        if self.parents != other.parents:
            raise ModelError("only bootstraps of the same model can be added up")
        if set(self.seeds) & set(other.seeds):
            raise ModelError(f"both runs used seed {min(set(self.seeds) & set(other.seeds))}")
        return replace(
            self,
            replicates=self.replicates + other.replicates,
            exact=self.exact + other.exact,
            votes=self.votes + other.votes,
            ancestors=self.ancestors + other.ancestors,
            spectrum=_most_frequent(Counter(dict(self.spectrum)) + Counter(dict(other.spectrum))),
            seeds=self.seeds + other.seeds,
        )

    @property
    def support(self) -> FloatArray:
        """Share of the replicates in which i was a parent of j; then the root; then nobody."""
        return self.votes / self.replicates

    @property
    def adjacency(self) -> FloatArray:
        """Share of the replicates in which i and j were parent and child, either way round."""
        between = self.votes[: len(self.events)]
        return np.asarray((between + between.T) / self.replicates)

    @property
    def direction(self) -> FloatArray:
        """Share in which i was the parent, of those in which i and j were parent and child.

        NaN where they never were.
        """
        between = self.votes[: len(self.events)]
        with np.errstate(invalid="ignore"):
            return np.asarray(between / (between + between.T))

    def table(self) -> "pd.DataFrame":
        """Return the support of every edge as the paper lays it out: parents down, children across.

        Examples
        --------
        >>> from caprese.datasets import acml
        >>> from caprese.methods import Caprese
        >>> bootstrap(Caprese(), acml(), replicates=1000, seed=1).table().loc["root"].round(2)
        SETBP1 missense    0.99
        ASXL1 indel        0.96
        ASXL1 nonsense     0.02
        Name: root, dtype: float64
        """
        import pandas as pd

        order = np.roll(np.arange(len(self.events) + 1), 1)  # the root first
        rows = [*order, len(self.events) + 1]
        names = ["root", *self.events, "not determined"]
        return pd.DataFrame(
            self.support[rows], index=pd.Index(names, name="parent"), columns=list(self.events)
        )

    def edge_table(self) -> "pd.DataFrame":
        """Return one row per edge of the model, those from the root too: how often it came back.

        With 95 % Monte-Carlo intervals: what more replicates could still change.
        """
        import pandas as pd

        named = [*self.events, None, None]  # the last for undetermined, -2, and the root, -1
        children, parents = (np.array(column) for column in zip(*self._edges(), strict=True))
        votes = self.votes[_rows(parents, len(self.events)), children]
        low, high = monte_carlo_interval(votes, self.replicates)
        between = parents >= 0
        above = np.maximum(parents, 0), children
        return pd.DataFrame(
            {
                "parent": pd.array([named[parent] for parent in parents], dtype="string"),
                "support": votes / self.replicates,
                "low": low,
                "high": high,
                "adjacency": np.where(between, self.adjacency[above], np.nan),
                "direction": np.where(between, self.direction[above], np.nan),
                "ancestor": np.where(between, self.ancestors[above] / self.replicates, np.nan),
            },
            index=pd.Index([self.events[child] for child in children], name="event"),
        )

    def _edges(self) -> list[tuple[int, int]]:
        """Pairs of event and parent, ROOT or UNDETERMINED."""
        return [
            (event, parent)
            for event, above in enumerate(self.parents)
            for parent in above or (ROOT,)
        ]


def bootstrap(
    method: Method,
    data: Dataset,
    *,
    kind: Kind = "nonparametric",
    noise: Noise | Literal["estimate"] | None = None,
    replicates: int = 1000,
    seed: int = 0,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Confidence:
    """Draw data anew many times, infer from each, and count what comes back.

    The same seed gives the same counts, whatever the number of jobs and the order of rows and
    columns. An interruption (Ctrl-C) ends the run early with the replicates that were done.

    Parameters
    ----------
    method, data
        The fit in question.
    kind
        ``"nonparametric"``: take samples of the data with replacement. ``"parametric"``: draw them
        from the fitted model.
    noise
        For the parametric kind: errors to add to what is drawn. ``"estimate"``: at the rates, and
        with the probabilities, of maximum likelihood. None: no errors.
    replicates
        How often.
    seed
        A whole number, not negative.
    jobs
        How many workers; as many as there are cores if left out.
    progress
        Called with how many replicates were done since the last call.

    Examples
    --------
    >>> from caprese.datasets import ovarian
    >>> from caprese.methods import Caprese
    >>> confidence = bootstrap(Caprese(), ovarian(), replicates=2000, seed=1)
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
    if replicates < 1:
        raise ValueError(f"replicates must be at least 1, got {replicates}")
    if seed < 0:
        raise ValueError(f"seed must not be negative, got {seed}")
    if jobs is not None and jobs < 1:
        raise ValueError(f"jobs must be at least 1, got {jobs}")
    fit = method.fit(data)
    source = _source(fit, data, kind, noise, seed)
    tally = _Tally.of(fit)
    parts = _inferred(method, source, replicates, jobs or os.cpu_count() or 1)
    try:
        for found in parts:
            tally.add(found)
            if progress is not None:
                progress(len(found))
    except KeyboardInterrupt:
        if not tally.replicates:
            raise
    return tally.result(seed, fit.digest)


def consensus(confidence: Confidence, counts: Counts) -> Forest:
    """Return the forest the replicates agree on most: the branching of most votes.

    Also for models in which events have several parents, of which it keeps one each.

    Parameters
    ----------
    counts
        Pair counts of the data, for the probabilities of the edges.
    """
    n = len(confidence.events)
    support = confidence.support
    parents, _ = maximum_branching(support[:n], support[n] + support[n + 1])
    return hang(counts, parents)


def monte_carlo_interval(
    times: IntArray | int, replicates: int, level: float = 0.95
) -> tuple[FloatArray, FloatArray]:
    """Return the Wilson interval of a share: what more replicates could still make of it.

    Examples
    --------
    >>> low, high = monte_carlo_interval(90, 100)
    >>> round(float(low), 3), round(float(high), 3)
    (0.826, 0.945)
    """
    from scipy.special import ndtri

    share, z = np.asarray(times) / replicates, float(ndtri((1 + level) / 2))
    middle = share + z**2 / (2 * replicates)
    reach = z * np.sqrt(share * (1 - share) / replicates + (z / (2 * replicates)) ** 2)
    scale = 1 + z**2 / replicates
    low, high = (middle - reach) / scale, (middle + reach) / scale
    return np.clip(low, 0, share), np.clip(high, share, 1)  # at 0 and 1 rounding goes too far


def _source(
    fit: Fit[Any, Any],
    data: Dataset,
    kind: Kind,
    noise: Noise | Literal["estimate"] | None,
    seed: int,
) -> Replicates:
    if kind == "nonparametric":
        if noise is not None:
            raise ValueError("noise must be None in a nonparametric bootstrap")
        return Resamples.of(data, seed)
    if kind != "parametric":
        raise ValueError(f"kind must be nonparametric or parametric, got {kind!r}")
    if isinstance(fit.model, TimedPoset):
        return PosetDraws.of(fit.model, noise, data, seed)
    return Draws.of(fit.model, noise, data, seed)


def _inferred(method: Any, source: Any, replicates: int, jobs: int) -> Iterator["_Found"]:
    """Yield what was found in the replicates, in order, a chunk at a time."""
    if getattr(method, "counts_suffice", False):
        yield from _from_counts(method, source, replicates, jobs)
    else:
        yield from _from_data(method, source, replicates, jobs)


def _from_counts(
    method: Any, source: CountedReplicates, replicates: int, jobs: int
) -> Iterator[IntArray]:
    def work(start: int, stop: int) -> IntArray:
        counts = source.counts(start, stop)
        return _marked(method.parents(counts), counts)

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


def _from_data(
    method: Method, source: Replicates, replicates: int, jobs: int
) -> Iterator[list[Parents]]:
    from joblib import Parallel, delayed

    step = max(1, min(50, -(-replicates // (4 * jobs))))
    starts = range(0, replicates, step)
    yield from Parallel(n_jobs=jobs, return_as="generator")(
        delayed(_fitted)(method, source, start, min(start + step, replicates)) for start in starts
    )


def _fitted(method: Method, source: Replicates, start: int, stop: int) -> list[Parents]:
    return [_parents(method.fit(source.dataset(replicate))) for replicate in range(start, stop)]


def _parents(fit: Fit[Any, Any]) -> Parents:
    """Return the parents of a model; mark the events that are in none or in all of the samples."""
    gone = fit.counts.never | fit.counts.always
    above = parent_sets(fit.model.adjacency())
    return tuple((UNDETERMINED,) if gone[event] else parents for event, parents in enumerate(above))


def _marked(parents: IntArray, counts: Counts) -> IntArray:
    """Mark the events that are in none or in all of the samples."""
    return np.where(counts.never | counts.always, UNDETERMINED, parents)


def _rows(parents: IntArray, events: int) -> IntArray:
    """Return the rows of `votes` that parents stand for."""
    return np.where(parents < 0, events - 1 - parents, parents)


_Found = IntArray | list[Parents]  # a parent for each event, many at a time; or sets of parents


@dataclass
class _Tally:
    """What was counted so far."""

    events: tuple[str, ...]
    parents: Parents
    votes: IntArray
    ancestors: IntArray
    vectors: Counter[bytes]  # parents as bytes, which are counted much faster than as numbers
    sets: Counter[Parents]
    replicates: int = 0
    exact: int = 0

    @classmethod
    def of(cls, fit: Fit[Any, Any]) -> "_Tally":
        n = len(fit.model.events)
        votes, ancestors = np.zeros((n + 2, n), np.int64), np.zeros((n, n), np.int64)
        return cls(fit.model.events, _parents(fit), votes, ancestors, Counter(), Counter())

    def add(self, found: _Found) -> None:
        if isinstance(found, np.ndarray):
            self._add_vectors(found)
        else:
            self._add_sets(found)
        self.replicates += len(found)

    def _add_vectors(self, parents: IntArray) -> None:
        from caprese.kernels.rules import add_ancestors

        n = len(self.events)
        cell = _rows(parents, n) * n + np.arange(n)
        self.votes += np.bincount(cell.ravel(), minlength=(n + 2) * n).reshape(n + 2, n)
        add_ancestors(parents, self.ancestors)
        own = np.array([above[0] if above else ROOT for above in self.parents])
        self.exact += int((parents == own).all(axis=1).sum())
        told_apart = parents[: max(0, _SPECTRUM - self.replicates)]
        self.vectors.update(told_apart.astype(np.int32).view(f"V{4 * n}").ravel().tolist())

    def _add_sets(self, found: list[Parents]) -> None:
        n = len(self.events)
        for parents in found:
            pairs = [(i, j) for j, above in enumerate(parents) for i in above or (ROOT,)]
            above, child = (np.array(column) for column in zip(*pairs, strict=True))
            self.votes[_rows(above, n), child] += 1
            known = tuple(tuple(i for i in each if i >= 0) for each in parents)
            self.ancestors += Poset(self.events, known).ancestors()
        self.exact += found.count(self.parents)
        self.sets.update(found[: max(0, _SPECTRUM - self.replicates)])

    def result(self, seed: int, digest: str) -> Confidence:
        return Confidence(
            self.events,
            self.parents,
            self.replicates,
            self.exact,
            self.votes,
            self.ancestors,
            _most_frequent(self.sets or _decoded(self.vectors)),
            (seed,),
            digest,
        )


def _decoded(vectors: Counter[bytes]) -> dict[Parents, int]:
    ranked = sorted(vectors.items(), key=lambda item: (-item[1], item[0]))[:_KEPT]
    return {
        tuple(
            () if parent == ROOT else (parent,) for parent in np.frombuffer(each, np.int32).tolist()
        ): times
        for each, times in ranked
    }


def _most_frequent(models: Mapping[Parents, int]) -> Spectrum:
    ranked = sorted(models.items(), key=lambda item: (-item[1], item[0]))
    return tuple(ranked[:_KEPT])


def merged(parts: Iterable[Confidence]) -> Confidence:
    """Return several runs added up."""
    return reduce(lambda one, other: one + other, parts)
