"""Prima facie relations, the first step of CAPRI: what is earlier, and raises the probability.

After Suppes, i is a prima facie cause of j if it is more frequent (temporal priority) and j is more
probable with i than without it (probability raising).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, NamedTuple

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese.data.counts import Counts
from caprese.kernels.functions import erfc
from caprese.kernels.rank_tests import hypergeometric_tails, rank_sums
from caprese.models.noise import Noise

Decision = Literal["share", "rank"]
Measure = Literal["ratio", "share", "p-value"]

_ROUNDING = 1e-12
_EXACT = 50  # values of each group below which R's rank test is exact, if there are no ties


class Outcome(IntEnum):
    """What became of the relation of a pair."""

    NOT_TESTED = 0  # not allowed, or one of the two is constant, or they are indistinguishable
    TIME = 1  # not earlier
    RAISING = 2  # does not raise the probability
    LOOP = 3  # would close a loop of stronger relations
    SCORE = 4  # a candidate that is not among the parents of highest score
    PARENT = 5


@dataclass(frozen=True, eq=False)
class PrimaFacie:
    """Tests of all pairs of columns; matrices are parent row, child column.

    Whether i is earlier than j, and whether it raises its probability, is measured by ratios of
    probabilities of the data (of j and of i, or of j without and with i, at most 1), shares of
    resamples, or p-values of rank tests. NaN where not tested.
    """

    measure: Measure
    priority: FloatArray
    raising: FloatArray
    co_occurrence: FloatArray  # P(X >= k), of at least as many common samples by chance
    outcome: IntArray  # an `Outcome`, of which the last two are yet to be decided
    by_name: BoolArray  # pairs whose direction nothing in the data decides, so that names did

    @property
    def candidates(self) -> BoolArray:
        """Whether i may be a parent of j."""
        return np.asarray(self.outcome == Outcome.PARENT)


class Probabilities(NamedTuple):
    """Probabilities of pairs before errors, [..., i, j]."""

    first: FloatArray
    second: FloatArray
    joint: FloatArray

    @property
    def given(self) -> FloatArray:
        """P(j | i)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.joint / self.first)

    @property
    def given_not(self) -> FloatArray:
        """P(j | not i)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray((self.second - self.joint) / (1 - self.first))

    @property
    def defined(self) -> BoolArray:
        """Whether both vary, and can be told apart."""
        varies = (self.first > 0) & (self.first < 1) & (self.second > 0) & (self.second < 1)
        same = (self.joint == self.first) & (self.joint == self.second)
        return np.asarray(varies & ~same)


def pair_probabilities(counts: Counts, noise: Noise | None) -> Probabilities:
    """Return the probabilities of pairs before errors at given rates, in [0, 1]."""
    total = np.maximum(counts.total, 1)
    first, second, joint = counts.first / total, counts.second / total, counts.joint / total
    if noise is None:
        return Probabilities(first, second, joint)
    wrong, left = noise.false_positive, 1 - noise.false_positive - noise.false_negative
    together = np.clip((joint - wrong * (first + second - wrong)) / left**2, 0, 1)
    first, second = (np.clip((each - wrong) / left, 0, 1) for each in (first, second))
    return Probabilities(first, second, np.minimum(together, np.minimum(first, second)))


def prima_facie(
    counts: Counts,
    resamples: Counts | None,
    allowed: BoolArray,
    members: Sequence[tuple[int, ...]],
    *,
    decide: Decision = "share",
    level: float = 0.05,
    noise: Noise | None = None,
) -> PrimaFacie:
    """Test all allowed pairs of columns, and remove loops.

    Without resamples the data itself decides; `decide` and `level` are those of CAPRI. Where
    neither of two is clearly earlier, the stronger direction stays. A column has events as members:
    itself, or those of a pattern; a loop is one of events. Probabilities are corrected for noise.
    """
    data = pair_probabilities(counts, noise)
    tested, means = allowed & data.defined, data
    if resamples is None:
        found = _by_data(counts, data, noise)
    elif decide == "share":
        found = _by_share(resamples, level, noise)
    else:
        found, means = _by_rank(resamples, level, noise), _means(resamples, noise)
    above, together = co_occurrence(counts, means)
    earlier = found.earlier | ~found.earlier.T  # both directions stay where neither is earlier
    outcome = np.where(tested, Outcome.PARENT, Outcome.NOT_TESTED)
    outcome[tested & ~earlier] = Outcome.TIME
    outcome[tested & earlier & ~found.raises] = Outcome.RAISING
    by_name = _choose_directions(outcome, found, counts.events)
    edges = outcome == Outcome.PARENT
    if len(members[-1]) > 1 or (edges & (counts.first <= counts.second)).any():
        kept = without_loops(edges, found.raising_weight + above, members, counts.events)
        outcome[edges & ~kept] = Outcome.LOOP
    priority, raising, together = (
        np.where(tested, matrix, np.nan) for matrix in (found.priority, found.raising, together)
    )
    return PrimaFacie(found.measure, priority, raising, together, outcome, by_name)


class _Found(NamedTuple):
    """What the data or its resamples say of each pair."""

    measure: Measure
    priority: FloatArray
    raising: FloatArray
    earlier: BoolArray  # clearly
    raises: BoolArray
    time_weight: FloatArray  # less is stronger
    raising_weight: FloatArray


def _by_data(counts: Counts, data: Probabilities, noise: Noise | None) -> _Found:
    earlier, raises = _comparisons(counts, noise)
    with np.errstate(divide="ignore", invalid="ignore"):
        priority = np.fmin(data.second / data.first, 1)
        raising = np.fmin(data.given_not / data.given, 1)
    return _Found("ratio", priority, raising, earlier, raises, np.zeros_like(raising), raising)


def _by_share(resamples: Counts, level: float, noise: Noise | None) -> _Found:
    earlier, raises = _comparisons(resamples, noise)
    priority, raising = earlier.mean(axis=0), raises.mean(axis=0)
    least = 1 - level - _ROUNDING
    clear, raised = priority >= least, raising >= least
    return _Found("share", priority, raising, clear, raised, 1 - priority, 1 - raising)


def _comparisons(counts: Counts, noise: Noise | None) -> tuple[BoolArray, BoolArray]:
    """Whether i is more frequent than j, and raises its probability; where both vary."""
    if noise is None:  # in whole numbers, so that what is equal is equal on every machine
        raised = counts.joint * counts.total > counts.first * counts.second
        return np.asarray(counts.first > counts.second), np.asarray(raised)
    data = pair_probabilities(counts, noise)
    with np.errstate(invalid="ignore"):
        raised = data.defined & (data.given > data.given_not)
    return np.asarray(data.first > data.second), np.asarray(raised)


def _by_rank(resamples: Counts, level: float, noise: Noise | None) -> _Found:
    drawn = pair_probabilities(resamples, noise)
    everywhere = np.ones(drawn.first.shape, dtype=bool)
    priority = rank_p_values(drawn.first, drawn.second, everywhere)
    raising = rank_p_values(drawn.given, drawn.given_not, drawn.defined)
    clear = (priority < level) & (level <= priority.T)
    return _Found("p-value", priority, raising, clear, raising < level, priority, raising)


def rank_p_values(first: FloatArray, second: FloatArray, valid: BoolArray) -> FloatArray:
    """Return p-values of Mann and Whitney's test that the first is larger, as R computes them.

    Exact where there are fewer than 50 values each and none are equal; otherwise by the normal
    approximation with corrections for ties and continuity. 1 where all values are equal. Values
    are along the first axis, of which only the valid ones count.
    """
    shape, rows = first.shape[1:], len(first)
    ones, others = first.reshape(rows, -1), second.reshape(rows, -1)
    larger, number, ties = rank_sums(ones, others, valid.reshape(rows, -1))
    both = np.maximum(2.0 * number, 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.sqrt(number**2 / 12 * (both + 1 - ties / (both * (both - 1))))
        p_values = erfc((larger - number**2 / 2 - 0.5) / spread / np.sqrt(2)) / 2
    for column in np.flatnonzero((number < _EXACT) & (ties == 0) & (number > 0)):
        counted = valid.reshape(rows, -1)[:, column]
        p_values[column] = _exact_p_value(ones[counted, column], others[counted, column])
    return np.where(np.isfinite(p_values), p_values, 1.0).reshape(shape)


def _exact_p_value(first: FloatArray, second: FloatArray) -> float:
    from scipy.stats import mannwhitneyu

    return float(mannwhitneyu(first, second, alternative="greater", method="exact").pvalue)


def co_occurrence(counts: Counts, data: Probabilities) -> FloatArray:
    """Return how probable it is that two columns meet more often, or so often or more, by chance.

    P(X > k), by which TRONCO weighs relations, and P(X >= k), of the hypergeometric distribution.
    """
    size = len(counts.events)
    i, j = np.triu_indices(size, 1)
    total = counts.total[i, j]
    first, second, joint = (each[i, j] * total for each in data)
    arguments = (
        np.floor(joint + 1e-7),
        *(np.rint(np.clip(each, 0, total)) for each in (first, total - first, second)),
    )
    tails = hypergeometric_tails(*(each.astype(np.int64) for each in arguments))
    found = np.ones((2, size, size))
    for place, tail in enumerate(tails):
        found[place, i, j] = found[place, j, i] = tail
    return found


def _means(resamples: Counts, noise: Noise | None) -> Probabilities:
    """Return mean probabilities, as TRONCO has it; without errors from sums of whole numbers."""
    if noise is None:
        known = np.maximum(resamples.total.sum(axis=0), 1)
        first, second, joint = (
            each.sum(axis=0) / known
            for each in (resamples.first, resamples.second, resamples.joint)
        )
        return Probabilities(first, second, joint)
    drawn = pair_probabilities(resamples, noise)
    return Probabilities(*(np.asarray(each.mean(axis=0)) for each in drawn))


def _choose_directions(outcome: IntArray, found: _Found, names: tuple[str, ...]) -> BoolArray:
    """Keep the stronger direction where both are left; of equal ones the first by name."""
    by_name = np.zeros(outcome.shape, dtype=bool)
    weight = found.time_weight + found.raising_weight
    left = outcome == Outcome.PARENT
    for i, j in np.argwhere(left & left.T):
        if weight[i, j] < weight[j, i] or (weight[i, j] == weight[j, i] and names[i] < names[j]):
            outcome[j, i] = Outcome.LOOP
            by_name[i, j] = weight[i, j] == weight[j, i]
    return by_name


def without_loops(
    edges: BoolArray, weight: FloatArray, members: Sequence[tuple[int, ...]], names: Sequence[str]
) -> BoolArray:
    """Return the edges without those that close loops, the weakest removed first.

    Less weight is stronger; of equal edges the last by name is removed first. An edge leads from
    each event, or member, of column i to each of column j.
    """
    kept = edges.copy()
    belongs = np.zeros(edges.shape)
    for column, own in enumerate(members):
        belongs[column, own] = 1
    links = belongs.T @ edges @ belongs  # how many edges lead from one event to another
    if _is_acyclic(links > 0):
        return kept
    rank = {column: k for k, column in enumerate(sorted(range(len(names)), key=names.__getitem__))}
    pairs = sorted(
        np.argwhere(edges).tolist(),
        key=lambda pair: (-weight[pair[0], pair[1]], rank[pair[0]], rank[pair[1]]),
    )
    for i, j in pairs:
        if _reaches(links, members[j], members[i]):
            kept[i, j] = False
            links[np.ix_(members[i], members[j])] -= 1
    return kept


def _reaches(links: FloatArray, starts: tuple[int, ...], ends: tuple[int, ...]) -> bool:
    seen = np.zeros(len(links), dtype=bool)
    fresh = list(starts)
    while fresh:
        following = (links[fresh] > 0).any(axis=0) & ~seen
        if following[list(ends)].any():
            return True
        seen |= following
        fresh = np.flatnonzero(following).tolist()
    return False


def _is_acyclic(adjacency: BoolArray) -> bool:
    left = adjacency
    while len(left):
        below = left.any(axis=0)
        if below.all():
            return False
        left = left[np.ix_(below, below)]
    return True
