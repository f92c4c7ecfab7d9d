"""Estimation: against the answers of Oncotree, full enumeration and a general optimiser."""

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import minimize, minimize_scalar

import error_definitions as literal
from caprese import datasets as embedded
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.fitting.forest_em import (
    _EM,
    fit_forest,
    rate_intervals,
    recovered_edges,
    szabo_error_rates,
)
from caprese.kernels.forest_em import ForestEM, em_step
from caprese.models.base import observation_codes
from caprese.models.forest import ROOT, Forest, NoisyForest
from caprese.models.noise import Noise
from error_strategies import observations, seen_as
from reference.answers import oracles, ovarian_answers
from shapes import BINARY, SMALL, STAR, THREE_TREES, random_forest
from strategies import datasets, entries, noises, upto

pytestmark = pytest.mark.slow

HALF_CHI_SQUARE = 1.9207  # half the 95 % quantile of chi-square with one degree of freedom
SLACK = 1e-9  # log-likelihoods of hundreds are sums, rounded


def rates_of(noise):
    return noise.false_positive, noise.false_negative


def seen_in(forest, noise, samples, seed):
    return NoisyForest(forest, noise).sample(samples, np.random.default_rng(seed))


@st.composite
def questions(draw, max_events=5, max_samples=12):
    """Any data, and any parents for their events."""
    data = draw(datasets(max_samples, max_events))
    n = len(data.events)
    parents = [draw(upto(event)) - 1 for event in range(n)]
    return Forest(data.events, parents, np.full(n, 0.5)), data


# Szabo's least squares


def residual_at(forest, counts, noise):
    """How far the frequencies are from those that the recovered edges predict."""
    edges = Forest(forest.events, forest.parents, recovered_edges(forest, counts, noise))
    predicted = noise.false_positive + noise.signal * edges.marginals()
    return ((counts.frequency - predicted) ** 2).sum()


class TestSzaboOnOvarian:
    @staticmethod
    def answer():
        stored = ovarian_answers()["oncotree_fit"]
        events = stored["events"]
        parents = [
            ROOT if stored["parent"][event] == "Root" else events.index(stored["parent"][event])
            for event in events
        ]
        forest = Forest(tuple(events), parents, np.full(7, 0.5))
        return stored, szabo_error_rates(forest, Counts.of(embedded.ovarian()))

    def test_the_rates_are_those_of_oncotree(self):
        stored, found = self.answer()
        assert found.noise.false_positive == pytest.approx(stored["epos"], abs=1e-3)
        assert found.noise.false_negative == pytest.approx(stored["eneg"], abs=1e-3)

    def test_the_estimated_weights_are_those_of_oncotree(self):
        stored, found = self.answer()
        expected = [stored["est_weight"][event] for event in found.forest.events]
        assert found.forest.probabilities == pytest.approx(expected, abs=1e-3)


@cache
def oracle_rates():
    """Parents and frequencies of each oracle, Oncotree's rates, and our answer."""
    cases = []
    for answer, data in oracles():
        kept = [event for event, parent in enumerate(answer["oncotree"]) if parent is not None]
        place = {0: ROOT} | {event + 1: k for k, event in enumerate(kept)}
        parents = [place[answer["oncotree"][event]] for event in kept]
        part = data.take_events([data.events[event] for event in kept])
        forest = Forest(part.events, parents, np.full(len(kept), 0.5))
        found = szabo_error_rates(forest, Counts.of(part))
        seen = literal.frequencies(parents, entries(part))
        cases.append((parents, seen, answer["oncotree_eps"], found))
    return cases


