"""What is true given observations: against sums in logarithms, and against all genotypes."""

from itertools import product

import numpy as np
import pytest

import forest_definitions as definitions
from caprese import Noise
from caprese.kernels import forest_posteriors as kernels
from caprese.models.base import waiting_rates
from caprese.models.forest import ROOT, integration_times
from forest_observations import NOISES, drawn_codes, drawn_forest, in_logarithms, model_of
from uncompiled import uncompiled

QUESTIONS = ("event_probabilities", "likeliest_genotypes", "count_probabilities")
PARENTS, THETA, RATES = (1, ROOT, 1, ROOT), np.array([0.7, 0.4, 0.9, 0.55]), (0.05, 0.1)
MODEL = model_of(PARENTS, THETA, Noise(*RATES))


def integral(probabilities):
    rates = waiting_rates(np.asarray(probabilities))
    return rates, *integration_times(rates)


@pytest.mark.slow
@pytest.mark.parametrize("noise", NOISES, ids=str)
def test_event_probabilities_are_those_of_sums_in_logarithms(noise):
    rng = np.random.default_rng(1)
    for events in (1, 2, 3, 10, 40, 300):
        for samples in (1, 63, 64, 65, 150):
            model = model_of(*drawn_forest(rng, events), noise)
            codes = drawn_codes(rng, samples, events)
            _, expected = in_logarithms(codes, *model)
            found = kernels.event_probabilities(codes, model)
            np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-200)


def chances_of(row):
    """The probability of each true genotype, given what was observed."""
    chances = {
        truth: definitions.genotype_probability(truth, PARENTS, THETA)
        * definitions.error_probability(row, truth, *RATES)
        for truth in product((0, 1), repeat=4)
    }
    whole = sum(chances.values())
    return {truth: chance / whole for truth, chance in chances.items()}


def next_of(truth, rates):
    reached = [parent == ROOT or truth[parent] for parent in PARENTS]
    left = np.where(np.array(reached) & ~np.array(truth, dtype=bool), rates, 0)
    return left / left.sum() if left.any() else left


def test_all_answers_are_those_of_sums_over_all_genotypes():
    codes = np.array(list(product((0, 1, 2), repeat=4)), dtype=np.uint8)
    rates, *rest = integral(THETA)
    likeliest, counts = (
        question(codes, MODEL)
        for question in (kernels.likeliest_genotypes, kernels.count_probabilities)
    )
    following = kernels.next_probabilities(codes, MODEL, rates, *rest)
    for k, row in enumerate(codes):
        chances = chances_of(row)
        assert tuple(likeliest[k]) == max(chances, key=chances.get)
        expected_counts, expected_next = np.zeros(5), np.zeros(4)
        for truth, chance in chances.items():
            expected_counts[sum(truth)] += chance
            expected_next += chance * next_of(truth, rates)
        np.testing.assert_allclose(counts[k], expected_counts, rtol=1e-12)
        np.testing.assert_allclose(following[k], expected_next, rtol=1e-9)


def test_nothing_comes_next_in_what_cannot_be_observed():
    model = model_of((ROOT, 0), (0.5, 0.5), Noise())
    codes = np.array([[0, 1], [1, 0]], dtype=np.uint8)
    found = kernels.next_probabilities(codes, model, *integral([0.5, 0.5]))
    assert np.isnan(found[0]).all()
    assert found[1] == pytest.approx([0, 1])


def test_an_answer_does_not_depend_on_other_observations_or_on_the_layout():
    rng = np.random.default_rng(2)
    parents, probabilities = drawn_forest(rng, 30)
    model, codes = model_of(parents, probabilities, Noise(0.05, 0.1)), drawn_codes(rng, 150, 30)
    more = {"next_probabilities": integral(np.maximum(probabilities, 1e-3))}
    for name in (*QUESTIONS, "next_probabilities"):
        question, last = getattr(kernels, name), more.get(name, ())
        together = question(codes, model, *last)
        columns = question(np.asfortranarray(codes), model, *last)
        np.testing.assert_array_equal(columns, together)
        for row in (0, 63, 64, 149):
            alone = question(codes[row : row + 1], model, *last)
            np.testing.assert_array_equal(alone[0], together[row])


@pytest.mark.parametrize("noise", NOISES, ids=str)
@pytest.mark.parametrize(("samples", "events"), [(0, 2), (1, 1), (3, 15), (65, 3)])
def test_compiled_answers_are_those_of_python(noise, samples, events):
    rng = np.random.default_rng(3)
    parents, probabilities = drawn_forest(rng, events)
    model, codes = model_of(parents, probabilities, noise), drawn_codes(rng, samples, events)
    plain, last = uncompiled("forest_posteriors"), integral(rng.uniform(0.2, 0.8, events))
    with np.errstate(under="ignore"):
        for name in QUESTIONS:
            expected = getattr(plain, name)(codes, model)
            found = getattr(kernels, name)(codes, model)
            assert found.dtype == expected.dtype
            np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-300)
        expected = plain.next_probabilities(codes, model, *last)
    found = kernels.next_probabilities(codes, model, *last)
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-300)
