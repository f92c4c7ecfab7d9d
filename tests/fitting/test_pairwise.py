"""The pairwise model against its definition, and what judgements say of it."""

from itertools import combinations, product

import numpy as np
import pytest

from caprese import Caprese, Dataset, LikelihoodForest, Oncotree, datasets, judge
from caprese.fitting.pairwise import MOST_EVENTS, Pairwise, fitted_pairwise, is_quick
from caprese.text.facts import in_words


def random_model(events, seed):
    rng = np.random.default_rng(seed)
    couplings = np.triu(rng.normal(0, 1, (events, events)), 1)
    return Pairwise(tuple("abcdefgh"[:events]), rng.normal(0, 1, events), couplings + couplings.T)


def energy(model, genotype):
    """The exponent of the definition, term by term."""
    carried = [k for k, present in enumerate(genotype) if present]
    alone = sum(model.levels[k] for k in carried)
    return alone + sum(model.couplings[i, j] for i, j in combinations(carried, 2))


@pytest.mark.parametrize("events", [2, 3, 5])
def test_the_probabilities_are_those_of_the_definition(events):
    model = random_model(events, seed=events)
    every = list(product((0.0, 1.0), repeat=events))
    weights = np.exp([energy(model, genotype) for genotype in every])
    found = np.exp(model.log_probabilities(np.array(every)))
    np.testing.assert_allclose(found, weights / weights.sum(), rtol=1e-12)


def test_a_fit_to_many_samples_finds_the_model_that_they_are_from():
    model = random_model(4, seed=9)
    every = np.array(list(product((0.0, 1.0), repeat=4)))
    chance = np.exp(model.log_probabilities(every))
    rows = np.random.default_rng(1).choice(len(every), size=40_000, p=chance / chance.sum())
    found = fitted_pairwise(Dataset(every[rows].astype(bool), model.events))
    np.testing.assert_allclose(found.levels, model.levels, atol=0.1)
    np.testing.assert_allclose(found.couplings, model.couplings, atol=0.15)


def test_events_of_one_value_and_identical_events_leave_it_finite():
    values = np.zeros((30, 4), dtype=bool)
    values[:, 1] = True
    values[:10, 2:] = True
    found = fitted_pairwise(Dataset(values, tuple("abcd"))).log_probabilities(values.astype(float))
    assert np.isfinite(found).all()


def test_many_events_and_unknown_entries_are_left_alone():
    many = Dataset(np.eye(MOST_EVENTS + 1, dtype=bool), tuple(map(str, range(MOST_EVENTS + 1))))
    assert not is_quick(many)
    assert not is_quick(Dataset.from_rows([[1, None], [0, 1]], events="ab"))
    assert is_quick(datasets.acml())


def one_of_each_pathway(samples, seed):
    """Samples with exactly one of four events of each of two pathways, and 5 % errors."""
    rng = np.random.default_rng(seed)
    values = np.zeros((samples, 8), dtype=bool)
    for first in (0, 4):
        values[np.arange(samples), first + rng.integers(4, size=samples)] = True
    return Dataset(values ^ (rng.random(values.shape) < 0.05), tuple("abcdefgh"))


@pytest.mark.slow
def test_a_judgement_says_where_events_exclude_each_other_as_no_method_can():
    found = judge([Caprese(), Oncotree(), LikelihoodForest()], one_of_each_pathway(300, seed=1))
    (said,) = (line for line in in_words(found.notes) if "pairs of events" in line)
    assert "exclude each other in a way that no model here captures, above all " in said
    pathway = {event: "abcd" if event in "abcd" else "efgh" for event in "abcdefgh"}
    assert all(pathway[one] == pathway[other] for one, other in found.yardstick.apart)
    assert "pairwise" not in " ".join(found.methods)


@pytest.mark.slow
def test_a_judgement_says_nothing_of_pairs_where_methods_predict_as_well():
    for data in (datasets.ovarian(), datasets.acml()):
        found = judge([Caprese(), LikelihoodForest()], data)
        assert found.yardstick is not None
        assert "pairs predict better" not in [fact.kind for fact in found.notes]


@pytest.mark.slow
def test_the_yardstick_is_fitted_without_held_out_samples():
    data = one_of_each_pathway(40, seed=2)
    found = judge([Caprese()], data, folds=40)
    rest = data.take_samples(range(1, 40))
    first = fitted_pairwise(rest.take_events(sorted(rest.events)))
    expected = first.log_probabilities(data.take_samples([0]).values.astype(float))
    assert found.yardstick.log_probabilities[0] == pytest.approx(expected[0], abs=1e-4)
