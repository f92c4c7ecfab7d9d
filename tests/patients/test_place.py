"""place: the answers of the model, sample by sample, for any samples."""

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
    IndependentEvents,
    ModelError,
    Noise,
    NoisyForest,
    TimedPoset,
    place,
)
from caprese.io.documents import read_fit, write_fit

FOREST = Forest(("a", "b", "c"), (ROOT, 0, 1), (0.6, 0.5, 0.5))
NOISY = NoisyForest(FOREST, Noise(0.05, 0.1))


def ovarian():
    return caprese.datasets.ovarian()


def test_the_answers_are_those_of_the_predictive_model():
    fit = Caprese().fit(ovarian())
    placed = place(fit, ovarian())
    model = fit.predictive
    np.testing.assert_allclose(placed.event_probabilities, model.event_probabilities(ovarian()))
    np.testing.assert_allclose(placed.next_probabilities, model.next_probabilities(ovarian()))
    np.testing.assert_array_equal(placed.genotypes, model.likeliest_genotypes(ovarian()))
    assert placed.samples == ovarian().samples


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
    assert placed.next_events("1") == ()
    assert placed.orders("1").orders == ()
    assert placed.next_events("2")[0].event == "b"
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
