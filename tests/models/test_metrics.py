"""Metrics: their literal definitions, what a distance must obey, and what is refused."""

import re
from dataclasses import FrozenInstanceError, dataclass, replace
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese.errors import ConvergenceError, ModelError
from caprese.models import metrics
from caprese.models.dag import ConjunctiveDag
from caprese.models.forest import ROOT, Forest
from caprese.models.metrics import (
    Agreement,
    ancestor_agreement,
    edge_agreement,
    hamming_distance,
    parent_distance,
    tree_edit_distance,
    tree_edit_distances,
)
from shapes import BINARY, CHAIN, SHAPES, STAR, permuted, random_forest
from strategies import names, orders, upto

pytestmark = pytest.mark.slow

DISTANCES = [
    tree_edit_distance,
    lambda one, other: tree_edit_distance(one, other, ordered=True),
    hamming_distance,
    parent_distance,
]
ANY_DISTANCE = pytest.mark.parametrize(
    "distance", DISTANCES, ids=["unordered", "ordered", "Hamming", "wrong parents"]
)


def bounds(one, other):
    """Return the bounds of the unordered distance of two forests."""
    above = {child: one.events.index(parent) for parent, child in other.edges}
    parents = [above.get(event, ROOT) for event in one.events]
    return tuple(int(bound) for bound in metrics.distance_bounds(parents, one.parents))


@st.composite
def parent_vectors(draw, events):
    order = draw(orders(events))
    parents = np.full(events, ROOT)
    for place, event in enumerate(order):
        parents[event] = [ROOT, *order[:place]][draw(upto(place))]
    return parents


@st.composite
def siblings(draw, number, max_events=7):
    """That many forests on the same events; every other one a small change of the first."""
    events = draw(names(1 + draw(upto(max_events - 1))))
    vectors = [draw(parent_vectors(len(events)))]
    while len(vectors) < number:
        fresh = draw(parent_vectors(len(events)))
        if draw(st.booleans()):
            event = draw(upto(len(events) - 1))
            near = vectors[0].copy()
            near[event] = ROOT
            fresh = near
        vectors.append(fresh)
    return [Forest(events, parents, np.full(len(events), 0.5)) for parents in vectors]


def before(forest):
    """Pairs of names of which the first comes before the second."""
    above = dict.fromkeys(forest.events)
    above.update({child: parent for parent, child in forest.edges})
    pairs = set()
    for event in forest.events:
        ancestor = above[event]
        while ancestor is not None:
            pairs.add((ancestor, event))
            ancestor = above[ancestor]
    return pairs


def unordered_definition(one, other):
    """Twice the events outside the largest set on which the ancestor relation is the same."""
    events, a, b = one.events, before(one), before(other)
    largest = max(
        len(kept)
        for size in range(len(events) + 1)
        for kept in combinations(events, size)
        if all((pair in a) == (pair in b) for pair in product(kept, repeat=2))
    )
    return 2 * (len(events) - largest)


def hamming_definition(one, other):
    pairs = product(one.events, repeat=2)
    return sum((pair in one.edges) != (pair in other.edges) for pair in pairs)


def wrong_parents_definition(one, other):
    def parents(model, event):
        return {parent for parent, child in model.edges if child == event}

    return sum(parents(one, event) != parents(other, event) for event in one.events)


@dataclass(frozen=True)
class Poset:
    """Several parents for an event: any model with these three will do."""

    events: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]

    def adjacency(self):
        return np.array([[(i, j) in self.edges for j in self.events] for i in self.events])

    def ancestors(self):
        above = self.adjacency()
        for _ in self.events:
            above = above | (above @ above)
        return above


# a -+- c --- d      the conjunction c waits for a and for b
# b -+
CONJUNCTION = Poset(tuple("abcd"), (("a", "c"), ("b", "c"), ("c", "d")))
DIAMOND_FOREST = Forest(tuple("dcba"), (1, 3, ROOT, ROOT), (0.5,) * 4)  # a -> c -> d, b


