"""Hidden conjunctive Bayesian networks: likelihood, and the rates that make it highest."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese import ConvergenceError, Dataset, ModelError, NoisyPoset, Poset, TimedPoset, fit_poset
from caprese import datasets as embedded
from caprese.fitting.poset_em import observations
from caprese.kernels import lattice
from caprese.models.base import as_sets
from models.test_poset import genotypes, posets
from strategies import rows

CHAIN = Poset("abc", ((), (0,), (1,)))
JOIN = Poset("abc", ((), (), (0, 1)))


def by_definition(hidden, row):
    """Sum over the true genotypes, each seen with its errors."""
    total = 0.0
    truths = genotypes(len(hidden.poset.events))
    for truth, likely in zip(truths, hidden.poset.genotype_probabilities(truths), strict=True):
        known = [(true, seen) for true, seen in zip(truth, row, strict=True) if seen is not None]
        errors = sum(true != seen for true, seen in known)
        total += likely * hidden.error**errors * (1 - hidden.error) ** (len(known) - errors)
    return total


def timed(poset, seed):
    rates = np.random.default_rng(seed).uniform(0.1, 5, len(poset.events))
    return TimedPoset(poset.events, poset.parent_sets, rates)


@given(poset=posets(4), table=rows(max_events=4), seed=st.integers(0, 99), data=st.data())
def test_the_likelihood_is_the_definition(poset, table, seed, data):
    width = min(len(poset.events), len(table[0]))
    table = [row[:width] for row in table]
    if width < len(poset.events):
        parents = tuple(tuple(i for i in above if i < width) for above in poset.parent_sets[:width])
        poset = Poset(poset.events[:width], parents)
    hidden = NoisyPoset(timed(poset, seed), data.draw(st.floats(0.001, 0.5)))
    seen = Dataset.from_rows(table, events=poset.events)
    assert hidden.probabilities(seen) == pytest.approx(
        [by_definition(hidden, row) for row in table]
    )


@pytest.mark.parametrize("poset", [CHAIN, JOIN], ids=["chain", "join"])
@pytest.mark.parametrize("unknown", [False, True])
def test_all_ways_to_expect_agree_with_the_slope_of_the_likelihood(poset, unknown):
    hidden = NoisyPoset(timed(poset, 3), 0.13)
    data = hidden.sample(40, np.random.default_rng(9))
    if unknown:
        known = np.random.default_rng(10).random((40, 3)) < 0.7
        data = Dataset(data.values, data.events, known=known)
    seen, above = observations(data), as_sets(poset.ancestors().T)
    states = lattice.lattice(above)

    def height(log_rates, logit):
        rates, error = np.exp(log_rates), 1 / (1 + np.exp(-logit))
        each = TimedPoset(poset.events, poset.parent_sets, rates)
        return NoisyPoset(each, float(error)).log_likelihood(data)

    rates, error = hidden.poset.rates, hidden.error
    top, came, waited, mistakes = lattice.expectations(states, rates, error, seen)
    assert top == pytest.approx(hidden.log_likelihood(data))
    logs, logit, tiny = np.log(rates), np.log(error / (1 - error)), 1e-5
    for event in range(3):
        step = tiny * (np.arange(3) == event)
        slope = (height(logs + step, logit) - height(logs - step, logit)) / (2 * tiny)
        assert came[event] - rates[event] * waited[event] == pytest.approx(slope, abs=1e-5)
    slope = (height(logs, logit + tiny) - height(logs, logit - tiny)) / (2 * tiny)
    assert mistakes - seen[3] * error == pytest.approx(slope, abs=1e-5)
    likely = lattice.probabilities(states, rates)[1]
    one, *others = (
        way(states, likely, error, seen, 3)
        for way in (
            lattice._true_counts_by_path,
            lattice._true_counts_by_pair,
            lattice._true_counts_by_transform,
        )
    )
    for other in others:
        assert one[:2] == pytest.approx(other[:2])
        assert one[2] == pytest.approx(other[2])


@pytest.mark.parametrize("seed", range(4))
def test_rates_and_error_come_back_from_many_samples(seed):
    rng = np.random.default_rng([17, seed])
    truth = NoisyPoset(TimedPoset("abcd", ((), (0,), (0,), (1, 2)), rng.uniform(0.8, 4, 4)), 0.06)
    best = fit_poset(Poset("abcd", truth.poset.parent_sets), truth.sample(100_000, rng))
    assert best.model.error == pytest.approx(0.06, abs=0.005)
    assert best.model.poset.rates == pytest.approx(truth.poset.rates, rel=0.1)


@given(poset=posets(4), seed=st.integers(0, 99))
def test_no_rates_are_likelier_than_those_found(poset, seed):
    truth = NoisyPoset(timed(poset, seed), 0.1)
    data = truth.sample(30, np.random.default_rng(seed))
    best = fit_poset(poset, data)
    assert best.log_likelihood >= truth.log_likelihood(data) - 1e-6
    assert best.log_likelihood == pytest.approx(best.model.log_likelihood(data))


def test_an_error_can_be_held():
    data = Dataset.from_rows([[1, 0, 0], [1, 1, 0], [0, 0, 0]], events="abc")
    assert fit_poset(CHAIN, data, error=0.05).model.error == pytest.approx(0.05)


def test_an_em_that_does_not_converge_says_so():
    with pytest.raises(ConvergenceError, match="the rates did not converge in 1 steps; the log"):
        fit_poset(Poset(embedded.ovarian().events, ((),) * 7), embedded.ovarian(), steps=1)


def test_the_order_of_events_in_the_data_does_not_matter():
    data = embedded.acml()
    turned = data.take_events(data.events[::-1])
    poset = Poset(data.events, ((), (), (0,)))
    assert fit_poset(poset, data) == fit_poset(poset, turned)


def test_other_events_are_refused():
    with pytest.raises(ModelError, match="model and data must have the same events; 'c' is in one"):
        fit_poset(CHAIN, Dataset.from_rows([[1, 0]], events="ab"))


@pytest.mark.parametrize("error", [-0.1, 0.6, np.nan])
def test_what_is_no_error_is_refused(error):
    with pytest.raises(ModelError, match=r"error must be in \[0, 0.5\], got"):
        NoisyPoset(timed(CHAIN, 1), error)
