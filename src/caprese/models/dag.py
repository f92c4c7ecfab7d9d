"""DAGs: events with several parents; the same observed with errors.

ConjunctiveDag: events that wait for all of their parents. ConditionalDag: events whose probability
depends on which of their parents are there; a parent may be a pattern of events.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, sealed
from caprese._core.checks import whole
from caprese._core.names import by_name
from caprese.data.dataset import Dataset
from caprese.data.patterns import Pattern
from caprese.errors import ModelError
from caprese.kernels import lattice
from caprese.kernels.functions import log
from caprese.models.base import (
    ParentOrder,
    ParentSets,
    PlacingModel,
    adjacency_of,
    check_numbers,
    in_order_of,
    waiting_rates,
)
from caprese.models.forest import Conjunction
from caprese.models.noise import Noise
from caprese.models.noisy import Noisy, SeenWithoutErrors
from caprese.models.states import Codes, all_unknown, as_sets, check_lattice, completions, from_sets

Tables = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, eq=False)
class ConjunctiveDag(ParentSets, Conjunction):
    """A progression in which an event follows all of its parents.

    Once all its parents have occurred, an event occurs with its own probability, independently of
    all others; before, it cannot.

    Parameters
    ----------
    events, parent_sets
        As of a `Poset`.
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
        check_numbers(self, "probabilities")

    def marginals(self) -> FloatArray:
        """Probability of each event: the product over itself and all that it waits for."""
        needed = self.ancestors() | np.eye(len(self.events), dtype=bool)
        return np.asarray(np.where(needed, self.probabilities[:, None], 1.0).prod(axis=0))

    def states(self, seen: Codes | None = None) -> tuple[BoolArray, FloatArray]:
        """Return every genotype without a missing parent, or that agrees with what was seen."""
        check_lattice(len(self.events) if seen is None else int((seen == 2).sum()))
        if seen is not None:
            return super().states(seen)
        sets = np.sort(lattice.states(as_sets(self.ancestors().T)))
        present = from_sets(sets, len(self.events))
        return present, self.genotype_probabilities(present)


