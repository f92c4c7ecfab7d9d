"""Noise: against what summing over all true genotypes gives."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import definitions
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.models.forest import ROOT, Forest
from caprese.models.noise import Noise
from shapes import SHAPES, SMALL
from strategies import datasets, entries, forests, noises

pytestmark = pytest.mark.slow

RATES = [(0.0, 0.0), (0.1, 0.0), (0.0, 0.2), (0.05, 0.05), (0.1, 0.3), (0.3, 0.6)]


class TestRefusals:
    @pytest.mark.parametrize("name", ["false_positive", "false_negative"])
    @pytest.mark.parametrize("rate", [-0.1, 1, 1.5, float("nan"), float("inf"), "x", None])
    def test_a_rate_outside_the_unit_interval_is_named(self, name, rate):
        with pytest.raises(ValueError, match=rf"^{name} must be in \[0, 1\), got {rate!r}$"):
            Noise(**{name: rate})

    @pytest.mark.parametrize("rates", [(0.5, 0.5), (0.3, 0.7), (0.9, 0.2)])
    def test_rates_that_sum_to_one_are_refused(self, rates):
        with pytest.raises(
            ValueError,
            match=rf"^false_positive \+ false_negative must be less than 1, got {sum(rates)}$",
        ):
            Noise(*rates)

    @pytest.mark.parametrize("tenths", range(1, 10))
    def test_which_rate_is_which_does_not_matter_to_that(self, tenths):
        with pytest.raises(ValueError, match="must be less than 1"):
            Noise(tenths / 10, (10 - tenths) / 10)

    @pytest.mark.parametrize("nu", [-0.1, 1, 2, float("nan"), "x"])
    def test_uniform_noise_is_a_probability_below_one(self, nu):
        with pytest.raises(ValueError, match=rf"^nu must be in \[0, 1\), got {nu!r}$"):
            Noise.uniform(nu)


class TestRates:
    def test_uniform_noise_makes_half_of_its_coins_wrong(self):
        assert Noise.uniform(0.3) == Noise(0.15, 0.15)
        assert Noise.uniform(0) == Noise()

    @given(noises())
    def test_the_signal_is_how_much_more_often_a_present_event_is_seen(self, noise):
        seen, seen_wrongly = 1 - noise.false_negative, noise.false_positive
        assert noise.signal == pytest.approx(seen - seen_wrongly, abs=1e-15)
        assert noise.signal > 0


class TestCorruptedData:
    @pytest.mark.parametrize("rates", RATES)
    def test_entries_go_wrong_at_their_rates(self, rates):
        samples = 40_000
        rows = np.arange(samples * 2).reshape(-1, 2) % 3 == 0
        data = Dataset(rows, ("a", "b"))
        seen = Noise(*rates).corrupt(data, np.random.default_rng(21)).values
        for rate, wrong in zip(rates, (seen[~rows], ~seen[rows]), strict=True):
            spread = (rate * (1 - rate) / wrong.size) ** 0.5
            assert abs(wrong.mean() - rate) <= 4 * spread

    @pytest.mark.parametrize("rates", RATES)
    def test_entries_go_wrong_independently(self, rates):
        """The pairs seen in a corrupted data set are those expected of its counts."""
        samples = 40_000
        data = SHAPES["chain"].sample(samples, np.random.default_rng(22))
        noise = Noise(*rates)
        seen = Counts.of(noise.corrupt(data, np.random.default_rng(23))).joint / samples
        expected = noise.corrupt_counts(Counts.of(data)).joint / samples
        assert abs(seen - expected).max() <= 4 * 0.5 / samples**0.5

    @given(datasets())
    def test_no_noise_changes_nothing(self, data):
        assert Noise().corrupt(data, np.random.default_rng(24)) == data

    @given(datasets(), noises())
    def test_what_is_unknown_stays_unknown_and_names_stay(self, data, noise):
        seen = noise.corrupt(data, np.random.default_rng(25))
        assert (seen.events, seen.samples) == (data.events, data.samples)
        hidden = [[entry is None for entry in row] for row in entries(data)]
        assert [[entry is None for entry in row] for row in entries(seen)] == hidden

    @given(datasets(), noises(), st.data())
    def test_the_order_of_events_does_not_matter(self, data, noise, draw):
        turned = data.take_events(draw.draw(st.permutations(data.events)))
        one = noise.corrupt(data, np.random.default_rng(26))
        other = noise.corrupt(turned, np.random.default_rng(26))
        assert other.take_events(data.events) == one

    def test_one_stream_gives_one_data_set_and_another_gives_another(self):
        data = Dataset(np.zeros((100, 2), dtype=bool), ("a", "b"))
        draws = [Noise(0.5, 0).corrupt(data, np.random.default_rng(seed)) for seed in (1, 1, 2)]
        assert draws[0] == draws[1] != draws[2]

    def test_the_data_given_are_not_touched(self):
        data = Dataset(np.zeros((100, 2), dtype=bool), ("a", "b"))
        Noise(0.5, 0).corrupt(data, np.random.default_rng(1))
        assert not data.values.any()


def exactly_noisy(forest, noise):
    """Pair probabilities of what is seen, by summing over what is true."""
    induced = definitions.distribution(forest.parents.tolist(), forest.probabilities.tolist())
    seen = definitions.noisy(induced, noise.false_positive, noise.false_negative)
    n = range(len(forest.events))
    return np.array([[float(definitions.pair_probability(seen, i, j)) for j in n] for i in n])


class TestCorruptedCounts:
    @pytest.mark.parametrize("rates", RATES)
    @pytest.mark.parametrize("shape", ["single", "two roots", "chain", "star"])
    def test_expected_counts_are_the_sum_over_true_genotypes(self, rates, shape):
        noise = Noise(*rates)
        found = noise.corrupt_counts(Counts.expected(SHAPES[shape]))
        assert found.joint == pytest.approx(exactly_noisy(SHAPES[shape], noise), rel=1e-12)
        assert (found.first == found.present[:, None]).all()
        assert (found.total == 1).all()

    @given(forests(max_events=3), noises())
    def test_of_any_forest_and_noise(self, forest, noise):
        found = noise.corrupt_counts(Counts.expected(forest))
        assert found.joint == pytest.approx(exactly_noisy(forest, noise), abs=1e-14)

    @given(datasets(), noises())
    def test_counts_of_incomplete_data_go_wrong_pair_by_pair(self, data, noise):
        """Each pair as if only the samples that know both had been there."""
        found = noise.corrupt_counts(Counts.of(data))
        rows, wrong = entries(data), (noise.false_positive, noise.false_negative)
        for i in range(len(data.events)):
            for j in range(len(data.events)):
                pair = [(row[i], row[j]) for row in definitions.known(rows, i, j)]
                alone = sum(definitions.seen_given((1,), (a,), *wrong) for a, _ in pair)
                both = sum(definitions.seen_given((1, 1), true, *wrong) for true in pair)
                assert found.first[i, j] == pytest.approx(float(alone), abs=1e-12)
                assert found.joint[i, j] == pytest.approx(
                    float(alone if i == j else both), abs=1e-12
                )
                assert found.total[i, j] == len(pair)


class TestRecoveredCounts:
    @given(forests(), noises(limit=0.9))
    def test_recovering_undoes_corrupting(self, forest, noise):
        exact = Counts.expected(forest)
        found = noise.recover_counts(noise.corrupt_counts(exact))
        assert found.joint == pytest.approx(exact.joint, abs=1e-12)
        assert found.first == pytest.approx(exact.first, abs=1e-12)
        assert (found.total == exact.total).all()

    @given(datasets(), noises(limit=0.9))
    def test_of_data_with_unknown_entries_too(self, data, noise):
        exact = Counts.of(data)
        found = noise.recover_counts(noise.corrupt_counts(exact))
        assert found.joint == pytest.approx(exact.joint, abs=1e-10)
        assert found.first == pytest.approx(exact.first, abs=1e-10)

    @given(datasets(), noises())
    def test_what_is_recovered_is_possible(self, data, noise):
        """Counts that the noise could not have made are brought back to what counts can be."""
        found = noise.recover_counts(Counts.of(data))
        slack = 1e-9
        assert (found.joint >= 0).all()
        assert (found.joint <= np.minimum(found.first, found.second)).all()
        assert (found.first <= found.total).all()
        assert (found.joint >= found.first + found.second - found.total - slack).all()
        assert (np.diagonal(found.joint) == np.diagonal(found.first)).all()

    def test_an_event_rarer_than_its_false_positives_was_never_there(self):
        data = Dataset.from_genotypes({"10": 40, "01": 1, "00": 59}, "ab")
        found = Noise(0.1, 0.1).recover_counts(Counts.of(data))
        assert found.present == pytest.approx([37.5, 0])
        assert found.joint[0, 1] == 0

    def test_an_event_seen_more_often_than_can_be_was_always_there(self):
        data = Dataset.from_genotypes({"11": 60, "01": 40}, "ab")
        found = Noise(0.1, 0.1).recover_counts(Counts.of(data))
        assert found.present == pytest.approx([62.5, 100])
        assert found.joint[0, 1] == pytest.approx(62.5)

    @given(datasets())
    def test_no_noise_recovers_the_counts_themselves(self, data):
        exact, found = Counts.of(data), Noise().recover_counts(Counts.of(data))
        for name in ("joint", "first", "total"):
            assert (getattr(found, name) == getattr(exact, name)).all()

    @pytest.mark.parametrize("shape", SMALL.values(), ids=SMALL)
    def test_a_batch_is_recovered_one_by_one(self, shape):
        data = shape.sample(60, np.random.default_rng(27))
        weights = np.random.default_rng(28).integers(0, 3, (4, 60))
        batch, noise = Counts.of_resamples(data, weights), Noise(0.1, 0.2)
        for change in (noise.corrupt_counts, noise.recover_counts):
            for b in range(4):
                one = change(Counts.of_resamples(data, weights[b]))
                assert (change(batch).joint[b] == one.joint).all()
                assert (change(batch).first[b] == one.first).all()


class TestValue:
    @given(noises())
    def test_repr_evaluates_back(self, noise):
        assert eval(repr(noise), {"Noise": Noise}) == noise

    @given(noises(), noises())
    def test_equal_rates_are_equal_noise(self, one, other):
        rates = [(n.false_positive, n.false_negative) for n in (one, other)]
        assert (one == other) == (rates[0] == rates[1])
        assert Noise(*rates[0]) == one
        assert hash(Noise(*rates[0])) == hash(one)

    def test_the_two_rates_are_not_exchangeable(self):
        assert Noise(0.1, 0.2) != Noise(0.2, 0.1)
        exact = Counts.expected(Forest(("a",), (ROOT,), (0.9,)))
        assert Noise(0.1, 0).corrupt_counts(exact) != Noise(0, 0.1).corrupt_counts(exact)

    def test_pickling_gives_it_back(self):
        assert pickle.loads(pickle.dumps(Noise(0.1, 0.2))) == Noise(0.1, 0.2)

    def test_writing_raises(self):
        with pytest.raises(AttributeError):
            Noise().false_positive = 0.5


def test_a_rate_of_zero_makes_no_error_even_if_zero_is_drawn():
    class Zeros:
        def random(self, number):
            return np.zeros(number)

    data = Dataset.from_rows([[1, 0], [0, 1]], events="ab")
    assert Noise(0, 0).corrupt(data, Zeros()) == data
