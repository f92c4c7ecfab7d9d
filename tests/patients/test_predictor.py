"""What samples are placed by follows from a judgement."""

from dataclasses import replace

import numpy as np
import pytest

from caprese import (
    HCBN,
    MHN,
    ROOT,
    Caprese,
    Dataset,
    Forest,
    IndependentEvents,
    LikelihoodForest,
    Noise,
    Oncotree,
    Stack,
    datasets,
    judge,
)
from caprese._core.facts import CHAINS_DISAGREE
from caprese.assessment.judgement import Doubt
from caprese.fitting.stacking import stacking_weights
from caprese.models.base import has_clock
from caprese.models.stacked import Stacked
from caprese.patients.predictor import predictor
from caprese.text.facts import in_words

_RNG = np.random.default_rng(1)
TREES = Forest(tuple("abcdefg"), (ROOT, 0, 1, 2, ROOT, 4, 5), (0.6,) * 7)
DATA = Noise(0.05, 0.05).corrupt(TREES.sample(300, _RNG), _RNG)
QUICK = {
    "caprese": Caprese(),
    "oncotree": Oncotree(),
    "hcbn": HCBN(restarts=1),
    "mhn": MHN(penalty_strength=0.01),
}


@pytest.fixture(scope="module")
def judged():
    return judge(QUICK, DATA)


def kinds(found):
    return [fact.kind for fact in found.facts]


def test_the_best_method_places_and_those_with_a_clock_say_what_comes_next(judged):
    found = predictor(judged, QUICK, DATA)
    best = judged.methods[judged.best]
    assert found.fit == QUICK[best].fit(DATA)
    assert found.facts[0] == judged.verdict[0]
    assert kinds(found)[1:] == ["placed by", "clocks"]
    assert [type(model).__name__ for model in found.clock.models] == [
        "Frequencies",
        "NoisyPoset",
        "Hazards",
    ]
    order = [judged.reference, judged.methods.index("hcbn"), judged.methods.index("mhn")]
    expected = stacking_weights(judged.log_probabilities[order])
    np.testing.assert_allclose(found.clock.weights, expected)
    placed = found.place(DATA)
    assert placed.basis == found.facts
    assert placed.timed
    np.testing.assert_allclose(placed.next_probabilities.sum(axis=1)[:3], 1)


def test_what_comes_next_is_mixed_by_how_probable_each_clock_makes_the_sample(judged):
    found = predictor(judged, QUICK, DATA)
    placed = found.place(DATA)
    clock, row = found.clock, DATA.take_samples([3])
    shares = clock.weights * np.exp([model.log_probabilities(row)[0] for model in clock.models])
    shares = shares / shares.sum()
    expected = np.zeros(7)
    for model, share in zip(clock.models, shares, strict=True):
        rates = model.next_rates(row.values)[0]
        expected += share * rates / rates.sum()
    assert placed.next_probabilities[3] == pytest.approx(expected)


def test_without_a_better_method_there_are_frequencies_alone():
    data = datasets.acml()
    found = predictor(judge(QUICK, data), QUICK, data)
    assert found.fit == IndependentEvents().fit(data)
    assert kinds(found) == ["no order supported", "frequencies instead"]
    placed = found.place(data)
    assert placed.by_frequency
    assert not placed.timed
    assert not placed.missed.any()


def test_methods_without_a_clock_say_nothing_of_what_comes_next():
    own = {"caprese": Caprese()}
    found = predictor(judge(own, DATA), own, DATA)
    assert kinds(found) == ["predicts best", "placed by", "no clock judged"]
    assert not found.place(DATA).timed


def test_samples_are_not_placed_by_the_best_alone_if_there_is_a_mixture():
    parts = ("independence", "caprese")
    methods = {
        "caprese": Caprese(),
        "independence": IndependentEvents(),
        "both": Stack(parts=parts),
    }
    judged = judge(methods, DATA)
    said = judged.log_probabilities.copy()
    said[judged.methods.index("both")] -= 1e-6  # a little worse than caprese
    said[judged.methods.index("caprese")] += 0.001
    judged = replace(judged, log_probabilities=said)
    assert judged.methods[judged.best] == "caprese"
    found = predictor(judged, methods, DATA)
    assert kinds(found)[1] == "placed by mixture"
    assert in_words(found.facts)[1] == (
        "Samples are placed by both, not by caprese alone: a mixture of methods does not depend on "
        "which of them is ahead by chance"
    )


