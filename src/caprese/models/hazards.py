"""Hazards: events that speed each other up and slow each other down; a mutual hazard network."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, IntArray, frozen, sealed
from caprese._core.checks import whole
from caprese._core.names import places
from caprese._core.words import number_of, visible
from caprese.data.dataset import Dataset
from caprese.errors import ModelError, Remedy
from caprese.kernels import hazards
from caprese.kernels.functions import exp, log, product
from caprese.models.base import asked_pairs, check_events, observation_codes
from caprese.models.blur import Blur, kinds
from caprese.models.dense import drawn_chances, drawn_orders, drawn_states
from caprese.models.noise import Noise
from caprese.models.noisy import Noisy, SeenWithoutErrors
from caprese.models.states import Codes, all_unknown, as_sets, check_lattice, completions

MOST_IN_SAMPLE = 22  # events, present or unknown, of which all subsets are held in memory
_BYTES = 16  # for each subset while slopes are computed
_NONE = 0.01  # logarithm up to which an effect counts as none: a penalty makes it small, not 0

Pairs = tuple[IntArray, IntArray, IntArray, FloatArray]
Lattices = tuple[IntArray, IntArray, IntArray, IntArray, IntArray, *Pairs]
"""Sub-lattices, their observations and what was seen of their orders, as the kernels take them."""

NO_PAIRS, NO_CONFIDENCE = np.empty((0, 3), np.int64), np.empty(0)


@dataclass(frozen=True, eq=False)
class Hazards(ArrayValue, SeenWithoutErrors):
    """A mutual hazard network: each event changes the rates of all others by a factor.

    A sample starts without events. Event j occurs at its base rate times the effects of all events
    that are there already. The sample is taken at rate 1, times the observation effects of what is
    there, and shows what has occurred by then, without errors.

    Time is counted in the mean time at which a sample without events is taken. Data does not show
    how long anything takes: only rates relative to the rate of observation have a likelihood.

    Parameters
    ----------
    events
        Distinct names.
    rates
        The base rate of each event, positive.
    effects
        The factor by which event i (row) changes the rate of event j (column), positive; above 1 it
        speeds it up, below 1 it slows it down. 1 on the diagonal.
    observation
        The factor by which each event changes the rate at which samples are taken; by default 1,
        the classical model.

    Examples
    --------
    >>> model = Hazards(("a", "b"), rates=(1.0, 0.5), effects=((1.0, 4.0), (1.0, 1.0)))
    >>> data = Dataset.from_rows([[0, 0], [1, 0], [0, 1], [1, 1], [1, None]], events="ab")
    >>> np.exp(model.log_probabilities(data)).round(3)
    array([0.4  , 0.133, 0.1  , 0.367, 0.5  ])
    >>> model.next_rates(np.array([[False, False], [True, False]]))
    array([[1. , 0.5],
           [0. , 2. ]])

    References
    ----------
    Schill et al. (2020), Bioinformatics 36:241-249. Schill et al. (2024), RECOMB, Lecture Notes in
    Computer Science 14758:217-234, for the effects on observation.
    """

    events: tuple[str, ...]
    rates: FloatArray
    effects: FloatArray
    observation: FloatArray = field(default_factory=lambda: np.empty(0))

    def __post_init__(self) -> None:
        check_events(self)
        n = len(self.events)
        observation = self.observation if np.size(self.observation) else np.ones(n)
        for name, given, shape, rule in (
            ("rates", self.rates, (n,), "one per event"),
            ("effects", self.effects, (n, n), "events x events"),
            ("observation", observation, (n,), "one per event"),
        ):
            numbers = np.asarray(given, dtype=np.float64)
            if numbers.shape != shape:
                raise ModelError(f"{name} must be {rule}, {shape}, got shape {numbers.shape}")
            if not (np.isfinite(numbers) & (numbers > 0)).all():
                raise ModelError(f"{name} must be positive and finite")
            object.__setattr__(self, name, frozen(numbers))
        if (self.effects.diagonal() != 1).any():
            raise ModelError("effects must be 1 on the diagonal: no event acts on itself")

    @classmethod
    def from_log_theta(cls, events: tuple[str, ...], log_theta: ArrayLike) -> Self:
        """Return the model of a matrix as the package mhn has it.

        Logarithms: in row i and column j the effect of event j on event i, the base rates on the
        diagonal; a last row, if there is one, has the effects on the rate of observation.

        Examples
        --------
        >>> model = Hazards.from_log_theta(("a", "b"), [[0.0, 0.0], [1.0, -1.0]])
        >>> model.effects.round(2)  # a speeds b up
        array([[1.  , 2.72],
               [1.  , 1.  ]])
        """
        matrix = np.array(log_theta, dtype=np.float64)
        n = len(events)
        if matrix.shape not in ((n, n), (n + 1, n)):
            rule = f"{n} x {n}, or {n + 1} x {n} with effects on observation"
            raise ModelError(f"log_theta must be {rule}, got shape {matrix.shape}")
        effects = exp(matrix[:n].T)
        np.fill_diagonal(effects, 1.0)
        return cls(events, exp(matrix[:n].diagonal()), effects, exp(matrix[n:]).ravel())

    def log_theta(self) -> FloatArray:
        """Return the matrix of `from_log_theta`, with a row of observation if it is not zero."""
        matrix = log(self.effects.T)
        np.fill_diagonal(matrix, log(self.rates))
        if (self.observation == 1).all():
            return np.asarray(matrix)
        return np.vstack([matrix, log(self.observation)])

    def number_of_effects(self) -> int:
        """Return how many effects change a rate by more than 1 %."""
        factors = np.concatenate([self.effects.ravel(), self.observation])
        return int((np.abs(log(factors)) > _NONE).sum())

    def in_order(self, events: tuple[str, ...]) -> "Hazards":
        """Return the model with its events in another order."""
        order = places(self.events, events, "model and order")
        effects = self.effects[np.ix_(order, order)]
        return Hazards(events, self.rates[order], effects, self.observation[order])

    def parameters(self) -> dict[str, FloatArray]:
        """Return the numbers of the model that belong to each event, by name."""
        biased = {} if (self.observation == 1).all() else {"observation": self.observation}
        return {"base rate": self.rates, **biased}

    def log_probabilities(self, data: Dataset) -> FloatArray:
        """Return the log-probability of each sample; unknown entries are summed over.

        A sample with k events, present or unknown, takes 2 to the power of k steps, up to 22
        events; beyond, it is estimated: see `log_probability_errors`.
        """
        codes = observation_codes(self.events, data)
        distinct, which = np.unique(codes, axis=0, return_inverse=True)
        dense, likely = is_dense(distinct), np.empty(len(distinct))
        lattices, order = sub_lattices(distinct[~dense])
        exact = hazards.chances(self.rates, self._relative, *lattices)
        likely[np.flatnonzero(~dense)[order]] = exact
        likely[dense] = self._drawn_chances(distinct[dense]).mean(axis=0)
        return log(likely)[which.ravel()]

    def log_probability_errors(self, data: Dataset) -> FloatArray:
        """Return the standard error of the log-probability of each sample, by four draws.

        0 for samples of up to 22 events that are present or unknown, which are exact. In others,
        up to 2,048 sets of events of each size are drawn, so that the probability is right in the
        mean; the draws follow from model and sample, and are the same each time.

        Examples
        --------
        >>> names = tuple(f"e{k}" for k in range(30))
        >>> model = Hazards(names, np.linspace(0.5, 2, 30), np.exp(np.eye(30, k=1)))
        >>> data = Dataset.from_rows([[1] * 30, [1] * 5 + [0] * 25], events=names)
        >>> model.log_probabilities(data).round(1)
        array([ -2.3, -17.4])
        >>> model.log_probability_errors(data) < 0.05
        array([ True,  True])
        """
        codes = observation_codes(self.events, data)
        errors, dense = np.zeros(len(codes)), is_dense(codes)
        distinct, which = np.unique(codes[dense], axis=0, return_inverse=True)
        chances = self._drawn_chances(distinct)
        error = chances.std(axis=0, ddof=1) / chances.mean(axis=0) / np.sqrt(len(chances))
        errors[dense] = error[which.ravel()]
        return errors

    def dense_error(self, data: Dataset) -> tuple[int, float]:
        """Return how many samples are estimated, and the root mean square of their errors."""
        dense = is_dense(observation_codes(self.events, data))
        if not dense.any():
            return 0, 0.0
        errors = self.log_probability_errors(data)[dense]
        return int(dense.sum()), float(np.sqrt(np.mean(errors**2)))

    def _drawn_chances(self, codes: Codes) -> FloatArray:
        """Return the probability of each sample by several draws, draws x samples."""
        return drawn_chances(*self._in_own_order(codes))

    def _in_own_order(self, codes: Codes) -> tuple[FloatArray, FloatArray, Codes]:
        """Return rates, relative effects and what was seen, with events in their own order."""
        order = self._own_order
        effects = np.ascontiguousarray(self._relative[np.ix_(order, order)])
        return self.rates[order], effects, codes[..., order]

    @cached_property
    def _own_order(self) -> IntArray:
        """An order of the events that does not depend on that of the columns, unless they tie."""
        effects = self._relative
        keys = (effects.min(axis=1), effects.max(axis=1), effects.max(axis=0), self.rates)
        return np.lexsort(keys)

    def order_probabilities(self, data: Dataset, pairs: IntArray) -> FloatArray:
        """Return how probably the first event of each pair came before the second.

        Over all paths to what the sample carries; unknown entries are summed over. A sample with k
        events, present or unknown, takes 2 to the power of k steps, up to 22 events; beyond, the
        paths are those of one draw: see `log_probability_errors`.

        Parameters
        ----------
        pairs
            Rows of positions in the data: sample, event, event, both present in the sample.

        Examples
        --------
        >>> model = Hazards(("a", "b"), rates=(1.0, 0.5), effects=((1.0, 4.0), (1.0, 1.0)))
        >>> data = Dataset.from_rows([[1, 1]], events="ab")
        >>> model.order_probabilities(data, np.array([[0, 0, 1], [0, 1, 0]])).round(3)
        array([0.727, 0.273])
        """
        asked = asked_pairs(self.events, data, pairs)
        codes, found = observation_codes(self.events, data), np.empty(asked.shape[1])
        dense = is_dense(codes)[asked[0]]
        found[~dense] = self._exact_orders(codes, asked[:, ~dense])
        found[dense] = self._drawn_orders(codes, asked[:, dense])
        return found

    def _exact_orders(self, codes: Codes, asked: IntArray) -> FloatArray:
        """Return how probably pairs were in order, each a column of sample, event and event."""
        rows, which = np.unique(asked[0], return_inverse=True)
        distinct, kind = np.unique(codes[rows], axis=0, return_inverse=True)
        each = np.column_stack([kind.ravel()[which], *asked[1:]])
        once, back = np.unique(each, axis=0, return_inverse=True)
        members, starts, present, free, _, *places, _ = own_lattices(distinct, once, np.empty(0))
        rates, effects = self.rates, self._relative
        found = hazards.order_probabilities(rates, effects, members, starts, present, free, *places)
        return np.asarray(found[back.ravel()])

    def _drawn_orders(self, codes: Codes, asked: IntArray) -> FloatArray:
        """Return what `_exact_orders` does, for dense samples."""
        place, (samples, first, second) = np.argsort(self._own_order), asked
        found = np.empty(len(samples))
        for sample in np.unique(samples):
            own = samples == sample
            shares = drawn_orders(*self._in_own_order(codes[sample]))
            found[own] = shares[place[first[own]], place[second[own]]]
        return found

    def sample(self, samples: int, rng: np.random.Generator) -> Dataset:
        """Draw samples; the same stream gives the same data whatever the order of the events."""
        return self.trajectories(samples, rng).data

    def trajectories(self, samples: int, rng: np.random.Generator) -> "Trajectories":
        """Draw samples with the time at which each event occurred, by Gillespie's algorithm.

        Examples
        --------
        >>> model = Hazards(("a", "b"), rates=(1.0, 0.5), effects=((1.0, 4.0), (1.0, 1.0)))
        >>> drawn = model.trajectories(3, np.random.default_rng(1))
        >>> drawn.orders()
        (('a', 'b'), ('b',), ())
        """
        whole("samples", samples)
        named = self.in_order(tuple(sorted(self.events)))
        n = len(self.events)
        present, times = np.zeros((samples, n), dtype=bool), np.full((samples, n), np.nan)
        clock, left = np.zeros(samples), np.arange(samples)
        while left.size:
            here = present[left]
            taken = exp(product(here, log(named.observation)))[:, None]
            reached = np.hstack([taken * named.next_rates(here), taken]).cumsum(axis=1)
            total = reached[:, -1]
            clock[left] += rng.exponential(size=left.size) / total
            drawn = rng.random(left.size) * total
            chosen = np.minimum((drawn[:, None] >= reached).sum(axis=1), n)
            left, chosen = left[chosen < n], chosen[chosen < n]
            present[left, chosen] = True
            times[left, chosen] = clock[left]
        back = [named.events.index(event) for event in self.events]
        return Trajectories(self.events, times[:, back], clock)

    def next_rates(self, genotypes: BoolArray) -> FloatArray:
        """Return the rate at which each event comes next in each genotype; 0 where it is there.

        Relative to the rate of observation in the same genotype: time is counted in the mean time
        until a sample with these events is taken.
        """
        present = np.asarray(genotypes, dtype=bool)
        logs = log(self.rates) + product(present, log(self._relative))
        return np.where(present, 0.0, exp(logs))

    @cached_property
    def _relative(self) -> FloatArray:
        """Effects relative to those on observation: all that samples depend on."""
        return np.asarray(self.effects / self.observation[:, None])

    def states(self, seen: Codes | None = None) -> tuple[BoolArray, FloatArray]:
        """Return every genotype that agrees with what was seen, and its probability."""
        if seen is None:
            seen = all_unknown(len(self.events))
            check_sub_lattices(seen[None])
        if is_dense(seen[None]).item():
            return self._drawn_states(seen)
        genotypes = completions(seen)
        inside = np.concatenate([np.flatnonzero(seen == 2), np.flatnonzero(seen == 1)])
        likely = hazards.probabilities(self.rates, self._relative, inside)
        return genotypes, np.asarray(likely[-len(genotypes) :])

    def _drawn_states(self, seen: Codes) -> tuple[BoolArray, FloatArray]:
        """Return drawn genotypes that agree with what was seen, and their probabilities."""
        lattice, likely = drawn_states(*self._in_own_order(seen))
        return lattice.genotypes()[:, np.argsort(self._own_order)], likely


@dataclass(frozen=True)
class NoisyHazards(Noisy):
    """A mutual hazard network, observed with errors: up to 20 events.

    Parameters
    ----------
    hazards
        The network that the true genotypes are drawn from.
    noise
        How often an absent event is seen, and a present one missed.

    Examples
    --------
    >>> truth = Hazards(("a", "b"), rates=(1.0, 0.5), effects=((1.0, 4.0), (1.0, 1.0)))
    >>> data = Dataset.from_rows([[0, 0], [0, 1], [1, 1], [1, None]], events="ab")
    >>> NoisyHazards(truth, Noise(0.01, 0.1)).probabilities(data).round(3)
    array([0.419, 0.126, 0.299, 0.455])
    """

    hazards: Hazards
    noise: Noise

    def __post_init__(self) -> None:
        super().__post_init__()
        check_lattice(len(self.hazards.events))

    def probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability to observe each sample; unknown entries are summed over."""
        codes = observation_codes(self.events, data)
        _, likely = self.hazards.states()
        return Blur(self.noise, tuple(kinds(codes))).observed(likely)


