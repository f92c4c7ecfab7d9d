"""Conditional tables: the probabilities of events given their parents, from counts."""

from dataclasses import dataclass, replace

import numpy as np

from caprese._core.arrays import BoolArray
from caprese.data.dataset import Dataset
from caprese.models.base import in_order_of
from caprese.models.conditional import ConditionalDag
from caprese.models.noise import Noise


@dataclass(frozen=True)
class TablesEstimate:
    """A conditional DAG with the tables of a data set.

    Parameters
    ----------
    model
        The DAG with these tables.
    log_likelihood
        Of the data.
    """

    model: ConditionalDag
    log_likelihood: float

    @property
    def noise(self) -> Noise | None:
        """None: tables that are free to take any value leave nothing for errors to explain."""
        return None

    @property
    def parameters(self) -> int:
        """How many probabilities the tables have."""
        return sum(map(len, self.model.tables))


def fit_tables(dag: ConditionalDag, data: Dataset) -> TablesEstimate:
    """Return a DAG with the probabilities that its tables have in data.

    One sample is added to each table, spread evenly over its entries, half with the event, so that
    nothing is impossible (a Dirichlet prior of weight 1, as TRONCO has it). A table rests on the
    samples in which the event and its parents are known.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 1], [1, 0], [0, 0]], events="ab")
    >>> dag = ConditionalDag(("a", "b"), ((), (0,)), ((0.5,), (0.5, 0.5)))
    >>> [[round(chance, 3) for chance in table] for table in fit_tables(dag, data).model.tables]
    [[0.625], [0.167, 0.5]]
    """
    data = in_order_of(dag.events, data)
    tables = tuple(_table(dag, event, data) for event in range(len(dag.events)))
    model = replace(dag, tables=tables)
    return TablesEstimate(model, float(model.log_probabilities(data).sum()))


def _table(dag: ConditionalDag, event: int, data: Dataset) -> tuple[float, ...]:
    known = np.ones_like(data.values) if data.known is None else data.known
    columns = [(data.values[:, parent], known[:, parent]) for parent in dag.parent_sets[event]]
    columns += [_pattern(dag, k, data.values, known) for k in dag.pattern_sets[event]]
    size = 2 ** len(columns)
    states = np.zeros(len(data.values), dtype=np.int64)
    counted = known[:, event].copy()
    for bit, (there, sure) in enumerate(columns):
        states |= there.astype(np.int64) << bit
        counted &= sure
    present = np.bincount(states[counted & data.values[:, event]], minlength=size)
    total = np.bincount(states[counted], minlength=size)
    return tuple(((present + 0.5 / size) / (total + 1 / size)).tolist())


def _pattern(
    dag: ConditionalDag, pattern: int, values: BoolArray, known: BoolArray
) -> tuple[BoolArray, BoolArray]:
    """Return in which samples a pattern of a DAG holds, and in which that is known."""
    place = {event: k for k, event in enumerate(dag.events)}
    return dag.patterns[pattern].formula.holds(
        lambda event: values[:, place[event]], lambda event: known[:, place[event]]
    )
