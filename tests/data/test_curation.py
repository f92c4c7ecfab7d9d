"""Curation: every change is logged, and none depends on the order of rows or columns."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from caprese.data.curation import (
    Curated,
    DropConstant,
    DropEvents,
    DropHypermutated,
    DropSeldomKnown,
    DropUnknownSamples,
    KeepEvents,
    KeepFrequent,
    KeepMostFrequent,
    MergeEvents,
    MergeIdentical,
    Step,
    curate,
    names_in,
    split,
    standard,
)
from caprese.data.curation.rules import composite_name, identical_events
from caprese.data.dataset import Dataset
from caprese.data.datasets import acml, ovarian
from caprese.errors import DatasetError
from caprese.io.json.codec import decode, encode
from strategies import datasets, entries, names, orders, rows

pytestmark = pytest.mark.slow

RULES = [
    DropConstant(),
    DropConstant(never=False),
    DropConstant(always=False),
    MergeIdentical(),
    MergeIdentical(longest=1),
    KeepFrequent(frequency=0.4),
    KeepFrequent(count=3),
    KeepFrequent(frequency=0.3, count=2),
    KeepMostFrequent(1),
    KeepMostFrequent(3),
    DropSeldomKnown(),
    DropSeldomKnown(least=0.6),
    DropUnknownSamples(),
    DropUnknownSamples(least=0.5),
    DropHypermutated(2),
]


def columns(data):
    """Return the entries of each event, by name of event and of sample."""
    listed = zip(*entries(data), strict=True)
    return {
        event: dict(zip(data.samples, column, strict=True))
        for event, column in zip(data.events, listed, strict=True)
    }


def counts_definition(data, event):
    column = [entry for entry in columns(data)[event].values() if entry is not None]
    return sum(column), len(column)


def constant_definition(data, event):
    return len(set(columns(data)[event].values()) - {None}) < 2


def union_definition(members):
    if any(entry == 1 for entry in members):
        return 1
    return None if any(entry is None for entry in members) else 0


def answer(rule, data):
    """Return what a rule does, or how it refuses."""
    try:
        curated = curate(data, rule if isinstance(rule, tuple) else [rule])
    except DatasetError as error:
        return str(error)
    return curated


def shuffled(data, row_order, column_order):
    known = np.ones_like(data.values) if data.known is None else data.known
    return Dataset(
        data.values[row_order][:, column_order],
        tuple(data.events[k] for k in column_order),
        tuple(data.samples[k] for k in row_order),
        known[row_order][:, column_order],
    )


class TestEveryRule:
    @settings(max_examples=100)
    @given(st.sampled_from([standard(), *RULES]), st.data())
    def test_the_order_of_rows_and_columns_does_not_matter(self, rule, draw):
        data = draw.draw(datasets())
        other = shuffled(
            data,
            draw.draw(orders(len(data.samples))),
            draw.draw(orders(len(data.events))),
        )
        before, after = answer(rule, data), answer(rule, other)
        if isinstance(before, str):
            assert before == after
        else:
            assert before.log == after.log
            assert columns(before.data) == columns(after.data)

    @settings(max_examples=100)
    @given(st.sampled_from(RULES), datasets())
    def test_the_log_names_exactly_what_was_removed(self, rule, data):
        after = answer(rule, data)
        assume(isinstance(after, Curated))
        events = [event for step in after.log for event in step.events]
        samples = [sample for step in after.log for sample in step.samples]
        made = {step.composite for step in after.log if step.composite}
        assert sorted(events) == sorted(set(events))
        assert set(data.events) - set(after.data.events) <= set(events)
        assert set(after.data.events) - set(data.events) <= made
        assert set(data.samples) - set(after.data.samples) == set(samples)
        assert len(after.data.events) == len(data.events) - len(events) + len(made)

    @settings(max_examples=100)
    @given(st.sampled_from(RULES), datasets())
    def test_remaining_columns_keep_their_values_and_positions(self, rule, data):
        after = answer(rule, data)
        assume(isinstance(after, Curated))
        touched = {event for step in after.log for event in step.events}
        stayed = [event for event in after.data.events if event in set(data.events) - touched]
        assert stayed == [event for event in data.events if event in stayed]
        for event in stayed:
            kept = columns(after.data)[event]
            assert kept == {sample: columns(data)[event][sample] for sample in after.data.samples}

    @settings(max_examples=100)
    @given(st.sampled_from(RULES), datasets())
    def test_applying_a_rule_again_adds_no_step(self, rule, data):
        once = answer(rule, data)
        assume(isinstance(once, Curated))
        assert answer(rule, once.data) == Curated(once.data)

    @settings(max_examples=100)
    @given(st.sampled_from(RULES), datasets())
    def test_there_is_a_step_if_and_only_if_the_data_changed(self, rule, data):
        after = answer(rule, data)
        assume(isinstance(after, Curated))
        assert (after.data == data) == (after.log == ())

    @given(datasets(), st.lists(st.sampled_from(RULES), max_size=4))
    def test_a_log_can_be_written_and_read(self, data, rules):
        after = answer(tuple(rules), data)
        assume(isinstance(after, Curated))
        assert decode(tuple[Step, ...], encode(after.log), "log") == after.log

    @pytest.mark.parametrize(
        "rule", [*RULES, KeepEvents(["b", "a"]), DropEvents({"a"}), MergeEvents(["b", "a"])]
    )
    def test_a_rule_is_a_value(self, rule):
        assert eval(repr(rule)) == rule
        assert len({rule, eval(repr(rule))}) == 1


class TestCoverage:
    DATA = Dataset.from_rows(
        [[1, 1, 0, None]] * 3
        + [[0, None, 1, None]] * 7
        + [[0, None, 1, None]] * 2
        + [[1, None, 0, 1]],
        events=["often", "of three", "mostly", "of one"],
    )

    def test_a_gene_found_in_one_of_one_examined_sample_is_left_out_with_a_note(self):
        curated = curate(self.DATA)
        assert curated.data.events == ("often", "mostly")
        (seldom, always) = curated.log
        assert (seldom.why, seldom.events) == ("known in less than 20 % of samples", ("of one",))
        assert seldom.counts == ((1, 1),)
        assert always.events == ("of three",)

    def test_what_is_known_in_exactly_that_share_stays(self):
        rule = DropSeldomKnown(least=3 / 13)
        assert rule.apply(self.DATA).data.events == ("often", "of three", "mostly")

    def test_the_top_goes_by_carriers_not_by_the_share_among_the_few_that_were_examined(self):
        assert KeepMostFrequent(1).apply(self.DATA).data.events == ("mostly",)
        assert KeepMostFrequent(2).apply(self.DATA).data.events == ("often", "mostly")

    def test_nothing_left_says_what_would_keep_it(self):
        data = Dataset.from_rows([[1, None], [None, 1], *[[None, None]] * 9], events="ab")
        with pytest.raises(DatasetError, match="known in less than 20 % of samples; coverage=0"):
            curate(data)


class TestStandard:
    @given(datasets())
    def test_no_event_is_constant_and_no_two_are_identical(self, data):
        after = answer(standard(), data)
        if isinstance(after, str):
            assert all(constant_definition(data, event) for event in data.events)
            return
        found = columns(after.data)
        assert not any(constant_definition(after.data, event) for event in found)
        assert len({tuple(column.values()) for column in found.values()}) == len(found)
        assert all(set(row) != {None} for row in entries(after.data))

    @given(datasets())
    def test_each_part_can_be_switched_off(self, data):
        parts = ("constant", "identical", "unknown_samples", "many")
        off = {"coverage": 0, **dict.fromkeys(parts, False)}
        assert curate(data, standard(**off)) == Curated(data)
        for part, rule in zip(off, standard(), strict=True):
            assert standard(**{**off, part: 0.2 if part == "coverage" else True}) == (rule,)

    @pytest.mark.parametrize("data", [ovarian(), acml()], ids=["ovarian", "acml"])
    def test_good_data_is_not_changed(self, data):
        assert curate(data) == Curated(data)

    def test_of_more_than_fifty_events_the_twenty_most_frequent_are_kept(self):
        events = [f"e{k:02}" for k in range(51)]
        data = Dataset(np.tri(60, 51, -5, dtype=bool), events)
        found = curate(data)
        assert found.data.events == tuple(events[:20])
        (step,) = found.log
        assert step.why == "less frequent than the 20 that are kept of more than 50 events"
        assert curate(data, standard(many=False)) == Curated(data)
        fifty = data.take_events(events[:50])
        assert curate(fifty) == Curated(fifty)

    def test_the_log_has_every_step(self):
        data = Dataset.from_rows(
            [
                [1, 0, 1, 1, None],
                [0, 0, 1, 0, None],
                [None, None, 1, None, None],
                [1, None, 1, 1, None],
            ],
            events=["b", "no", "yes", "a", "dark"],
            samples="pqrs",
        )
        curated = curate(data)
        assert curated.log == (
            Step("drop", "never known", ("dark",), counts=((0, 0),)),
            Step("drop", "never seen", ("no",), counts=((0, 2),)),
            Step("drop", "always seen", ("yes",), counts=((4, 4),)),
            Step("merge", "identical", ("a", "b"), (), "a / b", ((2, 3), (2, 3))),
            Step("drop", "no event known", (), ("r",), counts=((0, 1),)),
        )
        assert curated.data == Dataset.from_rows([[1], [0], [1]], ["a / b"], "pqs")

    def test_data_without_any_variation_is_refused(self):
        data = Dataset.from_rows([[1, 0], [1, 0]], "ab")
        with pytest.raises(
            DatasetError, match="none of the 2 events would be left: never seen; always seen"
        ):
            curate(data)


class TestConstant:
    @given(datasets())
    def test_exactly_the_constant_events_are_dropped(self, data):
        after = answer(DropConstant(), data)
        varying = [event for event in data.events if not constant_definition(data, event)]
        if varying:
            assert list(after.data.events) == varying
            for step in after.log:
                assert step.counts == tuple(counts_definition(data, e) for e in step.events)
        else:
            many = len(data.events) > 1
            none = f"none of the {len(data.events)} events" if many else "no event"
            assert after.startswith(f"{none} would be left: ")


class TestIdentical:
    @given(datasets())
    def test_groups_are_those_of_equal_columns(self, data):
        found = columns(data)
        expected = {
            tuple(sorted(other for other in found if found[other] == found[event]))
            for event in found
        }
        assert identical_events(data) == tuple(sorted(g for g in expected if len(g) > 1))

    @given(datasets())
    def test_a_composite_has_the_values_of_each_member(self, data):
        after = MergeIdentical().apply(data)
        for step in after.log:
            for event in step.events:
                assert columns(after.data)[step.composite] == columns(data)[event]

    def test_events_that_differ_in_an_unknown_entry_are_not_identical(self):
        data = Dataset.from_rows([[1, 1], [0, None]], "ab")
        assert MergeIdentical().apply(data) == Curated(data)

    def test_the_name_of_a_composite_is_unique(self):
        table = [[1, 1, 0, 1, 1], [0, 0, 1, 1, 1]]
        data = Dataset.from_rows(table, ["a", "b", "a / b", "a / ", "c"])
        assert MergeIdentical().apply(data).data.events == ("a / b.2", "a / b", "a /  / c")

    def test_two_composites_have_different_names_even_if_their_members_read_the_same(self):
        data = Dataset.from_rows([[1, 0, 1, 0], [0, 1, 0, 1]], ["a", "a / b", "b / c", "c"])
        assert MergeIdentical().apply(data).data.events == ("a / b / c", "a / b / c.2")

    @pytest.mark.parametrize(
        ("members", "longest", "name"),
        [
            ("ba", 60, "a / b"),
            ("abcd", 13, "a / b / c / d"),
            ("abcd", 12, "a / +3 more"),
            ("abcdefghij", 19, "a / b / c / +7 more"),
            (["long name", "longer name"], 5, "long name / +1 more"),
        ],
    )
    def test_a_long_name_counts_the_members_that_do_not_fit(self, members, longest, name):
        assert composite_name(members, longest) == name


class TestSelection:
    @given(datasets(), st.sampled_from([0.0, 0.1, 0.25, 1 / 3, 0.5, 1.0]), st.integers(0, 4))
    def test_frequent_events_reach_the_threshold(self, data, frequency, count):
        def stays(event):
            present, known = counts_definition(data, event)
            return present >= count and present / (known or 1) >= frequency

        expected = [event for event in data.events if stays(event)]
        after = answer(KeepFrequent(frequency=frequency, count=count), data)
        assert isinstance(after, str) if not expected else list(after.data.events) == expected

    @pytest.mark.parametrize("percent", range(1, 100))
    def test_a_frequency_equal_to_the_threshold_is_enough(self, percent):
        data = Dataset.from_rows([[k < percent] for k in range(100)], ["a"])
        assert KeepFrequent(frequency=percent / 100).apply(data) == Curated(data)

    @given(datasets(), st.integers(1, 6))
    def test_the_most_frequent_events_have_more_carriers_or_more_coverage_than_the_others(
        self, data, number
    ):
        ranks = {event: tuple(counts_definition(data, event)) for event in data.events}
        expected = [
            event
            for event in data.events
            if sum(rank >= ranks[event] for rank in ranks.values()) <= number
        ]
        after = answer(KeepMostFrequent(number), data)
        assert isinstance(after, str) if not expected else list(after.data.events) == expected

    def test_a_tie_at_the_last_position_is_a_step_of_its_own(self):
        data = Dataset.from_rows([[1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 0]], "abcd")
        assert KeepMostFrequent(2).apply(data).log == (
            Step("drop", "less frequent than the first 2", ("d",), counts=((0, 3),)),
            Step("drop", "tied for place 2", ("b", "c"), counts=((1, 3), (1, 3))),
        )

    def test_a_tie_of_all_events_is_refused(self):
        data = Dataset.from_rows([[1, 0], [0, 1]], "ab")
        with pytest.raises(
            DatasetError, match="none of the 2 events would be left: tied for place 1"
        ):
            KeepMostFrequent(1).apply(data)

    def test_reasons_of_rare_events(self):
        data = Dataset.from_rows([[1, 0, 1]] + [[0, 0, 1]] * 3, "abc")
        assert KeepFrequent(frequency=0.25, count=2).apply(data).log == (
            Step("drop", "in less than 25 % of samples", ("b",), counts=((0, 4),)),
            Step("drop", "in fewer than 2 samples", ("a",), counts=((1, 4),)),
        )

    def test_lists_keep_and_drop(self):
        kept = KeepEvents(["4q-", "8q+"]).apply(ovarian())
        dropped = DropEvents(["4q-", "8q+"]).apply(ovarian())
        assert kept.data.events == ("8q+", "4q-")
        assert kept.log[0].events == ("1q+", "3q+", "5q-", "8p-", "Xp-")
        assert kept.log[0].why == "not in the list"
        assert dropped.data.events == ("3q+", "5q-", "8p-", "1q+", "Xp-")
        assert dropped.log == (
            Step("drop", "in the list", ("4q-", "8q+"), counts=((44, 87), (61, 87))),
        )

    @pytest.mark.parametrize("rule", [KeepEvents, DropEvents])
    def test_a_missing_event_is_refused_or_logged(self, rule):
        listed = ["8q+", "13q-", "17p-"]
        with pytest.raises(DatasetError, match="not among the events: '13q-', '17p-'"):
            rule(listed).apply(ovarian())
        after = rule(listed, must_exist=False).apply(ovarian())
        assert after.log[0] == Step("skip", "not among the events", ("13q-", "17p-"))
        assert curate(ovarian(), [rule(["8q+"])]) == Curated(after.data, after.log[1:])

    def test_a_list_can_be_the_lines_of_a_file(self):
        assert names_in(["#x\n", "TP53\r\n", "\n", "  8q+ \n"]) == ("TP53", "8q+")


class TestUnion:
    @pytest.mark.parametrize("keep", [False, True])
    @given(st.data())
    def test_it_is_present_where_any_member_is(self, keep, draw):
        data = draw.draw(datasets())
        assume(len(data.events) >= 2)
        chosen = draw.draw(st.sets(st.sampled_from(data.events), min_size=2))
        name = draw.draw(names(1))[0]
        assume(name not in data.events)
        after = MergeEvents(chosen, into=name, keep_members=keep).apply(data)
        before, found = columns(data), columns(after.data)
        assert found.pop(name) == {
            sample: union_definition([before[event][sample] for event in chosen])
            for sample in data.samples
        }
        gone = set() if keep else chosen
        assert list(found.items()) == [
            (event, column) for event, column in before.items() if event not in gone
        ]
        (step,) = after.log
        assert (step.what, step.composite) == ("add" if keep else "merge", name)
        assert step.events == tuple(sorted(chosen))
        assert step.counts == tuple(counts_definition(data, event) for event in step.events)

    def test_it_has_the_position_of_its_first_member(self):
        data = Dataset.from_rows([[1, 0, 0, 1]], "abcd")
        assert MergeEvents(["d", "b"]).apply(data).data.events == ("a", "b / d", "c")

    def test_it_may_have_the_name_of_a_member(self):
        data = Dataset.from_rows([[1, 0], [0, 1], [0, 0]], "ab")
        assert entries(MergeEvents(["a", "b"], into="b").apply(data).data) == [[1], [1], [0]]

    @pytest.mark.parametrize(("keep", "into"), [(False, "c"), (True, "a"), (True, "c")])
    def test_it_may_not_have_the_name_of_another_event(self, keep, into):
        data = Dataset.from_rows([[1, 0, 1]], "abc")
        with pytest.raises(
            DatasetError,
            match=f"there is already an event '{into}'; choose another name for the union",
        ):
            MergeEvents(["a", "b"], into=into, keep_members=keep).apply(data)

    def test_members_must_exist(self):
        with pytest.raises(DatasetError, match="not among the events: 'ASXL1'"):
            MergeEvents(["ASXL1", "ASXL1 indel"]).apply(acml())

    def test_the_merged_mutations_of_the_paper(self):
        merged = MergeEvents(["ASXL1 indel", "ASXL1 nonsense"], into="ASXL1").apply(acml())
        assert merged.data.values.sum(axis=0).tolist() == [14, 14]


class TestSplit:
    @given(datasets())
    def test_it_undoes_the_merge_of_identical_events(self, data):
        merged = MergeIdentical().apply(data)
        whole = merged
        for step in merged.log:
            whole = split(whole, step.composite)
        assert columns(whole.data) == columns(data)
        assert whole.log == merged.log + tuple(
            Step("split", "identical", s.events, (), s.composite, s.counts) for s in merged.log
        )

    def test_a_union_of_events_that_differ_cannot_be_split(self):
        merged = MergeEvents(["ASXL1 indel", "ASXL1 nonsense"], into="ASXL1").apply(acml())
        with pytest.raises(
            DatasetError,
            match="event 'ASXL1' is a union of events that differ, so its members cannot be "
            "recovered; curate the original data with keep_members",
        ):
            split(merged, "ASXL1")

    def test_only_a_composite_can_be_split(self):
        with pytest.raises(DatasetError, match=r"event '8q\+' was not merged from others"):
            split(Curated(ovarian()), "8q+")
        added = MergeEvents(["8q+", "3q+"], into="gain", keep_members=True).apply(ovarian())
        with pytest.raises(DatasetError, match="event 'gain' was not merged from others"):
            split(added, "gain")
        with pytest.raises(DatasetError, match="not among the events: 'a / b'"):
            split(Curated(ovarian()), "a / b")


class TestSamples:
    @given(rows(), st.sampled_from([0.0, 0.2, 1 / 3, 0.5, 1.0]))
    def test_samples_with_enough_known_entries_reach_the_threshold(self, table, least):
        data = Dataset.from_rows(table, [f"e{k}" for k in range(len(table[0]))])
        shares = [sum(entry is not None for entry in row) / len(row) for row in table]
        expected = [
            str(k) for k, share in enumerate(shares, start=1) if share > 0 and share >= least
        ]
        after = answer(DropUnknownSamples(least=least), data)
        assert isinstance(after, str) if not expected else list(after.data.samples) == expected

    @given(rows(), st.integers(0, 5))
    def test_hypermutated_samples_exceed_the_threshold(self, table, most):
        data = Dataset.from_rows(table, [f"e{k}" for k in range(len(table[0]))])
        expected = [str(k) for k, row in enumerate(table, start=1) if row.count(1) <= most]
        after = answer(DropHypermutated(most), data)
        assert isinstance(after, str) if not expected else list(after.data.samples) == expected

    def test_reasons(self):
        data = Dataset.from_rows([[1, 1, 0], [1, None, None], [None] * 3], "abc", "zyx")
        assert DropUnknownSamples(least=0.5).apply(data).log == (
            Step("drop", "no event known", (), ("x",), counts=((0, 3),)),
            Step("drop", "less than 50 % of events known", (), ("y",), counts=((1, 3),)),
        )
        assert DropHypermutated(1).apply(data).log == (
            Step("drop", "more than 1 events present", (), ("z",), counts=((2, 3),)),
        )

    def test_no_sample_left_is_refused(self):
        data = Dataset.from_rows([[1, 1], [1, 1]], "ab")
        with pytest.raises(
            DatasetError,
            match="none of the 2 samples would be left: more than 1 events present",
        ):
            DropHypermutated(1).apply(data)

    def test_repeated_genotypes_are_kept(self):
        data = Dataset.from_rows([[1, 0], [1, 0], [0, 1]], "ab")
        assert curate(data).data == data


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: KeepFrequent(frequency=2), r"frequency must be in \[0, 1\], got 2"),
        (lambda: KeepFrequent(frequency=float("nan")), r"frequency must be in \[0, 1\], got nan"),
        (lambda: KeepFrequent(count=-1), "count must be a whole number of at least 0, got -1"),
        (lambda: KeepFrequent(count=1.5), "count must be a whole number of at least 0, got 1.5"),
        (lambda: KeepMostFrequent(0), "number must be a whole number of at least 1, got 0"),
        (lambda: MergeIdentical(longest=0), "longest must be a whole number of at least 1, got 0"),
        (lambda: DropUnknownSamples(least=-0.1), r"least must be in \[0, 1\], got -0.1"),
        (lambda: DropHypermutated(-1), "most must be a whole number of at least 0, got -1"),
        (lambda: KeepEvents([]), r"names must be a list of 1 or more names, got \[\]"),
        (lambda: DropEvents("TP53"), "names must be a list of 1 or more names, got 'TP53'"),
        (
            lambda: MergeEvents(["a", "a"]),
            r"members must be a list of 2 or more names, got \['a', 'a'\]",
        ),
    ],
)
def test_a_bad_option_is_refused_by_name(make, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        make()
