"""The table of genotypes: complete, and in an order that no shuffling changes."""

import numpy as np

from caprese.data.dataset import Dataset
from caprese.fitting.genotype_table import GenotypeTable
from caprese.models.base import observation_codes


def example(seed):
    rng = np.random.default_rng(seed)
    known = rng.random((60, 6)) < 0.9
    return Dataset(rng.random((60, 6)) < 0.4, tuple("abcdef"), (), known)


def test_the_genotypes_of_all_samples_can_be_read_back():
    data = example(1)
    table = GenotypeTable.of(data)
    codes = observation_codes(data.events, data)
    expected, times = np.unique(codes[:, table.positions], axis=0, return_counts=True)
    order = np.lexsort(table.codes[::-1])
    np.testing.assert_array_equal(table.codes.T[order], expected)
    np.testing.assert_array_equal(table.times[order], times)


def test_no_shuffling_changes_the_table():
    data = example(2)
    rng = np.random.default_rng(1)
    names = [data.events[k] for k in rng.permutation(6)]
    one = GenotypeTable.of(data)
    two = GenotypeTable.of(data.take_samples(rng.permutation(60)).take_events(names))
    np.testing.assert_array_equal(one.codes, two.codes)
    np.testing.assert_array_equal(one.times, two.times)
    assert [data.events[k] for k in one.positions] == [names[k] for k in two.positions]


def test_parents_come_back_from_the_order_of_the_table():
    table = GenotypeTable.of(example(3))
    parents = np.array([[-1, 0, 1, 1, -1, 4], [5, 5, 5, 5, 5, -1]])
    np.testing.assert_array_equal(table.outward(table.inward(parents)), parents)
    child = int(np.flatnonzero(table.positions == 1)[0])
    assert table.positions[table.inward(parents)[0, child]] == 0
