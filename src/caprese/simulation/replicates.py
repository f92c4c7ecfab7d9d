"""Replicates: resampled or simulated data sets; the same number always gives the same data."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from caprese._core.arrays import BoolArray, IntArray, NumberArray, WordArray, packed_columns, sealed
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.kernels.resampling import (
    resample,
    resampled_pair_counts,
    simulated_pair_counts,
    simulated_samples,
)
from caprese.models.base import CompiledSampling, Sampled

Seed = int | tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Resamples:
    """Samples of a data set, drawn with replacement; whole patients, if any has several samples."""

    data: Dataset  # its samples in an order that depends on the genotypes only; see `of`
    seed: Seed

    @classmethod
    def of(cls, data: Dataset, seed: Seed) -> "Resamples":
        """Return the resamples of a data set; the order of its samples does not matter."""
        return cls(data.take_samples(data.sample_order), seed)

    @property
    def columns(self) -> int:
        """How many columns are counted: events, and as many again if entries are unknown."""
        return len(self.data.events) * (1 if self.data.known is None else 2)

    def counts(self, start: int, stop: int) -> Counts:
        """Return the pair counts of the replicates `start` to `stop`, as a batch."""
        if self._members is not None:
            samples = len(self.data.samples)
            drawn = [np.bincount(self._chosen(k), minlength=samples) for k in range(start, stop)]
            return Counts.of_resamples(self.data, np.array(drawn).reshape(-1, samples))
        pairs = resampled_pair_counts(self._rows, self.columns, _state(self.seed), start, stop)
        samples = len(self.data.samples)
        return _counts(self.data.events, pairs, samples, self.data.known is not None)

    def dataset(self, replicate: int) -> Dataset:
        """Return one replicate."""
        chosen = self._chosen(replicate)
        if self._members is not None:
            return self.data.take_samples(chosen)
        known = None if self.data.known is None else self.data.known[chosen]
        drawn = Dataset(self.data.values[chosen], self.data.events, known=known)
        if self.data.orders is None:
            return drawn
        return drawn.with_orders(self.data.orders.take_samples(chosen, drawn.samples))

    def _chosen(self, replicate: int) -> IntArray:
        """Return the positions of the samples of a replicate."""
        if self._members is None:
            return resample(len(self.data.samples), _state(self.seed), replicate)
        patients = resample(len(self._members), _state(self.seed), replicate)
        return np.concatenate([self._members[patient] for patient in patients.tolist()])

    @cached_property
    def _members(self) -> list[IntArray] | None:
        """The samples of each patient; None if each sample counts as one."""
        own = self.data.patients
        return own.members() if own is not None and own.several else None

    @cached_property
    def _rows(self) -> WordArray:
        known = [] if self.data.known is None else [self.data.known]
        return packed_columns(np.hstack([self.data.values, *known]).T)


@dataclass(frozen=True, eq=False)
class CountedDraws:
    """Samples drawn from a model by compiled code."""

    model: CompiledSampling
    samples: int
    seed: Seed
    known: BoolArray | None = None  # False where an entry is unknown in every replicate

    @property
    def columns(self) -> int:
        """How many columns are counted: events, and as many again if entries are unknown."""
        return len(self.model.events) * (1 if self.known is None else 2)

    def counts(self, start: int, stop: int) -> Counts:
        """Return the pair counts of the replicates `start` to `stop`, as a batch."""
        model, state = self.model.generator(), _state(self.seed)
        pairs = simulated_pair_counts(self.samples, self._known, model, state, start, stop)
        return _counts(self.model.events, pairs, self.samples, self.known is not None)

    def dataset(self, replicate: int) -> Dataset:
        """Return one replicate."""
        model, state = self.model.generator(), _state(self.seed)
        values = simulated_samples(self.samples, model, state, replicate)
        return Dataset(sealed(values), self.model.events, known=self.known)

    @cached_property
    def _known(self) -> WordArray:
        known = np.empty((self.samples, 0), dtype=bool) if self.known is None else self.known
        return packed_columns(known)


@dataclass(frozen=True, eq=False)
class Draws:
    """Samples drawn from a model of any kind."""

    model: Sampled
    samples: int
    seed: int
    known: BoolArray | None = None  # as in `CountedDraws`

    def dataset(self, replicate: int) -> Dataset:
        """Return one replicate."""
        seen = self.model.sample(self.samples, np.random.default_rng([self.seed, replicate]))
        return Dataset(seen.values, seen.events, known=self.known)


@dataclass(frozen=True, eq=False)
class Repeats:
    """The same data again and again, with a seed for each replicate."""

    data: Dataset
    seed: int

    def dataset(self, replicate: int) -> Dataset:  # noqa: ARG002  every replicate is the same
        """Return the data."""
        return self.data

    def seed_of(self, replicate: int) -> int:
        """Return the seed of a replicate."""
        return _state((self.seed, replicate)) >> 1


Countable = Resamples | CountedDraws  # without building each data set
Replicates = Countable | Draws | Repeats


def draws_like(data: Dataset, model: Sampled, seed: int) -> Replicates:
    """Return replicates drawn from a model, with the size and the unknown entries of a data set."""
    known = None
    if data.known is not None:
        known = data.take_events(model.events).take_samples(data.sample_order).known
    if isinstance(model, CompiledSampling):
        return CountedDraws(model, len(data.samples), seed, known)
    return Draws(model, len(data.samples), seed, known)


def _counts(events: tuple[str, ...], pairs: NumberArray, samples: int, unknown: bool) -> Counts:
    """Return pair counts; if entries are unknown, the second half of the columns is the mask."""
    if unknown:
        return Counts.stacked(events, sealed(pairs))
    return Counts.complete(events, sealed(pairs), sealed(np.full(len(pairs), samples)))


def _state(seed: Seed) -> int:
    return int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
