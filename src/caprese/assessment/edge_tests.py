"""Edge tests: whether chance alone could have made an edge."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from caprese._core.arrays import ArrayValue, FloatArray, IntArray, WordArray, packed_columns
from caprese._core.checks import SEEDS, instance, whole
from caprese._core.names import by_name
from caprese.data.contingency import adjusted, boschloo, sign_test
from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.kernels.rank_tests import hypergeometric_tails
from caprese.kernels.resampling import permuted_counts
from caprese.kernels.threads import over_spans
from caprese.methods.evidence import PairEvidence
from caprese.methods.fit import A_FIT, Fit, OrderedFit
from caprese.methods.protocols import ScoringMethod

if TYPE_CHECKING:
    import pandas as pd

_EXACT = 300  # samples up to which the exact test of probability raising is cheap
_WORTH_A_THREAD = 2**23  # samples in all permutations of a thread
_TESTS = ("temporal_priority", "probability_raising", "co_occurrence", "score")


class Pairs(NamedTuple):
    """Counts of pairs, in arrays of a common shape."""

    joint: IntArray
    first: IntArray
    second: IntArray
    total: IntArray


@dataclass(frozen=True, eq=False)
class EdgeTests(ArrayValue):
    """Tests of the edges of a fit; each array holds one p-value for each edge.

    Parameters
    ----------
    edges
        Parent and child, by name.
    temporal_priority
        Whether the parent is truly more frequent: of the samples with one of the two alone, as
        many or more with the parent (exact binomial).
    probability_raising
        Whether the child is truly more frequent with the parent than without it (Boschloo's exact
        test; above 300 samples the score test).
    co_occurrence
        Whether the two meet more often than by chance: P(X >= k) of the hypergeometric.
    score
        Whether the best parent scores higher than the best would if the child were
        permuted over the samples at random; NaN for a method that does not score pairs.
    """

    edges: tuple[tuple[str, str], ...]
    temporal_priority: FloatArray
    probability_raising: FloatArray
    co_occurrence: FloatArray
    score: FloatArray

    def adjusted(self) -> dict[str, FloatArray]:
        """Return the p-values of each test, adjusted for the number of edges.

        By Benjamini and Hochberg, so that of the edges below 0.05 about one in twenty is due to
        chance. Without the test of the score where the method has none.
        """
        found = {name: getattr(self, name) for name in _TESTS}
        return {
            name: adjusted(values) for name, values in found.items() if not np.isnan(values).any()
        }

    def table(self) -> "pd.DataFrame":
        """Return one row per edge: each p-value, and as `adjusted`."""
        import pandas as pd

        columns: dict[str, FloatArray] = {}
        for name, values in self.adjusted().items():
            columns |= {name: getattr(self, name), f"{name}_adjusted": values}
        index = pd.MultiIndex.from_tuples(self.edges, names=["parent", "child"])
        return pd.DataFrame(columns, index=index)


def edge_tests(
    fit: Fit[Any, Any], data: Dataset, *, permutations: int = 999, seed: int = 1
) -> EdgeTests:
    """Test every edge of a fit, on the data it was fitted to.

    Parameters
    ----------
    permutations
        How many permutations of the child of each edge.
    seed
        A whole number; the same seed gives the same p-values, whatever the order of rows and
        columns.

    Raises
    ------
    ModelError
        If the fit has no edges, or was made from other data.

    Examples
    --------
    >>> from caprese.data.datasets import ovarian
    >>> from caprese.methods import Caprese
    >>> tests = edge_tests(Caprese().fit(ovarian()), ovarian())
    >>> tests.table()["temporal_priority"].round(3)
    parent  child
    8q+     3q+      0.007
    5q-     4q-      0.416
    8q+     8p-      0.000
    8p-     Xp-      0.271
    Name: temporal_priority, dtype: float64
    """
    whole("permutations", permutations, 1)
    whole("seed", seed, *SEEDS)
    if not isinstance(instance("fit", fit, Fit, A_FIT), OrderedFit):
        raise ModelError("edge tests need edges, and this model has none")
    data = Dataset.of(data)
    fit = fit.on(data)
    children, parents = np.nonzero(fit.model.adjacency().T)
    tables = (fit.counts.joint, fit.counts.first, fit.counts.second, fit.counts.total)
    pairs = Pairs(*(table[parents, children].astype(np.int64) for table in tables))
    first, second = pairs.first, pairs.second
    _, together = hypergeometric_tails(pairs.joint, first, pairs.total - first, second)
    return EdgeTests(
        fit.model.edges,
        _temporal_priority(pairs),
        np.array([_probability_raising(*pair) for pair in zip(*pairs, strict=True)], dtype=float),
        together,
        _score(fit, data, children, permutations, seed),
    )


def _temporal_priority(pairs: Pairs) -> FloatArray:
    """P(as many or more with the parent alone), if parent and child were equally frequent."""
    alone = zip(pairs.first - pairs.joint, pairs.second - pairs.joint, strict=True)
    return np.array([sign_test(int(parent), int(child)) for parent, child in alone], dtype=float)


def _probability_raising(joint: int, first: int, second: int, total: int) -> float:
    without = total - first
    if first == 0 or without == 0:
        return 1.0
    if total <= _EXACT:
        return boschloo(joint, first, second, total)
    share = second / total
    spread = np.sqrt(share * (1 - share) * (1 / first + 1 / without))
    raised = joint / first - (second - joint) / without
    return math.erfc(raised / spread / math.sqrt(2)) / 2 if spread > 0 else 1.0


def _score(
    fit: Fit[Any, Any], data: Dataset, children: IntArray, permutations: int, seed: int
) -> FloatArray:
    if not (isinstance(fit.method, ScoringMethod) and isinstance(fit.evidence, PairEvidence)):
        return np.full(len(children), np.nan)
    order = data.sample_order
    found = [score_p_value(fit, data, order, k, permutations, seed) for k in children.tolist()]
    return np.array(found, dtype=float)


def score_p_value(
    fit: Fit[Any, Any], data: Dataset, order: IntArray, child: int, permutations: int, seed: int
) -> float:
    """Return the p-value of the best parent's score, by permuting the child over the samples.

    NaN if no single event may be the parent, as where it is a pattern.
    """
    known = data.known
    rows = order if known is None else order[known[order, child]]
    rivals = np.flatnonzero(fit.evidence.pair_scores().admissible[:, child])
    if not rivals.size:
        return float("nan")
    tables = [data.values] if known is None else [data.values, known]
    columns = np.vstack([packed_columns(table[np.ix_(rows, rivals)]) for table in tables])
    own = packed_columns(data.values[rows, child][:, None])
    carriers, scoring = int(_ones(own)[0]), cast(Any, fit.method)
    first, total = _halves(_ones(columns)[:, None], len(rivals), len(rows))

    def score(met: IntArray) -> FloatArray:
        """Return the scores of rivals, a row each, by how often they meet the child."""
        joint, second = _halves(met, len(rivals), carriers)
        return np.asarray(scoring.pair_score(Pairs(joint, first, second, total), fit.evidence))

    rank = int(np.flatnonzero(by_name(data.events) == child)[0])
    permuted = _permuted(columns, len(rows), carriers, permutations, [seed, rank]).T
    bar = score(_ones(columns & own)[:, None]).max()
    if known is None:
        reached = _times_reached(permuted, lambda met: score(met) >= bar)
    else:
        reached = int((score(permuted).max(axis=0) >= bar).sum())
    return (1 + reached) / (1 + permutations)


def _halves(numbers: IntArray, rivals: int, complete: int) -> tuple[IntArray, IntArray]:
    """Return the numbers of rivals, and of where they are known: of complete data, everywhere."""
    own, known = np.split(numbers, [rivals])
    return own, known if known.size else np.full_like(own, complete)


def _times_reached(met: IntArray, reaches: Callable[[IntArray], Any]) -> int:
    """Return in how many permutations, a column each, some rival, a row each, reaches a bar.

    A rival meets the child in few different numbers of samples, so each of them is scored once.
    """
    low, high = met.min(axis=1, keepdims=True), met.max(axis=1, keepdims=True)
    numbers = np.minimum(low + np.arange(int((high - low).max()) + 1), high)
    if numbers.size >= met.size:
        return int(reaches(met).any(axis=0).sum())
    reached = reaches(numbers)
    able = reached.any(axis=1)
    places = (met - low)[able]
    return int(np.take_along_axis(reached[able], places, axis=1).any(axis=0).sum())


def _permuted(
    columns: WordArray, samples: int, carriers: int, permutations: int, seed: list[int]
) -> IntArray:
    """Return how many carriers of an event, permuted over the samples, each column holds."""
    counts = np.empty((permutations, len(columns)), dtype=np.int64)
    key = int(np.random.default_rng(seed).integers(2**63))
    over_spans(
        lambda start, stop: permuted_counts(columns, samples, carriers, key, start, stop, counts),
        permutations,
        least=max(1, _WORTH_A_THREAD // samples),
    )
    return counts


def _ones(columns: WordArray) -> IntArray:
    """Return how many bits of each column are set."""
    return np.asarray(np.bitwise_count(columns).sum(axis=1, dtype=np.int64))
