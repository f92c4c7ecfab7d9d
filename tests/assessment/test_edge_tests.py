from itertools import combinations
from math import comb

import numpy as np
import pytest
from scipy.stats import boschloo_exact, fisher_exact, kstest, norm

from caprese import (
    HCBN,
    Caprese,
    Dataset,
    LikelihoodForest,
    Oncotree,
    datasets,
    edge_tests,
)
from caprese._core.arrays import packed_columns
from caprese.assessment.edge_tests import (
    Pairs,
    _temporal_priority,
    score_p_value,
)
from caprese.assessment.edge_tests import _probability_raising as probability_raising
from caprese.kernels.resampling import permuted_counts

OVARIAN = datasets.ovarian()


def rows_of(data, parent, child):
    columns = [data.events.index(parent), data.events.index(child)]
    return data.values[:, columns]


def test_every_edge_is_tested_and_no_other():
    fit = Caprese().fit(OVARIAN)
    assert edge_tests(fit, OVARIAN).edges == fit.model.edges


def test_temporal_priority_is_the_binomial_tail_of_samples_with_one_event_alone():
    tests = edge_tests(Caprese().fit(OVARIAN), OVARIAN)
    for (parent, child), p in zip(tests.edges, tests.temporal_priority, strict=True):
        pair = rows_of(OVARIAN, parent, child)
        alone = int((pair[:, 0] & ~pair[:, 1]).sum())
        either = alone + int((pair[:, 1] & ~pair[:, 0]).sum())
        tail = sum(comb(either, k) for k in range(alone, either + 1)) / 2**either
        assert p == pytest.approx(tail)


def test_co_occurrence_counts_as_many_or_more_not_only_more():
    tests = edge_tests(Caprese().fit(OVARIAN), OVARIAN)
    for (parent, child), p in zip(tests.edges, tests.co_occurrence, strict=True):
        x, y = rows_of(OVARIAN, parent, child).T
        table = [[(x & y).sum(), (x & ~y).sum()], [(~x & y).sum(), (~x & ~y).sum()]]
        assert p == pytest.approx(fisher_exact(table, alternative="greater").pvalue)


def test_probability_raising_is_boschloos_test():
    tests = edge_tests(Caprese().fit(OVARIAN), OVARIAN)
    x, y = rows_of(OVARIAN, *tests.edges[0]).T
    table = [[(x & y).sum(), (~x & y).sum()], [(x & ~y).sum(), (~x & ~y).sum()]]
    expected = boschloo_exact(table, alternative="greater").pvalue
    assert tests.probability_raising[0] == pytest.approx(expected)


def test_with_many_samples_probability_raising_is_close_to_the_exact_test():
    rng = np.random.default_rng(2)
    parent = rng.random(301) < 0.6
    child = parent & (rng.random(301) < 0.5) | (rng.random(301) < 0.3)
    data = Dataset(np.column_stack([parent, child]), ("a", "b"))
    tests = edge_tests(Caprese().fit(data), data)
    x, y = parent, child
    table = [[(x & y).sum(), (~x & y).sum()], [(x & ~y).sum(), (~x & ~y).sum()]]
    exact = boschloo_exact(table, alternative="greater").pvalue
    assert np.log10(tests.probability_raising[0]) == pytest.approx(np.log10(exact), rel=0.25)


@pytest.mark.parametrize(
    "counts",
    [
        (8, 19, 8, 20),  # the parent is absent from one sample only
        (1, 1, 9, 20),  # and present in one only
        (60, 150, 100, 300),  # as many samples as the exact test takes
    ],
)
def test_the_exact_test_is_boschloos_up_to_its_limits(counts):
    joint, first, second, total = counts
    table = [[joint, second - joint], [first - joint, total - first - second + joint]]
    expected = boschloo_exact(table, alternative="greater").pvalue
    assert 0 < expected < 1
    assert probability_raising(*counts) == pytest.approx(expected, rel=1e-10)


def test_from_301_samples_on_it_is_the_score_test():
    joint, first, second, total = 60, 150, 100, 301
    share = second / total
    spread = np.sqrt(share * (1 - share) * (1 / first + 1 / (total - first)))
    raised = joint / first - (second - joint) / (total - first)
    assert probability_raising(joint, first, second, total) == pytest.approx(
        norm.sf(raised / spread), rel=1e-12
    )


@pytest.mark.parametrize(
    "counts",
    [
        (0, 0, 5, 20),  # the parent is never seen
        (5, 20, 5, 20),  # the parent is always seen
        (0, 0, 5, 400),
        (5, 400, 5, 400),
        (0, 150, 0, 400),  # the child is never seen
        (150, 150, 400, 400),  # the child is always seen
    ],
)
def test_a_table_that_shows_nothing_has_the_p_value_one(counts):
    assert probability_raising(*counts) == 1.0


