"""TimedForest: a forest with waiting times; NoisyTimedForest: observed with errors."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, IntArray, sealed
from caprese._core.checks import whole
from caprese._core.names import by_name
from caprese.data.courses import courses
from caprese.data.dataset import Dataset
from caprese.data.visits import Visits
from caprese.errors import ModelError
from caprese.kernels import lattice
from caprese.kernels.functions import exp
from caprese.kernels.timed_forests import Tables, expectations, fill, log_probabilities
from caprese.models.base import ParentOrder, as_in, check_events, check_numbers, in_order_of
from caprese.models.forest import ROOT, check_forest_parents
from caprese.models.noise import Noise
from caprese.models.noisy import Noisy, SeenWithoutErrors, orders_by_clock
from caprese.models.states import Codes, as_sets, check_lattice, completions, from_sets

_AT_ONCE = 2_000  # genotypes whose tables are in memory


@dataclass(frozen=True, eq=False)
class TimedForest(ArrayValue, ParentOrder, SeenWithoutErrors):
    """A forest with a clock: each event follows one parent, or the root, after a time of its own.

    Once its parent has occurred, an event takes an exponential time of its own rate. A sample is
    taken after an exponential time of rate 1 and shows what has occurred by then. Unlike the
    edges of a `Forest`, all events of a sample had the same time, so that the model knows which of
    two events on different branches probably came first, and what comes next.

    Parameters
    ----------
    events
        Distinct names.
    parents
        For each event the position of its parent, or ``ROOT`` (-1).
    rates
        For each event the rate of its waiting time: it takes 1 / rate on average.

    Examples
    --------
    >>> forest = TimedForest(("a", "b", "c"), (ROOT, 0, ROOT), rates=(1.0, 3.0, 0.5))
    >>> forest.edges
    (('a', 'b'),)
    >>> forest.genotype_probabilities([[0, 0, 0], [1, 0, 0], [1, 1, 1], [0, 1, 0]]).round(4)
    array([0.4   , 0.0889, 0.1972, 0.    ])
    >>> data = Dataset.from_rows([[1, 1, 1]], events="abc")
    >>> forest.order_probabilities(data, np.array([[0, 0, 1], [0, 0, 2]])).round(3)
    array([1.  , 0.62])
    """

    events: tuple[str, ...]
    parents: IntArray
    rates: FloatArray

    def __post_init__(self) -> None:
        check_events(self)
        check_forest_parents(self)
        check_numbers(self, "rates", np.inf)
        if np.isinf(self.rates).any():
            raise ModelError("rates must be finite")
        self._check_cycles()

    def __repr__(self) -> str:
        return (
            f"TimedForest(events={self.events!r}, parents={tuple(self.parents.tolist())!r}, "
            f"rates={tuple(self.rates.tolist())!r})"
        )

    def all_parents(self) -> list[tuple[int, ...]]:
        """Return the position of the parent of each event; none under the root."""
        return [() if parent == ROOT else (parent,) for parent in self.parents.tolist()]

    def parameters(self) -> dict[str, FloatArray]:
        """Return the numbers of the model that belong to each event, by what they are called."""
        return {"rate": self.rates}

    def genotype_probabilities(self, genotypes: ArrayLike) -> FloatArray:
        """Probability of observing exactly these events and no others.

        By recursion over all states, up to 2 to the power of the events. Genotypes are rows of 0
        and 1 or a single one, columns in the order of `events`.
        """
        return np.asarray(self._by_set[as_sets(self._genotypes(genotypes))])

    def marginals(self) -> FloatArray:
        """Probability of each event; it takes no list of states."""
        alone = Dataset.from_rows(
            np.where(np.eye(len(self.events), dtype=bool), 1.0, np.nan), self.events
        )
        return exp(self.log_probabilities(alone))

    def sample(self, samples: int, rng: np.random.Generator) -> Dataset:
        """Draw samples; the same stream gives the same data whatever the order of the events."""
        whole("samples", samples)
        observed = rng.exponential(size=samples)
        return Dataset(sealed(self.event_times(samples, rng) <= observed[:, None]), self.events)

    def event_times(self, samples: int, rng: np.random.Generator) -> FloatArray:
        """Draw when each event occurs, samples x events; infinite if never."""
        times = np.empty((len(self.events), samples))
        with np.errstate(divide="ignore"):
            for event in by_name(self.events):
                times[event] = rng.exponential(size=samples) / self.rates[event]
        for event in self.order:
            if self.parents[event] != ROOT:
                times[event] += times[self.parents[event]]
        return times.T

    def next_rates(self, genotypes: BoolArray) -> FloatArray:
        """Return the rate at which each event comes next in each true genotype."""
        return np.where(self.reached(genotypes) & ~genotypes, self.rates, 0.0)

    def reached(self, genotypes: BoolArray) -> BoolArray:
        """Whether the parent of each event is there, in each genotype."""
        return np.where(self.parents == ROOT, True, genotypes[..., self.parents])

    def order_probabilities(self, data: Dataset, pairs: IntArray) -> FloatArray:
        """Return how probably the first event of each pair came before the second.

        By recursion over all states. In a sample that cannot be, by the edges alone.
        """
        return orders_by_clock(self, Noise(), data, pairs)

    def without_errors(self) -> "NoisyTimedForest":
        """Return the forest as a model of what is observed without errors."""
        return NoisyTimedForest(self, Noise())

    def states(self, seen: Codes | None = None) -> tuple[BoolArray, FloatArray]:
        """Return every genotype that can be, or that agrees with what was seen; its probability."""
        likely = self._by_set
        if seen is not None:
            present = completions(seen)
            return present, likely[as_sets(present)]
        sets = np.flatnonzero(likely)
        return from_sets(sets, len(self.events)), likely[sets]

    @cached_property
    def _by_set(self) -> FloatArray:
        """Probability of every set of events, event k in bit k of the position."""
        check_lattice(len(self.events))
        return sealed(lattice.probabilities(as_sets(self.ancestors().T), self.rates))


@dataclass(frozen=True)
class NoisyTimedForest(Noisy):
    """A timed forest whose genotypes are observed with false positives and false negatives.

    Probabilities of samples and of events are computed on a grid of times, to about 1e-5 of them,
    with any number of events; where samples stand and what came first, by listing the true
    genotypes, up to 20 events.

    Parameters
    ----------
    forest
        The progression the hidden genotypes are drawn from.
    noise
        How often what is seen is wrong.

    Examples
    --------
    >>> chain = NoisyTimedForest(TimedForest(("a", "b"), (ROOT, 0), (1.0, 3.0)), Noise(0.1, 0.1))
    >>> data = Dataset.from_rows([[0, 1], [1, None]], events="ab")
    >>> chain.probabilities(data).round(4)
    array([0.08, 0.5 ])
    >>> chain.event_probabilities(data).round(3)
    array([[0.438, 0.422],
           [0.9  , 0.675]])
    """

    forest: TimedForest
    noise: Noise

    def log_probabilities(self, data: Dataset) -> FloatArray:
        """Return the log-probability to observe each sample; unknown entries are summed over."""
        ordered = in_order_of(self.events, data)
        codes, which = np.unique(ordered.codes(), axis=0, return_inverse=True)
        found = np.empty(len(codes))
        for rows in _blocks(len(codes)):
            tables, order = self._tables(codes[rows], shared=True)
            found[rows][order] = log_probabilities(tables)
        return found[which.reshape(-1)]

    def probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability to observe each sample; unknown entries are summed over."""
        return exp(self.log_probabilities(data))

    def event_probabilities(self, data: Dataset) -> FloatArray:
        """Return how probably each event is truly there; NaN for impossible samples."""
        ordered = in_order_of(self.events, data)
        codes, which = np.unique(ordered.codes(), axis=0, return_inverse=True)
        found = np.empty(codes.shape)
        for rows in _blocks(len(codes)):
            tables, order = self._tables(codes[rows], shared=False)
            expectations(tables, self.forest.order)
            possible = np.isfinite(log_probabilities(tables))[:, None]
            found[rows][order] = np.where(possible, np.clip(tables.there, 0.0, 1.0), np.nan)
        return as_in(data, self.events, found[which.reshape(-1)])

    def order_probabilities(self, data: Dataset, pairs: IntArray) -> FloatArray:
        """Return how probably the first event of each pair came before the second.

        Averaged over the true genotypes that the sample may have: of two events of which only one
        is truly there, it came first, and of two that are not, either. In a sample that cannot be,
        by the edges alone.
        """
        return orders_by_clock(self.forest, self.noise, data, pairs)

    def _tables(self, codes: NDArray[np.uint8], *, shared: bool) -> tuple[Tables, IntArray]:
        """Return the tables of distinct genotypes, and the genotype of each group in them."""
        number = len(codes)
        times, one = np.full(number, np.nan), np.ones(number, dtype=np.int64)
        visits = Visits(self.events, codes, times, np.arange(number + 1), one)
        work = courses(visits, shared=shared)
        tables = Tables(work.histories)
        up = np.ascontiguousarray(self.forest.order[::-1])
        fill(tables, self.forest.parents, self.forest.rates, self.noise.rates, up)
        return tables, work.order


def _blocks(number: int) -> list[slice]:
    return [slice(start, start + _AT_ONCE) for start in range(0, number, _AT_ONCE)]
