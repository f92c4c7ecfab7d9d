"""CAPRESE with seen orders: temporal priority by what was seen, against its literal definition."""

from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import definitions
from caprese import Caprese, Dataset, Hazards, Noise, bootstrap, datasets, judge
from caprese import read_fit as read
from caprese import write_fit as write
from caprese.data.seen_orders import SeenOrders
from caprese.fitting.priority import edges_of_cycles
from caprese.methods.evidence import Reason
from caprese.methods.protocols import OrderedLearning, is_quick
from caprese.text.facts import in_words
from strategies import datasets as data_sets
from strategies import entries

ROOT = definitions.DIAMOND


def surely_first(data):
    """In how many samples i was surely seen before j."""
    n = len(data.events)
    first = [[0] * n for _ in range(n)]
    for seen in data.orders.rows():
        if seen.confidence >= 0.9:
            first[data.events.index(seen.earlier)][data.events.index(seen.later)] += 1
    return first


def definition(data, shrinkage, least):
    """The parents of all events, one step after the other."""
    rows, first, n = entries(data), surely_first(data), len(data.events)

    def decided(i, j):
        return first[i][j] + first[j][i] >= least and first[i][j] != first[j][i]

    def earlier(i, j):
        return (
            first[i][j] > first[j][i]
            if decided(i, j)
            else definitions.temporal_priority(rows, i, j)
        )

    def weight(x, j):
        if not decided(x, j):
            return definitions.desper(rows, x, j)
        pair = definitions.known(rows, x, j)
        alone = definitions.probability(pair, x) * definitions.probability(pair, j)
        if not alone:
            return Fraction(0)
        share = Fraction(first[x][j], first[x][j] + first[j][x])
        return share * definitions.joint(pair, x, j) / alone

    def filtered(j):
        return all(
            definitions.desper_root(definitions.known(rows, x, j), j) > weight(x, j)
            for x in range(n)
            if x != j and earlier(x, j)
            if any(not row[x] for row in definitions.known(rows, x, j))
            if any(row[j] for row in definitions.known(rows, x, j))
        )

    score = {
        (i, j): definitions.estimator(rows, i, j, shrinkage) for i, j in permutations(range(n), 2)
    }
    allowed = {pair for pair in score if score[pair] > 0 and earlier(*pair)}
    allowed = {(i, j) for i, j in allowed if not filtered(j)}
    while True:
        parents = []
        for j in range(n):
            mine = {i: score[i, j] for i in range(n) if (i, j) in allowed}
            best = [i for i in mine if mine[i] == max(mine.values())]
            parents.append(best[0] if len(best) == 1 else ROOT)
        on_cycle = [j for j in range(n) if j in above(parents, j)]
        if not on_cycle:
            return parents
        for cycle in {frozenset(above(parents, j)) for j in on_cycle}:
            edges = [(parents[j], j) for j in cycle]
            weak = [edge for edge in edges if not decided(*edge)] or edges
            lowest = min(score[edge] for edge in weak)
            allowed -= {edge for edge in weak if score[edge] == lowest}


def above(parents, event):
    """The events on the way from an event to the root, or round its cycle."""
    found = []
    while parents[event] != ROOT and parents[event] not in found:
        event = parents[event]
        found.append(event)
    return found


def with_rankings(data, seed):
    """Seen orders of random pairs of each sample, most of them in the reverse of frequency."""
    rng = np.random.default_rng(seed)
    liking = rng.permutation(len(data.events))
    rows = []
    for name, values in zip(data.samples, data.values, strict=True):
        carried = sorted(np.flatnonzero(values), key=lambda e: liking[e] + 2 * rng.random())
        for i, j in pairwise(carried):
            rows.append((name, data.events[i], data.events[j], rng.choice([0.8, 0.95])))
    return data.with_orders(SeenOrders.from_rows(rows)) if rows else data


