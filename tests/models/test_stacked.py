"""A mixture of models against its literal definition."""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pytest

from caprese import (
    ConjunctiveDag,
    Dataset,
    Forest,
    Hazards,
    Independence,
    ModelError,
    Noise,
    NoisyForest,
    NoisyPoset,
    TimedPoset,
    place,
    read_model,
    write_model,
)
from caprese.fitting.estimate import can_place, placing
from caprese.models.base import (
    AveragedModel,
    OrderingModel,
    PlacingModel,
    has_clock,
    pair_order_probabilities,
)
from caprese.models.stacked import Stacked

ABC = tuple("abc")
ROWS = [[1, 0, 1], [0, None, 1], [1, 1, 1], [0, 0, 0], [1, None, None]]
FOREST = NoisyForest(Forest(ABC, (-1, 0, 0), (0.8, 0.5, 0.3)), Noise(0.05, 0.1))
HAZARDS = Hazards(ABC, (1.0, 0.5, 0.4), ((1.0, 4.0, 1.0), (1.0, 1.0, 0.2), (2.0, 1.0, 1.0)))
POSET = NoisyPoset(TimedPoset(ABC, ((), (0,), (0,)), (1.0, 2.0, 0.5)), 0.05)
ALONE = Independence(ABC, (0.6, 0.3, 0.2))
MODELS, WEIGHTS = (FOREST, HAZARDS, ALONE), (0.5, 0.3, 0.2)


@dataclass(frozen=True)
class Timeless:
    """A model without a clock, which says of the first of two events that it came first."""

    events: tuple[str, ...] = ABC

    def log_probabilities(self, data):
        return ALONE.log_probabilities(data)

    def event_probabilities(self, data):
        return ALONE.event_probabilities(data)

    def sample(self, samples, rng):
        return ALONE.sample(samples, rng)

    def order_probabilities(self, _data, pairs):
        return np.ones(len(pairs))


@dataclass(frozen=True)
class Ancestral(Timeless):
    """A model with an order, which does not say itself which of two events came first."""

    order_probabilities = None
    edges = FOREST.forest.edges

    def adjacency(self):
        return FOREST.forest.adjacency()

    def ancestors(self):
        return FOREST.forest.ancestors()


@pytest.fixture
def data():
    return Dataset.from_rows(ROWS, ABC)


@pytest.fixture
def stacked():
    return Stacked(MODELS, WEIGHTS)


def shares(models, weights, data, sample):
    """By how much each model counts for a sample: by Bayes."""
    one = data.take_samples([sample])
    likely = [w * np.exp(m.log_probabilities(one)[0]) for m, w in zip(models, weights, strict=True)]
    return np.array(likely) / sum(likely)


def average(models, weights, data, question):
    return np.array(
        [
            sum(
                share * question(model, data.take_samples([row]))[0]
                for share, model in zip(shares(models, weights, data, row), models, strict=True)
            )
            for row in range(len(data.samples))
        ]
    )


def test_the_probability_of_a_sample_is_the_weighted_sum(stacked, data):
    each = [np.exp(model.log_probabilities(data)) for model in MODELS]
    expected = np.log(np.array(WEIGHTS) @ np.array(each))
    assert stacked.log_probabilities(data) == pytest.approx(expected)
    every = Dataset.from_rows(list(product([0, 1], repeat=3)), ABC)
    assert np.exp(stacked.log_probabilities(every)).sum() == pytest.approx(1)


@pytest.mark.parametrize("question", ["event_probabilities", "count_probabilities"])
def test_answers_are_those_of_the_models_by_how_well_each_predicts_the_sample(
    stacked, data, question
):
    expected = average(MODELS, WEIGHTS, data, lambda model, one: getattr(model, question)(one))
    np.testing.assert_allclose(getattr(stacked, question)(data), expected)


def test_the_order_of_the_columns_does_not_matter(stacked, data):
    other = data.take_events(("c", "a", "b"))
    for question in ("event_probabilities", "next_probabilities", "waiting_medians"):
        expected = getattr(stacked, question)(data)[:, [2, 0, 1]]
        np.testing.assert_allclose(getattr(stacked, question)(other), expected)
    assert (
        stacked.likeliest_genotypes(other) == stacked.likeliest_genotypes(data)[:, [2, 0, 1]]
    ).all()


