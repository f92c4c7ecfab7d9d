"""Forest: events that wait for at most one other; NoisyForest: observed with errors."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, IntArray, frozen, sealed
from caprese._core.checks import whole
from caprese._core.names import by_name
from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.kernels import forest_likelihood, forest_posteriors
from caprese.kernels.functions import exp, expm1, log, log1p
from caprese.kernels.threads import over_spans
from caprese.models.base import (
    ParentOrder,
    PlacingModel,
    as_in,
    check_events,
    check_numbers,
    in_order_of,
    observation_codes,
    waiting_rates,
)
from caprese.models.noise import Noise
from caprese.models.noisy import Noisy, SeenWithoutErrors
from caprese.models.states import Codes, all_unknown, completions

ROOT = -1

_ENTRIES = 200_000  # of a data set, worth a thread
_STEP, _NEGLIGIBLE, _DECAYED = 1 / 3, 1e-6, 30.0  # of the integral over time


class Conjunction(ParentOrder, SeenWithoutErrors):
    """Events that wait for all of their parents, and then occur with their own probability."""

    probabilities: FloatArray
    untimed: ClassVar[bool] = True

    def parameters(self) -> dict[str, FloatArray]:
        """Return the numbers of the model that belong to each event, by what they are called."""
        return {"probability": self.probabilities}

    def sample(self, samples: int, rng: np.random.Generator) -> Dataset:
        """Draw samples; the same stream gives the same data whatever the order of the events."""
        whole("samples", samples)
        occurs = np.empty((len(self.events), samples), dtype=bool)
        for event in by_name(self.events):
            occurs[event] = rng.random(samples) < self.probabilities[event]
        parents = self.all_parents()
        for event in self.order:
            for parent in parents[event]:
                occurs[event] &= occurs[parent]
        return Dataset(sealed(occurs).T, self.events)

    def edge_rates(self) -> FloatArray:
        """Return the rate of the time that each event takes after its parents; see `waiting_rates`.

        Exact for each edge alone: the model does not know that the times of several edges are
        observed at once.
        """
        return waiting_rates(self.probabilities)

    def next_rates(self, genotypes: BoolArray) -> FloatArray:
        """Return the rate at which each event comes next in each true genotype."""
        return np.where(self.reached(genotypes) & ~genotypes, self.edge_rates(), 0.0)

    def genotype_probabilities(self, genotypes: ArrayLike) -> FloatArray:
        """Probability of observing exactly these events and no others (Definition 1).

        The paper's formula has a slip: its second product must run over the edges whose child is
        *not in the sample*, G*, where it says not in G. Genotypes are rows of 0 and 1 or a single
        one, columns in the order of `events`.
        """
        present = self._genotypes(genotypes)
        chance = np.where(present, self.probabilities, 1 - self.probabilities)
        return np.asarray(np.where(self.reached(present), chance, ~present).prod(axis=-1))

    def blocked(self, events: BoolArray) -> PlacingModel:
        """Return the same progression in which these events do not occur, nor what needs them."""
        own: Any = self
        found: PlacingModel = replace(own, probabilities=np.where(events, 0.0, self.probabilities))
        return found

    def states(self, seen: Codes | None = None) -> tuple[BoolArray, FloatArray]:
        """Return every genotype that agrees with what was seen of a sample, and its probability."""
        present = completions(all_unknown(len(self.events)) if seen is None else seen)
        return present, self.genotype_probabilities(present)


@dataclass(frozen=True, eq=False)
class Forest(ArrayValue, Conjunction):
    """A progression in which each event follows one parent, or the root.

    Once its parent has occurred, an event occurs with its own probability, independently of all
    others; before, it cannot (Definition 1 of the paper).

    Parameters
    ----------
    events
        Distinct names.
    parents
        For each event the position of its parent, or ``ROOT`` (-1).
    probabilities
        For each event its probability given that its parent has occurred.

    Examples
    --------
    >>> forest = Forest(("a", "b", "c"), parents=(ROOT, 0, 0), probabilities=(0.8, 0.5, 0.25))
    >>> forest.edges
    (('a', 'b'), ('a', 'c'))
    >>> forest.marginals()
    array([0.8, 0.4, 0.2])
    >>> forest.genotype_probabilities([[0, 0, 0], [1, 1, 0], [0, 1, 0]])
    array([0.2, 0.3, 0. ])
    >>> forest.next_rates(np.array([[False, False, False], [True, True, False]])).round(2)
    array([[4.  , 0.  , 0.  ],
           [0.  , 0.  , 0.33]])
    """

    events: tuple[str, ...]
    parents: IntArray
    probabilities: FloatArray

    def __post_init__(self) -> None:
        check_events(self)
        check_forest_parents(self)
        check_numbers(self, "probabilities")
        self._check_cycles()

    def __repr__(self) -> str:
        return (
            f"Forest(events={self.events!r}, parents={tuple(self.parents.tolist())!r}, "
            f"probabilities={tuple(self.probabilities.tolist())!r})"
        )

    def all_parents(self) -> list[tuple[int, ...]]:
        """Return the position of the parent of each event; none under the root."""
        return [() if parent == ROOT else (parent,) for parent in self.parents.tolist()]

    def marginals(self) -> FloatArray:
        """Probability of each event."""
        marginal = self.probabilities.copy()
        for event in self.order:
            parent = self.parents[event]
            if parent != ROOT:
                marginal[event] = marginal[parent] * self.probabilities[event]
        return marginal

    def pair_probabilities(self) -> FloatArray:
        """Probability that both events occur, for every pair; of the event itself on the diagonal.

        Exact where it matters: an event and its ancestor occur together just as often as the
        event alone, and two events with only the root in common are independent to the last bit.

        Examples
        --------
        >>> Forest(("a", "b"), (ROOT, 0), (0.5, 0.5)).pair_probabilities()
        array([[0.5 , 0.25],
               [0.25, 0.25]])
        """
        marginal = self.marginals()
        met = self._last_common_ancestors()
        at = np.arange(len(self.events))
        above = np.where((met == ROOT) | (marginal[met] == 0), 1.0, marginal[met])
        rarer, other = np.minimum.outer(marginal, marginal), np.maximum.outer(marginal, marginal)
        apart = other * (rarer / above)  # in this order nothing underflows far from the root
        return np.where(met == at[:, None], marginal, np.where(met == at, marginal[:, None], apart))

    def without_errors(self) -> "NoisyForest":
        """Return the forest as a model of what is observed without errors."""
        return NoisyForest(self, Noise())

    def generator(self) -> tuple[Any, ...]:
        """Return what the compiled generator of samples takes."""
        return self.without_errors().generator()

    def reached(self, genotypes: BoolArray) -> BoolArray:
        """Whether the parent of each event is there, in each genotype."""
        return np.where(self.parents == ROOT, True, genotypes[..., self.parents])

    def _last_common_ancestors(self) -> IntArray:
        met = np.full((len(self.events), len(self.events)), ROOT)
        done: list[int] = []
        for event in self.order.tolist():
            parent = self.parents[event]
            if parent != ROOT:
                met[event, done] = met[done, event] = met[parent, done]
            met[event, event] = event
            done.append(event)
        return met


@dataclass(frozen=True)
class NoisyForest(Noisy):
    """A forest whose genotypes are observed with false positives and false negatives.

    Everything is exact, and linear in events for each sample; unknown entries are summed over.

    Parameters
    ----------
    forest
        The progression the hidden genotypes are drawn from.
    noise
        How often what is seen is wrong.

    Examples
    --------
    >>> chain = NoisyForest(Forest(("a", "b"), (ROOT, 0), (0.5, 0.5)), Noise(0.1, 0.1))
    >>> data = Dataset.from_rows([[0, 1], [1, 0]], events="ab")
    >>> chain.probabilities(data).round(4)
    array([0.07, 0.27])
    >>> chain.event_probabilities(data).round(2)
    array([[0.36, 0.32],
           [0.83, 0.08]])
    """

    forest: Forest
    noise: Noise

    def log_probabilities(self, data: Dataset) -> FloatArray:
        """Return the log-probability to observe each sample; unknown entries are summed over."""
        return self._rows(forest_likelihood.log_probabilities, data)

    def probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability to observe each sample; unknown entries are summed over."""
        return exp(self.log_probabilities(data))

    def event_probabilities(self, data: Dataset) -> FloatArray:
        """Return how probably each event is truly there, samples x events as in the data."""
        found: FloatArray = self._rows(forest_posteriors.event_probabilities, data)
        return as_in(data, self.events, found)

    def likeliest_genotypes(self, data: Dataset) -> BoolArray:
        """Return the likeliest true genotypes, as in the data; absent if that is as probable."""
        truth: BoolArray = self._rows(forest_posteriors.likeliest_genotypes, data)
        return as_in(data, self.events, truth)

    def count_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability that 0, 1, ... events are truly there, for each sample."""
        return self._rows(forest_posteriors.count_probabilities, data)

    def next_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability that each event is the next one: an exact integral over time."""
        rates = self.forest.edge_rates()
        more = (rates, *integration_times(rates))
        found: FloatArray = self._rows(forest_posteriors.next_probabilities, data, *more)
        return as_in(data, self.events, found)

    def waiting_medians(self, data: Dataset) -> FloatArray:
        """Return the median time until each event comes, the same wherever it may come next."""
        columns = in_order_of(self.events, data)
        there = np.column_stack([self.event_probabilities(columns), np.ones(len(data.samples))])
        may_come = there[:, self.forest.parents] > there[:, :-1]  # the root is the last column
        with np.errstate(divide="ignore"):
            medians = np.log(2) / self.forest.edge_rates()
        return as_in(data, self.events, np.where(may_come, medians, np.nan))

    def generator(self) -> tuple[Any, ...]:
        """Return what the compiled generator of samples takes."""
        forest, noise = self.forest, self.noise
        names = sealed(by_name(forest.events))
        rates = float(noise.false_positive), float(noise.false_negative)
        return forest.parents, forest.order, names, forest.probabilities, *rates

    def _rows(self, work: Any, data: Dataset, *more: FloatArray) -> NDArray[Any]:
        codes = observation_codes(self.events, data)
        model = log_parameters(self.forest, self.noise)
        parts = over_spans(
            lambda start, stop: work(codes[start:stop], model, *more),
            len(codes),
            least=_ENTRIES // codes.shape[1],
        )
        return np.concatenate(parts)


