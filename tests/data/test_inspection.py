"""Inspection: each finding against its definition, each warning as a fact."""

from itertools import combinations, pairwise
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese._core.facts import Fact
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.data.datasets import acml, ovarian
from caprese.data.inspection import Pair, exclusive, inspect
from caprese.text.words import WORDS
from strategies import datasets, entries, orders


def columns(data):
    return dict(zip(data.events, map(list, zip(*entries(data), strict=True)), strict=True))


def share(column):
    known = [entry for entry in column if entry is not None]
    return sum(known) / len(known) if known else 0


def varies(column):
    return {0, 1} <= set(column)


def known_pairs(data):
    """Yield each pair of events that vary, the more frequent first, with where both are known."""
    found = {event: column for event, column in columns(data).items() if varies(column)}
    ranked = sorted(found, key=lambda event: (-share(found[event]), event))
    for i, j in combinations(ranked, 2):
        both = zip(found[i], found[j], strict=True)
        yield i, j, [pair for pair in both if None not in pair]


def at_most_definition(joint, total, first, second):
    """P(X <= joint): of `total` samples `first` carry i, and `second` are drawn to carry j."""
    ways = sum(comb(first, k) * comb(total - first, second - k) for k in range(joint + 1))
    return ways / comb(total, second)


def adjusted_definition(p_values):
    """Benjamini and Hochberg: the least level at which each is still rejected."""
    ranked = sorted(p_values)
    return [
        min(q * len(ranked) / rank for rank, q in enumerate(ranked, start=1) if q >= p)
        for p in p_values
    ]


def exclusive_definition(data):
    tested = []
    for i, j, both in known_pairs(data):
        first, second = sum(a for a, _ in both), sum(b for _, b in both)
        if 0 < first < len(both) and 0 < second < len(both):
            joint = sum(a and b for a, b in both)
            chance = at_most_definition(joint, len(both), first, second)
            tested.append((i, j, joint, len(both), chance))
    adjusted = adjusted_definition([chance for *_, chance in tested])
    return {(i, j): (joint, n, p) for (i, j, joint, n, _), p in zip(tested, adjusted, strict=True)}


class TestNumbers:
    @given(datasets())
    def test_numbers_of_each_event(self, data):
        found, table = inspect(data), columns(data)
        assert found.events == tuple(sorted(table, key=lambda e: (-share(table[e]), e)))
        for k, event in enumerate(found.events):
            column = table[event]
            assert found.present[k] == column.count(1)
            assert found.known[k] == len(column) - column.count(None)
            assert found.frequency[k] == share(column)
            assert found.unknown_share[k] == column.count(None) / len(column)
            assert found.never_known[k] == (set(column) == {None})
            assert found.never[k] == (0 in column and 1 not in column)
            assert found.always[k] == (1 in column and 0 not in column)
            assert found.varies[k] == varies(column)

    @given(datasets())
    def test_numbers_of_the_table(self, data):
        found, table = inspect(data), entries(data)
        assert found.samples == len(table)
        assert found.entries == sum(len(row) for row in table)
        assert found.unknown == sum(row.count(None) for row in table)
        assert found.events_per_sample.tolist() == sorted(row.count(1) for row in table)
        assert found.genotypes == len(set(map(tuple, table)))

    @given(datasets())
    def test_a_group_has_all_samples_with_its_genotype(self, data):
        found = inspect(data)
        row_of = dict(zip(data.samples, map(tuple, entries(data)), strict=True))
        for group in found.repeated:
            (genotype,) = {row_of[sample] for sample in group}
            assert list(group) == sorted(s for s in data.samples if row_of[s] == genotype)
        seen = [row for row in row_of.values() if set(row) != {None}]
        assert len(seen) - len(set(seen)) == sum(len(g) - 1 for g in found.repeated)
        assert all(len(a) >= len(b) for a, b in pairwise(found.repeated))

    @given(st.data())
    def test_the_order_of_rows_and_columns_does_not_matter(self, draw):
        data = draw.draw(datasets())
        rows = list(draw.draw(orders(len(data.samples))))
        other = data.take_samples(rows).take_events(
            [data.events[k] for k in draw.draw(orders(len(data.events)))]
        )
        assert inspect(other) == inspect(data)
        assert inspect(other).warnings == inspect(data).warnings