def test_samples_follow_the_mixture_whatever_the_order_of_the_events(stacked):
    every = Dataset.from_rows(list(product([0, 1], repeat=3)), ABC)
    drawn = stacked.sample(40_000, np.random.default_rng(1))
    seen = np.bincount(drawn.values @ [4, 2, 1], minlength=8) / 40_000
    np.testing.assert_allclose(seen, np.exp(stacked.log_probabilities(every)), atol=0.01)
    turned = Stacked(
        (
            NoisyForest(Forest(("c", "b", "a"), (2, 2, -1), (0.3, 0.5, 0.8)), Noise(0.05, 0.1)),
            HAZARDS.in_order(("c", "b", "a")),
            Independence(("c", "b", "a"), (0.2, 0.3, 0.6)),
        ),
        WEIGHTS,
    )
    again = turned.sample(500, np.random.default_rng(2)).take_events(ABC)
    assert (again.values == stacked.sample(500, np.random.default_rng(2)).values).all()


def test_what_comes_next_is_said_by_the_models_with_a_clock_alone(data):
    stacked = Stacked((Timeless(), FOREST, POSET, HAZARDS), (0.5, 0.1, 0.1, 0.3))
    clocks = Stacked((POSET, HAZARDS), (0.25, 0.75))
    assert can_place(stacked)
    for question in ("next_probabilities", "waiting_medians"):
        expected = getattr(clocks, question)(data)
        np.testing.assert_allclose(getattr(stacked, question)(data), expected)
    expected = average(
        clocks.models, clocks.weights, data, lambda model, one: model.next_probabilities(one)
    )
    np.testing.assert_allclose(stacked.next_probabilities(data), expected)
    assert [type(part) for part, _ in stacked.parts(data)] == [NoisyPoset, Hazards]
    without = Stacked((Timeless(), POSET), (1.0, 0.0))  # then those with a clock, equally
    expected = POSET.next_probabilities(data)
    np.testing.assert_allclose(without.next_probabilities(data), expected)


def test_how_far_samples_are_is_said_by_forests_too(data):
    stacked = Stacked((Timeless(), FOREST, HAZARDS), (0.6, 0.1, 0.3))
    placing_parts = Stacked((FOREST, HAZARDS), (0.25, 0.75))
    expected = placing_parts.count_probabilities(data)
    np.testing.assert_allclose(stacked.count_probabilities(data), expected)


def test_forests_dags_and_independent_events_have_no_clock():
    dag = ConjunctiveDag(ABC, ((), (), (0, 1)), (0.5, 0.8, 0.5))
    for model in (FOREST.forest, FOREST, ALONE, dag, Stacked((FOREST, ALONE), (0.5, 0.5))):
        assert isinstance(model, PlacingModel)
        assert not has_clock(model)
    assert not has_clock(Timeless())
    for model in (HAZARDS, POSET, POSET.poset, Stacked((FOREST, POSET), (0.5, 0.5))):
        assert has_clock(model)


def test_what_is_truly_there_can_be_said_by_those_that_allow_for_errors():
    stacked = Stacked((HAZARDS, FOREST, ALONE), (0.5, 0.3, 0.2))
    assert stacked.with_errors() == Stacked((FOREST,), (1.0,))
    assert Stacked((HAZARDS, ALONE), (0.5, 0.5)).with_errors().models == (HAZARDS, ALONE)


def test_a_stack_in_which_samples_have_no_place_is_refused(data):
    stacked = Stacked((Timeless(),), (1.0,))
    assert not can_place(stacked)
    with pytest.raises(ModelError, match="samples have no place in any part of this stack"):
        placing(stacked)
    with pytest.raises(ModelError, match="samples have no place in any part of this stack"):
        place(stacked, data)


def test_its_error_rates_are_averaged(stacked):
    assert stacked.noise.rates == pytest.approx([0.025, 0.05])


def test_an_order_is_weighted_and_left_open_by_models_that_do_not_say(data):
    pairs = np.array([[2, 0, 1], [0, 2, 0], [2, 2, 1]])
    stacked = Stacked((Timeless(), Independence(ABC, (0.2, 0.2, 0.2))), (0.5, 0.5))
    expected = []
    for sample, _, _ in pairs:
        says, _ = shares(stacked.models, (0.5, 0.5), data, sample)
        expected.append(says + (1 - says) / 2)
    assert isinstance(stacked, OrderingModel)
    assert stacked.order_probabilities(data, pairs) == pytest.approx(expected)
    assert Stacked((ALONE,), (1.0,)).order_probabilities(data, pairs).tolist() == [0.5] * 3


def test_a_part_with_an_order_says_it_by_its_ancestors(data):
    pairs = np.array([[0, 0, 2], [2, 2, 0], [2, 1, 2]])
    found = Stacked((Ancestral(),), (1.0,)).order_probabilities(data, pairs)
    assert found.tolist() == [1.0, 0.0, 0.5]


