"""ConjunctiveDag: events that wait for all of several others; NoisyDag: observed with errors."""

from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, sealed
from caprese._core.names import by_name
from caprese.data.dataset import Dataset
from caprese.models.base import (
    ParentSets,
    as_in,
    as_sets,
    check_lattice,
    observation_codes,
)
from caprese.models.noise import Noise


@dataclass(frozen=True, eq=False)
class ConjunctiveDag(ParentSets):
    """A progression in which an event follows all of its parents.

    Once all its parents have occurred, an event occurs with its own probability, independently of
    all others; before, it cannot.

    Parameters
    ----------
    events
        Distinct names.
    parent_sets
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
            for parent in self.parent_sets[event]:
                occurs[event] &= occurs[parent]
        return Dataset(sealed(occurs).T, self.events)

    def log_probabilities(self, data: Dataset) -> FloatArray:
        """Return the log-probability of each sample without errors; -inf where it cannot be."""
        return NoisyDag(self, Noise()).log_probabilities(data)

    def event_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability that each event is there, given what is known of the sample.

        Without errors, so only unknown entries are in doubt. NaN for samples that cannot be.
        """
        return NoisyDag(self, Noise()).event_probabilities(data)

    def states(self) -> tuple[BoolArray, FloatArray]:
        """Return every genotype in which no event lacks a parent, and its probability.

        Raises
        ------
        ModelError
            If there are more than 20 events, of which not all genotypes can be listed.
        """
        from caprese.kernels import lattice

        check_lattice(len(self.events))
        sets = lattice.lattice(as_sets(self.ancestors().T))[0]
        present = sets[:, None] >> np.arange(len(self.events)) & 1 == 1
        reached = np.array([present[:, list(above)].all(axis=1) for above in self.parent_sets]).T
        chance = np.where(present, self.probabilities, 1 - self.probabilities)
        return present, np.asarray(np.where(reached, chance, 1.0).prod(axis=1))


@dataclass(frozen=True)
class NoisyDag:
    """A conjunctive DAG whose genotypes are observed with errors; up to 20 events.

    Parameters
    ----------
    dag
        The progression the true genotypes are drawn from.
    noise
        How often what is observed is wrong.

    Examples
    --------
    >>> dag = ConjunctiveDag(("a", "b", "c"), ((), (), (0, 1)), (0.5, 0.8, 0.5))
    >>> data = Dataset.from_rows([[0, 1, 1]], events="abc")
    >>> NoisyDag(dag, Noise(0.1, 0.1)).event_probabilities(data).round(2)
    array([[0.35, 0.98, 0.32]])
    """

    dag: ConjunctiveDag
    noise: Noise

    @property
    def events(self) -> tuple[str, ...]:
        """Names of the events."""
        return self.dag.events

    def log_probabilities(self, data: Dataset) -> FloatArray:
        """Return the log-probability to observe each sample; unknown entries are summed over."""
        present, likely = self.dag.states()
        with np.errstate(divide="ignore"):
            return np.log(observation_chances(data, self.events, present, self.noise) @ likely)

    def event_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability that each event is truly there, given all seen of the sample."""
        present, likely = self.dag.states()
        weights = observation_chances(data, self.events, present, self.noise) * likely
        with np.errstate(invalid="ignore"):
            found = (weights @ present) / weights.sum(axis=1, keepdims=True)
        return as_in(data, self.events, found)

    def sample(self, samples: int, rng: np.random.Generator) -> Dataset:
        """Draw samples as they would be observed."""
        return self.noise.corrupt(self.dag.sample(samples, rng), rng)


def observation_chances(
    data: Dataset, events: tuple[str, ...], states: BoolArray, noise: Noise
) -> FloatArray:
    """Return the probability to observe each sample in each true genotype, samples x states."""
    codes = observation_codes(events, data)
    seen, missed = (codes == 1).astype(float), (codes == 0).astype(float)
    present = states.astype(float)
    positive, negative = noise.false_positive, noise.false_negative
    chance = np.ones((len(codes), len(states)))
    for rate, times in (
        (positive, seen @ (1 - present).T),
        (1 - positive, missed @ (1 - present).T),
        (negative, missed @ present.T),
        (1 - negative, seen @ present.T),
    ):
        chance *= rate**times
    return chance
