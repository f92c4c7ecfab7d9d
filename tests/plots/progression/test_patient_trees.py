"""The trees that were seen in single samples."""

import numpy as np
import pytest

from caprese import Forest, ModelError, datasets, plots
from caprese.assessment.known import KnownOrders
from caprese.data.sample_trees import SampleTree, orders_of_trees
from caprese.data.seen_orders import SeenOrders
from caprese.plots.progression.patient_trees import seen_trees, trees_plan

TREES = {"p": "a(b(c),d)", "q": "a(b)", "r": "a(b)", "s": "b(a)", "t": "c"}


def orders_of(trees):
    return orders_of_trees({name: SampleTree.of(text) for name, text in trees.items()}).orders


def test_the_tree_of_a_sample_is_found_again_from_its_orders():
    found = seen_trees(orders_of(TREES))
    assert [(tree.edges, tree.samples) for tree in found] == [
        ((("a", "b"),), ("q", "r")),
        ((("a", "b"), ("a", "d"), ("b", "c")), ("p",)),
        ((("b", "a"),), ("s",)),
    ]


def test_orders_that_are_not_a_tree_are_counted():
    rows = [("p", "a", "c"), ("p", "b", "c"), ("q", "a", "b"), ("r", "a", "b", 0.6)]
    orders = SeenOrders.from_rows(rows)
    assert [tree.samples for tree in seen_trees(orders)] == [("q",)]
    words = [entry.meaning for entry in trees_plan(orders).entries]
    assert words == ["the orders of 2 samples are not a tree"]


def known(*orders, events="abcd"):
    place = {event: k for k, event in enumerate(events)}
    before, nothing = np.zeros((len(events),) * 2), np.zeros((len(events),) * 2)
    for earlier, later in orders:
        before[place[earlier], place[later]] = 0.9
    ones = np.ones(len(events))
    return KnownOrders(tuple(events), ones, ("m",), [1.0], [before], 1.0, nothing, nothing)


def test_colours_say_whether_the_model_has_the_same_order():
    plan = trees_plan(orders_of(TREES), known("ab", "ca"))
    first, second, third = (tree for tree, _ in plan.trees)
    assert [style.line for style in first.edges.values()] == ["solid"]
    assert [style.colour for style in third.edges.values()] != [
        style.colour for style in first.edges.values()
    ]
    assert len({style.colour for style in second.edges.values()}) == 2  # one is left open
    assert [entry.meaning for entry in plan.entries] == [
        "the model has the same order",
        "the model has it the other way round",
        "the model leaves it open",
    ]


def test_many_trees_are_counted_and_fit_on_a_page():
    plan = trees_plan(datasets.aml_trees().orders)
    assert len(plan.trees) == 24
    assert [entry.meaning for entry in plan.entries] == ["78 other trees left out"]
    assert plan.extent[0] < 600


def test_without_trees_or_with_other_events_the_picture_is_refused():
    orders = orders_of(TREES)
    with pytest.raises(ModelError, match="no tree was seen"):
        plots.trees_figure(SeenOrders.from_rows([]))
    with pytest.raises(ModelError, match="must be of the same events"):
        plots.trees_figure(orders, known(events="xyz"))


def test_the_reduction_agrees_with_ancestors_of_a_forest():
    rng = np.random.default_rng(4)
    for _ in range(20):
        parents = [int(rng.integers(-1, k)) if k else -1 for k in range(8)]
        forest = Forest([f"e{k}" for k in range(8)], parents, np.full(8, 0.5))
        above = np.argwhere(forest.ancestors())
        rows = [("p", f"e{i}", f"e{j}") for i, j in above.tolist()]
        trees = seen_trees(SeenOrders.from_rows(rows))
        assert {edge for tree in trees for edge in tree.edges} == set(forest.edges)
