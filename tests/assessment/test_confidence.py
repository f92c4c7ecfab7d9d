"""Confidence: exact values of what is read off the votes."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest

from caprese import (
    CBN,
    Caprese,
    Confidence,
    Counts,
    Dataset,
    ModelError,
    bootstrap,
    consensus,
    datasets,
)
from caprese.assessment import bootstrap as bootstrap_module
from caprese.assessment import confidence as confidence_module
from caprese.assessment.confidence import (
    UNDETERMINED,
    monte_carlo_interval,
    most_frequent,
    ranked_votes,
)
from caprese.models.forest import ROOT

EVENTS = ("a", "b", "c")
# Rows: a, b and c as parents, the root, and nobody; ten replicates.
VOTES = np.array([[0, 6, 1], [2, 0, 5], [0, 1, 0], [8, 2, 0], [0, 1, 4]])
ANCESTORS = np.array([[0, 7, 6], [2, 0, 5], [0, 1, 0]])


def confidence(parent_sets=((), (0,), (1,)), votes=VOTES, events=EVENTS):
    return Confidence(events, parent_sets, 10, 4, votes, ANCESTORS, (), (1,), "digest")


class TestTheTableOfEdges:
    table = confidence().edge_table()

    def test_parents_and_support(self):
        assert self.table.index.tolist() == ["a", "b", "c"]
        assert self.table["parent"].fillna("root").tolist() == ["root", "a", "b"]
        assert self.table["support"].tolist() == [0.8, 0.6, 0.5]

    def test_intervals_are_those_of_the_support(self):
        for event, times in (("a", 8), ("b", 6), ("c", 5)):
            low, high = monte_carlo_interval(times, 10)
            assert tuple(self.table.loc[event, ["low", "high"]]) == pytest.approx((low, high))

    def test_direction_is_the_share_of_the_pairs_that_are_this_way_round(self):
        # a was a parent of b six times, b of a twice; b of c five times, c of b once.
        assert self.table["direction"].tolist()[1:] == [6 / 8, 5 / 6]
        assert self.table["adjacency"].tolist()[1:] == [0.8, 0.6]

    def test_ancestors_may_be_further_away(self):
        assert self.table["ancestor"].tolist()[1:] == [0.7, 0.5]

    def test_at_the_root_there_is_no_pair(self):
        assert self.table.loc["a", ["adjacency", "direction", "ancestor"]].isna().all()

    def test_neither_is_there_for_an_undetermined_event(self):
        table = confidence(((), (0,), (UNDETERMINED,))).edge_table()
        assert table.loc["c", "support"] == 0.4
        assert table.loc["c", ["adjacency", "direction", "ancestor"]].isna().all()
        assert table["parent"].isna().tolist() == [True, False, True]


def counts():
    return Counts.of(Dataset.from_rows([[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0]], EVENTS))


def test_undetermined_votes_count_for_the_root_of_the_consensus():
    assert consensus(confidence(), counts()).parents.tolist() == [ROOT, 0, 1]
    votes = VOTES.copy()
    votes[:, 2] = [0, 4, 0, 2, 4]  # b has most votes, but the root and nobody together more
    assert consensus(confidence(votes=votes), counts()).parents.tolist() == [ROOT, 0, ROOT]
    votes[:, 2] = [0, 6, 0, 2, 2]
    assert consensus(confidence(votes=votes), counts()).parents.tolist() == [ROOT, 0, 1]


@pytest.mark.parametrize("replicates", range(1, 60))
def test_the_interval_of_a_share_stays_between_0_and_1_and_holds_the_share(replicates):
    low, high = monte_carlo_interval([0, replicates], replicates)
    assert low[0] == 0
    assert high[1] == 1


def test_pairs_with_equally_many_votes_are_sorted_by_name():
    votes = {("b", "x"): 2, ("a", "y"): 2, ("a", "x"): 2, ("c", "x"): 3}
    expected = (("c", "x", 3), ("a", "x", 2), ("a", "y", 2), ("b", "x", 2))
    assert ranked_votes(votes) == expected


def test_models_that_were_found_equally_often_are_sorted():
    models = {((1,), ()): 2, ((), (0,)): 2, ((), ()): 5}
    assert most_frequent(models) == ((((), ()), 5), (((), (0,)), 2), (((1,), ()), 2))


@pytest.mark.parametrize("times", [0, 3, 9, 10])
def test_the_interval_of_a_share_is_that_of_wilson(times):
    expected = binomtest(times, 10).proportion_ci(0.9, method="wilson")
    assert monte_carlo_interval(times, 10, 0.9) == pytest.approx(tuple(expected), abs=1e-12)


@pytest.mark.parametrize("parent", [3, -1, -3])
def test_parents_out_of_range_are_refused(parent):
    with pytest.raises(ModelError, match="parent_sets must be positions of events"):
        confidence(((), (0,), (parent,)))


def test_a_cycle_is_refused():
    with pytest.raises(ModelError, match="the parents form a cycle among or above 'b', 'c'"):
        confidence(((), (2,), (1,)))


@pytest.mark.parametrize("parent", [2, UNDETERMINED])
def test_the_last_event_and_undetermined_are_in_range(parent):
    assert confidence(((), (parent,), (0,))).parent_sets[1] == (parent,)


def test_of_more_distinct_models_than_are_kept_the_most_frequent_are(monkeypatch):
    whole = bootstrap(Caprese(), datasets.ovarian(), replicates=400, seed=2).distinct_models
    assert len(whole) > 20
    for module in (bootstrap_module, confidence_module):
        monkeypatch.setattr(module, "KEPT", 3)
    few = bootstrap(Caprese(), datasets.ovarian(), replicates=400, seed=2).distinct_models
    assert [times for _, times in few] == [times for _, times in whole[:3]]
    assert set(few) <= set(whole)


@pytest.mark.slow
@pytest.mark.parametrize("method", [Caprese(), CBN()])
def test_only_the_first_replicates_are_distinguished(monkeypatch, method):
    monkeypatch.setattr(bootstrap_module, "MOST_DISTINGUISHED", 50)
    found = bootstrap(method, datasets.acml(), replicates=200, seed=2, jobs=1)
    first = bootstrap(method, datasets.acml(), replicates=50, seed=2, jobs=1)
    assert found.distinct_models == first.distinct_models
    assert found.replicates == 200


class TestPatterns:
    def made(self, times, seed=1):
        votes = (("P", "c", times),)
        return replace(
            confidence(), seeds=(seed,), pattern_edges=(("P", "c"),), pattern_votes=votes
        )

    def test_their_support_is_a_share_of_the_replicates(self):
        assert self.made(6).pattern_support("P", "c") == 0.6
        assert self.made(6).pattern_support("P", "a") == 0
        row = self.made(6).edge_table().iloc[-1]
        assert (row["parent"], row["support"]) == ("P", 0.6)
        assert (row["low"], row["high"]) == pytest.approx(monte_carlo_interval(6, 10))

    def test_votes_of_two_runs_are_added_up(self):
        both = self.made(6) + self.made(3, seed=2)
        assert both.pattern_votes == (("P", "c", 9),)
        assert both.pattern_support("P", "c") == 0.45
