"""Probabilities of observations of a forest: against the same sums in logarithms."""

import numpy as np
import pytest

from caprese import Forest, Noise
from caprese.kernels.forest_likelihood import log_probabilities
from caprese.kernels.messages import upward_pass
from caprese.models.forest import ROOT, log_parameters

NOISES = [
    Noise(0.05, 0.1),
    Noise(0, 0),
    Noise(0, 0.2),
    Noise(1e-3, 0),
    Noise(1e-200, 1e-120),
    Noise(1e-300, 1e-300),
    Noise(0.4, 0.5),
]


def in_logarithms(codes, *model):
    share = np.empty(codes.shape[1])
    return np.array([upward_pass(row, *model, share) for row in codes])


def check(parents, probabilities, noise, codes):
    forest = Forest(tuple(map(str, range(len(parents)))), parents, probabilities)
    model = log_parameters(forest, noise)
    found, expected = log_probabilities(codes, *model), in_logarithms(codes, *model)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    return found


def drawn(rng, events):
    """Return a forest with stars and chains, and with probabilities of 0, of 1, and near them."""
    parents = [ROOT]
    star = rng.random() < 0.5
    for event in range(1, events):
        alone, first = rng.random() < 0.1, star and rng.random() < 0.9
        parents.append(ROOT if alone else 0 if first else int(rng.integers(event)))
    extreme = rng.choice([0, 1, 1e-250, 1 - 1e-7], size=events)
    return parents, np.where(rng.random(events) < 0.2, extreme, rng.random(events))


@pytest.mark.parametrize("noise", NOISES, ids=str)
def test_probabilities_are_those_of_sums_in_logarithms(noise):
    rng = np.random.default_rng(1)
    for events in (1, 2, 3, 10, 40, 300):
        for samples in (1, 63, 64, 65, 150):
            parents, probabilities = drawn(rng, events)
            codes = rng.choice(3, size=(samples, events), p=rng.dirichlet([1, 1, 0.3]))
            check(parents, probabilities, noise, codes.astype(np.uint8))


def test_evidence_for_and_against_an_event_may_exceed_the_range_of_numbers():
    """A thousand children say that their parent is there, a thousand others that it is not."""
    parents = [ROOT] + 2000 * [0]
    probabilities = np.repeat([0.5, 0.5, 0.999], [1, 1000, 1000])
    codes = np.zeros((2, 2001), dtype=np.uint8)
    codes[:, 1:1001], codes[1, 0] = 1, 1
    found = check(parents, probabilities, Noise(1e-3, 1e-9), codes)
    assert (found < -5000).all()


def test_an_observation_does_not_depend_on_the_others():
    rng = np.random.default_rng(2)
    parents, probabilities = drawn(rng, 60)
    codes = rng.integers(0, 3, size=(200, 60)).astype(np.uint8)
    together = check(parents, probabilities, Noise(0.05, 0.1), codes)
    for row in (0, 63, 64, 199):
        alone = check(parents, probabilities, Noise(0.05, 0.1), codes[row : row + 1])
        assert alone[0] == pytest.approx(together[row], rel=1e-14)