@pytest.mark.parametrize("oracle", range(60))
class TestSzaboOnTheOracles:
    def test_the_rates_are_those_of_oncotree_or_fit_better(self, oracle):
        parents, seen, theirs, found = oracle_rates()[oracle]
        near = rates_of(found.noise) == pytest.approx(theirs, abs=0.01)
        residual = literal.szabo(parents, seen, rates_of(found.noise))[1]
        assert near or residual <= literal.szabo(parents, seen, theirs)[1]

    def test_the_forest_and_the_residual_follow_from_the_rates(self, oracle):
        parents, seen, _, found = oracle_rates()[oracle]
        edges, residual = literal.szabo(parents, seen, rates_of(found.noise))
        assert found.forest.parents.tolist() == parents
        assert found.forest.probabilities == pytest.approx(edges, abs=1e-9)
        assert found.residual == pytest.approx(residual, abs=1e-12)

    def test_no_other_rates_fit_better(self, oracle):
        """On a grid of rates that leave no event impossible."""
        parents, seen, _, found = oracle_rates()[oracle]
        frequencies = [frequency for frequency, _ in seen]
        positive, negative = min(frequencies), 1 - max(frequencies)
        others = [
            literal.szabo(parents, seen, (positive * a / 4, negative * b / 4))[1]
            for a in range(5)
            for b in range(5)
            if positive * a + negative * b < 4
        ]
        assert found.residual <= min(others) + 1e-12


class TestSzabo:
    @pytest.mark.parametrize("rates", [(0.0, 0.0), (0.05, 0.02), (0.02, 0.1)])
    @pytest.mark.parametrize("forest", [BINARY, THREE_TREES], ids=["binary", "three trees"])
    def test_exact_counts_give_the_forest_back(self, forest, rates):
        """The residual is 0 at the truth; where other rates reach 0 too, it tells only so much."""
        counts = Noise(*rates).corrupt_counts(Counts.expected(forest))
        found = szabo_error_rates(forest, counts)
        assert found.residual == pytest.approx(0, abs=1e-9)
        predicted = found.noise.false_positive + found.noise.signal * found.forest.marginals()
        assert predicted == pytest.approx(counts.frequency, abs=1e-4)

    @pytest.mark.parametrize("seed", [45, 264])
    def test_of_several_minima_the_lowest_is_found(self, seed):
        """Of a forest the data do not come from; other starts lead to a higher minimum."""
        rng = np.random.default_rng([200, seed])
        n, samples = int(rng.choice([3, 4, 6])), int(rng.choice([20, 40, 80]))
        true, noise = random_forest(rng, n), Noise(*rng.uniform(0, 0.4, 2))
        counts = Counts.of(NoisyForest(true, noise).sample(samples, rng))
        other = random_forest(rng, n)
        highest = counts.frequency.min(), 1 - counts.frequency.max()
        grid = (np.multiply(highest, share) / 80 for share in np.ndindex(81, 81))
        others = [residual_at(other, counts, Noise(*rates)) for rates in grid]
        assert szabo_error_rates(other, counts).residual <= min(others) + 1e-12

    @given(questions())
    def test_any_data_has_an_answer_no_worse_than_no_errors_at_all(self, question):
        forest, data = question
        found = szabo_error_rates(forest, Counts.of(data))
        assert found.forest.parents.tolist() == forest.parents.tolist()
        if data.known is None:
            parents = forest.parents.tolist()
            seen = literal.frequencies(parents, entries(data))
            residual = literal.szabo(parents, seen, rates_of(found.noise))[1]
            assert found.residual == pytest.approx(residual, abs=1e-9)
            assert residual <= literal.szabo(parents, seen, (0, 0))[1] + 1e-12


# Maximum likelihood


