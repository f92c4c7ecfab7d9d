"""Associations: tests against a clinical table, beside their definitions."""

from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest
from scipy import stats

import caprese
from caprese import Caprese, Dataset, DatasetError, IndependentEvents, place
from caprese.patients import groups
from caprese.patients.clinical import Clinical, is_follow_up
from caprese.patients.groups import as_seen, associations, rank_test, table_test


def placed(rows, events="ab", samples=()):
    """Samples whose most probable genotypes are those seen."""
    data = Dataset.from_rows(rows, events=events, samples=samples)
    return place(IndependentEvents().fit(data), data, simulated=10)


def random_case(seed=1, samples=40):
    rng = np.random.default_rng(seed)
    rows = rng.random((samples, 3)) < [0.5, 0.4, 0.3]
    columns = {
        "sex": tuple(rng.choice(["f", "m", ""], samples)),
        "age": tuple(f"{age:.1f}" for age in rng.normal(60, 10, samples)),
        "stage": tuple(rng.choice(["I", "II", "III"], samples)),
        "site": tuple(rng.choice(["x", "y", "z"], samples)),
        "OS_MONTHS": tuple(map(str, rng.integers(1, 90, samples))),
        "who": tuple(f"id{k}" for k in range(samples)),
    }
    placement = placed(rows.astype(int), "abc")
    return placement, Clinical(placement.samples, columns)


def found(tests, column, about, event=""):
    (one,) = (t for t in tests if (t.column, t.about, t.event) == (column, about, event))
    return one


def fisher_definition(counts):
    """All tables of the same margins that are at most as probable."""
    (a, b), (c, d) = counts
    first, second, column, total = a + b, c + d, a + c, a + b + c + d

    def chance(k):
        return comb(first, k) * comb(second, column - k) / comb(total, column)

    possible = range(max(0, column - second), min(first, column) + 1)
    return sum(chance(k) for k in possible if chance(k) <= chance(a) * (1 + 1e-9))


def freeman_halton_definition(rows, columns):
    """The share of permutations of the samples that give a table at most as probable."""

    def weight(order):
        table = np.zeros((max(rows) + 1, max(columns) + 1), dtype=int)
        for row, place_ in zip(rows, order, strict=True):
            table[row, columns[place_]] += 1
        return -sum(sum(np.log(np.arange(1, k + 1))) for k in table.ravel())

    every = [weight(order) for order in permutations(range(len(rows)))]
    own = weight(range(len(rows)))
    return np.mean([each <= own + 1e-9 for each in every])


@pytest.mark.parametrize("counts", [[[8, 2], [1, 5]], [[3, 3], [3, 3]], [[0, 9], [4, 1]]])
def test_two_by_two_is_fishers_test(counts):
    test, p_value = table_test(np.array(counts), np.random.default_rng(1))
    assert test == "Fisher"
    assert p_value == pytest.approx(fisher_definition(counts))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ([0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 2, 2, 2]),
        ([0, 0, 1, 1, 0, 1, 0], [0, 1, 2, 2, 0, 1, 0]),
    ],
)
def test_larger_tables_are_those_of_freeman_and_halton(rows, columns):
    counts = np.zeros((2, 3), dtype=np.int64)
    np.add.at(counts, (rows, columns), 1)
    expected = freeman_halton_definition(rows, columns)
    for table in (counts, counts.T):
        test, p_value = table_test(table, np.random.default_rng(1))
        assert test == "Freeman-Halton"
        assert p_value == pytest.approx(expected)


def test_drawn_tables_agree_with_all_tables(monkeypatch):
    counts = np.array([[5, 1, 9], [2, 8, 4]])
    _, exact = table_test(counts, np.random.default_rng(1))
    monkeypatch.setattr(groups, "_TABLES", 0)
    test, drawn = table_test(counts, np.random.default_rng(1))
    assert test == "Freeman-Halton, drawn"
    assert drawn == pytest.approx(exact, abs=4 * np.sqrt(exact / 9_999))


