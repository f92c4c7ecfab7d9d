"""Unordered distance: against all subsets, longest runs in order, and other programs."""

from bisect import bisect_left
from functools import cache
from itertools import combinations, product

import networkx as nx
import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from caprese.kernels.unordered_distance import first_cyclic, minimum_covers
from caprese.models.forest import ROOT
from shapes import random_forest
from uncompiled import uncompiled

pytestmark = pytest.mark.slow

ENOUGH = 100_000


def before(parents):
    """Pairs of which the first is an ancestor of the second, walked one by one."""
    pairs = set()
    for event in range(len(parents)):
        above = parents[event]
        while above != ROOT:
            pairs.add((int(above), event))
            above = parents[above]
    return pairs


def conflicts(one, other):
    """Pairs whose relation is not the same in both."""
    return {tuple(sorted(pair)) for pair in before(one) ^ before(other)}


def must_go(one, other):
    """The definition: try to keep all events, all but one, all but two, and so on."""
    events, wrong = range(len(one)), conflicts(one, other)
    for going in range(len(one) + 1):
        for kept in combinations(events, len(one) - going):
            if not any(a in kept and b in kept for a, b in wrong):
                return going
    raise AssertionError("nothing can be in conflict with itself")


def by_networkx(one, other):
    """Largest clique of events that agree."""
    graph = nx.complete_graph(len(one))
    graph.remove_edges_from(conflicts(one, other))
    return len(one) - len(nx.max_weight_clique(graph, weight=None)[0])