def test_the_likeliest_genotype_is_that_of_the_models_that_count_most_together():
    sure = Independence(ABC, (0.6, 0.3, 0.9))
    data = Dataset.from_rows([[1, 0, None]], ABC)
    assert Stacked((ALONE, sure), (0.7, 0.3)).likeliest_genotypes(data).tolist() == [[1, 0, 0]]
    together = Stacked((ALONE, sure, sure), (0.4, 0.3, 0.3))
    assert together.likeliest_genotypes(data).tolist() == [[1, 0, 1]]


def test_the_median_time_is_that_of_a_mixture_of_exponential_times(data):
    found = Stacked((POSET, HAZARDS), (0.5, 0.5)).waiting_medians(data)[3]
    medians = np.array([model.waiting_medians(data)[3] for model in (POSET, HAZARDS)])
    share = shares((POSET, HAZARDS), (0.5, 0.5), data, 3)
    for event in range(3):
        later = share @ np.exp(-np.log(2) * found[event] / medians[:, event])
        assert later == pytest.approx(0.5 * share.sum())


def test_orders_come_from_all_parts_of_parts(stacked, data):
    nested = Stacked((stacked, POSET), (0.5, 0.5))
    parts = list(nested.parts(data))
    assert [type(part) for part, _ in parts] == [Hazards, NoisyPoset]
    assert sum(share for _, share in parts) == pytest.approx(np.ones(5))
    assert isinstance(nested, AveragedModel)
    assert isinstance(nested, PlacingModel)
    placed = place(nested, data, simulated=100)
    assert sum(placed.orders(data.samples[2], 6).probabilities) == pytest.approx(1)


def test_a_sample_that_no_model_allows_is_impossible_and_counts_by_weight():
    never = Independence(("a",), (0.0,))
    stacked = Stacked((never, never), (0.25, 0.75))
    data = Dataset.from_rows([[1]], events="a")
    assert stacked.log_probabilities(data)[0] == -np.inf
    assert stacked.shares(data)[:, 0].tolist() == [0.25, 0.75]


def test_orders_and_what_comes_next_may_have_weights_of_their_own(data):
    models, by_order = (FOREST, HAZARDS, POSET), np.array([0.5, 0.1, 0.4])
    plain, apart = Stacked(models, WEIGHTS), Stacked(models, WEIGHTS, by_order)
    pairs = np.array([[0, 0, 2], [2, 0, 1], [2, 1, 2]])
    says = np.array([pair_order_probabilities(model, data, pairs) for model in models])
    np.testing.assert_allclose(apart.order_probabilities(data, pairs), by_order @ says)
    nexts = [model.next_probabilities(data) for model in (HAZARDS, POSET)]
    expected = 0.2 * nexts[0] + 0.8 * nexts[1]
    np.testing.assert_allclose(apart.next_probabilities(data), expected)
    assert [share.round(9).tolist() for _, share in apart.parts(data)] == [[0.2] * 5, [0.8] * 5]
    for each in ("log_probabilities", "event_probabilities", "count_probabilities"):
        np.testing.assert_array_equal(getattr(apart, each)(data), getattr(plain, each)(data))


def test_a_mixture_comes_back_from_its_file(stacked, tmp_path):
    apart = Stacked(MODELS, WEIGHTS, (0.2, 0.8, 0.0))
    write_model(apart, tmp_path / "apart.json")
    assert read_model(tmp_path / "apart.json") == apart
    write_model(Stacked((stacked, FOREST), (0.5, 0.5)), tmp_path / "model.json")
    assert read_model(tmp_path / "model.json") == Stacked((stacked, FOREST), (0.5, 0.5))


def test_a_part_of_an_unknown_kind_is_not_written(tmp_path):
    with pytest.raises(ModelError, match="a Timeless has no name in files: register it with"):
        write_model(Stacked((Timeless(),), (1.0,)), tmp_path / "model.json")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("models", "weights", "why"),
    [
        (MODELS, (0.5, 0.5), r"weights must have shape \(3,\), got \(2,\)"),
        (MODELS, (0.5, 0.6, -0.1), "weights must sum to 1 and not be negative, got "),
        (MODELS, (0.5, 0.3, 0.1), "weights must sum to 1 and not be negative, got "),
        ((), (1.0,), "models of a stack must be one or more"),
        (
            (ALONE, replace(ALONE, events=("b", "a", "c"))),
            (0.5, 0.5),
            "models of a stack must have the same events in the same order",
        ),
    ],
)
def test_what_cannot_be_mixed_is_refused(models, weights, why):
    with pytest.raises(ModelError, match=f"^{why}"):
        Stacked(models, weights)


def test_weights_of_orders_that_are_none_are_refused():
    with pytest.raises(ModelError, match=r"^order_weights must sum to 1 and not be negative, got"):
        Stacked(MODELS, WEIGHTS, (0.2, 0.9, 0.0))
