"""Seen orders: what they hold, how they travel with a data set, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese.data.curation import (
    DropEvents,
    KeepMostFrequent,
    MergeEvents,
    MergeIdentical,
    curate,
)
from caprese.data.curation.rules import split
from caprese.data.dataset import Dataset
from caprese.data.seen_orders import Seen, SeenOrders
from caprese.errors import DatasetError

EVENTS = "abcde"


def orders(*rows):
    return SeenOrders.from_rows(rows)


def named(found):
    """The orders of a data set or of a table by name, whatever their places."""
    found = found.orders if isinstance(found, Dataset) else found
    return set() if found is None else {tuple(seen)[:4] for seen in found.rows()}


def closure_definition(pairs):
    """All that follows from certain pairs, one step after the other."""
    found = set(pairs)
    while True:
        more = {(s, a, d) for s, a, b in found for t, c, d in found if s == t and b == c}
        if more <= found:
            return found
        found |= more


@st.composite
def rankings(draw):
    """Pairs of events of two samples, each along a ranking: no contradictions."""
    ranks = [draw(st.permutations(EVENTS)) for _ in range(2)]
    chosen = st.tuples(st.integers(0, 1), st.integers(0, 4), st.integers(0, 4))
    picked = draw(st.lists(chosen.filter(lambda each: each[1] < each[2]), max_size=8))
    return [("pq"[k], ranks[k][i], ranks[k][j]) for k, i, j in picked]


@given(rankings())
def test_certain_orders_are_closed_under_transitivity(rows):
    assert {tuple(seen)[:3] for seen in orders(*rows).rows()} == closure_definition(rows)


@given(rankings(), st.randoms())
def test_the_order_of_rows_does_not_matter(rows, random):
    if not rows:
        return
    data = Dataset(np.ones((2, 5), dtype=bool), EVENTS, "pq")
    other = list(rows)
    random.shuffle(other)
    one, two = data.with_orders(orders(*rows)), data.with_orders(orders(*other))
    assert one == two
    assert one.digest == two.digest


def test_uncertain_orders_are_not_closed():
    assert len(orders(("p", "a", "b", 0.8), ("p", "b", "c", 0.8))) == 2


def test_an_order_of_low_confidence_is_turned_round():
    assert orders(("p", "a", "b", 0.2)).rows() == [Seen("p", "b", "a", 0.8)]


def test_what_follows_is_as_surely_nested_as_its_parts():
    found = orders(("p", "a", "b", 1, 0.9), ("p", "b", "c", 1, 0.7)).rows()
    assert found[1] == Seen("p", "a", "c", 1.0, 0.7)


def test_mixing_moves_the_confidence_towards_a_half():
    found = orders(("p", "a", "b", 0.8, 0.5)).mixed()
    assert found.confidence == pytest.approx([0.65])


def test_orders_at_odds_below_the_bound_are_data():
    found = orders(("p", "a", "b", 0.8), ("p", "b", "c", 0.8), ("p", "c", "a", 0.8))
    assert len(found) == 3


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("p", "a", "b"), ("p", "b", "a")], "sample 'p': its orders contradict each other"),
        (
            [("p", "a", "b", 0.9), ("p", "b", "c", 0.95), ("p", "c", "a")],
            "each comes before the others, 'a', 'b', 'c'",
        ),
        ([("p", "a", "b", 1.5)], r"'a' before 'b': confidence must be in \[0, 1\], got 1.5"),
        ([("p", "a", "b", float("nan"))], r"confidence must be in \[0, 1\], got nan"),
        ([("p", "a", "b", 1, -1)], r"nested must be in \[0, 1\], got -1"),
        ([("p", "a", "a")], "sample 'p': event 'a' cannot come before itself"),
        ([("p", "a", "b", 0.8), ("p", "b", "a", 0.8)], "the order of 'a' and 'b' is given twice"),
        ([("p", "a", "b", 0.8), ("p", "a", "b", 0.3)], "sample 'p': the order of 'a' and 'b' is"),
        ([("", "a", "b")], "sample 1 has no name|empty|blank"),
    ],
)
def test_bad_orders_are_refused(rows, message):
    with pytest.raises(DatasetError, match=message):
        orders(*rows)


class TestOfADataset:
    data = Dataset.from_rows(
        [[1, 1, 1, 0], [1, 1, 0, 1], [0, 1, 1, 1]], events="abcd", samples="pqr"
    ).with_orders(orders(("p", "a", "b"), ("p", "b", "c"), ("q", "b", "a", 0.8), ("r", "c", "d")))

    def test_it_says_how_many_there_are(self):
        assert repr(self.data).endswith("5 seen orders>")

    def test_they_follow_the_samples(self):
        found = self.data.take_samples([2, 0, 0])
        assert named(found) == {
            ("r", "c", "d", 1.0),
            *((name, *pair, 1.0) for name in ("p", "p.2") for pair in ("ab", "bc", "ac")),
        }

    def test_a_mask_takes_samples_too(self):
        assert named(self.data.take_samples([False, True, False])) == {("q", "b", "a", 0.8)}

    def test_they_follow_the_events(self):
        found = self.data.take_events("ca")
        assert named(found) == {("p", "a", "c", 1.0)}
        assert found.orders.events == ("c", "a")

    def test_without_any_left_there_are_none(self):
        assert self.data.take_samples([1]).take_events("ad").orders is None

    def test_what_they_say_of_absent_events_is_left_out(self):
        found = self.data.with_orders(orders(("p", "a", "d"), ("p", "a", "b")))
        assert named(found) == {("p", "a", "b", 1.0)}

    def test_they_belong_to_the_fingerprint(self):
        assert self.data.digest != self.data.without_orders().digest
        again = self.data.take_samples([2, 1, 0]).take_events("dcba")
        assert again.digest == self.data.digest

    def test_distinct_genotypes_have_no_orders(self):
        assert self.data.genotypes()[0].orders is None

    @pytest.mark.parametrize(
        ("row", "message"),
        [
            (("p", "a", "e"), "orders of event 'e', which the data lacks"),
            (("s", "a", "b"), "orders of sample 's', which the data lacks"),
        ],
    )
    def test_unknown_names_are_refused(self, row, message):
        with pytest.raises(DatasetError, match=message):
            self.data.with_orders(orders(row))

    def test_unknown_names_may_be_left_out(self):
        found = self.data.with_orders(orders(("s", "a", "b"), ("p", "a", "b")), extra=True)
        assert named(found) == {("p", "a", "b", 1.0)}

    def test_the_tally_sums_confidences(self):
        tally = self.data.orders.tally()
        assert (tally[0, 1], tally[1, 0]) == pytest.approx((1.2, 0.8))

    def test_dropped_events_take_their_orders_along(self):
        assert named(curate(self.data, [DropEvents([*"bc"])]).data) == set()
        assert named(curate(self.data, [KeepMostFrequent(1)]).data) == set()

    def test_a_union_comes_when_its_first_member_does(self):
        found = MergeEvents([*"ac"], into="ac").apply(self.data).data
        assert named(found) == {("p", "ac", "b", 1.0), ("q", "b", "ac", 0.8), ("r", "ac", "d", 1.0)}

    def test_a_union_is_later_only_if_all_its_members_are(self):
        found = MergeEvents([*"bc"], into="bc").apply(self.data).data
        assert named(found) == {("p", "a", "bc", 1.0), ("q", "bc", "a", 0.8), ("r", "bc", "d", 1.0)}

    def test_members_that_are_kept_keep_their_orders(self):
        found = MergeEvents([*"ac"], into="ac", keep_members=True).apply(self.data).data
        assert named(self.data) < named(found)
        assert ("r", "ac", "d", 1.0) in named(found)

    def test_identical_events_are_one_with_one_order(self):
        data = Dataset.from_rows([[1, 1, 1], [0, 0, 1]], events="abc", samples="pq")
        seen = data.with_orders(orders(("p", "a", "c"), ("p", "b", "a")))
        merged = MergeIdentical().apply(seen)
        assert named(merged.data) == {("p", "a / b", "c", 1.0)}
        assert named(split(merged, "a / b").data) == set()