@given(data_sets(), st.integers(0, 99), st.sampled_from([1, 2]), st.sampled_from([0.01, 0.5]))
def test_parents_are_those_of_the_definition(data, seed, least, shrinkage):
    data = with_rankings(data, seed)
    fit = Caprese(shrinkage=shrinkage, orders_at_least=least).fit(data)
    if data.orders is None:
        assert fit.model == Caprese(shrinkage=shrinkage).fit(data).model
    else:
        assert fit.model.parents.tolist() == definition(data, Fraction(shrinkage), least)
    for event, reason in enumerate(fit.evidence.reasons):
        assert (reason is Reason.EDGE) == (fit.model.parents[event] != ROOT)
        if reason is Reason.NO_PARENT:
            assert not fit.evidence.admissible[:, event].any()


@pytest.mark.parametrize("seed", range(8))
def test_parents_of_many_samples_are_those_of_the_definition(seed):
    rng = np.random.default_rng(seed)
    common = rng.random((60, 1)) < 0.5
    data = Dataset((rng.random((60, 6)) < 0.35) | (common & (rng.random((60, 6)) < 0.6)), "abcdef")
    data = with_rankings(data, seed)
    found = Caprese(orders_at_least=3).fit(data).model.parents
    assert found.tolist() == definition(data, Fraction(1, 2), 3)


@given(data_sets(), st.integers(0, 99), st.randoms())
def test_the_order_of_columns_and_rows_does_not_matter(data, seed, random):
    data = with_rankings(data, seed)
    names = random.sample(data.events, len(data.events))
    rows = random.sample(range(len(data.samples)), len(data.samples))
    method = Caprese(orders_at_least=1)
    shuffled = method.fit(data.take_events(names).take_samples(rows))
    assert set(shuffled.edges) == set(method.fit(data).edges)


class TestCycles:
    SCORE = np.array([[0, 0.9, 0.1], [0.1, 0, 0.7], [0.8, 0.1, 0]])
    ROUND = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=bool)

    def test_the_weakest_edge_that_rests_on_frequency_is_removed(self):
        seen = np.zeros((3, 3), dtype=bool)
        assert np.argwhere(edges_of_cycles(self.SCORE, self.ROUND, seen)).tolist() == [[1, 2]]
        seen[1, 2] = seen[2, 1] = True
        assert np.argwhere(edges_of_cycles(self.SCORE, self.ROUND, seen)).tolist() == [[2, 0]]

    def test_if_all_rest_on_seen_orders_the_weakest_is_removed(self):
        everywhere = np.ones((3, 3), dtype=bool)
        found = edges_of_cycles(self.SCORE, self.ROUND, everywhere)
        assert np.argwhere(found).tolist() == [[1, 2]]

    def test_equal_ones_are_removed_together(self):
        seen = np.zeros((3, 3), dtype=bool)
        found = edges_of_cycles(np.full((3, 3), 0.5), self.ROUND, seen)
        assert (found == self.ROUND).all()

    def test_a_child_takes_its_next_parent(self):
        allowed = self.ROUND | np.array([[0, 0, 1], [0, 0, 0], [0, 0, 0]], dtype=bool)
        found = edges_of_cycles(self.SCORE, allowed, np.zeros((3, 3), dtype=bool))
        assert np.argwhere(found).tolist() == [[0, 2], [1, 2]]  # the next closes one, too

    def test_without_a_cycle_nothing_is_removed(self):
        chain = np.triu(np.ones((3, 3), dtype=bool), 1)
        assert not edges_of_cycles(self.SCORE, chain, np.zeros((3, 3), dtype=bool)).any()


MISLED = Hazards(
    ("early", "late", "other"),
    rates=(0.3, 0.5, 0.6),
    effects=((1.0, 12.0, 1.0), (1.0, 1.0, 1.0), (1.0, 1.0, 1.0)),
)
"""The early event is rare and speeds the late one up, which also comes by itself."""


