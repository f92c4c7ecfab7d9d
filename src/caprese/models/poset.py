"""Poset: an order of events; TimedPoset: with waiting times; NoisyPoset: observed with errors."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from caprese._core.arrays import BoolArray, FloatArray, IntArray, sealed
from caprese._core.checks import whole
from caprese._core.names import by_name
from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.kernels import lattice
from caprese.kernels.true_counts import observe_with_errors
from caprese.models.base import (
    Order,
    ParentSets,
    check_numbers,
    in_order_of,
    parent_sets,
)
from caprese.models.noise import Noise
from caprese.models.noisy import Noisy, SeenWithoutErrors, orders_by_clock
from caprese.models.states import Codes, as_sets, check_lattice, completions, from_sets


@dataclass(frozen=True, eq=False)
class Poset(ParentSets):
    """A partial order of events: each occurs only after all of its parents.

    Kept as its transitive reduction: a parent that comes before another parent says nothing new
    and is omitted, so that equal orders are equal values.

    Parameters
    ----------
    events
        Distinct names.
    parent_sets
        For each event the positions of its parents; none for an event under the root.

    Examples
    --------
    >>> poset = Poset(("a", "b", "c", "d"), ((), (0,), (0,), (0, 1, 2)))
    >>> poset.edges
    (('a', 'b'), ('a', 'c'), ('b', 'd'), ('c', 'd'))
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        above = self.ancestors()
        parents = tuple(
            tuple(i for i in own if not any(above[i, other] for other in own))
            for own in self.parent_sets
        )
        object.__setattr__(self, "parent_sets", parents)

    @classmethod
    def of(cls, model: Order) -> "Poset":
        """Return the order of a forest or a DAG.

        Examples
        --------
        >>> from caprese.models.forest import ROOT, Forest
        >>> Poset.of(Forest(("a", "b"), (ROOT, 0), (0.5, 0.5))).parent_sets
        ((), (0,))
        """
        return Poset(model.events, parent_sets(model.adjacency()))


@dataclass(frozen=True, eq=False)
class TimedPoset(Poset, SeenWithoutErrors):
    """A continuous-time conjunctive Bayesian network.

    Once all its parents have occurred, an event takes an exponential time of its own rate. A
    sample is taken after an exponential time of rate 1 and shows what has occurred by then.

    Parameters
    ----------
    events, parent_sets
        As of a `Poset`.
    rates
        For each event the rate of its waiting time: it takes 1 / rate on average.

    Examples
    --------
    >>> poset = TimedPoset(("a", "b"), ((), (0,)), rates=(1.0, 3.0))
    >>> poset.genotype_probabilities([[0, 0], [1, 0], [1, 1], [0, 1]])
    array([0.5  , 0.125, 0.375, 0.   ])
    >>> poset.marginals()
    array([0.5  , 0.375])
    >>> poset.next_rates(np.array([[False, False], [True, False]]))
    array([[1., 0.],
           [0., 3.]])

    References
    ----------
    Beerenwinkel and Sullivant (2009), Biometrika 96:645-661.
    """

    rates: FloatArray

    def __post_init__(self) -> None:
        super().__post_init__()
        check_numbers(self, "rates", np.inf)
        if np.isinf(self.rates).any():
            raise ModelError("rates must be finite")

    def parameters(self) -> dict[str, FloatArray]:
        """Return the numbers of the model that belong to each event, by what they are called."""
        return {"rate": self.rates}

    def genotype_probabilities(self, genotypes: ArrayLike) -> FloatArray:
        """Probability of observing exactly these events and no others.

        By recursion over all states, up to 2 to the power of the events. Genotypes are rows of 0
        and 1 or a single one, columns in the order of `events`.
        """
        return np.asarray(self.set_probabilities()[as_sets(self._genotypes(genotypes))])

    def marginals(self) -> FloatArray:
        """Probability of each event."""
        likely = self.set_probabilities()
        present = from_sets(np.arange(len(likely)), len(self.events))
        return np.array([likely[occurs].sum() for occurs in present.T])

    def sample(self, samples: int, rng: np.random.Generator) -> Dataset:
        """Draw samples; the same stream gives the same data whatever the order of the events."""
        whole("samples", samples)
        observed = rng.exponential(size=samples)
        times = np.empty((len(self.events), samples))
        with np.errstate(divide="ignore"):
            for event in by_name(self.events):
                times[event] = rng.exponential(size=samples) / self.rates[event]
        for event in self.order:
            if self.parent_sets[event]:
                times[event] += times[list(self.parent_sets[event])].max(axis=0)
        return Dataset(sealed(times <= observed).T, self.events)

    def next_rates(self, genotypes: BoolArray) -> FloatArray:
        """Return the rate at which each event comes next in each true genotype."""
        return np.where(self.reached(genotypes) & ~genotypes, self.rates, 0.0)

    def order_probabilities(self, data: Dataset, pairs: IntArray) -> FloatArray:
        """Return how probably the first event of each pair came before the second.

        By recursion over all states. In a sample that cannot be, by the order of the poset alone.

        Examples
        --------
        >>> poset = TimedPoset(("a", "b", "c"), ((), (0,), ()), rates=(1.0, 1.0, 1.0))
        >>> data = Dataset.from_rows([[1, 1, 1]], events="abc")
        >>> poset.order_probabilities(data, np.array([[0, 0, 1], [0, 0, 2]])).round(3)
        array([1.   , 0.571])
        """
        return self.without_errors().order_probabilities(data, pairs)

    def without_errors(self) -> "NoisyPoset":
        """Return the poset as a model of what is observed without errors."""
        return NoisyPoset(self, 0.0)

    def states(self, seen: Codes | None = None) -> tuple[BoolArray, FloatArray]:
        """Return every genotype that can be, or that agrees with what was seen; its probability."""
        likely = self.set_probabilities()
        if seen is not None:
            present = completions(seen)
            return present, likely[as_sets(present)]
        sets = np.flatnonzero(likely)
        return from_sets(sets, len(self.events)), likely[sets]

    def set_probabilities(self) -> FloatArray:
        """Probability of every set of events, event k in bit k of the position."""
        return self._by_set

    @cached_property
    def _by_set(self) -> FloatArray:
        check_lattice(len(self.events))
        return sealed(lattice.probabilities(as_sets(self.ancestors().T), self.rates))


