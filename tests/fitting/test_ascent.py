"""Maxima within bounds, beside those of scipy and those that are known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize, rosen, rosen_der

from caprese.fitting.ascent import ascend

ANYWHERE = (np.full(4, -np.inf), np.full(4, np.inf))


def valley(x):
    """A curved ridge, whose top is at 1 everywhere."""
    return -rosen(x), -rosen_der(x)


def test_the_top_of_a_curved_ridge():
    top = ascend(valley, np.full(4, -1.2), ANYWHERE, gain=1e-15)
    assert top.converged
    np.testing.assert_allclose(top.point, 1, atol=1e-4)
    assert top.value == valley(top.point)[0]


@given(st.integers(0, 10_000))
def test_within_bounds_it_ends_where_scipy_does(seed):
    rng = np.random.default_rng(seed)
    half, centre = rng.normal(size=(5, 5)), rng.normal(size=5)
    curvature = half @ half.T + 0.1 * np.eye(5)
    least, most = np.sort(rng.normal(size=(2, 5)), axis=0)
    most[0] = least[0]  # one is fixed

    def hill(x):
        away = x - centre
        return -0.5 * float(away @ curvature @ away), -curvature @ away

    top = ascend(hill, np.zeros(5), (least, most), gain=1e-15, slope=1e-9)
    assert ((least <= top.point) & (top.point <= most)).all()
    found = minimize(
        lambda x: -hill(x)[0],
        np.zeros(5),
        jac=lambda x: -hill(x)[1],
        method="L-BFGS-B",
        bounds=np.column_stack([least, most]),
        options={"ftol": 1e-15, "gtol": 1e-10},
    )
    assert top.value >= -found.fun - 1e-9


def test_steps_are_shortened_where_the_function_is_not_finite():
    def wall(x):
        inside = float(1 - (x**2).sum())
        if inside <= 0:
            return -np.inf, np.zeros(4)
        return float(np.log(inside) + 3 * x[0]), -2 * x / inside + np.array([3.0, 0, 0, 0])

    top = ascend(wall, np.array([-0.9, 0, 0, 0]), ANYWHERE, gain=1e-15)
    assert top.converged
    np.testing.assert_allclose(top.point, [(np.sqrt(10) - 1) / 3, 0, 0, 0], atol=1e-4)


def test_without_a_rise_it_stays():
    start = np.array([1.0, 2, 3, 4])
    flat = ascend(lambda x: (0.0, np.zeros_like(x)), start, ANYWHERE, gain=1e-9)
    misled = ascend(lambda x: (-float((x**2).sum()), 2 * x), start, ANYWHERE, gain=1e-9)
    for top in (flat, misled):
        assert top.converged
        np.testing.assert_array_equal(top.point, start)


def test_an_ascent_that_reaches_its_limit_of_steps_has_not_converged():
    top = ascend(valley, np.full(4, -1.2), ANYWHERE, gain=1e-15, steps=3)
    assert not top.converged
    assert top.value > valley(np.full(4, -1.2))[0]


@pytest.mark.parametrize("seed", range(3))
def test_it_needs_few_more_values_than_scipy(seed):
    calls = []

    def counted(x):
        calls.append(x)
        return valley(x)

    start = np.random.default_rng(seed).normal(size=20)
    anywhere = np.full(20, np.inf)
    ours = ascend(counted, start, (-anywhere, anywhere), gain=1e-12)
    theirs = minimize(rosen, start, jac=rosen_der, method="L-BFGS-B", options={"ftol": 1e-12})
    assert len(calls) < 1.5 * theirs.nfev
    assert ours.value >= -theirs.fun - 1e-6 or theirs.fun > 1