class TestStep:
    """One step of expectation maximisation."""

    @given(observations(max_events=5, least=0.01, most=0.99))
    def test_it_is_that_of_full_enumeration(self, case):
        forest, rates, rows = case[0], np.round(rates_of(case[1]), 3), case[2]
        parents, probabilities = forest.parents.tolist(), forest.probabilities.tolist()
        height = literal.log_likelihood(parents, probabilities, rows, rates)
        assume(height > -math.inf)
        data = seen_as(forest, rows)
        times = np.ones(len(rows), dtype=np.int64)
        point = np.array([*probabilities, *rates])
        free = np.ones(len(point), dtype=np.uint8)
        codes = observation_codes(forest.events, data)
        em = ForestEM(codes, times, forest.order, forest.parents, point, free)
        found, climbed = em_step(em)
        edges, errors = literal.expectation_step(parents, probabilities, rows, rates)
        assert found == pytest.approx(height, rel=1e-10, abs=1e-10)
        assert climbed[:-2] == pytest.approx(np.array(edges, float), abs=1e-9)
        if sum(errors) < 0.999:
            assert climbed[-2:] == pytest.approx(np.array(errors, float), abs=1e-9)
        else:  # beyond, seeing an event would speak against it
            assert climbed[-2:].sum() < 1
            after = literal.log_likelihood(parents, climbed[:-2], rows, climbed[-2:])
            assert after >= height - 1e-4

    @given(observations(max_events=4, least=0.01, most=0.99), st.data())
    def test_what_is_not_free_stays(self, case, choice):
        forest, noise, rows = case
        point = np.array([*forest.probabilities, *rates_of(noise)])
        free = np.array([choice.draw(st.booleans()) for _ in point])
        data = seen_as(forest, rows)
        times = np.ones(len(rows), dtype=np.int64)
        codes = observation_codes(forest.events, data)
        arguments = codes, times, forest.order, forest.parents, point
        climbed = em_step(ForestEM(*arguments, free.view(np.uint8)))[1]
        whole = em_step(ForestEM(*arguments, np.ones(len(point), dtype=np.uint8)))[1]
        assert climbed[~free].tolist() == point[~free].tolist()
        assert climbed[:-2].tolist() == np.where(free, whole, point)[:-2].tolist()
        assert climbed[-2:].sum() < 1

    def test_samples_alike_count_as_often_as_they_are(self):
        data = Dataset.from_rows([[1, 0], [1, 1], [1, 0], [1, 0]], events="ab")
        forest = Forest(("a", "b"), (ROOT, 0), (0.7, 0.4))
        distinct, times = data.genotypes()
        point, free = np.array([0.7, 0.4, 0.1, 0.2]), np.ones(4, dtype=np.uint8)
        ones = np.ones(4, dtype=np.int64)
        one, other = (
            em_step(
                ForestEM(
                    observation_codes(forest.events, part),
                    weights,
                    forest.order,
                    forest.parents,
                    point,
                    free,
                )
            )
            for part, weights in ((data, ones), (distinct, times))
        )
        assert one[0] == pytest.approx(other[0])
        assert one[1] == pytest.approx(other[1])


