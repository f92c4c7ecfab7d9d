"""The picture of how probably each event comes before each other."""

import numpy as np
import pytest

from caprese import Dataset, IndependentEvents, ModelError, known_orders, plots
from caprese.assessment.known import KnownOrders
from caprese.plots.heatmaps import order_map


def known(before, seen=None):
    n = len(before)
    seen = np.zeros((n, n)) if seen is None else seen
    events = tuple("abcdefg"[:n])
    lost = np.zeros((n, n))
    return KnownOrders(events, np.ones(n), ("bayes",), np.ones(1), [before], 1.0, seen, lost)


BEFORE = [[0.0, 0.1, 0.2], [0.8, 0.0, 0.6], [0.7, 0.3, 0.0]]


def test_events_are_sorted_by_how_many_probably_come_before_them():
    drawn = order_map(known(BEFORE))
    assert drawn.rows == drawn.columns == ("b", "c", "a")
    assert drawn.numbers.tolist() == [["", ".6", ".8"], [".3", "", ".7"], [".1", ".2", ""]]


def test_orders_that_were_seen_more_often_are_outlined():
    seen = np.array([[0, 1, 2], [3, 0, 0], [2, 0, 0]])
    drawn = order_map(known(BEFORE, seen))
    marked = {(drawn.rows[i], drawn.columns[j]) for i, j in np.argwhere(drawn.edges)}
    assert marked == {("b", "a"), ("a", "c"), ("c", "a")}
    texts = [text.get_text() for text in plots.order_figure(known(BEFORE, seen)).axes[0].texts]
    assert "seen in samples" in texts


def test_without_seen_orders_the_legend_has_no_outline():
    texts = [text.get_text() for text in plots.order_figure(known(BEFORE)).axes[0].texts]
    assert "seen in samples" not in texts


def test_a_model_that_states_no_order_is_refused():
    fit = IndependentEvents().fit(Dataset.from_rows([[1, 0], [0, 1], [1, 1]], "ab"))
    with pytest.raises(ModelError, match="no part of the model states an order"):
        plots.order_figure(known_orders(fit))
