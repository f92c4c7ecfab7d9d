"""Timed hazards: against the matrix exponential, differences and the uncompiled kernel."""

import numpy as np
import pytest
from scipy.linalg import expm

from caprese import MHN, Dataset, ModelError, ParameterError, Patients
from caprese.data.visits import Visits
from caprese.fitting import timed_hazards
from caprese.fitting.contour import CONTOUR
from caprese.fitting.hazards_ascent import Objective, Observations, log_chances, log_likelihood
from caprese.fitting.timed_hazards import TimedSeries
from caprese.models.hazards import Hazards
from uncompiled import uncompiled

EVENTS = tuple("abcd")


def generator(rates, effects):
    """The matrix of rates between all sets of events; rows are left."""
    n = len(rates)
    found = np.zeros((2**n, 2**n))
    for state in range(2**n):
        present = [i for i in range(n) if state >> i & 1]
        for k in set(range(n)) - set(present):
            rate = rates[k] * np.prod([effects[i, k] for i in present])
            found[state, state | 1 << k] += rate
            found[state, state] -= rate
    return found


def agrees(codes):
    """Which sets of events a sample may truly have."""
    states = np.arange(2 ** len(codes))[:, None] >> np.arange(len(codes)) & 1
    return ((codes == 2) | (states == codes)).all(axis=1)


def history_definition(codes, elapsed, q, first, between):
    """Pass all states through the times, keeping those that agree with each sample."""
    chances = np.eye(1, len(q))[0]
    for visit, (seen, time) in enumerate(zip(codes, elapsed, strict=True)):
        if np.isnan(time):
            rate = between if visit else first
            chances = chances @ np.linalg.inv(rate * np.eye(len(q)) - q) * rate
        else:
            chances = chances @ expm(q * time)
        chances = chances * agrees(seen)
    return chances.sum()


def walked(model, start, times, rng):
    """Let events come to each genotype for a time of its own."""
    found = start.copy()
    for row, time in enumerate(times):
        now = 0.0
        while True:
            rates = model.next_rates(found[row : row + 1])[0]
            now += rng.exponential() / max(rates.sum(), 1e-12)
            if now > time:
                break
            found[row, rng.choice(len(rates), p=rates / rates.sum())] = True
    return found


def simulated(model, patients, rng, unknown=0.0, visits=3, known_first=1.0):
    """Series of up to three samples, with times, and with some unknown entries and times."""
    values, names, times = [], [], []
    here, now = np.zeros((patients, len(model.events)), dtype=bool), np.zeros(patients)
    for _ in range(visits):
        gaps = rng.exponential(size=patients)
        here, now = walked(model, here, gaps, rng), now + gaps
        values.append(here)
        names += [f"p{k}" for k in range(patients)]
        times.append(now)
    rows = np.vstack(values)
    known = rng.random(rows.shape) >= unknown
    data = Dataset(rows & known, model.events, known=known)
    series = np.concatenate(times)
    if known_first < 1:
        series[rng.random(len(series)) > known_first] = np.nan
    return data.with_patients(Patients(tuple(names), times=series))


def network(rng, events=EVENTS):
    n = len(events)
    effects = np.exp(rng.normal(0, 0.7, (n, n)))
    np.fill_diagonal(effects, 1)
    return Hazards(events, np.exp(rng.normal(-0.5, 0.5, n)), effects)


def case(times, seed=1, patients=12):
    rng = np.random.default_rng(seed)
    data = simulated(network(rng), patients, rng, unknown=0.2, known_first=0.8)
    seen = Observations.in_time(data, times)
    parameters = rng.normal(0, 0.6, (4, 4 + seen.paced))
    if seen.paced:
        parameters[1:, 4] = 0
    return data, seen, parameters


def test_the_contour_is_that_of_its_formula():
    u = np.pi * np.arange(1, 24, 2) / 24
    poles = 24 * (0.5017 * u / np.tan(0.6407 * u) - 0.6122 + 0.2645j * u)
    turn = 24 * (0.5017 / np.tan(0.6407 * u) - 0.5017 * 0.6407 * u / np.sin(0.6407 * u) ** 2)
    weights = np.exp(poles) * (turn + 24 * 0.2645j) / 12j
    expected = [poles.real, poles.imag, weights.real, weights.imag]
    assert np.allclose(CONTOUR, expected, rtol=1e-12, atol=0)


def test_the_sum_of_fractions_is_the_exponential_function():
    x = np.concatenate([[0], np.logspace(-6, 8, 500)])[:, None]
    poles, weights = CONTOUR[0] + 1j * CONTOUR[1], CONTOUR[2] + 1j * CONTOUR[3]
    found = (weights / (poles + x)).sum(axis=1).real
    assert np.abs(found - np.exp(-x[:, 0])).max() < 3e-14


@pytest.mark.parametrize("times", ["order", "gaps", "known"])
def test_histories_are_as_probable_as_by_the_matrix_exponential(times):
    data, seen, parameters = case(times)
    visits, series = Visits.of(data, times), seen.series
    pace = np.exp(seen.pace(parameters))
    first, between = (pace, 1) if times == "gaps" else (1, pace)
    effects = np.exp(parameters[:, :4])
    q = generator(np.exp(np.diag(parameters)), effects)
    elapsed = visits.elapsed / (1 if np.isnan(series.unit) else series.unit)
    expected = [
        history_definition(visits.kept().codes[own], elapsed[own], q, first, between)
        for own in map(slice, visits.starts[:-1], visits.starts[1:])
    ]
    assert log_chances(parameters, seen) == pytest.approx(np.log(expected), abs=1e-9)
    weights = np.arange(1.0, len(expected) + 1)
    total, _ = log_likelihood(parameters, seen, weights)
    assert total == pytest.approx(weights @ np.log(expected))


