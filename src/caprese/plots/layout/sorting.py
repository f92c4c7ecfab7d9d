"""The order in which pictures show events and samples."""

from collections.abc import Sequence

import numpy as np

from caprese._core.arrays import FloatArray, IntArray
from caprese._core.names import places
from caprese.models.base import Order


def memo_order(codes: IntArray) -> IntArray:
    """Return the samples sorted by the first event, then by the second, and so on.

    The codes of samples x events are 2 where present, 1 where unknown, 0 where absent.
    """
    return np.lexsort(-codes.T[::-1])


def by_frequency(events: Sequence[str], frequency: FloatArray) -> list[int]:
    """Return the positions of events, the most frequent first, then by name."""
    return sorted(range(len(events)), key=lambda event: (-frequency[event], events[event]))


def by_progression(events: Sequence[str], frequency: FloatArray, model: object) -> list[int]:
    """Return the positions of events, parents first, branch by branch; by frequency if no order."""
    if not isinstance(model, Order):
        return by_frequency(events, frequency)
    at = places(model.events, events, "model and data")
    waiting = model.adjacency()[np.ix_(at, at)].copy()
    last_first = by_frequency(events, frequency)[::-1]
    ready = [event for event in last_first if not waiting[:, event].any()]
    done: list[int] = []
    while ready:
        event = ready.pop()
        done.append(event)
        children = waiting[event].copy()
        waiting[event] = False
        ready += [each for each in last_first if children[each] and not waiting[:, each].any()]
    return done
