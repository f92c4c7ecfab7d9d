"""Dense samples: more events than all subsets of can be held; some of these are drawn instead."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, IntArray, OctetArray, WordArray
from caprese.kernels.functions import log
from caprese.kernels.thinned import Thinned, earlier_shares, likely
from caprese.kernels.thinned_draw import drawn
from caprese.models.states import Codes

MOST_STATES = 2048  # of a size, in each of several draws
DRAWS = 4

Orders = tuple[IntArray, IntArray, FloatArray]
"""What was seen of the orders of a sample: earlier events, later ones, and the confidence."""

NO_ORDERS: Orders = (np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))


class DrawnLattice(NamedTuple):
    """The thinned sub-lattice of one sample; see `kernels.thinned`."""

    order: IntArray  # all events, those that are present or unknown first
    previous: IntArray
    added: IntArray
    ends: OctetArray
    firsts: IntArray
    sources: IntArray
    by: IntArray
    factors: FloatArray

    def genotypes(self) -> BoolArray:
        """Return the states that may be observed, states x events."""
        present = np.zeros((len(self.previous), len(self.order)), dtype=bool)
        for state in range(1, len(present)):
            present[state] = present[self.previous[state]]
            present[state, self.order[self.added[state]]] = True
        return np.asarray(present[self.ends == 1])


def draw_lattice(
    rates: FloatArray,
    effects: FloatArray,
    codes: Codes,
    orders: Orders = NO_ORDERS,
    *,
    most: int,
    draw: int = 0,
) -> DrawnLattice:
    """Draw the thinned sub-lattice of a sample.

    Random numbers follow from what was seen of the sample and from the number of the draw, so that
    other samples do not matter.

    Parameters
    ----------
    rates, effects
        Base rates and effects, relative to those on observation, by which states are drawn.
    codes
        What was seen of each event.
    orders
        What was seen of the orders of events.
    most
        How many states of a size are kept.
    draw
        Others are independent.
    """
    order = np.argsort(codes == 0, kind="stable")
    place, among = np.argsort(order), np.ix_(order, order)
    earlier, later, confidence = orders
    present = (codes[order][: (codes > 0).sum()] == 1).astype(np.uint8)
    pairs = (place[earlier], place[later], confidence)
    numbers = (rates[order], effects[among], log(effects[among]))
    return DrawnLattice(order, *drawn(*numbers, present, *pairs, most, _stream(codes, draw)))


def _stream(codes: Codes, draw: int) -> WordArray:
    content = blake2b(codes.tobytes(), digest_size=8, salt=draw.to_bytes(2, "little")).digest()
    return np.array([int.from_bytes(content, "little")], dtype=np.uint64)


def side_by_side(lattices: Sequence[DrawnLattice]) -> Thinned:
    """Return thinned sub-lattices as the kernels take them."""
    starts = np.cumsum([0, *(len(each.sources) for each in lattices)])
    firsts = [each.firsts[:-1] + start for each, start in zip(lattices, starts, strict=False)]
    return Thinned(
        np.concatenate([each.order for each in lattices]),
        np.cumsum([0, *(len(each.ends) for each in lattices)]),
        np.concatenate([each.previous for each in lattices]),
        np.concatenate([each.added for each in lattices]),
        np.concatenate([each.ends for each in lattices]),
        np.concatenate([*firsts, starts[-1:]]),
        np.concatenate([each.sources for each in lattices]),
        np.concatenate([each.by for each in lattices]),
        np.concatenate([each.factors for each in lattices]),
    )


def drawn_chances(rates: FloatArray, effects: FloatArray, rows: Codes) -> FloatArray:
    """Return the probability of each sample by several draws, draws x samples."""
    found = np.empty((DRAWS, len(rows)))
    for sample, codes in enumerate(rows):
        for draw in range(DRAWS):
            found[draw, sample] = drawn_states(rates, effects, codes, draw)[1].sum()
    return found


def drawn_states(
    rates: FloatArray, effects: FloatArray, codes: Codes, draw: int = 0
) -> tuple[DrawnLattice, FloatArray]:
    """Return the thinned sub-lattice of a sample, and the probability of what may be observed."""
    lattice = draw_lattice(rates, effects, codes, most=MOST_STATES, draw=draw)
    return lattice, likely(rates, effects, side_by_side([lattice]))[lattice.ends == 1]


def drawn_orders(rates: FloatArray, effects: FloatArray, codes: Codes) -> FloatArray:
    """Return how probably event i came before j in a sample, for events that are present."""
    lattice = draw_lattice(rates, effects, codes, most=MOST_STATES)
    (shares,) = earlier_shares(rates, effects, side_by_side([lattice]))
    return np.asarray(np.clip(shares, 0.0, 1.0))