def test_a_rare_table_is_measured_with_more_draws(monkeypatch):
    monkeypatch.setattr(groups, "_TABLES", 0)
    _, p_value = table_test(np.array([[20, 0, 0], [0, 20, 20]]), np.random.default_rng(1))
    assert p_value == 1 / 100_000


def test_two_groups_without_ties_are_compared_by_all_divisions():
    values = np.array([1.0, 4.0, 5.0, 9.0, 2.0, 7.0, 11.0, 12.0])
    test, p_value = rank_test([values[:3], values[3:]])

    def smaller(first):
        rest = [v for v in values if v not in first]
        return sum(a < b for a in first for b in rest)

    every = [smaller(some) for some in combinations(values, 3)]
    own = smaller(values[:3])
    tail = min(np.mean([u >= own for u in every]), np.mean([u <= own for u in every]))
    assert test == "Mann-Whitney"
    assert p_value == pytest.approx(min(1, 2 * tail))


def test_three_groups_are_compared_by_kruskal_and_wallis():
    parts = [np.array([1, 2, 2, 3]), np.array([2, 4, 5]), np.array([5, 6, 6, 7])]
    pooled = np.concatenate(parts)
    ranks = stats.rankdata(pooled)
    split = np.split(ranks, np.cumsum([len(p) for p in parts])[:-1])
    n = len(pooled)
    spread = ((ranks - (n + 1) / 2) ** 2).sum() / (n - 1)
    h = sum(len(r) * (r.mean() - (n + 1) / 2) ** 2 for r in split) / spread
    test, p_value = rank_test(parts)
    assert test == "Kruskal-Wallis"
    assert p_value == pytest.approx(stats.chi2.sf(h, 2))


def test_few_values_against_very_many_are_compared_at_once():
    rng = np.random.default_rng(1)
    few, many = rng.normal(0.5, 1, 5), rng.normal(0, 1, 50_000)
    _, p_value = rank_test([few, many])
    below = (many[:, None] < few).sum()
    z = (abs(below - 125_000) - 0.5) / np.sqrt(5 * 50_000 * 50_006 / 12)
    assert p_value == pytest.approx(2 * stats.norm.sf(z))


def test_groups_with_equal_values_do_not_differ():
    assert rank_test([np.ones(3), np.ones(2)]) == ("Mann-Whitney", 1.0)


def test_each_column_is_tested_against_each_event_and_the_number_of_events():
    placement, clinical = random_case()
    result = associations(placement, clinical)
    expected = {(c, "event", e) for c in ("sex", "age", "stage", "site") for e in "abc"}
    expected |= {(c, "progress", "") for c in ("sex", "age", "stage", "site")}
    assert {(t.column, t.about, t.event) for t in result.tests} == expected
    kinds = {fact.kind: fact.values["column"] for fact in result.facts}
    assert kinds == {"column of follow-up": "OS_MONTHS", "column of identifiers": "who"}
    assert [t.p_value for t in result.tests] == sorted(t.p_value for t in result.tests)


@pytest.mark.parametrize(
    "title",
    [
        *("time", "Status", "OS_MONTHS", "os_status", "PFS.STATUS", "death", "vital_status", "OS"),
        *("time_to_relapse", "days_to_death", "DFS_EVENT", "Survival"),
    ],
)
def test_columns_named_like_time_and_status_are_not_tested(title):
    assert is_follow_up(title)


@pytest.mark.parametrize("title", ["stage", "tumour_status", "positive", "time_of_day", "cause"])
def test_other_columns_are_tested(title):
    assert not is_follow_up(title)


