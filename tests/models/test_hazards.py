"""Mutual hazard networks against their definition by matrices over all states."""

from collections import Counter
from itertools import pairwise, permutations

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad_vec
from scipy.linalg import expm

from caprese import Dataset, Hazards, ModelError, datasets, read_model, write_model
from caprese.models.base import EffectsModel, OrderedModel, PlacingModel
from caprese.models.hazards import MOST_IN_SAMPLE, sub_lattices
from caprese.patients.orders import likeliest_orders
from hazards_definitions import generator, probabilities, random_hazards, states

A_SPEEDS_B = Hazards(("a", "b"), (1.0, 0.5), ((1.0, 4.0), (1.0, 1.0)))


def every_genotype(model):
    return Dataset.from_rows(states(len(model.events)).astype(int), model.events)


@pytest.mark.parametrize("n", range(1, 7))
@pytest.mark.parametrize("observation", [False, True])
def test_probabilities_are_those_of_a_dense_solve(n, observation):
    model = random_hazards(np.random.default_rng([5, n]), n, observation=observation)
    found = np.exp(model.log_probabilities(every_genotype(model)))
    np.testing.assert_allclose(found, probabilities(model), rtol=1e-12)
    assert found.sum() == pytest.approx(1)


@pytest.mark.slow
def test_probabilities_are_the_mean_of_matrix_exponentials_over_the_time_of_observation():
    model = random_hazards(np.random.default_rng(3), 3, observation=False, spread=0.3)
    matrix, start = generator(model), np.eye(8)[0]
    expected, _ = quad_vec(lambda time: np.exp(-time) * expm(time * matrix) @ start, 0, 40)
    found = np.exp(model.log_probabilities(every_genotype(model)))
    np.testing.assert_allclose(found, expected, atol=1e-8)


def test_a_sample_has_the_same_probability_among_others_and_alone():
    model = random_hazards(np.random.default_rng(8), 6)
    rows = np.random.default_rng(9).random((30, 6)) < 0.4
    data = Dataset(rows, model.events)
    alone = [model.log_probabilities(data.take_samples([k]))[0] for k in range(30)]
    np.testing.assert_allclose(model.log_probabilities(data), alone, rtol=1e-12)


def test_events_that_no_sample_carries_cost_no_states():
    rng = np.random.default_rng(2)
    n = 60
    model = Hazards(tuple(f"e{k}" for k in range(n)), rng.random(n) + 0.01, np.ones((n, n)))
    row = np.zeros((1, n), dtype=bool)
    row[0, [3, 50]] = True
    (found,) = np.exp(model.log_probabilities(Dataset(row, model.events)))
    rest = model.rates.sum()
    first, second = model.rates[[3, 50]]
    either = first / (1 + rest - first) * second + second / (1 + rest - second) * first
    assert found == pytest.approx(either / (1 + rest) / (1 + rest - first - second))


def test_unknown_entries_are_summed_over():
    model = random_hazards(np.random.default_rng(4), 5)
    hidden = Dataset.from_rows([[1, None, 0, None, None], [None] * 5], model.events)
    likely, rows = probabilities(model), states(5)
    matching = rows[:, 0] & ~rows[:, 2]
    expected = [likely[matching].sum(), 1.0]
    np.testing.assert_allclose(np.exp(model.log_probabilities(hidden)), expected)
    of_first = (likely[matching, None] * rows[matching]).sum(axis=0) / expected[0]
    of_second = likely @ rows
    np.testing.assert_allclose(model.event_probabilities(hidden), [of_first, of_second])


def test_sampled_genotypes_follow_the_probabilities():
    model = random_hazards(np.random.default_rng(6), 4)
    drawn = model.sample(40_000, np.random.default_rng(1)).values @ (1 << np.arange(4))
    seen = np.bincount(drawn, minlength=16) / 40_000
    expected = probabilities(model)
    error = np.sqrt(expected * (1 - expected) / 40_000)
    assert (abs(seen - expected) < 4.5 * error).all()


def test_times_of_trajectories_are_exponential():
    drawn = A_SPEEDS_B.trajectories(20_000, np.random.default_rng(2))
    first = np.nanmin(np.column_stack([drawn.times, drawn.observed]), axis=1)
    assert first.mean() == pytest.approx(1 / 2.5, abs=0.01)
    assert (np.isnan(drawn.times) | (drawn.times < drawn.observed[:, None])).all()
    assert drawn.data.events == ("a", "b")
    both = [order for order in drawn.orders() if len(order) == 2]
    a_first = np.mean([order == ("a", "b") for order in both])
    assert a_first == pytest.approx((1 / 2.5 * 2 / 3) / 0.3667, abs=0.02)


def test_the_same_stream_gives_the_same_samples_whatever_the_order_of_the_events():
    model = random_hazards(np.random.default_rng(6), 5)
    turned = model.in_order(model.events[::-1])
    one = model.sample(200, np.random.default_rng(1))
    other = turned.sample(200, np.random.default_rng(1))
    assert (other.take_events(model.events).values == one.values).all()


