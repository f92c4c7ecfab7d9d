from itertools import product

import numpy as np
import pytest

from caprese import ROOT, Dataset, Noise, Patients, TimedForest
from caprese.errors import ModelError
from caprese.fitting.forest_ascent import ForestPrior
from caprese.fitting.timed_likelihood import FLAT, TimedLikelihood, TimedPrior, fit_timed_forest
from caprese.fitting.timed_sampler import TimedChains, sample_timed_forests
from caprese.fitting.timed_walk import (
    Walk,
    allowed_parents,
    prospects,
    reparented,
    reversed_edge,
    search,
    swapped,
)

TRUE = TimedForest(("a", "b", "c", "d"), (ROOT, 0, 1, ROOT), (2.0, 1.5, 1.0, 0.7))
ERRORS = Noise(0.03, 0.05)


def drawn(samples, seed=1, model=TRUE):
    rng = np.random.default_rng(seed)
    return ERRORS.corrupt(model.sample(samples, rng), rng)


def in_series(number, seed=1):
    """Samples of patients, two of each, with times in days."""
    rng = np.random.default_rng(seed)
    times, first = TRUE.event_times(number, rng), rng.exponential(size=number)
    at = np.concatenate([first, first + rng.exponential(size=number)])
    names = tuple(map(str, np.tile(np.arange(number), 2)))
    data = Dataset(np.tile(times, (2, 1)) <= at[:, None], TRUE.events)
    return ERRORS.corrupt(data, rng).with_patients(Patients(names, times=30 * at))


def forests(events):
    """All forests of so many events."""
    every = (np.array(p) - 1 for p in product(range(events + 1), repeat=events))
    for parents in every:
        try:
            TimedForest(tuple(map(str, range(events))), parents, np.ones(events))
        except ModelError:
            continue
        yield parents


def test_moves_lead_to_forests_and_back():
    for parents in forests(4):
        for event in range(4):
            for parent in allowed_parents(parents, event):
                moved = reparented(parents, event, parent)
                assert parents[event] in allowed_parents(moved, event)
            if parents[event] != ROOT:
                turned = reversed_edge(parents, event)
                assert (reversed_edge(turned, parents[event]) == parents).all()
        assert (swapped(swapped(parents, 0, 2), 0, 2) == parents).all()


def test_every_move_changes_the_density_by_what_it_says():
    data = drawn(60)
    likelihood = TimedLikelihood(data, "unknown", None, TRUE.parents)
    prior, start = TimedPrior(), likelihood.start(np.array([ROOT, 0, 0, 2]))
    walk = Walk(likelihood, prior, ForestPrior(), start)
    for parents in forests(4):
        point, changed = walk.moved(parents)
        gain = walk.propose(point, changed)
        other = Walk(likelihood, prior, ForestPrior(), point)
        assert gain == pytest.approx(other.objective - walk.objective, abs=1e-9)
        walk.reject()
    again = walk.propose(walk.point, [])
    assert again == pytest.approx(0, abs=1e-9)


def test_prospects_are_what_single_moves_from_a_forest_gain():
    likelihood = TimedLikelihood(drawn(60), "unknown", None, TRUE.parents)
    here = np.array([ROOT, 0, 0, 2])
    walk = Walk(likelihood, TimedPrior(), ForestPrior(), likelihood.start(here))
    found = prospects(walk)
    assert (found[range(4), here] == 0).all()
    assert found[1, 2] == pytest.approx(walk.look(np.array([ROOT, 2, 0, 2]))[0])
    turned = reversed_edge(here, 2)  # 0 after 2, which comes first
    assert found[0, 2] + found[2, ROOT] == pytest.approx(walk.look(turned)[0])
    assert walk.point.parents.tolist() == here.tolist()