def check_forest_parents(forest: Any) -> None:
    """Make the parents of a frozen forest read-only: one position or the root for each event."""
    parents, n = np.asarray(forest.parents), len(forest.events)
    if parents.shape != (n,):
        raise ModelError(f"parents must be one per event, {n}, got {parents.size}")
    if parents.dtype.kind not in "iu":
        raise ModelError(f"parents must be positions of events or {ROOT}, got {parents.dtype}")
    for event in np.flatnonzero((parents < ROOT) | (parents >= n)):
        raise ModelError(
            f"the parent of {forest.events[event]!r} must be an event or the root, "
            f"got {parents[event]}"
        )
    object.__setattr__(forest, "parents", frozen(parents, np.int64))


def log_parameters(forest: Forest, noise: Noise) -> forest_likelihood.Model:
    """Return a forest with errors as the kernels take it."""
    seen = log(
        [
            [1 - noise.false_positive, noise.false_positive, 1],
            [noise.false_negative, 1 - noise.false_negative, 1],
        ]
    )
    p, q = log(forest.probabilities), log1p(-forest.probabilities)
    return forest.order, forest.parents, p, q, seen


def integration_times(rates: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return times and weights that integrate sums of r exp(-R t) over all t, to about 1e-11.

    R may be any sum of these rates. Equal steps in the logarithm of time converge faster than any
    power of the step; what comes before the first time is a geometric series.
    """
    positive = rates[rates > 0]
    if not positive.size:
        return np.zeros(0), np.zeros(0)
    first, last = log([_NEGLIGIBLE / positive.sum(), _DECAYED / positive.min()])
    times = exp(np.arange(first, last + _STEP, _STEP))
    steps = _STEP * times
    steps[0] /= -expm1(-_STEP)
    return times, steps