@dataclass(frozen=True, eq=False)
class Trajectories(ArrayValue):
    """Simulated histories of samples.

    Parameters
    ----------
    events
        Names of the events.
    times
        Samples x events: when each event occurred; NaN if it had not by the time of observation.
    observed
        When each sample was taken.
    """

    events: tuple[str, ...]
    times: FloatArray
    observed: FloatArray

    @property
    def data(self) -> Dataset:
        """What is seen of the samples."""
        return Dataset(sealed(~np.isnan(self.times)), self.events)

    def orders(self) -> tuple[tuple[str, ...], ...]:
        """Return the events of each sample in the order in which they occurred."""
        return tuple(
            tuple(self.events[k] for k in np.argsort(row)[: np.isfinite(row).sum()])
            for row in self.times
        )


def is_dense(codes: Codes) -> BoolArray:
    """Return which samples have more events, present or unknown, than all subsets of are held."""
    return np.asarray((codes > 0).sum(axis=1) > MOST_IN_SAMPLE)


def check_sub_lattices(codes: Codes, samples: tuple[str, ...] = ()) -> None:
    """Refuse a sample with more events than fit in memory, and say how much it would take."""
    inside = (codes > 0).sum(axis=1)
    most = int(inside.max(initial=0))
    if most > MOST_IN_SAMPLE:
        worst = int(inside.argmax())
        unknown = int((codes[worst] == 2).sum())
        sample = f"sample {visible(samples[worst])!r}" if samples else "a sample"
        carried = f"carries {number_of(most - unknown, 'event')}"
        if unknown:
            carried += f" and has {unknown} unknown, together {most}"
        raise ModelError(
            f"{sample} {carried}: a mutual hazard network needs 2^{most} states for it, which take "
            f"{_BYTES * 2.0**most / 2**30:,.3g} GiB; the most is {MOST_IN_SAMPLE} events",
            remedy=Remedy("top", MOST_IN_SAMPLE, f"keeps the {MOST_IN_SAMPLE} most frequent ones"),
        )