def test_a_parent_never_seen_alone_shows_no_temporal_priority():
    pairs = Pairs(*(np.array([number]) for number in (5, 5, 9, 20)))
    assert _temporal_priority(pairs).tolist() == [1.0]
    once = Pairs(*(np.array([number]) for number in (5, 6, 5, 20)))
    assert _temporal_priority(once).tolist() == [0.5]


def test_by_default_there_are_999_permutations():
    fit = Caprese().fit(OVARIAN)
    found = edge_tests(fit, OVARIAN)
    assert found == edge_tests(fit, OVARIAN, permutations=999)
    assert found.score.min() == 1 / 1000


@pytest.mark.parametrize("permutations", [1, 7])
def test_few_permutations_are_counted_exactly(permutations):
    data, seed = datasets.acml(), 4
    method = Caprese()
    fit = method.fit(data)
    child = data.events.index("ASXL1 nonsense")
    values = data.values[data.sample_order]
    rank = sorted(data.events).index("ASXL1 nonsense")
    key = np.random.default_rng([seed, rank]).integers(2**63)
    own = values[:, child]
    every = packed_columns(np.eye(len(own), dtype=bool))  # one column for each sample
    drawn = np.empty((permutations, len(own)), dtype=np.int64)
    permuted_counts(every, len(own), int(own.sum()), key, 0, permutations, drawn)
    assert (drawn.sum(axis=1) == own.sum()).all()
    permuted = drawn.astype(bool)
    admissible = fit.evidence.admissible[:, child]

    def best(column):
        table = values.copy()
        table[:, child] = column
        return method.fit(Dataset(table, data.events)).evidence.score[admissible, child].max()

    higher = sum(best(column) >= best(own) for column in permuted)
    found = edge_tests(fit, data, permutations=permutations, seed=seed)
    assert found.score.tolist() == [(1 + higher) / (1 + permutations)]


def test_the_permutation_test_agrees_with_all_permutations():
    """Nine samples, the child in three: 84 ways to scatter it."""
    rows = [[1, 0, 1], [1, 0, 1], [1, 1, 0], [1, 1, 1], [1, 0, 0], [0, 0, 0], [0, 1, 0]]
    rows += [[0, 0, 0], [0, 1, 0]]
    data = Dataset.from_rows(rows, events="abc")
    method = Caprese(shrinkage=0.5)
    fit = method.fit(data)
    assert fit.model.edges == (("a", "c"),)

    def best(carriers):
        table = data.values.copy()
        table[:, 2] = np.isin(np.arange(9), carriers)
        score = method.fit(Dataset(table, data.events)).evidence.score[:2, 2]
        return score[fit.evidence.admissible[:2, 2]].max()

    own = best(np.flatnonzero(data.values[:, 2]))
    share = np.mean([best(carriers) >= own for carriers in combinations(range(9), 3)])
    tests = edge_tests(fit, data, permutations=20_000, seed=1)
    assert tests.score[0] == pytest.approx(share, abs=0.01)


def test_also_where_an_entry_is_unknown():
    """Ten samples, the child in three: 120 ways to scatter it."""
    rows = [[1, 0, 1], [1, 0, 1], [1, 1, 0], [1, 1, 1], [1, 0, 0], [0, 0, 0], [0, 1, 0]]
    rows += [[0, 0, 0], [0, 1, 0], [1, None, 0]]
    method = Caprese(shrinkage=0.5)
    data = Dataset.from_rows(rows, events="abc")
    fit = method.fit(data)
    assert fit.model.edges == (("a", "c"),)

    def best(carriers):
        scattered = [[*row[:2], int(k in carriers)] for k, row in enumerate(rows)]
        score = method.fit(Dataset.from_rows(scattered, events="abc")).evidence.score[:2, 2]
        return score[fit.evidence.admissible[:2, 2]].max()

    own = best([k for k, row in enumerate(rows) if row[2]])
    share = np.mean([best(carriers) >= own for carriers in combinations(range(10), 3)])
    tests = edge_tests(fit, data, permutations=20_000, seed=1)
    assert tests.score[0] == pytest.approx(share, abs=0.01)


def test_the_order_of_rows_and_columns_does_not_matter():
    rng = np.random.default_rng(5)
    shuffled = OVARIAN.take_samples(rng.permutation(87)).take_events(OVARIAN.events[::-1])
    one = edge_tests(Caprese().fit(OVARIAN), OVARIAN, seed=3).table().sort_index()
    other = edge_tests(Caprese().fit(shuffled), shuffled, seed=3).table().sort_index()
    np.testing.assert_allclose(one, other.loc[one.index])


