"""Scores against the paper's formulas."""

from fractions import Fraction
from itertools import pairwise
from math import nextafter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import definitions
from caprese.data import scores
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.fitting.structure import EQUAL
from shapes import SMALL
from strategies import datasets, distinct_datasets, entries

pytestmark = pytest.mark.slow

SHRINKAGES = [0, 0.01, 0.5, 1]
PAIRS = {
    "probability raising": (scores.probability_raising, definitions.alpha),
    "correlation": (scores.correlation, definitions.beta),
    "Desper's weight": (scores.desper, definitions.desper),
}


def matrix(data, definition):
    rows, n = entries(data), range(len(data.events))
    return [[definition(rows, i, j) for j in n] for i in n]


def same(found, expected):
    """Whether each number is its fraction, rounded once."""
    return found.tolist() == [[float(value) for value in row] for row in expected]


@pytest.mark.parametrize(("fast", "definition"), PAIRS.values(), ids=PAIRS)
class TestOneDivision:
    @given(data=datasets())
    def test_the_fast_score_is_the_definition_rounded_once(self, fast, definition, data):
        assert same(fast(Counts.of(data)), matrix(data, definition))

    @given(data=distinct_datasets())
    def test_so_it_is_for_distinct_events(self, fast, definition, data):
        assert same(fast(Counts.of(data)), matrix(data, definition))


class TestShrinkage:
    @pytest.mark.parametrize("shrinkage", SHRINKAGES)
    @given(data=datasets())
    def test_the_estimator_is_the_definition(self, shrinkage, data):
        found = scores.shrinkage(Counts.of(data), shrinkage)
        expected = matrix(data, lambda *pair: definitions.estimator(*pair, Fraction(shrinkage)))
        assert found == pytest.approx(np.array(expected, dtype=float), rel=1e-14, abs=0)

    @given(distinct_datasets(), st.floats(0, 1))
    def test_for_any_shrinkage(self, data, shrinkage):
        found = scores.shrinkage(Counts.of(data), shrinkage)
        expected = matrix(data, lambda *pair: definitions.estimator(*pair, Fraction(shrinkage)))
        assert found == pytest.approx(np.array(expected, dtype=float), rel=1e-13, abs=0)

    @given(datasets())
    def test_at_0_and_1_it_is_probability_raising_and_correlation(self, data):
        counts = Counts.of(data)
        assert (scores.shrinkage(counts, 0) == scores.probability_raising(counts)).all()
        assert (scores.shrinkage(counts, 1) == scores.correlation(counts)).all()

    @pytest.mark.parametrize("samples", [1000, 20_000, 1_000_000])
    def test_at_0_and_1_so_it_is_for_any_number_of_samples(self, samples):
        rng = np.random.default_rng(samples)
        for _ in range(200):
            rare, common = sorted(rng.integers(1, samples, 2).tolist())
            both = rng.integers(max(0, rare + common - samples), rare + 1)
            counts = Counts.complete(("a", "b"), np.array([[common, both], [both, rare]]), samples)
            assert (scores.shrinkage(counts, 0) == scores.probability_raising(counts)).all()
            assert (scores.shrinkage(counts, 1) == scores.correlation(counts)).all()

    @pytest.mark.parametrize("shrinkage", [0, 0.01, 0.3, 0.5, 1])
    def test_scores_are_tied_if_and_only_if_exact_fractions_are(self, shrinkage):
        """Any two candidates for one child, in up to 32 samples: no rounding shows.

        From 28 samples on some tie by chance, with unequal alpha and unequal beta.
        """
        for samples in range(3, 33):
            for child in range(1, samples - 1):
                candidates = [
                    (parent, both)
                    for parent in range(child + 1, samples)
                    for both in range(max(0, child + parent - samples), child + 1)
                    if both * samples > parent * child
                ]
                exact = [_estimator(*pair, child, samples, shrinkage) for pair in candidates]
                ranked = sorted(
                    zip(exact, _scores(candidates, child, samples, shrinkage), strict=True)
                )
                for (less, low), (more, high) in pairwise(ranked):
                    assert (high - low > EQUAL) == (less < more)

    @pytest.mark.parametrize("shrinkage", SHRINKAGES)
    @pytest.mark.parametrize("times", [2, 3, 5, 7])
    def test_equal_evidence_from_more_samples_scores_the_same(self, shrinkage, times):
        """With unknown entries, two candidates may be known in different numbers of samples."""
        for samples in range(3, 12):
            for child in range(1, samples - 1):
                for parent in range(child + 1, samples):
                    for both in range(max(1, child + parent - samples), child + 1):
                        less = (parent, both, child, samples)
                        more = (times * number for number in less)
                        assert _score(*less, shrinkage) == _score(*more, shrinkage), less

    @given(datasets())
    def test_a_batch_has_the_scores_of_each_matrix(self, data):
        weights = np.random.default_rng(6).integers(0, 3, (5, len(data.samples)))
        batch = Counts.of_resamples(data, weights)
        for fast in (
            scores.probability_raising,
            scores.correlation,
            scores.desper,
            scores.desper_root,
            scores.temporal_priority,
            lambda counts: scores.shrinkage(counts, 0.01),
        ):
            together = fast(batch)
            for b in range(5):
                assert (together[b] == fast(Counts.of_resamples(data, weights[b]))).all()


