"""Random draws against the distributions of scipy, and compiled against uncompiled ones."""

import numpy as np
import pytest
from scipy.stats import beta, chisquare, gamma, kstest, norm

from caprese.kernels import draws
from uncompiled import uncompiled


def stream(seed):
    return np.array([seed], dtype=np.uint64)


def many(draw, *arguments, number=20_000, seed=1):
    state = stream(seed)
    return np.array([draw(state, *arguments) for _ in range(number)])


def test_normal_draws_are_normal():
    drawn = many(draws.normal)
    assert kstest(drawn, norm.cdf).pvalue > 0.001
    assert kstest(drawn[1:] + drawn[:-1], norm(scale=2**0.5).cdf).pvalue > 0.001  # independent


@pytest.mark.parametrize("shape", [0.2, 1.0, 1.5, 40.0])
def test_the_exponential_of_a_log_gamma_draw_is_gamma(shape):
    assert kstest(np.exp(many(draws.log_gamma_draw, shape)), gamma(shape).cdf).pvalue > 0.001


def test_a_tiny_shape_gives_logarithms_far_below_those_of_any_number():
    drawn = many(draws.log_gamma_draw, 0.001, number=1000)
    assert np.isfinite(drawn).all()
    assert drawn.min() < -1000


@pytest.mark.parametrize(("first", "second"), [(0.1, 0.1), (2.0, 5.0)])
def test_beta_draws_are_beta(first, second):
    assert kstest(many(draws.beta_draw, first, second), beta(first, second).cdf).pvalue > 0.001


def test_a_position_is_chosen_as_often_as_the_exponential_of_its_weight_says():
    weights = np.array([-np.inf, 700.0, 701.0, -np.inf, 699.5, 800.0])  # the last is not counted
    counts = np.bincount(many(draws.choice, weights, 5), minlength=5)
    expected = np.exp(weights[:5] - 701)
    assert (counts[expected == 0] == 0).all()
    seen = expected > 0
    assert chisquare(counts[seen], expected[seen] / expected.sum() * counts.sum()).pvalue > 0.001


DRAWS = {
    "normal": (),
    "log_gamma_draw": (0.3,),
    "beta_draw": (2.0, 0.4),
    "choice": (np.array([0.1, -np.inf, 1.0, 2.0]), 3),
}


@pytest.mark.parametrize(("name", "arguments"), DRAWS.items())
def test_compiled_draws_are_those_of_python(name, arguments):
    compiled = many(getattr(draws, name), *arguments, number=200)
    plain = many(getattr(uncompiled("draws"), name), *arguments, number=200)
    np.testing.assert_allclose(compiled, plain, rtol=1e-12)


@pytest.mark.parametrize("events", [1, 2, 9])
def test_compiled_forests_are_those_of_python(events):
    forests = np.empty((2, 50, events), dtype=np.int64)
    for module, drawn in zip((draws, uncompiled("draws")), forests, strict=True):
        state = stream(3)
        for forest in drawn:
            module.forest_draw(state, 0.3, forest)
    np.testing.assert_array_equal(*forests)
    assert (forests < events).all()
    assert (forests >= -1).all()
