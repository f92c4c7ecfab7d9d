"""What models have in common: events, and sets of parents, whatever that means in numbers."""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from caprese.arrays import ArrayValue, BoolArray, FloatArray, IntArray, frozen, sealed
from caprese.errors import ModelError
from caprese.names import distinct_names


class Progression(Protocol):
    """A model of any kind: its events, and which of them are parents of which."""

    @property
    def events(self) -> tuple[str, ...]:
        """Distinct names."""

    def adjacency(self) -> BoolArray:
        """Whether i is a parent of j, for every pair i, j."""


@dataclass(frozen=True, eq=False)
class ParentSets(ArrayValue):
    """Events with sets of parents, free of cycles.

    Parameters
    ----------
    events
        Distinct names.
    parents
        For each event the positions of its parents; none for an event under the root.
    """

    events: tuple[str, ...]
    parents: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        events = distinct_names("event", self.events, ModelError)
        parents = tuple(tuple(sorted({int(i) for i in above})) for above in self.parents)
        if not events:
            raise ModelError("a progression needs at least one event")
        if len(parents) != len(events):
            raise ModelError(
                f"parents must be one set per event, {len(events)}, got {len(parents)}"
            )
        for event, above in zip(events, parents, strict=True):
            if not all(0 <= i < len(events) for i in above):
                raise ModelError(f"parents of {event!r} must be positions of events, got {above}")
        object.__setattr__(self, "events", events)
        object.__setattr__(self, "parents", parents)
        if len(self.order) < len(events):
            stuck = sorted(set(range(len(events))) - set(self.order.tolist()))
            names = ", ".join(repr(events[event]) for event in stuck)
            raise ModelError(f"the parents form a cycle among or above {names}")

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """Pairs of parent and child by name."""
        return tuple(
            (self.events[parent], event)
            for event, above in zip(self.events, self.parents, strict=True)
            for parent in above
        )

    @cached_property
    def order(self) -> IntArray:
        """Positions of the events, all parents before their child."""
        missing = [set(above) for above in self.parents]
        order = [event for event, above in enumerate(missing) if not above]
        for done in order:  # grows while it is walked
            for event, above in enumerate(missing):
                if done in above:
                    above.remove(done)
                    if not above:
                        order.append(event)
        return sealed(np.array(order, dtype=np.int64))

    def adjacency(self) -> BoolArray:
        """Whether i is a parent of j, for every pair i, j."""
        matrix = np.zeros((len(self.events), len(self.events)), dtype=bool)
        for event, above in enumerate(self.parents):
            matrix[list(above), event] = True
        return matrix

    def ancestors(self) -> BoolArray:
        """Whether j has to wait for i, for every pair i, j."""
        above = self.adjacency()
        for event in self.order:
            for parent in self.parents[event]:
                above[:, event] |= above[:, parent]
        return above

    def _numbers(self, name: str, given: object, low: float, high: float) -> FloatArray:
        """Return one number for each event, within bounds."""
        numbers = np.asarray(given, dtype=np.float64)
        if numbers.shape != (len(self.events),):
            raise ModelError(f"{name} must be one per event, {len(self.events)}")
        for event, number in zip(self.events, numbers, strict=True):
            if not low <= number <= high:
                raise ModelError(
                    f"{name} must be in [{low:g}, {high:g}], got {number} for {event!r}"
                )
        return frozen(numbers)
