"""Confidence: how often a progression comes back from resampled or simulated data."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Self

import numpy as np

from caprese._core.arrays import ArrayValue, FloatArray, IntArray, sealed, shaped
from caprese._core.checks import instance
from caprese._core.names import distinct_names
from caprese._core.significance import LEVEL, standard_errors
from caprese.data.counts import Counts
from caprese.errors import ModelError
from caprese.fitting.structure import forest_from_parents, maximum_branching
from caprese.models.base import ParentSets
from caprese.models.forest import ROOT, Forest

if TYPE_CHECKING:
    import pandas as pd

UNDETERMINED = -2  # in place of a parent: the event is in none or in all of the samples
Parents = tuple[tuple[int, ...], ...]
DistinctModels = tuple[tuple[Parents, int], ...]

KEPT = 1000  # different models that are kept


@dataclass(frozen=True, eq=False)
class Confidence(ArrayValue):
    """How often each edge, and the whole model, came back.

    Parameters
    ----------
    events
        Names of the events.
    parent_sets
        The model in question: for each event the positions of its parents, none for the root, or
        UNDETERMINED (-2) alone where the event is in none or in all of the samples.
    replicates
        How often data was resampled or simulated, and a model inferred from it.
    exact
        How often that was the model in question.
    votes
        ``votes[i, j]``: how often i was a parent of j. Two more rows: how often the root was, and
        how often the event was in none or in all of the samples, so that nobody gets a vote.
    ancestors
        ``ancestors[i, j]``: how often i came before j.
    distinct_models
        The most frequent models, as parents and how often; counted in the first 100,000
        replicates of a run.
    seeds
        Seeds of the runs that were added up.
    digest
        Fingerprint of the data.
    pattern_edges
        Patterns that are parents in the model in question, each with its child; the votes of their
        events are among `votes`.
    pattern_votes
        Pattern, child, and how often the one was a parent of the other.
    """

    events: tuple[str, ...]
    parent_sets: Parents
    replicates: int
    exact: int
    votes: IntArray
    ancestors: IntArray
    distinct_models: DistinctModels
    seeds: tuple[int, ...]
    digest: str
    pattern_edges: tuple[tuple[str, str], ...] = field(default=(), metadata={"optional": True})
    pattern_votes: tuple[tuple[str, str, int], ...] = field(default=(), metadata={"optional": True})

    def __post_init__(self) -> None:
        n = len(distinct_names("event", self.events, ModelError))
        if self.replicates < 1:
            raise ModelError(f"replicates must be 1 or more, got {self.replicates}")
        if not 0 <= self.exact <= self.replicates:
            raise ModelError(f"exact must be from 0 to {self.replicates}, got {self.exact}")
        if len(self.parent_sets) != n:
            raise ModelError(
                f"parent_sets must be one set per event, {n}, got {len(self.parent_sets)}"
            )
        for parents in (self.parent_sets, *(parents for parents, _ in self.distinct_models)):
            rows = chain.from_iterable(determined(parents))
            if len(parents) != n or not all(0 <= row < n for row in rows):
                raise ModelError("parent_sets must be positions of events")
        ParentSets(self.events, determined(self.parent_sets))  # refuses cycles
        if not all(0 < times <= self.replicates for _, times in self.distinct_models):
            raise ModelError(f"a model must be found 1 to {self.replicates} times")
        for name, shape in (("votes", (n + 2, n)), ("ancestors", (n, n))):
            array = shaped(self, name, shape, np.int64)
            if ((array < 0) | (array > self.replicates)).any():
                raise ModelError(f"{name} must be from 0 to {self.replicates}, the replicates")

    def __add__(self, other: Self) -> Self:
        """Add up two runs of the same bootstrap with different seeds."""
        if (self.events, self.digest) != (other.events, other.digest):
            raise ModelError("only bootstraps of the same data can be added up")
        if self.parent_sets != other.parent_sets:
            raise ModelError("only bootstraps of the same model can be added up")
        if set(self.seeds) & set(other.seeds):
            raise ModelError(f"both runs used seed {min(set(self.seeds) & set(other.seeds))}")
        added = ("replicates", "exact", "votes", "ancestors", "seeds")
        models = Counter(dict(self.distinct_models)) + Counter(dict(other.distinct_models))
        return replace(
            self,
            **{name: getattr(self, name) + getattr(other, name) for name in added},
            distinct_models=most_frequent(models),
            pattern_votes=ranked_votes(self._pattern_counter() + other._pattern_counter()),
        )

    @cached_property
    def support(self) -> FloatArray:
        """Share of the replicates in which i was a parent of j; then the root; then nobody."""
        return sealed(self.votes / self.replicates)

    def pattern_support(self, pattern: str, child: str) -> float:
        """Return the share of the replicates in which a pattern was a parent of an event."""
        return self._pattern_counter()[pattern, child] / self.replicates

    def _pattern_counter(self) -> "Counter[tuple[str, str]]":
        return Counter({(pattern, child): n for pattern, child, n in self.pattern_votes})

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
        >>> from caprese.data.datasets import acml
        >>> from caprese.methods import Caprese
        >>> from caprese.assessment.bootstrap import bootstrap
        >>> bootstrap(Caprese(), acml(), replicates=1000, seed=1).table().loc["root"].round(2)
        SETBP1 missense    0.99
        ASXL1 indel        0.96
        ASXL1 nonsense     0.02
        Name: root, dtype: float64
        """
        import pandas as pd

        *events, root, nobody = self.support
        names = pd.Index(["root", *self.events, "not determined"], name="parent")
        return pd.DataFrame([root, *events, nobody], index=names, columns=list(self.events))

    def edge_table(self) -> "pd.DataFrame":
        """Return one row per edge of the model, those from the root too: how often it came back.

        Edges from patterns come last, after those from the events of the patterns.
        With 95 % Monte-Carlo intervals: what more replicates could still change.
        """
        import pandas as pd

        named = [*self.events, None, None]  # the last for the root and for nobody
        rows, children = edge_rows(self.parent_sets)
        patterns = [self._pattern_counter()[edge] for edge in self.pattern_edges]
        votes = np.array([*self.votes[rows, children], *patterns])
        low, high = monte_carlo_interval(votes, self.replicates)
        unpaired = np.full((2, len(self.events)), np.nan)  # the root, and nobody

        def between_events(shares: FloatArray) -> FloatArray:
            found = np.vstack([shares, unpaired])[rows, children]
            return np.append(found, [np.nan] * len(patterns))

        names = [*(named[row] for row in rows), *(name for name, _ in self.pattern_edges)]
        events = [*(named[row] for row in children), *(child for _, child in self.pattern_edges)]
        return pd.DataFrame(
            {
                "parent": pd.array(names, dtype="string"),
                "support": votes / self.replicates,
                "low": low,
                "high": high,
                "adjacency": between_events(self.adjacency),
                "direction": between_events(self.direction),
                "ancestor": between_events(self.ancestors / self.replicates),
            },
            index=pd.Index(events, name="event"),
        )


