"""Mutual hazard networks whose genotypes are observed with errors: likelihood and slopes."""

from dataclasses import replace

import numpy as np
import pytest

from caprese import MHN, Dataset, ModelError, datasets
from caprese.fitting.hazards_ascent import (
    Objective,
    Observations,
    as_hazards,
    log_chances,
    log_likelihood,
)
from caprese.fitting.hazards_errors import likeliest_errors
from caprese.models.hazards import NoisyHazards
from caprese.models.noise import Noise
from hazards_definitions import drawn, numerical_slopes, random_hazards

NOISE = Noise(0.03, 0.2)


def chance_to_see(row, known, truth, noise):
    """The probability to see a row of known entries if this is the true genotype."""
    result = 1.0
    for seen, is_known, there in zip(row, known, truth, strict=True):
        wrong = noise.false_negative if there else noise.false_positive
        result *= 1.0 if not is_known else wrong if seen != there else 1 - wrong
    return result


def chance(model, row, known, noise):
    """The probability of one observation: over all true genotypes, one by one."""
    genotypes, likely = model.states()
    seen = [chance_to_see(row, known, truth, noise) for truth in genotypes.tolist()]
    return float(np.dot(seen, likely))


@pytest.mark.parametrize(("unknown", "noise"), [(0.0, NOISE), (0.3, NOISE), (0.3, Noise())])
def test_the_likelihood_is_the_sum_over_true_genotypes(unknown, noise):
    data = drawn(60, 4, 1, unknown=unknown)
    parameters = np.random.default_rng(2).normal(0, 0.5, (4, 5))
    model = as_hazards(data.events, parameters)
    expected = [
        chance(model, *each, noise) for each in zip(data.values, data.known_mask, strict=True)
    ]
    np.testing.assert_allclose(NoisyHazards(model, noise).probabilities(data), expected, rtol=1e-12)
    seen = Observations.of(data).with_errors(noise)
    total, slopes = log_likelihood(parameters, seen, seen.times)
    assert total == pytest.approx(np.log(expected).sum(), rel=1e-12)
    assert log_chances(parameters, seen) @ seen.times == pytest.approx(total)
    by_step = numerical_slopes(lambda at: log_likelihood(at, seen, seen.times)[0], parameters)
    np.testing.assert_allclose(slopes, by_step, atol=1e-6)


def test_error_rates_are_at_the_top_of_posterior_and_penalty():
    data = NoisyHazards(
        random_hazards(np.random.default_rng(6), 5, observation=False, spread=0.7),
        Noise(0.08, 0.02),
    ).sample(1500, np.random.default_rng(3))
    seen, objective = Observations.of(data), Objective("l1", 1.0, observation=False)
    found = likeliest_errors(seen, objective)
    assert 0.02 < found.false_positive < 0.1

    def height(noise):
        here, penalised = seen.with_errors(noise), replace(objective, strength=2 / 1500)
        network = penalised.maximum(here, here.times).parameters
        prior = 19 * np.log(1 - noise.rates).sum() / 1500
        return penalised.value(network, here, here.times)[0] + prior

    top = height(found)
    for step in ((0.005, 0), (-0.005, 0), (0, 0.005), (0, -0.005)):
        near = Noise(*np.clip(found.rates + step, 0, 0.5))
        assert near == found or height(near) < top + 1e-7


def test_the_method_predicts_observations_with_errors():
    data = datasets.acml()
    fit = MHN(noise=Noise(0.02, 0.1), penalty_strength=0.05).fit(data)
    assert fit.predictive == NoisyHazards(fit.model, Noise(0.02, 0.1))
    expected = fit.predictive.log_probabilities(data).sum()
    assert fit.evidence.log_likelihood == pytest.approx(expected)
    again = fit.method.with_choices(fit.evidence)
    assert again.noise == fit.evidence.noise == Noise(0.02, 0.1)


def test_an_average_is_of_networks_with_errors():
    fit = MHN(noise="estimate").fit(datasets.acml())
    assert {part.noise for part in fit.predictive.models} == {fit.evidence.noise}


def test_more_events_than_all_sets_of_are_held_are_refused():
    data = Dataset.from_rows(np.eye(21, dtype=int).tolist(), [f"e{k}" for k in range(21)])
    with pytest.raises(ModelError, match="the most is 20 events"):
        MHN(noise=Noise(0.01, 0.01)).fit(data)


def test_seen_orders_are_not_used_beside_errors():
    data = datasets.aml_trees().take_events(list(datasets.aml_trees().events[:4]))
    method = MHN(noise=Noise(0.01, 0.01), penalty_strength=0.1)
    assert not method.uses_orders
    fit = method.fit(data)
    assert fit.evidence.seen_orders == 0
    np.testing.assert_allclose(fit.model.effects, method.fit(data.without_orders()).model.effects)
