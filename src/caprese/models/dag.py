"""ConjunctiveDag: events that wait for all of several others; NoisyDag: observed with errors."""

from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, sealed
from caprese._core.names import by_name
from caprese.data.dataset import Dataset
from caprese.kernels import lattice
from caprese.kernels.functions import log, product
from caprese.models.base import (
    ParentSets,
    SeenWithoutErrors,
    as_in,
    as_sets,
    check_lattice,
    waiting_rates,
)
from caprese.models.noise import Noise
from caprese.models.states import PlacedByStates, States, observation_chances


@dataclass(frozen=True, eq=False)
class ConjunctiveDag(ParentSets, SeenWithoutErrors):
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

    def next_rates(self, genotypes: BoolArray) -> FloatArray:
        """Return the rate at which each event comes next in each true genotype.

        The rate is that of an exponential time by which the event has occurred at the time of
        observation with its probability; see `Forest.edge_rates`.
        """
        reached = _reached(genotypes, self.parent_sets)
        rates = waiting_rates(self.probabilities)
        return np.where(reached & ~genotypes, rates, 0.0)

    def without_errors(self) -> "NoisyDag":
        """Return the DAG as a model of what is observed without errors."""
        return NoisyDag(self, Noise())

    def states(self) -> tuple[BoolArray, FloatArray]:
        """Return every genotype in which no event lacks a parent, and its probability.

        Raises
        ------
        ModelError
            If there are more than 20 events, of which not all genotypes can be listed.
        """
        check_lattice(len(self.events))
        sets = np.sort(lattice.states(as_sets(self.ancestors().T)))
        present = sets[:, None] >> np.arange(len(self.events)) & 1 == 1
        reached = _reached(present, self.parent_sets)
        chance = np.where(present, self.probabilities, 1 - self.probabilities)
        return present, np.asarray(np.where(reached, chance, 1.0).prod(axis=1))


@dataclass(frozen=True)
class NoisyDag(PlacedByStates):
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

    def true_states(self) -> States:
        """Return every true genotype that can be, and how it is observed."""
        present, likely = self.dag.states()
        return States(self.events, present, likely, self.dag.next_rates(present), self.noise)

    def next_rates(self, genotypes: BoolArray) -> FloatArray:
        """Return the rate at which each event comes next in each true genotype."""
        return self.dag.next_rates(genotypes)

    def log_probabilities(self, data: Dataset) -> FloatArray:
        """Return the log-probability to observe each sample; unknown entries are summed over."""
        present, likely = self.dag.states()
        return log(product(observation_chances(data, self.events, present, self.noise), likely))

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


def _reached(genotypes: BoolArray, parent_sets: tuple[tuple[int, ...], ...]) -> BoolArray:
    """Whether all parents of each event are there, in each genotype."""
    return np.stack([genotypes[..., list(above)].all(axis=-1) for above in parent_sets], axis=-1)