class TestDefinitions:
    @given(siblings(2))
    def test_the_unordered_distance_is_that_of_the_best_subset(self, pair):
        expected = unordered_definition(*pair)
        assert tree_edit_distance(*pair) == expected
        assert bounds(*pair) == (expected, expected)

    @given(siblings(2))
    def test_other_distances_follow_from_the_edges(self, pair):
        assert hamming_distance(*pair) == hamming_definition(*pair)
        assert parent_distance(*pair) == wrong_parents_definition(*pair)

    @given(siblings(2))
    def test_agreement_counts_pairs(self, pair):
        for recovery, relation in (
            (edge_agreement, lambda forest: set(forest.edges)),
            (ancestor_agreement, before),
        ):
            found, truth = map(relation, pair)
            expected = Agreement(len(found & truth), len(found - truth), len(truth - found))
            assert recovery(*pair) == expected

    def test_a_subtree_moved_to_its_sibling(self):
        """BINARY with c below b: c, f and g then follow b, and only b must go.

        In order, c now stands before d and e: of b, c, d, e, f, g only c, f, g keep their places.
        """
        moved = replace(BINARY, parents=(ROOT, 0, 1, 1, 1, 2, 2))
        assert tree_edit_distance(BINARY, moved) == 2
        assert tree_edit_distance(BINARY, moved, ordered=True) == 6
        assert hamming_distance(BINARY, moved) == 2
        assert parent_distance(BINARY, moved) == 1

    def test_the_ordered_distance_may_be_smaller_because_it_renames(self):
        turned = Forest(tuple("dcba"), CHAIN.parents, CHAIN.probabilities)
        assert tree_edit_distance(CHAIN, turned) == 6
        assert tree_edit_distance(CHAIN, turned, ordered=True) == 4

    def test_the_ordered_distance_may_be_larger_because_siblings_are_ordered(self):
        one = Forest(tuple("abcx"), (3, ROOT, 3, ROOT), (0.5,) * 4)
        other = Forest(tuple("abcx"), (ROOT,) * 4, (0.5,) * 4)
        assert tree_edit_distance(one, other) == 2
        assert tree_edit_distance(one, other, ordered=True) == 4

    def test_siblings_are_sorted_by_name_not_by_position(self):
        one = Forest(("c", "x", "a", "b"), (1, ROOT, 1, ROOT), (0.5,) * 4)
        other = Forest(("b", "c", "a", "x"), (ROOT,) * 4, (0.5,) * 4)
        assert tree_edit_distance(one, other, ordered=True) == 4
        parents, apart = [1, ROOT, 1, ROOT], [ROOT] * 4
        assert tree_edit_distances(parents, apart, ["c", "x", "a", "b"], ordered=True) == 4
        assert tree_edit_distances(parents, apart, ["c", "x", "a", "z"], ordered=True) == 2


class TestDistances:
    @ANY_DISTANCE
    @given(pair=siblings(2))
    def test_it_is_zero_for_equal_forests_only(self, distance, pair):
        one, other = pair
        assert distance(one, one) == 0
        assert (distance(one, other) == 0) == (one.parents == other.parents).all()

    @ANY_DISTANCE
    @given(pair=siblings(2))
    def test_it_is_a_symmetric_integer(self, distance, pair):
        one, other = pair
        assert type(distance(one, other)) is int
        assert distance(one, other) == distance(other, one)

    @ANY_DISTANCE
    @given(three=siblings(3))
    def test_the_triangle_inequality_holds(self, distance, three):
        a, b, c = three
        assert distance(a, c) <= distance(a, b) + distance(b, c)

    @ANY_DISTANCE
    @given(pair=siblings(2), random=st.randoms(use_true_random=False))
    def test_the_order_of_events_does_not_matter(self, distance, pair, random):
        one, other = pair
        order = np.arange(len(one.events))
        random.shuffle(order)
        assert distance(one, permuted(other, order)) == distance(one, other)
        assert distance(permuted(one, order), other) == distance(one, other)

    @pytest.mark.parametrize("distance", [tree_edit_distance, hamming_distance, parent_distance])
    @given(pair=siblings(2), random=st.randoms(use_true_random=False))
    def test_renaming_the_events_of_both_does_not_matter(self, distance, pair, random):
        fresh = [f"new {k}" for k in range(len(pair[0].events))]
        random.shuffle(fresh)
        renamed = [replace(forest, events=tuple(fresh)) for forest in pair]
        assert distance(*renamed) == distance(*pair)

    @given(siblings(2))
    def test_renaming_in_the_same_alphabetical_order_keeps_the_ordered_distance(self, pair):
        rank = {name: f"{k:03d}" for k, name in enumerate(sorted(pair[0].events))}
        renamed = [
            replace(forest, events=tuple(map(rank.__getitem__, forest.events))) for forest in pair
        ]
        expected = tree_edit_distance(*pair, ordered=True)
        assert tree_edit_distance(*renamed, ordered=True) == expected

    @given(siblings(2, max_events=12))
    def test_the_distances_bound_each_other(self, pair):
        wrong, hamming = parent_distance(*pair), hamming_distance(*pair)
        unordered, ordered = (tree_edit_distance(*pair, ordered=flag) for flag in (False, True))
        events = len(pair[0].events)
        assert wrong <= hamming <= 2 * wrong
        assert unordered % 2 == 0
        assert unordered <= 2 * (events - 1)
        assert unordered <= 2 * ordered
        assert ordered <= 2 * (events - 1)

    @pytest.mark.parametrize("shape", SHAPES)
    def test_a_shape_has_distance_0_from_itself_in_another_order(self, shape):
        forest = SHAPES[shape]
        other = permuted(forest, np.random.default_rng(71).permutation(len(forest.events)))
        assert [distance(forest, other) for distance in DISTANCES] == [0, 0, 0, 0]

    def test_chains_of_two_thousand_events(self):
        events = tuple(f"e{k:04d}" for k in range(2000))
        chain = Forest(events, (*range(1, 2000), ROOT), np.full(2000, 0.9))
        bent = chain.parents.copy()
        bent[0] = 500
        other = permuted(replace(chain, parents=bent), np.arange(1999, -1, -1))
        assert [distance(chain, other) for distance in DISTANCES] == [2, 2, 2, 1]

    def test_two_hundred_events_with_thirty_wrong_parents(self):
        rng = np.random.default_rng(72)
        truth = random_forest(rng, 200)
        parents = truth.parents.copy()
        leaves = np.setdiff1d(np.arange(200), parents)[:30]
        parents[leaves] = leaves[0]
        parents[leaves[0]] = ROOT
        found = replace(truth, parents=parents)
        assert 28 <= parent_distance(truth, found) <= 30
        assert bounds(truth, found)[0] == tree_edit_distance(truth, found) <= 60