def sub_lattices(
    codes: Codes, pairs: IntArray = NO_PAIRS, confidence: FloatArray = NO_CONFIDENCE
) -> tuple[Lattices, IntArray]:
    """Return few sub-lattices that contain all observations, and the observations in their order.

    The probability of a sample is that of a subset in the lattice of any sample with more events.
    So only the largest sets have a lattice of their own; or one lattice of all events serves all,
    if that takes fewer states.

    Parameters
    ----------
    pairs
        What was seen of orders: rows of observation, earlier and later event.
    confidence
        Of each pair.
    """
    lattices, home = _cover(codes > 0)
    order = np.argsort(home, kind="stable")
    present, free = np.empty((2, len(codes)), dtype=np.int64)
    for place, lattice in enumerate(lattices):
        own = np.flatnonzero(home[order] == place)
        seen = codes[np.ix_(order[own], np.flatnonzero(lattice))]
        present[own], free[own] = as_sets(seen == 1), as_sets(seen == 2)
    starts = np.concatenate([[0], lattices.sum(axis=1).cumsum()])
    firsts = np.searchsorted(home[order], np.arange(len(lattices) + 1))
    members, position = np.nonzero(lattices)[1], lattices.cumsum(axis=1) - 1
    observation, earlier, later = pairs.T
    rank = np.argsort(order)[observation]
    by_rank, at = np.argsort(rank, kind="stable"), home[observation]
    orders = (
        np.searchsorted(rank[by_rank], np.arange(len(codes) + 1)),
        position[at, earlier][by_rank],
        position[at, later][by_rank],
        confidence[by_rank],
    )
    return (members, starts, present, free, firsts.astype(np.int64), *orders), order


