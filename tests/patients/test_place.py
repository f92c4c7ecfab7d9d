"""place: the answers of the model, sample by sample, for any samples."""

from dataclasses import replace

import numpy as np
import pytest

import caprese
from caprese import (
    HCBN,
    MHN,
    ROOT,
    BayesForest,
    Caprese,
    Capri,
    Dataset,
    Forest,
    Hazards,
    Independence,
    IndependentEvents,
    ModelError,
    Noise,
    NoisyForest,
    NoisyPoset,
    TimedPoset,
    place,
)
from caprese.io.documents import read_fit, write_fit
from caprese.models.stacked import Stacked

FOREST = Forest(("a", "b", "c"), (ROOT, 0, 1), (0.6, 0.5, 0.5))
NOISY = NoisyForest(FOREST, Noise(0.05, 0.1))


def ovarian():
    return caprese.datasets.ovarian()


def test_corrected_answers_are_those_of_the_predictive_model():
    fit = Caprese().fit(ovarian())
    placed = place(fit, ovarian(), corrected=True)
    model = fit.predictive
    np.testing.assert_allclose(placed.event_probabilities, model.event_probabilities(ovarian()))
    np.testing.assert_array_equal(placed.genotypes, model.likeliest_genotypes(ovarian()))
    assert placed.samples == ovarian().samples
    assert placed.noise == model.noise


class TestCorrections:
    """Errors are corrected only with rates that were given."""

    def test_what_was_seen_is_the_genotype_without_given_rates(self):
        for method in (Caprese(), HCBN(restarts=1), IndependentEvents()):
            placed = place(method.fit(ovarian()), ovarian(), simulated=10)
            assert not placed.corrected
            assert placed.noise is None
            assert not placed.missed.any()
            assert not placed.wrongly_seen.any()
            np.testing.assert_array_equal(placed.genotypes, ovarian().values)
            np.testing.assert_array_equal(placed.event_probabilities, ovarian().values)
            np.testing.assert_array_equal(placed.counts.T[1], ovarian().values.sum(axis=1))

    def test_given_rates_correct_in_place_of_those_that_were_estimated(self):
        given = Noise(0.3, 0.01)
        fit = Caprese(noise=given).fit(ovarian())
        placed = place(fit, ovarian(), simulated=10)
        assert placed.noise == given
        by_hand = replace(fit.predictive, noise=given)
        expected = by_hand.likeliest_genotypes(ovarian())
        assert (expected != ovarian().values).any()
        np.testing.assert_array_equal(placed.genotypes, expected)

    def test_a_stack_corrects_as_far_as_its_parts_allow_for_errors(self):
        data = Dataset.from_rows([[0, 1, 1]], events="abc")
        alone = Independence(("a", "b", "c"), (0.5, 0.5, 0.5))
        for weight, there in ((0.99, True), (0.01, False)):
            mixed = Stacked((NOISY, alone), (weight, 1 - weight))
            placed = place(mixed, data, simulated=10)
            assert placed.genotypes[0, 0] == there
            assert placed.noise == NOISY.noise
            np.testing.assert_allclose(placed.event_probabilities, mixed.event_probabilities(data))
            assert not place(mixed, data, corrected=False, simulated=10).missed.any()

    def test_unknown_entries_are_filled_in_all_the_same(self):
        data = Dataset.from_rows([[None, 1, 0], [0, 0, None]], events="abc")
        placed = place(NOISY, data, corrected=False, simulated=10)
        assert placed.genotypes.tolist() == [[True, True, False], [False, False, False]]
        known, chances = data.known_mask, placed.event_probabilities
        np.testing.assert_array_equal(chances[known], data.values[known])
        np.testing.assert_allclose(chances[~known], NOISY.event_probabilities(data)[~known])
        np.testing.assert_allclose(placed.counts[:, 0], chances.sum(axis=1))
        assert placed.counts[:, 1:].tolist() == [[1, 2], [0, 0]]


