"""Parent search: the set of parents of highest score for each event, among its candidates.

Where the candidates of all events together form no cycle, every choice of parents is a DAG, so the
best DAG is the best set of each event. Branch and bound finds it without looking at all sets.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, NumberArray
from caprese._core.names import by_name
from caprese.data.scores import PairCounts
from caprese.kernels.functions import log
from caprese.kernels.parent_subsets import best_sets
from caprese.models.base import parent_sets

Score = Literal["bic", "aic", "loglik"]

MOST_CANDIDATES = 60  # of an event that are searched, the best ones by their single gain
MOST_PARENTS = 16  # of an event, as its table has 2 ** parents entries
MOST_SETS = 20_000_000  # that are looked at for one event

EQUAL_SCORES = 1e-8  # scores that differ by less are equal, in the kernel too


class FoundParents(NamedTuple):
    """The best set of parents of an event."""

    parents: tuple[int, ...]  # their columns, sorted
    score: float
    next_parents: tuple[int, ...]  # the next best set
    next_score: float  # NaN if there is no other set
    empty_score: float  # without parents
    proven: bool  # whether no other set can score more

    @property
    def tied(self) -> bool:
        """Whether the next best set scores the same."""
        return self.score - self.next_score < EQUAL_SCORES


def single_gains(counts: PairCounts, score: Score) -> FloatArray:
    """Return how much i, as the only parent of j, adds to the score of j."""
    joint, first, second, total = counts.joint, counts.first, counts.second, counts.total
    cells = (joint, first - joint, second - joint, total - first - second + joint, total)
    sides = (first, total - first, second, total - second)
    likelier = _sum_n_log_n(cells) - _sum_n_log_n(sides)
    return np.asarray(likelier - _prices(score, total))


def _prices(score: Score, samples: NumberArray) -> FloatArray:
    """Return what each probability of a table costs."""
    if score == "bic":
        return np.asarray(log(np.maximum(samples, 1)) / 2)
    return np.asarray(1.0 if score == "aic" else 0.0)


def _sum_n_log_n(numbers: Sequence[NumberArray]) -> FloatArray:
    return np.asarray(sum(number * log(np.maximum(number, 1)) for number in numbers))


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
    known, so that all its sets are judged by the same ones. A set is scored by the log-likelihood,
    less the price of 2^k probabilities for k parents; of equal sets the one whose best candidates,
    then names, come first.
    """
    everything = np.ones_like(values) if known is None else known
    most = MOST_PARENTS if max_parents is None else min(max_parents, MOST_PARENTS)
    sets, scores, proven = best_sets(
        values.view(np.uint8),
        everything.view(np.uint8),
        candidates.view(np.uint8),
        np.argsort(by_name(names)),
        get_args(Score).index(score),
        most,
        MOST_CANDIDATES,
        MOST_SETS,
    )
    best, following = (parent_sets(each) for each in sets)
    scores[~np.isfinite(scores)] = np.nan
    highest, following_scores, empty = scores.tolist()
    return tuple(
        map(FoundParents, best, highest, following, following_scores, empty, proven.tolist())
    )
