"""Timed posets: against the matrix exponential over all true genotypes, and differences."""

import numpy as np
import pytest
from scipy.linalg import expm

from caprese import HCBN, Dataset, ModelError, NoisyPoset, Patients, TimedPoset
from caprese.data.visits import Visits
from caprese.fitting.timed_posets import PosetInTime, fit_poset_in_time

POSET = TimedPoset(tuple("abcd"), ((), (0,), (), (1, 2)), (1.5, 1.0, 0.7, 2.0))


def generator(poset, rates):
    """The matrix of rates between all sets of events; an event waits for its parents."""
    n = len(poset.events)
    found = np.zeros((2**n, 2**n))
    for state in range(2**n):
        for k, parents in enumerate(poset.parent_sets):
            if not state >> k & 1 and all(state >> p & 1 for p in parents):
                found[state, state | 1 << k] += rates[k]
                found[state, state] -= rates[k]
    return found


def history_definition(codes, elapsed, q, error, first, between):
    chances = np.eye(1, len(q))[0]
    for visit, (seen, time) in enumerate(zip(codes, elapsed, strict=True)):
        rate = between if visit else first
        if np.isnan(time):
            chances = chances @ np.linalg.inv(rate * np.eye(len(q)) - q) * rate
        else:
            chances = chances @ expm(q * time)
        states = np.arange(len(q))[:, None] >> np.arange(len(seen)) & 1
        wrong = ((seen != 2) & (states != seen)).sum(axis=1)
        chances = chances * error**wrong * (1 - error) ** ((seen != 2).sum() - wrong)
    return chances.sum()


def simulated(patients, rng, error=0.05, unknown=0.0, visits=2):
    """Series of a poset with waiting times, observed with errors, and when they were taken."""
    comes = rng.exponential(size=(patients, 4)) / POSET.rates
    for event, parents in enumerate(POSET.parent_sets):
        if parents:
            comes[:, event] += comes[:, list(parents)].max(axis=1)
    taken = rng.exponential(size=(patients, visits)).cumsum(axis=1)
    true = np.vstack([comes <= taken[:, [k]] for k in range(visits)])
    known = rng.random(true.shape) >= unknown
    data = Dataset((true ^ (rng.random(true.shape) < error)) & known, POSET.events, known=known)
    names = tuple(f"p{k}" for k in range(patients)) * visits
    return data.with_patients(Patients(names, times=taken.T.ravel()))


@pytest.mark.parametrize("times", ["order", "gaps", "known"])
def test_likelihood_and_slopes_are_those_of_the_matrix_exponential(times):
    rng = np.random.default_rng(1)
    visits = Visits.of(simulated(6, rng, unknown=0.2), times)
    given = PosetInTime(POSET, visits, times)
    numbers = np.array([0.3, -0.2, 0.1, 0.5, np.log(0.07), 0.3 * bool(given.free)])

    def definition(numbers):
        pace = np.exp(numbers[-1])
        first, between = (pace, 1) if times == "gaps" else (1, pace)
        q = generator(POSET, np.exp(numbers[:4]))
        elapsed = visits.elapsed / (1 if np.isnan(given.unit) else given.unit)
        chances = [
            history_definition(
                visits.codes[own], elapsed[own], q, np.exp(numbers[4]), first, between
            )
            for own in map(slice, visits.starts[:-1], visits.starts[1:])
        ]
        return visits.number @ np.log(chances)

    value, slopes = given.log_likelihood(numbers)
    assert value == pytest.approx(definition(numbers))
    for place in range(5 + bool(given.free)):
        step = 1e-5 * np.eye(6)[place]
        expected = (definition(numbers + step) - definition(numbers - step)) / 2e-5
        assert slopes[place] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("times", ["order", "gaps", "known"])
def test_rates_error_and_mean_times_are_found(times):
    data = simulated(500, np.random.default_rng(2))
    start = NoisyPoset(TimedPoset(POSET.events, POSET.parent_sets, np.ones(4)), 0.1)
    found = fit_poset_in_time(start, data, times)
    model = found.estimate.model
    assert found.estimate.converged
    assert np.abs(np.log(model.poset.rates / POSET.rates)).max() < 0.35
    assert model.error == pytest.approx(0.05, abs=0.02)
    if times == "order":
        assert found.mean_gap == pytest.approx(1, rel=0.25)
    else:
        assert found.mean_time == pytest.approx(1, rel=0.2)


def test_hcbn_states_and_predicts_by_the_rates_that_times_give():
    data = simulated(60, np.random.default_rng(3))
    method = HCBN(steps=10, restarts=2, times="known")
    fit = method.fit(data)
    assert fit.evidence.times.known == 120
    assert fit.predictive.poset.rates == pytest.approx(fit.model.rates)
    assert fit.predictive.error == pytest.approx(fit.evidence.error)
    days = data.with_patients(Patients(data.patients.names, times=data.patients.times * 100))
    later = method.fit(days)
    assert later.model.rates == pytest.approx(fit.model.rates, rel=1e-3)
    assert later.evidence.times.mean_time == pytest.approx(100 * fit.evidence.times.mean_time)


def test_a_poset_that_allows_too_many_sets_is_refused():
    names = tuple(f"e{k}" for k in range(12))
    data = Dataset.from_rows([[0] * 12, [1] * 12], events=names)
    data = data.with_patients(Patients(("p", "q"), times=(1, 2)))
    model = NoisyPoset(TimedPoset(names, ((),) * 12, np.ones(12)), 0.1)
    with pytest.raises(ModelError, match="a poset that allows 4096 sets of events is too large"):
        fit_poset_in_time(model, data, "known")