def test_counts_shares_and_odds_are_those_of_the_samples():
    placement, clinical = random_case()
    test = found(associations(placement, clinical).tests, "sex", "event", "b")
    sexes, there = np.array(clinical.column("sex")), placement.genotypes[:, 1]
    counts = [[int(((sexes == s) & (there == h)).sum()) for s in "fm"] for h in (False, True)]
    assert test.counts_table().to_numpy().tolist() == counts
    assert list(test.counts_table().columns) == ["f", "m"]
    (f0, m0), (f1, m1) = counts
    assert test.effect == pytest.approx((m1 / m0) / (f1 / f0))
    assert test.samples == f0 + m0 + f1 + m1 == (sexes != "").sum()
    assert [g.value for g in test.groups] == pytest.approx([f1 / (f0 + f1), m1 / (m0 + m1)])
    assert test.p_value == pytest.approx(fisher_definition(counts))


def test_a_test_without_counts_has_an_empty_table_of_them():
    placement, clinical = random_case()
    table = found(associations(placement, clinical).tests, "age", "event", "b").counts_table()
    assert table.shape == (0, 0)
    assert (table.index.name, table.columns.name) == ("b", "age")


def test_numbers_of_events_are_compared_between_levels():
    placement, clinical = random_case()
    test = found(associations(placement, clinical).tests, "site", "progress")
    sites, numbers = np.array(clinical.column("site")), placement.genotypes.sum(axis=1)
    parts = [numbers[sites == site] for site in "xyz"]
    assert test.p_value == pytest.approx(stats.kruskal(*parts).pvalue)
    assert [g.value for g in test.groups] == [np.median(part) for part in parts]


def test_numeric_and_ordered_columns_are_correlated_with_the_number_of_events():
    placement, clinical = random_case()
    tests = associations(placement, clinical).tests
    numbers = placement.genotypes.sum(axis=1)
    stages = np.array([("I", "II", "III").index(s) for s in clinical.column("stage")])
    for column, values in (
        ("age", np.array(clinical.column("age"), dtype=float)),
        ("stage", stages),
    ):
        test = found(tests, column, "progress")
        x, y = stats.rankdata(values), stats.rankdata(numbers)
        rho = np.corrcoef(x, y)[0, 1]
        t = rho * np.sqrt((len(x) - 2) / (1 - rho**2))
        assert test.test == "Spearman"
        assert test.effect == pytest.approx(rho)
        assert test.p_value == pytest.approx(2 * stats.t.sf(abs(t), len(x) - 2))


def test_a_numeric_column_is_compared_between_samples_without_and_with_an_event():
    placement, clinical = random_case()
    test = found(associations(placement, clinical).tests, "age", "event", "c")
    ages, there = np.array(clinical.column("age"), dtype=float), placement.genotypes[:, 2]
    assert test.p_value == pytest.approx(stats.mannwhitneyu(ages[~there], ages[there]).pvalue)
    assert [g.name for g in test.groups] == ["without", "with"]
    assert [g.value for g in test.groups] == [np.median(ages[~there]), np.median(ages[there])]


def test_p_values_are_adjusted_for_all_tests():
    """Benjamini and Hochberg: the least of p m / rank over all tests with as great a p-value."""
    placement, clinical = random_case()
    tests = associations(placement, clinical).tests
    m = len(tests)
    for k, test in enumerate(tests):
        expected = min(
            1, *(t.p_value * m / (rank + 1) for rank, t in enumerate(tests) if rank >= k)
        )
        assert test.adjusted == pytest.approx(expected)


@pytest.mark.slow
def test_under_no_association_few_tests_are_called_significant():
    calls = [bool(associations(*random_case(seed)).significant) for seed in range(30)]
    assert sum(calls) <= 5  # of 30, each with probability at most 0.05: more by chance in 0.3 %


def test_the_order_of_samples_columns_and_events_does_not_matter(monkeypatch):
    monkeypatch.setattr(groups, "_TABLES", 0)  # so that tables are drawn
    placement, clinical = random_case()
    rng = np.random.default_rng(2)
    order = rng.permutation(len(placement.samples))
    data = placement.data.take_samples(order).take_events(["c", "a", "b"])
    turned = place(IndependentEvents().fit(data), data, simulated=10)
    columns = dict(reversed(list(clinical.columns.items())))
    one = associations(placement, clinical).table()
    other = associations(turned, Clinical(clinical.samples, columns)).table()
    np.testing.assert_allclose(one["p_value"], other["p_value"])
    assert one["column"].tolist() == other["column"].tolist()


