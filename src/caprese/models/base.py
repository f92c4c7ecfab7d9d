"""What models have in common: a distribution over what is observed, and often an order of events.

Nothing outside `models` and `fitting` asks which model it has. Code that needs more than a `Model`
asks for one of the protocols below, which declare what only some models can do.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, IntArray, frozen, sealed
from caprese._core.names import distinct_names, places
from caprese.data.dataset import Dataset
from caprese.data.patterns import Pattern
from caprese.errors import ModelError, ParameterError

T = TypeVar("T", bound=np.generic)

_SHORTEST = 1e-9  # mean time that an event takes which always occurs


class Named(Protocol):
    """What has events."""

    @property
    def events(self) -> tuple[str, ...]:
        """Distinct names."""


@runtime_checkable
class Order(Named, Protocol):
    """An order of events: which of them are parents of which. It can be drawn as a graph."""

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """Pairs of parent and child by name."""

    def adjacency(self) -> BoolArray:
        """Whether i is a parent of j, for every pair i, j."""

    def ancestors(self) -> BoolArray:
        """Whether i comes before j, for every pair i, j."""


@runtime_checkable
class PatternedOrder(Order, Protocol):
    """An order in which patterns of events can be parents too.

    Its edges and its adjacency lead from the events of a pattern to the child. What several parents
    do together is a table: none of them need be there.
    """

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns that are parents."""

    @property
    def pattern_edges(self) -> tuple[tuple[str, str], ...]:
        """Pairs of pattern and child by name."""

    def direct_adjacency(self) -> BoolArray:
        """Whether i by itself is a parent of j, for every pair i, j."""


class Sampled(Named, Protocol):
    """What samples can be drawn from."""

    def sample(self, samples: int, rng: np.random.Generator) -> Dataset:
        """Draw samples; the same stream gives the same data whatever the order of the events."""


@runtime_checkable
class Model(Sampled, Protocol):
    """A distribution over what is observed of a sample."""

    def log_probabilities(self, data: Dataset) -> FloatArray:
        """Return the log-probability of each sample; unknown entries are summed over."""

    def event_probabilities(self, data: Dataset) -> FloatArray:
        """Return how probably each event is truly there, given all seen; samples x events."""


@runtime_checkable
class PlacingModel(Model, Protocol):
    """A model that says where a sample stands: what is truly there, and what may come next.

    Time is counted in the mean time at which samples are taken: the rate of observation is 1.
    """

    def next_rates(self, genotypes: BoolArray) -> FloatArray:
        """Return the rate at which each event comes next in each true genotype.

        Events in the order of the model; 0 for one that is there already or cannot come yet.
        """

    def likeliest_genotypes(self, data: Dataset) -> BoolArray:
        """Return the most probable true genotype of each sample, samples x events as in the data.

        Of equally probable ones, one with the fewest events.
        """

    def count_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability that so many events are truly there, samples x 0 to all events."""

    def next_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability that each event is the next one, samples x events as in the data.

        Each true genotype counts by its probability given all seen of the sample, and gives each
        event its rate over the sum of all rates. A row sums to less than 1 where nothing may be
        left to come.
        """

    def waiting_medians(self, data: Dataset) -> FloatArray:
        """Return the median time until each event comes, samples x events as in the data.

        If nothing else came before it, over all true genotypes in which it may come next; NaN
        where it may in none.
        """


@runtime_checkable
class UntimedModel(Protocol):
    """A model that may have no clock: probabilities of events, and nothing of how fast they come.

    The rates that it states are those of each event by itself. They do not compete for the time
    until a sample is taken, so that they do not say which event comes next.
    """

    @property
    def untimed(self) -> bool:
        """Whether it has none."""


@runtime_checkable
class RatedModel(Named, Protocol):
    """A model of true genotypes that says how fast each event comes next."""

    def next_rates(self, genotypes: BoolArray) -> FloatArray:
        """Return the rate at which each event comes next in each genotype; see `PlacingModel`."""


@runtime_checkable
class BlockableModel(Named, Protocol):
    """A model of true genotypes that can be had without some of its events, all else unchanged."""

    def blocked(self, events: BoolArray) -> PlacingModel:
        """Return the same model in which these events do not occur."""


