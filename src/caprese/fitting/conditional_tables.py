"""Conditional tables: the probabilities of events given their parents, from counts."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from caprese._core.arrays import BoolArray
from caprese.data.dataset import Dataset
from caprese.data.patterns import columns_of
from caprese.fitting.estimated import Estimate
from caprese.models.base import in_order_of
from caprese.models.conditional import ConditionalDag


def fit_tables(dag: ConditionalDag, data: Dataset) -> Estimate[ConditionalDag]:
    """Return a DAG with the probabilities that its tables have in data.

    One sample is added to each table, spread evenly over its entries, half with the event, so that
    nothing is impossible (a Dirichlet prior of weight 1, as TRONCO has it). A table rests on the
    samples in which the event and its parents are known.
    """
    model = with_tables(dag, data)
    return Estimate.of(model, data, sum(map(len, model.tables)))


def with_tables(dag: ConditionalDag, data: Dataset) -> ConditionalDag:
    """Return the DAG alone, with the probabilities of `fit_tables`."""
    data = in_order_of(dag.events, data)
    columns = columns_of(data)
    holding = [pattern.formula.holds(columns) for pattern in dag.patterns]
    tables = []
    for k, event in enumerate(dag.events):
        parents = [columns[dag.events[parent]] for parent in dag.parent_sets[k]]
        parents += [holding[pattern] for pattern in dag.pattern_sets[k]]
        tables.append(table_of(*columns[event], parents))
    return replace(dag, tables=tuple(tables))


def table_of(
    present: BoolArray, known: BoolArray, parents: Sequence[tuple[BoolArray, BoolArray]]
) -> tuple[float, ...]:
    """Return the probability of an event in every state of its parents, from samples.

    Whether each sample has the event, and whether that is known; the same of each parent.
    """
    size = 2 ** len(parents)
    states = np.zeros(len(present), dtype=np.int64)
    counted = known.copy()
    for bit, (there, sure) in enumerate(parents):
        states |= there.astype(np.int64) << bit
        counted &= sure
    carriers = np.bincount(states[counted & present], minlength=size)
    total = np.bincount(states[counted], minlength=size)
    return tuple(((carriers + 0.5 / size) / (total + 1 / size)).tolist())