class TestClimb:
    @given(questions(), noises(0.5))
    def test_with_rates_held_the_likelihood_never_falls(self, question, noise):
        forest, data = question
        found = fit_forest(forest, data, noise=noise, steps=100)
        if np.isfinite(found.history[0]):
            assert np.diff(found.history).min(initial=0) >= -SLACK

    @pytest.mark.parametrize("seed", range(5))
    @pytest.mark.parametrize("name", SMALL)
    def test_with_rates_free_the_likelihood_never_falls(self, name, seed):
        forest = SMALL[name]
        data = seen_in(forest, Noise(0.05 + 0.02 * seed, 0.1), 100, [71, seed])
        found = fit_forest(forest, data)
        assert np.diff(found.history).min() >= -SLACK
        assert found.converged

    @pytest.mark.parametrize("seed", range(5))
    def test_nor_for_a_forest_the_data_do_not_come_from(self, seed):
        rng = np.random.default_rng([72, seed])
        data = seen_in(random_forest(rng, 12), Noise(0.1, 0.1), 80, [72, seed, 1])
        found = fit_forest(random_forest(rng, 12), data)
        assert np.diff(found.history).min() >= -SLACK

    @pytest.mark.parametrize("noise", [None, Noise(0.1, 0.2)])
    @pytest.mark.parametrize("name", SMALL)
    def test_what_is_told_is_the_likelihood_of_what_is_returned(self, name, noise):
        data = seen_in(SMALL[name], Noise(0.1, 0.2), 100, 73)
        found = fit_forest(SMALL[name], data, noise=noise)
        seen = NoisyForest(found.forest, found.noise)
        assert found.log_likelihood == found.history[-1]
        assert found.log_likelihood == pytest.approx(seen.log_likelihood(data), abs=1e-9)
        assert found.forest.events == SMALL[name].events
        assert found.forest.parents.tolist() == SMALL[name].parents.tolist()

    @pytest.mark.parametrize("seed", range(10))
    @pytest.mark.parametrize("forest", [BINARY, THREE_TREES], ids=["binary", "three trees"])
    def test_the_truth_is_not_likelier(self, forest, seed):
        noise = Noise(0.02 * seed, 0.2 - 0.02 * seed)
        data = seen_in(forest, noise, 150, [74, seed])
        found = fit_forest(forest, data)
        assert found.log_likelihood > NoisyForest(forest, noise).log_likelihood(data)
        held = fit_forest(forest, data, noise=noise)
        assert NoisyForest(forest, noise).log_likelihood(data) < held.log_likelihood
        assert held.log_likelihood <= found.log_likelihood + 1e-6

    def test_where_it_ends_a_step_of_enumeration_leads_nowhere(self):
        forest = SMALL["chain"]
        data = seen_in(forest, Noise(0.1, 0.1), 60, 75)
        found = fit_forest(forest, data, tolerance=1e-13)
        probabilities = found.forest.probabilities.tolist()
        edges, rates = literal.expectation_step(
            forest.parents.tolist(), probabilities, entries(data), rates_of(found.noise)
        )
        assert np.array(edges, float) == pytest.approx(probabilities, abs=1e-5)
        assert np.array(rates, float) == pytest.approx(rates_of(found.noise), abs=1e-5)

    @pytest.mark.parametrize("seed", range(3))
    def test_a_general_optimiser_finds_nothing_likelier(self, seed):
        """Over all 16 true genotypes, from several starts."""
        forest = SMALL["chain"]
        noise = Noise(0.05, 0.15)
        data = seen_in(forest, noise, 300, [76, seed])
        truths = np.array([[1] * k + [0] * (4 - k) for k in range(5)], dtype=bool)
        codes = data.values[:, None, :]

        def loss(point):
            p, positive, negative = point[:4], point[4], point[5]
            reached = np.hstack([np.ones((5, 1), bool), truths[:, :-1]])
            chance = np.where(reached, np.where(truths, p, 1 - p), 1.0).prod(axis=1)
            present = np.where(truths, 1 - negative, positive)
            seen = np.where(codes, present, 1 - present).prod(axis=2)
            return -np.log(seen @ chance).sum()

        starts = np.random.default_rng([76, seed, 1]).uniform(0.05, 0.4, (4, 6))
        starts[:, :4] = 0.5
        bounds = [(1e-6, 1 - 1e-6)] * 4 + [(1e-6, 0.49)] * 2
        best = min((minimize(loss, at, bounds=bounds) for at in starts), key=lambda one: one.fun)
        found = fit_forest(forest, data)
        assert found.log_likelihood == pytest.approx(-best.fun, abs=1e-3)
        assert rates_of(found.noise) == pytest.approx(best.x[4:], abs=5e-3)
        assert found.forest.probabilities == pytest.approx(best.x[:4], abs=5e-3)

    @pytest.mark.parametrize("eight_p", [0, 2], ids=["8q+ -> 8p-", "5q- -> 8p-"])
    def test_on_ovarian_no_other_rates_are_likelier(self, eight_p):
        """The likelihood may have several peaks; on a grid of rates none is higher."""
        data = embedded.ovarian()
        forest = Forest(data.events, (ROOT, 0, ROOT, 2, eight_p, ROOT, 4), np.full(7, 0.5))
        grid = [0.001, 0.03, 0.07, 0.12, 0.18, 0.25, 0.35]
        others = [
            fit_forest(forest, data, noise=Noise(positive, negative)).log_likelihood
            for positive in grid
            for negative in grid
        ]
        found = fit_forest(forest, data)
        assert max(others) <= found.log_likelihood <= max(others) + 1

    @pytest.mark.parametrize("seed", [1301, 1456, 1459])
    def test_of_several_peaks_the_highest_is_found(self, seed):
        """Data on which climbs from different rates end at different heights, up to 4 apart."""
        rng = np.random.default_rng([161, seed])
        n, samples = int(rng.choice([3, 4, 6])), int(rng.choice([40, 80, 150]))
        true, noise = random_forest(rng, n), Noise(*rng.uniform(0, 0.25, 2))
        data = NoisyForest(true, noise).sample(samples, rng)
        other = random_forest(rng, n)
        grid = [0.001, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5]
        heights = [
            fit_forest(other, data, noise=Noise(positive, negative)).log_likelihood
            for positive in grid
            for negative in grid
            if positive + negative < 1
        ]
        assert fit_forest(other, data).log_likelihood >= max(heights) - 1e-3

    def test_with_much_data_the_truth_is_found(self):
        data = seen_in(BINARY, Noise(0.05, 0.1), 20_000, 77)
        found = fit_forest(BINARY, data)
        assert rates_of(found.noise) == pytest.approx((0.05, 0.1), abs=0.01)
        assert found.forest.probabilities == pytest.approx(BINARY.probabilities, abs=0.02)

    def test_the_probabilities_of_the_forest_given_are_not_looked_at(self):
        data = seen_in(BINARY, Noise(0.05, 0.1), 100, 78)
        other = Forest(BINARY.events, BINARY.parents, np.full(7, 0.01))
        assert fit_forest(BINARY, data) == fit_forest(other, data)

    def test_the_order_of_events_and_samples_does_not_matter(self):
        data = seen_in(BINARY, Noise(0.05, 0.1), 100, 79)
        turned = data.take_events(data.events[::-1]).take_samples(np.arange(100)[::-1])
        assert fit_forest(BINARY, data) == fit_forest(BINARY, turned)

    def test_other_events_are_refused(self):
        with pytest.raises(ModelError, match="model and data must have the same events"):
            fit_forest(BINARY, Dataset.from_rows([[1]], events=["x"]))


