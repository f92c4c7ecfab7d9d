"""The prior of forests: its normaliser, its roots, and forests drawn from it."""

from collections import Counter
from math import comb, exp, inf, log

import numpy as np
import pytest

import forest_definitions as definitions
from caprese.fitting.forest_ascent import ForestPrior
from caprese.kernels.draws import forest_draw

PRIORS = (ForestPrior(), ForestPrior(first=2, second=0.5, cost=0), ForestPrior(cost=inf))


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("events", [1, 2, 3, 4])
def test_the_probabilities_of_all_forests_sum_to_one(prior, events):
    forests = definitions.all_forests(events)
    assert len(forests) == (events + 1) ** (events - 1)
    total = sum(exp(prior.log_probability(np.array(forest))) for forest in forests)
    assert total == pytest.approx(1)


def test_the_probability_of_a_forest_is_the_definition():
    prior = ForestPrior(first=0.7, second=3, cost=-log(0.8) / 3)
    for forest in definitions.all_forests(3):
        expected = definitions.log_prior(forest, 0.7, 3, 0.2)
        assert prior.log_probability(np.array(forest)) == pytest.approx(expected)


def test_with_a_given_r_the_roots_less_one_are_binomial():
    held = ForestPrior(first=0.3e7, second=0.7e7, cost=0)
    counts = Counter()
    for forest in definitions.all_forests(4):
        counts[forest.count(-1)] += exp(held.log_probability(np.array(forest)))
    for roots in range(1, 5):
        expected = comb(3, roots - 1) * 0.3 ** (roots - 1) * 0.7 ** (4 - roots)
        assert counts[roots] == pytest.approx(expected, rel=1e-4)


def test_forests_are_drawn_as_often_as_their_probability_says():
    held = ForestPrior(first=0.4e7, second=0.6e7, cost=0)
    stream, parents, counts = np.array([5], dtype=np.uint64), np.empty(3, np.int64), Counter()
    for _ in range(40_000):
        forest_draw(stream, 0.4, parents)
        counts[tuple(parents.tolist())] += 1
    for forest in definitions.all_forests(3):
        expected = 40_000 * exp(held.log_probability(np.array(forest)))
        assert abs(counts[forest] - expected) < 5 * expected**0.5
    assert set(counts) <= set(definitions.all_forests(3))


def test_many_events_that_are_all_roots_are_as_probable_as_the_learnt_part_says():
    prior = ForestPrior(first=1, second=1, cost=0.5)
    star = prior.forest_log_probability(1000, 1000)
    assert star == pytest.approx(-0.5 * 1000 - log(1000))
