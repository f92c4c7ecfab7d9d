"""What models say of a sample's place, against sums over all true genotypes."""

import itertools
import math

import numpy as np
import pytest

from caprese import (
    ROOT,
    ConjunctiveDag,
    Dataset,
    Forest,
    Independence,
    Noise,
    NoisyDag,
    NoisyForest,
    NoisyPoset,
    Posterior,
    TimedPoset,
)
from caprese.models.base import PlacingModel
from caprese.models.forest import integration_times
from caprese.models.states import mixture_median

EVENTS = tuple("abcde")
FOREST = Forest(EVENTS, (ROOT, 0, 0, ROOT, 3), (0.7, 0.5, 0.2, 0.9, 0.4))
DAG = ConjunctiveDag(EVENTS, ((), (), (0, 1), (0,), (2, 3)), (0.7, 0.5, 0.6, 0.9, 0.4))
POSET = TimedPoset(EVENTS, ((), (), (0, 1), (0,), (2, 3)), (2.0, 0.5, 3.0, 0.1, 1.0))


def posterior(components: int) -> Posterior:
    rng = np.random.default_rng(3)
    shape = (2, 3, components)
    parents = np.where(rng.random((*shape, 5)) < 0.5, ROOT, np.arange(5) - 1)
    weights = rng.dirichlet(np.ones(components), size=shape[:2])
    return Posterior(
        EVENTS,
        parents,
        rng.uniform(0.2, 0.8, (*shape, 5)),
        rng.uniform(0.01, 0.2, (2, 3, 2)),
        weights,
        np.full(shape, 0.5),
        np.zeros((2, 3)),
        np.ones(3),
    )


NOISY = [
    NoisyForest(FOREST, Noise(0.1, 0.2)),
    NoisyForest(FOREST, Noise()),
    NoisyDag(DAG, Noise(0.05, 0.1)),
    NoisyPoset(POSET, 0.1),
]
AVERAGED = [posterior(1), posterior(2)]
PLAIN = [FOREST, DAG, POSET, Independence(EVENTS, (0.5, 0.2, 0.8, 0.3, 0.6))]
MODELS = [*NOISY, *AVERAGED, *PLAIN]
ROWS = [
    [0, 0, 0, 0, 0],
    [1, 0, 0, 0, 0],
    [1, 1, 0, 0, None],
    [None, 1, 0, 1, 0],
    [1, 1, 1, 1, 1],
    [None, None, None, None, None],
]
named = pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)


def simple_models(model):
    """Return models of which the model is an average, each with its share."""
    if not isinstance(model, Posterior):
        return [(model, 1.0)]
    parents, numbers, rates, weights = model._arrays()
    return [
        (
            NoisyForest(
                Forest(EVENTS, parents[draw, part], numbers[draw, part]), Noise(*rates[draw, part])
            ),
            weights[draw, part] / len(parents),
        )
        for draw in range(len(parents))
        for part in range(parents.shape[1])
    ]


def truth_of(model):
    """Return the model of true genotypes, and the two error rates."""
    for name in ("forest", "dag", "poset"):
        if hasattr(model, name):
            return getattr(model, name), (model.noise.false_positive, model.noise.false_negative)
    return model, (0.0, 0.0)


def weights_of_truths(model, row):
    """Yield each true genotype with its probability together with the row, and the rates in it."""
    truth, (positive, negative) = truth_of(model)
    for genotype in itertools.product((0, 1), repeat=len(EVENTS)):
        own = Dataset.from_rows([genotype], events=EVENTS)
        chance = math.exp(truth.log_probabilities(own)[0])
        for true, seen in zip(genotype, row, strict=True):
            if seen is not None:
                wrong = negative if true else positive
                chance *= 1 - wrong if seen == true else wrong
        yield genotype, chance, truth.next_rates(np.array([genotype], dtype=bool))[0]


def literally(model, row):
    """Return counts, next events and waits of one row, by summing over models and genotypes."""
    counts, nexts, total = np.zeros(6), np.zeros(5), 0.0
    waits = [[] for _ in EVENTS]
    joint = {}
    for part, share in simple_models(model):
        for genotype, chance, rates in weights_of_truths(part, row):
            weight = share * chance
            joint[genotype] = joint.get(genotype, 0.0) + weight
            total += weight
            counts[sum(genotype)] += weight
            if rates.sum() > 0:
                nexts += weight * rates / rates.sum()
            for event, rate in enumerate(rates):
                if rate > 0 and weight > 0:
                    waits[event].append((weight, rate))
    return counts / total, nexts / total, waits, joint


@named
def test_it_is_a_model_that_places_samples(model):
    assert isinstance(model, PlacingModel)


