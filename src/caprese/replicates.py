"""Replicates: data drawn anew, each replicate from a random stream of its own."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from caprese.arrays import BoolArray, NumberArray, sealed
from caprese.counts import Counts
from caprese.dataset import Dataset
from caprese.estimation import maximum_likelihood, recovered_edges
from caprese.hidden import fit_rates
from caprese.models.forest import Forest
from caprese.models.noise import Noise
from caprese.models.poset import TimedPoset
from caprese.names import by_name

Words = NDArray[np.uint64]
Seed = int | tuple[int, ...]


class Replicates(Protocol):
    """Data sets by number; the same number always gives the same data."""

    def dataset(self, replicate: int) -> Dataset:
        """Return a replicate itself."""


class CountedReplicates(Replicates, Protocol):
    """Replicates whose pairs are counted without making them one by one."""

    @property
    def columns(self) -> int:
        """How wide the tables are that are counted."""

    def counts(self, start: int, stop: int) -> Counts:
        """Return the pair counts of the replicates from `start` to `stop`, as a batch."""


@dataclass(frozen=True, eq=False)
class Resamples:
    """Samples of a data set, taken with replacement.

    Parameters
    ----------
    data
        Its samples in an order that depends on the genotypes alone; `Resamples.of` sees to it.
    seed
        A whole number, not negative; or several.
    """

    data: Dataset
    seed: Seed

    @classmethod
    def of(cls, data: Dataset, seed: Seed) -> "Resamples":
        """Prepare to resample, so that the order of the samples does not matter."""
        return cls(in_order(data), seed)

    @property
    def columns(self) -> int:
        """How wide the tables are that are counted."""
        return int(self._table.shape[1])

    def counts(self, start: int, stop: int) -> Counts:
        """Return the pair counts of the replicates from `start` to `stop`, as a batch."""
        from caprese.kernels.resampling import resampled_pairs

        pairs = resampled_pairs(self._rows, self.columns, _state(self.seed), start, stop)
        samples = len(self.data.samples)
        return _counts(self.data.events, pairs, samples, self.data.known is not None)

    def dataset(self, replicate: int) -> Dataset:
        """Return a replicate itself."""
        from caprese.kernels.resampling import resample

        return self.data.take_samples(
            resample(len(self.data.samples), _state(self.seed), replicate)
        )

    @cached_property
    def _table(self) -> BoolArray:
        known = [] if self.data.known is None else [self.data.known]
        return np.hstack([self.data.values, *known])

    @cached_property
    def _rows(self) -> Words:
        return _packed(self._table)


@dataclass(frozen=True, eq=False)
class Draws:
    """Samples drawn from a forest, and seen through errors.

    Parameters
    ----------
    forest, noise
        What they are drawn from.
    samples
        How many to a replicate.
    seed
        A whole number, not negative; or several.
    known
        Samples x events; False where an entry is unknown in every replicate. None if all are known.
    """

    forest: Forest
    noise: Noise
    samples: int
    seed: Seed
    known: BoolArray | None = None

    @classmethod
    def of(
        cls, forest: Forest, noise: Noise | Literal["estimate"] | None, data: Dataset, seed: Seed
    ) -> "Draws":
        """Prepare to draw as many samples as there are in a data set, known where it is.

        Without errors, events have the forest's own probabilities; with errors at given rates,
        those recovered from the counts; with estimated rates, those of maximum likelihood.
        """
        ordered = in_order(data)
        if noise == "estimate":
            estimate = maximum_likelihood(forest, ordered)
            forest, noise = estimate.forest, estimate.noise
        elif noise is not None:
            edges = recovered_edges(forest, Counts.of(ordered), noise)
            forest = Forest(forest.events, forest.parents, edges)
        return cls(forest, noise or Noise(), len(data.samples), seed, ordered.known)

    @property
    def columns(self) -> int:
        """How wide the tables are that are counted."""
        return len(self.forest.events) + len(self._known)

    def counts(self, start: int, stop: int) -> Counts:
        """Return the pair counts of the replicates from `start` to `stop`, as a batch."""
        from caprese.kernels.resampling import drawn_pairs

        pairs = drawn_pairs(self.samples, self._known, self._model, _state(self.seed), start, stop)
        return _counts(self.forest.events, pairs, self.samples, self.known is not None)

    def dataset(self, replicate: int) -> Dataset:
        """Return a replicate itself."""
        from caprese.kernels.resampling import drawn

        values: BoolArray = drawn(self.samples, self._model, _state(self.seed), replicate)
        return Dataset(sealed(values), self.forest.events, known=self.known)

    @cached_property
    def _known(self) -> Words:
        if self.known is None:
            return np.empty((0, -(-self.samples // 64)), dtype=np.uint64)
        return _packed(self.known.T)

    @cached_property
    def _model(self) -> tuple[Any, ...]:
        forest, noise = self.forest, self.noise
        names = sealed(by_name(forest.events))
        rates = float(noise.false_positive), float(noise.false_negative)
        return forest.parents, forest.order, names, forest.probabilities, *rates


@dataclass(frozen=True, eq=False)
class PosetDraws:
    """Samples drawn from a timed poset, and seen through errors.

    Parameters
    ----------
    poset, noise
        What they are drawn from.
    samples
        How many to a replicate.
    seed
        A whole number, not negative.
    known
        Samples x events; False where an entry is unknown in every replicate. None if all are known.
    """

    poset: TimedPoset
    noise: Noise
    samples: int
    seed: int
    known: BoolArray | None = None

    @classmethod
    def of(
        cls, poset: TimedPoset, noise: Noise | Literal["estimate"] | None, data: Dataset, seed: int
    ) -> "PosetDraws":
        """Prepare to draw as many samples as there are in a data set, known where it is.

        With errors to estimate, rates and error are those of maximum likelihood; else the rates
        are the poset's own.
        """
        if noise == "estimate":
            estimate = fit_rates(poset, data)
            poset, noise = estimate.hidden.poset, estimate.noise
        known = in_order(data).known
        return cls(poset, noise or Noise(), len(data.samples), seed, known)

    def dataset(self, replicate: int) -> Dataset:
        """Return a replicate itself."""
        rng = np.random.default_rng([self.seed, replicate])
        seen = self.noise.corrupt(self.poset.sample(self.samples, rng), rng)
        return Dataset(seen.values, self.poset.events, known=self.known)


def in_order(data: Dataset) -> Dataset:
    """Return the samples in an order that depends on their genotypes alone."""
    distinct, times = data.genotypes()
    return distinct.take_samples(np.repeat(np.arange(len(times)), times))


def _packed(table: BoolArray) -> Words:
    """Pack the columns of each row, 64 to a word, the first in the lowest bit."""
    rows, columns = table.shape
    octets = np.zeros((rows, 8 * -(-columns // 64)), dtype=np.uint8)
    octets[:, : -(-columns // 8)] = np.packbits(table, axis=1, bitorder="little")
    return octets.view("<u8").astype(np.uint64)


def _counts(events: tuple[str, ...], pairs: NumberArray, samples: int, unknown: bool) -> Counts:
    """Return pair counts; where entries are unknown, the second half of the columns tells where."""
    n, pairs = len(events), sealed(pairs)
    if not unknown:
        return Counts.complete(events, pairs, sealed(np.full(len(pairs), samples)))
    return Counts(events, pairs[:, :n, :n], pairs[:, :n, n:], pairs[:, n:, n:])


def _state(seed: Seed) -> np.uint64:
    return np.uint64(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