@dataclass(frozen=True)
class NoisyPoset(Noisy):
    """A hidden conjunctive Bayesian network: genotypes of a timed poset, observed with errors.

    Parameters
    ----------
    poset
        The progression the hidden genotypes are drawn from.
    error
        The rate at which an entry is wrong, present or absent, at most 1/2.

    Examples
    --------
    >>> hidden = NoisyPoset(TimedPoset(("a", "b"), ((), (0,)), (1.0, 3.0)), error=0.1)
    >>> data = Dataset.from_rows([[0, 1], [1, None]], events="ab")
    >>> hidden.probabilities(data).round(4)
    array([0.08, 0.5 ])

    References
    ----------
    Gerstung et al. (2009), Bioinformatics 25:2809-2815.
    """

    poset: TimedPoset
    error: float

    def __post_init__(self) -> None:
        if not 0 <= self.error <= 0.5:
            raise ModelError(f"error must be in [0, 0.5], got {self.error}")

    @property
    def noise(self) -> Noise:
        """The error as false positive and false negative rate, which are equal."""
        return Noise(min(self.error, 0.5 - 1e-9), min(self.error, 0.5 - 1e-9))

    def probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability to observe each sample; unknown entries are summed over."""
        return self._observed(self.poset.set_probabilities(), data)

    def event_probabilities(self, data: Dataset) -> FloatArray:
        """Return how probably each event is truly there, samples x events as in the data."""
        likely = self.poset.set_probabilities()
        sets, total = np.arange(len(likely)), self._observed(likely, data)
        places = [self.events.index(event) for event in data.events]
        there = [self._observed(likely * (sets >> place & 1), data) for place in places]
        with np.errstate(invalid="ignore"):
            return np.asarray(np.array(there).T / total[:, None])

    def order_probabilities(self, data: Dataset, pairs: IntArray) -> FloatArray:
        """Return how probably the first event of each pair came before the second.

        Averaged over the true genotypes that the sample may have: of two events of which only one
        is truly there, it came first, and of two that are not, either. In a sample that cannot be,
        by the order of the poset alone.
        """
        return orders_by_clock(self.poset, self.noise, data, pairs)

    def _observed(self, likely: FloatArray, data: Dataset) -> FloatArray:
        """Return the probability to observe each sample, if each set of events is this likely."""
        ordered = in_order_of(self.events, data)
        sets, known = as_sets(ordered.values), as_sets(ordered.known_mask)
        result = np.empty(len(sets))
        for mask in np.unique(known):
            seen = observe_with_errors(likely, mask, self.error)
            result[known == mask] = seen[sets[known == mask]]
        return result
