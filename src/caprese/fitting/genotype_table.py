"""GenotypeTable: the distinct genotypes of a data set, sorted by the data itself.

And what orders that were seen within its samples say for a forest.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import FloatArray, IntArray, sealed
from caprese._core.names import by_name
from caprese.data.dataset import Dataset
from caprese.data.grouping import distinct_rows
from caprese.data.seen_orders import SeenOrders
from caprese.kernels.forest_messages import Table
from caprese.kernels.functions import log
from caprese.models.base import observation_codes

SUREST = 0.99
"""Confidence to which seen orders are clipped.

Of orders that are certain, a single sample that contradicts a forest would forbid it for all.
"""

_OPEN = 0.5  # confidence of an order that says nothing


class OrderGains(NamedTuple):
    """What seen orders add to the log-probability of a forest that states an order of two events.

    Relative to one that leaves it open, which gives each order the probability 1/2.
    """

    pooled: FloatArray  # of all samples, events x events: if i comes before j
    # Of one sample of each genotype: where its pairs start, the pairs, and what is added if the
    # first event comes before the second, or after it; no pairs if genotypes are not told apart.
    starts: IntArray
    pairs: IntArray
    gains: FloatArray


@dataclass(frozen=True, eq=False)
class GenotypeTable:
    """Distinct genotypes with their multiplicity, as the compiled loops over forests take them.

    The order of the events depends on the data, and on their names only where the data cannot
    distinguish them: a search over the table gives the same answer for any order of rows and
    columns, and names matter only in exact ties. Genotypes seen once come first.
    """

    codes: NDArray[np.uint8]  # events x genotypes: 0 absent, 1 present, 2 unknown
    times: FloatArray  # how many samples have each genotype
    positions: IntArray  # of each event of the table in the data set
    orders: OrderGains | None = None

    @classmethod
    def of(
        cls, data: Dataset, *, orders: SeenOrders | None = None, apart: bool = False
    ) -> "GenotypeTable":
        """Build the table of a data set.

        Parameters
        ----------
        orders
            Those of its orders that count.
        apart
            Whether samples of one genotype are told apart by their orders.
        """
        codes = observation_codes(data.events, data)
        positions = _data_order(codes, by_name(data.events))
        first, which = distinct_rows(data.values, data.known, positions)
        told = orders is not None and (orders.confidence > _OPEN).any()
        seen = _SeenPairs.of(orders, positions) if orders is not None and told else None
        if seen is not None and apart:
            first, which = seen.apart(which)
        times = np.bincount(which)
        order = np.argsort(times > 1, kind="stable")
        return cls(
            sealed(np.ascontiguousarray(codes[first[order]][:, positions].T)),
            sealed(times[order].astype(np.float64)),
            sealed(positions),
            None if seen is None else seen.gains(len(positions), first[order], apart),
        )

    def kernel_table(self, *, grouped: bool = True) -> Table:
        """Return what the compiled loops take; faster if equally frequent genotypes are grouped.

        Those that are told apart by their orders must not be.
        """
        order = np.arange(len(self.times))
        if grouped:
            order = np.argsort(self.times, kind="stable")
        table = Table.of(self.codes[:, order], self.times[order])
        if self.orders is not None:
            table.see_orders(*self.orders)
        return table

    def inward(self, parents: IntArray) -> IntArray:
        """Return parents given in the order of the data set, in the order of the table.

        Events run along the last axis.
        """
        place = np.append(np.argsort(self.positions), -1)  # the root stays -1
        return np.asarray(place[parents[..., self.positions]])

    def outward(self, parents: IntArray) -> IntArray:
        """Return parents given in the order of the table, in the order of the data set."""
        place = np.append(self.positions, -1)
        return np.asarray(place[parents[..., np.argsort(self.positions)]])


class _SeenPairs(NamedTuple):
    """Seen orders in the events of a table, sorted by sample, then by event."""

    starts: IntArray  # of the pairs of each sample
    pairs: IntArray  # earlier, later
    confidence: FloatArray

    @classmethod
    def of(cls, orders: SeenOrders, positions: IntArray) -> "_SeenPairs":
        telling = orders.confidence > _OPEN
        sample, *pair = orders.pairs[telling].T
        earlier, later = np.argsort(positions)[np.array(pair)]
        order = np.lexsort([later, earlier, sample])
        starts = np.searchsorted(sample[order], np.arange(len(orders.samples) + 1))
        confidence = np.minimum(orders.confidence[telling][order], SUREST)
        return cls(starts, np.column_stack([earlier, later])[order], confidence)

    def apart(self, which: IntArray) -> tuple[IntArray, IntArray]:
        """Return the first sample of each genotype with its orders, and which each sample has."""
        seen = list(zip(*self.pairs.T.tolist(), self.confidence.tolist(), strict=True))
        spans = zip(which.tolist(), self.starts.tolist(), self.starts[1:].tolist(), strict=False)
        own = [(kind, tuple(seen[start:stop])) for kind, start, stop in spans]
        place = {each: k for k, each in enumerate(sorted(set(own)))}
        kinds = np.array([place[each] for each in own], dtype=np.int64)
        return np.unique(kinds, return_index=True)[1], kinds

    def gains(self, events: int, first: IntArray, apart: bool) -> OrderGains:
        """Return the gains of all samples, and those of these samples, each by itself."""
        both = np.column_stack([log(2 * self.confidence), log(2 * (1 - self.confidence))])
        pooled = np.zeros((events, events))
        order = np.argsort(self.confidence, kind="stable")  # sums do not depend on the samples
        for (one, other), gain in zip((self.pairs.T, self.pairs.T[::-1]), both.T, strict=True):
            np.add.at(pooled, (one[order], other[order]), gain[order])
        sizes = self.starts[first + 1] - self.starts[first] if apart else np.zeros_like(first)
        starts = np.concatenate([[0], sizes.cumsum()])
        chosen = np.repeat(self.starts[first] - starts[:-1], sizes) + np.arange(starts[-1])
        return OrderGains(pooled, starts, self.pairs[chosen].copy(), both[chosen])


def _data_order(codes: NDArray[np.uint8], alphabetical: IntArray) -> IntArray:
    """Return the columns from the most frequent to the rarest; ties by their pairs, then by name.

    Columns are compared by how often they are present and known, then by the sorted lists of how
    often they are seen together with the others; columns equal in all of these are sorted by name.
    """
    present, known = (codes == 1).astype(np.int64), (codes < 2).astype(np.int64)
    together = np.sort(present.T @ present, axis=1)
    alike = np.sort(present.T @ known, axis=1)
    signature = np.column_stack([-present.sum(axis=0), -known.sum(axis=0), -together, -alike])
    ranked = signature[alphabetical]
    return np.asarray(alphabetical[np.lexsort(ranked.T[::-1])])