def consensus(confidence: Confidence, counts: Counts) -> Forest:
    """Return the forest the replicates agree on most: the branching of most votes.

    Also for models in which events have several parents, of which it keeps one each.

    Parameters
    ----------
    counts
        Pair counts of the data, for the probabilities of the edges.
    """
    instance("confidence", confidence, Confidence, "the answer of a bootstrap")
    instance("counts", counts, Counts, "counts of events")
    n = len(confidence.events)
    support = confidence.support
    parents, _ = maximum_branching(support[:n], support[n] + support[n + 1])
    return forest_from_parents(counts, parents)


def monte_carlo_interval(
    times: IntArray | int, replicates: int, level: float = LEVEL
) -> tuple[FloatArray, FloatArray]:
    """Return the Wilson interval of a share: what more replicates could still make of it."""
    share, z = np.asarray(times) / replicates, standard_errors(level)
    middle = share + z**2 / (2 * replicates)
    reach = z * np.sqrt(share * (1 - share) / replicates + (z / (2 * replicates)) ** 2)
    scale = 1 + z**2 / replicates
    low, high = (middle - reach) / scale, (middle + reach) / scale
    return np.clip(low, 0, share), np.clip(high, share, 1)  # at 0 and 1 rounding goes too far


def determined(parents: Parents) -> Parents:
    """Return the parents of a model, with none where they are undetermined."""
    return tuple(() if above == (UNDETERMINED,) else above for above in parents)


def edge_rows(parents: Parents) -> tuple[IntArray, IntArray]:
    """Return the row and the column of `votes` of each edge, those of the root and nobody too."""
    edges = [(i, j) for j, above in enumerate(parents) for i in above or (ROOT,)]
    above, children = np.array(edges, dtype=np.int64).T
    return vote_rows(above, len(parents)), children


def most_frequent(models: Mapping[Parents, int]) -> DistinctModels:
    """Return models and how often each was found, the most frequent first; at most KEPT."""
    ranked = sorted(models.items(), key=lambda item: (-item[1], item[0]))
    return tuple(ranked[:KEPT])


def ranked_votes(votes: Mapping[tuple[str, str], int]) -> tuple[tuple[str, str, int], ...]:
    """Return pattern, child and number of votes, the most votes first."""
    ranked = sorted(votes.items(), key=lambda item: (-item[1], item[0]))
    return tuple((pattern, child, number) for (pattern, child), number in ranked)


def vote_rows(parents: IntArray, events: int) -> IntArray:
    """Return the rows of `votes` that parents stand for."""
    return np.where(parents < 0, events - 1 - parents, parents)
