"""EM for posets, compiled against uncompiled."""

import numpy as np
import pytest

from caprese.kernels import lattice, poset_em, true_counts
from poset_observations import drawn_ancestors, drawn_genotypes
from uncompiled import uncompiled

COMPILED = (poset_em, lattice, true_counts)
PLAIN = tuple(map(uncompiled, ("poset_em", "lattice", "true_counts")))


def expected_step(modules, ancestors, rates, genotypes, error):
    em, lattices, counts = modules
    step = em.Step(counts.Observations(len(rates), *genotypes))
    lattices.fill_lattice(step.poset, ancestors)
    np.asarray(step.rates)[:], step.error = rates, error
    top = em.expectations(step)
    return np.array([*top, *step.occurrences, *step.waiting_times])


@pytest.mark.parametrize("events", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("number", [1, 9])
@pytest.mark.parametrize("error", [0.0, 0.1, 0.5])
def test_compiled_expectations_are_those_of_python(events, number, error):
    rng = np.random.default_rng([events, number])
    ancestors, rates = drawn_ancestors(rng, events), rng.uniform(0.1, 5, events)
    genotypes = drawn_genotypes(rng, events, number, 0.1)
    if error == 0:
        genotypes[0][:] = 0
    found = expected_step(COMPILED, ancestors, rates, genotypes, error)
    expected = expected_step(PLAIN, ancestors, rates, genotypes, error)
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13)


def best(modules, ancestors, genotypes, error, limits, target):
    em, _, counts = modules
    ascent = em.Ascent(counts.Observations(len(ancestors), *genotypes))
    rates = np.ones(len(ancestors))
    return em.maximise_likelihood(ascent, ancestors, rates, error, em.Limits(*limits), target)


@pytest.mark.parametrize(
    ("limits", "target"),
    [
        ((True, 1e-4, 100), -np.inf),
        ((False, 1e-4, 100), -np.inf),
        ((True, 1e-4, 2), -np.inf),
        ((True, 1e-4, 100), 0.0),
    ],
)
@pytest.mark.parametrize("events", [1, 4])
def test_compiled_maxima_are_those_of_python(events, limits, target):
    rng = np.random.default_rng(events)
    ancestors = drawn_ancestors(rng, events)
    genotypes = drawn_genotypes(rng, events, 12, 0.1)
    inputs = (ancestors, genotypes, 0.1, limits, target)
    rates, error, log_likelihood, converged = best(COMPILED, *inputs)
    expected = best(PLAIN, *inputs)
    np.testing.assert_allclose(rates, expected[0], rtol=1e-6)
    assert error == pytest.approx(expected[1], rel=1e-6)
    assert log_likelihood == pytest.approx(expected[2], rel=1e-12)
    assert converged == expected[3]


def test_no_step_is_taken_towards_a_target_out_of_reach():
    rng = np.random.default_rng(2)
    inputs = (drawn_ancestors(rng, 4), drawn_genotypes(rng, 4, 30), 0.1, (True, 1e-6, 1000))
    early, late = best(COMPILED, *inputs, 1e6), best(COMPILED, *inputs, -np.inf)
    assert not early[3]
    assert late[3]
    assert early[2] < late[2]
    np.testing.assert_allclose(early[0], 1)
