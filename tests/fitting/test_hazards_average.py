"""Strengths of penalties, and loads of hazard networks, weighed by held-out samples."""

from dataclasses import replace

import numpy as np
import pytest

from caprese import Dataset, Patients
from caprese.data.seen_orders import SeenOrders
from caprese.fitting import hazards_ascent
from caprese.fitting.hazards_ascent import Objective, Observations, log_chances
from caprese.fitting.hazards_average import StrengthChoice, choose_strength
from caprese.fitting.stacking import stacking_weights
from hazards_definitions import drawn


def test_the_strongest_penalty_within_one_standard_error_of_the_best_is_chosen():
    seen = Observations.of(drawn(60, 3, 7))
    choice = choose_strength(seen, Objective("l2", 1.0, False), "auto", folds=3, seed=4).choice
    enough = choice.scores + choice.errors >= choice.scores[choice.best]
    assert choice.strength == choice.strengths[enough].max()
    assert sorted(choice.weights)[-2:] == [0, 1]


def test_where_times_make_ascents_long_one_fold_is_held_out(monkeypatch):
    monkeypatch.setattr(hazards_ascent, "_LONG", 0.0)
    data = drawn(40, 3, 7)
    data = data.with_patients(Patients(tuple(map(str, range(40))), times=np.arange(1.0, 41)))
    seen, objective = Observations.in_time(data, "known"), Objective("l2", 1.0, False)
    how = {"folds": 4, "seed": 1, "beside": (Objective("l2", 1.0, False, "common"),)}
    path = choose_strength(seen, objective, "average", **how)
    assert len(path.maxima) == len(path.choice.strengths)
    fold = np.random.default_rng(1).permutation(40) % 4
    samples = np.repeat(np.arange(len(seen.times)), seen.times.astype(int))
    out = np.bincount(samples[fold == 0], minlength=len(seen.times)).astype(float)
    first = Objective("l2", path.choice.strengths[0], False)
    model = first.maximum(seen, seen.times - out, tolerance=1e-7).parameters
    score = np.average(log_chances(model, seen), weights=out)
    assert path.choice.scores[0] == pytest.approx(score, abs=1e-6)


def test_the_stated_strength_of_an_average_is_the_geometric_mean_by_weight():
    numbers = (8.0, 4.0, 2.0), (-3.0, -2.05, -2.0), (0.5, 0.1, 0.0)
    assert StrengthChoice(*numbers, weights=(0.25, 0.5, 0.25)).strength == pytest.approx(4.0)
    assert StrengthChoice(*numbers, weights=(0.0, 1.0, 0.0)).strength == 4.0


def test_weights_of_an_average_make_held_out_samples_most_probable():
    seen = Observations.of(drawn(60, 3, 7))
    path = choose_strength(seen, Objective("l2", 1.0, False), "average", folds=3, seed=4)
    strengths = path.choice.strengths
    np.testing.assert_allclose(strengths[:-1] / strengths[1:], 4)
    samples = np.repeat(np.arange(len(seen.times)), seen.times.astype(int))
    fold = np.random.default_rng(4).permutation(60) % 3
    found = np.empty((len(strengths), 60))
    for row, strength in enumerate(strengths):
        each = Objective("l2", strength, False)
        for place in range(3):
            training = np.bincount(samples[fold != place], minlength=len(seen.times)).astype(float)
            end = each.maximum(seen, training).parameters
            found[row, fold == place] = log_chances(end, seen)[samples[fold == place]]
        own = each.maximum(seen, seen.times).parameters
        np.testing.assert_allclose(path.maxima[row], own, atol=0.02)
    np.testing.assert_allclose(path.choice.weights, stacking_weights(found), atol=0.02)


def test_held_out_scores_are_those_of_models_that_have_not_seen_the_samples():
    data = drawn(30, 3, 7)
    seen = Observations.of(data)
    choice = choose_strength(seen, Objective("l2", 1.0, False), "auto", folds=3, seed=4).choice
    samples = np.repeat(np.arange(len(seen.times)), seen.times.astype(int))
    fold = np.random.default_rng(4).permutation(30) % 3
    scores = np.empty(30)
    for place in range(3):
        training = np.bincount(samples[fold != place], minlength=len(seen.times)).astype(float)
        found = Objective("l2", choice.strengths[0], False).maximum(seen, training).parameters
        scores[fold == place] = log_chances(found, seen)[samples[fold == place]]
    assert choice.scores[0] == pytest.approx(scores.mean(), abs=1e-4)
    assert choice.strengths[0] == 64 / 30
    assert (np.diff(choice.strengths) < 0).all()
    assert choice.errors[choice.best] == 0


