"""ConjunctiveDag: events that wait for all of several others; NoisyDag: observed with errors."""

from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray
from caprese.kernels import lattice
from caprese.models.base import ParentSets
from caprese.models.forest import Conjunction
from caprese.models.noise import Noise
from caprese.models.noisy import Noisy
from caprese.models.states import Codes, as_sets, check_lattice, completions, from_sets


@dataclass(frozen=True, eq=False)
class ConjunctiveDag(ParentSets, Conjunction):
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
        self._check_probabilities()

    def marginals(self) -> FloatArray:
        """Probability of each event: the product over itself and all that it waits for."""
        needed = self.ancestors() | np.eye(len(self.events), dtype=bool)
        return np.asarray(np.where(needed, self.probabilities[:, None], 1.0).prod(axis=0))

    def states(self, seen: Codes | None = None) -> tuple[BoolArray, FloatArray]:
        """Return every genotype in which no event lacks a parent, and its probability.

        Or every genotype that agrees with what was seen of a sample without errors.

        Raises
        ------
        ModelError
            If more than 20 events may be there or not.
        """
        check_lattice(len(self.events) if seen is None else int((seen == 2).sum()))
        present = self._lattice_states() if seen is None else completions(seen)
        return present, self.genotype_probabilities(present)

    def _lattice_states(self) -> BoolArray:
        sets = np.sort(lattice.states(as_sets(self.ancestors().T)))
        return from_sets(sets, len(self.events))


@dataclass(frozen=True)
class NoisyDag(Noisy):
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
    >>> from caprese.data.dataset import Dataset
    >>> data = Dataset.from_rows([[0, 1, 1]], events="abc")
    >>> NoisyDag(dag, Noise(0.1, 0.1)).event_probabilities(data).round(2)
    array([[0.35, 0.98, 0.32]])
    """

    dag: ConjunctiveDag
    noise: Noise

    @property
    def truth(self) -> ConjunctiveDag:
        """The progression the true genotypes are drawn from."""
        return self.dag
