"""Sums of columns of a boolean table."""

import numpy as np
import pytest

from caprese._core.arrays import column_sums


@pytest.mark.parametrize("rows", [0, 1, 254, 255, 256, 1000])
def test_column_sums_are_those_of_numpy(rows):
    table = np.random.default_rng(rows).random((rows, 5)) < [0, 0.2, 0.5, 0.9, 1]
    assert column_sums(table).tolist() == table.sum(axis=0).tolist()
    assert column_sums(table[::2, 1:]).tolist() == table[::2, 1:].sum(axis=0).tolist()
