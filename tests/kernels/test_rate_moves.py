"""Error rates under priors that leave hardly any room for them."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import beta, kstest

from caprese import BayesForest, datasets
from uncompiled import uncompiled

moves = uncompiled("rate_moves")


def drawn(first, second, number=300):
    stream, prior = np.array([1], dtype=np.uint64), SimpleNamespace()
    prior.rate_first, prior.rate_second = first, second
    return np.array([moves._draw_rate(stream, prior) for _ in range(number)])


@pytest.mark.parametrize(("first", "second"), [(1, 20), (2, 2), (60, 2), (300, 100)])
def test_rates_are_drawn_from_the_part_of_the_prior_below_one_half(monkeypatch, first, second):
    monkeypatch.setattr(moves, "_TRIES", 50)
    prior = beta(first, second)
    assert kstest(drawn(first, second), lambda x: prior.cdf(x) / prior.cdf(0.5)).pvalue > 0.001


@pytest.mark.parametrize("first", [1e-300, 1.0, 1e300])
@pytest.mark.parametrize("second", [1e-300, 1.0, 1e300])
def test_a_rate_is_drawn_from_a_prior_at_the_end_of_all_numbers(monkeypatch, first, second):
    monkeypatch.setattr(moves, "_TRIES", 50)
    rates = drawn(first, second, number=20)
    assert (rates > 0).all()
    assert (rates < 0.5).all()


def test_a_slice_ends_where_no_other_rate_can_be_told_from_the_present_one():
    prior = {"rate_first": 1.0, "rate_second": 1e300}
    method = BayesForest(subtypes=2, chains=1, draws=20, warm_up=20, thin=1, **prior)
    fit = method.fit(datasets.ovarian())
    assert np.isfinite(fit.predictive.log_probabilities(datasets.ovarian())).all()
