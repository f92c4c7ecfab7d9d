"""Pairwise: a model in which each two events go together or exclude each other, without an order.

The probability of a genotype x is proportional to exp(sum_i b_i x_i + sum_{i<j} c_ij x_i x_j). It
is a yardstick: what no order explains, pairs may.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from caprese._core.arrays import FloatArray, IntArray
from caprese.data.dataset import Dataset
from caprese.fitting.ascent import ascend
from caprese.kernels.functions import product

MOST_EVENTS = 16
"""Events up to which all genotypes are summed over, which takes a fraction of a second."""

_SPREAD, _LEVEL = 1.0, 5.0  # of the normal priors of couplings and levels
_STEPS = 500
_GAIN = 2e-9  # share of the height at which the ascent ends


@dataclass(frozen=True, eq=False)
class Pairwise:
    """Levels of events, and how much more or less probable two are together.

    Parameters
    ----------
    events
        Names.
    levels
        Of each event.
    couplings
        Of each two events, symmetric, zeros on the diagonal; below 0 if they exclude each other.
    """

    events: tuple[str, ...]
    levels: FloatArray
    couplings: FloatArray

    @cached_property
    def log_total(self) -> float:
        """The logarithm of the sum over all genotypes, which are built up event by event."""
        weights = np.zeros(1)
        for event, level in enumerate(self.levels.tolist()):
            field = np.full(1, level)
            for coupling in self.couplings[event, :event].tolist():
                field = np.concatenate([field, field + coupling])
            weights = np.concatenate([weights, weights + field])
        most = float(weights.max())
        return most + float(np.log(np.exp(weights - most).sum()))

    def log_probabilities(self, values: FloatArray) -> FloatArray:
        """Return the log-probability of each genotype, samples x events."""
        pairs = 0.5 * ((values @ self.couplings) * values).sum(axis=1)
        return np.asarray(values @ self.levels + pairs - self.log_total)


def fitted_pairwise(data: Dataset) -> Pairwise:
    """Return the model of highest pseudo-likelihood, with a normal prior of its couplings.

    All entries of the data must be known.
    """
    values = data.values.astype(float)
    n = len(data.events)
    upper = np.triu_indices(n, 1)

    def parts(numbers: FloatArray) -> tuple[FloatArray, FloatArray]:
        couplings = np.zeros((n, n))
        couplings[upper] = numbers[n:]
        return numbers[:n], couplings + couplings.T

    def height(numbers: FloatArray) -> tuple[float, FloatArray]:
        levels, couplings = parts(numbers)
        field = levels + product(values, couplings)
        missing = 1 / (1 + np.exp(-field)) - values
        slopes = product(values.T, missing)
        slopes = (slopes + slopes.T)[upper] + numbers[n:] / _SPREAD**2
        price = (numbers[n:] ** 2).sum() / _SPREAD**2 + (levels**2).sum() / _LEVEL**2
        total = np.logaddexp(0, field).sum() - (field * values).sum() + price / 2
        return -float(total), -np.concatenate([missing.sum(axis=0) + levels / _LEVEL**2, slopes])

    start = np.zeros(n + len(upper[0]))
    anywhere = np.full(len(start), np.inf)
    found = ascend(height, start, (-anywhere, anywhere), gain=_GAIN, steps=_STEPS)
    return Pairwise(data.events, *parts(found.point))


def is_quick(data: Dataset) -> bool:
    """Whether the model is fitted and summed in a fraction of a second; decided by size."""
    return 2 <= len(data.events) <= MOST_EVENTS and bool(data.known_mask.all())


def exclusive_pairs(found: Pairwise, values: FloatArray, most: int) -> IntArray:
    """Return the pairs of events that the model keeps apart most, pairs x 2, the first first.

    By how many samples with both it takes away, where events would be independent.
    """
    n = len(found.events)
    share = values.mean(axis=0)
    taken = np.triu((np.exp(found.couplings) - 1) * np.outer(share, share), 1)
    order = np.argsort(taken, axis=None, kind="stable")[:most]
    pairs = np.column_stack(np.divmod(order, n))
    return np.asarray(pairs[taken[pairs[:, 0], pairs[:, 1]] < 0], dtype=np.int64)