def test_what_is_said_against_the_best_method_is_said_of_placements_too():
    own = {"caprese": Caprese()}
    judged = replace(judge(own, DATA), doubts=(Doubt("caprese", CHAINS_DISAGREE, 4),))
    assert kinds(predictor(judged, own, DATA))[:2] == ["predicts best", "best disagrees"]


def test_clocks_that_do_not_beat_independence_say_nothing(judged):
    """All that the clocks say is as probable as under independence."""
    usual = judged.log_probabilities[judged.reference]
    said = judged.log_probabilities.copy()
    for name in ("hcbn", "mhn"):
        said[judged.methods.index(name)] = usual
    found = predictor(replace(judged, log_probabilities=said), QUICK, DATA)
    assert kinds(found)[1:] == ["placed by", "no clock supported"]
    assert not found.place(DATA).timed


def test_a_judged_mixture_is_made_of_the_judged_parts():
    stack = Stack(parts=("independence", "caprese", "mhn:penalty_strength=0.01"))
    parts = {"caprese": Caprese(), "mhn": MHN(penalty_strength=0.01)}
    methods = {"stack": stack, **parts, "independence": IndependentEvents()}
    found = judge(methods, DATA)
    fit = predictor(found, methods, DATA).fit
    assert isinstance(fit.model, Stacked)
    order = [found.methods.index(name) for name in ("independence", "caprese", "mhn")]
    expected = stacking_weights(found.log_probabilities[order])
    np.testing.assert_allclose(fit.evidence.weights, expected)
    assert fit.model.models[2] == parts["mhn"].fit(DATA).predictive


def test_a_mixture_alone_is_fitted_as_it_is():
    methods = {"stack": Stack(parts=("independence", "mhn:penalty_strength=0.01"), folds=2)}
    found = predictor(judge(methods, DATA), methods, DATA)
    assert kinds(found)[-1] in ("clocks", "no clock supported", "frequencies instead")


def test_given_error_rates_go_to_the_methods_that_allow_for_errors():
    given = Noise(0.05, 0.05)
    only = {"likelihood": LikelihoodForest()}
    placed = predictor(judge(only, DATA), only, DATA, noise=given).place(DATA)
    assert placed.noise == given
    fit = LikelihoodForest(noise=given).fit(DATA)
    assert placed.model == replace(fit.predictive, noise=given)
    assert (placed.wrongly_seen | placed.missed).any()
    stack = Stack(parts=("likelihood", "mhn:penalty_strength=0.01"))
    mixed = {**only, "mhn": QUICK["mhn"], "stack": stack}
    placed = predictor(judge(mixed, DATA), mixed, DATA, noise=given).place(DATA)
    assert isinstance(placed.model, Stacked)
    assert placed.noise == given
    assert placed.model.models[0] == replace(fit.predictive, noise=given)
    np.testing.assert_array_equal(placed.genotypes, placed.model.likeliest_genotypes(DATA))


def test_error_rates_are_not_used_if_the_best_method_does_not_allow_for_errors():
    without = {"hcbn": QUICK["hcbn"]}
    found = predictor(judge(without, DATA), without, DATA, noise=Noise(0.05, 0.05))
    assert kinds(found)[-1] == "rates not used"
    assert found.place(DATA).noise is None


def test_error_rates_that_the_data_refuses_are_not_used():
    """An event is rarer than the rate of false positives."""
    values = np.array(DATA.values)
    values[2:, 3] = False
    rare = Dataset(values, DATA.events)
    methods = {"caprese": Caprese()}
    found = predictor(judge(methods, rare), methods, rare, noise=Noise(0.05, 0.05))
    assert kinds(found)[-1] in ("rates not used", "frequencies instead")


def test_exclusive_events_do_not_follow_each_other():
    rng = np.random.default_rng(4)
    first = rng.random(500) < 0.6
    second = ~first & (rng.random(500) < 0.6)
    rest = rng.random((500, 2)) < 0.3
    rest[:, 1] &= rest[:, 0] | (rng.random(500) < 0.2)
    data = Dataset(np.column_stack([first, second, rest]), tuple("abcd"))
    methods = {"hcbn": HCBN(restarts=1), "mhn": MHN(penalty_strength=0.01)}
    placed = predictor(judge(methods, data), methods, data).place(data)
    assert placed.timed
    with_first = first & ~second & ~rest.all(axis=1)
    assert (placed.following[with_first] != 1).all()


def test_clocks_are_told_by_their_models():
    assert has_clock(predictor(judge(QUICK, DATA), QUICK, DATA).clock)
