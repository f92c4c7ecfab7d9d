"""Scores: what pair counts say of i as the parent of j.

Each function takes counts, with any batch axes, and returns matrices ``[..., i, j]``: parent row,
child column. Each is a fixed formula on whole numbers with a single division at its end, so that
equal evidence gives equal scores on every machine. Below, for a pair i, j: ``joint`` is
n P(i, j), ``first`` is n P(i), ``second`` is n P(j) and ``total`` is n.
"""

from typing import Protocol

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, NumberArray
from caprese.data.counts import Counts

RELATIVE_TOLERANCE = 1e-12  # what rounding may add to a number, relative to it


class PairCounts(Protocol):
    """Counts of pairs, one for each cell of arrays of any common shape; `Counts` are such."""

    @property
    def joint(self) -> NumberArray:
        """How often both are present."""

    @property
    def first(self) -> NumberArray:
        """How often i is."""

    @property
    def second(self) -> NumberArray:
        """How often j is."""

    @property
    def total(self) -> NumberArray:
        """How many samples there are."""


def probability_raising(counts: PairCounts) -> FloatArray:
    """Return alpha: by how much i raises the probability of j, in [-1, 1].

    (P(j|i) - P(j|not i)) / (P(j|i) + P(j|not i)), the raw estimate of Definition 4; 0 where the
    data cannot tell, as for an event that is never or always seen.

    Examples
    --------
    >>> from caprese.data.dataset import Dataset
    >>> counts = Counts.of(Dataset.from_rows([[1, 1], [1, 0], [0, 0]], events="ab"))
    >>> probability_raising(counts)[0, 1]
    np.float64(1.0)
    """
    without = counts.second - counts.joint
    return _ratio(
        _excess(counts),
        counts.joint * (counts.total - counts.first) + without * counts.first,
    )


def correlation(counts: PairCounts) -> FloatArray:
    """Return beta: how much more often i and j meet than by chance, in [-1, 1).

    (P(i, j) - P(i) P(j)) / (P(i, j) + P(i) P(j)), the symmetric correction of Definition 4.
    """
    return _ratio(_excess(counts), counts.joint * counts.total + counts.first * counts.second)


def shrinkage(counts: PairCounts, shrinkage: float) -> FloatArray:
    """Return m, the shrinkage-like estimator of Definition 4: (1 - lambda) alpha + lambda beta.

    Parameters
    ----------
    shrinkage
        The paper's lambda: 0 for probability raising alone, 1 for correlation alone.
    """
    return (1 - shrinkage) * probability_raising(counts) + shrinkage * correlation(counts)


def desper(counts: PairCounts) -> FloatArray:
    """Return Desper's weight of equation 2, before its logarithm.

    P(i) / (P(i) + P(j)) times P(i, j) / (P(i) P(j)); 0 where j is never seen.
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
    """Return whether i is strictly more frequent than j, each over the samples that know it.

    One order for all events, so that parents chosen by it never form a cycle. Whole numbers are
    compared exactly; others, which were rounded, differ only if they do by more than a tolerance.
    """
    ahead = counts.present[..., :, None] * counts.known[..., None, :]
    behind = np.swapaxes(ahead, -1, -2)
    return np.asarray(ahead > (behind if ahead.dtype.kind in "iu" else behind * (1 + RELATIVE_TOLERANCE)))


def prima_facie(counts: Counts) -> tuple[tuple[str, str], ...]:
    """Return the prima facie topology: all pairs in which i is a prima facie cause of j.

    It raises the probability of j and is more frequent (Definition 3).

    Examples
    --------
    >>> from caprese.data.dataset import Dataset
    >>> prima_facie(Counts.of(Dataset.from_rows([[1, 1], [1, 0], [0, 0]], events="ab")))
    (('a', 'b'),)
    """
    causes = temporal_priority(counts) & (_excess(counts) > 0)
    return tuple((counts.events[i], counts.events[j]) for i, j in np.argwhere(causes))


def _excess(counts: PairCounts) -> NumberArray:
    """By how much i and j meet more often than by chance: the numerator of both alpha and beta."""
    return np.asarray(counts.joint * counts.total - counts.first * counts.second)


def _ratio(numerator: NumberArray, denominator: NumberArray) -> FloatArray:
    """Divide; 0 where there is nothing to divide by, for there the data says nothing."""
    empty = denominator == 0
    return np.where(empty, 0.0, numerator / np.where(empty, 1, denominator))
