"""The compiled messages against the same loops in Python, and approximations against integrals."""

import numpy as np
import pytest
from scipy.integrate import quad

from caprese.kernels import forest_messages as compiled
from uncompiled import uncompiled

plain = uncompiled("forest_messages")

SHAPES = [(1, 0), (1, 1), (2, 7), (3, 8), (3, 9), (5, 16), (4, 17), (2, 64), (3, 65), (4, 131)]
RATES = [(0.05, 0.1), (0.0, 0.2), (0.3, 0.0), (1e-160, 1e-200)]


def drawn_forest(rng, events):
    """Return a forest whose events are not in the order of their generations."""
    order = rng.permutation(events)
    parents = np.full(events, -1)
    for place in range(1, events):
        if rng.random() < 0.8:
            parents[order[place]] = order[rng.integers(place)]
    return parents, rng.uniform(0.05, 0.95, events)


def example(events, genotypes, seed=0):
    """Return codes, times, parents and edge probabilities."""
    rng = np.random.default_rng([events, genotypes, seed])
    codes = rng.choice(3, (events, genotypes), p=[0.5, 0.4, 0.1]).astype(np.uint8)
    times = np.sort(rng.choice([1.0, 1.0, 1.0, 2.0, 5.0], genotypes))
    return codes, times, *drawn_forest(rng, events)


def forest_of(kernels, table, parents, theta, rates):
    """Return a forest whose messages are computed."""
    forest = kernels.Forest(table)
    kernels.set_forest(forest, parents, theta)
    kernels.set_rates(forest, *rates)
    kernels.refresh_all(forest)
    return forest


def both(function, *arguments):
    """Return what the compiled function and that of Python find."""
    return [function(kernels, *arguments) for kernels in (compiled, plain)]


def assert_alike(found, rtol=1e-13):
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=rtol, atol=1e-300)


def test_tables_keep_what_they_are_given():
    codes, times = np.array([[0, 1, 2], [1, 1, 0]], dtype=np.uint8), np.array([1.0, 1.0, 3.0])
    for array in (codes, times):
        array.flags.writeable = False
    for kernels in (compiled, plain):
        table = kernels.Table.of(codes[:, ::-1], times)
        assert np.asarray(table.codes).tolist() == [[2, 1, 0], [0, 1, 1]]
        assert np.asarray(table.times).tolist() == [1.0, 1.0, 3.0]
        assert np.asarray(table.ends)[: table.runs].tolist() == [2, 3]


@pytest.mark.parametrize(("events", "genotypes"), SHAPES)
@pytest.mark.parametrize("rates", RATES)
def test_compiled_probabilities_are_those_of_python(events, genotypes, rates):
    codes, times, parents, theta = example(events, genotypes)

    def found(kernels):
        table, out = kernels.Table.of(codes, times), np.empty(genotypes)
        forest = forest_of(kernels, table, parents, theta, rates)
        kernels.log_probabilities(forest, out)
        return (
            out,
            kernels.log_likelihood(forest),
            kernels.forest_log_likelihood(table, parents, theta, np.array(rates)),
            kernels.parents_first(forest),
            np.asarray(forest.order),
        )

    assert_alike(both(found))


@pytest.mark.parametrize(("events", "genotypes"), SHAPES)
@pytest.mark.parametrize("rates", RATES)
def test_compiled_messages_are_those_of_python(events, genotypes, rates):
    codes, times, parents, theta = example(events, genotypes)

    def found(kernels, event):
        forest = forest_of(kernels, kernels.Table.of(codes, times), parents, theta, rates)
        kernels.fill_reach(forest)
        first = np.array(forest.reach)
        kernels.detach(forest, event)
        arrays = (forest.present, forest.absent, forest.share, forest.reach, forest.inside)
        return (first, *map(np.asarray, (forest.parents, *arrays)))

    for event in range(events):
        assert_alike(both(found, event))


@pytest.mark.slow
@pytest.mark.parametrize(("events", "genotypes"), SHAPES)
@pytest.mark.parametrize("rates", RATES[:3])
def test_compiled_gains_are_those_of_python(events, genotypes, rates):
    codes, times, parents, theta = example(events, genotypes)

    def found(kernels, event):
        forest = forest_of(kernels, kernels.Table.of(codes, times), parents, theta, rates)
        kernels.detach(forest, event)
        numbers = []
        for parent in range(-1, events):
            if parent >= 0 and forest.inside[parent]:
                continue
            kernels.aim(forest, event, parent)
            guess = kernels.first_guess(forest)
            numbers += [guess, *kernels.best_probability(forest, guess, 0.1, 6)]
            for value in (0.0, 1e-9, 0.3, 1 - 1e-9, 1.0):
                numbers.append(kernels.gain(forest, value))
            for value in (1e-9, 0.3, 1 - 1e-9):
                numbers += kernels.slopes(forest, value)
        return (numbers,)

    for event in range(events):
        assert_alike(both(found, event), rtol=1e-12)  # sums of terms with both signs


def test_tables_may_use_less_than_their_room():
    """A sampler turns to tables of fewer genotypes, one after the other."""
    codes, times, parents, theta = example(4, 30)
    numbers = []
    for most in (30, 45):
        room = np.zeros((4, most), dtype=np.uint8), np.zeros(most)
        room[0][:, :30], room[1][:30] = codes, times
        forest = forest_of(plain, plain.Table.of(*room), parents, theta, (0.05, 0.1))
        forest.table.genotypes = 30
        plain.find_runs(forest.table)
        reached = plain.log_likelihood(forest)
        plain.detach(forest, 1)
        plain.aim(forest, 1, -1)
        best = plain.best_probability(forest, 0.5, 1e-6, 40)
        numbers.append((reached, best, plain.gain(forest, best[0])))
    assert numbers[0] == numbers[1]


@pytest.mark.parametrize("theta", [0.0, 0.02, 0.5, 1.0])
@pytest.mark.parametrize("first", [-300.0, -5.0, 0.0, 1e-9, 3.0, 60.0])
@pytest.mark.parametrize("second", [0.0, 0.5, 30.0, 1e4, 1e8])
def test_normal_masses_are_integrals(theta, first, second):
    mass, same = both(lambda kernels: kernels.log_normal_mass(theta, first, second))
    assert mass == pytest.approx(same, rel=1e-12, abs=1e-12)
    centre = min(max(theta + first / second if second else (first > 0) * 1.0, 0.0), 1.0)

    def exponent(t):
        return first * (t - theta) - second * (t - theta) ** 2 / 2

    width = 40 / (abs(first - second * (centre - theta)) + second**0.5 + 1)
    low, high = max(centre - width, 0.0), min(centre + width, 1.0)
    relative, _ = quad(lambda t: np.exp(exponent(t) - exponent(centre)), low, high, limit=500)
    # Beyond three deviations a tail is approximated.
    tail = second > 0 and not -3 < (theta + first / second - centre) * second**0.5 < 3
    assert mass == pytest.approx(exponent(centre) + np.log(relative), abs=0.05 if tail else 1e-6)
