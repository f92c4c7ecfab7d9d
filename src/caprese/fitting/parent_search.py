"""Parent search: the set of parents of highest score for each event, among its candidates.

Where the candidates of all events together form no cycle, every choice of parents is a DAG, so the
best DAG is the best set of each event. Branch and bound finds it without looking at all sets.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, IntArray, NumberArray
from caprese.data.scores import PairCounts

Score = Literal["bic", "aic", "loglik"]

MOST_CANDIDATES = 60  # of an event that are searched, the best ones by their single gain
MOST_PARENTS = 16  # of an event, as its table has 2 ** parents entries
MOST_SETS = 20_000_000  # that are looked at for one event

_EQUAL = 1e-8  # scores that differ by less are equal


@dataclass(frozen=True)
class FoundParents:
    """The best set of parents of an event.

    Parameters
    ----------
    parents
        Their columns, sorted.
    score
        Of this set.
    next_parents, next_score
        The next best set; its score is NaN if there is no other set.
    empty_score
        The score without parents.
    candidates
        How many candidates there were.
    proven
        Whether no other set can score more.
    """

    parents: tuple[int, ...]
    score: float
    next_parents: tuple[int, ...]
    next_score: float
    empty_score: float
    candidates: int
    proven: bool

    @property
    def tied(self) -> bool:
        """Whether the next best set scores the same."""
        return self.score - self.next_score < _EQUAL


def price_of(score: Score, samples: int) -> float:
    """Return what each probability of a table costs.

    Examples
    --------
    >>> price_of("aic", 100), round(price_of("bic", 100), 3)
    (1.0, 2.303)
    """
    return float(_prices(score, np.asarray(samples)))


def single_gains(counts: PairCounts, score: Score) -> FloatArray:
    """Return how much i, as the only parent of j, adds to the score of j.

    Examples
    --------
    >>> from caprese.data.counts import Counts
    >>> from caprese.data.dataset import Dataset
    >>> counts = Counts.of(Dataset.from_rows([[1, 1], [1, 1], [0, 0], [0, 0]], events="ab"))
    >>> single_gains(counts, "loglik").round(3)[0, 1]
    np.float64(2.773)
    """
    joint, first, second, total = counts.joint, counts.first, counts.second, counts.total
    cells = (joint, first - joint, second - joint, total - first - second + joint, total)
    sides = (first, total - first, second, total - second)
    likelier = _sum_n_log_n(cells) - _sum_n_log_n(sides)
    return np.asarray(likelier - _prices(score, total))


def _prices(score: Score, samples: NumberArray) -> FloatArray:
    if score == "bic":
        return np.asarray(np.log(np.maximum(samples, 1)) / 2)
    return np.asarray(1.0 if score == "aic" else 0.0)


def _sum_n_log_n(numbers: Sequence[NumberArray]) -> FloatArray:
    return np.asarray(sum(number * np.log(np.maximum(number, 1)) for number in numbers))


def best_parent_sets(
    values: BoolArray,
    known: BoolArray | None,
    names: Sequence[str],
    candidates: BoolArray,
    score: Score,
    max_parents: int | None = None,
) -> tuple[FoundParents, ...]:
    """Return the best set of parents of each column among its candidates.

    With unknown entries, a column is judged by the samples in which it and all its candidates are
    known, so that all its sets are judged by the same ones.

    Parameters
    ----------
    values, known
        Samples x columns; None if everything is known.
    names
        Of the columns; of equal sets the one whose best candidates, then names, come first.
    candidates
        ``candidates[i, j]``: whether i may be a parent of j.
    score
        The log-likelihood, less the price of 2^k probabilities for k parents: ``"bic"``, log(n)/2
        each; ``"aic"``, 1; ``"loglik"``, 0.
    max_parents
        The largest number of parents; None for as many as tables allow, 16.
    """
    from caprese.kernels.parent_subsets import n_log_n, packed_columns

    packed = packed_columns(values if known is None else values & known)
    known_bits = None if known is None else packed_columns(known)
    every = packed_columns(np.ones((len(values), 1), dtype=bool))[0]
    logs = n_log_n(len(values))
    rank = {
        column: place
        for place, column in enumerate(sorted(range(len(names)), key=names.__getitem__))
    }
    most = MOST_PARENTS if max_parents is None else min(max_parents, MOST_PARENTS)
    found = []
    for column in range(len(names)):
        own = np.flatnonzero(candidates[:, column])
        rows = every
        if known_bits is not None:
            rows = np.bitwise_and.reduce(known_bits[[column, *own]], axis=0)
        found.append(_best(packed, column, own, rows, rank, score, most, logs))
    return tuple(found)


def _best(
    packed: "np.ndarray[tuple[int, int], np.dtype[np.uint64]]",
    column: int,
    own: IntArray,
    rows: "np.ndarray[tuple[int], np.dtype[np.uint64]]",
    rank: dict[int, int],
    score: Score,
    most: int,
    logs: FloatArray,
) -> FoundParents:
    from caprese.kernels import parent_subsets

    child, samples = packed[column], int(np.bitwise_count(rows).sum())
    price = price_of(score, samples)
    gains = parent_subsets.single_gains(child, rows, packed[own], logs)
    order = sorted(range(len(own)), key=lambda k: (-gains[k], rank[int(own[k])]))
    searched = own[order][:MOST_CANDIDATES]
    columns = packed[searched]
    everything = parent_subsets.saturated(child, rows, columns, logs)
    if price == 0 and len(searched) <= most:
        return _likeliest(child, rows, columns, searched, everything, len(own), logs)
    scores, sets, proven = parent_subsets.best_two(
        child, rows, columns, everything, price, most, MOST_SETS, logs
    )
    best, following = (
        tuple(sorted(int(searched[k]) for k in range(len(searched)) if int(bits) >> k & 1))
        for bits in sets
    )
    empty = parent_subsets.set_likelihood(child, rows, columns[:0], logs) - price
    complete = bool(proven) and len(searched) == len(own)
    other = float(scores[1]) if math.isfinite(scores[1]) else math.nan
    return FoundParents(best, float(scores[0]), following, other, empty, len(own), complete)


def _likeliest(
    child: "np.ndarray[tuple[int], np.dtype[np.uint64]]",
    rows: "np.ndarray[tuple[int], np.dtype[np.uint64]]",
    columns: "np.ndarray[tuple[int, int], np.dtype[np.uint64]]",
    searched: IntArray,
    everything: float,
    candidates: int,
    logs: FloatArray,
) -> FoundParents:
    """Return the parents where they are free: all candidates, but those that change nothing."""
    from caprese.kernels.parent_subsets import set_likelihood

    kept = list(range(len(searched)))
    for weakest in reversed(range(len(searched))):
        fewer = [k for k in kept if k != weakest]
        if set_likelihood(child, rows, columns[fewer], logs) > everything - _EQUAL:
            kept = fewer
    without = [
        (set_likelihood(child, rows, columns[[k for k in kept if k != left]], logs), left)
        for left in kept
    ]
    other, left = max(without, default=(math.nan, -1))
    parents = tuple(sorted(int(searched[k]) for k in kept))
    following = tuple(sorted(int(searched[k]) for k in kept if k != left))
    empty = set_likelihood(child, rows, columns[:0], logs)
    complete = len(searched) == candidates
    return FoundParents(parents, everything, following, other, empty, candidates, complete)
