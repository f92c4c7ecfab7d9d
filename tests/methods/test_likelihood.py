"""The likeliest forest: its likelihood, and what each other parent would cost."""

from dataclasses import replace

import numpy as np
import pytest

from caprese import (
    ROOT,
    Caprese,
    Dataset,
    Forest,
    LikelihoodForest,
    Noise,
    NoisyForest,
    Oncotree,
    bootstrap,
    datasets,
    fit_forest,
)
from caprese.fitting.forest_ascent import attachment_gains
from caprese.methods.evidence import Reason
from caprese.text.facts import in_words

pytestmark = pytest.mark.slow

EDGES = {("8q+", "3q+"), ("8q+", "5q-"), ("5q-", "4q-"), ("5q-", "8p-"), ("8p-", "Xp-")}


@pytest.fixture(scope="module")
def ovarian():
    return LikelihoodForest().fit(datasets.ovarian())


def noisy(seed, events=6, samples=80):
    rng = np.random.default_rng([17, seed])
    parents = [ROOT, *(int(rng.integers(-1, k)) for k in range(1, events))]
    forest = Forest(tuple("abcdefgh"[:events]), parents, rng.uniform(0.3, 0.9, events))
    return NoisyForest(forest, Noise(0.05, 0.05)).sample(samples, rng)


class TestTheOvarianData:
    def test_the_forest_and_its_likelihood(self, ovarian):
        assert set(ovarian.edges) == EDGES
        assert ovarian.evidence.log_likelihood == pytest.approx(-367.69, abs=0.01)

    def test_it_is_likelier_than_the_forests_of_other_methods(self, ovarian):
        for method in (Caprese(), Oncotree()):
            other = method.fit(datasets.ovarian()).estimate.log_likelihood
            assert ovarian.evidence.log_likelihood > other + 1

    def test_the_likelihood_is_that_of_the_forest_and_the_rates(self, ovarian):
        model = NoisyForest(ovarian.model, ovarian.evidence.noise)
        literal = model.log_probabilities(datasets.ovarian()).sum()
        assert ovarian.evidence.log_likelihood == pytest.approx(literal)

    def test_the_notes_and_remarks(self, ovarian):
        assert in_words(ovarian.evidence.notes()) == [
            "log-likelihood -367.69 with error rates of 0.089 (false positive) and 0.179 (false "
            "negative)",
            "8 of 8 starts of the search ended at this likelihood",
        ]
        said = dict(zip(ovarian.model.events, in_words(ovarian.remarks()), strict=True))
        assert said["3q+"] == "next best the root: log-likelihood lower by 6.3"
        assert said["Xp-"] == "next best 5q-: log-likelihood lower by 0.6"

    def test_the_gain_of_the_table_is_the_distance_to_the_next_best_parent(self, ovarian):
        gain = ovarian.evidence.gain
        rows = np.where(ovarian.model.parents == ROOT, 7, ovarian.model.parents)
        for event, row in enumerate(rows):
            others = np.delete(gain[:, event], row)
            assert ovarian.table()["gain"].iloc[event] == pytest.approx(
                gain[row, event] - others.max()
            )


@pytest.mark.parametrize("seed", range(6))
def test_it_is_never_less_likely_than_the_estimate_of_its_own_forest(seed):
    data = noisy(seed)
    fit = LikelihoodForest().fit(data)
    again = fit_forest(fit.model, data)
    assert fit.evidence.log_likelihood >= again.log_likelihood - 0.01


@pytest.mark.parametrize("seed", range(3))
def test_gains_are_what_the_best_edge_probability_would_give(seed):
    data = noisy(seed, events=5)
    fit = LikelihoodForest().fit(data)
    noise, forest = fit.evidence.noise, fit.model
    gains = attachment_gains(forest, noise, data)
    below = forest.ancestors()
    for event in range(5):
        heights = np.full(6, -np.inf)
        for row in range(6):
            if row == event or (row < 5 and below[event, row]):
                continue
            parents = forest.parents.copy()
            parents[event] = ROOT if row == 5 else row
            heights[row] = best_height(replace(forest, parents=parents), event, noise, data)
        assert gains[:, event] == pytest.approx(heights - heights.max(), abs=2e-3)


def best_height(forest, event, noise, data):
    """The highest log-likelihood over the probability of one event, on a fine grid."""
    return max(
        NoisyForest(with_probability(forest, event, value), noise).log_probabilities(data).sum()
        for value in np.linspace(0, 1, 401)
    )


def with_probability(forest, event, value):
    numbers = forest.probabilities.copy()
    numbers[event] = value
    return replace(forest, probabilities=numbers)


def test_given_rates_are_kept():
    fit = LikelihoodForest(noise=Noise(0.02, 0.1)).fit(datasets.ovarian())
    assert fit.evidence.noise == Noise(0.02, 0.1)
    free = LikelihoodForest().fit(datasets.ovarian())
    assert fit.evidence.log_likelihood < free.evidence.log_likelihood


def test_no_errors_at_all_may_be_given():
    rows = [[1, 1, 1]] * 3 + [[1, 1, 0]] * 3 + [[1, 0, 0]] * 3 + [[0, 0, 0]] * 3
    fit = LikelihoodForest(noise=Noise(0, 0)).fit(Dataset.from_rows(rows, "abc"))
    assert set(fit.edges) == {("a", "b"), ("b", "c")}


def test_more_perturbations_are_never_worse():
    data = noisy(9, events=8, samples=60)
    few, many = (LikelihoodForest(perturbations=number).fit(data) for number in (0, 8))
    assert many.evidence.log_likelihood >= few.evidence.log_likelihood - 1e-6
    assert len(many.evidence.starts) == len(few.evidence.starts) + 8


def test_constant_and_identical_events_are_not_placed():
    data = datasets.ovarian()
    values = np.column_stack([data.values, np.zeros(87, bool), data.values[:, 0]])
    fit = LikelihoodForest().fit(Dataset(values, (*data.events, "never", "copy")))
    assert fit.undetermined == {
        "8q+": Reason.TIED,
        "never": Reason.NEVER,
        "copy": Reason.TIED,
    }


def test_it_is_bootstrapped():
    confidence = bootstrap(LikelihoodForest(), datasets.acml(), replicates=5, jobs=1)
    assert (confidence.votes.sum(axis=0) == 5).all()
