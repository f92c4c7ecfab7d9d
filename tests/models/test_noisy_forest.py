"""NoisyForest: against sums over all true genotypes, and against closed forms."""

import math

import numpy as np
import pytest
from hypothesis import given
from scipy.special import logsumexp
from scipy.stats import chisquare

import error_definitions as literal
from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.models.forest import ROOT, Forest, NoisyForest
from caprese.models.noise import Noise
from error_strategies import observations, seen_as
from shapes import BINARY, CHAIN, SMALL, random_forest

pytestmark = pytest.mark.slow

EVERY_RATE = [(0.0, 0.0), (0.1, 0.0), (0.0, 0.2), (0.05, 0.15), (0.3, 0.6)]


def rates_of(noise):
    return noise.false_positive, noise.false_negative


def check_against_enumeration(forest, noise, rows):
    """Log-probabilities, posteriors and most likely genotypes of plain rows."""
    seen, data = NoisyForest(forest, noise), seen_as(forest, rows)
    truths = literal.prior(forest.parents.tolist(), forest.probabilities.tolist())
    logs, posteriors = seen.log_probabilities(data), seen.event_probabilities(data)
    likeliest = seen.likeliest_genotypes(data).astype(int).tolist()
    for k, row in enumerate(rows):
        together = literal.joint_probabilities(truths, row, rates_of(noise))
        expected = literal.log(sum(together.values()))
        assert logs[k] == pytest.approx(expected, rel=1e-11, abs=1e-11)
        if expected > -math.inf:
            posterior = literal.posterior(truths, row, rates_of(noise))
            assert posteriors[k] == pytest.approx(np.array(posterior, float), abs=1e-10)
            found = literal.log(together.get(tuple(likeliest[k]), 0))
            highest = literal.log(max(together.values()))
            assert found == pytest.approx(highest, rel=1e-11, abs=1e-11)


class TestAgainstEnumeration:
    @given(observations())
    def test_every_number_is_the_sum_over_all_true_genotypes(self, case):
        check_against_enumeration(*case)

    @pytest.mark.parametrize("rates", EVERY_RATE)
    @pytest.mark.parametrize("name", SMALL)
    def test_for_each_shape(self, name, rates):
        forest = SMALL[name]
        rng = np.random.default_rng([51, len(forest.events)])
        drawn = rng.integers(0, 3, (8, len(forest.events)))
        rows = [[(0, 1, None)[code] for code in row] for row in drawn.tolist()]
        check_against_enumeration(forest, Noise(*rates), rows)

    @pytest.mark.parametrize("seed", range(4))
    def test_for_ten_events(self, seed):
        rng = np.random.default_rng([52, seed])
        forest = random_forest(rng, 10, trees=1 + seed % 2)
        drawn = rng.choice(3, (2, 10), p=[0.45, 0.45, 0.1])
        rows = [[(0, 1, None)[code] for code in row] for row in drawn.tolist()]
        check_against_enumeration(forest, Noise(*EVERY_RATE[1:][seed]), rows)

    @pytest.mark.parametrize("rates", EVERY_RATE)
    def test_the_probabilities_of_all_observations_sum_to_one(self, rates):
        every = [[code >> k & 1 for k in range(7)] for code in range(2**7)]
        seen = NoisyForest(BINARY, Noise(*rates))
        chances = seen.probabilities(seen_as(BINARY, every))
        assert chances.sum() == pytest.approx(1)
        without = seen.log_probabilities(seen_as(BINARY, every))
        assert chances == pytest.approx(np.exp(without))

    def test_without_errors_it_is_the_forest_itself(self):
        every = [[code >> k & 1 for k in range(7)] for code in range(2**7)]
        seen = NoisyForest(BINARY, Noise())
        assert seen.probabilities(seen_as(BINARY, every)) == pytest.approx(
            BINARY.genotype_probabilities(every)
        )

    @given(observations())
    def test_all_samples_together_are_the_sum(self, case):
        forest, noise, rows = case
        expected = literal.log_likelihood(
            forest.parents.tolist(), forest.probabilities.tolist(), rows, rates_of(noise)
        )
        found = NoisyForest(forest, noise).log_likelihood(seen_as(forest, rows))
        assert found == pytest.approx(expected, rel=1e-11, abs=1e-11)

    @given(observations(max_events=12, max_samples=12))
    def test_no_event_is_more_probable_than_its_parent(self, case):
        forest, noise, rows = case
        posteriors = NoisyForest(forest, noise).event_probabilities(seen_as(forest, rows))
        above = np.where(forest.parents == ROOT, 1.0, posteriors[:, forest.parents])
        assert ((posteriors >= 0) & (posteriors <= above)).all()

    @given(observations(max_events=12, max_samples=12))
    def test_the_most_likely_genotype_is_complete_and_can_be(self, case):
        forest, noise, rows = case
        truth = NoisyForest(forest, noise).likeliest_genotypes(seen_as(forest, rows))
        above = np.where(forest.parents == ROOT, True, truth[:, forest.parents])
        assert (truth <= above).all()


