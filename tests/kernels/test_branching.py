"""Maximum branching: against all forests there are, and against other programs."""

from functools import cache
from itertools import product

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import minimum_spanning_tree

from caprese.fitting.structure import EQUAL_WEIGHT, maximum_branching
from caprese.kernels import branching as kernel
from caprese.kernels.branching import certain_parents
from caprese.models.forest import ROOT, Forest
from uncompiled import uncompiled

pytestmark = pytest.mark.slow

NEVER = -np.inf


def is_forest(parents):
    """Whether every event is reached from the root."""
    reached = {ROOT}
    for _ in parents:
        reached |= {event for event, parent in enumerate(parents) if parent in reached}
    return len(reached) == len(parents) + 1


@cache
def all_forests(events):
    """Every parent vector without a cycle; there are (n + 1)^(n - 1)."""
    choices = [[ROOT, *(i for i in range(events) if i != j)] for j in range(events)]
    return np.array([parents for parents in product(*choices) if is_forest(parents)])


def totals(weights, root_weights):
    """The weight of every forest."""
    events = np.arange(len(root_weights))
    forests = all_forests(len(root_weights))
    each = np.where(forests == ROOT, root_weights, weights[forests, events])
    return each.sum(axis=1)


def heaviest(weights, root_weights):
    """All forests that none outweighs."""
    weight = totals(weights, root_weights)
    return all_forests(len(root_weights))[weight == weight.max()]


def certain(weights, root_weights):
    """The parent an event has in all heaviest forests, and which have more than one."""
    best = heaviest(weights, root_weights)
    tied = (best != best[0]).any(axis=0)
    return np.where(tied, ROOT, best[0]), tied


@st.composite
def weighings(draw, values, max_events=5):
    """Weights of the events and of the root, drawn from few whole numbers so that many tie."""
    n = draw(st.integers(1, max_events))
    forbidden = st.sampled_from([*values, NEVER])
    weights = draw(st.lists(forbidden, min_size=n * n, max_size=n * n))
    root = draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))
    return np.array(weights, dtype=float).reshape(n, n), np.array(root, dtype=float)


FEW = weighings([0, 1, 2]) | weighings([-2, -1, 0])  # logarithms are negative
MANY = weighings(range(-50, 51))


def random_weights(seed, events, missing=0.0):
    rng = np.random.default_rng([41, seed, events])
    weights, root = rng.normal(size=(events, events)), rng.normal(size=events)
    return np.where(rng.random((events, events)) < missing, NEVER, weights), root


def networkx_total(weights, root_weights):
    graph = nx.DiGraph()
    for j, weight in enumerate(root_weights):
        graph.add_edge("root", j, weight=weight)
    for i, j in zip(*np.nonzero(np.isfinite(weights)), strict=True):
        if i != j:
            graph.add_edge(int(i), int(j), weight=weights[i, j])
    return nx.maximum_spanning_arborescence(graph).size(weight="weight")


def branching(weights, root_weights):
    return kernel.branching(weights[None], root_weights[None])[0]


def total_weight(weights, root_weights, parents):
    events = np.arange(len(parents))
    return np.where(parents == ROOT, root_weights, weights[parents, events]).sum()


def one(weights, root_weights):
    parents, tied = certain_parents(weights[None], root_weights[None], EQUAL_WEIGHT)
    return parents[0], tied[0]


