"""Directions: what each stated order rests on.

A 0/1 table hardly tells which of two events came first. A method that states an order has it from
orders that were seen, or from an assumption: that the later event needs the earlier one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from math import comb, log
from typing import TYPE_CHECKING, Any

import numpy as np

from caprese._core.arrays import FloatArray, IntArray
from caprese._core.significance import SIGNIFICANT
from caprese.data.dataset import Dataset
from caprese.data.seen_orders import SeenOrders
from caprese.errors import ModelError
from caprese.fitting.estimate import estimate
from caprese.fitting.turned import lost_by_hazards, lost_by_turning
from caprese.methods.evidence import OrderPosterior
from caprese.methods.fit import Fit
from caprese.models.base import Order

if TYPE_CHECKING:
    import pandas as pd

_MOST_ENTRIES = 2_000_000  # of distinct genotypes, times the edges

CLEAR = log(20)
"""Nats from which on data speak for a direction: it makes them 20 times as probable."""


class Rests(StrEnum):
    """What a stated order rests on."""

    SEEN = "seen"
    ASSUMED = "implied if the later event needs the earlier one"
    OPEN = "not determined by these data"


@dataclass(frozen=True)
class Direction:
    """What the order of two events rests on.

    Parameters
    ----------
    earlier, later
        The events, as the fit has them.
    agree, disagree
        How many samples were seen to have them in this order, and in the other.
    lost
        How much less probable the data is if the edge is turned round, in nats: the loss of
        log-likelihood, or the logarithm of the posterior odds. None if that is not known.
    both
        What a hazard network, which allows both orders, loses by the reverse one; see
        `lost_by_hazards`. None if it was not fitted.
    """

    earlier: str
    later: str
    agree: int
    disagree: int
    lost: float | None
    both: float | None = None

    @property
    def rests(self) -> Rests:
        """Seen, if seen orders agree beyond chance; implied, if the data lose by turning it."""
        if _chance(self.agree, self.disagree) < SIGNIFICANT:
            return Rests.SEEN
        implied = self.lost is not None and self.lost > CLEAR
        return Rests.ASSUMED if implied and not self.contradicted else Rests.OPEN

    @property
    def contradicted(self) -> bool:
        """Whether seen orders say the opposite, beyond chance."""
        return _chance(self.disagree, self.agree) < SIGNIFICANT


def directions(
    fit: Fit[Any, Any], orders: SeenOrders | None = None, *, both: bool = False
) -> tuple[Direction, ...]:
    """Return what each edge of a fit rests on; none if its model has no edges.

    Parameters
    ----------
    fit
        With the data it was made from, see `Fit.on`.
    orders
        Orders that were seen; by default those of the data of the fit.
    both
        Whether to fit hazard networks, too: two for each edge.

    Examples
    --------
    >>> from caprese import Caprese, datasets
    >>> first, *_ = directions(Caprese().fit(datasets.ovarian()))
    >>> first.earlier, first.later, first.agree, round(first.lost, 1), str(first.rests)
    ('8q+', '3q+', 0, 6.3, 'implied if the later event needs the earlier one')
    """
    if fit.data is None:
        raise ModelError("directions need the data of the fit: fit.on(data)")
    seen = fit.data.orders if orders is None else orders
    if not isinstance(fit.model, Order):
        return ()
    return tuple(_directions(fit, fit.data, seen, both=both))


def are_quick_to_turn(fit: Fit[Any, Any]) -> bool:
    """Whether the edges of a fit are turned round in seconds; decided by size."""
    if not isinstance(fit.model, Order) or fit.data is None:
        return False
    return is_quick_to_turn(fit.model, fit.data)


def losses(order: Order, data: Dataset) -> FloatArray:
    """Return what the data loses if an edge i to j is turned round, in nats.

    NaN for other pairs, and for all of them if that would take long.
    """
    found = np.full((len(order.events),) * 2, np.nan)
    if order.edges and is_quick_to_turn(order, data):
        stated = estimate(order, data).log_likelihood
        for i, j in np.argwhere(order.adjacency()).tolist():
            lost = lost_by_turning(order, i, j, data, stated)
            found[i, j] = np.nan if lost is None else lost
    return found


def odds_of(before: FloatArray, draws: int) -> FloatArray:
    """Return the logarithm of the posterior odds of each order, by so many draws."""
    least = np.maximum(before, 1 / draws)
    return np.log(least / least.T)


def times_seen(seen: SeenOrders | None, events: tuple[str, ...]) -> IntArray:
    """Return in how many samples i was surely seen before j, for every pair of events."""
    times = np.zeros((len(events),) * 2, dtype=np.int64)
    if seen is not None:
        own = seen.within(seen.samples, events)
        _, earlier, later = own.pairs[own.firm()].T
        np.add.at(times, (earlier, later), 1)
    return times


def direction_table(found: tuple[Direction, ...]) -> "pd.DataFrame":
    """Return one row per order: what it rests on, seen orders, and what the data lose."""
    import pandas as pd

    columns = ["earlier", "later", "rests on", "agree", "disagree", "lost", "both"]
    rows = [(d.earlier, d.later, str(d.rests), d.agree, d.disagree, d.lost, d.both) for d in found]
    return pd.DataFrame(rows, columns=columns)


def _directions(
    fit: Fit[Any, Any], data: Dataset, seen: SeenOrders | None, *, both: bool
) -> Iterator[Direction]:
    times, odds = times_seen(seen, fit.model.events), _posterior_odds(fit)
    place = {event: k for k, event in enumerate(fit.model.events)}
    stated = fit.estimate.log_likelihood if odds is None else None
    for earlier, later in fit.model.edges:
        one, other = place[earlier], place[later]
        agree, disagree = int(times[one, other]), int(times[other, one])
        if odds is None:
            lost = lost_by_turning(fit.model, one, other, data, stated)
        else:
            lost = float(odds[one, other])
        either = lost_by_hazards(one, other, data) if both else None
        yield Direction(earlier, later, agree, disagree, lost, either)


def _posterior_odds(fit: Fit[Any, Any]) -> FloatArray | None:
    """Return the posterior odds of each order; None without a posterior."""
    if not isinstance(fit.evidence, OrderPosterior):
        return None
    return odds_of(fit.evidence.ancestor_probabilities, fit.evidence.diagnostics.draws)


def is_quick_to_turn(order: Order, data: Dataset) -> bool:
    """Whether the edges of an order are turned round in seconds; decided by size."""
    return len(order.edges) * data.genotypes()[0].values.size <= _MOST_ENTRIES


def _chance(more: int, fewer: int) -> float:
    """Return the probability that at least so many of all would agree if a coin decided."""
    number = more + fewer
    return float(sum(comb(number, k) for k in range(more, number + 1)) / 2**number)
