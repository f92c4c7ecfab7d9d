"""Dense hazards: the likelihood of samples with more events than all subsets of can be held.

Of each such sample some subsets are drawn once, and kept while rates and effects are fitted, so
that the likelihood stays a smooth function of these; see `models.dense`.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from caprese._core.arrays import FloatArray
from caprese.kernels import thinned
from caprese.kernels.functions import log
from caprese.models.dense import DrawnLattice, Orders, draw_lattice, side_by_side
from caprese.models.states import Codes

MOST_STATES, _FEWEST_STATES = 512, 16  # of a size, in a sample
_BYTES, _MEMORY = 160, 2**28  # about, of a state and the moves to it; of all of them


@dataclass(frozen=True)
class DenseObservations:
    """Distinct dense observations, and the thinned sub-lattice of each; there may be none."""

    codes: Codes
    orders: tuple[Orders, ...]  # what was seen of those of each
    lattices: tuple[DrawnLattice, ...] = ()

    def drawn_at(self, rates: FloatArray, effects: FloatArray) -> Self:
        """Return the same with sub-lattices drawn by these rates and effects."""
        room = _MEMORY // _BYTES // max(1, int((self.codes > 0).sum()))
        most = int(np.clip(room, _FEWEST_STATES, MOST_STATES))
        drawn = (
            draw_lattice(rates, effects, codes, orders, most=most)
            for codes, orders in zip(self.codes, self.orders, strict=True)
        )
        return type(self)(self.codes, self.orders, tuple(drawn))

    @cached_property
    def _thinned(self) -> thinned.Thinned:
        return side_by_side(self.lattices)

    def log_likelihood(
        self, rates: FloatArray, effects: FloatArray, times: FloatArray
    ) -> tuple[float, FloatArray, FloatArray]:
        """Return the log-likelihood, and its slopes by the logarithms of rates and effects."""
        if not self.lattices:
            return 0.0, np.zeros_like(rates), np.zeros_like(effects)
        total, by_rate, by_effect = thinned.log_likelihood(rates, effects, times, self._thinned)
        return total, by_rate, by_effect

    def log_chances(self, rates: FloatArray, effects: FloatArray) -> FloatArray:
        """Return the log-probability of each observation."""
        if not self.lattices:
            return np.empty(0)
        likely = thinned.likely(rates, effects, self._thinned)
        ends = np.concatenate([lattice.ends for lattice in self.lattices])
        starts = np.cumsum([0, *(len(lattice.ends) for lattice in self.lattices[:-1])])
        return log(np.add.reduceat(likely * ends, starts))
