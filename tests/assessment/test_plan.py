"""How many samples would decide: the curves against their definitions, and simulated data."""

import math
import re

import numpy as np
import pytest

from caprese import (
    MHN,
    BayesForest,
    Caprese,
    Dataset,
    LikelihoodForest,
    Oncotree,
    datasets,
    judge,
    plan,
    read_judgement,
    write_judgement,
)
from caprese.assessment.answer import answered
from caprese.assessment.plan import Needed, Plan, PlannedDirection
from caprese.assessment.planning import PLAN_BUDGET, direction_needed, order_needed
from caprese.errors import ModelError
from caprese.recipe.parts import Judging
from caprese.recipe.results import candidates_of, judged
from caprese.text.answer import answer_sentences
from caprese.text.comparison import finding_lines, plan_lines, plan_sentence
from caprese.text.sentences import plain
from fitted_once import shared as shared
from fitted_once import slow_methods_are_fitted_once as slow_methods_are_fitted_once

pytestmark = pytest.mark.slow

ACML, OVARIAN = datasets.acml(), datasets.ovarian()


def curves(limit, slope, error, spread, data_sets=2000):
    """Gains and errors of data sets of three sizes that follow the curves exactly."""
    rng = np.random.default_rng(1)
    for size in (50, 100, 200):
        noise = rng.normal(size=data_sets)
        noise = (noise - noise.mean()) / noise.std(ddof=1) * spread / math.sqrt(size)
        yield size, limit + slope / size + noise, np.full(data_sets, error / math.sqrt(size))


@pytest.mark.parametrize(("limit", "slope"), [(0.1, -2.0), (0.05, -0.5), (0.03, -5.0)])
def test_an_order_is_expected_from_the_least_number_on_that_the_curves_give(limit, slope):
    found = order_needed(list(curves(limit, slope, error=0.6, spread=0.5)), threshold=2.5)
    expected = next(
        n
        for n in range(1, 100_000)
        if limit + slope / n - 2.5 * 0.6 / math.sqrt(n) >= 0.8416 * 0.5 / math.sqrt(n)
    )
    assert found.samples == pytest.approx(expected, rel=0.01)
    assert found.low < found.samples < found.high


def test_a_report_plans_where_nothing_is_decided_within_its_budget():
    told = []
    judgement = judge(None, ACML, budget=0.2)
    left_open = answered(judgement, ACML, jobs=1)
    assert (left_open.refuted, left_open.undecided) == (True, True)
    found = left_open.planned(ACML, 60.0, told.append)
    assert found.judgement.plan == plan(judgement, ACML)
    assert len(told) == 1
    assert 0 < told[0] <= PLAN_BUDGET
    sentence = plain(plan_sentence(found.judgement.plan))
    assert sentence in map(plain, answer_sentences(found))
    assert re.fullmatch(
        r"With about [\d,]+ samples \([\d,]+ to [\d,]+\) an order would be expected, if the fit of "
        r"\S+ to these 64 samples is right\.",
        sentence,
    )
    small = left_open.planned(ACML, 0.001, told.append)
    assert (small.judgement.plan, len(told)) == (None, 1)


def test_a_plan_of_events_that_hardly_hang_together_keeps_to_its_budget_by_drawing_fewer():
    rng = np.random.default_rng(3)
    data = Dataset(rng.random((300, 12)) < rng.uniform(0.05, 0.5, 12), [f"e{k}" for k in range(12)])
    judgement, told = judge([Caprese()], data, folds=2), []
    found = plan(judgement, data, budget=1.5, announce=told.append)
    assert 1 < told[0] <= 1.5
    assert 6 <= found.simulated[0].data_sets < 20
    given = {"caprese": Caprese().fit(data)}
    assert plan(judgement, data, budget=1.5, fits=given) == found


def test_what_is_decided_is_not_planned():
    decided = answered(judge([LikelihoodForest()], OVARIAN), OVARIAN, jobs=1)
    assert decided.known.firm
    assert not decided.undecided
    assert decided.planned(OVARIAN, 60.0, print) is decided


def test_directions_that_are_all_open_are_planned():
    needed = Needed(math.inf, math.inf, math.inf)
    open_pair = PlannedDirection("a", "b", 0.0, needed)
    clear = PlannedDirection("c", "d", 0.1, Needed(120, 90, 150))
    assert plain(plan_sentence(Plan("caprese", 64, None, (), (open_pair, clear)))) == (
        "Samples that would decide which of two events comes first, if the fit of caprese to these "
        "64 samples is right: a before b, no number: both orders are as probable; c before d, "
        "about 120."
    )
    assert plan_sentence(Plan("caprese", 64, None, (), ())) == ()
    assert plain(plan_sentence(Plan("caprese", 64, needed, (), ()))) == (
        "No number of samples would be expected to show an order, if the fit of caprese to these "
        "64 samples is right."
    )


