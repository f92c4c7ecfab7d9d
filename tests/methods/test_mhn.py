"""Mutual hazard networks as a method."""

from itertools import combinations

import numpy as np
import pytest

from caprese import (
    MHN,
    Dataset,
    Hazards,
    datasets,
    effect_table,
    read_fit,
    write_fit,
)
from caprese.data.seen_orders import SeenOrders
from caprese.fitting.hazards_ascent import Observations, log_likelihood
from caprese.methods.protocols import OrderedLearning, with_choices
from caprese.models.stacked import Stacked
from caprese.simulation.replicates import draws_like
from caprese.text.facts import in_words
from caprese.text.fits import fit_lines
from hazards_definitions import random_hazards
from order_definitions import log_probability

TRUTH = Hazards(
    ("a", "b", "c", "d"),
    rates=(0.8, 0.1, 0.6, 0.5),
    effects=((1, 12, 1, 1), (1, 1, 1, 1), (1, 1, 1, 0.1), (1, 1, 1, 1)),
)


def test_the_strong_effects_are_found():
    data = TRUTH.sample(2000, np.random.default_rng(1))
    model = MHN(penalty_strength=0.002).fit(data).model
    np.testing.assert_allclose(np.log(model.rates), np.log(TRUTH.rates), atol=0.5)
    strongest = effect_table(model).head(2)
    assert set(zip(strongest["cause"], strongest["event"], strict=True)) == {("a", "b"), ("c", "d")}
    assert strongest.set_index("event")["factor"]["b"] > 5
    assert strongest.set_index("event")["factor"]["d"] < 1 / 2


@pytest.mark.slow
def test_the_strength_is_chosen_by_held_out_samples_and_the_answer_is_that_of_the_strength():
    data = TRUTH.sample(300, np.random.default_rng(2))
    fit = MHN(penalty_strength="auto").fit(data)
    assert fit.evidence.choice.strength == fit.evidence.penalty_strength
    assert fit.predictive == fit.model
    assert fit.model == MHN(penalty_strength=fit.evidence.penalty_strength).fit(data).model
    assert fit.evidence.log_likelihood == pytest.approx(fit.model.log_probabilities(data).sum())


@pytest.mark.parametrize("rule", ["average", "auto"])
def test_neither_the_order_of_samples_nor_that_of_events_changes_what_is_chosen(rule):
    data = TRUTH.sample(60, np.random.default_rng(3))
    rng = np.random.default_rng(4)
    turned = data.take_samples(rng.permutation(60)).take_events(("d", "b", "a", "c"))
    method = MHN(penalty="l2", penalty_strength=rule)
    one, other = method.fit(data), method.fit(turned)
    assert other.model.in_order(data.events) == one.model
    assert other.evidence == one.evidence
    found = other.predictive.log_probabilities(data)
    np.testing.assert_allclose(found, one.predictive.log_probabilities(data), rtol=0, atol=1e-9)


def test_networks_of_several_strengths_predict_and_one_of_their_mean_is_stated(tmp_path):
    data = TRUTH.sample(60, np.random.default_rng(3))
    fit = MHN().fit(data)
    choice = fit.evidence.choice
    assert isinstance(fit.predictive, Stacked)
    assert len(fit.predictive.models) == len(choice.weights) + fit.evidence.beside
    assert choice.strengths[-1] < fit.evidence.penalty_strength < choice.strengths[0]
    assert with_choices(fit).fit(data).model == fit.model
    said = [line for line in in_words(fit.evidence.notes()) if "averaged over" in line]
    others = fit.evidence.beside
    start = (
        f"predictions are averaged over networks of {len(choice.weights)} strengths and {others} "
    )
    assert said[0].startswith(start)
    write_fit(fit, tmp_path / "fit.json")
    again = read_fit(tmp_path / "fit.json")
    assert again == fit
    found = again.predictive.log_probabilities(data)
    np.testing.assert_array_equal(found, fit.predictive.log_probabilities(data))