class TestNext:
    """What comes next, given what is shown."""

    HAZARDS = Hazards(("a", "b", "c"), (1.0, 0.5, 0.5), ((1, 4, 1), (1, 1, 1), (1, 1, 1)))

    def test_probabilities_are_rates_over_their_sum_in_the_genotype_shown(self):
        data = Dataset.from_rows([[0, 0, 0], [1, 0, 0], [1, 1, 1]], events="abc")
        placed = place(self.HAZARDS, data, simulated=10)
        expected = [[0.5, 0.25, 0.25], [0, 0.8, 0.2], [0, 0, 0]]
        np.testing.assert_allclose(placed.next_probabilities, expected)
        np.testing.assert_allclose(placed.waiting_medians[1], [np.nan, np.log(2) / 2, np.log(4)])
        assert placed.following.tolist() == [0, 1, -1]

    def test_the_most_probable_event_that_is_not_shown_is_never_hidden(self):
        """A child was seen without its parent: the parent is what comes next."""
        poset = NoisyPoset(TimedPoset(("a", "b", "c"), ((), (0,), ()), (1.0, 1.0, 0.5)), 0.1)
        data = Dataset.from_rows([[0, 1, 0]], events="abc")
        assert place(poset, data, simulated=10).wrongly_seen[0].tolist() == [False, True, False]
        placed = place(poset, data, corrected=False, simulated=10)
        assert placed.next_probabilities[0] == pytest.approx([2 / 3, 0, 1 / 3])

    def test_over_what_unknown_entries_may_be(self):
        data = Dataset.from_rows([[None, 0, 0]], events="abc")
        placed = place(self.HAZARDS, data, simulated=10)
        there = self.HAZARDS.event_probabilities(data)[0, 0]
        expected = np.array([1 - there, there * 1.6 + (1 - there) * 0.5, 0]) / 2
        expected[2] = 1 - expected.sum()
        shown = placed.genotypes[0, 0]
        expected = np.where([shown, False, False], 0, expected)
        assert placed.next_probabilities[0] == pytest.approx(expected / expected.sum())

    def test_a_model_without_a_clock_says_nothing(self):
        placed = place(NOISY, Dataset.from_rows([[1, 0, 0]], events="abc"), simulated=10)
        assert not placed.timed
        assert np.isnan(placed.next_probabilities).all()
        assert placed.following.tolist() == [-1]
        message = "does not say what comes next; the methods stack, mhn and hcbn do"
        with pytest.raises(ModelError, match=message):
            placed.next_events("1")

    def test_of_exclusive_events_the_second_comes_more_seldom_by_how_rarely_they_meet(self):
        rng = np.random.default_rng(1)
        first = rng.random(400) < 0.5
        second = np.where(first, rng.random(400) < 0.02, rng.random(400) < 0.5)
        data = Dataset(np.column_stack([first, second, rng.random(400) < 0.3]), ("a", "b", "c"))
        fit = HCBN(restarts=1).fit(data)
        other = Dataset.from_rows([[1, 0, 0]], events="abc")
        alone, placed = (place(each, other, simulated=10) for each in (fit.predictive, fit))
        lift = (first & second).sum() * 400 / (first.sum() * second.sum())
        odds = alone.next_probabilities[0, 1] / alone.next_probabilities[0, 2] * lift
        assert lift < 0.1
        assert placed.next_probabilities[0] == pytest.approx([0, odds / (1 + odds), 1 / (1 + odds)])
        assert placed.next_events("1")[0].event == "c"

    def test_the_most_frequent_event_that_is_lacked_is_known_without_a_clock(self):
        data = ovarian()
        placed = place(Caprese().fit(data), data, simulated=10)
        frequency = data.values.mean(axis=0)
        for row, own in enumerate(data.values):
            expected = sorted(np.flatnonzero(~own), key=lambda k: -frequency[k])
            assert placed.lacked(row) == expected
        assert place(NOISY_OVARIAN, data, simulated=10).lacked(0) == []


