"""Scores: the evidence of pair counts for i as the parent of j.

Each function takes counts, with any batch axes, and returns matrices ``[..., i, j]``: parent row,
child column. Each is a fixed formula on integers with a single division at the end, so that equal
evidence gives equal scores on every machine. For a pair i, j, ``joint`` is n P(i, j), ``first`` is
n P(i), ``second`` is n P(j) and ``total`` is n.
"""

from typing import Protocol

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, NumberArray
from caprese._core.checks import instance
from caprese.data.counts import Counts

RELATIVE_TOLERANCE = 1e-12  # of numbers that were rounded


class PairCounts(Protocol):
    """Counts of pairs, in arrays of one shape; `Counts` have them."""

    @property
    def joint(self) -> NumberArray:
        """Number of samples with both."""

    @property
    def first(self) -> NumberArray:
        """Number of samples with i."""

    @property
    def second(self) -> NumberArray:
        """Number of samples with j."""

    @property
    def total(self) -> NumberArray:
        """Number of samples."""


def probability_raising(counts: PairCounts) -> FloatArray:
    """Return alpha: by how much i raises the probability of j, in [-1, 1].

    (P(j|i) - P(j|not i)) / (P(j|i) + P(j|not i)), the raw estimate of Definition 4; 0 where it is
    not defined, as for an event in no or in all samples.

    Examples
    --------
    >>> from caprese.data.dataset import Dataset
    >>> counts = Counts.of(Dataset.from_rows([[1, 1], [1, 0], [0, 0]], events="ab"))
    >>> probability_raising(counts)[0, 1]
    np.float64(1.0)
    """
    without = counts.second - counts.joint
    either = counts.joint * (counts.total - counts.first) + without * counts.first
    return _ratio(_excess(counts), either)


def correlation(counts: PairCounts) -> FloatArray:
    """Return beta: by how much i and j occur together more often than by chance, in [-1, 1).

    (P(i, j) - P(i) P(j)) / (P(i, j) + P(i) P(j)), the symmetric correction of Definition 4.
    """
    return _ratio(_excess(counts), counts.joint * counts.total + counts.first * counts.second)


def shrinkage(counts: PairCounts, shrinkage: float) -> FloatArray:
    """Return m, the shrinkage-like estimator of Definition 4: (1 - lambda) alpha + lambda beta.

    Parameters
    ----------
    shrinkage
        The paper's lambda: 0 for probability raising only, 1 for correlation only.
    """
    return mixture(probability_raising(counts), correlation(counts), shrinkage)


def mixture(raising: FloatArray, correlation: FloatArray, shrinkage: float) -> FloatArray:
    """Return m from alpha and beta, where these are known already."""
    return (1 - shrinkage) * raising + shrinkage * correlation


def desper(counts: PairCounts) -> FloatArray:
    """Return Desper's weight of equation 2, before its logarithm.

    P(i) / (P(i) + P(j)) times P(i, j) / (P(i) P(j)); 0 where j is in no sample.
    """
    return _ratio(counts.joint * counts.total, (counts.first + counts.second) * counts.second)


def desper_root(counts: Counts) -> FloatArray:
    """Return Desper's weight of the root as the parent of j, before its logarithm: 1 / (1 + P(j)).

    Examples
    --------
    >>> from caprese.data.dataset import Dataset
    >>> desper_root(Counts.of(Dataset.from_rows([[1, 1], [1, 0]], events="ab"))).round(2)
    array([0.5 , 0.67])
    """
    return _ratio(counts.known, counts.known + counts.present)


def temporal_priority(counts: Counts) -> BoolArray:
    """Return whether i is strictly more frequent than j, each where it is known.

    This is one order of all events, so that parents chosen by it never form a cycle. Integers are
    compared exactly, other numbers, which were rounded, with a tolerance.
    """
    ahead = counts.present[..., :, None] * counts.known[..., None, :]
    behind = np.swapaxes(ahead, -1, -2)
    if ahead.dtype.kind not in "iu":
        behind = behind * (1 + RELATIVE_TOLERANCE)
    return np.asarray(ahead > behind)


def prima_facie(counts: Counts) -> tuple[tuple[str, str], ...]:
    """Return the prima facie topology: all pairs in which i is a prima facie cause of j.

    i raises the probability of j and is more frequent (Definition 3).

    Examples
    --------
    >>> from caprese.data.dataset import Dataset
    >>> prima_facie(Counts.of(Dataset.from_rows([[1, 1], [1, 0], [0, 0]], events="ab")))
    (('a', 'b'),)
    """
    instance("counts", counts, Counts, "counts of events")
    causes = temporal_priority(counts) & (_excess(counts) > 0)
    return tuple((counts.events[i], counts.events[j]) for i, j in np.argwhere(causes))


def _excess(counts: PairCounts) -> NumberArray:
    """Return the numerator of alpha and beta, positive if i and j co-occur more than by chance."""
    return np.asarray(counts.joint * counts.total - counts.first * counts.second)


def _ratio(numerator: NumberArray, denominator: NumberArray) -> FloatArray:
    """Return the ratio; 0 where the denominator is 0, because there is no evidence."""
    empty = denominator == 0
    return np.where(empty, 0.0, numerator / np.where(empty, 1, denominator))
