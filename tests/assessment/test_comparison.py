"""Comparison: several methods on the same data, judged by the same likelihood."""

import math
from dataclasses import replace

import numpy as np
import pytest

from caprese import datasets as embedded
from caprese.assessment.comparison import compare
from caprese.data.dataset import Dataset
from caprese.fitting.forest_em import fit_forest
from caprese.methods import BayesForest, Caprese, Oncotree
from caprese.models.forest import NoisyForest
from caprese.models.noise import Noise
from caprese.text.comparison import comparison_lines
from shapes import BINARY

METHODS = [Caprese(), Caprese(shrinkage=0.01), Oncotree(), Oncotree(search="branching")]


def test_each_method_is_fitted_as_it_would_be_alone():
    data = embedded.ovarian()
    found = compare(METHODS, data)
    assert [one.fit for one in found] == [method.fit(data) for method in METHODS]


def test_each_forest_is_judged_by_its_highest_likelihood():
    data = embedded.ovarian()
    for one in compare(METHODS, data):
        assert one.estimate == fit_forest(one.fit.model, data)
        seen = NoisyForest(one.estimate.forest, one.estimate.noise)
        assert one.estimate.log_likelihood == pytest.approx(seen.log_likelihood(data))
        assert one.estimate.forest.parents.tolist() == one.fit.model.parents.tolist()


def test_equal_forests_are_equally_likely():
    one, other, *_ = compare(METHODS, embedded.ovarian())
    assert one.fit.model == other.fit.model
    assert (one.estimate, one.bic) == (other.estimate, other.bic)


def test_the_criterion_counts_a_probability_for_each_event_and_two_rates():
    for one in compare(METHODS, embedded.ovarian()):
        expected = 9 * math.log(87) - 2 * one.estimate.log_likelihood
        assert one.bic == pytest.approx(expected)


def test_the_likelihood_of_subtypes_is_that_of_all_of_them_together():
    data = embedded.ovarian()
    plain, mixture = compare([Caprese(), BayesForest(subtypes=2, draws=40, warm_up=40)], data)
    assert (plain.mixes, plain.log_likelihood) == (False, plain.estimate.log_likelihood)
    assert len(mixture.fit.evidence.subtypes) == 2
    expected = sum(mixture.fit.predictive.log_probabilities(data))
    assert mixture.log_likelihood == pytest.approx(expected)
    assert mixture.log_likelihood != pytest.approx(mixture.estimate.log_likelihood)
    assert mixture.bic is None
    note = "B: the log-likelihood is of all subtypes together, the rest of the stated forest"
    assert note in comparison_lines([plain, mixture])
    without = replace(mixture, fit=replace(mixture.fit, posterior=None))
    assert without.log_likelihood is None


def test_the_true_tree_is_told_from_a_wrong_one():
    """Without recovery the errors hide an edge from CAPRESE with little shrinkage."""
    noise = Noise(0.1, 0.1)
    data = NoisyForest(BINARY, noise).sample(1000, np.random.default_rng(131))
    told, plain = compare([Caprese(shrinkage=0.01, noise=noise), Caprese(shrinkage=0.01)], data)
    assert told.fit.model.parents.tolist() == BINARY.parents.tolist()
    assert plain.fit.model.parents.tolist() != BINARY.parents.tolist()
    assert told.estimate.log_likelihood > plain.estimate.log_likelihood
    assert told.bic < plain.bic


def test_a_method_that_allows_for_errors_is_judged_like_any_other():
    """Its own rates are held; the judge's are free, and no less likely."""
    data = embedded.ovarian()
    (one,) = compare([Oncotree(noise=Noise(0.1, 0.1))], data)
    assert one.fit.recovery.noise == Noise(0.1, 0.1)
    assert one.estimate.noise != Noise(0.1, 0.1)
    assert one.estimate.log_likelihood > one.fit.recovery.log_likelihood


@pytest.mark.parametrize("rows", [[[1]], [[0, 0], [0, 0]], [[None, None]], [[1, None], [0, 1]]])
def test_poor_data_are_compared_too(rows):
    data = Dataset.from_rows(rows, events="ab"[: len(rows[0])])
    for one in compare(METHODS, data):
        assert math.isfinite(one.bic)


def test_nothing_to_compare_is_nothing():
    assert compare([], embedded.ovarian()) == ()
