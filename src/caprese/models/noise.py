"""Noise: how often an observation is wrong."""

from dataclasses import dataclass
from typing import Protocol, Self, runtime_checkable

import numpy as np

from caprese._core.arrays import FloatArray, NumberArray, sealed
from caprese._core.checks import number
from caprese._core.names import by_name
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.errors import ParameterError


@dataclass(frozen=True)
class Noise:
    """Rates at which absent events are seen and present ones are missed.

    Parameters
    ----------
    false_positive
        Probability that an absent event is seen, the paper's ``epsilon_+``.
    false_negative
        Probability that a present event is missed, ``epsilon_-``. The two sum to less than 1:
        beyond, seeing an event would speak against it.

    Examples
    --------
    >>> Noise.uniform(0.1)
    Noise(false_positive=0.05, false_negative=0.05)
    """

    false_positive: float = 0.0
    false_negative: float = 0.0

    def __post_init__(self) -> None:
        number("false_positive", self.false_positive, 0, 1, "[)")
        number("false_negative", self.false_negative, 0, 1, "[)")
        if self.signal <= 0:
            both = self.false_positive + self.false_negative
            raise ParameterError("false_positive + false_negative", "less than 1", both)

    def __str__(self) -> str:
        return f"{self.false_positive:g},{self.false_negative:g}"  # as the command line takes it

    @classmethod
    def uniform(cls, nu: float) -> Self:
        """Noise of the paper's experiments: with probability nu an entry becomes a fair coin's."""
        number("nu", nu, 0, 1, "[)")
        return cls(nu / 2, nu / 2)

    @property
    def signal(self) -> float:
        """How much more often an event is seen when present than when absent."""
        return 1 - (self.false_positive + self.false_negative)

    @property
    def rates(self) -> FloatArray:
        """Both rates, the false positive one first."""
        return np.array([self.false_positive, self.false_negative], dtype=np.float64)

    def corrupt(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return the data as observed with this noise; the order of the events does not matter.

        Examples
        --------
        >>> data = Dataset.from_rows([[1, 0]] * 1000, events="ab")
        >>> seen = Noise(0.1, 0.3).corrupt(data, np.random.default_rng(1))
        >>> seen.values.mean(axis=0).round(1)
        array([0.7, 0.1])
        """
        seen = data.values.copy()
        for event in by_name(data.events):
            chance = rng.random(len(seen))
            seen[:, event] = np.where(
                seen[:, event], chance >= self.false_negative, chance < self.false_positive
            )
        return Dataset(sealed(seen), data.events, data.samples, data.known)

    def corrupt_counts(self, counts: Counts) -> Counts:
        """Return the counts expected under this noise (equations of the corollary's proof)."""
        first = self.signal * counts.first + self.false_positive * counts.total
        joint = (
            self.signal**2 * counts.joint
            + self.signal * self.false_positive * (counts.first + counts.second)
            + self.false_positive**2 * counts.total
        )
        return _with_diagonal(counts, joint, first)

    def recover_counts(self, counts: Counts) -> Counts:
        """Return the counts before this noise, clipped to what is possible.

        No event is rarer than never or more frequent than always, and no pair is rarer or more
        frequent than its two events allow.

        Examples
        --------
        >>> from caprese.models.forest import Forest
        >>> noise, exact = Noise(0.1, 0.3), Counts.expected(Forest(("a",), (-1,), (0.5,)))
        >>> seen = noise.corrupt_counts(exact)
        >>> seen.frequency, noise.recover_counts(seen).frequency
        (array([0.4]), array([0.5]))
        """
        unclipped = (counts.first - self.false_positive * counts.total) / self.signal
        first = np.clip(unclipped, 0, counts.total)
        second = np.swapaxes(first, -1, -2)
        cross = unclipped + np.swapaxes(unclipped, -1, -2)
        joint = (
            counts.joint
            - self.signal * self.false_positive * cross
            - self.false_positive**2 * counts.total
        ) / self.signal**2
        least = np.maximum(first + second - counts.total, 0)
        return _with_diagonal(counts, np.clip(joint, least, np.minimum(first, second)), first)


@runtime_checkable
class ObservedWithErrors(Protocol):
    """A model of what is observed with errors."""

    @property
    def noise(self) -> Noise:
        """How often what is observed is wrong; of a posterior, on average."""


def _with_diagonal(counts: Counts, joint: NumberArray, first: NumberArray) -> Counts:
    """An event occurs together with itself as often as it occurs."""
    itself = np.eye(len(counts.events), dtype=bool)
    return Counts(counts.events, np.where(itself, first, joint), first, counts.total)
