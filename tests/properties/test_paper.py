"""The propositions and theorems of the paper, as properties; and where its corollary fails.

Propositions are tested on whole numbers of samples: how many carry both events, the first alone,
the second alone, and neither. Nothing is rounded.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import definitions
from caprese.data import scores
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.methods.caprese import Caprese
from caprese.methods.evidence import Reason
from caprese.models.forest import ROOT, Forest
from caprese.models.noise import Noise
from shapes import SHAPES, random_forest
from strategies import datasets, distinct_datasets, entries, forests, noises

pytestmark = pytest.mark.slow

A, B = 0, 1
CAPRESE = Caprese(shrinkage=0.01)  # the paper's lambda -> 0


@st.composite
def pairs(draw, most=60):
    """Rows of two events, neither of them constant."""
    both, only_a, only_b, neither = (draw(st.integers(0, most)) for _ in range(4))
    assume(0 < both + only_a < both + only_a + only_b + neither)
    assume(0 < both + only_b < both + only_a + only_b + neither)
    return [[1, 1]] * both + [[1, 0]] * only_a + [[0, 1]] * only_b + [[0, 0]] * neither


def raises(rows, i, j):
    """P(j | i) > P(j | not i)."""
    return definitions.conditional(rows, j, i) > definitions.conditional(rows, j, i, present=0)


def raises_more(rows, i, j):
    """P(j|i) / P(j|not i) > P(i|j) / P(i|not j), multiplied out, for a divisor may be 0."""
    forth = definitions.conditional(rows, j, i) * definitions.conditional(rows, i, j, present=0)
    back = definitions.conditional(rows, i, j) * definitions.conditional(rows, j, i, present=0)
    return forth > back


def counts_of(rows):
    return Counts.of(Dataset.from_rows(rows, "ab"))


class TestPropositions:
    @given(pairs())
    def test_1_probability_raising_is_positive_dependence(self, rows):
        p_a, p_b = definitions.probability(rows, A), definitions.probability(rows, B)
        dependent = definitions.joint(rows, A, B) > p_a * p_b
        assert raises(rows, A, B) == dependent
        assert (scores.probability_raising(counts_of(rows))[A, B] > 0) == dependent

    @given(pairs())
    def test_2_probability_raising_is_mutual(self, rows):
        assert raises(rows, A, B) == raises(rows, B, A)
        alpha = scores.probability_raising(counts_of(rows))
        assert np.sign(alpha[A, B]) == np.sign(alpha[B, A])

    @given(pairs())
    def test_3_the_more_frequent_event_raises_the_other_more(self, rows):
        assume(raises(rows, B, A))
        more_frequent = definitions.probability(rows, A) > definitions.probability(rows, B)
        assert raises_more(rows, A, B) == more_frequent
        assert scores.temporal_priority(counts_of(rows))[A, B] == more_frequent

    @given(pairs())
    def test_4_alpha_is_a_monotonic_normalization(self, rows):
        assert raises_more(rows, A, B) == (
            definitions.alpha(rows, A, B) > definitions.alpha(rows, B, A)
        )
        alpha = scores.probability_raising(counts_of(rows))
        assert (alpha[A, B] > alpha[B, A]) == raises_more(rows, A, B)
        if raises(rows, A, B):
            assert (alpha[A, B] > alpha[B, A]) == definitions.temporal_priority(rows, A, B)

    @given(pairs())
    def test_4_needs_probability_raising_although_it_says_any_two_events(self, rows):
        """Between events that avoid each other, it is the rarer one whose alpha is greater."""
        assume(definitions.alpha(rows, A, B) < 0 < definitions.joint(rows, A, B))
        alpha = scores.probability_raising(counts_of(rows))
        assert (alpha[A, B] > alpha[B, A]) == definitions.temporal_priority(rows, B, A)

    @given(pairs())
    def test_5_beta_is_symmetric_and_tells_the_same_dependence(self, rows):
        counts = counts_of(rows)
        alpha, beta = scores.probability_raising(counts), scores.correlation(counts)
        assert beta[A, B] == beta[B, A]
        assert np.sign(alpha[A, B]) == np.sign(beta[A, B])
        assert (beta[A, B] > 0) == (definitions.beta(rows, A, B) > 0)

    @given(pairs(), st.sampled_from([0, 0.01, 0.5, 0.99]))
    def test_together_they_make_the_score_agree_with_temporal_priority(self, rows, shrinkage):
        """Below shrinkage 1, m(a, b) > m(b, a) > 0 is the same as being more frequent."""
        m = scores.shrinkage(counts_of(rows), shrinkage)
        assume(m[A, B] > 0)
        assert (m[A, B] > m[B, A]) == definitions.temporal_priority(rows, A, B)

    @given(pairs(), st.floats(0, 1))
    def test_the_score_is_positive_just_when_the_events_are_positively_dependent(
        self, rows, shrinkage
    ):
        assert (scores.shrinkage(counts_of(rows), shrinkage)[A, B] > 0) == raises(rows, A, B)


class TestTheorem1:
    """Independent progressions: what the filter asks, in the theorem's form."""

    @given(distinct_datasets(), st.sampled_from([0, 0.01, 0.5, 1]))
    def test_the_root_replaces_the_edge_if_every_prima_facie_cause_is_too_weak(
        self, data, shrinkage
    ):
        rows = entries(data)
        number = len(rows)
        present = [sum(row[k] for row in rows) for k in range(len(data.events))]
        reasons = Caprese(shrinkage=shrinkage).fit(data).evidence.reasons
        for b, reason in enumerate(reasons):
            causes = [a for a in range(len(present)) if definitions.prima_facie(rows, a, b)]
            # P(a, b) < P(a) P(b) / (1 + P(b)) + P(b)^2 / (1 + P(b)), in samples
            weak = [
                sum(row[a] * row[b] for row in rows) * (number + present[b])
                < present[b] * (present[a] + present[b])
                for a in causes
            ]
            assert (reason is Reason.NO_PARENT) == (not causes)
            assert (reason is Reason.FILTERED) == (bool(causes) and all(weak))

    @given(datasets(unknown=False))
    def test_its_inequality_is_the_one_between_weights(self, data):
        rows = entries(data)
        for a in range(len(data.events)):
            for b in range(len(data.events)):
                p_a, p_b = definitions.probability(rows, a), definitions.probability(rows, b)
                if p_a and p_b:
                    bound = p_a * p_b / (1 + p_b) + p_b**2 / (1 + p_b)
                    lighter = definitions.desper(rows, a, b) < definitions.desper_root(rows, b)
                    assert lighter == (definitions.joint(rows, a, b) < bound)

    @given(distinct_datasets())
    def test_events_that_are_no_prima_facie_cause_never_save_an_edge(self, data):
        """So it is all one whether the filter asks them too, as step 4 does."""
        counts = Counts.of(data)
        heavier = scores.desper(counts) >= scores.desper_root(counts)
        independent = scores.probability_raising(counts) <= 0
        assert not (scores.temporal_priority(counts) & independent & heavier).any()


