"""Probabilities of observations of a forest: against the same sums in logarithms."""

import numpy as np
import pytest

from caprese import Noise
from caprese.kernels.forest_likelihood import log_probabilities
from caprese.models.forest import ROOT
from forest_observations import NOISES, drawn_codes, drawn_forest, in_logarithms, model_of
from uncompiled import uncompiled


def check(parents, probabilities, noise, codes):
    model = model_of(parents, probabilities, noise)
    found, (expected, _) = log_probabilities(codes, model), in_logarithms(codes, *model)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("noise", NOISES, ids=str)
def test_probabilities_are_those_of_sums_in_logarithms(noise):
    rng = np.random.default_rng(1)
    for events in (1, 2, 3, 10, 40, 300):
        for samples in (1, 63, 64, 65, 150):
            parents, probabilities = drawn_forest(rng, events)
            check(parents, probabilities, noise, drawn_codes(rng, samples, events))


def test_evidence_for_and_against_an_event_may_exceed_the_range_of_numbers():
    """A thousand children say that their parent is there, a thousand others that it is not."""
    parents = [ROOT] + 2000 * [0]
    probabilities = np.repeat([0.5, 0.5, 0.999], [1, 1000, 1000])
    codes = np.zeros((2, 2001), dtype=np.uint8)
    codes[:, 1:1001], codes[1, 0] = 1, 1
    found = check(parents, probabilities, Noise(1e-3, 1e-9), codes)
    assert (found < -5000).all()


def test_an_observation_does_not_depend_on_the_others_or_on_the_layout():
    rng = np.random.default_rng(2)
    parents, probabilities = drawn_forest(rng, 60)
    codes = rng.integers(0, 3, size=(200, 60)).astype(np.uint8)
    together = check(parents, probabilities, Noise(0.05, 0.1), codes)
    for row in (0, 63, 64, 199):
        alone = check(parents, probabilities, Noise(0.05, 0.1), codes[row : row + 1])
        assert alone[0] == together[row]
    columns = check(parents, probabilities, Noise(0.05, 0.1), np.asfortranarray(codes))
    assert columns.tolist() == together.tolist()


@pytest.mark.parametrize("noise", NOISES, ids=str)
@pytest.mark.parametrize(("samples", "events"), [(0, 2), (1, 1), (3, 20), (65, 4)])
def test_compiled_probabilities_are_those_of_python(noise, samples, events):
    rng = np.random.default_rng(3)
    codes = drawn_codes(rng, samples, events)
    model = model_of(*drawn_forest(rng, events), noise)
    with np.errstate(under="ignore"):
        expected = uncompiled("forest_likelihood").log_probabilities(codes, model)
    np.testing.assert_allclose(log_probabilities(codes, model), expected, rtol=1e-13)
