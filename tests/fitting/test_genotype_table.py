"""The table of genotypes: complete, and in an order that no shuffling changes."""

import numpy as np
import pytest

from caprese.data.dataset import Dataset
from caprese.data.seen_orders import SeenOrders
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


def with_orders(data):
    """Orders of the first two events that each third sample has; some samples differ in them."""
    rows = []
    for k, (name, values) in enumerate(zip(data.samples, data.values, strict=True)):
        carried = np.flatnonzero(values)[:2]
        if k % 3 == 0 and carried.size == 2:
            turned = carried[:: 1 if k % 2 else -1]
            rows.append((name, *(data.events[event] for event in turned), 0.6 + 0.1 * (k % 4)))
    return data.with_orders(SeenOrders.from_rows(rows))


def test_samples_of_one_genotype_are_told_apart_by_their_orders():
    data = with_orders(example(4))
    table = GenotypeTable.of(data, orders=data.orders, apart=True)
    codes = observation_codes(data.events, data)[:, table.positions]
    rows = {}
    place = {event: k for k, event in enumerate(table.positions)}
    for sample, earlier, later in data.orders.pairs.tolist():
        rows[sample] = place[earlier], place[later]
    kinds = {}
    for sample in range(60):
        pair = rows.get(sample)
        sure = data.orders.confidence[data.orders.pairs[:, 0] == sample].tolist()
        kinds.setdefault((*codes[sample], pair, *sure), []).append(sample)
    assert sorted(map(len, kinds.values())) == sorted(table.times)
    starts = table.orders.starts
    for d, column in enumerate(table.codes.T):
        own = slice(starts[d], starts[d + 1])
        (pair,) = (
            map(tuple, table.orders.pairs[own].tolist()) if starts[d + 1] > starts[d] else [None]
        )
        sure = np.exp(table.orders.gains[own, 0]) / 2
        match = [
            len(samples)
            for kind, samples in kinds.items()
            if kind[:7] == (*column, pair) and np.allclose(kind[7:], sure)
        ]
        assert match == [table.times[d]]


def test_the_gains_of_orders_are_sums_over_samples():
    data = with_orders(example(4))
    table = GenotypeTable.of(data, orders=data.orders)
    expected = np.zeros((6, 6))
    for (_, earlier, later), sure in zip(data.orders.pairs, data.orders.confidence, strict=True):
        expected[earlier, later] += np.log(2 * sure)
        expected[later, earlier] += np.log(2 * (1 - sure))
    found = table.orders.pooled
    np.testing.assert_allclose(found, expected[np.ix_(table.positions, table.positions)])
    assert len(table.times) == len(GenotypeTable.of(data).times)
    assert table.orders.pairs.size == 0


def test_certain_orders_are_clipped():
    data = Dataset.from_rows([[1, 1]], "ab").with_orders(SeenOrders.from_rows([("1", "a", "b")]))
    gains = GenotypeTable.of(data, orders=data.orders).orders.pooled
    assert sorted(gains.ravel().tolist()) == pytest.approx([np.log(0.02), 0, 0, np.log(1.98)])


def test_parents_come_back_from_the_order_of_the_table():
    table = GenotypeTable.of(example(3))
    parents = np.array([[-1, 0, 1, 1, -1, 4], [5, 5, 5, 5, 5, -1]])
    np.testing.assert_array_equal(table.outward(table.inward(parents)), parents)
    child = int(np.flatnonzero(table.positions == 1)[0])
    assert table.positions[table.inward(parents)[0, child]] == 0
