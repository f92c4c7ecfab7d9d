"""Kaplan-Meier curves and the log-rank test, beside their definitions and a published example."""

import sys

import numpy as np
import pytest
from scipy import stats

from caprese import (
    ROOT,
    CapreseError,
    Dataset,
    DatasetError,
    Forest,
    IndependentEvents,
    ModelError,
    place,
)
from caprese.patients.clinical import Clinical
from caprese.patients.survival import survival

pytestmark = pytest.mark.slow

# Freireich et al. (1963), weeks of remission of leukaemia; a plus is a censored time.
TREATED = "6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+"
PLACEBO = "1 1 2 2 3 4 4 5 5 8 8 8 8 11 11 12 12 15 17 22 23"


def placed(rows, events="ab"):
    data = Dataset.from_rows(rows, events=events)
    return place(IndependentEvents().fit(data), data, simulated=10)


def freireich():
    """Treated samples have the event a, and a random half of all samples b."""
    weeks = f"{TREATED} {PLACEBO}".split()
    rng = np.random.default_rng(1)
    rows = [[int(k < 21), int(rng.random() < 0.5)] for k in range(len(weeks))]
    placement = placed(rows)
    times = tuple(week.rstrip("+") for week in weeks)
    status = tuple("0" if week.endswith("+") else "1" for week in weeks)
    return placement, Clinical(placement.samples, {"weeks": times, "relapse": status})


def random_case(seed, groups=3, samples=60):
    rng = np.random.default_rng(seed)
    events = "abcde"[: groups - 1]
    group = rng.integers(groups, size=samples)
    rows = [[int(k == g) for k in range(1, groups)] for g in group]
    placement = placed(rows, events)
    times = np.ceil(rng.exponential(10, samples))  # with ties
    died = rng.random(samples) < 0.6
    columns = {"t": tuple(map(str, times)), "s": tuple(str(int(d)) for d in died)}
    return placement, Clinical(placement.samples, columns), times, died


def product_limit(times, died):
    """After each time of death, what is left: the product of (1 - deaths / at risk)."""
    left, steps = 1.0, {0.0: 1.0}
    for time in sorted(set(times)):
        at_risk = sum(t >= time for t in times)
        deaths = sum(t == time and d for t, d in zip(times, died, strict=True))
        left *= 1 - deaths / at_risk
        steps[time] = left
    return steps


def log_rank_definition(times, died, groups):
    """Observed less expected deaths of each group, and their covariance, summed over times."""
    names = sorted(set(groups))
    difference, covariance = np.zeros(len(names)), np.zeros((len(names), len(names)))
    for time in sorted({t for t, d in zip(times, died, strict=True) if d}):
        risk = np.array([sum((times >= time) & (groups == name)) for name in names])
        deaths = np.array([sum((times == time) & died & (groups == name)) for name in names])
        n, d = risk.sum(), deaths.sum()
        difference += deaths - d * risk / n
        if n > 1:
            share = risk / n
            spread = np.diag(share) - np.outer(share, share)
            covariance += spread * d * (n - d) / (n - 1)
    chi_square = difference @ np.linalg.pinv(covariance) @ difference
    return chi_square, stats.chi2.sf(chi_square, len(names) - 1)


def test_the_published_example_is_reproduced():
    """Medians of 8 and 23 weeks and a log-rank chi-square of 16.79."""
    found = survival(*freireich(), "weeks", "relapse", by="a")
    assert found.table()[["samples", "deaths", "median"]].to_numpy().tolist() == [
        [21, 21, 8],
        [21, 9, 23],
    ]
    assert found.statistic == pytest.approx(16.79, abs=0.005)
    assert found.degrees == 1
    assert found.p_value == pytest.approx(4.17e-5, rel=0.01)
    treated = found.curves[1]
    share = dict(zip(treated.times, treated.survival, strict=True))
    assert share[6] == pytest.approx(0.857, abs=0.0005)
    assert share[10] == pytest.approx(0.753, abs=0.0005)
    assert share[23] == pytest.approx(0.448, abs=0.0005)
    assert treated.median_high == np.inf


@pytest.mark.parametrize("seed", range(3))
def test_a_curve_is_the_product_limit(seed):
    placement, clinical, times, died = random_case(seed)
    found = survival(placement, clinical, "t", "s", by="a")
    there = placement.genotypes[:, 0]
    for curve, chosen in zip(found.curves, (~there, there), strict=True):
        steps = product_limit(times[chosen], died[chosen])
        np.testing.assert_allclose(curve.times, list(steps))
        np.testing.assert_allclose(curve.survival, list(steps.values()), atol=1e-12)
        assert (curve.low <= curve.survival + 1e-12).all()
        assert (curve.survival <= curve.high + 1e-12).all()
        half = [time for time, share in steps.items() if share <= 0.5]
        assert curve.median == (half[0] if half else np.inf)
        for time in (0, 1, 5.5, 12):
            assert curve.at_risk([time])[0] == (times[chosen] >= time).sum()