def test_one_sample_is_too_few_to_choose():
    seen = Observations.of(Dataset.from_rows([[1, 0]], events="ab"))
    assert choose_strength(seen, Objective("l1", 1.0, False), "auto", folds=5, seed=1) is None


def test_other_networks_take_part_in_an_average():
    seen = Observations.of(drawn(60, 3, 7))
    how = {"folds": 3, "seed": 4}
    objective = Objective("l2", 1.0, observation=False)
    others = [replace(objective, load="common"), replace(objective, observation=True)]
    alone, loaded, observing = (
        choose_strength(seen, each, "average", **how) for each in (objective, *others)
    )
    every = choose_strength(seen, objective, "average", **how, beside=others)
    expected = (*alone.maxima, *loaded.maxima, *observing.maxima)
    for found, own in zip(every.maxima, expected, strict=True):
        np.testing.assert_array_equal(found, own)
    assert every.choice == alone.choice
    assert every.weights.sum() == pytest.approx(1)
    first = len(alone.choice.weights)
    assert 0.01 < every.weights[first:].sum() < 0.99


def test_networks_with_observation_say_nothing_of_orders_beside_others():
    seen = Observations.of(drawn(60, 3, 7))
    how = {"folds": 3, "seed": 4}
    objective = Objective("l2", 1.0, observation=False)
    common, observed = replace(objective, load="common"), replace(objective, observation=True)
    two = choose_strength(seen, objective, "average", **how, beside=[common])
    three = choose_strength(seen, objective, "average", **how, beside=[common, observed])
    assert two.order_weights is None
    own = len(two.weights)
    np.testing.assert_array_equal(three.order_weights[:own], two.weights)
    assert (three.order_weights[own:] == 0).all()
    assert three.weights[own:].sum() > 0.01
    asked = replace(objective, observation=True)
    beside = [replace(asked, load="common")]
    assert choose_strength(seen, asked, "average", **how, beside=beside).order_weights is None


def with_some_orders(data):
    """The data with an order of the first two events of every third sample."""
    rows = [
        (name, *np.array(data.events)[np.flatnonzero(row)[:2]], 0.9)
        for name, row in list(zip(data.samples, data.values, strict=True))[::3]
        if row.sum() > 1
    ]
    return data.with_orders(SeenOrders.from_rows(rows))


def test_genotypes_and_orders_given_them_have_weights_of_their_own():
    data = with_some_orders(drawn(90, 3, 7))
    seen, objective = Observations.of(data), Objective("l2", 1.0, False, "events")
    common = replace(objective, load="common")
    path = choose_strength(seen, objective, "average", folds=3, seed=4, beside=[common])
    plain = seen.without_orders()
    assert plain is plain.without_orders() is not seen
    own = len(path.choice.weights)
    samples = np.repeat(np.arange(len(seen.times)), seen.times.astype(int))
    fold = np.random.default_rng(4).permutation(90) % 3
    found = np.empty((2, len(path.maxima), 90))
    for row, network in enumerate(path.maxima):
        strength = path.choice.strengths[row % own]
        each = Objective("l2", strength, False, "events" if row < own else "common")
        fitted = seen if row < own else plain
        for place in range(3):
            training = np.bincount(samples[fold != place], minlength=len(seen.times)).astype(float)
            end = each.loaded(each.maximum(fitted, training).parameters, fitted, training)
            for way, asked in enumerate((seen, plain)):
                found[way, row, fold == place] = log_chances(end, asked)[samples[fold == place]]
        whole = each.maximum(fitted, seen.times).parameters
        np.testing.assert_allclose(network, each.loaded(whole, fitted, seen.times), atol=0.03)
    np.testing.assert_allclose(path.weights, stacking_weights(found[1]), atol=0.03)
    given = found[0] - found[1]
    ordered = (given < -0.01).any(axis=0)
    assert ordered.sum() == len({row.sample for row in data.orders.rows()})
    np.testing.assert_allclose(path.order_weights, stacking_weights(given[:, ordered]), atol=0.03)


def test_without_orders_observations_are_those_of_the_genotypes():
    data = with_some_orders(drawn(90, 3, 7))
    plain, parameters = Observations.of(data).without_orders(), np.full((3, 3), -0.3)
    expected = Observations.of(data.without_orders())
    total = log_chances(parameters, expected) @ expected.times
    assert log_chances(parameters, plain) @ plain.times == pytest.approx(total)