class TestPairs:
    @given(datasets())
    def test_identical_events_vary_and_have_equal_columns(self, data):
        table = columns(data)
        expected = {
            tuple(sorted(e for e in table if table[e] == column))
            for column in table.values()
            if varies(column)
        }
        assert set(inspect(data).identical) == {group for group in expected if len(group) > 1}

    @given(datasets())
    def test_nearly_identical_pairs(self, data):
        table, expected = columns(data), set()
        for i, j, both in known_pairs(data):
            either, joint = sum(a or b for a, b in both), sum(a and b for a, b in both)
            if either and joint / either >= 0.9 and table[i] != table[j]:
                expected.add(Pair(i, j, joint, len(both), joint / either))
        found = inspect(data).nearly_identical
        assert set(found) == expected
        assert list(found) == sorted(found, key=lambda pair: -pair.value)

    def test_the_most_similar_pairs_come_first(self):
        rows = [[k < 20, k < 19, k < 18, k < 40] for k in range(60)]
        found = inspect(Dataset.from_rows(rows, "abcd")).nearly_identical
        assert found == (
            Pair("a", "b", 19, 60, 19 / 20),
            Pair("b", "c", 18, 60, 18 / 19),
            Pair("a", "c", 18, 60, 18 / 20),
        )

    def test_a_pair_seen_once_may_be_nearly_identical_where_both_are_known(self):
        data = Dataset.from_rows([[1, 1], [0, 0], [0, None], [None, 1]], "ab")
        assert inspect(data).nearly_identical == (Pair("b", "a", 1, 2, 1.0),)

    @given(datasets(max_samples=30))
    def test_exclusive_pairs(self, data):
        expected = {pair: n for pair, n in exclusive_definition(data).items() if n[2] < 0.05}
        found = inspect(data).exclusive
        assert {(pair.first, pair.second) for pair in found} == set(expected)
        for pair in found:
            assert (pair.joint, pair.total, pytest.approx(pair.value)) == expected[
                pair.first, pair.second
            ]
        assert list(found) == sorted(found, key=lambda pair: pair.value)

    def test_opposite_events_are_exclusive(self):
        rows = [[1, 0, 1], [0, 1, 0]] * 10 + [[1, 0, 0], [0, 1, 1]] * 2
        (pair,) = inspect(Dataset.from_rows(rows, "abc")).exclusive[:1]
        assert (pair.first, pair.second, pair.joint, pair.total) == ("a", "b", 0, 24)
        assert pair.value == pytest.approx(3 / comb(24, 12))

    @given(datasets())
    def test_unordered_pairs_are_equally_frequent_and_raise_each_other(self, data):
        table, expected = columns(data), set()
        for i, j, both in known_pairs(data):
            with_i, without = [b for a, b in both if a], [b for a, b in both if not a]
            raised = with_i and without and share(with_i) > share(without)
            if raised and share(table[i]) == share(table[j]) and table[i] != table[j]:
                expected.add((i, j))
        assert set(inspect(data).unordered) == expected

    @given(datasets())
    def test_pairs_never_known_together(self, data):
        assert set(inspect(data).apart) == {(i, j) for i, j, both in known_pairs(data) if not both}

    @pytest.mark.slow
    def test_of_many_events_the_most_frequent_are_compared(self):
        rng = np.random.default_rng(1)
        values = rng.random((60, 1010)) < 0.5
        found = inspect(Dataset(values, tuple(f"e{k}" for k in range(1010))))
        assert found.compared == 1000
        beyond = set(found.events[1000:])
        assert not any({i, j} & beyond for i, j in found.unordered)


def sized(samples, events):
    """Return data in which nothing but its shape is unusual."""
    values = np.random.default_rng(3).random((samples, events)) < 0.5
    return Dataset(values, tuple(f"e{k:03d}" for k in range(events)))


