"""Counts: how often events and pairs of events occur. All that a pairwise method needs."""

from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import (
    ArrayValue,
    BoolArray,
    FloatArray,
    IntArray,
    NumberArray,
    frozen,
    sealed,
)
from caprese.data.dataset import Dataset
from caprese.errors import DatasetError, ParameterError
from caprese.kernels.bits import pair_counts

_EXACT = 2**53  # floats represent every integer up to here


class PairModel(Protocol):
    """A model with the probabilities of pairs of events."""

    @property
    def events(self) -> tuple[str, ...]:
        """Names of the events."""

    def pair_probabilities(self) -> FloatArray:
        """Probability of each pair; of the event itself on the diagonal."""


@dataclass(frozen=True, eq=False)
class Counts(ArrayValue):
    """Exact counts of pairs of events, for one data set or for a batch of them.

    Row i, column j counts samples in which *both* i and j are known. Leading axes, if any, are a
    batch: one matrix per data set. Counts of data are integers; expectations of a model, and counts
    recovered from noise, are real numbers, with any total.

    Parameters
    ----------
    events
        Names of the events.
    joint
        Number of samples with both i and j; on the diagonal, with i.
    first
        Number of samples with i.
    total
        Number of samples.

    Examples
    --------
    >>> counts = Counts.of(Dataset.from_rows([[1, 1], [1, 0], [0, 0]], events="ab"))
    >>> counts.joint
    array([[2, 1],
           [1, 1]])
    >>> counts.frequency.round(2)
    array([0.67, 0.33])
    """

    events: tuple[str, ...]
    joint: NumberArray
    first: NumberArray
    total: NumberArray

    def __post_init__(self) -> None:
        n = len(self.events)
        for name in ("joint", "first", "total"):
            array = frozen(getattr(self, name))
            if array.shape[-2:] != (n, n):
                raise DatasetError(f"{name} must be {n} x {n} for {n} events, got {array.shape}")
            object.__setattr__(self, name, array)

    @classmethod
    def of(cls, data: Dataset) -> Self:
        """Return the counts of a data set."""
        data = Dataset.of(data)
        if data.known is None:
            joint = sealed(pair_counts(data.values))
            return cls.complete(data.events, joint, len(data.values))
        return cls.stacked(data.events, sealed(pair_counts(data.values, data.known)))

    @classmethod
    def of_resamples(cls, data: Dataset, weights: NDArray[np.integer]) -> Self:
        """Return a batch of counts, one for each row of sample weights.

        Parameters
        ----------
        weights
            ``weights[b, s]`` is how often sample s is in resample b.

        Examples
        --------
        >>> data = Dataset.from_rows([[1, 1], [1, 0]], events="ab")
        >>> Counts.of_resamples(data, np.array([[1, 1], [0, 2]])).present
        array([[2, 1],
               [2, 0]])
        """
        weights = _checked_weights(weights, len(data.values))
        if data.known is None:
            joint = _weighted_pairs(weights, data.values)
            return cls.complete(data.events, joint, weights.sum(axis=-1))
        pairs = _weighted_pairs(weights, np.hstack([data.values, data.known]))
        return cls.stacked(data.events, pairs)

    @classmethod
    def expected(cls, model: PairModel) -> Self:
        """Return the expected counts of a model, as probabilities with total 1."""
        return cls.complete(model.events, model.pair_probabilities(), 1.0)

    @classmethod
    def complete(
        cls, events: tuple[str, ...], joint: NumberArray, total: int | float | NumberArray
    ) -> Self:
        """Return the counts of complete data, which follow from `joint` and the sample size."""
        joint, total = frozen(joint), frozen(total)
        present = np.diagonal(joint, axis1=-2, axis2=-1)
        return cls(
            events,
            joint,
            np.broadcast_to(present[..., :, None], joint.shape),
            np.broadcast_to(total[..., None, None], joint.shape),
        )

    @classmethod
    def stacked(cls, events: tuple[str, ...], pairs: NumberArray) -> Self:
        """Return the counts of data with unknown entries, from those of all pairs of columns.

        The columns are the events, then as many again that are true where the events are known.
        """
        n = len(events)
        return cls(events, pairs[..., :n, :n], pairs[..., :n, n:], pairs[..., n:, n:])

    @property
    def present(self) -> NumberArray:
        """Number of samples with each event."""
        return np.diagonal(self.joint, axis1=-2, axis2=-1)

    @property
    def known(self) -> NumberArray:
        """Number of samples in which each event is known."""
        return np.diagonal(self.total, axis1=-2, axis2=-1)

    @property
    def second(self) -> NumberArray:
        """Number of samples with j, where both are known."""
        return np.swapaxes(self.first, -1, -2)

    @property
    def frequency(self) -> FloatArray:
        """Proportion of samples with each event, of those in which it is known; 0 if in none."""
        known = np.maximum(self.known, np.finfo(float).tiny)
        return np.asarray(self.present / known, dtype=np.float64)

    @property
    def never(self) -> BoolArray:
        """Events in no sample."""
        return np.asarray(self.present == 0)

    @property
    def always(self) -> BoolArray:
        """Events in every sample in which they are known."""
        return np.asarray((self.present == self.known) & (self.known > 0))

    @property
    def identical(self) -> BoolArray:
        """Pairs of events in exactly the same samples, of those in which both are known."""
        together = (self.joint == self.first) & (self.joint == self.second) & (self.joint > 0)
        return np.asarray(together & ~np.eye(len(self.events), dtype=bool))


def _checked_weights(weights: NDArray[np.integer], samples: int) -> NDArray[np.integer]:
    given = np.asarray(weights)
    if given.dtype.kind not in "biu" or (given < 0).any():
        raise ParameterError("weights", "whole numbers, none of them negative", weights)
    if given.shape[-1:] != (samples,):
        raise ParameterError("weights", f"one per sample, {samples}", given.shape)
    if given.sum(axis=-1, dtype=float).max(initial=0) >= _EXACT:
        raise ParameterError("weights", f"numbers that sum to less than {_EXACT}", weights)
    return given


def _weighted_pairs(weights: NDArray[np.integer], table: BoolArray) -> IntArray:
    """Return the pair counts for each row of weights: exact, as products of floats are quick."""
    entries = table.astype(np.float64)
    rows = [(weights * column) @ entries for column in entries.T]
    return sealed(np.stack(rows, axis=-2).astype(np.int64))


def order_by_counts(counts: Counts) -> IntArray:
    """Return the events in an order that their names decide only where the counts do not."""
    keys = [
        (-int(counts.present[event]), sorted(counts.joint[event].tolist()), counts.events[event])
        for event in range(len(counts.events))
    ]
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)
