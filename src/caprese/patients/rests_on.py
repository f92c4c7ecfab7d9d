"""Rests on: which orders an answer rests on that the data do not determine."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from caprese.assessment.directions import (
    Direction,
    Rests,
    are_quick_to_turn,
    directions,
    times_seen,
)
from caprese.data.dataset import Dataset
from caprese.fitting.turned import can_be_told, lost_by_hazards
from caprese.methods.fit import Fit
from caprese.models.base import Order

Pairs = tuple[tuple[str, str], ...]


def undetermined_orders(
    fit: Fit[Any, Any],
    asked: Sequence[tuple[Collection[str], str | None]],
    *,
    by_edges: bool = True,
) -> list[Pairs] | None:
    """Return the orders that each answer rests on and that the data do not determine.

    In a model with edges these are the edges on the ways from what is touched to the target; else
    the pairs of both, whose reverse order a hazard network explains about as well. None if there
    is no data, or if that would take long.

    Parameters
    ----------
    asked
        For each answer the events that are blocked or slowed, and the target; None if that may be
        any event.
    by_edges
        Whether the answers are those of the fit itself, so that they rest on its edges, if any.
    """
    if fit.data is None:
        return None
    if by_edges and isinstance(fit.model, Order):
        return _on_the_ways(fit, asked) if are_quick_to_turn(fit) else None
    pairs = [_pairs(fit.model.events, touched, target) for touched, target in asked]
    each = sorted({pair for own in pairs for pair in own})
    if not can_be_told(fit.data, len(each)):
        return None
    still_open = {pair for pair in each if _is_open(*pair, fit.data)}
    return [tuple(pair for pair in own if pair in still_open) for own in pairs]


def _on_the_ways(
    fit: Fit[Any, Any], asked: Sequence[tuple[Collection[str], str | None]]
) -> list[Pairs]:
    place = {event: k for k, event in enumerate(fit.model.events)}
    leads = fit.model.ancestors() | np.eye(len(place), dtype=bool)
    edges = [(each.earlier, each.later) for each in directions(fit) if each.rests == Rests.OPEN]

    def on_way(edge: tuple[str, str], touched: Collection[str], target: str | None) -> bool:
        begins = any(leads[place[event], place[edge[0]]] for event in touched)
        return begins and (target is None or bool(leads[place[edge[1]], place[target]]))

    return [tuple(edge for edge in edges if on_way(edge, *each)) for each in asked]


def _pairs(
    events: tuple[str, ...], touched: Collection[str], target: str | None
) -> list[tuple[str, str]]:
    ends = events if target is None else (target,)
    return [(one, other) for one in touched for other in ends if one != other]


def _is_open(one: str, other: str, data: Dataset) -> bool:
    """Whether the data determine neither order, by seen orders or by what a network loses."""
    times = times_seen(data.orders, data.events)
    i, j = data.events.index(one), data.events.index(other)
    lost = lost_by_hazards(i, j, data)
    stated = (one, other, int(times[i, j]), int(times[j, i]), lost)
    reverse = (other, one, int(times[j, i]), int(times[i, j]), -lost)
    return all(Direction(*each).rests == Rests.OPEN for each in (stated, reverse))