def named(data, events=None, samples=None):
    return Dataset(data.values, events or data.events, samples or data.samples, data.known)


class TestWarnings:
    @pytest.mark.parametrize("data", [ovarian(), sized(100, 60)], ids=["ovarian", "sized"])
    def test_good_data_gives_none(self, data):
        assert inspect(data).warnings == ()

    def test_too_few_samples_for_the_rarest_events(self):
        rows = [[k < 50, k < 4, k < 5, k < 1, k > 98, 0] for k in range(100)]
        numbers = {"rare": 3, "events": 6, "carriers": 5, "share": 0.05, "fewest": 1}
        found = inspect(Dataset.from_rows(rows, "abcdef"))
        assert found.warnings == (Fact("rare", ("d", "e"), numbers),)

    def test_a_low_frequency_is_rare_whatever_the_number_of_samples(self):
        rows = [[k % 2, k < 8] for k in range(200)]
        assert inspect(Dataset.from_rows(rows, "ab")).rare.tolist() == [False, True]
        rows = [[k % 2, k < 10] for k in range(200)]
        assert inspect(Dataset.from_rows(rows, "ab")).rare.tolist() == [False, False]

    def test_an_event_in_nearly_all_samples(self):
        rows = [[k > 2, k % 2, k > 4] for k in range(100)]
        found = inspect(Dataset.from_rows(rows, "abc"))
        assert found.warnings == (Fact("nearly always", ("a",), {"share": 0.95, "share 0": 0.97}),)

    def test_the_most_frequent_of_such_events_come_first(self):
        rows = [[k > 2, k > 1, k > 2, k % 2] for k in range(100)]
        (fact,) = inspect(Dataset.from_rows(rows, "abcd")).warnings
        assert fact.events == ("b", "a", "c")
        assert [fact.values[f"share {k}"] for k in range(3)] == [0.98, 0.97, 0.97]

    def test_too_many_unknown_entries(self):
        rows = [
            [k % 2, None if k < 31 else k % 3 == 0, None if k < 30 else k % 5 == 0, None]
            for k in range(100)
        ]
        found = inspect(Dataset.from_rows(rows, "abcd"))
        assert found.warnings == (Fact("much unknown", ("b",), {"share": 0.3, "share 0": 0.31}),)

    def test_events_that_a_fit_leaves_out_since_they_are_seldom_known(self):
        rows = [
            [k % 2, k % 3 % 2 if k < 19 else None, k % 3 % 2 if k < 20 else None]
            for k in range(100)
        ]
        found = inspect(Dataset.from_rows(rows, "abc"))
        kinds = {warning.kind: warning.events for warning in found.warnings}
        assert kinds["seldom known"] == ("b",)
        assert kinds["much unknown"] == ("c",)

    def test_events_never_known_together(self):
        rows = [[k % 2, k // 2 % 2 if k < 50 else None] for k in range(100)]
        rows = [[*row, None if k < 50 else k // 2 % 2] for k, row in enumerate(rows)]
        found = inspect(Dataset.from_rows(rows, "abc"))
        assert found.warnings[-1] == Fact("never together", ("c", "b"))

    def test_fewer_samples_than_events(self):
        found = inspect(sized(30, 40))
        assert found.warnings == (Fact("few samples", (), {"samples": 30, "events": 40}),)

    def test_few_rows_and_many_columns(self):
        numbers = {"sign": "shape", "rows": 40, "columns": 50}
        assert inspect(sized(40, 50)).warnings == (Fact("transposed", (), numbers),)

    def test_names_that_are_as_expected_outweigh_the_shape(self):
        few = (Fact("few samples", (), {"samples": 40, "events": 50}),)
        ids = tuple(f"TCGA-A1-{k:04d}" for k in range(40))
        assert inspect(named(sized(40, 50), samples=ids)).warnings == few
        genes = ("TP53", "KRAS", *(f"x{k}" for k in range(48)))
        assert inspect(named(sized(40, 50), events=genes)).warnings == few

    @pytest.mark.parametrize("form", ["TCGA-A1-{:04d}-01A", "Sample {}", "patient_{}", "tumor{}"])
    def test_columns_named_like_samples(self, form):
        ids = tuple(form.format(k) for k in range(5))
        found = inspect(named(sized(60, 5), events=ids))
        assert found.warnings == (Fact("transposed", ids, {"sign": "sample names"}),)

    def test_rows_named_like_genes(self):
        genes = ("TP53", "KRAS amp", "VHL", *(f"x{k}" for k in range(57)))
        found = inspect(named(sized(60, 5), samples=genes))
        names = ("KRAS amp", "TP53", "VHL")
        assert found.warnings == (Fact("transposed", names, {"sign": "gene names"}),)

    @pytest.mark.parametrize("names", [("p53", "case", "T1", "S2", "P3"), ("TP53", *"abcd")])
    def test_ordinary_names_raise_no_suspicion(self, names):
        assert inspect(named(sized(60, 5), events=names)).transposed is None
        assert inspect(named(sized(5, 5), samples=names)).transposed is None

    @pytest.mark.parametrize(
        ("rows", "problem"),
        [
            ([[1, 0], [1, 0]], "one genotype"),
            ([[1, None], [None, 0]], "constant"),
            ([[1, 0]], "constant"),
            ([[None, None], [None, None]], "unknown"),
        ],
    )
    def test_nothing_varies(self, rows, problem):
        found = inspect(Dataset.from_rows(rows, "ab"))
        assert Fact("nothing varies", (), {"problem": problem}) in found.warnings

    def test_data_in_which_nothing_varies_has_no_other_warning(self):
        assert len(inspect(Dataset.from_rows([[1, 0], [1, 0]], "ab")).warnings) == 1
        one = inspect(Dataset.from_rows([[1]], "a"))
        assert one.warnings == (Fact("nothing varies", (), {"problem": "constant"}),)

    @given(datasets())
    def test_every_warning_has_words(self, data):
        assert all(fact.kind in WORDS for fact in inspect(data).warnings)

    def test_samples_of_which_nothing_is_known_are_not_a_group(self):
        data = Dataset.from_rows([[None], [1], [None], [1], [0]], "a", samples="pqrst")
        assert inspect(data).repeated == (("q", "s"),)


def test_an_inspection_is_a_value():
    assert inspect(acml()) == inspect(acml())
    assert hash(inspect(acml())) == hash(inspect(acml()))
    assert hash(inspect(sized(40, 50))) == hash(inspect(sized(40, 50)))
    assert not inspect(acml()).present.flags.writeable


def test_independent_events_that_are_equally_frequent_are_no_pair_without_order():
    independent = Dataset.from_rows([[0, 0], [0, 1], [1, 0], [1, 1]], events="ab")
    assert inspect(independent).unordered == ()
    together = Dataset.from_rows([[0, 0], [0, 0], [0, 1], [1, 0], [1, 1]], events="ab")
    assert inspect(together).unordered == (("a", "b"),)


def test_events_that_do_not_vary_are_not_counted_among_the_tests_of_exclusiveness():
    rows = [[1, 0]] * 8 + [[0, 1]] * 8 + [[0, 0]] * 2
    (alone,) = exclusive(Counts.of(Dataset.from_rows(rows, events="ab")))
    constant = [[*row, 0, 1] for row in rows]
    (among,) = exclusive(Counts.of(Dataset.from_rows(constant, events="abcd")))
    assert among == alone


def test_an_event_seen_once_is_counted_among_the_tests_of_exclusiveness():
    rows = [[1, 0]] * 8 + [[0, 1]] * 8 + [[0, 0]] * 2
    (alone,) = exclusive(Counts.of(Dataset.from_rows(rows, events="ab")))
    once = [[*row, int(k == 17)] for k, row in enumerate(rows)]
    (among,) = exclusive(Counts.of(Dataset.from_rows(once, events="abc")))
    assert among.value == pytest.approx(3 * alone.value)