def test_typicality_is_the_share_of_samples_at_most_as_probable():
    every = Dataset.from_rows([[k >> 2 & 1, k >> 1 & 1, k & 1] for k in range(8)], events="abc")
    likely = np.exp(NOISY.log_probabilities(every))
    expected = [likely[likely <= each + 1e-9].sum() for each in likely]
    found = place(NOISY, every, simulated=40_000).typicality
    assert found == pytest.approx(expected, abs=0.01)


def test_typicality_of_a_sample_with_unknown_entries_is_that_of_the_known_ones():
    """Only a is known: 0.6 x 0.9 + 0.4 x 0.05 of all samples have it."""
    data = Dataset.from_rows([[1, None, None], [0, None, None]], events="abc")
    chance = 0.6 * 0.9 + 0.4 * 0.05
    found = place(NOISY, data, simulated=40_000).typicality
    assert found == pytest.approx([1, 1 - chance], abs=0.01)


def test_samples_that_do_not_fit_are_listed():
    data = Dataset.from_rows([[1, 1, 1], [0, 0, 1]], events="abc", samples=["fine", "odd"])
    strict = NoisyForest(FOREST, Noise(0.001, 0.001))
    assert place(strict, data).unusual == ("odd",)


def test_a_sample_that_cannot_be_keeps_what_was_seen_and_nothing_is_said_of_it():
    data = Dataset.from_rows([[0, 0, 1], [1, 0, 0]], events="abc")
    placed = place(FOREST, data)
    assert placed.typicality[0] == 0
    assert placed.genotypes[0].tolist() == [False, False, True]
    assert np.isnan(placed.next_probabilities[0]).all()
    assert placed.counts[0].tolist() == [1, 1, 1]
    assert placed.coming(0) == ()
    assert placed.orders("1").orders == ()
    placed.table()


def test_the_interval_of_events_holds_at_least_nine_tenths():
    data = NOISY.sample(200, np.random.default_rng(1))
    placed, chances = place(NOISY, data), NOISY.count_probabilities(data)
    for row, (mean, low, high) in enumerate(placed.counts):
        assert chances[row, int(low) : int(high) + 1].sum() >= 0.9 - 1e-9
        assert chances[row, : int(low)].sum() <= 0.05
        assert low <= mean + 1e-9 or chances[row, int(low)] > 0.95
        assert high <= 3


def test_other_samples_are_matched_by_name():
    fit = Caprese().fit(ovarian())
    other = Dataset.from_rows([[1, 1, 0]], events=["Xp-", "new", "8q+"], samples=["x"])
    placed = place(fit, other)
    assert placed.surplus == ("new",)
    assert placed.lacking == ("3q+", "5q-", "4q-", "8p-", "1q+")
    assert placed.events == ovarian().events
    same = Dataset.from_rows([[0, None, None, None, None, None, 1]], events=ovarian().events)
    assert placed.event_probabilities[0] == pytest.approx(place(fit, same).event_probabilities[0])


def test_samples_of_another_study_are_refused():
    other = Dataset.from_rows([[1]], events=["8Q+"])
    with pytest.raises(ModelError, match=r"no event in common: '8q\+', \.\.\. against '8Q\+'"):
        place(Caprese().fit(ovarian()), other)


def test_the_order_of_rows_and_columns_does_not_matter():
    data = ovarian()
    rng = np.random.default_rng(2)
    rows, columns = rng.permutation(87), rng.permutation(7)
    turned = data.take_samples(rows).take_events([data.events[k] for k in columns])
    one, other = place(NOISY_OVARIAN, data), place(NOISY_OVARIAN, turned)
    np.testing.assert_array_equal(one.typicality[rows], other.typicality)
    np.testing.assert_array_equal(one.next_probabilities[rows], other.next_probabilities)
    assert place(NOISY_OVARIAN, data) == one


NOISY_OVARIAN = Caprese().fit(ovarian()).predictive