def test_the_score_of_an_event_that_follows_nothing_has_a_uniform_p_value():
    """Of any event; among the edges of a forest small values are selected."""
    rng = np.random.default_rng(8)
    found = []
    for _ in range(200):
        values = rng.random((80, 6)) < np.array([0.8, 0.7, 0.6, 0.5, 0.4, 0.3])
        data = Dataset(values, tuple("abcdef"))
        fit = Oncotree().fit(data)
        found.append(score_p_value(fit, data, data.sample_order, 5, 199, seed=1))
    assert kstest(found, "uniform").pvalue > 0.01


def test_unknown_entries_are_left_out():
    rows = [[*row, None] for row in datasets.acml().values.astype(int).tolist()]
    rows[0][0] = None
    data = Dataset.from_rows(rows, [*datasets.acml().events, "gone"])
    tests = edge_tests(Caprese().fit(data), data)
    assert tests.edges == (("SETBP1 missense", "ASXL1 nonsense"),)
    assert (tests.table().to_numpy() <= 1).all()


def test_a_forest_without_edges_has_no_tests():
    data = Dataset.from_rows([[1, 0], [0, 1]], events="ab")
    assert edge_tests(Caprese().fit(data), data).table().empty


def test_the_adjusted_values_are_those_of_benjamini_and_hochberg():
    table = edge_tests(Caprese().fit(OVARIAN), OVARIAN).table()
    p = table["temporal_priority"].to_numpy()
    order = np.argsort(p)
    adjusted = np.minimum.accumulate((p[order] * len(p) / np.arange(1, len(p) + 1))[::-1])[::-1]
    np.testing.assert_allclose(table["temporal_priority_adjusted"].to_numpy()[order], adjusted)


def test_too_few_permutations_are_refused():
    with pytest.raises(
        ValueError, match="permutations must be a whole number of at least 1, got 0"
    ):
        edge_tests(Caprese().fit(OVARIAN), OVARIAN, permutations=0)


def test_a_shrinkage_left_to_the_data_is_tested_as_it_was_chosen():
    data = datasets.ovarian()
    fit = Caprese(shrinkage="auto").fit(data)
    chosen = Caprese(shrinkage=fit.evidence.choice.shrinkage).fit(data)
    assert edge_tests(fit, data) == edge_tests(chosen, data)


def test_a_method_that_does_not_score_pairs_has_no_such_test():
    data = datasets.ovarian()
    tests = edge_tests(HCBN(steps=20, restarts=1).fit(data), data)
    assert np.isnan(tests.score).all()
    assert not any(name.startswith("score") for name in tests.table().columns)


def test_a_method_that_compares_forests_has_no_test_of_the_score_though_its_evidence_has_pairs():
    fit = LikelihoodForest().fit(OVARIAN)
    tests = edge_tests(fit, OVARIAN)
    assert len(tests.edges) > 0
    assert np.isnan(tests.score).all()


@pytest.mark.parametrize("shrinkage", [0.5, 0.1])
def test_scores_of_equal_counts_are_those_of_each_permutation(shrinkage):
    """The permutations that reach the best score, counted one by one."""
    rng = np.random.default_rng(16)
    parent = rng.random(120) < 0.6
    child = parent & (rng.random(120) < 0.4)
    data = Dataset(np.column_stack([parent, child, rng.random(120) < 0.7]), tuple("abc"))
    fit = Caprese(shrinkage=shrinkage).fit(data)
    for (_, name), p in zip(fit.edges, edge_tests(fit, data, permutations=99).score, strict=True):
        child = data.events.index(name)
        order = data.sample_order
        rivals = np.flatnonzero(fit.evidence.pair_scores().admissible[:, child])
        values = data.values[np.ix_(order, rivals)]
        carriers = int(data.values[:, child].sum())
        key = np.random.default_rng([1, child]).integers(2**63)
        counts = np.empty((99, len(rivals)), dtype=np.int64)
        permuted_counts(packed_columns(values), 120, carriers, key, 0, 99, counts)

        def best(met, values=values, carriers=carriers):
            pairs = zip(met.tolist(), values.sum(axis=0).tolist(), strict=True)
            return max(
                float(
                    fit.method.pair_score(
                        Pairs(*map(np.array, (x, f, carriers, 120))), fit.evidence
                    )
                )
                for x, f in pairs
            )

        own = best(data.values[order, child] @ values.astype(int))
        reached = sum(best(met) >= own for met in counts)
        assert p == (1 + reached) / 100
