"""ConjunctiveDag: events that each wait for all of several others, then occur or not."""

from dataclasses import dataclass

import numpy as np

from caprese.arrays import FloatArray, sealed
from caprese.dataset import Dataset
from caprese.models.base import ParentSets
from caprese.names import by_name


@dataclass(frozen=True, eq=False)
class ConjunctiveDag(ParentSets):
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

    probabilities: FloatArray

    def __post_init__(self) -> None:
        super().__post_init__()
        checked = self._numbers("probabilities", self.probabilities, 0, 1)
        object.__setattr__(self, "probabilities", checked)

    def parameters(self) -> dict[str, FloatArray]:
        """Return the numbers of the model that belong to each event, by what they are called."""
        return {"probability": self.probabilities}

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
