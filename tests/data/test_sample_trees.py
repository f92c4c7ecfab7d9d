"""Trees of samples: their orders against all pairs of nodes, and the embedded trees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese import datasets
from caprese.data.sample_trees import SampleTree, orders_of_trees
from caprese.errors import DatasetError


@st.composite
def trees(draw):
    size = draw(st.integers(1, 7))
    parents = tuple(draw(st.integers(-1, node - 1)) for node in range(size))
    events = st.lists(st.sampled_from("abcdef"), max_size=2, unique=True).map(tuple)
    return SampleTree(parents, tuple(draw(events) for _ in range(size)))


def ancestors(tree, node):
    while tree.parents[node] >= 0:
        node = tree.parents[node]
        yield node


def pairs_definition(tree):
    return {
        (one, other)
        for node, own in enumerate(tree.events)
        for above in ancestors(tree, node)
        for one in tree.events[above]
        for other in own
        if one != other
    }


@given(trees())
def test_an_event_at_an_ancestor_came_first(tree):
    pairs = pairs_definition(tree)
    assert tree.pairs() == pairs
    assert len(pairs) <= tree.number_of_pairs()
    listed = [event for own in tree.events for event in own]
    recurring = {event for event in listed if listed.count(event) > 1}
    found = orders_of_trees({"p": tree})
    kept = {(one, other) for one, other in pairs if not {one, other} & recurring}
    assert {tuple(seen)[1:3] for seen in found.orders.rows()} == kept
    assert found.recurring == len(recurring)
    assert found.left_out == len({frozenset(pair) for pair in pairs - kept})


def test_a_tree_is_written_with_children_in_brackets():
    tree = SampleTree.of("A(B,C(D)),E")
    assert tree == SampleTree((-1, 0, 0, 2, -1), (("A",), ("B",), ("C",), ("D",), ("E",)))


def test_a_child_before_its_parent_is_refused():
    with pytest.raises(DatasetError, match="the parent of a node must come before it"):
        SampleTree((1, -1), (("a",), ("b",)))


def test_the_embedded_trees_have_their_orders():
    data = datasets.aml_trees()
    assert (len(data.samples), len(data.events), len(data.orders)) == (123, 31, 468)
    assert data.orders.ordered_samples().size == 108
    npm1 = data.values[:, data.events.index("NPM1")].sum()
    assert npm1 == 49
