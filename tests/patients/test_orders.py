"""The likeliest orders, against a list of all orders."""

import itertools
import math

import numpy as np
import pytest

from caprese import ROOT, Dataset, Forest, Independence, Noise, NoisyForest, Posterior, TimedPoset
from caprese.errors import ModelError
from caprese.patients import orders as module
from caprese.patients.orders import likeliest_orders

EVENTS = tuple("abcdef")
POSET = TimedPoset(EVENTS, ((), (), (0, 1), (0,), (2,), ()), (2.0, 0.5, 3.0, 0.1, 1.0, 0.7))
FOREST = Forest(EVENTS, (ROOT, 0, 0, ROOT, 3, 1), (0.7, 0.5, 0.2, 0.9, 0.4, 0.3))
LOOSE = Independence(EVENTS, (0.5, 0.2, 0.8, 0.3, 0.6, 0.1))


def average() -> Posterior:
    rng = np.random.default_rng(5)
    shape = (2, 4, 1)
    parents = np.where(rng.random((*shape, 6)) < 0.7, ROOT, np.arange(6) - 1)
    return Posterior(
        EVENTS,
        parents,
        rng.uniform(0.2, 0.8, (*shape, 6)),
        rng.uniform(0.01, 0.2, (2, 4, 2)),
        np.ones(shape),
        np.full(shape, 0.5),
        np.zeros((2, 4)),
        np.ones(3),
    )


def chance_of(model, order):
    """Return the probability of the steps of an order, each before the time of observation."""
    there, chance = np.zeros((1, len(EVENTS)), dtype=bool), 1.0
    for event in order:
        rates = model.next_rates(there)[0]
        chance *= rates[EVENTS.index(event)] / (1 + rates.sum())
        there[0, EVENTS.index(event)] = True
    return chance


def literally(model, present):
    """Return every order of these events with its probability, the likeliest first."""
    orders = list(itertools.permutations(present))
    chances = [chance_of(model, order) for order in orders]
    total = sum(chances)
    return {o: c / total for o, c in zip(orders, chances, strict=True) if c} if total else {}


def seen(present):
    return Dataset.from_rows([[int(event in present) for event in EVENTS]], events=EVENTS)


def asked(model, present, **settings):
    row = seen(present)
    return likeliest_orders(model, row.values[0], row, **settings)


@pytest.mark.slow
@pytest.mark.parametrize("model", [POSET, FOREST, LOOSE], ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("present", ["a", "ab", "abd", "abcf", "abcdf", "abcdef"])
def test_up_to_six_events_they_are_the_first_of_all_orders(model, present):
    expected = literally(model, present)
    found = asked(model, present, most=7)
    assert found.errors is None
    best = sorted(expected.values(), reverse=True)[:7]
    assert found.probabilities == pytest.approx(best)
    assert [expected[order] for order in found.orders] == pytest.approx(best)
    assert len(set(found.orders)) == len(found.orders)


@pytest.mark.slow
@pytest.mark.parametrize("present", ["ab", "abcd", "abcdef"])
def test_an_average_counts_each_part_by_its_share(present):
    model, row = average(), seen(present)
    expected: dict[tuple[str, ...], float] = {}
    whole = 0.0
    for part, share in model.parts(row):
        orders = literally(part, present)
        whole += share[0] if orders else 0.0
        for order, chance in orders.items():
            expected[order] = expected.get(order, 0.0) + share[0] * chance
    best = sorted((chance / whole for chance in expected.values()), reverse=True)[:5]
    assert asked(model, present).probabilities == pytest.approx(best)


def test_nothing_came_in_one_order():
    assert asked(POSET, "") == module.Orders(((),), (1.0,))


def test_a_genotype_that_cannot_be_came_in_no_order():
    assert asked(POSET, "c") == module.Orders((), ())


@pytest.mark.slow
@pytest.mark.parametrize("model", [POSET, NoisyForest(FOREST, Noise(0.1, 0.1)), average()])
def test_drawn_orders_agree_within_their_errors(model, monkeypatch):
    exact = asked(model, "abcdf", most=3)
    monkeypatch.setattr(module, "MOST_EXACT", 2)
    drawn = asked(model, "abcdf", most=3, seed=2)
    assert drawn.errors is not None
    chances = dict(zip(exact.orders, exact.probabilities, strict=True))
    for order, chance, error in zip(drawn.orders, drawn.probabilities, drawn.errors, strict=True):
        assert 0 < error < 0.05
        assert abs(chance - chances.get(order, exact.probabilities[-1])) < 4 * error + 1e-3
    assert asked(model, "abcdf", most=3, seed=2) == drawn


def test_drawn_orders_of_an_impossible_genotype_are_none(monkeypatch):
    monkeypatch.setattr(module, "MOST_EXACT", 0)
    assert asked(POSET, "c").orders == ()


def test_fifteen_events_of_a_chain_came_in_one_order():
    events = tuple(f"e{k:02}" for k in range(15))
    chain = Forest(events, np.arange(15) - 1, np.full(15, 0.5))
    row = Dataset.from_rows([[1] * 15], events=events)
    found = likeliest_orders(chain, row.values[0], row)
    assert found.orders == (events,)
    assert found.probabilities == pytest.approx((1.0,))
    assert found.errors == pytest.approx((0.0,))


def test_bad_questions_are_refused():
    with pytest.raises(ValueError, match="most must be a whole number of at least 1, got 0"):
        asked(POSET, "ab", most=0)
    two = Dataset.from_rows([[0] * 6] * 2, events=EVENTS)
    with pytest.raises(ModelError, match="seen must be one sample, got 2"):
        likeliest_orders(POSET, two.values[0], two)


def test_a_fork_is_as_probable_as_its_rates():
    """b at 3 of 5, observation included, then a at 1 of 2; or a at 1 of 5, then b at 3 of 4."""
    fork = TimedPoset(("a", "b"), ((), ()), (1.0, 3.0))
    row = Dataset.from_rows([[1, 1]], events="ab")
    first, second = 3 / 5 * 1 / 2, 1 / 5 * 3 / 4
    found = likeliest_orders(fork, row.values[0], row)
    assert found.probabilities[0] == pytest.approx(first / (first + second))
    assert math.fsum(found.probabilities) == pytest.approx(1)
