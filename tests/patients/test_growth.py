"""Growth: rank correlations of the number of events with ages, stages and grades."""

import numpy as np
import pytest
from scipy import stats

from caprese import Dataset, IndependentEvents, place
from caprese.patients.clinical import Clinical
from caprese.patients.groups import associations
from caprese.patients.growth import rank_correlation

STAGES = ("I", "II", "III", "IV")


def partial_definition(x, y, held):
    """The correlation of what is left of the ranks of x and y, less their regression on others."""
    ranks = [stats.rankdata(column) for column in held]
    design = np.column_stack([np.ones(len(x)), *ranks])
    left = [r - design @ np.linalg.pinv(design) @ r for r in map(stats.rankdata, (x, y))]
    return np.corrcoef(*left)[0, 1]


def case(samples=60, seed=3):
    """Events grow with age, and a stage follows the age."""
    rng = np.random.default_rng(seed)
    age = rng.uniform(30, 80, samples)
    rows = rng.random((samples, 5)) < (age[:, None] - 20) / 80
    reached = (age - 30 + rng.normal(0, 9, samples)) // 14
    stage = np.array(STAGES)[np.clip(reached, 0, 3).astype(int)]
    data = Dataset(rows, tuple("abcde"))
    placed = place(IndependentEvents().fit(data), data, simulated=10)
    columns = {"AGE": tuple(f"{each:.2f}" for each in age), "STAGE": tuple(stage)}
    return placed, columns


def grown(placed, columns):
    found = associations(placed, Clinical(placed.samples, columns))
    return {test.column: test for test in found.growth}


def test_the_interval_is_that_of_fishers_z_with_the_variance_of_bonett_and_wright():
    rng = np.random.default_rng(1)
    x = rng.normal(size=40)
    y = x + rng.normal(size=40)
    found = rank_correlation(x, y)
    rho = stats.spearmanr(x, y).statistic
    width = 1.959964 * np.sqrt((1 + rho**2 / 2) / 37)
    assert found.value == pytest.approx(rho)
    ends = np.arctanh(rho) - width, np.arctanh(rho) + width
    assert np.arctanh([found.low, found.high]) == pytest.approx(ends, abs=1e-6)


def test_intervals_contain_the_true_correlation_about_as_often_as_they_say():
    rng = np.random.default_rng(2)
    rho = 0.5
    true = 6 / np.pi * np.arcsin(rho / 2)  # Spearman's, of two normal numbers
    hits = 0
    for _ in range(1000):
        x, e = rng.normal(size=(2, 50))
        found = rank_correlation(x, rho * x + np.sqrt(1 - rho**2) * e)
        hits += found.low <= true <= found.high
    assert 0.93 < hits / 1000 < 0.97


def test_ages_and_stages_are_also_correlated_given_each_other():
    placed, columns = case()
    tests = grown(placed, columns)
    numbers = placed.genotypes.sum(axis=1)
    age = np.array(columns["AGE"], dtype=float)
    stage = np.array([STAGES.index(stage) for stage in columns["STAGE"]])
    for name, x, held in (("AGE", age, stage), ("STAGE", stage, age)):
        partial = tests[name].partial
        assert partial.value == pytest.approx(partial_definition(x, numbers, [held]))
        assert partial.samples == 60
    assert tests["AGE"].partial.given == ("STAGE",)
    assert tests["AGE"].effect > tests["AGE"].partial.value > 0


def test_what_remains_given_the_others_rests_on_samples_in_which_all_are_known():
    placed, columns = case()
    columns["STAGE"] = ("", *columns["STAGE"][1:])
    tests = grown(placed, columns)
    assert tests["AGE"].samples == 60
    assert tests["AGE"].partial.samples == 59


def test_numbers_that_are_no_age_do_not_stand_for_time():
    placed, columns = case()
    assert grown(placed, {"DOSAGE": columns["AGE"]}) == {}
    tests = grown(placed, {"DOSAGE": columns["AGE"], "age_at_diagnosis": columns["AGE"]})
    assert list(tests) == ["age_at_diagnosis"]
    assert tests["age_at_diagnosis"].partial is None


def test_columns_that_say_the_same_have_nothing_left_given_each_other():
    placed, columns = case()
    tests = grown(placed, {"AGE": columns["AGE"], "AGE_AGAIN": columns["AGE"]})
    assert tests["AGE"].partial is None


def test_a_perfect_correlation_has_an_interval_without_width():
    found = rank_correlation(np.arange(6), np.arange(6))
    assert (found.value, found.low, found.high) == (1, 1, 1)
