"""Structures in which two events change places, and what the data lose by it."""

import numpy as np
import pytest

from caprese import HCBN, Capri, Dataset, Forest, LikelihoodForest, datasets, estimate, fit_forest
from caprese.fitting.turned import can_be_told, lost_by_hazards, lost_by_turning, turned
from caprese.models.dag import ConditionalDag, ConjunctiveDag
from caprese.models.forest import ROOT
from caprese.models.hazards import Hazards
from caprese.models.poset import Poset

OVARIAN = datasets.ovarian()


def test_the_child_of_a_forest_takes_over_what_its_parent_waits_for():
    forest = Forest(tuple("abcd"), (ROOT, 0, 1, 1), (0.5,) * 4)
    assert turned(forest, 1, 2).edges == (("c", "b"), ("a", "c"), ("b", "d"))


def test_a_poset_and_a_dag_are_turned_by_the_same_rule():
    sets = ((), (0,), (1,))
    assert turned(Poset(tuple("abc"), sets), 1, 2).parent_sets == ((), (2,), (0,))
    dag = ConjunctiveDag(tuple("abc"), sets, (0.5,) * 3)
    assert turned(dag, 1, 2).parent_sets == ((), (2,), (0,))


def test_a_second_way_from_parent_to_child_leaves_no_structure():
    dag = ConjunctiveDag(tuple("abc"), ((), (0,), (0, 1)), (0.5,) * 3)
    assert turned(dag, 0, 2) is None


def test_tables_have_the_size_of_the_new_parents():
    dag = ConditionalDag(tuple("ab"), ((), (0,)), ((0.5,), (0.1, 0.9)))
    found = turned(dag, 0, 1)
    assert [len(table) for table in found.tables] == [2, 1]


def test_a_model_without_such_a_structure_cannot_be_turned():
    model = Hazards(("a", "b"), np.ones(2), np.ones((2, 2)))
    assert turned(model, 0, 1) is None
    assert lost_by_turning(model, 0, 1, OVARIAN) is None


def test_the_loss_is_the_difference_of_two_maxima():
    forest = LikelihoodForest().fit(OVARIAN).model
    one, other = forest.events.index("8q+"), forest.events.index("3q+")
    parents = forest.parents.copy()
    parents[other], parents[one] = ROOT, other
    reverse = fit_forest(Forest(forest.events, parents, forest.probabilities), OVARIAN)
    expected = fit_forest(forest, OVARIAN).log_likelihood - reverse.log_likelihood
    assert lost_by_turning(forest, one, other, OVARIAN) == pytest.approx(expected)


@pytest.mark.parametrize("method", [Capri(), HCBN(steps=50, restarts=1)], ids=["capri", "hcbn"])
def test_no_turned_edge_of_a_likely_model_is_much_likelier(method):
    model = method.fit(OVARIAN).model
    place = model.events.index
    lost = [lost_by_turning(model, place(a), place(b), OVARIAN) for a, b in model.edges]
    assert min(each for each in lost if each is not None) > -1
    assert estimate(model, OVARIAN).converged


def test_hazards_that_are_told_an_order_explain_the_genotypes_a_little_worse():
    """The loss is a difference of log-probabilities of genotypes, and changes its sign."""
    loss = lost_by_hazards(0, 1, OVARIAN)
    assert lost_by_hazards(1, 0, OVARIAN) == pytest.approx(-loss)
    assert 0 < loss < 10


def test_many_events_or_edges_are_not_told_unasked():
    assert can_be_told(OVARIAN, 6)
    assert not can_be_told(OVARIAN, 1000)
    crowded = Dataset(np.triu(np.ones((20, 20), dtype=bool)), tuple(map(str, range(20))))
    assert not can_be_told(crowded, 1)
