"""Pairs of events that stand out: nearly identical, exclusive, without an order."""

from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, NumberArray
from caprese._core.significance import SIGNIFICANT
from caprese.data import scores
from caprese.data.contingency import adjusted
from caprese.data.counts import Counts
from caprese.kernels.rank_tests import hypergeometric_tails

NEARLY_IDENTICAL = 0.9  # Jaccard index: samples with both events, of those with either


@dataclass(frozen=True)
class Pair:
    """Two events, the more frequent one first.

    Parameters
    ----------
    joint, total
        Number of samples with both, and in which both are known.
    value
        The Jaccard index of a nearly identical pair; the adjusted p-value of an exclusive one.
    """

    first: str
    second: str
    joint: int
    total: int
    value: float


def nearly_identical(counts: Counts, distinct: BoolArray) -> tuple[Pair, ...]:
    """Return distinct pairs with a Jaccard index of 0.9 or more, the highest first."""
    either = counts.first + counts.second - counts.joint
    jaccard = counts.joint / np.maximum(either, 1)
    found = _pairs(counts, jaccard, (jaccard >= NEARLY_IDENTICAL) & distinct)
    return tuple(sorted(found, key=lambda pair: (-pair.value, pair.first, pair.second)))


def exclusive(counts: Counts) -> tuple[Pair, ...]:
    """Return pairs that co-occur less often than by chance, the most significant first.

    P(X <= joint) of the hypergeometric distribution, adjusted by Benjamini and Hochberg over all
    pairs in which both vary.
    """
    both_vary = _varies(counts.first, counts.total) & _varies(counts.second, counts.total)
    tested = np.triu(both_vary, 1)
    value = np.ones(counts.joint.shape)
    tables = (counts.joint, counts.first, counts.second, counts.total)
    joint, first, second, total = (table[tested].astype(np.int64) for table in tables)
    # As few with both are as many with the first alone, of all without the second.
    _, chance = hypergeometric_tails(first - joint, first, total - first, total - second)
    value[tested] = adjusted(chance)
    found = _pairs(counts, value, value < SIGNIFICANT)
    return tuple(sorted(found, key=lambda pair: (pair.value, pair.first, pair.second)))


def unordered(counts: Counts, distinct: BoolArray) -> tuple[tuple[str, str], ...]:
    """Return distinct pairs that raise each other's probability and are equally frequent."""
    ahead = scores.temporal_priority(counts)
    raises = scores.probability_raising(counts) > 0
    return named_pairs(counts, raises & distinct & ~ahead & ~ahead.T)


def named_pairs(counts: Counts, chosen: BoolArray) -> tuple[tuple[str, str], ...]:
    """Return the names of the chosen pairs, each once."""
    pairs = np.argwhere(np.triu(chosen, 1))
    return tuple((counts.events[i], counts.events[j]) for i, j in pairs)


def _pairs(counts: Counts, value: FloatArray, chosen: BoolArray) -> list[Pair]:
    """Return the chosen pairs, each once: those above the diagonal of the matrix."""
    events, joint, total = counts.events, counts.joint, counts.total
    return [
        Pair(events[i], events[j], int(joint[i, j]), int(total[i, j]), float(value[i, j]))
        for i, j in np.argwhere(np.triu(chosen, 1))
    ]


def _varies(present: NumberArray, known: NumberArray) -> BoolArray:
    return np.asarray((present > 0) & (present < known))