class TestBranching:
    @pytest.mark.parametrize("events", range(1, 6))
    def test_there_are_as_many_forests_as_cayley_says(self, events):
        assert len(all_forests(events)) == (events + 1) ** (events - 1)

    @given(FEW | MANY)
    def test_no_forest_is_heavier(self, weighing):
        parents = branching(*weighing)
        assert is_forest(parents)
        assert total_weight(*weighing, parents) == totals(*weighing).max()

    @pytest.mark.parametrize("missing", [0.0, 0.5, 0.9])
    @pytest.mark.parametrize("events", [2, 3, 4, 5])
    def test_the_only_heaviest_forest_is_found(self, events, missing):
        for seed in range(20):
            weighing = random_weights(seed, events, missing)
            (expected,) = heaviest(*weighing)
            assert branching(*weighing).tolist() == expected.tolist()

    @pytest.mark.parametrize("events", [6, 10, 20, 30])
    def test_networkx_finds_nothing_heavier(self, events):
        for seed in range(5):
            weighing = random_weights(seed, events, missing=0.3 * (seed % 2))
            parents = branching(*weighing)
            assert is_forest(parents)
            ours = total_weight(*weighing, parents)
            assert ours == pytest.approx(networkx_total(*weighing), abs=1e-9)

    def test_a_cycle_of_two_hundred_events_loses_its_lightest_edge(self):
        n = 200
        rng = np.random.default_rng(42)
        weights, root = np.full((n, n), NEVER), -rng.random(n)
        forward = rng.random(n)
        weights[np.arange(n), (np.arange(n) + 1) % n] = forward
        into = np.roll(forward, 1)
        parents = branching(weights, root)
        assert np.flatnonzero(parents == ROOT).tolist() == [np.argmin(into - root)]
        assert total_weight(weights, root, parents) == pytest.approx(
            into.sum() - (into - root).min()
        )

    @pytest.mark.parametrize("events", [50, 200])
    def test_weights_without_direction_give_the_spanning_tree(self, events):
        """Where i -> j weighs as much as j -> i, circles lie in circles, many deep."""
        rng = np.random.default_rng([43, events])
        weights = rng.random((events, events)) + 1
        weights = np.minimum(weights, weights.T)
        root = rng.random(events) - 1
        np.fill_diagonal(weights, 0)
        tree = -minimum_spanning_tree(-weights).sum()
        parents = branching(weights, root)
        assert is_forest(parents)
        assert total_weight(weights, root, parents) == pytest.approx(tree + root.max())

    @given(MANY)
    def test_an_event_is_never_its_own_parent(self, weighing):
        weights, root = weighing
        selfish = weights.copy()
        np.fill_diagonal(selfish, 1e9)
        assert branching(selfish, root).tolist() == branching(weights, root).tolist()

    def test_the_parent_is_the_root_where_no_other_is_allowed(self):
        assert branching(np.full((4, 4), NEVER), np.zeros(4)).tolist() == [ROOT] * 4

    def test_the_weights_are_not_changed(self):
        weights, root = random_weights(0, 6)
        before = weights.copy(), root.copy()
        certain_parents(weights[None], root[None], EQUAL_WEIGHT)
        assert (weights == before[0]).all()
        assert (root == before[1]).all()


