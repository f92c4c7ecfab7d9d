"""Prima facie relations, against their definitions."""

import itertools

import numpy as np
import pytest
from scipy.stats import hypergeom, mannwhitneyu

from caprese import Counts, Dataset, Noise
from caprese.fitting.prima_facie import (
    Outcome,
    co_occurrence,
    pair_probabilities,
    prima_facie,
    rank_p_values,
    without_loops,
)

FREE = ~np.eye(4, dtype=bool)
ALONE = [(k,) for k in range(4)]


@pytest.fixture
def data():
    rng = np.random.default_rng(11)
    values = rng.random((70, 4)) < (0.7, 0.5, 0.4, 0.2)
    values[:, 1] &= values[:, 0]
    return Dataset(values, tuple("abcd"))


def resampled(data, number):
    rng = np.random.default_rng(1)
    rows = rng.integers(0, len(data.values), (number, len(data.values)))
    weights = np.array([np.bincount(each, minlength=len(data.values)) for each in rows])
    return Counts.of_resamples(data, weights), [data.values[each] for each in rows]


def raises(values, i, j):
    """Whether j is more frequent among the samples with i than among those without."""
    with_i, without = values[values[:, i], j], values[~values[:, i], j]
    return with_i.size > 0 and without.size > 0 and with_i.mean() > without.mean()


def test_shares_are_counted_over_resamples(data):
    counts, tables = resampled(data, 40)
    found = prima_facie(Counts.of(data), counts, FREE, ALONE, level=0.2)
    for i, j in itertools.permutations(range(4), 2):
        earlier = [values[:, i].sum() > values[:, j].sum() for values in tables]
        assert found.priority[i, j] == pytest.approx(np.mean(earlier))
        assert found.raising[i, j] == pytest.approx(np.mean([raises(v, i, j) for v in tables]))
        if found.candidates[i, j]:
            assert found.raising[i, j] >= 0.8
            assert found.priority[j, i] < 0.8


def test_a_relation_of_the_data_needs_time_and_raising(data):
    found = prima_facie(Counts.of(data), None, FREE, ALONE)
    for i, j in itertools.permutations(range(4), 2):
        more = data.values[:, i].sum() > data.values[:, j].sum()
        assert found.candidates[i, j] == (more and raises(data.values, i, j))
        expected = Outcome.TIME if not more else Outcome.RAISING
        assert found.candidates[i, j] or found.outcome[i, j] == expected


@pytest.mark.parametrize("sizes", [(60, 6), (30, 1000)])
def test_rank_tests_are_those_of_scipy(sizes):
    number, different = sizes
    rng = np.random.default_rng(4)
    one, other = (rng.integers(0, different, (number, 5)) + 0.5 for _ in range(2))
    one[:, 2] += 3
    found = rank_p_values(one, other, np.ones(one.shape, dtype=bool))
    for column in range(5):
        pair = one[:, column], other[:, column]
        ties = len(np.unique(np.concatenate(pair))) < 2 * number
        method = "asymptotic" if ties or number >= 50 else "exact"
        expected = mannwhitneyu(*pair, alternative="greater", method=method).pvalue
        assert found[column] == pytest.approx(expected, rel=1e-9)


def test_equal_values_speak_for_nothing():
    same = np.ones((20, 1))
    assert rank_p_values(same, same, same > 0) == 1
    assert rank_p_values(same, same, same < 0) == 1


def test_the_p_values_of_rank_tests_shrink_with_the_number_of_resamples(data):
    few, many = (
        prima_facie(Counts.of(data), resampled(data, number)[0], FREE, ALONE, decide="rank")
        for number in (50, 500)
    )
    i, j = np.argwhere(few.candidates)[0]
    assert many.raising[i, j] < few.raising[i, j] ** 2


def test_co_occurrence_is_the_upper_tail_of_the_hypergeometric_distribution(data):
    counts = Counts.of(data)
    above, from_here = co_occurrence(counts, pair_probabilities(counts, None))
    for i, j in itertools.permutations(range(4), 2):
        law = hypergeom(70, counts.present[i], counts.present[j])
        assert above[i, j] == pytest.approx(law.sf(counts.joint[i, j]), abs=1e-12)
        assert from_here[i, j] == pytest.approx(law.sf(counts.joint[i, j] - 1), abs=1e-12)


def test_rates_of_errors_are_taken_out_of_probabilities():
    clean = np.array([[1, 1]] * 30 + [[1, 0]] * 20 + [[0, 0]] * 50, dtype=bool)
    noise = Noise(0.1, 0.2)
    first, second, joint = 0.5, 0.3, 0.3
    observed = noise.signal * np.array([first, second]) + noise.false_positive
    together = (
        noise.signal**2 * joint
        + noise.false_positive * noise.signal * (first + second)
        + noise.false_positive**2
    )
    total = 10_000
    counts = Counts.complete(
        ("a", "b"),
        np.array([[observed[0], together], [together, observed[1]]]) * total,
        float(total),
    )
    found = pair_probabilities(counts, noise)
    expected = pair_probabilities(Counts.of(Dataset(clean, ("a", "b"))), None)
    assert found.joint[0, 1] == pytest.approx(expected.joint[0, 1])
    assert found.first == pytest.approx(expected.first)


def test_indistinguishable_and_constant_events_are_not_related():
    rows = [[1, 1, 1, 0], [1, 1, 1, 0], [0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 1, 0]]
    data = Dataset.from_rows(rows, events="abcd")
    found = prima_facie(Counts.of(data), None, FREE, ALONE)
    assert (found.outcome == Outcome.NOT_TESTED).all()


def test_names_decide_between_equals_whatever_the_order_of_columns():
    rows = [[1, 1], [1, 1], [1, 0], [0, 1], [0, 0], [0, 0]]
    one = Dataset.from_rows(rows, events="ab")
    other = one.take_events("ba")
    found = prima_facie(Counts.of(one), None, ~np.eye(2, dtype=bool), ALONE[:2])
    turned = prima_facie(Counts.of(other), None, ~np.eye(2, dtype=bool), ALONE[:2])
    assert found.candidates[0, 1]
    assert turned.candidates[1, 0]
    assert found.by_name[0, 1]
    assert found.outcome[1, 0] == Outcome.LOOP


@pytest.mark.parametrize("seed", range(20))
def test_no_loop_is_left_and_no_edge_is_removed_without_need(seed):
    rng = np.random.default_rng(seed)
    edges = (rng.random((6, 6)) < 0.4) & ~np.eye(6, dtype=bool)
    members = [(0,), (1,), (2,), (3,), (0, 1), (2, 3)]
    edges[4, [0, 1, 4, 5]] = edges[[0, 1, 4, 5], 4] = False
    edges[5, [2, 3, 4, 5]] = edges[[2, 3, 4, 5], 5] = False
    weight = rng.random((6, 6))
    kept = without_loops(edges, weight, members, "abcdef")
    assert not (kept & ~edges).any()
    assert not has_loop(kept, members)
    for i, j in np.argwhere(edges & ~kept):  # it closes a loop of edges no weaker than itself
        assert has_loop(edges & (weight <= weight[i, j]), members)
        assert not has_loop(kept & (weight <= weight[i, j]), members)


def has_loop(edges, members):
    """Whether an event can be reached from itself, by edges from all events of a column."""
    reach = np.zeros((4, 4), dtype=bool)
    for i, j in np.argwhere(edges):
        reach[np.ix_(members[i], members[j])] = True
    for _ in range(4):
        reach |= (reach.astype(int) @ reach.astype(int)) > 0
    return bool(np.diagonal(reach).any())