class TestPosets:
    def test_several_parents_are_compared_entry_by_entry(self):
        assert hamming_distance(CONJUNCTION, DIAMOND_FOREST) == 1
        assert parent_distance(CONJUNCTION, DIAMOND_FOREST) == 1
        assert hamming_distance(CONJUNCTION, CONJUNCTION) == 0

    def test_a_forest_misses_edges_of_a_conjunction_without_false_positives(self):
        assert edge_agreement(DIAMOND_FOREST, CONJUNCTION) == Agreement(2, 0, 1)
        assert ancestor_agreement(DIAMOND_FOREST, CONJUNCTION) == Agreement(3, 0, 2)
        assert ancestor_agreement(CONJUNCTION, DIAMOND_FOREST) == Agreement(3, 2, 0)


class TestAgreement:
    def test_precision_and_recall(self):
        recovery = edge_agreement(replace(CHAIN, parents=(ROOT, 0, 0, 2)), CHAIN)
        assert recovery == Agreement(true_positives=2, false_positives=1, false_negatives=1)
        assert recovery.precision == pytest.approx(2 / 3)
        assert recovery.recall == pytest.approx(2 / 3)

    def test_precision_and_recall_are_1_where_nothing_was_found_or_true(self):
        nothing = replace(CHAIN, parents=(ROOT,) * 4)
        assert edge_agreement(nothing, CHAIN).precision == 1.0
        assert edge_agreement(nothing, CHAIN).recall == 0.0
        assert edge_agreement(CHAIN, nothing).precision == 0.0
        assert edge_agreement(CHAIN, nothing).recall == 1.0

    def test_it_is_a_value(self):
        assert Agreement(1, 2, 3) == Agreement(1, 2, 3)
        assert hash(Agreement(1, 2, 3)) == hash(Agreement(1, 2, 3))
        with pytest.raises(FrozenInstanceError):
            Agreement(1, 2, 3).true_positives = 2


class TestBatches:
    @given(st.integers(1, 7).flatmap(lambda n: st.lists(parent_vectors(n), min_size=1, max_size=6)))
    def test_a_batch_has_the_distances_of_each_pair(self, vectors):
        names = [f"{k:02d}" for k in reversed(range(len(vectors[0])))]
        forests = [Forest(tuple(names), parents, np.full(len(names), 0.5)) for parents in vectors]
        parents, rolled = np.array(vectors), np.roll(vectors, 1, axis=0)
        others = forests[-1:] + forests[:-1]
        for many, single in (
            (lambda p, t: tree_edit_distances(p, t, names), DISTANCES[0]),
            (lambda p, t: tree_edit_distances(p, t, names, ordered=True), DISTANCES[1]),
        ):
            one_truth = [single(forest, forests[0]) for forest in forests]
            assert many(parents, parents[0]).tolist() == one_truth
            each = [single(*pair) for pair in zip(forests, others, strict=True)]
            assert many(parents, rolled).tolist() == each

    @pytest.mark.parametrize("ordered", [False, True])
    def test_more_than_a_thousand_pairs_use_threads(self, ordered):
        rng = np.random.default_rng(73)
        parents = np.array([random_forest(rng, 6).parents for _ in range(50)])
        many = np.tile(parents, (101, 1))
        few = tree_edit_distances(parents, parents[::-1], ordered=ordered)
        result = tree_edit_distances(many, np.tile(parents[::-1], (101, 1)), ordered=ordered)
        assert result.tolist() == few.tolist() * 101
        one = tree_edit_distances(parents, parents[7], ordered=ordered)
        assert tree_edit_distances(many, parents[7], ordered=ordered).tolist() == one.tolist() * 101

    def test_the_axes_of_a_batch_are_kept(self):
        distances = tree_edit_distances
        star = STAR.parents
        for shape in ((), (1,), (0,), (2, 3), (4, 0)):
            parents = np.broadcast_to(star, (*shape, len(star)))
            assert distances(parents, star).shape == shape
            assert distances(parents, parents).dtype == np.int64
            assert not distances(parents, star).any()

    def test_parents_are_not_changed_and_may_be_read_only_or_small_integers(self):
        given = np.array([[ROOT, 0, 1], [1, ROOT, 1]], dtype=np.int8)
        given.flags.writeable = False
        for ordered in (False, True):
            assert tree_edit_distances(given[:, ::-1][:, ::-1], given[0], ordered=ordered)[0] == 0
        assert given.tolist() == [[ROOT, 0, 1], [1, ROOT, 1]]