@pytest.mark.slow
def test_an_average_predicts_new_samples_better_than_the_strength_that_auto_chooses():
    gains = []
    for seed in range(6):
        network = random_hazards(np.random.default_rng([2, seed]), 6, observation=False)
        rng = np.random.default_rng(seed)
        data, rest = network.sample(150, rng), network.sample(2000, rng)
        average, auto = (
            MHN(penalty_strength=rule).fit(data).predictive.log_probabilities(rest).mean()
            for rule in ("average", "auto")
        )
        gains.append(average - auto)
    assert np.mean(gains) > 0


def test_intervals_of_effects_are_shown_in_table_and_words_and_kept_in_files(tmp_path):
    data = TRUTH.sample(2000, np.random.default_rng(1))
    method = MHN(penalty_strength=0.002, intervals=True)
    fit = method.fit(data)
    table = effect_table(fit)
    assert (table["low"] < table["high"]).all()
    (strong,) = table[(table["cause"] == "a") & (table["event"] == "b")].to_dict("records")
    assert 1 < strong["low"] < strong["high"] < 30
    assert any("with 90 %)" in line for line in fit_lines(fit))
    assert "low" not in effect_table(MHN(penalty_strength=0.002).fit(data))
    write_fit(fit, tmp_path / "fit.json")
    assert read_fit(tmp_path / "fit.json") == fit
    turned = method.fit(data.take_events(("d", "b", "a", "c"))).evidence.posterior
    again = turned.in_order(data.events)
    np.testing.assert_allclose(again.errors, fit.evidence.posterior.errors, rtol=1e-9)


@pytest.mark.slow
def test_intervals_of_ninety_percent_contain_so_many_effects():
    inside = []
    for seed in range(12):
        network = random_hazards(np.random.default_rng([6, seed]), 6, observation=False)
        data = network.sample(1000, np.random.default_rng(seed))
        method = MHN(penalty_strength=0.01, intervals=True)
        low, high = method.fit(data).evidence.effect_intervals
        contains = (low < network.effects) & (network.effects < high)
        inside.append(contains[~np.eye(6, dtype=bool)].mean())
    assert 0.85 <= np.mean(inside) <= 0.95


@pytest.mark.slow
def test_other_seeds_divide_the_samples_otherwise():
    data = TRUTH.sample(60, np.random.default_rng(3))
    one, other = MHN().fit(data).evidence.choice, MHN(seed=2).fit(data).evidence.choice
    assert one != other


def test_one_sample_gets_an_answer():
    fit = MHN().fit(Dataset.from_rows([[1, 0]], events="ab"))
    assert fit.evidence.choice is None
    assert fit.evidence.penalty_strength == 1.0


def test_unknown_entries_take_little_from_the_answer():
    data = TRUTH.sample(2000, np.random.default_rng(1))
    known = np.random.default_rng(2).random(data.values.shape) > 0.2
    partly = Dataset(data.values & known, data.events, data.samples, known)
    model = MHN(penalty_strength=0.002).fit(partly).model
    assert model.effects[0, 1] > 5
    assert model.effects[2, 3] < 1 / 2


def test_a_fit_to_dense_samples_is_close_to_the_exact_one_and_says_so(monkeypatch):
    network = random_hazards(np.random.default_rng(4), 9, observation=False, spread=0.5)
    data = network.sample(150, np.random.default_rng(5))
    method = MHN(penalty_strength=0.02)
    exact = method.fit(data)
    monkeypatch.setattr("caprese.models.hazards.MOST_IN_SAMPLE", 4)
    monkeypatch.setattr("caprese.fitting.dense_hazards.MOST_STATES", 40)
    found = method.fit(data)
    dense = int((data.values.sum(axis=1) > 4).sum())
    assert (exact.evidence.dense, found.evidence.dense) == (0, dense)
    (note,) = [fact for fact in found.evidence.notes() if fact.kind == "dense samples"]
    assert note.values["samples"] == dense > 30
    np.testing.assert_allclose(np.log(found.model.effects), np.log(exact.model.effects), atol=0.15)
    assert found.evidence.log_likelihood == pytest.approx(exact.evidence.log_likelihood, abs=2)
    turned = method.fit(data.take_events(data.events[::-1]).take_samples(range(149, -1, -1)))
    again = turned.model.in_order(data.events)
    np.testing.assert_allclose(np.log(again.effects), np.log(found.model.effects), atol=1e-4)