@pytest.mark.slow
def test_a_fit_read_from_a_file_places_other_samples_alike(tmp_path):
    data = ovarian()
    few = data.take_samples(range(5))
    bayes = BayesForest(draws=20, warm_up=20, chains=2)
    for method in (Caprese(), IndependentEvents(), HCBN(restarts=1), Capri(), MHN(), bayes):
        fit = method.fit(data)
        write_fit(fit, tmp_path / "fit.json")
        read = read_fit(tmp_path / "fit.json")
        assert read.data is None
        assert read == fit
        assert place(read, few) == place(fit, few)


@pytest.mark.slow
def test_subtypes_are_those_that_the_fit_names():
    rng = np.random.default_rng(3)
    one = Forest(tuple("abcdef"), (ROOT, 0, 1, ROOT, 3, 4), (0.95, 0.9, 0.9, 0.02, 0.5, 0.5))
    two = Forest(tuple("abcdef"), (ROOT, 0, 1, ROOT, 3, 4), (0.02, 0.5, 0.5, 0.95, 0.9, 0.9))
    values = np.concatenate([one.sample(60, rng).values, two.sample(40, rng).values])
    data = Dataset(values, one.events)
    fit = BayesForest(subtypes=2, draws=100, warm_up=100, chains=2).fit(data)
    placed = place(fit, data)
    assert placed.subtypes.shape == (100, 2)
    right = placed.subtypes.argmax(axis=1) == np.repeat([0, 1], [60, 40])
    assert right.mean() > 0.9
    table = placed.table()
    assert set(table["subtype"]) == {1, 2}
    assert table["subtype_probability"].between(0.5, 1).all()
    assert place(BayesForest(draws=20, warm_up=20).fit(data), data).subtypes.shape == (100, 0)


def test_names_can_be_left_out():
    placed = place(NOISY_OVARIAN, ovarian().take_samples([4, 2])).without_names()
    assert placed.samples == ("1", "2")


def test_what_was_probably_missed_is_told():
    data = Dataset.from_rows([[0, 1, 1]], events="abc", samples=["p"])
    placed = place(NOISY, data)
    assert placed.genotypes.all()
    row = placed.table().loc["p"]
    assert (row["seen"], row["missed"], row["likeliest"]) == ("b; c", "a", "a; b; c")
    assert row["next"] == ""
    assert np.isnan(row["next_probability"])


def test_unknown_entries_are_not_called_missed():
    data = Dataset.from_rows([[None, 1, 1]], events="abc")
    row = place(NOISY, data).table().iloc[0]
    assert (row["missed"], row["unknown"], row["likeliest"]) == ("", "a", "a; b; c")


def test_a_sample_that_is_not_there_is_refused_with_a_hint():
    placed = place(NOISY, Dataset.from_rows([[0, 0, 0]], events="abc", samples=["TCGA-01"]))
    with pytest.raises(ModelError, match="there is no sample 'TCGA-1'; did you mean 'TCGA-01'"):
        placed.orders("TCGA-1")


def test_bad_settings_and_models_are_refused():
    with pytest.raises(ValueError, match="simulated must be a whole number of at least 1"):
        place(NOISY, ovarian(), simulated=0)

    class Silent:
        events = ovarian().events

        def log_probabilities(self, data):
            return np.zeros(len(data.samples))

    with pytest.raises(
        ModelError, match="a Silent does not say what comes next, so samples have no place"
    ):
        place(Silent(), ovarian())


def test_times_are_those_of_the_rates():
    chain = TimedPoset(("a", "b"), ((), (0,)), (1.0, 4.0))
    data = Dataset.from_rows([[1, 0]], events="ab")
    (following,) = place(chain, data).next_events("1")
    assert (following.event, following.probability) == ("b", 1.0)
    assert following.median_time == pytest.approx(np.log(2) / 4)


def test_a_table_of_thousands_of_distinct_samples_comes_in_parts(monkeypatch):
    data = NOISY_OVARIAN.sample(300, np.random.default_rng(4))
    whole = place(NOISY_OVARIAN, data)
    monkeypatch.setattr("caprese.patients.place._AT_ONCE", 7)
    assert place(NOISY_OVARIAN, data) == whole
