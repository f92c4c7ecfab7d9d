"""The probabilities of a given DAG under which data is most likely.

Of a conjunctive DAG with error rates by expectation maximisation, of a conditional one by counting.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import BoolArray, FloatArray
from caprese.data.dataset import Dataset
from caprese.data.patterns import columns_of
from caprese.fitting.estimated import Estimate
from caprese.kernels.functions import log, product
from caprese.models.base import in_order_of, observation_codes
from caprese.models.dag import ConditionalDag, ConjunctiveDag, NoisyDag
from caprese.models.noise import Noise
from caprese.models.states import observation_chances

_STARTS = (Noise(0.02, 0.02), Noise(0.2, 0.02), Noise(0.02, 0.2))
_TOLERANCE = 1e-7  # the gain of log-likelihood at which an ascent ends
_LEAST = 1e-12  # a rate or probability of 0 or 1 would never change again


def fit_dag(dag: ConjunctiveDag, data: Dataset, *, steps: int = 2000) -> Estimate[NoisyDag]:
    """Return the probabilities and error rates under which the data is most likely.

    By expectation maximisation over all genotypes that the DAG allows, from three starts, as the
    likelihood may have several maxima. Up to 20 events. The probabilities of the given DAG are not
    used.
    """
    found = [_ascend(dag, data, start, steps) for start in _STARTS]
    return max(found, key=lambda estimate: estimate.log_likelihood)


def _ascend(dag: ConjunctiveDag, data: Dataset, start: Noise, steps: int) -> Estimate[NoisyDag]:
    distinct, times = data.genotypes()
    codes = observation_codes(dag.events, distinct)
    states, _ = dag.states()
    reached = dag.reached(states)
    model = NoisyDag(replace(dag, probabilities=np.full(len(dag.events), 0.5)), start)
    before, converged = -np.inf, True
    for _ in range(steps):
        _, likely = model.dag.states()
        weights = observation_chances(codes, states, model.noise) * likely
        total = weights.sum(axis=1)
        height = float(product(times, log(total)))
        if height - before < _TOLERANCE:
            break
        before = height
        given = (times / total)[:, None] * weights  # expected samples of each genotype and state
        by_state = given.sum(axis=0)
        occurs = product(by_state, states) / np.maximum(product(by_state, reached), _LEAST)
        noise = _rates(codes, given, states)
        model = NoisyDag(replace(dag, probabilities=np.clip(occurs, _LEAST, 1 - _LEAST)), noise)
    else:
        converged = False
    numbers = len(dag.events) + 2  # a probability for each event and two rates
    return Estimate(model, before, numbers, model.noise, converged)


def _rates(codes: NDArray[np.uint8], given: FloatArray, states: BoolArray) -> Noise:
    present = product(given, states)  # expected times each event is truly there, genotypes x events
    absent = given.sum(axis=1, keepdims=True) - present
    wrong = absent[codes == 1].sum() / max(absent[codes < 2].sum(), _LEAST)
    missed = present[codes == 0].sum() / max(present[codes < 2].sum(), _LEAST)
    wrong, missed = (float(np.clip(rate, _LEAST, 0.5 - _LEAST)) for rate in (wrong, missed))
    return Noise(wrong, missed)


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