class TestEdges:
    """Rates and probabilities of exactly 0 and 1, and what nobody has seen."""

    # <> -.5- a -1- b
    sure = Forest(("a", "b"), (ROOT, 0), (0.5, 1.0))

    def test_what_cannot_be_seen_has_probability_0(self):
        seen = NoisyForest(self.sure, Noise())
        data = Dataset.from_rows([[0, 0], [1, 0], [0, 1], [1, 1], [1, None]], events="ab")
        assert seen.probabilities(data).tolist() == [0.5, 0, 0, 0.5, 0.5]
        assert seen.log_probabilities(data).tolist()[1:3] == [-math.inf, -math.inf]
        assert seen.log_likelihood(data) == -math.inf
        assert not np.isnan(seen.event_probabilities(data)).any()

    @pytest.mark.parametrize("rates", EVERY_RATE)
    def test_impossible_data_have_log_likelihood_minus_infinity_and_never_nan(self, rates):
        """The root event cannot occur; without false positives nothing can be seen."""
        never = Forest(tuple("abc"), (ROOT, 0, 0), (0.0, 1.0, 0.5))
        found = NoisyForest(never, Noise(*rates)).log_likelihood(
            Dataset.from_rows([[1, 1, 1], [0, 0, 1], [0, 0, 0]], events="abc")
        )
        if rates[0] == 0:
            assert found == -math.inf
        else:
            assert found == pytest.approx(4 * math.log(rates[0]) + 5 * math.log(1 - rates[0]))

    def test_nothing_known_says_nothing(self):
        seen = NoisyForest(CHAIN, Noise(0.1, 0.2))
        data = Dataset.from_rows([[None] * 4], events=CHAIN.events)
        assert seen.log_likelihood(data) == pytest.approx(0, abs=1e-15)
        assert seen.event_probabilities(data)[0] == pytest.approx(CHAIN.marginals())

    def test_of_equally_likely_genotypes_the_one_without_the_event_is_told(self):
        coin = NoisyForest(Forest(("a",), (ROOT,), (0.5,)), Noise(0.25, 0.25))
        data = Dataset.from_rows([[None], [0], [1]], events=["a"])
        assert coin.likeliest_genotypes(data).tolist() == [[False], [False], [True]]

    def test_the_most_likely_genotype_is_one_whole_not_event_by_event(self):
        """a is more likely than not, but then b or c is too; no single genotype beats nothing."""
        fork = Forest(tuple("abc"), (ROOT, 0, 0), (0.6, 0.5, 0.5))
        unseen = Dataset.from_rows([[None, None, None]], events="abc")
        seen = NoisyForest(fork, Noise())
        assert seen.event_probabilities(unseen)[0, 0] > 0.5
        assert not seen.likeliest_genotypes(unseen).any()


