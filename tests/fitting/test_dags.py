"""The numbers of a conjunctive DAG, and what it says of data observed with errors."""

from itertools import product
from math import log

import numpy as np
import pytest

from caprese import (
    ConjunctiveDag,
    Dataset,
    Forest,
    ModelError,
    Noise,
    NoisyDag,
    datasets,
    fit_forest,
)
from caprese.fitting.dags import fit_dag

DIAMOND = ConjunctiveDag("abcd", ((), (0,), (0,), (1, 2)), (0.8, 0.7, 0.6, 0.5))
NOISE = Noise(0.1, 0.2)


def genotype_probability(dag, genotype):
    """The definition: each event occurs with its probability once all its parents have."""
    chance = 1.0
    for event, parents in enumerate(dag.parent_sets):
        if all(genotype[parent] for parent in parents):
            chance *= dag.probabilities[event] if genotype[event] else 1 - dag.probabilities[event]
        elif genotype[event]:
            return 0.0
    return chance


def observation_probability(genotype, seen, noise):
    chance = 1.0
    for true, shown in zip(genotype, seen, strict=True):
        if shown is not None:
            wrong = noise.false_negative if true else noise.false_positive
            chance *= wrong if shown != true else 1 - wrong
    return chance


@pytest.mark.parametrize("seen", [(0, 0, 0, 0), (1, 0, 1, 1), (0, 1, None, 1), (None,) * 4])
def test_probabilities_agree_with_the_sum_over_all_genotypes(seen):
    weights = {
        genotype: genotype_probability(DIAMOND, genotype)
        * observation_probability(genotype, seen, NOISE)
        for genotype in product((0, 1), repeat=4)
    }
    total = sum(weights.values())
    model, data = NoisyDag(DIAMOND, NOISE), Dataset.from_rows([seen], events="abcd")
    assert model.log_probabilities(data)[0] == pytest.approx(log(total))
    there = [sum(w for g, w in weights.items() if g[event]) / total for event in range(4)]
    assert model.event_probabilities(data)[0] == pytest.approx(there)


def test_a_dag_of_single_parents_is_as_likely_as_the_forest():
    data = datasets.ovarian()
    parents = (-1, 0, -1, 2, 0, -1, 4)
    sets = tuple(() if parent < 0 else (parent,) for parent in parents)
    forest = fit_forest(Forest(data.events, parents, (0.5,) * 7), data)
    dag = fit_dag(ConjunctiveDag(data.events, sets, (0.5,) * 7), data)
    assert dag.log_likelihood == pytest.approx(forest.log_likelihood, abs=0.01)
    assert dag.model.dag.probabilities == pytest.approx(forest.forest.probabilities, abs=0.01)
    assert dag.noise.false_negative == pytest.approx(forest.noise.false_negative, abs=0.01)
    assert dag.parameters == forest.parameters == 9


def test_the_numbers_of_a_known_dag_are_found_in_large_data():
    data = NoisyDag(DIAMOND, Noise(0.05, 0.1)).sample(20_000, np.random.default_rng(3))
    best = fit_dag(DIAMOND, data)
    assert best.model.dag.probabilities == pytest.approx(DIAMOND.probabilities, abs=0.04)
    assert best.noise.false_positive == pytest.approx(0.05, abs=0.02)
    assert best.noise.false_negative == pytest.approx(0.1, abs=0.02)


def test_an_em_that_does_not_converge_says_so():
    data = NoisyDag(DIAMOND, Noise(0.05, 0.1)).sample(200, np.random.default_rng(3))
    early, best = (fit_dag(DIAMOND, data, steps=steps) for steps in (2, 2000))
    assert (early.converged, best.converged) == (False, True)
    assert early.log_likelihood < best.log_likelihood


def test_more_events_than_can_be_enumerated_are_refused():
    dag = ConjunctiveDag(tuple(f"e{k}" for k in range(21)), ((),) * 21, (0.5,) * 21)
    with pytest.raises(ModelError, match="most is 20 events"):
        dag.states()
