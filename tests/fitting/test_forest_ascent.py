"""The ascent: as high as the best of all forests, whatever the data and its order."""

import numpy as np
import pytest

import forest_definitions as definitions
from caprese.data.dataset import Dataset
from caprese.data.datasets import ovarian
from caprese.data.seen_orders import SeenOrders
from caprese.fitting.forest_ascent import ForestPrior, most_probable_forest
from caprese.models.forest import Forest, NoisyForest
from caprese.models.noise import Noise
from caprese.simulation.random_models import ForestRecipe

pytestmark = pytest.mark.slow


def noisy(seed, events=5, samples=60, nu=0.1, trees=1):
    rng = np.random.default_rng(seed)
    forest = ForestRecipe(events=events, trees=trees).draw(rng)
    return forest, Noise.uniform(nu).corrupt(forest.sample(samples, rng), rng)


@pytest.mark.parametrize("seed", range(6))
def test_without_errors_no_forest_is_more_probable(seed):
    rng = np.random.default_rng(seed)
    truth = Forest(tuple("abcd"), (-1, 0, 0, -1), rng.uniform(0.3, 0.9, 4))
    data = truth.sample(25, rng)
    found = most_probable_forest(data, prior=ForestPrior(), noise=Noise(0, 0))
    heights = [
        closed_form_height(data.values, parents) + ForestPrior().log_probability(np.array(parents))
        for parents in definitions.all_forests(4)
    ]
    assert found.log_posterior == pytest.approx(max(heights), abs=1e-4)


def closed_form_height(values, parents):
    """The highest log-likelihood of a forest without errors: shares among those reached."""
    height = 0.0
    for event, parent in enumerate(parents):
        reached = np.ones(len(values), bool) if parent == -1 else values[:, parent]
        if values[~reached, event].any():
            return -np.inf
        k, m = values[reached, event].sum(), reached.sum()
        height += sum(count * np.log(count / m) for count in (k, m - k) if count)
    return height


@pytest.mark.parametrize("seed", range(6))
def test_with_seen_orders_no_forest_is_more_probable(seed):
    rng = np.random.default_rng(seed)
    truth = Forest(tuple("abcd"), (-1, 0, 0, -1), rng.uniform(0.3, 0.9, 4))
    data = truth.sample(25, rng)
    rows, seen = [], []
    for name, values in zip(data.samples, data.values, strict=True):
        carried = rng.permutation(np.flatnonzero(values))[:2].tolist()
        if len(carried) == 2:
            seen.append((*carried, float(rng.uniform(0.7, 1))))
            rows.append((name, *(data.events[event] for event in carried), seen[-1][2]))
    orders = SeenOrders.from_rows(rows).within(data.samples, data.events)
    found = most_probable_forest(data, noise=Noise(0, 0), orders=orders)
    heights = [
        closed_form_height(data.values, parents)
        + ForestPrior().log_probability(np.array(parents))
        + definitions.log_of_orders(seen, parents)
        for parents in definitions.all_forests(4)
    ]
    assert found.log_posterior == pytest.approx(max(heights), abs=1e-4)
    own = NoisyForest(found.forest, found.noise).log_likelihood(data)
    assert found.log_likelihood == pytest.approx(own)


@pytest.mark.parametrize("seed", range(3))
def test_with_errors_no_forest_that_was_fitted_by_itself_is_likelier(seed):
    from caprese.fitting.forest_em import fit_forest

    _, data = noisy(seed, events=3)
    found = most_probable_forest(data, prior=None)
    best = max(
        fit_forest(Forest(data.events, parents, (0.5,) * 3), data).log_likelihood
        for parents in definitions.all_forests(3)
    )
    assert found.log_likelihood >= best - 0.02 or found.noise.false_negative > 0.49


def test_the_log_likelihood_is_that_of_the_forest_and_its_rates():
    _, data = noisy(1, events=12)
    for prior in (None, ForestPrior()):
        found = most_probable_forest(data, prior=prior)
        exact = NoisyForest(found.forest, found.noise).log_likelihood(data)
        assert found.log_likelihood == pytest.approx(exact, abs=1e-8)
        assert (found.log_posterior is None) == (prior is None)


def test_the_order_of_samples_and_events_does_not_matter():
    _, data = noisy(2, events=10, samples=80)
    found = most_probable_forest(data)
    rng = np.random.default_rng(1)
    names = [data.events[k] for k in rng.permutation(10)]
    shuffled = data.take_samples(rng.permutation(80)).take_events(names)
    other = most_probable_forest(shuffled)
    assert set(other.forest.edges) == set(found.forest.edges)
    assert other.noise == found.noise
    order = [names.index(event) for event in data.events]
    np.testing.assert_array_equal(other.forest.probabilities[order], found.forest.probabilities)


def test_renaming_events_renames_the_forest():
    _, data = noisy(3, events=8, samples=80)
    renamed = Dataset(data.values, tuple(reversed(data.events)))
    new = dict(zip(data.events, renamed.events, strict=True))
    edges = most_probable_forest(data).forest.edges
    assert set(most_probable_forest(renamed).forest.edges) == {(new[a], new[b]) for a, b in edges}


def test_a_start_can_only_help():
    truth, data = noisy(4, events=20, samples=250)
    alone = most_probable_forest(data, prior=None, perturbed=0)
    helped = most_probable_forest(data, prior=None, perturbed=0, starts=[truth.parents])
    assert helped.log_likelihood >= alone.log_likelihood - 1e-6
    assert len(helped.starts) == 2


DEGENERATE = {
    "one event": [[1], [0], [1]],
    "one sample": [[1, 0, 1]],
    "never and always": [[0, 1, 1], [0, 1, 0], [0, 1, 1]],
    "identical events": [[1, 1], [0, 0], [1, 1], [0, 0]],
    "unknown entries": [[1, None], [None, 0], [None, None], [1, 1]],
    "nothing known of an event": [[None, 1], [None, 0]],
}


@pytest.mark.parametrize("rows", DEGENERATE.values(), ids=DEGENERATE.keys())
@pytest.mark.parametrize("noise", [None, Noise(0, 0), Noise(0.1, 0.2)])
@pytest.mark.parametrize("prior", [None, ForestPrior()])
def test_every_data_set_has_an_answer(rows, noise, prior):
    data = Dataset.from_rows(rows, events="abc"[: len(rows[0])])
    found = most_probable_forest(data, noise=noise, prior=prior)
    assert np.isfinite(found.log_likelihood)
    exact = NoisyForest(found.forest, found.noise).log_likelihood(data)
    assert found.log_likelihood == pytest.approx(exact, abs=1e-8)


def test_the_ovarian_forest_is_likelier_than_that_of_the_paper():
    from caprese.fitting.forest_em import fit_forest

    paper = Forest(ovarian().events, (-1, 0, -1, 2, 0, -1, 4), (0.5,) * 7)
    reached = most_probable_forest(ovarian(), prior=None).log_likelihood
    assert reached > fit_forest(paper, ovarian()).log_likelihood + 5