class TestThousandsOfEvents:
    n = 3000

    def codes(self, seed, present):
        rng = np.random.default_rng([53, seed])
        seen = (rng.random((3, self.n)) < present).astype(object)
        seen[2, rng.random(self.n) < 0.3] = None
        return seen

    @staticmethod
    def logs(row, noise):
        """Log-probability of each entry of a row if its event is truly absent, and present."""
        positive, negative = rates_of(noise)
        absent = {0: 1 - positive, 1: positive, None: 1.0}
        present = {0: negative, 1: 1 - negative, None: 1.0}
        return (np.log([table[entry] for entry in row]) for table in (absent, present))

    def names(self):
        return tuple(f"e{k}" for k in range(self.n))

    @pytest.mark.parametrize("present", [0.02, 0.5, 0.98])
    def test_a_chain_is_a_choice_of_where_it_ends(self, present):
        rng = np.random.default_rng(54)
        p = rng.uniform(0.98, 1, self.n)
        chain = Forest(self.names(), np.arange(self.n) - 1, p)
        noise, rows = Noise(0.05, 0.1), self.codes(1, present)
        seen, data = NoisyForest(chain, noise), Dataset.from_rows(rows, self.names())
        posteriors = seen.event_probabilities(data)
        for k, row in enumerate(rows):
            absent, there = self.logs(row, noise)
            so_far = np.append(0, np.cumsum(np.log(p) + there))
            stops = np.append(np.log1p(-p), 0)
            below = np.append(np.cumsum(absent[::-1])[::-1], 0)
            ends = so_far + stops + below  # of the chain before event k, for each k
            total = logsumexp(ends)
            assert seen.log_probabilities(data)[k] == pytest.approx(total, rel=1e-10)
            later = np.logaddexp.accumulate(ends[::-1])[::-1][1:]
            assert posteriors[k] == pytest.approx(np.exp(later - total), abs=1e-8)

    @pytest.mark.parametrize("present", [0.02, 0.5, 0.98])
    def test_a_star_is_a_choice_of_whether_it_opens(self, present):
        rng = np.random.default_rng(55)
        p = rng.uniform(0, 1, self.n)
        star = Forest(self.names(), np.where(np.arange(self.n) == 0, ROOT, 0), p)
        noise, rows = Noise(0.3, 0.4), self.codes(2, present)
        seen, data = NoisyForest(star, noise), Dataset.from_rows(rows, self.names())
        for k, row in enumerate(rows):
            absent, there = self.logs(row, noise)
            each = np.logaddexp(np.log(p) + there, np.log1p(-p) + absent)
            opened = np.log(p[0]) + there[0] + each[1:].sum()
            closed = np.log1p(-p[0]) + absent.sum()
            total = np.logaddexp(opened, closed)
            assert np.isfinite(total)
            assert seen.log_probabilities(data)[k] == pytest.approx(total, rel=1e-10)
            assert seen.event_probabilities(data)[k, 0] == pytest.approx(math.exp(opened - total))

    @pytest.mark.parametrize("rates", [(0.3, 0.4), (1e-300, 1e-300)])
    def test_events_by_themselves_are_a_sum(self, rates):
        rng = np.random.default_rng(56)
        p = rng.uniform(0, 1, self.n)
        loose = Forest(self.names(), np.full(self.n, ROOT), p)
        noise, rows = Noise(*rates), self.codes(3, 0.5)
        data = Dataset.from_rows(rows, self.names())
        found = NoisyForest(loose, noise).log_probabilities(data)
        for k, row in enumerate(rows):
            absent, there = self.logs(row, noise)
            each = np.logaddexp(np.log(p) + there, np.log1p(-p) + absent)
            assert found[k] == pytest.approx(each.sum(), rel=1e-10)

    def test_many_children_as_likely_there_as_not_do_not_overflow(self):
        """Each child doubles a product that would be 2^3000."""
        even = Forest(self.names(), np.where(np.arange(self.n) == 0, ROOT, 0), np.full(self.n, 0.5))
        data = Dataset.from_rows([[None] * self.n], self.names())
        found = NoisyForest(even, Noise(0.25, 0.25)).log_likelihood(data)
        assert found == pytest.approx(0, abs=1e-9)