@pytest.mark.parametrize("name", SMALL)
def test_a_probability_for_each_event_and_two_rates_are_counted_as_parameters(name):
    found = fit_forest(SMALL[name], seen_in(SMALL[name], Noise(0.05, 0.1), 50, 73))
    assert found.parameters == len(SMALL[name].events) + 2


class TestConvergence:
    data = seen_in(STAR, Noise(0.05, 0.1), 100, 80)

    def test_it_is_told(self):
        found = fit_forest(STAR, self.data)
        assert found.converged
        assert found.history[-1] - found.history[-2] < 1e-7
        assert len(found.history) > 3

    @pytest.mark.parametrize("steps", [1, 3])
    def test_nor_is_it_claimed_when_the_steps_ran_out(self, steps):
        found = fit_forest(STAR, self.data, tolerance=1e-12, steps=steps)
        assert not found.converged
        assert len(found.history) == steps + 1

    def test_a_finer_tolerance_climbs_on(self):
        coarse, fine = (
            fit_forest(STAR, self.data, tolerance=tolerance) for tolerance in (1.0, 1e-10)
        )
        assert coarse.converged
        assert fine.converged
        assert len(coarse.history) < len(fine.history)
        assert coarse.log_likelihood < fine.log_likelihood

    def test_it_ends_where_the_data_cannot_be(self):
        """Without errors b cannot be seen alone, whatever the probabilities."""
        forest = Forest(("a", "b"), (ROOT, 0), (0.5, 0.5))
        data = Dataset.from_rows([[0, 1], [1, 1]], events="ab")
        found = fit_forest(forest, data, noise=Noise())
        assert found.log_likelihood == -math.inf
        assert len(found.history) < 100


