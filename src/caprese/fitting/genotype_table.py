"""GenotypeTable: the distinct genotypes of a data set, sorted by the data itself."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import FloatArray, IntArray, sealed
from caprese._core.names import by_name
from caprese.data.dataset import Dataset
from caprese.data.grouping import distinct_rows
from caprese.kernels.forest_messages import Table
from caprese.models.base import observation_codes


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

    @classmethod
    def of(cls, data: Dataset) -> "GenotypeTable":
        """Build the table of a data set."""
        codes = observation_codes(data.events, data)
        positions = _data_order(codes, by_name(data.events))
        first, which = distinct_rows(data.values, data.known, positions)
        times = np.bincount(which)
        order = np.argsort(times > 1, kind="stable")
        return cls(
            sealed(np.ascontiguousarray(codes[first[order]][:, positions].T)),
            sealed(times[order].astype(np.float64)),
            sealed(positions),
        )

    def kernel_table(self, *, grouped: bool = True) -> Table:
        """Return what the compiled loops take; faster if equally frequent genotypes are grouped."""
        order = np.arange(len(self.times))
        if grouped:
            order = np.argsort(self.times, kind="stable")
        return Table.of(self.codes[:, order], self.times[order])

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
