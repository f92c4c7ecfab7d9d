"""At which place in the order of all events each event comes."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from caprese import (
    CBN,
    ROOT,
    BayesForest,
    Caprese,
    Dataset,
    Forest,
    Hazards,
    IndependentEvents,
    ModelError,
    ParameterError,
    datasets,
    timeline,
)
from caprese.models.stacked import Stacked
from caprese.patients.timeline import Timeline, timeline_of

# Two branches below a, and f apart: 90 of the 720 orders are allowed.
FOREST = Forest(tuple("abcdef"), (ROOT, 0, 0, 1, 2, ROOT), (0.9, 0.5, 0.5, 0.5, 0.5, 0.2))


def allowed_orders(order):
    """All orders of the events with parents before children, as places."""
    adjacency, n = order.adjacency(), len(order.events)
    for sequence in permutations(range(n)):
        places = {event: place for place, event in enumerate(sequence, 1)}
        if all(places[i] < places[j] for i, j in np.argwhere(adjacency).tolist()):
            yield tuple(places[event] for event in range(n))


def shares_of_places(places):
    n = places.shape[1]
    return np.array([(places == place).mean(axis=0) for place in range(1, n + 1)])


def agree(found, expected, draws):
    error = np.sqrt(np.maximum(expected * (1 - expected), 1e-4) / draws)
    return bool((np.abs(found - expected) <= 4.5 * error).all())


def test_all_orders_that_a_forest_allows_are_equally_probable():
    found = timeline(FOREST)
    every = np.array(list(allowed_orders(FOREST)))
    assert len(every) == 36
    assert agree(shares_of_places(found.places), shares_of_places(every), len(found.places))


def test_places_in_a_model_with_a_clock_follow_its_rates():
    effects = np.array([[1.0, 5.0, 1.0], [1.0, 1.0, 0.2], [2.0, 1.0, 1.0]])
    model = Hazards(tuple("abc"), rates=(1.0, 0.5, 0.7), effects=effects)

    def chance(sequence):
        total, present = Fraction(1), np.zeros((1, 3), dtype=bool)
        for event in sequence:
            rates = model.next_rates(present)[0]
            total *= Fraction(rates[event]) / Fraction(rates.sum())
            present[0, event] = True
        return float(total)

    expected = np.zeros((3, 3))
    for sequence in permutations(range(3)):
        for place, event in enumerate(sequence):
            expected[place, event] += chance(sequence)
    found = timeline(model)
    assert agree(shares_of_places(found.places), expected, len(found.places))


def test_a_mixture_draws_from_each_part_by_its_weight():
    forward = Forest(("a", "b"), (ROOT, 0), (0.5, 0.5))
    back = Forest(("b", "a"), (ROOT, 0), (0.5, 0.5))
    found = timeline_of([(forward, 0.8), (back, 0.2)])
    assert abs((found.places[:, 0] == 1).mean() - 0.8) < 4.5 * np.sqrt(0.16 / 2000)


def test_parts_that_say_nothing_of_the_order_do_not_count():
    forest = Forest(("a", "b"), (ROOT, 0), (0.5, 0.5))
    data = Dataset.from_rows([[1, 1], [1, 0], [0, 1]], "ab")
    apart = IndependentEvents().fit(data).model
    assert timeline(Stacked((forest, apart), np.array([0.1, 0.9]))) == timeline(forest)
    with pytest.raises(ModelError, match="says nothing of the order of events"):
        timeline(apart)


@pytest.mark.parametrize("method", [Caprese(), CBN()], ids=repr)
def test_parents_come_before_their_children(method):
    fit = method.fit(datasets.ovarian())
    places = timeline(fit).places
    column = {event: k for k, event in enumerate(timeline(fit).events)}
    for parent, child in fit.model.edges:
        assert (places[:, column[parent]] < places[:, column[child]]).all()


def test_the_order_of_the_events_does_not_matter():
    other = Forest(tuple("fdebca"), (ROOT, 3, 4, 5, 5, ROOT), (0.2, 0.5, 0.5, 0.5, 0.5, 0.9))
    one, two = timeline(FOREST), timeline(other)
    assert np.array_equal(one.places, two.places[:, [two.events.index(e) for e in one.events]])


def test_every_draw_has_each_place_once_and_the_seed_decides():
    fit = BayesForest(chains=1, draws=20, warm_up=20).fit(datasets.ovarian())
    found = timeline(fit, seed=3)
    assert (np.sort(found.places, axis=1) == np.arange(1, 8)).all()
    assert found == timeline(fit, seed=3) != timeline(fit, seed=4)
    with pytest.raises(ParameterError, match="seed must be"):
        timeline(fit, seed=-1)


def test_events_are_sorted_by_their_mean_place_then_by_name():
    found = Timeline(tuple("cba"), np.array([[3, 1, 2], [3, 2, 1]]))
    assert found.sequence == (2, 1, 0)
    assert repr(found) == "<Timeline: 3 events, 2 draws>"
