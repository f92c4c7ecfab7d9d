"""A later sample of a patient given an earlier one, against the matrix of all transitions."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caprese import Dataset
from caprese.errors import ModelError
from caprese.models.hazards import Hazards
from caprese.models.independence import Independence
from caprese.models.noise import Noise
from caprese.models.poset import NoisyPoset, TimedPoset
from caprese.models.series import MOST_OPEN, later_log_probabilities
from caprese.models.stacked import Stacked


def transitions(model, ended):
    """The probability of each genotype after an exponential time, from each: (1 - Q / rate)^-1."""
    genotypes = [*product((False, True), repeat=len(model.events))]
    generator = np.zeros((len(genotypes),) * 2)
    for row, genotype in enumerate(genotypes):
        for event, rate in enumerate(model.next_rates(np.array([genotype]))[0]):
            if rate:
                after = (*genotype[:event], True, *genotype[event + 1 :])
                generator[row, genotypes.index(after)] = rate
        generator[row, row] = -generator[row].sum()
    return genotypes, np.linalg.inv(np.eye(len(genotypes)) - generator / ended)


def seen_as(genotype, codes, noise):
    chance = 1.0
    for there, code in zip(genotype, codes, strict=True):
        wrong = noise.false_negative if there else noise.false_positive
        chance *= 1.0 if code == 2 else wrong if bool(code) != there else 1 - wrong
    return chance


def definition(model, truth, noise, before, after, ended):
    """Sum over the true genotypes of both samples; what was there before is not asked again."""
    genotypes, moves = transitions(truth, ended)
    asked = [2 if code == 1 else own for code, own in zip(before, after, strict=True)]
    data = Dataset.from_rows(genotypes, model.events)
    likely = np.exp(truth.log_probabilities(data))
    start = np.array([seen_as(each, before, noise) for each in genotypes])
    start = start * likely if noise != Noise() or 2 in before else start
    start /= start.sum()
    return start @ moves @ [seen_as(each, asked, noise) for each in genotypes]


def rows(codes, events):
    return Dataset.from_rows([[None if k == 2 else k for k in row] for row in codes], events)


CODES = st.lists(st.sampled_from([0, 1, 2]), min_size=3, max_size=3)
HAZARDS = Hazards(
    ("a", "b", "c"),
    (0.7, 1.5, 0.2),
    ((1.0, 3.0, 1.0), (0.5, 1.0, 2.0), (1.0, 1.0, 1.0)),
    (1.0, 1.4, 1.0),
)
POSET = TimedPoset(("a", "b", "c"), ((), (0,), ()), (1.2, 2.0, 0.4))


@settings(max_examples=60)
@given(before=CODES, after=CODES, ended=st.sampled_from([0.2, 1.0, 5.0]))
@pytest.mark.parametrize("model", [HAZARDS, POSET, NoisyPoset(POSET, 0.1)], ids=str)
def test_the_probability_is_that_of_the_matrix_of_transitions(model, before, after, ended):
    noise = getattr(model, "noise", Noise())
    truth = getattr(model, "truth", model)
    if model is POSET and before[1] == 1 and before[0] == 0:
        before = [1, 1, before[2]]  # else it cannot be
    expected = definition(model, truth, noise, before, after, ended)
    earlier, later = rows([before], model.events), rows([after], model.events)
    found = later_log_probabilities(model, earlier, later, np.array([1.0, ended]))
    assert np.exp(found[1, 0]) == pytest.approx(expected, abs=1e-12)


def test_what_may_come_next_sums_to_one():
    later = rows([*product((0, 1), repeat=3)], "abc")
    earlier = rows([[0, 0, 0]] * 8, "abc")
    found = later_log_probabilities(HAZARDS, earlier, later, np.array([0.5]))
    assert np.exp(found).sum() == pytest.approx(1)


def test_a_mixture_counts_its_parts_by_what_they_say_of_the_earlier_sample():
    other = TimedPoset(("a", "b", "c"), ((), (), (1,)), (0.3, 0.3, 3.0))
    mixture = Stacked((POSET, other), np.array([0.3, 0.7]))
    earlier, later = rows([[1, 0, 0]], "abc"), rows([[1, 1, 0]], "abc")
    each = [
        np.exp(later_log_probabilities(model, earlier, later, np.ones(1))[0, 0])
        for model in (POSET, other)
    ]
    own = [np.exp(model.log_probabilities(earlier)[0]) for model in (POSET, other)]
    weights = np.array([0.3 * own[0], 0.7 * own[1]])
    expected = weights @ each / weights.sum()
    found = later_log_probabilities(mixture, earlier, later, np.ones(1))
    assert np.exp(found[0, 0]) == pytest.approx(expected)


def test_a_simulated_patient_is_seen_again_as_often_as_said():
    rng = np.random.default_rng(3)
    drawn = 20000
    ended, rate = rng.exponential(size=drawn) / 2.0, POSET.rates
    a, b = rng.exponential(size=drawn) / rate[0], rng.exponential(size=drawn) / rate[1]
    share = ((a <= ended) & (a + b > ended)).mean()
    earlier, later = rows([[0, 0, 1]], "abc"), rows([[1, 0, 1]], "abc")
    found = later_log_probabilities(POSET, earlier, later, np.array([2.0]))
    assert abs(np.exp(found[0, 0]) - share) < 4 * np.sqrt(share / drawn)


def test_a_model_without_a_clock_is_refused():
    model, data = Independence(("a",), (0.5,)), rows([[0]], "a")
    with pytest.raises(ModelError, match="models with a clock, which this has not"):
        later_log_probabilities(model, data, data, np.ones(1))


def test_too_many_events_between_two_samples_are_refused():
    names = tuple(f"e{k:02d}" for k in range(MOST_OPEN + 1))
    model = Hazards(names, np.ones(len(names)), np.ones((len(names),) * 2))
    data = rows([[0] * len(names), [1] * len(names)], names)
    with pytest.raises(ModelError, match="15 events may have come between two samples; the most"):
        later_log_probabilities(model, data.take_samples([0]), data.take_samples([1]), np.ones(1))
