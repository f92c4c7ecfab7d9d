"""Replicates: data drawn anew, each replicate from a random stream of its own."""

from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from caprese.arrays import BoolArray, NumberArray, sealed
from caprese.counts import Counts
from caprese.dataset import Dataset
from caprese.estimation import maximum_likelihood, recovered_edges
from caprese.models.forest import Forest
from caprese.models.noise import Noise
from caprese.names import by_name

Words = NDArray[np.uint64]


class Replicates(Protocol):
    """Data sets by number; the same number always gives the same data."""

    @property
    def columns(self) -> int:
        """How wide the tables are that are counted."""

    def counts(self, start: int, stop: int) -> Counts:
        """Return the pair counts of the replicates from `start` to `stop`, as a batch."""

    def dataset(self, replicate: int) -> Dataset:
        """Return a replicate itself."""


@dataclass(frozen=True, eq=False)
class Resamples:
    """Samples of a data set, taken with replacement."""

    data: Dataset
    rows: Words
    columns: int
    seed: np.uint64

    @classmethod
    def of(cls, data: Dataset, seed: int) -> "Resamples":
        """Prepare to resample; samples are put in an order that depends on the genotypes alone."""
        ordered = _in_order(data)
        tables = [ordered.values] if ordered.known is None else [ordered.values, ordered.known]
        table = np.hstack(tables)
        return cls(ordered, _packed(table), table.shape[1], _state(seed))

    def counts(self, start: int, stop: int) -> Counts:
        """Return the pair counts of the replicates from `start` to `stop`, as a batch."""
        from caprese.kernels.resampling import resampled_pairs

        pairs = resampled_pairs(self.rows, self.columns, self.seed, start, stop)
        return _counts(self.data, pairs)

    def dataset(self, replicate: int) -> Dataset:
        """Return a replicate itself."""
        from caprese.kernels.resampling import resample

        return self.data.take_samples(resample(len(self.data.samples), self.seed, replicate))


@dataclass(frozen=True, eq=False)
class Draws:
    """Samples drawn from a forest, with errors; as many as in a data set, and known where it is."""

    data: Dataset
    forest: Forest
    noise: Noise
    known: Words
    seed: np.uint64

    @classmethod
    def of(
        cls,
        forest: Forest,
        noise: Noise | Literal["estimate"] | None,
        data: Dataset,
        seed: int,
    ) -> "Draws":
        """Prepare to draw.

        Without errors, events have the forest's own probabilities; with errors at given rates,
        those recovered from the counts; with estimated rates, those of maximum likelihood.
        """
        ordered = _in_order(data)
        if noise == "estimate":
            estimate = maximum_likelihood(forest, ordered)
            forest, noise = estimate.forest, estimate.noise
        elif noise is not None:
            edges = recovered_edges(forest, Counts.of(ordered), noise)
            forest = Forest(forest.events, forest.parents, edges)
        known = np.empty((0, -(-len(data.samples) // 64)), dtype=np.uint64)
        if ordered.known is not None:
            known = _packed(ordered.known.T)
        return cls(ordered, forest, noise or Noise(), known, _state(seed))

    @property
    def columns(self) -> int:
        """How wide the tables are that are counted."""
        return len(self.data.events) + len(self.known)

    def counts(self, start: int, stop: int) -> Counts:
        """Return the pair counts of the replicates from `start` to `stop`, as a batch."""
        from caprese.kernels.resampling import drawn_pairs

        samples = len(self.data.samples)
        pairs = drawn_pairs(samples, self.known, self._model(), self.seed, start, stop)
        return _counts(self.data, pairs)

    def dataset(self, replicate: int) -> Dataset:
        """Return a replicate itself."""
        from caprese.kernels.resampling import drawn

        values: BoolArray = drawn(len(self.data.samples), self._model(), self.seed, replicate)
        return Dataset(sealed(values), self.data.events, self.data.samples, self.data.known)

    def _model(self) -> tuple[Any, ...]:
        forest, noise = self.forest, self.noise
        names = by_name(forest.events)
        rates = float(noise.false_positive), float(noise.false_negative)
        return forest.parents, forest.order, sealed(names), forest.probabilities, *rates


def _in_order(data: Dataset) -> Dataset:
    distinct, times = data.genotypes()
    return distinct.take_samples(np.repeat(np.arange(len(times)), times))


def _packed(table: BoolArray) -> Words:
    """Pack the columns of each row, 64 to a word, the first in the lowest bit."""
    rows, columns = table.shape
    octets = np.zeros((rows, 8 * -(-columns // 64)), dtype=np.uint8)
    octets[:, : -(-columns // 8)] = np.packbits(table, axis=1, bitorder="little")
    return octets.view("<u8").astype(np.uint64)


def _counts(data: Dataset, pairs: NumberArray) -> Counts:
    n = len(data.events)
    if data.known is None:
        totals = np.full(len(pairs), len(data.samples))
        return Counts.complete(data.events, sealed(pairs), sealed(totals))
    pairs = sealed(pairs)
    return Counts(data.events, pairs[:, :n, :n], pairs[:, :n, n:], pairs[:, n:, n:])


def _state(seed: int) -> np.uint64:
    return np.uint64(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