@pytest.mark.parametrize("seed", range(3))
def test_the_log_rank_test_is_that_of_the_definition(seed):
    placement, clinical, times, died = random_case(seed)
    star = Forest(("a", "b"), (ROOT, ROOT), (0.5, 0.5))
    found = survival(placement, clinical, "t", "s", by="branch", order=star)
    group = placement.genotypes @ np.array([1, 2])
    chi_square, p_value = log_rank_definition(times, died, group)
    assert found.degrees == 2
    assert found.statistic == pytest.approx(chi_square)
    assert found.p_value == pytest.approx(p_value)


@pytest.mark.parametrize(
    ("alive", "dead"),
    [
        ("0", "1"),
        ("0.0", "1.0"),
        ("Alive", "Dead"),
        ("LIVING", "DECEASED"),
        ("0:LIVING", "1:DECEASED"),
        ("0:DiseaseFree", "1:Recurred/Progressed"),
        ("Disease Free", "relapsed"),
        ("false", "TRUE"),
    ],
)
def test_status_is_read_in_every_usual_way(alive, dead):
    placement, clinical = freireich()
    words = tuple(dead if each == "1" else alive for each in clinical.column("relapse"))
    other = Clinical(clinical.samples, {"weeks": clinical.column("weeks"), "relapse": words})
    one = survival(placement, clinical, "weeks", "relapse", by="a")
    assert survival(placement, other, "weeks", "relapse", by="a") == one


@pytest.mark.parametrize(
    ("column", "entry", "problem"),
    [
        ("weeks", "-3", r"column 'weeks', sample '2': '-3' is not a time; expected a number that"),
        ("weeks", "soon", r"column 'weeks', sample '2': 'soon' is not a time"),
        ("relapse", "2", r"column 'relapse', sample '2': '2' is not a status; expected 0 or 1"),
        ("relapse", "lost", r"'lost' is not a status; expected 0 or 1, alive or dead, or such as"),
    ],
)
def test_what_is_no_time_or_status_is_refused(column, entry, problem):
    placement, clinical = freireich()
    entries = clinical.column(column)
    columns = {**clinical.columns, column: (entries[0], entry, *entries[2:])}
    with pytest.raises(DatasetError, match=problem):
        survival(placement, Clinical(clinical.samples, columns), "weeks", "relapse", by="a")


def test_samples_without_time_or_status_are_left_out_and_deaths_among_them_told():
    placement, clinical = freireich()
    weeks, relapse = list(clinical.column("weeks")), list(clinical.column("relapse"))
    weeks[0] = weeks[3] = relapse[5] = ""  # the first died, the fourth and sixth are censored
    table = Clinical(clinical.samples, {"weeks": tuple(weeks), "relapse": tuple(relapse)})
    found = survival(placement, table, "weeks", "relapse", by="a")
    assert found.left_out == ("1", "4", "6")
    assert [(fact.kind, fact.values["samples"]) for fact in found.facts] == [
        ("deaths without time", 1)
    ]
    assert found.table()["samples"].tolist() == [21, 18]


def test_nothing_to_compare_is_refused():
    placement, clinical = freireich()
    empty = Clinical(clinical.samples, {**clinical.columns, "relapse": ("",) * 42})
    with pytest.raises(DatasetError, match="no sample has both a time in 'weeks' and a status in"):
        survival(placement, empty, "weeks", "relapse", by="a")
    same = placed([[1, 0]] * 42)
    with pytest.raises(ModelError, match=r"all samples with a time are in one group \(with a\)"):
        survival(same, clinical, "weeks", "relapse", by="a")
    with pytest.raises(DatasetError, match="there is no column 'week'; did you mean 'weeks'"):
        survival(placement, clinical, "week", "relapse", by="a")


def test_without_deaths_nothing_differs():
    placement, clinical = freireich()
    table = Clinical(clinical.samples, {**clinical.columns, "relapse": ("0",) * 42})
    found = survival(placement, table, "weeks", "relapse", by="a")
    assert found.p_value == 1
    assert found.table()["median"].tolist() == [np.inf, np.inf]
    (fact,) = found.facts
    assert fact.kind == "few deaths"


def test_round_times_are_few_and_reach_the_end():
    found = survival(*freireich(), "weeks", "relapse", by="a")
    assert found.round_times().tolist() == [0, 5, 10, 15, 20, 25, 30, 35]
    assert found.round_times(4).tolist() == [0, 20]
    assert found.at_risk([0, 10, 23]).to_numpy().tolist() == [[21, 8, 1], [21, 15, 6]]


def test_without_lifelines_one_line_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "lifelines", None)
    message = r"^a Kaplan-Meier curve needs lifelines: pip install 'lifelines"
    with pytest.raises(CapreseError, match=message):
        survival(*freireich(), "weeks", "relapse", by="a")
