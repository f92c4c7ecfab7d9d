"""Strata: samples divided by where they stand, by branch, event, number of events or subtype."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from caprese._core.arrays import IntArray, sealed
from caprese._core.checks import instance
from caprese._core.words import did_you_mean, number_of
from caprese.errors import ModelError
from caprese.models.base import Order
from caprese.patients.place import Placement

MOST_STRATA = 6
WAYS = ("branch", "progress", "thirds", "subtype")
NO_EVENT, SEVERAL, OTHERS = "no event", "several branches", "other branches"


@dataclass(frozen=True)
class Strata:
    """Samples in groups."""

    by: str  # what they are divided by: one of `WAYS`, or the name of an event
    names: tuple[str, ...]  # of the groups; at most six, none without samples
    groups: IntArray  # the group of each sample
    pooled: tuple[str, ...] = ()  # names of branches that are together in `OTHERS`


def strata(placement: Placement, by: str, rows: IntArray, *, order: Order | None = None) -> Strata:
    """Return samples divided by where they stand; of their most probable genotype.

    Parameters
    ----------
    by
        ``branch``: the root of the order under which a sample has most events; if there is one
        root only, the events that follow it, and so on. ``progress``: two groups by the number of
        events, of sizes as equal as possible. ``thirds``: three such groups. ``subtype``: the most
        probable one. Anything else is the name of an event; ``event:NAME`` if the event has the
        name of one of these ways.
    rows
        Which samples to divide.
    order
        The model of the fit, whose branches are meant; by default the model of the placement.

    Examples
    --------
    >>> import caprese
    >>> data = caprese.datasets.ovarian()
    >>> fit = caprese.Caprese().fit(data)
    >>> found = strata(caprese.place(fit, data), "branch", np.arange(87), order=fit.model)
    >>> found.names, np.bincount(found.groups).tolist()
    (('8q+', '5q-', '1q+', 'several branches', 'no event'), [57, 6, 3, 15, 6])
    """
    instance("placement", placement, Placement, "a placement of samples")
    instance("by", by, str, f"{', '.join(WAYS)} or an event")
    if by == "branch":
        return _by_branch(placement, rows, placement.model if order is None else order)
    if by in ("progress", "thirds"):
        return _by_progress(placement, rows, by)
    if by == "subtype":
        return _by_subtype(placement, rows)
    event = by.removeprefix("event:") if by not in placement.events else by
    if event not in placement.events:
        hint = did_you_mean(event, (*WAYS, *placement.events))
        raise ModelError(
            f"samples are divided by {', '.join(WAYS)} or an event, and there is no event "
            f"{event!r}{hint}"
        )
    present = placement.genotypes[rows, placement.events.index(event)].astype(np.int64)
    return _without_empty(by, [f"without {event}", f"with {event}"], present)


def _by_branch(placement: Placement, rows: IntArray, order: object) -> Strata:
    if not isinstance(order, Order):
        raise ModelError(
            "this model has no order of events, so samples have no branch; give the model of the "
            "fit as order, or divide them otherwise"
        )
    starts, below = _branches(order)
    columns = [placement.events.index(event) for event in order.events]
    events: IntArray = placement.genotypes[rows][:, columns].astype(np.int64) @ below.T
    most = events.max(axis=1)
    tied = (events == most[:, None]).sum(axis=1) > 1
    branch: IntArray = events.argmax(axis=1)
    branch[tied] = len(starts)
    branch[most == 0] = len(starts) + 1
    names = [order.events[start] for start in starts]
    sizes = np.bincount(branch, minlength=len(starts) + 2)
    largest = sorted(
        np.flatnonzero(sizes[: len(starts)]).tolist(), key=lambda k: (-sizes[k], names[k])
    )
    space = MOST_STRATA - int((sizes[len(starts) :] > 0).sum())
    kept = largest if len(largest) <= space else largest[: space - 1]
    titles = [*(names[k] for k in kept), OTHERS, SEVERAL, NO_EVENT]
    place = np.full(len(sizes), len(kept))
    place[kept] = np.arange(len(kept))
    place[len(starts) :] = len(kept) + 1, len(kept) + 2
    pooled = tuple(names[k] for k in largest[len(kept) :])
    return _without_empty("branch", titles, place[branch], pooled)


def _branches(order: Order) -> tuple[IntArray, IntArray]:
    """Return the first event of each branch, and for each branch which events it holds."""
    before = order.ancestors()
    left = np.ones(len(order.events), dtype=bool)
    starts: IntArray = np.flatnonzero(~before.any(axis=0))
    while len(starts) == 1 and left.sum() > 1:
        left[starts] = False
        starts = np.flatnonzero(left & ~before[left].any(axis=0))
    below = before[starts] & left
    below[np.arange(len(starts)), starts] = True
    return starts, below.astype(np.int64)


def _by_progress(placement: Placement, rows: IntArray, by: str) -> Strata:
    """Divide samples by their number of events, so that the squares of the sizes sum to least."""
    numbers: IntArray = placement.genotypes[rows].sum(axis=1)
    values, times = np.unique(numbers, return_counts=True)
    parts = min(2 if by == "progress" else 3, len(values))
    cuts = min(
        combinations(range(1, len(values)), parts - 1),
        key=lambda cuts: int((np.add.reduceat(times, (0, *cuts)) ** 2).sum()),
    )
    groups: IntArray = np.searchsorted(values[list(cuts)], numbers, side="right")
    found = (numbers[groups == k] for k in range(parts))
    ends = [(int(part.min()), int(part.max())) for part in found]
    names = [
        number_of(low, "event") if low == high else f"{low} to {high} events" for low, high in ends
    ]
    return _without_empty(by, names, groups)


def _by_subtype(placement: Placement, rows: IntArray) -> Strata:
    number = placement.subtypes.shape[1]
    if number < 2:
        raise ModelError("the model has no subtypes to divide samples by")
    if number > MOST_STRATA:
        raise ModelError(f"{number} subtypes are more than the {MOST_STRATA} that can be compared")
    names = [f"subtype {k + 1}" for k in range(number)]
    return _without_empty("subtype", names, placement.subtypes[rows].argmax(axis=1))


def _without_empty(
    by: str, names: list[str], groups: IntArray, pooled: tuple[str, ...] = ()
) -> Strata:
    """Return groups without those that no sample is in."""
    there = np.unique(groups)
    found = np.searchsorted(there, groups)
    return Strata(by, tuple(names[k] for k in there), sealed(found.astype(np.int64)), pooled)