@runtime_checkable
class OrderingModel(Model, Protocol):
    """A model that says which of two events of a sample came first."""

    def order_probabilities(self, data: Dataset, pairs: IntArray) -> FloatArray:
        """Return how probably the first event of each pair came before the second.

        Pairs are rows of positions in the data: sample, event, event, both present in the sample.
        1/2 where the model leaves it open.
        """


@runtime_checkable
class AncestralModel(Named, Protocol):
    """A model that averages over orders of events."""

    @property
    def draws(self) -> int:
        """Over how many it averages."""

    def ancestor_probabilities(self) -> FloatArray:
        """Return the share of them in which i comes before j, for every pair i, j."""


@runtime_checkable
class HiddenModel(Protocol):
    """A model of what is observed of another one."""

    @property
    def truth(self) -> Any:
        """The model that true genotypes are drawn from."""


@runtime_checkable
class MixedModel(Named, Protocol):
    """A model that mixes several others by weights of its own."""

    @property
    def models(self) -> tuple[Model, ...]:
        """The models that are mixed."""

    @property
    def weights(self) -> FloatArray:
        """The weight of each, summing to 1."""

    def with_errors(self) -> PlacingModel:
        """Return the mixture of those that allow for errors; of all if none does."""


@runtime_checkable
class AveragedModel(Protocol):
    """A model that averages over others, each with a share that depends on the sample."""

    def parts(self, data: Dataset) -> Iterator[tuple[PlacingModel, FloatArray]]:
        """Yield each of them, and how much it counts for each sample; shares sum to 1."""


@runtime_checkable
class GroupedModel(Protocol):
    """A model in which each sample belongs to one of several groups."""

    def group_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability of each group, samples x groups."""


@runtime_checkable
class EventNumbers(Protocol):
    """What has numbers that belong to each event."""

    def parameters(self) -> dict[str, FloatArray]:
        """Return the numbers of the model that belong to each event, by name."""


@runtime_checkable
class OrderedModel(Order, Model, EventNumbers, Protocol):
    """A model with an order, and with numbers that belong to each event."""


@runtime_checkable
class Effects(Named, Protocol):
    """Effects of events on each other: factors by which each changes the rates of others."""

    @property
    def rates(self) -> FloatArray:
        """The rate of each event while no other is there."""

    @property
    def effects(self) -> FloatArray:
        """The factor by which event i (row) changes the rate of event j (column)."""

    @property
    def observation(self) -> FloatArray:
        """The factor by which each event changes the rate at which samples are taken."""


@runtime_checkable
class EffectsModel(Effects, Model, Protocol):
    """A model without edges, in which every event changes the rates of all others by factors."""


def has_clock(model: Any) -> bool:
    """Whether a model says which event comes next, by rates that compete with each other."""
    untimed = isinstance(model, UntimedModel) and model.untimed
    return isinstance(model, PlacingModel) and not untimed


def numbers_of(model: Model | Order) -> dict[str, FloatArray]:
    """Return the numbers of a model that belong to each event, by name; none if it has none."""
    return model.parameters() if isinstance(model, EventNumbers) else {}


@runtime_checkable
class CompiledSampling(Sampled, Protocol):
    """A model whose samples compiled code draws, and counts without keeping them."""

    def generator(self) -> tuple[Any, ...]:
        """Return the arguments of a kernel's `resampling.Source`."""