def test_seen_orders_of_dense_samples_count_as_in_exact_ones(monkeypatch):
    network = random_hazards(np.random.default_rng(4), 6, observation=False, spread=0.5)
    drawn = network.trajectories(60, np.random.default_rng(5))
    data = with_orders(drawn.data, drawn)
    exact = Observations.of(data)
    parameters = np.random.default_rng(6).normal(0, 0.5, (6, 6))
    expected = log_likelihood(parameters, exact, exact.times)
    monkeypatch.setattr("caprese.fitting.hazards_ascent.is_dense", lambda codes: codes.sum(1) > 2)
    thin = Observations.of(data).drawn_at(np.zeros((6, 6)))
    assert len(thin.dense.codes) > 10
    found = log_likelihood(parameters, thin, thin.times)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)


def test_many_events_are_no_trouble_if_samples_carry_few():
    rng = np.random.default_rng(5)
    rows = rng.random((60, 40)) < 0.05
    model = MHN(penalty_strength=0.2).fit(Dataset(rows, [f"e{k:02}" for k in range(40)])).model
    assert len(model.events) == 40


def test_the_effects_are_told_in_words():
    data = TRUTH.sample(2000, np.random.default_rng(1))
    fit = MHN(penalty_strength=0.01).fit(data)
    lines = fit_lines(fit)
    assert any("a speeds b up" in line for line in lines)
    assert any("c slows d down" in line for line in lines)
    assert in_words(fit.evidence.notes())[0].endswith("with a penalty of strength 0.01")


def test_effects_on_observation_are_told_too():
    hazards = Hazards(("KRAS", "EGFR"), (1, 1), ((1, 1 / 12), (1, 1)), observation=(3, 0.5))
    from caprese.assessment.effects import effect_facts

    assert in_words(effect_facts(hazards)) == [
        "1 of 2 effects change a rate by more than 10 %; the strongest:",
        "KRAS slows EGFR down 12-fold",
        "samples with KRAS are taken 3.0-fold sooner",
        "samples with EGFR are taken 2.0-fold later",
    ]
    assert effect_table(hazards)["event"].tolist() == [
        "EGFR",
        "observation",
        "observation",
        "KRAS",
    ]


def test_effects_on_observation_without_seen_orders_come_with_a_warning():
    data = TRUTH.sample(200, np.random.default_rng(1))
    kinds = [
        [
            fact.kind
            for fact in MHN(penalty_strength=0.1, observation=own).fit(data).evidence.notes()
        ]
        for own in (False, True)
    ]
    assert ["orders left to the penalty" in each for each in kinds] == [False, True]
    row = int(data.values.sum(axis=1).argmax())
    one, other = np.flatnonzero(data.values[row])[:2]
    seen = SeenOrders.from_rows([(data.samples[row], data.events[one], data.events[other])])
    fit = MHN(penalty_strength=0.1, observation=True).fit(data.with_orders(seen))
    assert "orders left to the penalty" not in [fact.kind for fact in fit.evidence.notes()]


def test_a_model_without_effects_says_so():
    from caprese.assessment.effects import effect_facts

    alone = Hazards(("a", "b"), (1, 1), np.ones((2, 2)))
    assert in_words(effect_facts(alone)) == [
        "no event changes the rate of another by more than 10 %"
    ]


def test_on_ovarian_data_observation_effects_fit_better():
    classical = MHN(penalty_strength=0.02).fit(datasets.ovarian())
    biased = MHN(penalty_strength=0.02, observation=True).fit(datasets.ovarian())
    assert biased.evidence.log_likelihood > classical.evidence.log_likelihood
    assert (biased.model.observation != 1).any()
    assert (classical.model.observation == 1).all()


