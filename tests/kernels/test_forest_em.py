"""EM for a forest: against expectations from sums in logarithms, and compiled against plain."""

import numpy as np
import pytest

from caprese import Noise
from caprese.kernels import forest_em as kernels
from caprese.models.forest import ROOT
from forest_observations import drawn_codes, drawn_forest, in_logarithms, model_of
from uncompiled import uncompiled


def drawn(rng, samples, events):
    """Return the arguments of the kernels, and the model at the point where they start."""
    parents, _ = drawn_forest(rng, events)
    probabilities, noise = rng.uniform(0.05, 0.95, events), Noise(*rng.uniform(0.01, 0.4, 2))
    model = model_of(parents, probabilities, noise)
    codes, times = drawn_codes(rng, samples, events), rng.integers(1, 9, samples)
    point = np.array([*probabilities, noise.false_positive, noise.false_negative])
    return (codes, times, *model[:2], point, np.ones(events + 2, dtype=np.uint8)), model


@pytest.mark.parametrize("samples", [1, 63, 64, 65, 200])
@pytest.mark.parametrize("events", [1, 2, 9, 100])
def test_a_step_takes_the_expectations_of_sums_in_logarithms(samples, events):
    arguments, model = drawn(np.random.default_rng([1, samples, events]), samples, events)
    codes, times, _, parents, point, _ = arguments
    logs, posterior = in_logarithms(codes, *model)
    occurred = times @ posterior
    chances = np.where(parents == ROOT, times.sum(), occurred[parents])
    (positive, rejected), (missed, confirmed) = (
        [(times @ (truth * (codes == code))).sum() for code in codes_seen]
        for truth, codes_seen in ((1 - posterior, (1, 0)), (posterior, (0, 1)))
    )
    log_likelihood, after = kernels.em_step(kernels.ForestEM(*arguments))
    assert log_likelihood == pytest.approx(times @ logs, rel=1e-12)
    np.testing.assert_allclose(after[:-2], np.minimum(occurred / chances, 1), rtol=1e-10)
    rates = [
        wrong / (wrong + right) if wrong + right else before
        for wrong, right, before in zip(
            (positive, missed), (rejected, confirmed), point[-2:], strict=True
        )
    ]
    if sum(rates) < 0.999:
        np.testing.assert_allclose(after[-2:], rates, rtol=1e-9)


@pytest.mark.parametrize(
    ("samples", "events", "fixed"), [(1, 1, ()), (3, 12, (0,)), (65, 3, (3,)), (7, 4, (4, 5))]
)
def test_compiled_steps_are_those_of_python(samples, events, fixed):
    arguments, _ = drawn(np.random.default_rng([2, samples, events]), samples, events)
    arguments[-1][list(fixed)] = 0
    plain = uncompiled("forest_em")
    found, expected = (module.em_step(module.ForestEM(*arguments)) for module in (kernels, plain))
    assert found[0] == pytest.approx(expected[0], rel=1e-13)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-13)
    slopes = [module.slopes(module.ForestEM(*arguments)) for module in (kernels, plain)]
    assert slopes[0][0] == found[0]
    np.testing.assert_allclose(slopes[0][1], slopes[1][1], rtol=1e-10, atol=1e-12)
    assert (slopes[0][1][list(fixed)] == 0).all()
    found = kernels.maximise_likelihood(kernels.ForestEM(*arguments), 1e-3, 4)
    expected = plain.maximise_likelihood(plain.ForestEM(*arguments), 1e-3, 4)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-10)  # of several steps
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-12)
    assert found[2] is expected[2]


@pytest.mark.parametrize("samples", [1, 65])
def test_slopes_are_those_of_the_log_likelihood_by_log_odds(samples):
    arguments, _ = drawn(np.random.default_rng([3, samples]), samples, 5)
    before, point = arguments[:4], arguments[4]
    free = arguments[5]

    def height(odds):
        return kernels.em_step(kernels.ForestEM(*before, 1 / (1 + np.exp(-odds)), free))[0]

    odds = np.log(point / (1 - point))
    steps = 1e-5 * np.eye(len(odds))
    expected = [(height(odds + step) - height(odds - step)) / 2e-5 for step in steps]
    _, found = kernels.slopes(kernels.ForestEM(*arguments))
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4 * samples)


def test_without_steps_the_point_stays_and_the_log_likelihood_is_that_of_the_point():
    arguments, model = drawn(np.random.default_rng(3), 10, 3)
    point, history, converged = kernels.maximise_likelihood(kernels.ForestEM(*arguments), 1e-7, 0)
    assert point.tolist() == arguments[4].tolist()
    assert history == pytest.approx([arguments[1] @ in_logarithms(arguments[0], *model)[0]])
    assert converged is False