@pytest.mark.slow
@named
def test_counts_and_next_events_are_sums_over_all_true_genotypes(model):
    data = Dataset.from_rows(ROWS[:-1] if model in PLAIN else ROWS, events=EVENTS)
    possible = np.isfinite(model.log_probabilities(data))
    counts, nexts = model.count_probabilities(data), model.next_probabilities(data)
    for k, row in enumerate(ROWS[: len(data.samples)]):
        if possible[k]:
            expected = literally(model, row)
            assert counts[k] == pytest.approx(expected[0], abs=1e-9)
            assert nexts[k] == pytest.approx(expected[1], abs=1e-9)


@pytest.mark.slow
@named
def test_half_of_the_waiting_is_over_at_the_median(model):
    data = Dataset.from_rows(ROWS, events=EVENTS)
    possible = np.isfinite(model.log_probabilities(data))
    medians = model.waiting_medians(data)
    for k, row in enumerate(ROWS):
        for event, waits in enumerate(literally(model, row)[2] if possible[k] else []):
            median = medians[k, event]
            if waits:
                later = sum(weight * math.exp(-rate * median) for weight, rate in waits)
                assert later / sum(weight for weight, _ in waits) == pytest.approx(0.5, abs=1e-7)
            else:
                assert math.isnan(median)


@pytest.mark.slow
@named
def test_no_genotype_is_more_probable_than_the_one_told(model):
    data = Dataset.from_rows(ROWS, events=EVENTS)
    possible = np.isfinite(model.log_probabilities(data))
    found = model.likeliest_genotypes(data).astype(int)
    for k, row in enumerate(ROWS):
        if possible[k]:
            joint = literally(model, row)[3]
            assert joint[tuple(found[k])] == pytest.approx(max(joint.values()))


@named
def test_answers_stand_in_the_columns_of_the_data(model):
    data = Dataset.from_rows(ROWS[:4], events=EVENTS)
    shuffled = ("d", "a", "e", "c", "b")
    columns = [EVENTS.index(event) for event in shuffled]
    turned = data.take_events(shuffled)
    for question in ("likeliest_genotypes", "next_probabilities", "waiting_medians"):
        straight = getattr(model, question)(data)[:, columns]
        np.testing.assert_array_equal(getattr(model, question)(turned), straight)
    np.testing.assert_array_equal(
        model.count_probabilities(turned), model.count_probabilities(data)
    )


def test_with_the_genotype_known_the_next_event_has_its_rate_over_the_sum():
    data = Dataset.from_rows([[1, 1, 0, 0, 0], [1, 0, 0, 0, 0]], events=EVENTS)
    expected = [[0, 0, 3 / 3.1, 0.1 / 3.1, 0], [0, 0.5 / 0.6, 0, 0.1 / 0.6, 0]]
    assert POSET.next_probabilities(data) == pytest.approx(np.array(expected))


def test_an_event_that_always_follows_is_never_waited_for():
    sure = Forest(("a", "b"), (ROOT, 0), (0.5, 1.0))
    data = Dataset.from_rows([[0, 0], [1, 1]], events="ab")
    assert sure.next_probabilities(data) == pytest.approx(np.array([[1, 0], [0, 0]]))
    assert np.isnan(sure.waiting_medians(data)).tolist() == [[False, True], [True, True]]


def test_an_event_that_never_comes_is_never_next():
    never = Forest(("a", "b"), (ROOT, ROOT), (0.5, 0.0))
    data = Dataset.from_rows([[0, 0], [1, 0]], events="ab")
    assert never.next_probabilities(data) == pytest.approx(np.array([[1, 0], [0, 0]]))


@pytest.mark.parametrize("rates", [(1e-6, 1.0, 1e4), (0.3,), (1e9, 1e-9)])
def test_times_integrate_any_exponential(rates):
    times, steps = integration_times(np.array(rates))
    for total in (min(rates), sum(rates)):
        assert (steps * total * np.exp(-total * times)).sum() == pytest.approx(1, abs=1e-10)


def test_the_median_of_equal_times_is_that_of_one():
    found = mixture_median(np.array([2.0, 2.0]), np.array([[0.3, 0.4], [0.0, 0.0]]))
    assert found[0] == pytest.approx(math.log(2) / 2)
    assert math.isnan(found[1])


def test_many_events_are_placed_too():
    """A chain of 300, of which the first 100 are seen."""
    events = tuple(f"e{k}" for k in range(300))
    chain = NoisyForest(Forest(events, np.arange(300) - 1, np.full(300, 0.9)), Noise(0.01, 0.01))
    data = Dataset.from_rows([[1] * 100 + [0] * 200], events=events)
    assert chain.count_probabilities(data)[0].argmax() == 100
    assert chain.next_probabilities(data)[0].argmax() == 100
    assert chain.next_probabilities(data)[0].sum() == pytest.approx(1)