def _estimator(parent, both, child, samples, shrinkage):
    """The estimator from counts; the shrinkage is the decimal that was written."""
    given, given_not = Fraction(both, parent), Fraction(child - both, samples - parent)
    met, chance = Fraction(both, samples), Fraction(parent * child, samples**2)
    weight = Fraction(str(shrinkage))
    alpha = (given - given_not) / (given + given_not)
    return (1 - weight) * alpha + weight * (met - chance) / (met + chance)


def _scores(candidates, child, samples, shrinkage):
    """The package's scores of all candidates (parent, both) for one child, as one batch."""
    joint = np.array([[[parent, both], [both, child]] for parent, both in candidates])
    counts = Counts.complete(("a", "b"), joint.reshape(-1, 2, 2), np.full(len(joint), samples))
    return scores.shrinkage(counts, shrinkage)[:, 0, 1].tolist()


def _score(parent, both, child, samples, shrinkage):
    return _scores([(parent, both)], child, samples, shrinkage)[0]


class TestRootWeight:
    @given(datasets())
    def test_the_weight_of_the_root_is_the_definition(self, data):
        found, rows = scores.desper_root(Counts.of(data)), entries(data)
        for j in range(len(data.events)):
            if definitions.known(rows, j):
                assert found[j] == float(definitions.desper_root(rows, j))

    @given(distinct_datasets())
    def test_equal_weights_are_equal_numbers_and_unequal_ones_are_not(self, data):
        counts, rows = Counts.of(data), entries(data)
        found = scores.desper_root(counts) > scores.desper(counts)
        n = range(len(data.events))
        assert found.tolist() == [
            [definitions.desper_root(rows, j) > definitions.desper(rows, i, j) for j in n]
            for i in n
        ]


class TestTemporalPriority:
    @given(datasets())
    def test_it_is_the_order_of_frequencies(self, data):
        found = scores.temporal_priority(Counts.of(data))
        assert found.tolist() == matrix(data, definitions.temporal_priority)

    @given(datasets())
    def test_it_is_a_strict_order(self, data):
        before = scores.temporal_priority(Counts.of(data))
        assert not (before & before.T).any()
        through = (before[:, :, None] & before[None, :, :]).any(axis=1)
        assert not (through & ~before).any()

    def test_integers_are_compared_exactly(self):
        """One sample in 10^9 more is more frequent."""
        many = 10**9
        joint = np.array([[many // 3 + 1, 0], [0, many // 3]])
        counts = Counts.complete(("a", "b"), joint, many)
        assert scores.temporal_priority(counts).tolist() == [[False, True], [False, False]]

    def test_probabilities_are_compared_up_to_rounding(self):
        """0.1 + 0.2 is rounded to more than 0.3."""
        joint = np.diag([0.3, 0.1 + 0.2, 0.3 + 1e-9])
        found = scores.temporal_priority(Counts.complete(tuple("abc"), joint, 1.0))
        assert np.argwhere(found).tolist() == [[2, 0], [2, 1]]


class TestPrimaFacie:
    @given(datasets())
    def test_it_is_definition_3(self, data):
        rows, n = entries(data), range(len(data.events))
        expected = [
            (data.events[i], data.events[j])
            for i in n
            for j in n
            if definitions.prima_facie(rows, i, j)
        ]
        assert list(scores.prima_facie(Counts.of(data))) == expected


class TestRanges:
    @given(datasets())
    def test_scores_are_within_the_bounds_of_the_paper(self, data):
        counts = Counts.of(data)
        alpha, beta = scores.probability_raising(counts), scores.correlation(counts)
        assert (abs(alpha) <= 1).all()
        assert (beta >= -1).all()
        pair = counts.total > 0
        larger = np.maximum(counts.first, counts.second)[pair] / counts.total[pair]
        assert (beta[pair] <= nextafter(1, 2) * (1 - larger) / (1 + larger) + 1e-15).all()

    @pytest.mark.parametrize("shape", SMALL.values(), ids=SMALL)
    def test_events_of_different_trees_have_score_0(self, shape):
        counts = Counts.expected(shape)
        tops = [definitions.path(shape.parents.tolist(), k)[-1] for k in range(len(shape.events))]
        apart = np.array([[a != b for b in tops] for a in tops])
        for fast in (scores.probability_raising, scores.correlation):
            assert (fast(counts)[apart] == 0).all()

    def test_constant_events_have_score_0(self):
        data = Dataset.from_rows([[0, 1, 1], [0, 1, 0], [0, 1, 1]], "nay")
        counts = Counts.of(data)
        for score in (scores.probability_raising(counts), scores.shrinkage(counts, 0.5)):
            assert score[:2].tolist() == [[0] * 3] * 2
            assert score[:, :2].tolist() == [[0] * 2] * 3
