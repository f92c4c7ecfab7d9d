"""Strengths: one number per event, learnt from seen orders alone, by which events are ranked."""

import numpy as np

from caprese._core.arrays import FloatArray
from caprese.data.seen_orders import SeenOrders

_STEPS, _CLOSE = 100, 1e-10


def event_strengths(orders: SeenOrders) -> FloatArray:
    """Return the strength of each event: a is before b with the odds exp(strength a - strength b).

    The model of Bradley and Terry, at the maximum of the likelihood of all pairs with a standard
    normal prior of the strengths; an uncertain pair counts for both directions.

    Examples
    --------
    >>> orders = SeenOrders.from_rows([("p", "a", "b"), ("q", "a", "b"), ("r", "b", "a")])
    >>> event_strengths(orders).round(2)
    array([ 0.2, -0.2])
    """
    seen = orders.tally()
    either = seen + seen.T
    strengths = np.zeros(len(seen))
    for _ in range(_STEPS):
        before = earlier_probability(strengths)
        slope = (seen - either * before).sum(axis=1) - strengths
        weight = either * before * (1 - before)
        curvature = np.diag(weight.sum(axis=1) + 1) - weight
        step = np.linalg.solve(curvature, slope)
        strengths += step
        if np.abs(step).max() < _CLOSE:
            break
    return strengths


def earlier_probability(strengths: FloatArray) -> FloatArray:
    """Return the probability that i is before j, for every pair i, j."""
    return np.asarray(1 / (1 + np.exp(strengths[None] - strengths[:, None])))