def by_integer_program(one, other):
    """Smallest cover by scipy's solver."""
    wrong = sorted(conflicts(one, other))
    if not wrong:
        return 0
    rows = np.zeros((len(wrong), len(one)))
    rows[np.repeat(np.arange(len(wrong)), 2), np.ravel(wrong)] = 1
    found = milp(
        np.ones(len(one)),
        integrality=np.ones(len(one)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(rows, lb=1),
    )
    assert found.success
    return round(found.fun)


def out_of_order(numbers):
    """How many numbers are outside the longest increasing subsequence."""
    ends = []
    for number in numbers:
        place = bisect_left(ends, number)
        ends[place : place + 1] = [number]
    return len(numbers) - len(ends)


@cache
def all_forests(events):
    choices = [[ROOT, *(i for i in range(events) if i != j)] for j in range(events)]
    vectors = np.array(list(product(*choices)))
    return np.array([row for row in vectors if first_cyclic(row[None]) < 0])


def grown(rng, events, bushy=1.0):
    """A random forest: each event in turn below the root or an earlier one; deep if not bushy."""
    parents, order = np.full(events, ROOT), rng.permutation(events)
    for place in range(1, events):
        earliest = int((1 - bushy) * (place - 1))
        above = rng.integers(earliest, place + 1)
        parents[order[place]] = ROOT if above == place else order[above]
    return parents


def spoiled(rng, parents, wrong):
    """The forest with that many moves of an event, and all below it, to another parent."""
    parents = parents.copy()
    while wrong:
        event, parent = rng.integers(len(parents)), rng.integers(ROOT, len(parents))
        if (event, parent) in before(parents) or parent in (event, parents[event]):
            continue
        parents[event] = parent
        wrong -= 1
    return parents


def chain(order):
    parents = np.full(len(order), ROOT)
    parents[order[1:]] = order[:-1]
    return parents


def covers(one, other, budget=ENOUGH):
    lower, upper = minimum_covers(np.array(one)[None], np.array(other)[None], budget)
    return int(lower[0]), int(upper[0])


class TestMinimumCovers:
    @pytest.mark.parametrize("events", [1, 2, 3])
    def test_all_pairs_of_small_forests_follow_the_definition(self, events):
        for one, other in product(all_forests(events), repeat=2):
            expected = must_go(one, other)
            assert covers(one, other) == (expected, expected)

    @pytest.mark.parametrize("events", [4, 5, 6, 7, 8])
    @pytest.mark.parametrize("bushy", [0.2, 1.0])
    def test_random_forests_follow_the_definition(self, events, bushy):
        rng = np.random.default_rng([51, events, int(10 * bushy)])
        for _ in range(30):
            one, other = grown(rng, events, bushy), grown(rng, events)
            expected = must_go(one, other)
            assert covers(one, other) == (expected, expected)

    @pytest.mark.parametrize("events", [12, 20, 40])
    def test_networkx_finds_no_larger_agreement(self, events):
        rng = np.random.default_rng([52, events])
        for _ in range(10):
            one = random_forest(rng, events, trees=2).parents
            for other in (spoiled(rng, one, events // 4), grown(rng, events)):
                expected = by_networkx(one, other)
                assert covers(one, other) == (expected, expected)

    @pytest.mark.parametrize(("events", "wrong"), [(65, 10), (100, 20), (200, 30)])
    def test_an_integer_program_finds_no_larger_agreement(self, events, wrong):
        rng = np.random.default_rng([53, events])
        for bushy in (0.3, 1.0):
            one = grown(rng, events, bushy)
            other = spoiled(rng, one, wrong)
            expected = by_integer_program(one, other)
            assert covers(one, other) == (expected, expected)

    @pytest.mark.parametrize("events", [2, 10, 63, 64, 65, 128, 200])
    def test_two_chains_agree_on_the_longest_run_in_the_same_order(self, events):
        rng = np.random.default_rng([54, events])
        for _ in range(3):
            order, numbers = rng.permutation(events), rng.permutation(events)
            expected = out_of_order(numbers)
            assert covers(chain(order), chain(order[numbers])) == (expected, expected)

    def test_further_events_without_conflict_change_nothing_wherever_they_are_listed(self):
        """A small difference spread over three words of 64 events."""
        rng = np.random.default_rng(55)
        for _ in range(20):
            place = rng.permutation(150)[:7]
            wide = np.full((2, 150), ROOT)
            narrow = grown(rng, 7), grown(rng, 7)
            for parents, few in zip(wide, narrow, strict=True):
                parents[place] = np.where(few == ROOT, ROOT, place[few])
            expected = must_go(*narrow)
            assert covers(*wide) == (expected, expected)

    def test_of_a_reversed_chain_one_event_can_be_kept(self):
        order = np.arange(2000)
        assert covers(chain(order), chain(order[::-1])) == (1999, 1999)
        assert covers(chain(order), np.full(2000, ROOT)) == (1999, 1999)

    def test_independent_differences_add_up(self):
        """200 chains of three, one event moved in each: components, one below another."""
        one = np.array([ROOT, 0, 1] * 200)
        one[one != ROOT] += np.repeat(np.arange(0, 600, 3), 2)
        other = one.copy()
        other[1::3] = ROOT
        assert covers(one, other) == (200, 200)

    @pytest.mark.parametrize("events", [5, 70])
    def test_a_batch_has_the_bounds_of_each_pair(self, events):
        rng = np.random.default_rng([56, events])
        parents = np.array([grown(rng, events) for _ in range(20)])
        others = np.array([spoiled(rng, row, k % 4) for k, row in enumerate(parents)])
        assert minimum_covers(parents, others, ENOUGH)[0].tolist() == [
            covers(one, other)[0] for one, other in zip(parents, others, strict=True)
        ]
        assert minimum_covers(parents, others[:1], ENOUGH)[0].tolist() == [
            covers(one, others[0])[0] for one in parents
        ]


class TestBudget:
    def pairs(self):
        rng = np.random.default_rng(57)
        for events in (8, 20, 40, 100):
            for _ in range(25):
                one = grown(rng, events, bushy=0.5)
                yield one, spoiled(rng, one, events // 4)

    @pytest.mark.parametrize("budget", [0, 1, 5, 20])
    def test_the_truth_lies_between_the_bounds(self, budget):
        open_ends = 0
        for one, other in self.pairs():
            exact, same = covers(one, other)
            lower, upper = covers(one, other, budget)
            assert exact == same
            assert 0 <= lower <= exact <= upper < len(one)
            open_ends += lower < upper
        assert open_ends  # or nothing was given up

    def test_more_nodes_do_not_widen_the_bounds_of_these_pairs(self):
        for one, other in self.pairs():
            widths = [np.ptp(covers(one, other, budget)) for budget in (0, 10, 100, ENOUGH)]
            assert widths == sorted(widths, reverse=True)
            assert widths[-1] == 0

    def test_a_very_hard_pair_is_bounded_in_limited_time(self):
        rng = np.random.default_rng(58)
        numbers = rng.permutation(600)
        exact = out_of_order(numbers)
        lower, upper = covers(chain(np.arange(600)), chain(numbers), budget=0)
        assert lower <= exact <= upper
        assert upper - lower < 60


class TestFirstCyclic:
    def test_the_first_row_with_a_cycle_is_found(self):
        rows = np.array([[ROOT, 0, 1], [1, ROOT, 1], [1, 2, 0], [0, ROOT, ROOT]])
        assert first_cyclic(rows) == 2
        assert first_cyclic(rows[:2]) == -1
        assert first_cyclic(rows[3:]) == 0

    def test_there_are_as_many_forests_as_cayley_says(self):
        for events in range(1, 6):
            assert len(all_forests(events)) == (events + 1) ** (events - 1)


class TestCompiled:
    @pytest.mark.parametrize(
        ("pairs", "events"), [(0, 3), (1, 1), (20, 2), (20, 9), (5, 30), (2, 64), (2, 65)]
    )
    @pytest.mark.parametrize("budget", [0, 3, ENOUGH])
    def test_compiled_bounds_are_those_of_python(self, pairs, events, budget):
        rng = np.random.default_rng([59, events])
        parents = np.array([grown(rng, events, 0.5) for _ in range(pairs)], dtype=np.int64)
        others = np.array([grown(rng, events) for _ in range(pairs)], dtype=np.int64)
        parents, others = parents.reshape(pairs, events), others.reshape(pairs, events)
        for second in (others, others[:1]):
            expected = uncompiled("unordered_distance").minimum_covers(parents, second, budget)
            found = minimum_covers(parents, second, budget)
            assert [bounds.tolist() for bounds in found] == [each.tolist() for each in expected]

    @pytest.mark.parametrize(("rows", "events"), [(0, 3), (1, 1), (4, 2), (4, 5)])
    def test_compiled_search_for_cycles_is_that_of_python(self, rows, events):
        rng = np.random.default_rng([60, events])
        for _ in range(20):
            parents = rng.integers(ROOT, events, (rows, events))
            assert first_cyclic(parents) == uncompiled("unordered_distance").first_cyclic(parents)
