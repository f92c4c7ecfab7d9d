"""The compiled ascent against the same loops in Python."""

import numpy as np
import pytest
from scipy.special import betainc, betaln

from caprese.kernels import forest_ascent, forest_messages
from uncompiled import uncompiled

pytestmark = pytest.mark.slow

COMPILED = forest_ascent, forest_messages
PLAIN = uncompiled("forest_ascent"), uncompiled("forest_messages")

SHAPES = [(1, 1), (2, 0), (3, 9), (4, 40), (5, 70)]


def example(events, genotypes):
    """Return codes, times and the log-probability of a forest by the number of roots."""
    rng = np.random.default_rng([events, genotypes])
    truth = rng.random((events, genotypes)) < 0.6
    for event in range(1, events):
        truth[event] &= truth[event - 1] | (rng.random(genotypes) < 0.1)
    codes = np.where(rng.random(truth.shape) < 0.05, ~truth, truth).astype(np.uint8)
    codes[rng.random(codes.shape) < 0.1] = 2
    times = np.sort(rng.choice([1.0, 1.0, 2.0, 5.0], genotypes))
    return codes, times, -0.3 * np.arange(events + 1)


@pytest.mark.parametrize(
    ("first", "second"),
    [(1.0, 20.0), (0.3, 0.2), (5.0, 1.0), (1, 3000), (40, 2), (3, 1e7), (700, 1e6)],
)
def test_the_mass_of_rates_below_one_half_is_that_of_the_beta_density(first, second):
    prior = forest_ascent.Prior(0.1, 0.1, 0.5, first, second, np.zeros(2))
    expected = betaln(first, second) + np.log(betainc(first, second, 0.5))
    assert prior.rate_log_mass == pytest.approx(expected, rel=1e-12)


def test_the_mass_of_rates_that_cannot_be_told_from_zero_needs_no_series():
    prior = forest_ascent.Prior(0.1, 0.1, 0.5, 1.0, 1e300, np.zeros(2))
    assert prior.rate_log_mass == pytest.approx(-300 * np.log(10), abs=0.01)


@pytest.mark.parametrize(("events", "genotypes"), SHAPES)
@pytest.mark.parametrize("free", [True, False])
@pytest.mark.parametrize(
    ("rates", "ordered"), [((1.0, 1.0), False), ((1.5, 20.0), False), ((1.5, 20.0), True)]
)
def test_compiled_ascents_are_those_of_python(events, genotypes, free, rates, ordered):
    codes, times, forests = example(events, genotypes)
    gains = np.random.default_rng(events).normal(size=(events, events))
    found = []
    for ascent, messages in (COMPILED, PLAIN):
        parents = np.full(events, -1) if free else np.arange(-1, events - 1)
        theta = np.full(events, 0.5)
        numbers = np.array([0.05, 0.1])
        table = messages.Table.of(codes, times)
        if ordered:
            starts = np.zeros(genotypes + 1, dtype=np.int64)
            table.see_orders(gains, starts, starts[:0].reshape(0, 2), gains[:0, :0].reshape(0, 2))
        objective = ascent.ascend(
            table, parents, theta, numbers,
            ascent.Prior(0.5, 1.0, 0.3, *rates, forests), free, 50,
        )  # fmt: skip
        found.append((parents, theta, numbers, objective))
    assert found[0][0].tolist() == found[1][0].tolist()
    for one, other in zip(found[0][1:], found[1][1:], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-8)
    assert found[0][3] == pytest.approx(found[1][3], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(("events", "genotypes"), SHAPES)
def test_compiled_attachments_are_those_of_python(events, genotypes):
    codes, times, _ = example(events, genotypes)
    found = []
    for ascent, messages in (COMPILED, PLAIN):
        parents, theta = np.arange(-1, events - 1), np.linspace(0.3, 0.8, events)
        table = messages.Table.of(codes, times)
        found.append(ascent.attachments(table, parents, theta, np.array([0.05, 0.1])))
        assert parents.tolist() == list(range(-1, events - 1))
    np.testing.assert_allclose(*found, rtol=1e-11, atol=1e-11)
    assert (found[0].max(axis=0) == 0).all()
