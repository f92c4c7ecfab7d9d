"""Parents by the pairwise rules: compiled as in Python, of whole numbers and of others."""

import numpy as np
import pytest

from caprese.data.scores import RELATIVE_TOLERANCE
from caprese.fitting.structure import EQUAL
from caprese.kernels.pairwise_parents import add_ancestors, caprese_parents, szabo_parents
from uncompiled import uncompiled

SIZES = [(0, 2), (1, 1), (4, 2), (6, 7), (3, 16)]  # data sets, events


def counts(batch, events, kind):
    """Joint counts, those of the first event, and totals, of samples with unknown entries."""
    rng = np.random.default_rng([71, batch, events])
    values = rng.random((batch, 40, events)) < rng.uniform(0.1, 0.9, events)
    values[:, :, 1:] &= values[:, :, :1] | (rng.random((batch, 40, events - 1)) < 0.3)
    known = (rng.random(values.shape) < 0.9).astype(np.int64)
    values = values * known
    if kind == "known":
        known = np.ones_like(known)
    pairs = np.einsum("bki,bkj->bij", values, values), np.einsum("bki,bkj->bij", values, known)
    total = np.einsum("bki,bkj->bij", known, known)
    if kind == "whole" or kind == "known":
        return *pairs, total, 0.0
    raised = [np.abs(table + rng.normal(0, 0.2, table.shape)) for table in pairs]
    return *raised, total.astype(float), RELATIVE_TOLERANCE


@pytest.mark.parametrize("kind", ["known", "whole", "real"])
@pytest.mark.parametrize(("batch", "events"), SIZES)
def test_compiled_parents_are_those_of_python(batch, events, kind):
    *tables, tolerance = counts(batch, events, kind)
    plain = uncompiled("pairwise_parents")
    for shrinkage in (0.0, 0.5, 1.0):
        given = *tables, shrinkage, tolerance, EQUAL
        assert caprese_parents(*given).tolist() == plain.caprese_parents(*given).tolist()
    given = *tables, tolerance, EQUAL
    assert szabo_parents(*given).tolist() == plain.szabo_parents(*given).tolist()


def test_the_examples_have_events_with_and_without_parents():
    *tables, tolerance = counts(6, 7, "real")
    for parents in (
        caprese_parents(*tables, 0.5, tolerance, EQUAL),
        szabo_parents(*tables, tolerance, EQUAL),
    ):
        assert {bool(parent >= 0) for parent in parents.ravel()} == {False, True}


def test_counts_that_are_only_broadcast_give_the_same_parents():
    joint, first, total, tolerance = counts(6, 7, "known")
    present = np.broadcast_to(np.diagonal(joint, axis1=1, axis2=2)[:, :, None], joint.shape)
    number = np.broadcast_to(total[:, :1, :1], joint.shape)
    assert (present == first).all()
    assert (number == total).all()
    for rule, more in ((caprese_parents, (0.5, tolerance)), (szabo_parents, (tolerance,))):
        expected = rule(joint, first, total, *more, EQUAL).tolist()
        assert rule(joint, present, number, *more, EQUAL).tolist() == expected


@pytest.mark.parametrize(("batch", "events"), [(0, 3), (1, 1), (5, 8)])
def test_ancestors_are_counted_in_all_forests(batch, events):
    rng = np.random.default_rng([72, events])
    parents = np.array([[rng.integers(-1, j + 1) - 1 for j in range(events)] for _ in range(batch)])
    parents = np.maximum(parents, -1).astype(np.int64).reshape(batch, events)
    found, plain, expected = np.ones((3, events, events), dtype=np.int64)
    for row in parents:
        for event in range(events):
            above = row[event]
            while above >= 0:
                expected[above, event] += 1
                above = row[above]
    add_ancestors(parents, found)
    uncompiled("pairwise_parents").add_ancestors(parents, plain)
    assert found.tolist() == plain.tolist() == expected.tolist()
