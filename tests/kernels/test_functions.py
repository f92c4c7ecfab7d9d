"""Elementary functions, compiled, beside those of the C library, which are nearly exact."""

import math

import numpy as np
import pytest

from caprese.kernels import functions

TINY = np.nextafter(0, 1)
SMALLEST = np.finfo(float).tiny


def units_apart(ours, theirs):
    """Return by how many units in the last place numbers differ at most."""
    return np.max(np.abs(ours - theirs) / np.spacing(np.abs(theirs)))


def draws(low, high, number=20_000):
    return np.random.default_rng(1).uniform(low, high, number)


def around(point, number=1000):
    near = [point]
    for _ in range(number):
        near.append(np.nextafter(near[-1], np.inf))
    return np.array(near)


@pytest.mark.parametrize(
    ("function", "definition", "x"),
    [
        (functions.exp, math.exp, draws(-1, 1)),
        (functions.exp, math.exp, draws(-708, 709.7)),
        (functions.exp, math.exp, draws(-1e-7, 1e-7)),
        (functions.expm1, math.expm1, draws(-1, 1)),
        (functions.expm1, math.expm1, draws(-50, 709.7)),
        (functions.expm1, math.expm1, draws(-1e-7, 1e-7)),
        (functions.log, math.log, draws(0, 2)),
        (functions.log, math.log, np.exp2(draws(-1022, 1023))),
        (functions.log, math.log, 1 + draws(-1e-7, 1e-7)),
        (functions.log, math.log, around(math.sqrt(0.5))),
        (functions.log, math.log, np.array([TINY, 3 * TINY, SMALLEST / 4, SMALLEST])),
        (functions.log1p, math.log1p, draws(-1, 3)),
        (functions.log1p, math.log1p, np.exp2(draws(-60, 1000))),
        (functions.log1p, math.log1p, -np.exp2(draws(-60, -1))),
    ],
)
def test_within_two_units_in_the_last_place(function, definition, x):
    expected = np.array([definition(each) for each in x])
    assert units_apart(function(x), expected) <= 2


def test_at_the_ends():
    x = np.array([-np.inf, -800, -745.2, 709.79, np.inf, np.nan, 0, -0.0])
    np.testing.assert_array_equal(functions.exp(x), [0, 0, 0, np.inf, np.inf, np.nan, 1, 1])
    x = np.array([-np.inf, -800, 709.79, np.inf, np.nan, 0])
    np.testing.assert_array_equal(functions.expm1(x), [-1, -1, np.inf, np.inf, np.nan, 0])
    x = np.array([0, -0.0, -1, np.inf, np.nan, 1])
    np.testing.assert_array_equal(functions.log(x), [-np.inf, -np.inf, np.nan, np.inf, np.nan, 0])
    x = np.array([-1, -2, np.inf, np.nan, 0])
    np.testing.assert_array_equal(functions.log1p(x), [-np.inf, np.nan, np.inf, np.nan, 0])


def test_where_the_exponential_function_is_subnormal_it_is_rounded_once():
    x = draws(-745.1, -708.4)
    expected = np.array([math.exp(each) for each in x])
    assert np.abs(functions.exp(x) - expected).max() <= TINY


@pytest.mark.parametrize("function", [functions.exp, functions.log, functions.log1p])
def test_arrays_keep_their_shape_and_are_not_changed(function):
    x = np.arange(6.0).reshape(2, 3).T
    before = x.copy()
    assert function(x).shape == (3, 2)
    assert function(x)[2, 1] == function(x[2, 1])
    assert function(np.empty((0, 4))).shape == (0, 4)
    assert isinstance(function(2), float)
    np.testing.assert_array_equal(x, before)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((3, 4), (4, 5)),
        ((4,), (4, 5)),
        ((3, 4), (4,)),
        ((4,), (4,)),
        ((2, 0), (0, 3)),
        ((0,), (0,)),
    ],
)
def test_products_are_those_of_numpy(left, right):
    rng = np.random.default_rng(2)
    one, other = rng.normal(size=left), rng.normal(size=right)
    ours, theirs = functions.product(one, other), one @ other
    assert np.shape(ours) == np.shape(theirs)
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-14)


def test_products_of_any_layout_and_type():
    rng = np.random.default_rng(3)
    one, other = rng.random((5, 3)) < 0.5, rng.normal(size=(4, 5))
    np.testing.assert_allclose(functions.product(one.T, other.T), one.T @ other.T, atol=1e-14)


def test_the_complementary_error_function():
    x = np.concatenate([draws(-6, 6), draws(6, 26)])
    expected = np.array([math.erfc(each) for each in x])
    np.testing.assert_allclose(functions.erfc(x), expected, rtol=1e-13)
    ends = np.array([-np.inf, np.inf, np.nan])
    np.testing.assert_array_equal(functions.erfc(ends), [2, 0, np.nan])