class TestHeldRates:
    def test_rates_given_stay(self):
        data = seen_in(BINARY, Noise(0.05, 0.1), 100, 81)
        found = fit_forest(BINARY, data, noise=Noise(0.2, 0.03))
        assert found.noise == Noise(0.2, 0.03)
        assert found.converged

    def test_without_errors_the_probabilities_are_the_frequencies_given_the_parent(self):
        data = BINARY.sample(200, np.random.default_rng(82))
        found = fit_forest(BINARY, data, noise=Noise())
        counts = Counts.of(data)
        for event, parent in enumerate(BINARY.parents):
            of = 200 if parent == ROOT else counts.present[parent]
            expected = counts.present[event] / of
            assert found.forest.probabilities[event] == pytest.approx(expected, abs=1e-6)

    @pytest.mark.parametrize("held", [Noise(0.0, 0.1), Noise(0.1, 0.0)])
    def test_a_rate_of_exactly_0_is_held_too(self, held):
        data = seen_in(BINARY, held, 100, 83)
        found = fit_forest(BINARY, data, noise=held)
        assert found.noise == held
        assert np.isfinite(found.history).all()
        seen = NoisyForest(found.forest, held)
        assert found.log_likelihood == pytest.approx(seen.log_likelihood(data))


class TestUnknownEntries:
    @pytest.mark.parametrize("noise", [None, Noise(0.05, 0.1)])
    def test_a_sample_of_which_nothing_is_known_changes_nothing(self, noise):
        data = seen_in(STAR, Noise(0.05, 0.1), 60, 84)
        blank = Dataset.from_rows([*entries(data), [None] * 5], events=data.events)
        one = fit_forest(STAR, data, noise=noise, tolerance=1e-10)
        other = fit_forest(STAR, blank, noise=noise, tolerance=1e-10)
        assert other.log_likelihood == pytest.approx(one.log_likelihood, abs=1e-5)
        assert rates_of(other.noise) == pytest.approx(rates_of(one.noise), abs=1e-3)
        assert other.forest.probabilities == pytest.approx(one.forest.probabilities, abs=1e-3)

    def test_they_are_summed_over(self):
        rng = np.random.default_rng(85)
        whole = seen_in(BINARY, Noise(0.05, 0.1), 2000, 86)
        known = rng.random(whole.values.shape) < 0.8
        data = Dataset(whole.values, whole.events, known=known)
        found = fit_forest(BINARY, data)
        assert found.converged
        assert np.diff(found.history).min() >= -SLACK
        assert rates_of(found.noise) == pytest.approx((0.05, 0.1), abs=0.03)
        assert found.forest.probabilities == pytest.approx(BINARY.probabilities, abs=0.06)


class TestPoorData:
    @pytest.mark.parametrize(
        "rows",
        [
            [[0]],
            [[1]],
            [[0, 0], [0, 0]],
            [[1, 1], [1, 1]],
            [[0, 1], [1, 0], [0, 1]],
            [[0, 0], [0, 1], [0, 0], [0, 1], [1, 0], [0, 1]],
        ],
        ids=str,
    )
    def test_an_answer_is_given_for(self, rows):
        n = len(rows[0])
        forest = Forest(tuple("ab"[:n]), (ROOT, 0)[:n], np.full(n, 0.5))
        found = fit_forest(forest, Dataset.from_rows(rows, events="ab"[:n]))
        assert found.converged

    @given(questions())
    def test_any_data_has_an_answer_and_the_likelihood_never_falls(self, question):
        forest, data = question
        found = fit_forest(forest, data, steps=500)
        assert np.diff(found.history).min(initial=0) >= -SLACK
        seen = NoisyForest(found.forest, found.noise)
        assert found.log_likelihood == pytest.approx(seen.log_likelihood(data), abs=1e-8)

    def test_an_event_never_seen_has_probability_0_or_is_missed(self):
        rows = [[1, 0], [1, 0], [0, 0], [1, 0]]
        forest = Forest(("a", "b"), (ROOT, ROOT), (0.5, 0.5))
        found = fit_forest(forest, Dataset.from_rows(rows, events="ab"))
        assert found.forest.probabilities[1] < 0.01
        assert found.log_likelihood == pytest.approx(3 * math.log(3 / 4) + math.log(1 / 4))

    def test_one_sample_is_sure_of_itself(self):
        forest = Forest(tuple("abc"), (ROOT, ROOT, 0), (0.5, 0.5, 0.5))
        found = fit_forest(forest, Dataset.from_rows([[1, 0, 1]], events="abc"))
        assert found.log_likelihood == pytest.approx(0, abs=1e-6)