@dataclass(frozen=True)
class NoisyDag(Noisy):
    """A conjunctive DAG whose genotypes are observed with errors; up to 20 events.

    Parameters
    ----------
    dag, noise
        The progression the true genotypes are drawn from, and how often what is observed is wrong.

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


@dataclass(frozen=True, eq=False)
class ConditionalDag(ArrayValue, ParentOrder, SeenWithoutErrors):
    """A progression in which the probability of an event depends on its parents by a table.

    Parents are events, or patterns of events: then the events of the pattern come before the child.

    Parameters
    ----------
    events
        Distinct names.
    parent_sets
        For each event the positions of the events that are its parents.
    tables
        For each event its probability in every state of its parents, those that are patterns last:
        the first parent is bit 0 of the position in the table.
    formulas
        The patterns that are parents, each written as ``NAME = XOR(A, B)``.
    pattern_sets
        For each event the positions of the patterns that are its parents; by default none.

    Examples
    --------
    >>> dag = ConditionalDag(("a", "b", "c"), ((), (), (0, 1)), ((0.5,), (0.8,), (0, 0, 0, 0.5)))
    >>> dag.edges
    (('a', 'c'), ('b', 'c'))
    >>> data = Dataset.from_rows([[1, 1, 0], [1, None, 1]], events="abc")
    >>> np.exp(dag.log_probabilities(data))
    array([0.2, 0.2])
    """

    untimed: ClassVar[bool] = True
    events: tuple[str, ...]
    parent_sets: tuple[tuple[int, ...], ...]
    tables: Tables
    formulas: tuple[str, ...] = ()
    pattern_sets: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        direct = ParentSets(self.events, self.parent_sets)
        n = len(direct.events)
        gates = tuple(tuple(sorted(set(each))) for each in self.pattern_sets) or ((),) * n
        tables = tuple(tuple(map(float, table)) for table in self.tables)
        object.__setattr__(self, "events", direct.events)
        object.__setattr__(self, "parent_sets", direct.parent_sets)
        object.__setattr__(self, "tables", tables)
        object.__setattr__(self, "pattern_sets", gates)
        if len(gates) != n or len(tables) != n:
            raise ModelError(f"tables and pattern_sets must be one per event, {n}")
        self._check_patterns()
        for event, table in zip(self.events, tables, strict=True):
            size = 2 ** len(self.parents_of(event))
            if len(table) != size:
                raise ModelError(f"the table of {event!r} must have {size} entries")
            if not all(0 <= chance <= 1 for chance in table):
                raise ModelError(f"probabilities of {event!r} must be in [0, 1]")
        self._check_cycles()

    def _check_patterns(self) -> None:
        for pattern in self.patterns:
            for event in pattern.formula.members:
                if event not in self.events:
                    raise ModelError(f"pattern {pattern.name!r} has no event {event!r} here")
            if pattern.name in self.events:
                raise ModelError(f"pattern {pattern.name!r} has the name of an event")
        for each in self.pattern_sets:
            if not all(0 <= k < len(self.formulas) for k in each):
                raise ModelError(f"pattern_sets must be positions of patterns, got {each}")

    @cached_property
    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns that are parents."""
        try:
            return tuple(map(Pattern.parse, self.formulas))
        except ValueError as problem:
            raise ModelError(str(problem)) from None

    @property
    def pattern_edges(self) -> tuple[tuple[str, str], ...]:
        """Pairs of pattern and child by name."""
        return tuple(
            (self.patterns[k].name, event)
            for event, each in zip(self.events, self.pattern_sets, strict=True)
            for k in each
        )

    def parents_of(self, event: str) -> tuple[str, ...]:
        """Return the names of the parents of an event, in the order of its table."""
        place = self.events.index(event)
        direct = (self.events[parent] for parent in self.parent_sets[place])
        return (*direct, *(self.patterns[k].name for k in self.pattern_sets[place]))

    def all_parents(self) -> tuple[tuple[int, ...], ...]:
        """Return the positions of all events that the parents of each event are made of."""
        place = {event: k for k, event in enumerate(self.events)}
        members = [[place[event] for event in each.formula.members] for each in self.patterns]
        return tuple(
            tuple(sorted({*direct, *(member for k in gates for member in members[k])}))
            for direct, gates in zip(self.parent_sets, self.pattern_sets, strict=True)
        )

    def direct_adjacency(self) -> BoolArray:
        """Whether i by itself is a parent of j, for every pair i, j."""
        return adjacency_of(self.parent_sets)

    def parameters(self) -> dict[str, FloatArray]:
        """Return the probability of each event with all its parents, and with none."""
        without = [table[0] if len(table) > 1 else np.nan for table in self.tables]
        return {
            "with parents": np.array([table[-1] for table in self.tables]),
            "without": np.array(without),
        }

    def blocked(self, events: BoolArray) -> PlacingModel:
        """Return the same progression in which these events do not occur."""
        own = zip(self.tables, events.tolist(), strict=True)
        tables = tuple((0.0,) * len(table) if gone else table for table, gone in own)
        return replace(self, tables=tables)

    def marginals(self) -> FloatArray:
        """Probability of each event; up to 20 events."""
        present, likely = self.states()
        return np.asarray(likely @ present)

    def conditional(self, genotypes: BoolArray) -> FloatArray:
        """Return the probability of each event given its parents, genotypes x events."""
        chances = [self._chance(event, genotypes) for event in range(len(self.events))]
        return np.column_stack(chances)

    def _chance(self, event: int, genotypes: BoolArray) -> FloatArray:
        """Return the probability of an event in each genotype."""
        known = np.ones(len(genotypes), dtype=bool)
        columns = {name: (genotypes[:, k], known) for k, name in enumerate(self.events)}
        direct = genotypes[:, self.parent_sets[event]]
        gates = [self.patterns[k].formula.holds(columns)[0] for k in self.pattern_sets[event]]
        states = as_sets(np.column_stack([direct, *gates]))
        return np.asarray(self.tables[event], dtype=np.float64)[states]

    def probabilities_of(self, genotypes: BoolArray) -> FloatArray:
        """Return the probability of each whole genotype."""
        given = self.conditional(genotypes)
        return np.asarray(np.where(genotypes, given, 1 - given).prod(axis=1))

    def next_rates(self, genotypes: BoolArray) -> FloatArray:
        """Return the rate of each event, by `waiting_rates` from the probability of its table."""
        return np.where(genotypes, 0.0, waiting_rates(self.conditional(genotypes)))

    def sample(self, samples: int, rng: np.random.Generator) -> Dataset:
        """Draw samples; the same stream gives the same data whatever the order of the events."""
        whole("samples", samples)
        draws = np.empty((samples, len(self.events)))
        for event in by_name(self.events):
            draws[:, event] = rng.random(samples)
        occurs = np.zeros(draws.shape, dtype=bool)
        for event in self.order:
            occurs[:, event] = draws[:, event] < self._chance(event, occurs)
        return Dataset(sealed(occurs), self.events)

    def log_probabilities(self, data: Dataset) -> FloatArray:
        """Return the log-probability of each sample without errors; -inf where it cannot be."""
        data = in_order_of(self.events, data)
        if data.known is None:
            return log(self.probabilities_of(data.values))
        return super().log_probabilities(data)

    def states(self, seen: Codes | None = None) -> tuple[BoolArray, FloatArray]:
        """Return every genotype that agrees with what was seen, and its probability."""
        seen = all_unknown(len(self.events)) if seen is None else seen
        check_lattice(int((seen == 2).sum()))
        present = completions(seen)
        return present, self.probabilities_of(present)


@dataclass(frozen=True)
class NoisyConditionalDag(Noisy):
    """A conditional DAG whose genotypes are observed with errors; up to 20 events.

    Without errors there may be any number of events, and up to 20 unknown entries in a sample.

    Parameters
    ----------
    dag, noise
        The progression the true genotypes are drawn from, and how often what is observed is wrong.

    Examples
    --------
    >>> dag = ConditionalDag(("a", "b"), ((), (0,)), ((0.5,), (0.1, 0.8)))
    >>> data = Dataset.from_rows([[0, 1]], events="ab")
    >>> NoisyConditionalDag(dag, Noise(0.1, 0.1)).event_probabilities(data).round(2)
    array([[0.31, 0.65]])
    """

    dag: ConditionalDag
    noise: Noise
