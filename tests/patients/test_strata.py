"""Strata: which samples belong together by where they stand."""

import numpy as np
import pytest

from caprese import ROOT, Dataset, Forest, IndependentEvents, ModelError, Poset, place
from caprese.patients.strata import strata

TWO_TREES = Forest(tuple("abcxy"), (ROOT, 0, 0, ROOT, 3), (0.5,) * 5)
ONE_TREE = Forest(tuple("rabxy"), (ROOT, 0, 1, 0, 3), (0.5,) * 5)


def placed(rows, events):
    data = Dataset.from_rows(rows, events=events)
    return place(IndependentEvents().fit(data), data, simulated=10)


def names(rows, by, order=None, events="abcxy"):
    found = strata(placed(rows, events), by, np.arange(len(rows)), order=order)
    return [found.names[k] for k in found.groups]


def test_a_sample_is_on_the_branch_of_which_it_has_most_events():
    rows = [[1, 1, 0, 1, 0], [0, 0, 0, 1, 0], [1, 0, 0, 0, 1], [0, 0, 0, 0, 0], [0, 1, 1, 0, 0]]
    assert names(rows, "branch", TWO_TREES) == ["a", "x", "several branches", "no event", "a"]


def test_a_single_tree_divides_where_it_first_branches():
    rows = [[1, 1, 1, 0, 0], [1, 0, 0, 1, 0], [1, 0, 0, 0, 0]]
    assert names(rows, "branch", ONE_TREE, "rabxy") == ["a", "x", "no event"]


def test_an_event_below_two_roots_counts_for_both():
    order = Poset(("a", "b", "c"), ((), (), (0, 1)))
    rows = [[1, 1, 1], [1, 0, 0], [0, 1, 1]]
    assert names(rows, "branch", order, "abc") == ["several branches", "a", "b"]


def test_the_order_of_events_of_model_and_samples_may_differ():
    rows = [[0, 1, 0, 1, 1], [1, 0, 1, 0, 0]]
    assert names(rows, "branch", TWO_TREES, "xaycb") == ["a", "x"]


def test_small_branches_are_pooled():
    events = tuple("abcdefgh")
    star = Forest(events, (ROOT,) * 8, (0.5,) * 8)
    rows = [[int(k == j) for j in range(8)] for k in range(8) for _ in range(8 - k)]
    rows += [[0] * 8]
    found = strata(placed(rows, events), "branch", np.arange(len(rows)), order=star)
    assert found.names == ("a", "b", "c", "d", "other branches", "no event")
    assert found.pooled == ("e", "f", "g", "h")
    assert np.bincount(found.groups).tolist() == [8, 7, 6, 5, 4 + 3 + 2 + 1, 1]


def test_progress_is_cut_where_the_halves_are_most_equal():
    rows = [[0, 0, 0, 0, 0]] * 3 + [[1, 0, 0, 0, 0]] * 2 + [[1, 1, 0, 0, 0], [1, 1, 1, 0, 0]]
    assert names(rows, "progress") == ["0 events"] * 3 + ["1 to 3 events"] * 4
    expected = ["0 events"] * 3 + ["1 event"] * 2 + ["2 to 3 events"] * 2
    assert names(rows, "thirds") == expected


def test_an_event_divides_in_two_and_may_be_called_as_a_way_is():
    assert names([[1, 0], [0, 0]], "a", events="ab") == ["with a", "without a"]
    rows, events = [[1, 0, 0], [0, 0, 1]], ["subtype", "progress", "z"]
    assert names(rows, "event:subtype", events=events) == ["with subtype", "without subtype"]


def test_what_cannot_divide_is_refused():
    placement = placed([[1, 0], [0, 1]], "ab")
    rows = np.arange(2)
    with pytest.raises(ModelError, match=r"by branch, progress, thirds, subtype or an event, and"):
        strata(placement, "zz", rows)
    with pytest.raises(ModelError, match="no event 'progres'; did you mean 'progress'"):
        strata(placement, "progres", rows)
    with pytest.raises(ModelError, match="no subtypes to divide samples by"):
        strata(placement, "subtype", rows)
    with pytest.raises(ModelError, match="this model has no order of events, so samples have no"):
        strata(placement, "branch", rows)


def test_only_the_samples_asked_for_are_divided():
    placement = placed([[1, 0], [0, 0], [1, 1]], "ab")
    found = strata(placement, "b", np.array([0, 1]))
    assert found.names == ("without b",)
    assert found.groups.tolist() == [0, 0]