class TestCertainParents:
    @given(FEW | MANY)
    def test_parents_common_to_all_heaviest_forests_are_kept_and_the_others_tied(self, weighing):
        parents, tied = one(*weighing)
        expected, expected_tied = certain(*weighing)
        assert tied.tolist() == expected_tied.tolist()
        assert parents.tolist() == expected.tolist()

    def test_the_examples_have_ties_and_clear_parents(self):
        """So that the test above cannot pass by seeing only one kind."""
        rng = np.random.default_rng(44)
        kinds = {
            bool(one(rng.integers(0, 3, (4, 4)).astype(float), np.zeros(4))[1].any())
            for _ in range(50)
        }
        assert kinds == {False, True}

    @given(weighings([0, 1, 2, 5], max_events=8), st.randoms(use_true_random=False))
    def test_the_order_of_events_does_not_matter(self, weighing, random):
        weights, root = weighing
        order = list(range(len(root)))
        random.shuffle(order)
        parents, tied = one(weights, root)
        turned, turned_tied = one(weights[np.ix_(order, order)], root[order])
        back = [ROOT if parent == ROOT else order[parent] for parent in turned]
        assert [back[order.index(j)] for j in range(len(root))] == parents.tolist()
        assert turned_tied.tolist() == tied[order].tolist()

    @given(weighings([0.1, 0.2, 0.3, 0.6], max_events=5))
    def test_sums_that_differ_only_by_rounding_are_tied(self, weighing):
        """0.1 + 0.2 is not 0.3 in floating point; whole tenths tell what is equal."""
        weights, root = weighing
        expected, expected_tied = certain(np.round(weights * 10), np.round(root * 10))
        parents, tied = one(weights, root)
        assert tied.tolist() == expected_tied.tolist()
        assert parents.tolist() == expected.tolist()

    def test_two_events_that_can_be_swapped_are_both_tied(self):
        weights, root = np.array([[0.0, 3.0], [3.0, 0.0]]), np.array([1.0, 1.0])
        parents, tied = one(weights, root)
        assert parents.tolist() == [ROOT, ROOT]
        assert tied.tolist() == [True, True]

    @pytest.mark.parametrize("weight", [-1.0, 0.0, 1.0, -700.0])
    def test_one_tied_event_does_not_affect_the_others(self, weight):
        """The second may hang from the first or the root; the first has the root alone."""
        weights = np.array([[0.0, -0.5], [weight - 9, 0.0]])
        parents, tied = one(weights, np.array([weight, -0.5]))
        assert parents.tolist() == [ROOT, ROOT]
        assert tied.tolist() == [False, True]

    def test_a_single_event_has_the_root_without_a_tie(self):
        parents, tied = one(np.array([[7.0]]), np.array([-3.0]))
        assert (parents.tolist(), tied.tolist()) == ([ROOT], [False])

    @pytest.mark.parametrize("values", [3, 1000])
    def test_a_batch_has_the_parents_of_each_matrix(self, values):
        rng = np.random.default_rng([45, values])
        weights = rng.integers(0, values, (30, 6, 6)).astype(float)
        root = rng.integers(0, values, (30, 6)).astype(float)
        parents, tied = certain_parents(weights, root, EQUAL_WEIGHT)
        for b in range(30):
            alone, alone_tied = one(weights[b], root[b])
            assert parents[b].tolist() == alone.tolist()
            assert tied[b].tolist() == alone_tied.tolist()

    def test_two_hundred_events_with_and_without_ties(self):
        weights, root = random_weights(1, 200)
        parents, tied = one(weights, root)
        assert not tied.any()
        assert parents.tolist() == branching(weights, root).tolist()
        twins = weights.copy()
        twins[:, 7], twins[7, :], twins[7, 7] = weights[:, 3], weights[3, :], 0
        twins[3, 7] = twins[7, 3] = NEVER
        twin_root = root.copy()
        twin_root[7] = root[3]
        parents, tied = one(twins, twin_root)
        Forest(tuple(map(str, range(200))), parents, np.full(200, 0.5))
        assert parents[3] == parents[7] or (tied[3] and tied[7])
        children = np.flatnonzero(branching(twins, twin_root) == 3)
        assert len(children)
        assert tied[children].all()


class TestMaximumBranching:
    @given(FEW)
    def test_one_matrix_gives_the_result_of_the_kernel(self, weighing):
        parents, tied = maximum_branching(*weighing)
        expected, expected_tied = one(*weighing)
        assert parents.tolist() == expected.tolist()
        assert tied.tolist() == expected_tied.tolist()

    def test_it_keeps_the_axes_of_a_batch(self):
        rng = np.random.default_rng(46)
        weights, root = rng.normal(size=(2, 3, 5, 5)), rng.normal(size=(2, 3, 5))
        parents, tied = maximum_branching(weights, root)
        assert parents.shape == tied.shape == (2, 3, 5)
        for place in np.ndindex(2, 3):
            assert (parents[place] == maximum_branching(weights[place], root[place])[0]).all()

    def test_weights_in_any_memory_layout_are_accepted(self):
        weights, root = random_weights(3, 6)
        expected = maximum_branching(weights, root)[0]
        assert (maximum_branching(np.asfortranarray(weights), root)[0] == expected).all()


class TestCompiled:
    @pytest.mark.parametrize(("batch", "events"), [(0, 3), (1, 1), (20, 2), (20, 6), (5, 17)])
    @pytest.mark.parametrize("values", [2, 10, None])
    def test_compiled_branchings_are_those_of_python(self, batch, events, values):
        rng = np.random.default_rng([47, events])
        weights, root = rng.normal(size=(batch, events, events)), rng.normal(size=(batch, events))
        if values is not None:  # many ties
            weights, root = np.round(values * weights) / values, np.round(values * root) / values
        weights[rng.random(weights.shape) < 0.2] = NEVER
        plain = uncompiled("branching")
        expected, expected_tied = plain.certain_parents(weights, root, EQUAL_WEIGHT)
        parents, tied = certain_parents(weights, root, EQUAL_WEIGHT)
        assert parents.tolist() == expected.tolist()
        assert tied.tolist() == expected_tied.tolist()
        assert kernel.branching(weights, root).tolist() == plain.branching(weights, root).tolist()