class TestRefusals:
    @pytest.mark.parametrize("compare", [*DISTANCES, edge_agreement, ancestor_agreement])
    def test_models_of_different_events(self, compare):
        for events in ("abcx", "abc"):
            other = Forest(tuple(events), (ROOT,) * len(events), (0.5,) * len(events))
            odd = "d" if events == "abc" else "[dx]"
            message = f"both models must have the same events; '{odd}' is in one only"
            with pytest.raises(ModelError, match=message):
                compare(CHAIN, other)

    @pytest.mark.parametrize("distances", [tree_edit_distances])
    @pytest.mark.parametrize(
        ("parents", "truth", "message"),
        [
            ([[ROOT, 0], [1, 0]], [ROOT, 0], "parents must be forests, got a cycle in row 1"),
            ([ROOT, 0], [0, ROOT], "truth must be forests, got a cycle in row 0"),
            ([ROOT, 2], [ROOT, 0], "parents must be positions of events or -1, got 2"),
            ([-2, 0], [ROOT, 0], "parents must be positions of events or -1, got -2"),
            (
                [ROOT, 0.0],
                [ROOT, 0],
                "parents must be whole numbers, one per event and at least one in each forest, "
                "got float64 of shape (2,)",
            ),
            (
                [ROOT, 0],
                np.empty((3, 0), dtype=int),
                "truth must be whole numbers, one per event and at least one in each forest, "
                "got int64 of shape (3, 0)",
            ),
            (
                [[ROOT, 0]] * 3,
                [[ROOT, 0]] * 2,
                "truth must have the shape of one forest, (2,), or of all, (3, 2), got (2, 2)",
            ),
            (
                [[ROOT, 0]],
                [ROOT, 0, 0],
                "truth must have the shape of one forest, (2,), or of all, (1, 2), got (3,)",
            ),
        ],
    )
    def test_arrays_that_are_not_forests(self, distances, parents, truth, message):
        with pytest.raises(ModelError, match=re.escape(message)):
            distances(parents, truth)

    @pytest.mark.parametrize("ordered", [False, True])
    @pytest.mark.parametrize(
        ("names", "message"),
        [
            (["a"], "names must be one per event, 2, got 1"),
            (["a", "a"], "event name 'a' appears 2 times; names must differ"),
        ],
    )
    def test_names_that_are_not_those_of_the_events(self, ordered, names, message):
        with pytest.raises(ModelError, match=message):
            tree_edit_distances([ROOT, 0], [ROOT, 0], names, ordered=ordered)

    def test_a_search_that_reaches_its_limit_gives_the_bounds(self, monkeypatch):
        events = np.array([f"e{k:03d}" for k in range(200)])
        parents, probabilities = np.arange(-1, 199), np.full(200, 0.9)
        truth = Forest(tuple(events), parents, probabilities)
        shuffled = np.random.default_rng(74).permutation(events)
        found = Forest(tuple(shuffled), parents, probabilities)
        exact = tree_edit_distance(truth, found)
        monkeypatch.setattr(metrics, "SEARCH_NODES", 0)
        lower, upper = bounds(truth, found)
        assert lower < upper
        assert lower <= exact <= upper
        message = (
            f"the unordered distance of forest 1 of 1 is at least {lower} and at most {upper}; "
            "0 search nodes were not enough to find it"
        )
        with pytest.raises(ConvergenceError, match=message):
            tree_edit_distance(truth, found)
        assert tree_edit_distance(truth, found, ordered=True) > 0


def test_the_tree_edit_distance_of_other_models_is_refused():
    forest, dag = Forest(("a",), (ROOT,), (0.5,)), ConjunctiveDag(("a",), ((),), (0.5,))
    for pair in ((forest, dag), (dag, forest)):
        with pytest.raises(ModelError, match="the tree edit distance is defined for forests only"):
            tree_edit_distance(*pair)
    assert hamming_distance(forest, dag) == 0
