"""How probably and how soon events occur: against matrix exponentials and literal simulation."""

import numpy as np
import pytest

from caprese import Dataset, TimedPoset
from caprese.models import passage as passages
from caprese.models.passage import Goal, ListedPassage, Part, Paths, Process, medians, passage
from hazards_definitions import random_hazards
from passage_definitions import all_genotypes, observed, path, reached_before_sample, reached_by

FACTORS = np.array([1.0, 0.0, 0.3, 1.0])
SLOWED = np.array([1.0, 0.5, 0.3, 1.0])
ONES = np.ones(4)


def poset_of(sets, rates=(0.7, 1.5, 0.4, 2.5)):
    return TimedPoset(tuple("abcd"), sets, rates)


MODELS = {
    "forest": poset_of(((), (0,), (0,), (2,))),
    "poset": poset_of(((), (), (0, 1), (2,))),
    "hazards": random_hazards(np.random.default_rng(3), 4, observation=False),
    "hazards that change when samples are taken": random_hazards(np.random.default_rng(4), 4),
}
GOALS = {"last event": Goal(event=3), "two events": Goal(number=2), "all": Goal(number=4)}


def passage_of(model, factors, start=(0, 0, 0, 0)):
    return ListedPassage.of([Part(model, np.ones(1))], factors, np.array([start], dtype=bool))


@pytest.fixture(params=MODELS)
def model(request):
    return MODELS[request.param]


@pytest.mark.parametrize("factors", [ONES, SLOWED, FACTORS], ids=["as it is", "slowed", "blocked"])
@pytest.mark.parametrize("goal", GOALS)
def test_probability_and_median_are_those_of_the_generator(model, goal, factors):
    goal = GOALS[goal]
    there = goal.reached(all_genotypes(4))
    found = passage_of(model, factors).reach(goal)
    expected = reached_before_sample(model, factors, there, 0)
    assert found.probability == pytest.approx([expected], rel=1e-10)
    (median,) = found.median
    if np.isinf(median):
        assert reached_by(model, factors, there, 0, 1e6) < 0.5
    else:
        assert reached_by(model, factors, there, 0, median) == pytest.approx(0.5, abs=1e-8)


def test_something_that_is_blocked_is_never_reached():
    found = passage_of(MODELS["poset"], FACTORS).reach(Goal(event=3))
    assert (found.probability, found.median) == (0, np.inf)


def test_from_what_is_carried(model):
    found = passage_of(model, FACTORS, (1, 1, 0, 0)).reach(Goal(event=3))
    goal = Goal(event=3).reached(all_genotypes(4))
    assert found.probability == pytest.approx(
        [reached_before_sample(model, FACTORS, goal, 3)], rel=1e-10
    )
    assert reached_by(model, FACTORS, goal, 3, found.median[0]) == pytest.approx(0.5, abs=1e-8)


def test_what_is_there_already_is_reached_at_once(model):
    found = passage_of(model, ONES, (1, 1, 1, 1)).reach(Goal(event=3))
    assert (found.probability, found.median) == (1, 0)


def test_genotypes_of_samples_are_those_of_the_generator(model):
    present, shares = passage_of(model, FACTORS, (1, 0, 0, 0)).genotypes()
    expected = observed(model, FACTORS, 1)
    assert shares.sum() == pytest.approx(1)
    assert shares == pytest.approx(expected[present @ (1 << np.arange(4))], rel=1e-9)


def test_without_an_intervention_the_genotypes_are_those_of_the_model(model):
    present, shares = passage_of(model, ONES).genotypes()
    likely = np.exp(model.log_probabilities(Dataset(present, model.events)))
    assert shares == pytest.approx(likely, rel=1e-9)


def test_a_mixture_has_the_mean_of_its_parts():
    one, other = MODELS["forest"], MODELS["hazards"]
    start = np.zeros((1, 4), dtype=bool)
    parts = [Part(one, np.array([0.3])), Part(other, np.array([0.7]))]
    found = ListedPassage.of(parts, FACTORS, start).reach(Goal(event=3))
    goal = Goal(event=3).reached(all_genotypes(4))
    by = [reached_by(each, FACTORS, goal, 0, found.median[0]) for each in (one, other)]
    assert 0.3 * by[0] + 0.7 * by[1] == pytest.approx(0.5, abs=1e-8)
    each = [reached_before_sample(model, FACTORS, goal, 0) for model in (one, other)]
    assert found.probability == pytest.approx([0.3 * each[0] + 0.7 * each[1]])