class TestTheorem2:
    """Correctness: the answer is a well formed forest."""

    @given(st.one_of(datasets(), distinct_datasets()), st.floats(0, 1))
    def test_every_event_has_one_way_to_the_root(self, data, shrinkage):
        rows = entries(data)
        parents = Caprese(shrinkage=shrinkage).infer_parents(Counts.of(data)).tolist()
        assert len(parents) == len(data.events)
        for child, parent in enumerate(parents):
            assert parent == ROOT or definitions.temporal_priority(rows, parent, child)
        reached = set(range(len(parents)))
        for _ in parents:
            reached = {parents[event] for event in reached if event != ROOT} | {ROOT}
        assert reached == {ROOT}, "the parents form a cycle"

    @given(st.one_of(datasets(), distinct_datasets()), st.floats(0, 1))
    def test_every_edge_is_a_prima_facie_cause(self, data, shrinkage):
        fit = Caprese(shrinkage=shrinkage).fit(data)
        assert set(fit.model.edges) <= set(scores.prima_facie(fit.counts))


class TestTheorem3:
    """Asymptotic convergence: from exact probabilities the true forest comes back."""

    @pytest.mark.parametrize("shrinkage", [1e-6, 0.01, 0.5, 0.9])
    @pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
    def test_each_shape_comes_back(self, shape, shrinkage):
        parents = Caprese(shrinkage=shrinkage).infer_parents(Counts.expected(shape))
        assert parents.tolist() == shape.parents.tolist()

    @pytest.mark.parametrize("trees", [1, 3])
    def test_random_forests_of_20_events_come_back(self, trees):
        rng = np.random.default_rng([41, trees])
        for _ in range(300):
            forest = random_forest(rng, 20, trees)
            assert (
                CAPRESE.infer_parents(Counts.expected(forest)).tolist() == forest.parents.tolist()
            )

    @given(forests(max_events=8, least=0.1, most=0.9))
    def test_forests_of_any_shape_come_back(self, forest):
        assert CAPRESE.infer_parents(Counts.expected(forest)).tolist() == forest.parents.tolist()

    def test_many_samples_are_as_good_as_exact_probabilities(self):
        for name, shape in SHAPES.items():
            data = shape.sample(50_000, np.random.default_rng(42))
            assert CAPRESE.fit(data).model.edges == shape.edges, name