def own_lattices(codes: Codes, pairs: IntArray, confidence: FloatArray) -> Lattices:
    """Return a sub-lattice of its own for each observation, with pairs of its events.

    Parameters
    ----------
    pairs
        Rows of observation, earlier and later event, sorted by observation.
    confidence
        Of each pair.
    """
    inside, each = codes > 0, np.arange(len(codes) + 1)
    place = inside.cumsum(axis=1) - 1
    bits = np.where(inside, 1 << np.maximum(place, 0), 0)
    observation, earlier, later = pairs.T
    return (
        np.nonzero(inside)[1],
        np.concatenate([[0], inside.sum(axis=1).cumsum()]),
        (bits * (codes == 1)).sum(axis=1),
        (bits * (codes == 2)).sum(axis=1),
        each,
        np.searchsorted(observation, each).astype(np.int64),
        place[observation, earlier],
        place[observation, later],
        confidence,
    )


def _cover(inside: BoolArray) -> tuple[BoolArray, IntArray]:
    """Return sets of events that contain all given ones, and the one that each is in."""
    together = np.asarray(inside.any(axis=0))[None]
    largest: list[int] = []
    home = np.empty(len(inside), dtype=np.int64)
    outside = np.empty_like(inside)  # of the largest sets
    for row in np.argsort(-inside.sum(axis=1), kind="stable").tolist():
        misfits = outside[: len(largest), inside[row]].any(axis=1)
        home[row] = len(largest) if misfits.all() else int(misfits.argmin())
        if home[row] == len(largest):
            outside[len(largest)] = ~inside[row]
            largest.append(row)
    sets = inside[largest]
    one = int(together.sum())
    if one <= MOST_IN_SAMPLE and 2.0**one <= (2.0 ** sets.sum(axis=1)).sum():
        return together, np.zeros_like(home)
    return sets, home
