from dataclasses import replace

import numpy as np
import pytest

from caprese import ROOT, Dataset, Noise, Patients, TimedForest, TimedForests, intervene
from caprese.errors import DatasetError
from caprese.io.documents import read_fit, write_fit
from caprese.models.base import has_clock
from caprese.models.stacked import Stacked

TRUE = TimedForest(("a", "b", "c", "d"), (ROOT, 0, 1, ROOT), (2.0, 1.5, 1.0, 0.7))
SHORT = {"chains": 2, "draws": 30, "warm_up": 50, "thin": 1}


def series(number, seed=1):
    """Samples of patients, two of each, with times in days."""
    rng = np.random.default_rng(seed)
    times, first = TRUE.event_times(number, rng), rng.exponential(size=number)
    at = np.concatenate([first, first + rng.exponential(size=number)])
    names = tuple(map(str, np.tile(np.arange(number), 2)))
    data = Dataset(np.tile(times, (2, 1)) <= at[:, None], TRUE.events)
    data = Noise(0.02, 0.03).corrupt(data, rng)
    return data.with_patients(Patients(names, times=30 * at))


DATA = series(120)
FIT = TimedForests(times="gaps", **SHORT).fit(DATA)


def test_the_forest_and_its_rates_are_found():
    assert FIT.edges == TRUE.edges
    assert np.log(FIT.model.rates / TRUE.rates) == pytest.approx(np.zeros(4), abs=0.5)
    assert (FIT.evidence.rate_low < FIT.model.rates).all()
    assert (FIT.evidence.rate_high > FIT.model.rates).all()


def test_the_unit_of_time_is_stated():
    times = FIT.evidence.times
    assert (times.patients, times.series, times.visits, times.known) == (120, 120, 240, 120)
    assert times.mean_time == pytest.approx(30, rel=0.35)
    first, second, *_ = FIT.evidence.notes()
    assert (first.kind, second.kind) == ("times used", "unit of time")
    assert TimedForests(**SHORT).fit(DATA.with_patients(None)).evidence.times is None


def test_times_sharpen_the_rates():
    first = DATA.take_samples(np.arange(120)).with_patients(None)
    without = TimedForests(**SHORT).fit(first).evidence
    widths = [np.log(e.rate_high / e.rate_low).mean() for e in (FIT.evidence, without)]
    assert widths[0] < widths[1]


def test_predictions_average_draws_with_a_clock():
    predictive = FIT.predictive
    assert isinstance(predictive, Stacked)
    assert has_clock(predictive)
    assert len(predictive.models) == 60
    few = replace(FIT.method, keep=7).fit(DATA)
    assert len(few.predictive.models) <= 7
    pairs = np.array([[0, 0, 3]])
    both = Dataset.from_rows([[1, 1, 1, 1]], TRUE.events)
    assert 0.5 < predictive.order_probabilities(both, pairs)[0] < 1
    outlook = intervene(few, block="a", target="b").outlooks[0]
    assert outlook.probability_with == 0 < outlook.probability


def test_neither_rows_nor_columns_nor_units_of_time_matter():
    rng = np.random.default_rng(7)
    turned = DATA.take_samples(rng.permutation(240)).take_events(("c", "a", "d", "b"))
    days = turned.with_patients(replace(turned.patients, times=turned.patients.times * 2))
    other = FIT.method.fit(days)
    again = [other.model.events.index(event) for event in TRUE.events]
    assert other.model.rates[again] == pytest.approx(FIT.model.rates, rel=1e-6)
    assert other.evidence.times.mean_time == pytest.approx(2 * FIT.evidence.times.mean_time)


def test_a_fit_in_a_file_is_the_same(tmp_path):
    write_fit(FIT, tmp_path / "fit.json")
    again = read_fit(tmp_path / "fit.json")
    assert again.evidence == FIT.evidence
    assert again.predictive == FIT.predictive


@pytest.mark.parametrize("times", ["order", "known"])
def test_orders_and_known_times_are_learnt_from(times):
    fit = TimedForests(times=times, **{**SHORT, "draws": 5, "warm_up": 5}).fit(series(40))
    assert fit.evidence.times.known == (0 if times == "order" else 80)


def test_times_that_are_missing_are_asked_for():
    with pytest.raises(DatasetError, match="times=known cannot be used: it is not known when"):
        TimedForests(times="known").fit(DATA.with_patients(None))