class ParentOrder:
    """An order that follows from the parents of each event; see `Order`."""

    events: tuple[str, ...]

    def all_parents(self) -> Sequence[tuple[int, ...]]:
        """Return the positions of the parents of each event, each once."""
        raise NotImplementedError

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """Pairs of parent and child by name; events under the root have none."""
        return tuple(
            (self.events[parent], event)
            for event, above in zip(self.events, self.all_parents(), strict=True)
            for parent in above
        )

    @cached_property
    def order(self) -> IntArray:
        """Positions of the events, all parents before their child."""
        missing = [len(above) for above in self.all_parents()]
        children: list[list[int]] = [[] for _ in missing]
        for event, above in enumerate(self.all_parents()):
            for parent in above:
                children[parent].append(event)
        order = [event for event, number in enumerate(missing) if not number]
        for done in order:  # grows while it is iterated over
            for event in children[done]:
                missing[event] -= 1
                if not missing[event]:
                    order.append(event)
        return sealed(np.array(order, dtype=np.int64))

    def adjacency(self) -> BoolArray:
        """Whether i is a parent of j, for every pair i, j; the root has neither row nor column."""
        return adjacency_of(self.all_parents())

    def ancestors(self) -> BoolArray:
        """Whether i comes before j, for every pair i, j."""
        above, parents = self.adjacency(), self.all_parents()
        for event in self.order:
            for parent in parents[event]:
                above[:, event] |= above[:, parent]
        return above

    def order_probabilities(self, data: Dataset, pairs: IntArray) -> FloatArray:
        """Return 1 for pairs in the order of the model, 0 for reversed ones, 1/2 for open ones."""
        return orders_by_ancestors(self, data, pairs)

    def reached(self, genotypes: BoolArray) -> BoolArray:
        """Whether all parents of each event are there, in each genotype."""
        there = [genotypes[..., list(above)].all(axis=-1) for above in self.all_parents()]
        return np.stack(there, axis=-1)

    def _check_cycles(self) -> None:
        stuck = sorted(set(range(len(self.events))) - set(self.order.tolist()))
        if stuck:
            names = ", ".join(repr(self.events[event]) for event in stuck)
            raise ModelError(f"the parents form a cycle among or above {names}")

    def _genotypes(self, given: ArrayLike) -> BoolArray:
        """Return genotypes of these events, one row for each or a single one."""
        entries = np.asarray(given)
        if entries.dtype != bool and not np.isin(entries, (0, 1)).all():
            raise ParameterError("genotypes", "rows of 0 and 1", given)
        present = entries.astype(bool)
        if present.shape[-1:] != (len(self.events),):
            raise ModelError(
                f"a genotype must have {len(self.events)} events, got shape {present.shape}"
            )
        return present


@dataclass(frozen=True, eq=False)
class ParentSets(ArrayValue, ParentOrder):
    """Events with sets of parents, free of cycles.

    Parameters
    ----------
    events
        Distinct names.
    parent_sets
        For each event the positions of its parents; none for an event under the root.
    """

    events: tuple[str, ...]
    parent_sets: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        check_events(self)
        n = len(self.events)
        parents = tuple(tuple(sorted({int(i) for i in above})) for above in self.parent_sets)
        if len(parents) != n:
            raise ModelError(f"parent_sets must be one set per event, {n}, got {len(parents)}")
        for event, above in zip(self.events, parents, strict=True):
            if not all(0 <= i < n for i in above):
                raise ModelError(f"parents of {event!r} must be positions of events, got {above}")
        object.__setattr__(self, "parent_sets", parents)
        self._check_cycles()

    def all_parents(self) -> tuple[tuple[int, ...], ...]:
        """Return the positions of the parents of each event."""
        return self.parent_sets


def check_events(model: Any) -> None:
    """Refuse a frozen model without events, or with events of the same name."""
    object.__setattr__(model, "events", distinct_names("event", model.events, ModelError))
    if not model.events:
        raise ModelError("a progression needs at least one event")


def check_numbers(model: Any, name: str, high: float = 1.0) -> None:
    """Make the numbers of a frozen model read-only: one from 0 to a bound for each event."""
    events, numbers = model.events, np.asarray(getattr(model, name), dtype=np.float64)
    if numbers.shape != (len(events),):
        raise ModelError(f"{name} must be one per event, {len(events)}, got {numbers.size}")
    for event in np.flatnonzero(~((numbers >= 0) & (numbers <= high))):
        bad = f"{numbers[event]} for {events[event]!r}"
        raise ModelError(f"{name} must be in [0, {high:g}], got {bad}")
    object.__setattr__(model, name, frozen(numbers))


