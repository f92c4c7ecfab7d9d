"""Mutual hazard networks as a method."""

import numpy as np
import pytest

from caprese import MHN, Dataset, Hazards, ModelError, datasets, effect_table
from caprese.simulation.replicates import draws_like
from caprese.text.facts import in_words
from caprese.text.fits import fit_lines

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
    fit = MHN().fit(data)
    assert fit.evidence.choice.strength == fit.evidence.penalty_strength
    assert fit.model == MHN(penalty_strength=fit.evidence.penalty_strength).fit(data).model
    assert fit.evidence.log_likelihood == pytest.approx(fit.model.log_probabilities(data).sum())


def test_neither_the_order_of_samples_nor_that_of_events_changes_what_is_chosen():
    data = TRUTH.sample(60, np.random.default_rng(3))
    rng = np.random.default_rng(4)
    turned = data.take_samples(rng.permutation(60)).take_events(("d", "b", "a", "c"))
    one, other = MHN(penalty="l2").fit(data), MHN(penalty="l2").fit(turned)
    assert other.model.in_order(data.events) == one.model
    assert other.evidence == one.evidence


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


def test_a_sample_with_too_many_events_is_refused_before_the_fit():
    data = Dataset.from_rows([[1] * 23, [0] * 23], [f"e{k}" for k in range(23)], ["many", "none"])
    with pytest.raises(ModelError, match=r"^sample 'many' carries 23 events: .* 0.125 GiB"):
        MHN().fit(data)


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
