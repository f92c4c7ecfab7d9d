"""Exact tests of 2 x 2 tables, against scipy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import boschloo_exact, false_discovery_control, fisher_exact

from caprese.data.contingency import adjusted, boschloo


def as_counts(table):
    (both, other), (one, neither) = table
    return both, both + one, both + other, both + one + other + neither


def tables(most):
    cell = st.integers(0, most)
    return st.tuples(st.tuples(cell, cell), st.tuples(cell, cell)).filter(
        lambda table: all(np.sum(table, axis=0))
    )


@settings(max_examples=60)
@given(tables(25))
@pytest.mark.slow
def test_the_search_of_scipy_finds_no_higher_p_value_of_boschloo(table):
    """Nor a much lower one: it looks for the highest value in fewer places."""
    expected = boschloo_exact(table, alternative="greater", n=64).pvalue
    assert boschloo(*as_counts(table)) == pytest.approx(expected, rel=1e-6)


def test_the_test_of_boschloo_by_its_definition():
    joint, first, second, total = 7, 9, 11, 22
    without = total - first

    def fisher(x, y):
        cells = [[x, y], [first - x, without - y]]
        return fisher_exact(cells, alternative="greater").pvalue

    observed = fisher(joint, second - joint)
    extreme = [
        (x, y)
        for x in range(first + 1)
        for y in range(without + 1)
        if fisher(x, y) <= observed * (1 + 1e-9)
    ]
    from scipy.stats import binom

    shares = np.linspace(0, 1, 20_001)
    mass = sum(binom.pmf(x, first, shares) * binom.pmf(y, without, shares) for x, y in extreme)
    assert boschloo(joint, first, second, total) == pytest.approx(mass.max(), rel=1e-6)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_adjusted_values_are_those_of_benjamini_and_hochberg(values):
    given_values = np.array(values)
    assert adjusted(given_values) == pytest.approx(false_discovery_control(given_values))
