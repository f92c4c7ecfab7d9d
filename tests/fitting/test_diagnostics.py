"""R-hat and effective sample size against ArviZ, and against what must hold."""

import numpy as np
import pytest

from caprese.fitting.diagnostics import diagnostics, effective_size, r_hat
from caprese.fitting.forest_sampler import Posterior


def autoregressive(rng, correlation, chains, length):
    draws = np.zeros((chains, length))
    noise = rng.normal(size=(chains, length))
    for t in range(1, length):
        draws[:, t] = correlation * draws[:, t - 1] + noise[:, t]
    return draws


def cases():
    rng = np.random.default_rng(5)
    return {
        "white": autoregressive(rng, 0, 4, 200),
        "slow": autoregressive(rng, 0.9, 4, 300),
        "apart": autoregressive(rng, 0.5, 3, 101) + np.array([[0], [0], [1.5]]),
        "binary": (autoregressive(rng, 0.7, 4, 250) > 0.5).astype(float),
        "negative": autoregressive(rng, -0.5, 2, 400),
        "wide": autoregressive(rng, 0.3, 4, 100) * np.array([[1], [1], [1], [4]]),
    }


# ArviZ 0.23.4 on the same draws: rhat(method="rank"), ess(method="bulk").
ARVIZ = {
    "white": (1.00610248146098, 719.3705759182591),
    "slow": (1.0292045991125054, 68.80514342505765),
    "apart": (1.1931986290720962, 12.344253701622481),
    "binary": (1.009074644098186, 274.14138768064174),
    "negative": (0.9993546715279544, 2322.471989593555),
    "wide": (1.223837631562447, 263.7585143442177),
}


@pytest.mark.parametrize("name", ARVIZ)
def test_both_agree_with_arviz(name):
    draws = cases()[name]
    expected = ARVIZ[name]
    assert r_hat(draws) == pytest.approx(expected[0], rel=1e-6)
    assert effective_size(draws) == pytest.approx(expected[1], rel=1e-6)


def test_draws_that_never_change_are_no_sign_of_trouble():
    assert r_hat(np.ones((4, 100))) == 1
    assert effective_size(np.ones((4, 100))) == 400


def test_chains_that_are_stuck_apart_are_seen():
    stuck = np.repeat([[0.0], [0.0], [1.0], [1.0]], 100, axis=1)
    assert r_hat(stuck) > 10


def made(parents, rates):
    chains, draws = rates.shape[:2]
    shape = (chains, draws, 1)
    return Posterior(
        ("a", "b"),
        parents[:, :, None],
        np.full((*shape, 2), 0.5),
        rates,
        np.ones(shape),
        np.full(shape, 0.5),
        np.random.default_rng(1).normal(size=(chains, draws)),
        np.ones(3),
    )


def test_chains_with_different_forests_have_not_converged():
    rng = np.random.default_rng(2)
    rates = rng.uniform(0, 0.1, (4, 200, 2))
    mixed = np.where(rng.random((4, 200, 1)) < 0.5, [-1, 0], [1, -1])
    good = diagnostics(made(mixed, rates))
    assert good.converged
    assert good.draws == 800
    stuck = np.where(np.arange(4)[:, None, None] < 2, [-1, 0], [1, -1])
    bad = diagnostics(made(np.broadcast_to(stuck, (4, 200, 2)), rates))
    assert not bad.converged
    assert bad.r_hat == bad.edges[0] > 1.5


def test_edges_that_are_certain_are_left_out():
    rates = np.random.default_rng(3).uniform(0, 0.1, (2, 100, 2))
    certain = diagnostics(made(np.broadcast_to([-1, 0], (2, 100, 2)), rates))
    assert certain.edges == (1.0, np.inf)
