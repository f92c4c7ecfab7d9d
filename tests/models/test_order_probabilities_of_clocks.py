"""Which event came first: against all permutations and simulated histories."""

import numpy as np
import pytest

from caprese import Dataset, Hazards, ModelError, NoisyPoset, TimedPoset
from caprese.models.base import OrderingModel
from caprese.models.states import completions
from hazards_definitions import random_hazards
from order_definitions import order_probability

POSET = TimedPoset("abcd", ((), (0,), (), (1, 2)), rates=(1.0, 2.0, 0.5, 3.0))


def every_pair(data):
    """All pairs of events that are present in the same sample."""
    return np.array(
        [
            (sample, first, second)
            for sample, row in enumerate(data.values)
            for first in np.flatnonzero(row)
            for second in np.flatnonzero(row)
            if first != second
        ]
    ).reshape(-1, 3)


def rows_of(model, samples, seed, share=0.6):
    rows = np.random.default_rng(seed).random((samples, len(model.events))) < share
    return Dataset(rows, model.events)


@pytest.mark.parametrize("n", range(2, 7))
def test_hazards_order_events_as_all_permutations_do(n):
    model = random_hazards(np.random.default_rng([1, n]), n)
    data = rows_of(model, 8, n, share=0.8)
    pairs = every_pair(data)
    expected = [
        order_probability(model, np.flatnonzero(data.values[sample]).tolist(), first, second)
        for sample, first, second in pairs
    ]
    np.testing.assert_allclose(model.order_probabilities(data, pairs), expected, rtol=1e-12)
    assert isinstance(model, OrderingModel)


def test_unknown_entries_are_summed_over():
    model = random_hazards(np.random.default_rng(3), 5)
    data = Dataset.from_rows([[1, None, 1, 0, None]], model.events)
    genotypes = completions(data.codes()[0])
    weights = np.exp(model.log_probabilities(Dataset(genotypes, model.events)))
    orders = [order_probability(model, np.flatnonzero(row).tolist(), 0, 2) for row in genotypes]
    found = model.order_probabilities(data, np.array([[0, 0, 2]]))
    np.testing.assert_allclose(found, [np.average(orders, weights=weights)], rtol=1e-12)


def test_both_orders_of_a_pair_sum_to_one_whatever_the_order_of_the_columns():
    model = random_hazards(np.random.default_rng(4), 6)
    data = rows_of(model, 20, 5)
    pairs = every_pair(data)
    found = model.order_probabilities(data, pairs)
    np.testing.assert_allclose(found + model.order_probabilities(data, pairs[:, [0, 2, 1]]), 1)
    turned = data.take_events(data.events[::-1])
    mirrored = pairs * [1, -1, -1] + [0, 5, 5]
    np.testing.assert_allclose(model.order_probabilities(turned, mirrored), found, rtol=1e-12)


def test_simulated_histories_order_events_as_probably():
    model = random_hazards(np.random.default_rng(7), 4)
    drawn = model.trajectories(60_000, np.random.default_rng(1))
    data = drawn.data
    pairs = every_pair(data.take_samples(np.flatnonzero(data.values.all(axis=1))[:1]))
    full = np.flatnonzero(data.values.all(axis=1))
    pairs[:, 0] = full[0]
    expected = model.order_probabilities(data, pairs)
    times = drawn.times[full]
    seen = [(times[:, first] < times[:, second]).mean() for _, first, second in pairs]
    errors = np.sqrt(expected * (1 - expected) / len(full))
    assert len(full) > 1000
    assert (np.abs(seen - expected) < 4 * errors).all()


@pytest.mark.parametrize("error", [0.0, 0.07])
def test_posets_order_events_as_all_permutations_of_all_true_genotypes_do(error):
    model = NoisyPoset(POSET, error) if error else POSET
    data = Dataset.from_rows(
        [[1, 1, 1, 1], [1, 0, 1, 0], [1, None, 1, 0], [1, 1, 0, 1]][: 4 if error else 3], "abcd"
    )
    genotypes, likely = POSET.states()
    pairs = every_pair(data)
    seen = [
        [
            np.prod([code == 2 or (error if code != there else 1 - error)
                     for code, there in zip(codes, row, strict=True)])
            for row in genotypes.astype(int)
        ]
        for codes in data.codes()
    ]  # fmt: skip
    expected = [
        np.average(
            [order_probability(POSET, np.flatnonzero(row).tolist(), *pair) for row in genotypes],
            weights=likely * seen[sample],
        )
        for sample, *pair in pairs
    ]
    np.testing.assert_allclose(model.order_probabilities(data, pairs), expected, rtol=1e-12)
    assert isinstance(model, OrderingModel)


def test_in_an_impossible_sample_only_the_poset_speaks():
    data = Dataset.from_rows([[0, 1, 1, 1], [1, 0, 1, 1]], "abcd")
    pairs = np.array([[0, 1, 3], [0, 3, 1], [1, 0, 2], [1, 0, 3]])
    assert POSET.order_probabilities(data, pairs).tolist() == [1.0, 0.0, 0.5, 1.0]


def test_posets_with_rates_of_zero_never_lead_on():
    poset = TimedPoset("abc", ((), (0,), ()), rates=(1.0, 0.0, 1.0))
    data = Dataset.from_rows([[1, 0, 1]], "abc")
    found = poset.order_probabilities(data, np.array([[0, 0, 2]]))
    np.testing.assert_allclose(found, [0.5], rtol=1e-12)


def test_pairs_of_absent_events_are_refused():
    data = Dataset.from_rows([[1, 0]], "ab")
    model = Hazards(("a", "b"), (1, 1), np.ones((2, 2)))
    with pytest.raises(ModelError, match=r"^pairs must be of events that are present in their"):
        model.order_probabilities(data, np.array([[0, 0, 1]]))


def test_no_pairs_have_no_probabilities():
    data, none = Dataset.from_rows([[1, 1, 0, 1]], "abcd"), np.empty((0, 3), dtype=np.int64)
    for model in (POSET, NoisyPoset(POSET, 0.1), random_hazards(np.random.default_rng(1), 4)):
        assert model.order_probabilities(data, none).shape == (0,)