def test_rates_of_observation_scale_out_of_the_probabilities():
    model = random_hazards(np.random.default_rng(6), 4, observation=False)
    biased = np.array([2.0, 0.5, 3.0, 1.0])
    effects = model.effects * biased[:, None]
    np.fill_diagonal(effects, 1.0)
    other = Hazards(model.events, model.rates, effects, biased)
    data = every_genotype(model)
    np.testing.assert_allclose(other.log_probabilities(data), model.log_probabilities(data))
    np.testing.assert_allclose(other.next_rates(data.values), model.next_rates(data.values))


@pytest.mark.slow
def test_the_likeliest_order_is_the_most_frequent_one_of_trajectories():
    model = random_hazards(np.random.default_rng(12), 3)
    drawn = model.trajectories(60_000, np.random.default_rng(1))
    counted = Counter(order for order in drawn.orders() if len(order) == 3)
    found = likeliest_orders(model, np.ones(3, dtype=bool), every_genotype(model).take_samples([7]))
    for order, probability in zip(found.orders, found.probabilities, strict=True):
        share = counted[order] / counted.total()
        assert share == pytest.approx(probability, abs=0.02)


def test_it_places_samples_without_errors():
    assert isinstance(A_SPEEDS_B, PlacingModel)
    assert isinstance(A_SPEEDS_B, EffectsModel)
    assert not isinstance(A_SPEEDS_B, OrderedModel)
    data = Dataset.from_rows([[1, 0], [1, 1], [0, None]], events="ab")
    shares = np.exp(A_SPEEDS_B.log_probabilities(Dataset.from_rows([[0, 0], [0, 1]], events="ab")))
    shares /= shares.sum()
    np.testing.assert_allclose(
        A_SPEEDS_B.next_probabilities(data),
        [[0, 1], [0, 0], [shares[0] * 2 / 3 + shares[1], shares[0] / 3]],
    )
    assert A_SPEEDS_B.likeliest_genotypes(data).tolist() == [
        [True, False],
        [True, True],
        [False, False],
    ]
    np.testing.assert_allclose(
        A_SPEEDS_B.count_probabilities(data), [[0, 1, 0], [0, 0, 1], [*shares, 0]]
    )
    medians = A_SPEEDS_B.waiting_medians(data)
    np.testing.assert_allclose(medians[0], [np.nan, np.log(2) / 2])
    assert np.isnan(medians[1]).all()
    np.testing.assert_allclose(medians[2], [np.log(2), np.log(2) / 0.5])


def test_the_median_wait_averages_over_unknown_entries():
    model = Hazards(("a", "b"), (1.0, 1.0), ((1.0, 9.0), (1.0, 1.0)))
    (found,) = model.waiting_medians(Dataset.from_rows([[None, 0]], events="ab"))
    none, one = np.exp(model.log_probabilities(Dataset.from_rows([[0, 0], [1, 0]], events="ab")))
    still = (none * np.exp(-found[1]) + one * np.exp(-9 * found[1])) / (none + one)
    assert still == pytest.approx(0.5)
    assert found[0] == pytest.approx(np.log(2))


def test_columns_follow_the_data_and_not_the_model():
    model = random_hazards(np.random.default_rng(1), 4)
    rows = [[1, None, 0, None], [0, 0, 0, 0], [None, 1, None, 1]]
    data = Dataset.from_rows(rows, model.events)
    turned = data.take_events(model.events[::-1])
    for question in (
        model.event_probabilities,
        model.next_probabilities,
        model.waiting_medians,
        model.likeliest_genotypes,
    ):
        np.testing.assert_allclose(question(turned)[:, ::-1], question(data))


def test_it_goes_to_the_matrix_of_the_package_mhn_and_back():
    for observation in (False, True):
        model = random_hazards(np.random.default_rng(3), 3, observation=observation)
        matrix = model.log_theta()
        assert matrix.shape == (3 + observation, 3)
        assert matrix[2, 0] == pytest.approx(np.log(model.effects[0, 2]))  # of a on c
        again = Hazards.from_log_theta(model.events, matrix)
        np.testing.assert_allclose(again.effects, model.effects)
        np.testing.assert_allclose(again.observation, model.observation)
        np.testing.assert_allclose(again.rates, model.rates)


def test_a_model_comes_back_from_its_file(tmp_path):
    model = random_hazards(np.random.default_rng(3), 3)
    write_model(model, tmp_path / "model.json")
    assert read_model(tmp_path / "model.json") == model


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rates": (1.0,)}, r"rates must be one per event, \(2,\), got shape \(1,\)"),
        ({"rates": (1.0, 0.0)}, "rates must be positive and finite"),
        ({"effects": ((1.0, 2.0),)}, r"effects must be events x events, \(2, 2\), got shape"),
        ({"effects": ((1.0, np.inf), (1.0, 1.0))}, "effects must be positive and finite"),
        ({"effects": ((2.0, 1.0), (1.0, 1.0))}, "effects must be 1 on the diagonal"),
        ({"observation": (1.0, -1.0)}, "observation must be positive and finite"),
        ({"events": ("a", "a")}, "event name 'a' appears 2 times"),
    ],
)
def test_what_is_no_model_is_refused(changes, message):
    given = {"events": ("a", "b"), "rates": (1.0, 1.0), "effects": np.ones((2, 2))} | changes
    with pytest.raises(ModelError, match=message):
        Hazards(**given)