def waiting_rates(probabilities: FloatArray) -> FloatArray:
    """Return the rates of exponential times that are over by the time of observation so probably.

    By that time, itself exponential with rate 1, an event of rate r has occurred with probability
    r / (1 + r). An event that always occurs takes a mean time of 1e-9.

    Examples
    --------
    >>> waiting_rates(np.array([0.5, 0.75]))
    array([1., 3.])
    """
    return np.asarray(probabilities / np.maximum(1 - probabilities, _SHORTEST))


def observation_codes(events: tuple[str, ...], data: Dataset) -> NDArray[np.uint8]:
    """Return what was observed of these events in each sample: 0 absent, 1 present, 2 unknown."""
    return in_order_of(events, data).codes()


def in_order_of(events: tuple[str, ...], data: Dataset) -> Dataset:
    """Return the data with its events in this order; it must have the same."""
    if data.events == events:
        return data
    places(data.events, events, "model and data")
    return data.take_events(events)


def asked_pairs(events: tuple[str, ...], data: Dataset, pairs: IntArray) -> IntArray:
    """Return samples, first and second events of pairs, the events as positions in `events`.

    Both events of a pair must be present in its sample.
    """
    own = places(events, data.events, "model and data")
    samples, first, second = np.asarray(pairs, dtype=np.int64).reshape(-1, 3).T
    if not (data.values[samples, first] & data.values[samples, second]).all():
        raise ModelError("pairs must be of events that are present in their sample")
    return np.array([samples, own[first], own[second]])


def as_in(data: Dataset, events: tuple[str, ...], columns: NDArray[T]) -> NDArray[T]:
    """Return columns that follow `events` in the order of the events of the data."""
    if data.events == events:
        return columns
    return columns[:, [events.index(event) for event in data.events]]


def orders_by_ancestors(order: Order, data: Dataset, pairs: IntArray) -> FloatArray:
    """Return 1 where the first event of a pair is an ancestor of the second, 0 the other way round.

    1/2 where neither is; pairs are those of an `OrderingModel`.
    """
    first, second = places(order.events, data.events, "model and data")[pairs[:, 1:]].T
    before = order.ancestors()
    return np.asarray((1.0 + before[first, second] - before[second, first]) / 2)


def pair_order_probabilities(model: Model | Order, data: Dataset, pairs: IntArray) -> FloatArray:
    """Return what any model says of the order of pairs of events; see `OrderingModel`.

    One that does not say it itself answers by its ancestors; without an order all pairs are open.
    """
    if isinstance(model, OrderingModel):
        return model.order_probabilities(data, pairs)
    if isinstance(model, Order):
        return orders_by_ancestors(model, data, pairs)
    places(model.events, data.events, "model and data")
    return np.full(len(pairs), 0.5)


def nodes_of(order: Order) -> tuple[tuple[str, ...], BoolArray]:
    """Return events and then patterns, and which leads to which: events to patterns to children."""
    if not isinstance(order, PatternedOrder) or not order.patterns:
        return order.events, order.adjacency()
    names = (*order.events, *(pattern.name for pattern in order.patterns))
    place = {name: position for position, name in enumerate(names)}
    n = len(order.events)
    links = np.zeros((len(names), len(names)), dtype=bool)
    links[:n, :n] = order.direct_adjacency()
    for pattern in order.patterns:
        links[[place[event] for event in pattern.formula.members], place[pattern.name]] = True
    for name, child in order.pattern_edges:
        links[place[name], place[child]] = True
    return names, links


def adjacency_of(parent_sets: Sequence[tuple[int, ...]]) -> BoolArray:
    """Return whether i is a parent of j, for every pair i, j; the opposite of `parent_sets`."""
    matrix = np.zeros((len(parent_sets), len(parent_sets)), dtype=bool)
    for event, above in enumerate(parent_sets):
        matrix[list(above), event] = True
    return matrix


def parent_sets(adjacency: BoolArray) -> tuple[tuple[int, ...], ...]:
    """Return the positions of the parents of each event.

    Examples
    --------
    >>> parent_sets(np.array([[False, True], [False, False]]))
    ((), (0,))
    """
    return tuple(tuple(np.flatnonzero(above).tolist()) for above in adjacency.T)