def bound(forest):
    """The corollary's: noise below it should do no harm."""
    root = forest.marginals().min() ** 0.5
    return root / (1 / 2 + root)


class TestCorollary:
    """Uniform noise: false as stated, and what holds instead."""

    # <> -.95- a - b - c, with b in .6 and c in .3 of all samples
    CHAIN = Forest(("a", "b", "c"), (ROOT, 0, 1), (0.95, 0.6 / 0.95, 0.5))

    def test_it_fails_on_a_chain_of_three(self):
        assert bound(self.CHAIN) == pytest.approx(0.52, abs=0.005)
        noise = Noise.uniform(0.15)
        assert noise.false_positive < self.CHAIN.marginals().min() ** 0.5 * noise.signal
        seen = noise.corrupt_counts(Counts.expected(self.CHAIN))
        assert CAPRESE.infer_parents(seen).tolist() == [ROOT, ROOT, 1]

    def test_it_is_the_filter_that_cuts_the_edge(self):
        """a is still the best parent of b; Desper's weights prefer the root, in exact numbers."""
        noise = Noise.uniform(0.15)
        induced = definitions.noisy(
            definitions.distribution(
                self.CHAIN.parents.tolist(), self.CHAIN.probabilities.tolist()
            ),
            Fraction(noise.false_positive),
            Fraction(noise.false_negative),
        )
        p = [[definitions.pair_probability(induced, i, j) for j in range(3)] for i in range(3)]
        assert p[0][1] > p[0][0] * p[1][1]
        assert p[0][1] * (1 + p[1][1]) < p[1][1] * (p[0][0] + p[1][1])

    @pytest.mark.parametrize(
        ("share", "least_right", "most_right"), [(0.1, 100, 100), (0.3, 30, 70), (0.6, 0, 0)]
    )
    def test_it_fails_on_random_trees_well_below_its_bound(self, share, least_right, most_right):
        rng = np.random.default_rng(43)
        right = 0
        for _ in range(100):
            forest = random_forest(rng, 20)
            noise = Noise.uniform(share * bound(forest))
            parents = CAPRESE.infer_parents(noise.corrupt_counts(Counts.expected(forest)))
            wrong = parents != forest.parents
            assert (parents[wrong] == ROOT).all(), "noise cuts true edges, and adds none"
            right += not wrong.any()
        assert least_right <= right <= most_right

    @pytest.mark.parametrize("trees", [1, 3])
    def test_what_holds_recovered_counts_give_the_forest_back(self, trees):
        rng = np.random.default_rng([44, trees])
        for _ in range(100):
            forest = random_forest(rng, 20, trees)
            total, share = rng.uniform(0, 0.9), rng.random()
            noise = Noise(total * share, total * (1 - share))
            seen = noise.corrupt_counts(Counts.expected(forest))
            parents = CAPRESE.infer_parents(noise.recover_counts(seen))
            assert parents.tolist() == forest.parents.tolist()

    @given(forests(least=0.1, most=0.9), noises(limit=0.9))
    def test_what_holds_for_forests_of_any_shape(self, forest, noise):
        seen = noise.corrupt_counts(Counts.expected(forest))
        assert CAPRESE.infer_parents(noise.recover_counts(seen)).tolist() == forest.parents.tolist()

    @pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
    def test_what_holds_up_to_rates_that_sum_almost_to_one(self, shape):
        """Rounding shows beyond: of rates that sum to 1 - 10^-6, one random tree in eight fails."""
        for share in (0, 0.25, 0.5, 0.75, 1):
            noise = Noise(0.9999 * share, 0.9999 * (1 - share))
            seen = noise.corrupt_counts(Counts.expected(shape))
            assert (
                CAPRESE.infer_parents(noise.recover_counts(seen)).tolist() == shape.parents.tolist()
            )