@pytest.mark.parametrize("times", ["order", "gaps", "known"])
def test_slopes_are_those_of_differences(times):
    _, seen, parameters = case(times, seed=2)
    objective = Objective("l2", 0.03, observation=False, load="common")
    parameters = np.hstack([parameters, np.full((4, 1), 0.2)])
    _, slopes = objective.value(parameters, seen, seen.times)
    for place in np.ndindex(parameters.shape):
        step = np.zeros(parameters.shape)
        step[place] = 1e-5
        up, down = (
            objective.value(parameters + way * step, seen, seen.times)[0] for way in (1, -1)
        )
        fixed = seen.paced and place[1] == 4 and place[0] > 0
        expected = 0 if fixed else (up - down) / 2e-5
        assert slopes[place] * (not fixed) == pytest.approx(expected, abs=1e-7)


def test_the_compiled_kernel_agrees_with_the_uncompiled_one(monkeypatch):
    data, seen, parameters = case("gaps", patients=4)
    compiled = log_likelihood(parameters, seen, seen.times)
    monkeypatch.setattr(timed_hazards, "timed_hazards", uncompiled("timed_hazards"))
    plain = Observations.in_time(data, "gaps")
    total, slopes = log_likelihood(parameters, plain, plain.times)
    assert compiled[0] == pytest.approx(total, abs=1e-12)
    assert compiled[1] == pytest.approx(slopes, abs=1e-12)


def test_snapshots_at_unknown_times_are_as_likely_as_without_times():
    rng = np.random.default_rng(3)
    model = network(rng)
    data = simulated(model, 30, rng, unknown=0.1, visits=1)
    times = np.where(np.arange(30) == 0, data.patients.times, np.nan)
    data = data.with_patients(Patients(data.patients.names, times=times))
    series = TimedSeries.of(Visits.of(data, "known"), "known")
    found = series.log_chances(model.rates, model.effects, 0.0)
    expected = sorted(model.log_probabilities(data)[1:])
    assert all(np.isclose(found, each).any() for each in expected)


def test_many_events_between_two_samples_are_refused():
    names = tuple(f"e{k}" for k in range(18))
    data = Dataset.from_rows([[1] * 17 + [0], [0] * 18], events=names)
    data = data.with_patients(Patients(("p", "q"), times=(1, 2)))
    with pytest.raises(ModelError, match="17 events may come between two samples of a patient"):
        MHN(times="known").fit(data)


@pytest.mark.parametrize(("times", "mean_time"), [("known", 1.0), ("gaps", 1.0), ("order", np.nan)])
def test_fits_find_the_rates_and_the_mean_times(times, mean_time):
    rng = np.random.default_rng(4)
    model = network(rng, tuple("abc"))
    data = simulated(model, 600, rng, visits=2)
    fit = MHN(penalty_strength=0.0005, times=times).fit(data)
    assert np.abs(np.log(fit.model.rates / model.rates)).max() < 0.3
    assert np.abs(np.log(fit.model.effects / model.effects)).mean() < 0.25
    used = fit.evidence.times
    assert used.mean_time == pytest.approx(mean_time, rel=0.15, nan_ok=True)
    if times == "order":
        assert used.mean_gap == pytest.approx(1.0, rel=0.15)


def test_the_unit_of_time_changes_nothing_but_the_mean_time():
    rng = np.random.default_rng(5)
    data = simulated(network(rng), 60, rng, visits=2)
    names, times = data.patients.names, data.patients.times
    days = data.with_patients(Patients(names, times=times * 365.0))
    for used in ("known", "gaps"):
        method = MHN(penalty_strength=0.02, times=used)
        years, later = method.fit(data), method.fit(days)
        assert later.model.rates == pytest.approx(years.model.rates, rel=1e-3)
        times_used = later.evidence.times.mean_time / years.evidence.times.mean_time
        assert times_used == pytest.approx(365, rel=1e-3)


@pytest.mark.parametrize("rule", ["auto", "average"])
def test_the_strength_is_chosen_by_patients_that_are_held_out(rule):
    rng = np.random.default_rng(6)
    data = simulated(network(rng, tuple("ab")), 40, rng, visits=2)
    fit = MHN(penalty_strength=rule, times="gaps").fit(data)
    assert fit.evidence.choice.weights.sum() == pytest.approx(1)
    assert np.isfinite(fit.predictive.log_probabilities(data)).all()


def test_intervals_of_effects_know_the_times():
    rng = np.random.default_rng(7)
    data = simulated(network(rng, tuple("abc")), 150, rng, visits=2)
    widths = {}
    for used in ("known", "order"):
        fit = MHN(penalty_strength=0.02, times=used, intervals=True).fit(data)
        assert fit.evidence.posterior.mode.shape == (3, 3)
        widths[used] = fit.evidence.posterior.errors.diagonal()
    assert (widths["known"] < widths["order"]).all()


def test_times_are_not_used_with_errors_or_effects_on_observation():
    with pytest.raises(ParameterError, match="noise must be none where times are used"):
        MHN(times="known", noise="estimate")
    with pytest.raises(ParameterError, match="observation must be no where times are used"):
        MHN(times="order", observation=True)


def test_notes_say_what_was_learnt_from_the_times():
    rng = np.random.default_rng(8)
    data = simulated(network(rng, tuple("ab")), 40, rng, visits=2)
    notes = MHN(penalty_strength=0.02, times="known").fit(data).evidence.notes()
    assert {"times used", "unit of time"} <= {note.kind for note in notes}
