"""Directions of an ascent, beside the matrix that the formula of BFGS makes."""

import numpy as np
import pytest

from caprese.kernels.quasi_newton import direction
from uncompiled import uncompiled


def definition(slopes, moves, falls):
    """The inverse curvature as a matrix, changed by each move in turn, times the slopes."""
    told = [(s, y) for s, y in zip(moves, falls, strict=True) if s @ y > 1e-12 * (y @ y)]
    matrix = np.eye(len(slopes))
    if told:
        move, fall = told[-1]
        matrix *= (move @ fall) / (fall @ fall)
    for move, fall in told:
        turned = np.eye(len(slopes)) - np.outer(move, fall) / (move @ fall)
        matrix = turned @ matrix @ turned.T + np.outer(move, move) / (move @ fall)
    return matrix @ slopes


def moved(number, seed):
    """Slopes of a hill, moves on it, and how the slopes fell."""
    rng = np.random.default_rng(seed)
    half = rng.normal(size=(6, 6))
    moves = rng.normal(size=(number, 6))
    return rng.normal(size=6), moves, moves @ (half @ half.T + np.eye(6))


@pytest.mark.parametrize("number", [0, 1, 4, 10])
def test_the_direction_is_that_of_the_matrix(number):
    slopes, moves, falls = moved(number, seed=number)
    np.testing.assert_allclose(
        direction(slopes, moves, falls), definition(slopes, moves, falls), rtol=1e-8, atol=1e-10
    )


def test_moves_on_which_the_slopes_rose_are_left_out():
    slopes, moves, falls = moved(5, seed=3)
    falls[[1, 4]] *= -1
    falls[2] = 0
    kept = [0, 3]
    expected = direction(slopes, moves[kept], falls[kept])
    np.testing.assert_array_equal(direction(slopes, moves, falls), expected)


def test_without_moves_it_is_the_slopes():
    slopes = np.array([1.0, -2.0])
    found = direction(slopes, np.zeros((0, 2)), np.zeros((0, 2)))
    np.testing.assert_array_equal(found, slopes)
    assert found is not slopes


@pytest.mark.parametrize("number", [0, 3, 10])
def test_compiled_and_as_python_runs_it_are_the_same(number):
    given = moved(number, seed=20 + number)
    expected = uncompiled("quasi_newton").direction(*given)
    np.testing.assert_array_equal(direction(*given), expected)