def histories(samples, seed, share):
    """Samples of which some show in which order their events came."""
    rng = np.random.default_rng(seed)
    drawn = MISLED.trajectories(samples, rng)
    data, rows = drawn.data, []
    for name, order in zip(data.samples, drawn.orders(), strict=True):
        if rng.random() < share:
            rows += [(name, a, b) for a, b in pairwise(order)]
    return data.with_orders(SeenOrders.from_rows(rows))


@pytest.mark.parametrize("seed", range(5))
def test_seen_orders_repair_a_direction_in_which_frequency_misleads(seed):
    data = histories(400, seed, share=0.3)
    early, late, _ = data.frequency
    assert early < late
    by_frequency, by_orders = Caprese().fit(data), Caprese(orders_at_least=10).fit(data)
    assert ("late", "early") in by_frequency.edges
    assert ("early", "late") in by_orders.edges
    assert by_orders.evidence.seen[0, 1]


def test_too_few_samples_with_orders_leave_it_to_frequency():
    data = histories(400, 1, share=0.3)
    seen = int(sum(map(sum, surely_first(data))))
    few = Caprese(orders_at_least=seen + 1).fit(data)
    assert few.model == Caprese().fit(data).model
    assert not few.evidence.seen.any()


def test_orders_that_are_not_sure_do_not_count():
    data = histories(400, 1, share=0.3)
    rows = [(*seen[:3], 0.89) for seen in data.orders.rows()]
    unsure = data.with_orders(SeenOrders.from_rows(rows))
    assert Caprese(orders_at_least=1).fit(unsure).model == Caprese().fit(data).model


def test_orders_are_used_with_estimated_errors_and_a_chosen_shrinkage():
    data = histories(400, 2, share=0.3)
    for method in (
        Caprese(orders_at_least=10, noise=Noise(0.01, 0.01)),
        Caprese(orders_at_least=10, shrinkage="auto"),
    ):
        assert ("early", "late") in method.fit(data).edges
    estimated = Caprese(orders_at_least=10, noise="estimate").fit(data)
    assert not estimated.evidence.admissible[1, 0]  # late before early


def test_whether_orders_are_used_is_said():
    assert isinstance(Caprese(), OrderedLearning)
    assert not Caprese().uses_orders
    assert Caprese(orders_at_least=5).uses_orders
    assert is_quick(Caprese())
    assert not is_quick(Caprese(orders_at_least=5))
    data = histories(400, 3, share=0.3)
    assert Caprese().fit(data).evidence.notes() == ()
    assert in_words(Caprese(orders_at_least=10).fit(data).evidence.notes()) == [
        "seen orders say which came first of 3 of 3 pairs of events, frequencies of the others"
    ]


def test_without_the_option_nothing_has_changed(tmp_path):
    assert repr(Caprese()) == "Caprese(shrinkage=0.5, noise=None)"
    assert repr(Caprese(orders_at_least=4)).endswith("noise=None, orders_at_least=4)")
    data = histories(400, 3, share=0.3)
    one, other = Caprese().fit(data), Caprese().fit(data.without_orders())
    assert one.model == other.model
    assert one.evidence == other.evidence
    write(Caprese().fit(datasets.ovarian()), tmp_path / "fit.json")
    assert "orders_at_least" not in (tmp_path / "fit.json").read_text()
    fit = Caprese(orders_at_least=10).fit(data)
    write(fit, tmp_path / "fit.json")
    assert read(tmp_path / "fit.json") == fit


def test_bootstrap_and_judge_take_the_orders_along():
    data = histories(400, 4, share=0.5)
    confidence = bootstrap(Caprese(orders_at_least=10), data, replicates=20, jobs=1)
    assert confidence.table().loc["early", "late"] > 0.8
    assert judge([Caprese(orders_at_least=10)], data, folds=3, jobs=1).methods[0] == "caprese"
