"""The referee: what it judges within a budget, and that only the size of the data decides."""

import time
from dataclasses import dataclass

import numpy as np
import pytest

from caprese import Caprese, Dataset, SeenOrders, datasets, judge, read_judgement, write_judgement
from caprese.assessment.referee import choose
from caprese.errors import ModelError, ParameterError
from caprese.extend import register_method
from caprese.methods import METHODS, parse_method
from caprese.methods.protocols import (
    CombiningMethod,
    CostedMethod,
    CountingMethod,
    NamedMethod,
    cost_of,
)
from caprese.methods.stack import Stack
from caprese.methods.timed import TimedForests
from caprese.text.comparison import choice_lines

OVARIAN = datasets.ovarian()
CHEAP = 0.5  # seconds, in which point estimates are judged


def names(considered):
    return [each.name for each in considered]


def random_data(samples, events, share=0.3, seed=1):
    values = np.random.default_rng(seed).random((samples, events)) < share
    return Dataset(values, tuple(f"e{k}" for k in range(events)))


def test_within_the_default_budget_all_methods_are_judged():
    choice = choose(OVARIAN, fits=5)
    assert choice.left_out == ()
    assert choice.seconds <= choice.budget == 60
    by_name = {kind for kind in METHODS.values() if isinstance(kind(), NamedMethod)}
    assert {type(method) for method in choice.methods().values()} == set(METHODS.values()) - by_name
    assert TimedForests in by_name


def test_the_parts_of_a_mixture_stand_for_their_kind_and_are_costed_once():
    choice = choose(OVARIAN, fits=5)
    judged = choice.methods()
    assert set(Stack().methods) <= set(judged.values())
    assert judged["bayes"] == parse_method("bayes:draws=100:warm_up=100")
    assert {"bayes:subtypes=auto", "mhn", "mhn:observation=yes"} <= judged.keys()
    (stack,) = [each for each in choice.judged if each.name == "stack"]
    assert stack.seconds == 0
    assert choice.seconds == pytest.approx(
        sum(5 * cost_of(each, OVARIAN) for each in judged.values() if each != Stack())
    )


def test_a_mixture_that_costs_too_much_leaves_room_for_the_cheapest_methods():
    choice = choose(OVARIAN, fits=5, budget=CHEAP)
    costs = [each.seconds for each in choice.judged[1:]]
    assert costs == sorted(costs)
    assert sum(costs) <= CHEAP
    assert min(each.seconds for each in choice.left_out) > CHEAP - sum(costs)
    (stack,) = [each for each in choice.left_out if each.name == "stack"]
    parts = {method for method in Stack().methods if method not in choice.methods().values()}
    assert stack.seconds == pytest.approx(sum(5 * cost_of(each, OVARIAN) for each in parts))


def test_independent_events_are_judged_whatever_the_budget():
    assert names(choose(OVARIAN, fits=5, budget=1e-6).judged) == ["independence"]


def test_a_larger_budget_leaves_out_no_more():
    data = random_data(500, 15)
    left_out = [len(choose(data, fits=5, budget=each).left_out) for each in (1, 10, 100, 1e6)]
    assert left_out == sorted(left_out, reverse=True)
    assert left_out[-1] == 0


def test_the_clock_does_not_decide(monkeypatch):
    usual = choose(OVARIAN, fits=5, budget=3)
    for name in ("perf_counter", "monotonic", "time", "process_time"):
        monkeypatch.setattr(time, name, lambda: pytest.fail("the clock was asked"))
    assert choose(OVARIAN, fits=5, budget=3) == usual


def test_seen_orders_are_learnt_in_fits_of_their_own():
    carrier = OVARIAN.samples[int(OVARIAN.values.all(axis=1).argmax())]
    seen = OVARIAN.with_orders(SeenOrders.from_rows([(carrier, "8q+", "3q+")]))
    without, with_orders = ({e.name: e for e in choose(d, fits=5).judged} for d in (OVARIAN, seen))
    assert with_orders["mhn"].seconds == 2 * without["mhn"].seconds
    assert with_orders["oncotree"].seconds == without["oncotree"].seconds


def test_a_method_that_refuses_by_size_is_left_out_with_its_reason():
    choice = choose(random_data(60, 21, share=0.1), fits=5)
    refused = {each.name: each.refused for each in choice.left_out if each.refused}
    assert refused.keys() == {"hcbn", "cbn"}
    assert "the most is 20 events" in refused["hcbn"]
    line = next(line for line in choice_lines(choice) if "hcbn" in line)
    assert line.startswith("Left out: hcbn, which refuses the data: the list of all genotypes of")


@dataclass(frozen=True)
class Unwilling:
    """A method that says neither what it costs nor that it refuses all data."""

    def fit(self, _data):
        raise ModelError("not today")


@pytest.fixture
def unwilling():
    register_method("unwilling", Unwilling)
    yield
    del METHODS["unwilling"]


@pytest.mark.usefixtures("unwilling")
def test_a_method_that_refuses_a_training_part_is_left_out_with_its_reason(tmp_path):
    found = judge(None, OVARIAN, budget=4, folds=3, held_out=1, jobs=1)
    assert found.left_out[-1] == "unwilling"
    assert found.choice.left_out[-1].refused == "not today"
    assert "unwilling" not in found.methods
    assert len(found.methods) == len(found.choice.judged)
    write_judgement(found, tmp_path / "judged.json")
    assert read_judgement(tmp_path / "judged.json") == found


@pytest.mark.usefixtures("unwilling")
def test_a_method_that_says_no_cost_is_taken_for_a_slow_one():
    assert cost_of(Unwilling(), OVARIAN) == pytest.approx(87 * 7 / 1000)
    assert cost_of(Caprese(), OVARIAN) < 0.1


@pytest.mark.parametrize("kind", METHODS.values())
def test_each_method_of_the_package_says_what_it_costs(kind):
    assert isinstance(kind(), CombiningMethod | CostedMethod | CountingMethod)


def test_the_answer_is_that_of_the_same_methods_given_by_name():
    found = judge(None, OVARIAN, budget=CHEAP, folds=3)
    same = judge(found.choice.methods(), OVARIAN, folds=3)
    assert same.methods == found.methods
    np.testing.assert_array_equal(same.log_probabilities, found.log_probabilities)
    assert same.choice is None
    assert found.supports_order


def test_the_choice_is_announced_before_anything_is_fitted():
    heard = []

    def announce(choice):
        heard.append(choice)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        judge(None, OVARIAN, announce=announce)
    assert heard == [choose(OVARIAN, fits=5)]


@pytest.mark.parametrize("budget", [0, -1, "soon", True, float("nan"), float("inf")])
def test_a_budget_that_is_no_time_is_refused(budget):
    with pytest.raises(ParameterError, match="budget must be a time such as 90, 60s, 2m or 1h"):
        choose(OVARIAN, fits=5, budget=budget)


def test_a_budget_may_be_text():
    assert choose(OVARIAN, fits=5, budget="2m") == choose(OVARIAN, fits=5, budget=120)


def test_a_mixture_costs_its_own_fits_where_not_all_folds_are_held_out():
    choice = choose(OVARIAN, fits=1, shared=False)
    (stack,) = [each for each in choice.judged if each.name == "stack"]
    assert stack.seconds == pytest.approx(
        6 * sum(cost_of(each, OVARIAN) for each in Stack().methods)
    )
    assert {"bayes", "mhn:observation=yes"} <= choice.methods().keys()
