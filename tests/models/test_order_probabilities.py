"""Which of two events came first: the answers of every kind of model, against their definitions."""

from dataclasses import dataclass

import numpy as np
import pytest

import caprese
from caprese import (
    BayesForest,
    ConditionalDag,
    ConjunctiveDag,
    Dataset,
    DatasetError,
    Forest,
    Independence,
    ModelError,
    Noise,
    NoisyConditionalDag,
    NoisyDag,
    NoisyForest,
    Poset,
    Posterior,
    datasets,
    order_probabilities,
)
from caprese.extend import OrderingModel
from caprese.models import posterior as module
from caprese.models.base import pair_order_probabilities

EVENTS = tuple("abcd")
CHAIN = Forest(EVENTS, (-1, 0, 1, -1), (0.8, 0.7, 0.6, 0.5))
SETS = ((), (0,), (1,), ())
POSET = Poset(EVENTS, SETS)
DAG = ConjunctiveDag(EVENTS, SETS, (0.8, 0.7, 0.6, 0.5))
TABLES = ConditionalDag(EVENTS, SETS, ((0.8,), (0.1, 0.7), (0.1, 0.6), (0.5,)))
NOISE = Noise(0.05, 0.1)
FULL = Dataset.from_rows([[1, 1, 1, 1], [1, 0, 1, 1]], EVENTS)
PAIRS = np.array([[0, 0, 2], [0, 2, 1], [1, 3, 0], [1, 2, 0]])


@dataclass
class Unknown:
    """What another package may have: an order, and no word on pairs."""

    events: tuple[str, ...] = EVENTS
    edges: tuple = (("a", "b"), ("b", "c"))

    def adjacency(self):
        return POSET.adjacency()

    def ancestors(self):
        return POSET.ancestors()