def test_several_starts_with_shares_of_their_own():
    one, other = MODELS["forest"], MODELS["hazards"]
    starts = np.array([[0, 0, 0, 0], [1, 0, 1, 0]], dtype=bool)
    parts = [Part(one, np.array([1.0, 0.0])), Part(other, np.array([0.0, 1.0]))]
    found = ListedPassage.of(parts, FACTORS, starts).reach(Goal(event=3))
    alone = [passage_of(one, FACTORS), passage_of(other, FACTORS, (1, 0, 1, 0))]
    for row, each in enumerate(alone):
        expected = each.reach(Goal(event=3))
        assert found.median[row] == pytest.approx(expected.median[0], rel=1e-9)
        assert found.probability[row] == pytest.approx(expected.probability[0])


def within(mean, expected, error, errors=4.5):
    return abs(mean - expected) < errors * error


@pytest.mark.parametrize("factors", [SLOWED, FACTORS], ids=["slowed", "blocked"])
def test_exact_numbers_are_those_of_paths_drawn_one_by_one(model, factors):
    rng, number = np.random.default_rng(7), 1000
    found = passage_of(model, factors).reach(Goal(event=3))
    drawn = [path(model, factors, [False] * 4, rng) for _ in range(number)]
    before = np.mean([3 in times and times[3] < sample for times, sample in drawn])
    chance = found.probability[0]
    assert within(before, chance, np.sqrt(chance * (1 - chance) / number) + 1e-12)
    if np.isfinite(found.median[0]):
        soon = np.mean([times.get(3, np.inf) < found.median[0] for times, _ in drawn])
        assert within(soon, 0.5, 0.5 / np.sqrt(number))


def test_simulated_numbers_agree_with_exact_ones_within_their_errors(model, monkeypatch):
    parts, start = [Part(model, np.ones(1))], np.zeros((1, 4), dtype=bool)
    exact = ListedPassage.of(parts, SLOWED, start)
    monkeypatch.setattr(passages, "MOST_STATES", 3)
    drawn = passage(parts, SLOWED, start, simulated=4000, seed=1)
    assert drawn.simulated
    for goal in GOALS.values():
        one, other = exact.reach(goal), drawn.reach(goal)
        assert within(other.probability, one.probability, other.probability_error + 1e-12)
        if np.isinf(one.median):
            assert np.isinf(other.median)
        else:
            assert within(other.median, one.median, other.median_error)
    expected = dict(
        zip(map(tuple, exact.genotypes()[0].tolist()), exact.genotypes()[1], strict=True)
    )
    for genotype, share in zip(*drawn.genotypes(), strict=True):
        chance = expected[tuple(genotype.tolist())]
        assert within(share, chance, np.sqrt(chance * (1 - chance) / 4000))


def test_paths_do_not_depend_on_the_order_of_the_events():
    model, order = MODELS["hazards"], np.array([2, 0, 3, 1])
    turned = model.in_order(tuple(model.events[k] for k in order))
    start = np.zeros(4, dtype=bool)
    one = Paths.of(Process(model, FACTORS), start, 50, np.random.default_rng(1))
    other = Paths.of(Process(turned, FACTORS[order]), start, 50, np.random.default_rng(1))
    assert one.times[:, order] == pytest.approx(other.times)


@pytest.mark.parametrize("scale", [1e-9, 1e-3, 1.0, 1e3, 1e9])
def test_medians_of_any_size_are_found(scale):
    found = medians(lambda z: (1 / (1 + z * scale))[None] ** 3, np.ones(1))
    assert found / scale == pytest.approx([2.674060313723], rel=1e-9)


def test_a_median_of_times_that_may_never_end():
    found = medians(lambda z: np.array([[0.6], [0.4]]) / (1 + z), np.array([0.6, 0.4]))
    assert found == pytest.approx([-np.log(1 - 0.5 / 0.6), np.inf])