def test_a_matrix_of_the_wrong_shape_is_refused():
    message = r"log_theta must be 2 x 2, or 3 x 2 with effects on observation, got shape \(2, 3\)"
    with pytest.raises(ModelError, match=message):
        Hazards.from_log_theta(("a", "b"), np.zeros((2, 3)))


def chain(n):
    """Rates that grow, and each event speeds the next one up."""
    names = tuple(f"e{k:02}" for k in range(n))
    return Hazards(names, np.linspace(0.5, 2, n), np.exp(np.eye(n, k=1)))


def test_all_genotypes_of_too_many_events_are_refused_with_the_number():
    model = chain(MOST_IN_SAMPLE + 3)
    with pytest.raises(ModelError, match=r"^a sample carries 0 events and has 25 unknown.* 22"):
        model.states()


def thin(monkeypatch):
    """Estimate samples of more than 5 events, from 100 sets of each size."""
    monkeypatch.setattr("caprese.models.hazards.MOST_IN_SAMPLE", 5)
    monkeypatch.setattr("caprese.models.dense.MOST_STATES", 100)


def partly_known():
    """A network of 12 events, and samples of more than 5 that are present or unknown."""
    model = random_hazards(np.random.default_rng(2), 12, spread=0.5)
    rng = np.random.default_rng(3)
    rows = np.where(rng.random((20, 12)) < 0.8, 1.0, 0.0)
    rows[5:] = np.where(rng.random((15, 12)) < 0.3, np.nan, rows[5:])
    return model, Dataset.from_frame(pd.DataFrame(rows, columns=list(model.events)))


def test_dense_samples_are_estimated_within_the_error_that_is_said(monkeypatch):
    thin(monkeypatch)
    model, data = partly_known()
    found, errors = model.log_probabilities(data), model.log_probability_errors(data)
    events = model.event_probabilities(data)
    monkeypatch.undo()
    exact = model.log_probabilities(data)
    assert (model.log_probability_errors(data) == 0).all()
    dense = errors > 0
    assert dense.sum() > 15
    np.testing.assert_allclose(found[~dense], exact[~dense])
    assert np.sqrt(np.mean(errors**2)) < 0.1
    assert np.sqrt(np.mean(((found - exact)[dense] / errors[dense]) ** 2)) < 3  # of four draws
    assert abs((found - exact).mean()) < 3 * np.sqrt((errors**2).sum()) / len(errors)
    np.testing.assert_allclose(events, model.event_probabilities(data), atol=0.15)


def test_estimates_do_not_depend_on_the_order_of_samples_or_events(monkeypatch):
    thin(monkeypatch)
    model, data = partly_known()
    turned = model.in_order(model.events[::-1])
    again = data.take_samples(range(19, -1, -1)).take_events(data.events[::-1])
    found = turned.log_probabilities(again)[::-1]
    np.testing.assert_allclose(found, model.log_probabilities(data), rtol=1e-12)


def test_orders_of_dense_samples_are_close_to_exact_ones(monkeypatch):
    thin(monkeypatch)
    model, data = partly_known()
    data = data.take_samples(range(5))
    pairs = [(0, i, j) for i, j in permutations(np.flatnonzero(data.values[0]), 2)]
    found = model.order_probabilities(data, np.array(pairs))
    monkeypatch.undo()
    exact = model.order_probabilities(data, np.array(pairs))
    np.testing.assert_allclose(found, exact, atol=0.15)
    assert np.corrcoef(found, exact)[0, 1] > 0.95


def test_a_sample_of_thirty_events_has_an_answer():
    model = chain(30)
    data = Dataset.from_rows([[1] * 30, [1, *[None] * 29]], model.events)
    (certain, first), errors = model.log_probabilities(data), model.log_probability_errors(data)
    assert (errors < 0.05).all()
    assert first == pytest.approx(np.log(0.5 / 1.5), abs=4 * errors[1])
    assert certain < first
    assert model.event_probabilities(data)[0].tolist() == [1] * 30


def test_observations_share_the_lattice_of_a_sample_with_more_events():
    codes = np.array([[1, 1, 1, 0, 0], [1, 0, 1, 0, 0], [0, 0, 0, 0, 1], [0] * 5], dtype=np.uint8)
    (members, starts, present, _, firsts, *_), order = sub_lattices(codes)
    assert [members[a:b].tolist() for a, b in pairwise(starts)] == [
        [0, 1, 2],
        [4],
    ]
    assert dict(zip(order.tolist(), present.tolist(), strict=True)) == {0: 7, 1: 5, 2: 1, 3: 0}
    assert firsts.tolist() == [0, 3, 4]


def test_one_lattice_serves_all_where_that_is_cheaper():
    distinct, _ = datasets.ovarian().genotypes()
    (members, starts, *_), _ = sub_lattices(distinct.values.astype(np.uint8))
    assert starts.tolist() == [0, 7]
    assert members.tolist() == list(range(7))
