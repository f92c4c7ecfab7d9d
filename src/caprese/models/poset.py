"""Poset: which events have to wait for which; TimedPoset: and how long each then takes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from caprese.arrays import BoolArray, FloatArray, IntArray, sealed
from caprese.dataset import Dataset
from caprese.errors import ModelError
from caprese.models.base import ParentSets, Progression
from caprese.names import by_name

MOST_EVENTS = 20  # of which all sets are kept in mind at once
_BYTES = 100  # for each set, while rates are estimated; and one more for each event


@dataclass(frozen=True, eq=False)
class Poset(ParentSets):
    """A partial order of events: each occurs only after all of its parents.

    Kept as its transitive reduction: a parent that comes before another parent says nothing new
    and is left out, so that equal orders are equal values.

    Parameters
    ----------
    events
        Distinct names.
    parents
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
            for own in self.parents
        )
        object.__setattr__(self, "parents", parents)

    @classmethod
    def of(cls, model: Progression) -> "Poset":
        """Return the order of a forest or a DAG.

        Examples
        --------
        >>> from caprese.models.forest import ROOT, Forest
        >>> Poset.of(Forest(("a", "b"), (ROOT, 0), (0.5, 0.5))).parents
        ((), (0,))
        """
        return Poset(model.events, parent_sets(model.adjacency()))


@dataclass(frozen=True, eq=False)
class TimedPoset(Poset):
    """A continuous-time conjunctive Bayesian network.

    Once all its parents have occurred, an event takes an exponential time of its own rate. A
    sample is taken after an exponential time of rate 1 and shows what has occurred by then.

    Parameters
    ----------
    events, parents
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

    References
    ----------
    Beerenwinkel and Sullivant (2009), Biometrika 96:645-661.
    """

    rates: FloatArray

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "rates", self._numbers("rates", self.rates, 0, np.inf))
        if np.isinf(self.rates).any():
            raise ModelError("rates must be finite")

    def parameters(self) -> dict[str, FloatArray]:
        """Return the numbers of the model that belong to each event, by what they are called."""
        return {"rate": self.rates}

    def genotype_probabilities(self, genotypes: ArrayLike) -> FloatArray:
        """Probability of observing exactly these events and no others.

        By recursion over the lattice of the poset's states, of which there are up to 2 to the
        power of the events.

        Parameters
        ----------
        genotypes
            0/1, one row per genotype or a single one, columns in the order of `events`.
        """
        present = np.asarray(genotypes, dtype=bool)
        if present.shape[-1:] != (len(self.events),):
            raise ModelError(
                f"a genotype must have {len(self.events)} events, got shape {present.shape}"
            )
        return np.asarray(self.state_probabilities()[as_sets(present)])

    def marginals(self) -> FloatArray:
        """Probability of each event."""
        likely = self.state_probabilities()
        sets = np.arange(len(likely))
        return np.array([likely[sets >> event & 1 == 1].sum() for event in range(len(self.events))])

    def sample(self, samples: int, rng: np.random.Generator) -> Dataset:
        """Draw samples; the same stream gives the same data whatever the order of the events."""
        observed = rng.exponential(size=samples)
        times = np.empty((len(self.events), samples))
        with np.errstate(divide="ignore"):
            for event in by_name(self.events):
                times[event] = rng.exponential(size=samples) / self.rates[event]
        for event in self.order:
            if self.parents[event]:
                times[event] += times[list(self.parents[event])].max(axis=0)
        return Dataset(sealed(times <= observed).T, self.events)

    def state_probabilities(self) -> FloatArray:
        """Probability of every set of events, event k in bit k of the position."""
        from caprese.kernels import lattice

        check_lattice(len(self.events))
        states, starts, nexts = lattice.lattice(as_sets(self.ancestors().T))
        likely: FloatArray = lattice.probabilities(states, starts, nexts, self.rates)[2]
        return likely


def parent_sets(adjacency: BoolArray) -> tuple[tuple[int, ...], ...]:
    """Return the positions of the parents of each event.

    Examples
    --------
    >>> parent_sets(np.array([[False, True], [False, False]]))
    ((), (0,))
    """
    return tuple(tuple(np.flatnonzero(column).tolist()) for column in adjacency.T)


def as_sets(rows: BoolArray) -> IntArray:
    """Return each row as a whole number, column k in bit k.

    Examples
    --------
    >>> as_sets(np.array([[True, False, True]]))
    array([5])
    """
    return np.asarray(rows.astype(np.int64) @ (1 << np.arange(rows.shape[-1])))


def from_sets(sets: IntArray) -> BoolArray:
    """Return as many sets as there are events as rows; the opposite of `as_sets`.

    Examples
    --------
    >>> from_sets(np.array([2, 0]))
    array([[False,  True],
           [False, False]])
    """
    return np.asarray(sets[:, None] >> np.arange(len(sets)) & 1 == 1)


def check_lattice(events: int) -> None:
    """Refuse more events than can be kept in mind, and say what they would take."""
    if events > MOST_EVENTS:
        need = (_BYTES + events) * 2.0**events / 2**30
        most = f"{MOST_EVENTS} events: keep the most frequent ones (--top {MOST_EVENTS})"
        raise ModelError(
            f"a conjunctive Bayesian network of {events} events has up to 2^{events} states, which "
            f"take {need:,.3g} GiB; the most is {most}"
        )