def test_replicates_of_a_parametric_bootstrap_are_drawn_from_the_network():
    data = TRUTH.sample(500, np.random.default_rng(6))
    fit = MHN(penalty_strength=0.01).fit(data)
    source = draws_like(data, fit.predictive, seed=1)
    one, again = source.dataset(3), source.dataset(3)
    assert (one.values == again.values).all()
    assert one.values.shape == (500, 4)
    np.testing.assert_allclose(one.values.mean(axis=0), data.values.mean(axis=0), atol=0.1)


def with_orders(data, drawn, share=0.5, seed=3):
    """The data with the order of all events of a share of the samples."""
    chosen = np.random.default_rng(seed).random(len(data.samples)) < share
    rows = [
        (sample, *pair)
        for sample, order, taken in zip(data.samples, drawn.orders(), chosen, strict=True)
        if taken
        for pair in combinations(order, 2)
    ]
    return data.with_orders(SeenOrders.from_rows(rows))


def test_seen_orders_decide_which_of_two_events_acts_on_the_other():
    data = Dataset.from_genotypes({"11": 100, "10": 50, "01": 50, "00": 200}, "ab")
    rows = [(sample, "b", "a") for sample in data.samples[:100]]
    method, asked = MHN(penalty_strength=0.01), np.array([[0, 1, 0]])
    without = method.fit(data).model.order_probabilities(data, asked)
    learnt = method.fit(data.with_orders(SeenOrders.from_rows(rows))).model
    assert without == pytest.approx([0.5], abs=0.01)
    assert learnt.order_probabilities(data, asked) > 0.9


def test_with_orders_the_load_is_one_of_each_event_and_the_fit_says_so():
    drawn = TRUTH.trajectories(200, np.random.default_rng(6))
    data = with_orders(drawn.data, drawn)
    method = MHN(penalty_strength=0.02)
    assert isinstance(method, OrderedLearning)
    assert method.uses_orders
    fit = method.fit(data)
    assert fit.evidence.load == "events"
    assert fit.evidence.seen_orders == len(data.orders)
    assert method.fit(data.without_orders()).evidence.load == "none"
    assert with_choices(fit) == MHN(penalty_strength=0.02, load="events")
    assert with_choices(fit).fit(data).model == fit.model
    notes = in_words(fit.evidence.notes())
    assert notes[1] == f"fitted to {len(data.orders)} seen orders too"
    assert notes[2].startswith("in all effects: with each other event the rate of an event changes")
    common = in_words(MHN(penalty_strength=0.02, load="common").fit(data).evidence.notes())
    assert common[2].startswith("in all effects: each event changes the rates of the others")


def test_a_fit_with_orders_maximises_the_likelihood_of_genotypes_and_orders():
    drawn = TRUTH.trajectories(150, np.random.default_rng(7))
    data = with_orders(drawn.data, drawn)
    fit = MHN(penalty_strength=0.02, load="none").fit(data)
    first = [
        log_probability(fit.model, np.flatnonzero(row).tolist(), [
            (a, b, 1 - 1e-6) for own, a, b in data.orders.pairs.tolist() if own == sample
        ])
        for sample, row in enumerate(data.values)
    ]  # fmt: skip
    assert fit.evidence.log_likelihood == pytest.approx(sum(first), rel=1e-9)


def test_neither_the_order_of_samples_nor_that_of_events_changes_a_fit_with_orders():
    drawn = TRUTH.trajectories(60, np.random.default_rng(3))
    data = with_orders(drawn.data, drawn)
    turned = data.take_samples(np.random.default_rng(4).permutation(60))
    turned = turned.take_events(("d", "b", "a", "c"))
    one, other = MHN(penalty="l2").fit(data), MHN(penalty="l2").fit(turned)
    assert other.model.in_order(data.events) == one.model
    assert other.evidence == one.evidence


def test_a_fit_with_orders_is_read_back_equal(tmp_path):
    drawn = TRUTH.trajectories(60, np.random.default_rng(3))
    fit = MHN(penalty_strength=0.1).fit(with_orders(drawn.data, drawn))
    write_fit(fit, tmp_path / "fit.json")
    assert read_fit(tmp_path / "fit.json") == fit