@pytest.mark.parametrize(
    "model",
    [
        CHAIN,
        POSET,
        DAG,
        TABLES,
        NoisyForest(CHAIN, NOISE),
        NoisyDag(DAG, NOISE),
        NoisyConditionalDag(TABLES, NOISE),
        Unknown(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_an_order_answers_by_its_ancestors(model):
    assert pair_order_probabilities(model, FULL, PAIRS).tolist() == [1, 0, 0.5, 0]
    turned = FULL.take_events("dbca")
    pairs = np.column_stack([PAIRS[:, 0], np.array([3, 1, 2, 0])[PAIRS[:, 1:]]])
    assert pair_order_probabilities(model, turned, pairs).tolist() == [1, 0, 0.5, 0]


def test_a_model_without_an_order_leaves_all_pairs_open():
    model = Independence(EVENTS, (0.8, 0.7, 0.6, 0.5))
    assert pair_order_probabilities(model, FULL, PAIRS).tolist() == [0.5] * 4


@pytest.mark.parametrize("model", [CHAIN, DAG, TABLES, NoisyForest(CHAIN, NOISE)])
def test_models_with_an_order_say_that_they_order_pairs(model):
    assert isinstance(model, OrderingModel)


def drawn(components):
    """A posterior of draws that disagree, and data."""
    rng = np.random.default_rng(components)
    shape = (2, 5, components)
    parents = np.where(rng.random((*shape, 4)) < 0.3, -1, np.arange(4) - 1)
    parents[0] = np.where(rng.random((5, components, 4)) < 0.5, -1, (1, 2, 3, -1))
    weights = rng.dirichlet(np.ones(components), shape[:2])
    posterior = Posterior(
        EVENTS,
        parents,
        rng.uniform(0.2, 0.9, (*shape, 4)),
        rng.uniform(0.05, 0.2, (2, 5, 2)),
        weights,
        np.full(shape, 0.3),
        np.zeros((2, 5)),
        np.ones(3),
    )
    known = rng.random((30, 4)) < 0.9
    return posterior, Dataset(rng.random((30, 4)) < 0.7, EVENTS, (), known)


def every_pair(data):
    return np.argwhere(np.triu(data.values[:, :, None] & data.values[:, None, :], 1))


def by_definition(posterior, data, pairs):
    """Each forest says 1, 0 or 1/2, and counts by its weight and how well it predicts."""
    answers = []
    for sample, one, other in pairs.tolist():
        total, size = 0.0, 0.0
        row = data.take_samples([sample])
        for chain, draw, part in np.ndindex(posterior.weights.shape):
            own = posterior.parents[chain, draw, part], posterior.probabilities[chain, draw, part]
            forest = Forest(posterior.events, *own)
            noisy = NoisyForest(forest, Noise(*posterior.rates[chain, draw, part]))
            share = posterior.weights[chain, draw, part] * noisy.probabilities(row)[0]
            before = forest.ancestors()
            said = 1 if before[one, other] else 0 if before[other, one] else 0.5
            total, size = total + share * said, size + share
        answers.append(total / size)
    return answers


@pytest.mark.parametrize("components", [1, 3])
@pytest.mark.parametrize("at_once", [2000, 3])
def test_a_posterior_averages_over_draws_and_components(components, at_once, monkeypatch):
    monkeypatch.setattr(module, "_AT_ONCE", at_once)
    posterior, data = drawn(components)
    pairs = np.random.default_rng(1).permutation(every_pair(data))
    found = posterior.order_probabilities(data, pairs)
    np.testing.assert_allclose(found, by_definition(posterior, data, pairs), atol=1e-12)
    turned = data.take_events("cadb")
    place = np.array([1, 3, 0, 2])[pairs[:, 1:]]
    again = posterior.order_probabilities(turned, np.column_stack([pairs[:, 0], place]))
    np.testing.assert_allclose(again, found, atol=1e-12)


def test_no_pairs_have_no_answers():
    posterior, data = drawn(2)
    for model in (posterior, CHAIN, Independence(EVENTS, (0.5,) * 4)):
        assert order_probabilities(model, data, []).shape == (0,)


def test_all_pairs_are_those_of_present_events():
    posterior, data = drawn(2)
    found = order_probabilities(posterior, data)
    assert found.shape == (30, 4, 4)
    both = data.values[:, :, None] & data.values[:, None, :] & ~np.eye(4, dtype=bool)
    assert (np.isfinite(found) == both).all()
    np.testing.assert_array_equal((found + found.swapaxes(1, 2))[both], 1)
    pairs = every_pair(data)
    np.testing.assert_array_equal(found[*pairs.T], order_probabilities(posterior, data, pairs))


def test_a_fit_answers_by_its_predictive_model():
    data = datasets.ovarian()
    fit = BayesForest(draws=20, warm_up=20).fit(data)
    np.testing.assert_array_equal(
        order_probabilities(fit, data), order_probabilities(fit.posterior, data)
    )
    fit = caprese.Caprese().fit(data)
    pairs = every_pair(data)
    before = fit.model.ancestors().astype(int)
    expected = (1 + before - before.T)[pairs[:, 1], pairs[:, 2]] / 2
    np.testing.assert_array_equal(order_probabilities(fit, data, pairs), expected)


def test_an_array_of_too_many_numbers_is_refused(monkeypatch):
    monkeypatch.setattr(caprese.patients.orders, "_MOST_PAIRS", 31)
    with pytest.raises(
        DatasetError, match=r"^2 samples x 4 events x 4 events are more than 31 num"
    ):
        order_probabilities(CHAIN, FULL)
    assert order_probabilities(CHAIN, FULL, PAIRS).shape == (4,)


@pytest.mark.parametrize(
    ("pairs", "problem"),
    [
        ([[0, 0]], "pairs must be rows of three positions: sample, event, event"),
        ([[0, 0.5, 1]], "pairs must be rows of three positions: sample, event, event"),
        ([[2, 0, 1]], "pairs must be positions of samples and events of the data"),
        ([[0, -1, 1]], "pairs must be positions of samples and events of the data"),
        ([[1, 0, 1]], "pairs must be of two events that sample '2' has"),
        ([[0, 1, 1]], "pairs must be of two events that sample '1' has"),
    ],
)
def test_pairs_that_are_none_are_refused(pairs, problem):
    with pytest.raises(DatasetError, match=f"^{problem}$"):
        order_probabilities(CHAIN, FULL, pairs)


def test_data_of_other_events_is_refused():
    data = Dataset.from_rows([[1, 1]], "ax")
    for model in (CHAIN, Independence(EVENTS, (0.5,) * 4), drawn(1)[0]):
        with pytest.raises(ModelError, match="model and data must have the same events"):
            order_probabilities(model, data)