def test_columns_can_be_chosen_or_left_out():
    placement, clinical = random_case()
    chosen = associations(placement, clinical, columns=["OS_MONTHS", "sex"])
    assert {t.column for t in chosen.tests} == {"OS_MONTHS", "sex"}
    rest = associations(placement, clinical, without=["sex", "site"])
    assert {t.column for t in rest.tests} == {"age", "stage"}
    for option in ("columns", "without"):
        with pytest.raises(DatasetError, match="there is no column 'ago'; did you mean 'age'"):
            associations(placement, clinical, **{option: ["ago"]})


def test_samples_without_a_row_are_left_out_and_named():
    placement, clinical = random_case()
    few = Clinical(
        clinical.samples[:-2], {title: column[:-2] for title, column in clinical.columns.items()}
    )
    result = associations(placement, few)
    assert result.left_out == placement.samples[-2:]
    assert found(result.tests, "age", "progress").samples == len(placement.samples) - 2


def test_a_table_of_other_samples_is_refused():
    placement, _ = random_case()
    with pytest.raises(DatasetError, match="no sample is in the clinical table: the samples are"):
        associations(placement, Clinical(("x",), {"sex": ("f",)}))


def test_samples_of_one_patient_are_told():
    names = [f"TCGA-02-{k // 2:04d}-0{1 + k % 2}A" for k in range(12)]
    placement = placed([[k % 2, k % 3 == 0] for k in range(12)], samples=names)
    table = Clinical(
        tuple(f"TCGA-02-{k:04d}" for k in range(6)), {"sex": ("f", "m", "f", "f", "m", "m")}
    )
    (fact,) = associations(placement, table).facts
    assert (fact.kind, fact.values["samples"]) == ("samples of one patient", 12)


def test_an_event_that_all_samples_have_is_not_tested():
    placement = placed([[1, k % 2] for k in range(10)])
    sexes = tuple("ffffmmmmmf")
    tests = associations(placement, Clinical(placement.samples, {"sex": sexes})).tests
    assert [(t.about, t.event) for t in tests if t.about == "event"] == [("event", "b")]


def test_a_table_without_a_column_to_test_gives_no_tests():
    placement = placed([[1, k % 2] for k in range(10)])
    result = associations(placement, Clinical(placement.samples, {"sex": ("f",) * 10}))
    assert result.tests == ()
    assert len(result.table()) == 0
    assert result.facts[0].kind == "column of one value"


def test_subtypes_are_compared_too():
    placement, clinical = random_case()
    subtypes = np.where(placement.genotypes[:, :1], [[0.9, 0.1]], [[0.2, 0.8]])
    grouped = caprese.patients.place.replace(placement, subtypes=subtypes)
    tests = associations(grouped, clinical).tests
    for column in ("sex", "age", "site"):
        one = found(tests, column, "subtype")
        assert one.p_value == pytest.approx(found(tests, column, "event", "a").p_value, rel=0.2)
    assert found(tests, "site", "subtype").counts_table().index.tolist() == [1, 2]


def test_events_that_the_model_takes_for_errors_are_told_and_can_be_compared_as_seen():
    data = caprese.datasets.ovarian()
    placement = place(Caprese().fit(data), data)
    empty = np.zeros_like(placement.genotypes)
    doubting = caprese.patients.place.replace(placement, genotypes=empty)
    table = Clinical(data.samples, {"sex": tuple("fm"[k % 2] for k in range(87))})
    (fact,) = associations(doubting, table).facts
    assert (fact.kind, fact.events) == ("events taken for errors", data.events)
    assert associations(doubting, table).tests == ()
    result = associations(as_seen(doubting), table)
    assert result.facts == ()
    assert len(result.tests) == 8