def test_where_the_gain_tends_to_less_than_nothing_no_number_decides():
    found = order_needed(list(curves(-0.1, 2.0, error=0.6, spread=0.5)), threshold=2.5)
    assert found == Needed(math.inf, math.inf, math.inf)


def test_a_direction_is_clear_from_the_least_number_on_at_which_the_odds_are_20():
    lost = 1000 * 0.02 + np.array([-5.0, 5.0, -2.0, 2.0])
    mean, found = direction_needed(lost, 1000)
    spread = lost.std(ddof=1) / math.sqrt(1000)
    expected = next(
        n for n in range(1, 10_000) if 0.02 * n - 0.8416 * spread * math.sqrt(n) >= math.log(20)
    )
    assert mean == pytest.approx(0.02)
    assert found.samples == expected
    assert found.low < found.samples < found.high


def test_no_number_decides_between_orders_that_are_as_probable():
    assert direction_needed(np.full(8, 1e-9), 1000)[1] == Needed(math.inf, math.inf, math.inf)


def test_more_samples_are_asked_for_where_no_order_is_supported():
    judgement = judge([Caprese()], ACML)
    found = plan(judgement, ACML)
    assert not judgement.supports_order
    assert [each.samples for each in found.simulated] == [64, 128, 256]
    assert found.order.samples > 64
    assert plan(judgement, ACML, seed=2) != found
    less = plan(judgement, ACML, budget=1)
    assert less.simulated[0].data_sets < found.simulated[0].data_sets


def test_a_judgement_that_supports_an_order_leaves_only_directions_open():
    judgement = judge([Oncotree()], OVARIAN)
    found = plan(judgement, OVARIAN)
    assert judgement.supports_order
    assert found.order is None
    assert found.simulated == ()
    assert found.directions
    assert all(each.needed.samples > 87 for each in found.directions)


def test_events_without_a_common_cause_need_more_samples_than_there_are():
    rng = np.random.default_rng(3)
    data = Dataset(rng.random((60, 4)) < 0.4, tuple("abcd"))
    found = plan(judge([Caprese()], data), data)
    assert found.order.samples > 240


def test_the_best_method_that_the_budget_allows_is_taken_for_the_truth():
    judgement = judge([MHN(penalty_strength=0.1), Caprese(), Oncotree()], OVARIAN)
    found = plan(judgement, OVARIAN)
    assert found.method == "oncotree"


def test_a_plan_needs_a_quick_method_that_states_an_order():
    judgement = judge({"network": MHN(penalty_strength=0.1)}, ACML)
    with pytest.raises(ModelError, match="needs a method that states an order"):
        plan(judgement, ACML, methods={"network": MHN(penalty_strength=0.1)})
    few = BayesForest(chains=1, draws=10, warm_up=5)
    judgement = judge({"slow": few}, ACML, folds=2)
    with pytest.raises(ModelError, match="is quick enough for the budget"):
        plan(judgement, ACML, methods={"slow": few}, budget=1e-6)


def test_a_judgement_keeps_its_plan_in_its_file(tmp_path):
    asked = Judging(methods=("caprese",), plan=True)
    found = judged(asked, candidates_of(asked), ACML, ())
    assert found.plan == plan(judge([Caprese()], ACML), ACML)
    write_judgement(found, tmp_path / "judged.json")
    assert read_judgement(tmp_path / "judged.json") == found
    assert any(line.startswith("How many samples would decide") for line in finding_lines(found))


def test_the_lines_of_a_plan_say_when_no_number_decides():
    both = Needed(math.inf, math.inf, math.inf)
    directions = (
        PlannedDirection("a", "b", 0.0, both),
        PlannedDirection("b", "c", 0.001, Needed(math.inf, 5231.0, math.inf)),
        PlannedDirection("c", "d", 0.01, Needed(417.0, 288.0, math.inf)),
    )
    lines = plan_lines(Plan("caprese", 64, Needed(291.0, 220.0, 409.0), (), directions))
    assert [line.split("  ")[0] for line in lines[2:]] == [
        "question",
        "an order is supported",
        "a before b",
        "b before c",
        "c before d",
    ]
    assert lines[3].split() == [
        "an",
        "order",
        "is",
        "supported",
        "about",
        "290",
        "220",
        "to",
        "410",
    ]
    assert lines[4].endswith("no number: both orders are as probable")
    assert lines[5].endswith("more than 5,200")
    assert lines[6].split()[3:] == ["about", "420", "290", "or", "more"]
    nothing = plan_lines(Plan("caprese", 64, None, (), ()))
    assert nothing == ["How many samples would decide? None of what the plan can answer is open."]