# Intervals


def profile(forest, data, *, false_positive=None, false_negative=None):
    """The highest likelihood with one rate held, found without the function under test."""

    def loss(other):
        held = (false_positive, other) if false_negative is None else (other, false_negative)
        return -fit_forest(forest, data, noise=Noise(*held), tolerance=1e-9).log_likelihood

    return -minimize_scalar(loss, bounds=(0, 0.45), method="bounded", options={"xatol": 1e-5}).fun


class TestIntervals:
    @pytest.mark.parametrize("rates", [(0.1, 0.1), (0.05, 0.2)])
    def test_an_end_is_where_the_profile_likelihood_has_fallen_so_far(self, rates):
        data = seen_in(BINARY, Noise(*rates), 250, 91)
        best = fit_forest(BINARY, data)
        found = rate_intervals(best, data)
        fallen = best.log_likelihood - HALF_CHI_SQUARE
        ends = [
            (name, end)
            for name in ("false_positive", "false_negative")
            for end in getattr(found, name)
            if end > 0
        ]
        assert len(ends) >= 3
        for name, end in ends:
            assert profile(BINARY, data, **{name: end}) == pytest.approx(fallen, abs=0.01)

    @pytest.mark.parametrize("seed", range(5))
    def test_an_interval_holds_its_estimate(self, seed):
        forest = random_forest(np.random.default_rng([92, seed]), 8)
        data = seen_in(forest, Noise(0.03 * seed, 0.05), 120, [92, seed, 1])
        best = fit_forest(forest, data)
        found = rate_intervals(best, data)
        for name in ("false_positive", "false_negative"):
            low, high = getattr(found, name)
            assert 0 <= low <= getattr(best.noise, name) <= high < 1
            assert low < high

    def test_more_data_make_them_narrower(self):
        data = seen_in(BINARY, Noise(0.1, 0.1), 1600, 93)
        widths = []
        for samples in (100, 400, 1600):
            part = data.take_samples(np.arange(samples))
            found = rate_intervals(fit_forest(BINARY, part), part)
            widths.append([np.ptp(found.false_positive), np.ptp(found.false_negative)])
        few, some, many = np.array(widths)
        assert (few > some).all()
        assert (some > many).all()

    def test_a_higher_level_makes_them_wider(self):
        data = seen_in(BINARY, Noise(0.1, 0.1), 250, 94)
        best = fit_forest(BINARY, data)
        narrow, wide = (rate_intervals(best, data, level=level) for level in (0.5, 0.99))
        for name in ("false_positive", "false_negative"):
            (low, high), (lower, higher) = getattr(narrow, name), getattr(wide, name)
            assert lower < low < high < higher

    def test_without_errors_they_begin_at_exactly_0(self):
        data = BINARY.sample(250, np.random.default_rng(95))
        best = fit_forest(BINARY, data)
        found = rate_intervals(best, data)
        assert found.false_positive[0] == found.false_negative[0] == 0
        assert 0 < found.false_positive[1] < 0.05
        assert 0 < found.false_negative[1] < 0.05

    def test_where_data_tell_nothing_all_rates_are_possible(self):
        forest = Forest(("a",), (ROOT,), (0.5,))
        data = Dataset.from_rows([[1], [0], [1]], events=["a"])
        found = rate_intervals(fit_forest(forest, data), data)
        assert found.false_positive[0] == found.false_negative[0] == 0
        assert min(found.false_positive[1], found.false_negative[1]) > 0.5

    def test_they_cover_the_truth_about_as_often_as_they_say(self):
        """At 95 %, fewer than 24 of 30 would come about once in a thousand times."""
        covered = {"false_positive": 0, "false_negative": 0}
        for seed in range(30):
            rng = np.random.default_rng([96, seed])
            forest, noise = random_forest(rng, 10), Noise(*rng.uniform(0.05, 0.15, 2))
            data = NoisyForest(forest, noise).sample(200, rng)
            found = rate_intervals(fit_forest(forest, data), data)
            for name in covered:
                low, high = getattr(found, name)
                covered[name] += low <= getattr(noise, name) <= high
        assert min(covered.values()) >= 24


