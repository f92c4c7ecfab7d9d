"""Ordered distance: against its recursion, and against zss and apted."""

from functools import cache

import apted
import numpy as np
import pytest
import zss

from caprese.kernels.ordered_distance import edit_distances
from caprese.models.forest import ROOT
from shapes import random_forest
from uncompiled import uncompiled


def nested(parents, by_rank):
    """The forest as a tuple of trees, each a pair of event and forest, siblings by rank."""

    def below(parent):
        return tuple((int(j), below(j)) for j in by_rank if parents[j] == parent)

    return below(ROOT)


def size(forest):
    return sum(1 + size(trees) for _, trees in forest)


@cache
def edits(one, other):
    """The recursion of the paper, without a table: what becomes of the last root of each?"""
    if not one or not other:
        return size(one) + size(other)
    (event, below), (event_other, below_other) = one[-1], other[-1]
    return min(
        1 + edits(one[:-1] + below, other),
        1 + edits(one, other[:-1] + below_other),
        (event != event_other) + edits(below, below_other) + edits(one[:-1], other[:-1]),
    )


def as_zss(forest, event="root"):
    node = zss.Node(str(event))
    for child, trees in forest:
        node.addkid(as_zss(trees, child))
    return node


def by_zss(one, other):
    return zss.simple_distance(as_zss(one), as_zss(other), label_dist=lambda a, b: int(a != b))


def as_apted(forest, event="root"):
    return "{" + str(event) + "".join(as_apted(trees, child) for child, trees in forest) + "}"


def by_apted(one, other):
    trees = (apted.helpers.Tree.from_text(as_apted(forest)) for forest in (one, other))
    return apted.APTED(*trees).compute_edit_distance()


def grown(rng, events):
    parents, order = np.full(events, ROOT), rng.permutation(events)
    for place in range(1, events):
        above = rng.integers(0, place + 1)
        parents[order[place]] = ROOT if above == place else order[above]
    return parents


def distance(one, other, by_rank=None):
    by_rank = np.arange(len(one)) if by_rank is None else np.array(by_rank)
    return int(edit_distances(np.array(one)[None], np.array(other)[None], by_rank)[0])


class TestEditDistances:
    @pytest.mark.parametrize("events", [1, 2, 3, 4, 5, 6])
    def test_distances_of_small_forests_are_those_of_the_recursion(self, events):
        rng = np.random.default_rng([61, events])
        for _ in range(40):
            one, other = grown(rng, events), grown(rng, events)
            by_rank = rng.permutation(events)
            expected = edits(nested(one, by_rank), nested(other, by_rank))
            assert distance(one, other, by_rank) == expected

    @pytest.mark.slow
    @pytest.mark.parametrize("program", [by_zss, by_apted])
    @pytest.mark.parametrize("events", [8, 20, 40])
    def test_other_programs_give_the_same_distances(self, program, events):
        rng = np.random.default_rng([62, events])
        for trees in (1, 3):
            one = random_forest(rng, events, trees).parents
            for other in (random_forest(rng, events).parents, grown(rng, events)):
                by_rank = rng.permutation(events)
                expected = program(nested(one, by_rank), nested(other, by_rank))
                assert distance(one, other, by_rank) == expected

    def test_the_rank_of_siblings_matters(self):
        """a and c leave x; where b stands between them, it has to move as well."""
        a_and_c_below_x, all_apart = [3, ROOT, 3, ROOT], [ROOT] * 4
        a, b, c, x = range(4)
        assert distance(a_and_c_below_x, all_apart, [a, c, x, b]) == 2
        assert distance(a_and_c_below_x, all_apart, [a, b, c, x]) == 4

    def test_renaming_costs_less_than_deleting_and_inserting(self):
        assert distance([ROOT, 0, 1], [1, 2, ROOT]) == 2

    def test_chains_and_stars_of_two_thousand_events(self):
        chain, star = np.arange(-1, 1999), np.full(2000, ROOT)
        turned = np.append(np.arange(1, 2000), ROOT)
        assert distance(chain, chain.copy()) == 0
        assert distance(chain, star) == 3998
        assert distance(chain, turned) == 2000

    def test_a_batch_has_the_distances_of_each_pair(self):
        rng = np.random.default_rng(63)
        parents = np.array([grown(rng, 9) for _ in range(30)])
        others = np.array([row if k % 5 == 0 else grown(rng, 9) for k, row in enumerate(parents)])
        by_rank = rng.permutation(9)
        assert edit_distances(parents, others, by_rank).tolist() == [
            distance(one, other, by_rank) for one, other in zip(parents, others, strict=True)
        ]
        assert edit_distances(parents, others[3:4], by_rank).tolist() == [
            distance(one, others[3], by_rank) for one in parents
        ]

    @pytest.mark.parametrize(("pairs", "events"), [(0, 3), (1, 1), (15, 2), (15, 8), (3, 20)])
    def test_compiled_distances_are_those_of_python(self, pairs, events):
        rng = np.random.default_rng([64, events])
        forests = np.array([grown(rng, events) for _ in range(2 * pairs)], dtype=np.int64)
        parents, others = forests.reshape(2, pairs, events)
        by_rank = rng.permutation(events)
        plain = uncompiled("ordered_distance").edit_distances
        for second in (others, others[:1]):
            expected = plain(parents, second, by_rank).tolist()
            assert edit_distances(parents, second, by_rank).tolist() == expected