class TestEvents:
    shuffled = ("g", "b", "e", "a", "d", "f", "c")

    def data(self):
        return NoisyForest(BINARY, Noise(0.1, 0.2)).sample(40, np.random.default_rng(57))

    def test_the_data_may_list_the_events_in_another_order(self):
        seen, data = NoisyForest(BINARY, Noise(0.1, 0.2)), self.data()
        turned = data.take_events(self.shuffled)
        assert (seen.log_probabilities(turned) == seen.log_probabilities(data)).all()
        columns = [data.events.index(event) for event in self.shuffled]
        truth = seen.likeliest_genotypes(data)
        assert (seen.likeliest_genotypes(turned) == truth[:, columns]).all()

    def test_posteriors_stand_in_the_columns_of_the_data_as_genotypes_do(self):
        seen, data = NoisyForest(BINARY, Noise(0.1, 0.2)), self.data()
        columns = [data.events.index(event) for event in self.shuffled]
        turned = seen.event_probabilities(data.take_events(self.shuffled))
        assert turned == pytest.approx(seen.event_probabilities(data)[:, columns])

    @pytest.mark.parametrize(("names", "odd"), [("abx", "c"), ("ab", "c"), ("abcx", "x")])
    def test_other_events_than_the_forests_are_refused_by_name(self, names, odd):
        forest = Forest(tuple("abc"), (ROOT, 0, 0), (0.5, 0.5, 0.5))
        data = Dataset.from_rows([[1] * len(names)], events=names)
        seen = NoisyForest(forest, Noise())
        message = f"^model and data must have the same events; '{odd}' is in one only$"
        for question in (
            seen.log_probabilities,
            seen.probabilities,
            seen.log_likelihood,
            seen.event_probabilities,
            seen.likeliest_genotypes,
            seen.count_probabilities,
            seen.next_probabilities,
            seen.waiting_medians,
        ):
            with pytest.raises(ModelError, match=message):
                question(data)


class TestSample:
    @pytest.mark.parametrize("rates", [(0.0, 0.0), (0.1, 0.2)])
    def test_each_observation_is_as_frequent_as_it_is_probable(self, rates):
        seen = NoisyForest(CHAIN, Noise(*rates))
        data = seen.sample(20_000, np.random.default_rng(58))
        assert data.events == CHAIN.events
        codes = data.values @ (1 << np.arange(4))
        every = [[code >> k & 1 for k in range(4)] for code in range(16)]
        expected = 20_000 * seen.probabilities(seen_as(CHAIN, every))
        counted = np.bincount(codes, minlength=16)
        possible = expected > 0
        assert counted[~possible].sum() == 0
        assert expected[possible].min() > 5
        assert chisquare(counted[possible], expected[possible]).pvalue > 0.001

    def test_the_same_stream_gives_the_same_data(self):
        seen = NoisyForest(CHAIN, Noise(0.1, 0.2))
        one, other = (seen.sample(50, np.random.default_rng(59)) for _ in range(2))
        assert one == other
        assert one != seen.sample(50, np.random.default_rng(60))


class TestThreads:
    @pytest.mark.parametrize("cores", [1, 2, 7])
    def test_large_data_are_answered_as_their_parts_are(self, cores, monkeypatch):
        monkeypatch.setattr("caprese.kernels.threads.cores", lambda: cores)
        seen = NoisyForest(BINARY, Noise(0.1, 0.2))
        rng = np.random.default_rng(61)
        known = rng.random((210_000, 7)) < 0.9
        data = Dataset(rng.random((210_000, 7)) < 0.5, BINARY.events, known=known)
        parts = [data.take_samples(np.arange(210_000)[start::100]) for start in range(2)]
        logs, posteriors = seen.log_probabilities(data), seen.event_probabilities(data)
        truth = seen.likeliest_genotypes(data)
        for start, part in enumerate(parts):
            assert (logs[start::100] == seen.log_probabilities(part)).all()
            assert (posteriors[start::100] == seen.event_probabilities(part)).all()
            assert (truth[start::100] == seen.likeliest_genotypes(part)).all()