def test_no_numbers_near_the_best_are_better():
    likelihood = TimedLikelihood(in_series(100), "gaps", None, TRUE.parents)
    tables, prior = likelihood.tables(), TimedPrior()
    start = likelihood.start(likelihood.table.inward(TRUE.parents))
    best = likelihood.maximum(tables, start, prior)
    assert best.converged
    point = best.point
    others = [point._replace(pace=point.pace * factor) for factor in (0.97, 1.03)]
    for way in (0.03, -0.03):
        others += [point._replace(logarithms=point.logarithms + way * row) for row in np.eye(4)]
        others += [point._replace(errors=point.errors * np.exp(way * row)) for row in np.eye(2)]
    assert max(likelihood.height(tables, other, prior) for other in others) < best.objective


@pytest.mark.parametrize("times", ["order", "gaps", "known"])
def test_rates_and_the_unit_of_time_are_found(times):
    likelihood = TimedLikelihood(in_series(400), times, ERRORS, TRUE.parents)
    start = likelihood.start(likelihood.table.inward(TRUE.parents))
    best = likelihood.maximum(likelihood.tables(), start, FLAT)
    model = likelihood.model(best.point, TRUE.events)
    assert np.log(model.forest.rates / TRUE.rates) == pytest.approx(np.zeros(4), abs=0.35)
    if times == "order":
        assert likelihood.gap == pytest.approx(1, rel=0.5)
    else:
        assert likelihood.unit / best.point.pace == pytest.approx(30, rel=0.2)


def test_the_search_finds_the_most_probable_of_all_forests():
    data = drawn(150).take_events(("a", "b", "c"))
    likelihood = TimedLikelihood(data, "unknown", ERRORS, np.full(3, ROOT))
    prior, tables = TimedPrior(), likelihood.tables()
    every = {
        tuple(parents): likelihood.maximum(tables, likelihood.start(parents), prior).objective
        + ForestPrior().log_probability(parents)
        for parents in forests(3)
    }
    found = search(likelihood, prior, ForestPrior(), [np.full(3, ROOT)])
    assert found.objective == pytest.approx(max(every.values()), abs=0.01)


def test_a_forest_that_is_estimated_has_the_highest_likelihood():
    found = fit_timed_forest(TRUE, drawn(300))
    assert found.log_likelihood == pytest.approx(
        float(found.model.log_probabilities(drawn(300)).sum()), abs=1e-6
    )
    assert np.log(found.model.forest.rates / TRUE.rates) == pytest.approx(np.zeros(4), abs=0.6)


def test_draws_are_as_frequent_as_the_posterior_says():
    """Of all forests of three events, their rates summed over quantiles of the prior."""
    data = drawn(40, seed=3).take_events(("a", "b", "c"))
    likelihood = TimedLikelihood(data, "unknown", ERRORS, np.full(3, ROOT))
    shares = (np.arange(8) + 0.5) / 8
    grid = np.array(list(product(np.log(shares / (1 - shares)), repeat=3)))
    tables, weight = likelihood.tables(), {}
    for parents in forests(3):
        first = likelihood.start(parents)
        heights = [likelihood.height(tables, first._replace(logarithms=row), FLAT) for row in grid]
        likely = np.log(np.mean(np.exp(np.array(heights) + 80))) - 80
        weight[tuple(parents.tolist())] = likely + ForestPrior().log_probability(parents)
    shares = np.exp(np.array(list(weight.values())) - max(weight.values()))
    expected = dict(zip(weight, shares / shares.sum(), strict=True))
    draws, _ = sample_timed_forests(
        likelihood,
        ("a", "b", "c"),
        likelihood.start(np.full(3, ROOT)),
        prior=TimedPrior(),
        forests=ForestPrior(),
        chains=TimedChains(chains=2, draws=600, thin=3, warm_up=150),
        seed=2,
    )
    found = [tuple(row) for row in likelihood.table.inward(draws.parents.reshape(-1, 3)).tolist()]
    for parents, share in expected.items():
        assert found.count(parents) / len(found) == pytest.approx(share, abs=0.05)
