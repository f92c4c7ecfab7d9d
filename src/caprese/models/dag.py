"""ConjunctiveDag: events that each wait for all of several others."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from caprese.arrays import ArrayValue, BoolArray, FloatArray, IntArray, frozen, sealed
from caprese.dataset import Dataset
from caprese.errors import ModelError
from caprese.names import by_name, distinct_names


@dataclass(frozen=True, eq=False)
class ConjunctiveDag(ArrayValue):
    """A progression in which an event follows all of its parents.

    Once all its parents have occurred, an event occurs with its own probability, independently of
    all others; before, it cannot.

    Parameters
    ----------
    events
        Distinct names.
    parents
        For each event the positions of its parents; none for an event under the root.
    probabilities
        For each event its probability given that all its parents have occurred.

    Examples
    --------
    >>> dag = ConjunctiveDag(("a", "b", "c"), ((), (), (0, 1)), (0.5, 0.8, 0.5))
    >>> dag.edges
    (('a', 'c'), ('b', 'c'))
    >>> dag.marginals()
    array([0.5, 0.8, 0.2])
    """

    events: tuple[str, ...]
    parents: tuple[tuple[int, ...], ...]
    probabilities: FloatArray

    def __post_init__(self) -> None:
        events = distinct_names("event", self.events, ModelError)
        parents = tuple(tuple(sorted({int(i) for i in above})) for above in self.parents)
        probabilities = np.asarray(self.probabilities, dtype=np.float64)
        if not events:
            raise ModelError("a DAG needs at least one event")
        if len(parents) != len(events) or probabilities.shape != (len(events),):
            raise ModelError(f"parents and probabilities must be one per event, {len(events)}")
        for event, above, probability in zip(events, parents, probabilities, strict=True):
            if not all(0 <= i < len(events) for i in above):
                raise ModelError(f"parents of {event!r} must be positions of events, got {above}")
            if not 0 <= probability <= 1:
                raise ModelError(f"probability of {event!r} must be in [0, 1], got {probability}")
        object.__setattr__(self, "events", events)
        object.__setattr__(self, "parents", parents)
        object.__setattr__(self, "probabilities", frozen(probabilities))
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

    def marginals(self) -> FloatArray:
        """Probability of each event: the product over itself and all that it waits for."""
        needed = self.ancestors() | np.eye(len(self.events), dtype=bool)
        return np.asarray(np.where(needed, self.probabilities[:, None], 1.0).prod(axis=0))

    def sample(self, samples: int, rng: np.random.Generator) -> Dataset:
        """Draw samples; the same stream gives the same data whatever the order of the events."""
        occurs = np.empty((len(self.events), samples), dtype=bool)
        for event in by_name(self.events):
            occurs[event] = rng.random(samples) < self.probabilities[event]
        for event in self.order:
            for parent in self.parents[event]:
                occurs[event] &= occurs[parent]
        return Dataset(sealed(occurs).T, self.events)
