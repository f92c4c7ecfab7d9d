"""How often states were true, and observed sets: by definition, and compiled against uncompiled."""

import numpy as np
import pytest

from caprese.kernels import lattice, true_counts
from poset_observations import drawn_ancestors, drawn_genotypes
from uncompiled import uncompiled

PLAIN = uncompiled("true_counts")


def observed_by_definition(likely, known, error):
    """Sum over the true sets, each observed with its errors in the known events."""
    sets = np.arange(len(likely))
    wrong = np.bitwise_count((sets[:, None] ^ sets) & known)
    return (error**wrong * (1 - error) ** (int(known).bit_count() - wrong)).T @ likely


@pytest.mark.parametrize("events", range(9))
@pytest.mark.parametrize("error", [0.0, 0.07, 0.5])
def test_sets_are_observed_as_by_the_definition(events, error):
    rng = np.random.default_rng(events)
    likely = rng.random(1 << events)
    for known in (0, (1 << events) - 1, int(rng.integers(1 << events))):
        found = true_counts.observe_with_errors(likely, known, error)
        np.testing.assert_allclose(found, observed_by_definition(likely, known, error), rtol=1e-12)


@pytest.mark.parametrize("events", [0, 1, 5, 6, 7, 8, 11, 12, 13, 14])
def test_compiled_sets_are_observed_as_by_python(events):
    rng = np.random.default_rng(events)
    likely, known = rng.random(1 << events), int(rng.integers(1 << events))
    found = true_counts.observe_with_errors(likely, known, 0.1)
    expected = PLAIN.observe_with_errors(likely, known, 0.1)
    np.testing.assert_allclose(found, expected, rtol=1e-13)


def counted(way, genotypes, ancestors, rates, error, module, lattices):
    """Return log-likelihood, expected errors, and the counts of the states."""
    data = module.Observations(len(rates), *genotypes)
    poset, counts = lattices.Lattice(len(rates)), module.TrueCounts(data)
    lattices.fill_lattice(poset, ancestors)
    lattices.fill_probabilities(poset, rates)
    top = getattr(module, way)(poset, error, data, counts)
    return *top, np.asarray(counts.relative)[: poset.number]


@pytest.mark.slow
@pytest.mark.parametrize("way", ["by_transform", "by_path", "by_pair", "fill_true_counts"])
@pytest.mark.parametrize("events", [1, 3, 6])
@pytest.mark.parametrize("number", [0, 1, 7, 8, 9, 20])
@pytest.mark.parametrize("unknown", [0.0, 0.3])
def test_compiled_counts_are_those_of_python(way, events, number, unknown):
    rng = np.random.default_rng([events, number])
    ancestors, rates = drawn_ancestors(rng, events), rng.uniform(0.1, 5, events)
    genotypes = drawn_genotypes(rng, events, number, unknown)
    for error in (1e-6, 0.1, 0.45):
        inputs = (way, genotypes, ancestors, rates, error)
        found = counted(*inputs, true_counts, lattice)
        expected = counted(*inputs, PLAIN, uncompiled("lattice"))
        np.testing.assert_allclose(found[0], expected[0], rtol=1e-13)
        np.testing.assert_allclose(found[1], expected[1], rtol=1e-13, atol=1e-13)
        np.testing.assert_allclose(found[2], expected[2], rtol=1e-13)


@pytest.mark.parametrize("error", [0.0, 1e-13, 0.49, 0.5])
def test_the_way_is_chosen_that_is_right_for_the_error_rate(error):
    rng = np.random.default_rng(3)
    ancestors, rates = drawn_ancestors(rng, 4, 1.0), rng.uniform(0.1, 5, 4)
    genotypes = (lattice.states(ancestors)[1:3].copy(), np.ones(2), np.full(2, 15))
    inputs = (genotypes, ancestors, rates, error)
    found = counted("fill_true_counts", *inputs, true_counts, lattice)
    expected = counted("by_pair", *inputs, true_counts, lattice)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-12)
    np.testing.assert_allclose(found[2], expected[2], rtol=1e-12)


def test_what_cannot_be_observed_has_no_likelihood():
    impossible = (np.array([2]), np.ones(1), np.array([3]))  # a child without its parent
    for way in ("by_pair", "by_transform"):
        inputs = (way, impossible, np.array([0, 1]), np.ones(2), 0.0)
        assert counted(*inputs, true_counts, lattice)[0] == -np.inf


def test_observations_count_their_known_entries():
    data = true_counts.Observations(3, np.array([1, 0, 4]), np.ones(3) * 2, np.array([1, 7, 7]))
    assert data.entries == 2 * (1 + 3 + 3)
    assert data.groups == 2
