"""The likeliest orders: compiled against uncompiled; see also tests/patients/test_orders.py."""

import numpy as np
import pytest

from caprese.kernels.orders import likeliest_orders
from uncompiled import uncompiled


@pytest.mark.parametrize("events", [0, 1, 2, 5, 9])
@pytest.mark.parametrize("most", [1, 2, 7])
@pytest.mark.parametrize("impossible", [0.0, 0.4, 1.0])
def test_compiled_orders_are_those_of_python(events, most, impossible):
    rng = np.random.default_rng([events, most])
    chances = rng.random((1 << events, events))
    chances[rng.random(chances.shape) < impossible] = 0.0
    total, orders, likely = likeliest_orders(chances, most)
    expected = uncompiled("orders").likeliest_orders(chances, most)
    assert total == pytest.approx(expected[0], rel=1e-13)
    assert np.array_equal(orders, expected[1])
    np.testing.assert_allclose(likely, expected[2], rtol=1e-13)
