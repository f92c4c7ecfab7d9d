import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from caprese.plots.layout.sorting import by_frequency, by_progression, memo_order
from rendered import SEVERAL_PARENTS


@given(st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=20))
def test_samples_are_sorted_by_the_first_event_then_by_the_second(rows):
    codes = np.array(rows)
    assert codes[memo_order(codes)].tolist() == sorted(map(list, rows), reverse=True)


def test_events_are_sorted_by_frequency_then_by_name():
    assert by_frequency(["b", "c", "a"], np.array([0.2, 0.5, 0.2])) == [1, 2, 0]


def test_parents_come_before_all_their_children():
    frequency = np.linspace(0.1, 0.9, 9)
    order = by_progression(SEVERAL_PARENTS.events, frequency, SEVERAL_PARENTS)
    assert sorted(order) == list(range(9))
    for parent, child in zip(*np.nonzero(SEVERAL_PARENTS.adjacency()), strict=True):
        assert order.index(parent) < order.index(child)
