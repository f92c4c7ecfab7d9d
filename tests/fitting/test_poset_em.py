"""Hidden conjunctive Bayesian networks: likelihood, and the rates that make it highest."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese import Dataset, ModelError, NoisyPoset, Poset, TimedPoset, fit_poset
from caprese import datasets as embedded
from caprese.fitting.poset_em import observations
from caprese.kernels import true_counts
from caprese.kernels.lattice import fill_lattice, fill_probabilities
from caprese.kernels.poset_em import Step, expectations
from caprese.models.states import as_sets
from caprese.simulation.random_models import ForestRecipe
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


class Expected:
    """Expectations given the samples, from all orders in which a true genotype can arise."""

    def __init__(self, hidden, data):
        self.rates, n = hidden.poset.rates, len(hidden.poset.events)
        self.above = [set(above) for above in hidden.poset.parent_sets]
        self.likely, self.times = np.zeros(2**n), np.zeros((2**n, n))
        self.follow(frozenset(), 1.0, np.zeros(n))
        truths = genotypes(n)
        known = np.ones(data.values.shape, dtype=bool) if data.known is None else data.known
        wrong = ((truths[:, None] != data.values) & known).sum(axis=2)
        right = known.sum(axis=1) - wrong
        joint = self.likely[:, None] * hidden.error**wrong * (1 - hidden.error) ** right
        given_sample = joint / joint.sum(axis=0)
        self.counts = given_sample.sum(axis=1)
        self.mistakes = (given_sample * wrong).sum()
        self.occurrences = self.counts @ truths
        able = self.likely > 0
        self.waiting_times = self.counts[able] / self.likely[able] @ self.times[able]

    def follow(self, state, reached, waited):
        """Go on from a state, reached with this probability, after these times for each event."""
        ready = [k for k, above in enumerate(self.above) if k not in state and above <= state]
        stay = 1 / (1 + sum(self.rates[k] for k in ready))
        waited = waited + stay * np.isin(np.arange(len(waited)), ready)
        place = sum(1 << k for k in state)
        self.likely[place] += reached * stay
        self.times[place] += reached * stay * waited
        for k in ready:
            self.follow(state | {k}, reached * stay * self.rates[k], waited)


def step_of(hidden, data):
    """Return a step at the rates and the error of a poset, with the probabilities of its states."""
    step = Step(observations(data))
    np.asarray(step.rates)[:], step.error = hidden.poset.rates, hidden.error
    fill_lattice(step.poset, as_sets(hidden.poset.ancestors().T))
    fill_probabilities(step.poset, step.rates)
    return step


def found(way, step):
    return way(step.poset, step.error, step.data, step.true_counts)


def relative(step):
    return np.asarray(step.true_counts.relative)[: step.poset.number]


@given(
    poset=posets(5),
    seed=st.integers(0, 99),
    error=st.one_of(st.floats(1e-4, 0.489), st.just(0.5)),
    unknown=st.booleans(),
)
def test_all_ways_to_expect_agree_with_the_definition(poset, seed, error, unknown):
    hidden, n = NoisyPoset(timed(poset, seed), error), len(poset.events)
    rng = np.random.default_rng(seed)
    data = hidden.sample(25, rng)
    if unknown:
        data = Dataset(data.values, data.events, known=rng.random((25, n)) < 0.7)
    step = step_of(hidden, data)
    top, mistakes = expectations(step)
    expected = Expected(hidden, data)
    assert top == pytest.approx(hidden.log_likelihood(data))
    assert mistakes == pytest.approx(expected.mistakes, abs=1e-9)
    assert np.asarray(step.occurrences) == pytest.approx(expected.occurrences)
    assert np.asarray(step.waiting_times) == pytest.approx(expected.waiting_times)
    for way in (true_counts.by_path, true_counts.by_pair, true_counts.by_transform):
        if way is true_counts.by_transform and error == 0.5:
            continue  # not taken: at 1/2 the number of errors does not follow from it
        assert found(way, step) == pytest.approx((top, expected.mistakes), abs=1e-9)
        states = np.asarray(step.poset.states)[: step.poset.number]
        counts = relative(step) * np.asarray(step.poset.likely)[: step.poset.number]
        assert counts == pytest.approx(expected.counts[states], abs=1e-9)


@pytest.mark.parametrize("events", [8, 11, 12, 13, 15])
def test_the_transform_observes_every_event_of_many(events):
    rng = np.random.default_rng(events)
    poset = Poset.of(ForestRecipe(events=events).draw(rng))
    hidden = NoisyPoset(timed(poset, 1), 0.07)
    data = hidden.sample(40, rng)
    data = Dataset(data.values, data.events, known=rng.random((40, events)) < 0.95)
    step = step_of(hidden, data)
    top = found(true_counts.by_pair, step)
    through = relative(step).copy()
    for way in (true_counts.by_transform, true_counts.by_path):
        assert found(way, step) == pytest.approx(top)
        assert relative(step) == pytest.approx(through)


@pytest.mark.slow
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
    poset = Poset(embedded.ovarian().events, ((),) * 7)
    early, best = (fit_poset(poset, embedded.ovarian(), steps=steps) for steps in (1, 10_000))
    assert (early.converged, best.converged) == (False, True)
    assert early.log_likelihood < best.log_likelihood


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