def test_an_event_never_seen_does_not_bound_the_false_positive_rate():
    """Its frequency is 0, and yet errors explain the other events best."""
    data = embedded.ovarian()
    unseen = np.zeros((len(data.samples), 1), dtype=bool)
    wider = Dataset(np.hstack([data.values, unseen]), (*data.events, "never"))
    forest = Forest(wider.events, (ROOT, 0, ROOT, 2, 2, ROOT, 4, ROOT), (0.5,) * 8)
    counts = Counts.of(wider)
    found = szabo_error_rates(forest, counts)
    assert found.noise.false_positive > 0.01
    assert found.forest.probabilities[-1] == 0
    highest = counts.frequency[:-1].min(), 1 - counts.frequency.max()
    for share in np.ndindex(11, 11):
        rates = Noise(*(top * step / 10 for top, step in zip(highest, share, strict=True)))
        assert found.residual <= residual_at(forest, counts, rates) + 1e-12


@pytest.mark.parametrize("noise", [Noise(), Noise(0.3, 0.0)])
def test_an_edge_from_a_parent_seen_less_often_than_errors_are_has_probability_0(noise):
    """Not the ratio of two negative numbers."""
    data = Dataset.from_genotypes({"01": 6, "00": 4}, "ab")
    forest = Forest("ab", (ROOT, 0), (0.5, 0.5))
    assert recovered_edges(forest, Counts.of(data), noise).tolist() == [0, 0]


def test_an_event_seen_once_bounds_the_false_positive_rate():
    data = embedded.ovarian()
    rare = np.arange(len(data.samples))[:, None] == 0
    wider = Dataset(np.hstack([data.values, rare]), (*data.events, "once"))
    forest = Forest(wider.events, (ROOT, 0, ROOT, 2, 2, ROOT, 4, ROOT), (0.5,) * 8)
    found = szabo_error_rates(forest, Counts.of(wider))
    assert found.noise.false_positive <= 1 / len(data.samples)


def test_intervals_of_high_rates_end_below_one():
    rng = np.random.default_rng(3)
    truth = Forest("ab", (ROOT, 0), (0.9, 0.8))
    data = Noise(0.02, 0.85).corrupt(truth.sample(60, rng), rng)
    best = fit_forest(truth, data)
    found = rate_intervals(best, data)
    for low, high in (found.false_positive, found.false_negative):
        assert 0 <= low <= high < 1
    assert found.false_negative[1] > 0.9
    assert found.false_negative[0] <= best.noise.false_negative <= found.false_negative[1]


def test_em_starts_from_the_frequency_of_an_event_where_it_is_known_and_its_parent_is_seen():
    rows = [[1, 1]] * 3 + [[1, 0]] * 2 + [[0, 1]] * 4 + [[1, None]] * 5 + [[None, 1]] * 6
    data = Dataset.from_rows(rows, events="ab")
    forest = Forest("ab", (ROOT, 0), (0.5, 0.5))
    start = _EM.of(forest, data).start(Noise(0.1, 0.2))
    assert start == pytest.approx([10.5 / 15, 3.5 / 6, 0.1, 0.2])


class TestSlowRidges:
    """Where nearly independent events leave error rates open, EM alone takes many steps."""

    def test_the_maximum_is_found_in_few_steps(self):
        rng = np.random.default_rng(6)
        events = tuple("abcdefgh")
        parents = (ROOT, 0, 1, ROOT, ROOT, ROOT, ROOT, ROOT)
        data = Dataset(rng.random((500, 8)) < rng.uniform(0.05, 0.5, 8), events)
        forest = Forest(events, parents, (0.5,) * 8)
        found = fit_forest(forest, data)
        assert found.converged
        assert len(found.history) < 150  # 268 by EM alone
        assert np.all(np.diff(found.history) >= 0)
        em = fit_forest(forest, data, noise=found.noise)
        assert em.log_likelihood == pytest.approx(found.log_likelihood, abs=1e-5)
