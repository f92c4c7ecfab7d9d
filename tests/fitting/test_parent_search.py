"""The best sets of parents, against all sets."""

from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese import Counts, Dataset
from caprese.fitting import parent_search
from caprese.fitting.parent_search import best_parent_sets, single_gains

PRICES = {"bic": lambda n: np.log(n) / 2, "aic": lambda _n: 1.0, "loglik": lambda _n: 0.0}


def score_of(values, parents, child, score):
    """Log-likelihood of the child given its parents, less the price of the table."""
    price = PRICES[score](len(values)) if len(values) else 0.0
    total = -price * 2 ** len(parents)
    for state in {tuple(row) for row in values[:, parents]}:
        own = values[(values[:, parents] == state).all(axis=1), child]
        for number in (own.sum(), (~own).sum()):
            total += number * np.log(number / len(own)) if number else 0.0
    return total


def all_scores(values, candidates, child, score, most):
    sets = chain.from_iterable(combinations(candidates, k) for k in range(most + 1))
    return {own: score_of(values, list(own), child, score) for own in sets}


@given(
    seed=st.integers(0, 2**32 - 1),
    samples=st.integers(1, 150),
    score=st.sampled_from(["bic", "aic", "loglik"]),
    most=st.integers(0, 5),
)
def test_the_best_and_the_next_best_set_are_those_of_all_sets(seed, samples, score, most):
    rng = np.random.default_rng(seed)
    values = rng.random((samples, 6)) < rng.random(6)
    values[:, 5] = np.where(rng.random(samples) < 0.2, values[:, 5], values[:, 0] ^ values[:, 1])
    candidates = np.zeros((6, 6), dtype=bool)
    candidates[:5, 5] = True
    found = best_parent_sets(values, None, "abcdef", candidates, score, most)[5]
    scores = all_scores(values, range(5), 5, score, most)
    ranked = sorted(scores.values(), reverse=True)
    assert found.score == pytest.approx(ranked[0], abs=1e-9)
    assert found.score == pytest.approx(scores[found.parents], abs=1e-9)
    assert found.empty_score == pytest.approx(scores[()], abs=1e-9)
    assert found.proven
    if score != "loglik" and most:
        assert found.next_score == pytest.approx(ranked[1], abs=1e-9)
        assert found.next_score == pytest.approx(scores[found.next_parents], abs=1e-9)
        smallest = min(len(own) for own, each in scores.items() if each > ranked[0] - 1e-9)
        assert len(found.parents) == smallest


@pytest.mark.parametrize("score", ["bic", "aic", "loglik"])
def test_what_one_parent_gains_follows_from_pair_counts(score):
    values = np.random.default_rng(5).random((80, 4)) < 0.4
    gains = single_gains(Counts.of(Dataset(values, tuple("abcd"))), score)
    for i, j in [(0, 1), (2, 3), (3, 0)]:
        gain = score_of(values, [i], j, score) - score_of(values, [], j, score)
        assert gains[i, j] == pytest.approx(gain, abs=1e-9)


def test_parents_that_help_only_together_are_found():
    rng = np.random.default_rng(1)
    values = rng.random((300, 4)) < 0.5
    values[:, 3] = values[:, 0] ^ values[:, 2]
    candidates = np.zeros((4, 4), dtype=bool)
    candidates[:3, 3] = True
    found = best_parent_sets(values, None, "abcd", candidates, "bic")[3]
    assert found.parents == (0, 2)


def test_many_parents_that_help_only_together_are_found():
    values = np.random.default_rng(1).random((500, 9)) < 0.5
    values[:, 8] = np.logical_xor.reduce(values[:, 1:8], axis=1)
    candidates = np.zeros((9, 9), dtype=bool)
    candidates[:8, 8] = True
    found = best_parent_sets(values, None, "abcdefghi", candidates, "aic")[8]
    assert found.parents == (1, 2, 3, 4, 5, 6, 7)
    assert found.score == pytest.approx(-(2**7), abs=1e-9)


def test_only_samples_count_in_which_an_event_and_all_its_candidates_are_known():
    rng = np.random.default_rng(2)
    values, known = rng.random((90, 4)) < 0.5, rng.random((90, 4)) < 0.8
    candidates = np.zeros((4, 4), dtype=bool)
    candidates[:2, 3] = True
    rows = known[:, [0, 1, 3]].all(axis=1)
    found = best_parent_sets(values, known, "abcd", candidates, "aic")[3]
    expected = best_parent_sets(values[rows], None, "abcd", candidates, "aic")[3]
    assert found == expected


def test_a_search_that_was_cut_short_says_so(monkeypatch):
    rng = np.random.default_rng(3)
    values = rng.random((100, 8)) < 0.5
    candidates = np.zeros((8, 8), dtype=bool)
    candidates[:7, 7] = True
    monkeypatch.setattr(parent_search, "MOST_SETS", 3)
    assert not best_parent_sets(values, None, "abcdefgh", candidates, "aic")[7].proven
    monkeypatch.setattr(parent_search, "MOST_CANDIDATES", 5)
    assert not best_parent_sets(values, None, "abcdefgh", candidates, "bic")[7].proven


def test_of_equal_sets_the_names_decide_and_not_the_columns():
    values = np.array([[1, 1, 1], [1, 1, 1], [0, 0, 0], [0, 0, 0], [1, 1, 0]] * 9, dtype=bool)
    candidates = np.zeros((3, 3), dtype=bool)
    candidates[:2, 2] = True
    found = best_parent_sets(values, None, "abc", candidates, "bic")[2]
    assert (found.parents, found.tied) == ((0,), True)
    assert best_parent_sets(values, None, "bac", candidates, "bic")[2].parents == (1,)
