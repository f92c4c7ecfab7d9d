"""What every method promises, run over the registry."""

import pickle
import re
from dataclasses import fields
from math import inf
from typing import get_origin, get_type_hints

import numpy as np
import pytest
from hypothesis import given, seed

from caprese import Counts, Dataset, place
from caprese import datasets as embedded
from caprese.io.documents import read_fit, write_fit
from caprese.methods import (
    CBN,
    HCBN,
    METHODS,
    MHN,
    BayesForest,
    Caprese,
    Capri,
    LikelihoodForest,
    Oncotree,
    Stack,
    TimedForests,
)
from caprese.methods.evidence import Reason
from caprese.methods.fit import OrderedFit
from caprese.models.base import numbers_of
from caprese.models.forest import NoisyForest
from caprese.models.noise import Noise
from fitted_once import SHARED
from fitted_once import shared as shared
from poor import POOR
from shapes import SHAPES, random_forest
from strategies import datasets

# Counts alone decide the answer of these; from exact ones they return every shape.
FROM_COUNTS = [
    *(kind() for kind in METHODS.values() if hasattr(kind, "infer_parents")),
    Caprese(shrinkage=0.01),
    Oncotree(search="branching"),
]
# These look at the samples; a short search or chain keeps the promises of a long one.
CHAINS = {"chains": 2, "draws": 10, "thin": 1, "warm_up": 10}
SHORT = {
    HCBN: {"steps": 10, "restarts": 2},
    BayesForest: CHAINS,
    TimedForests: CHAINS,
    MHN: {"penalty_strength": 0.1},
    Stack: {
        "parts": (
            "independence",
            "caprese",
            "mhn:penalty_strength=0.1",
            "bayes:chains=2:draws=10:thin=1:warm_up=10",
        ),
        "folds": 2,
    },
}
OF_SAMPLES = [
    *(
        kind(**SHORT.get(kind, {}))
        for kind in METHODS.values()
        if not hasattr(kind, "infer_parents")
    ),
    CBN(tolerance=0.2),
    Caprese(orders_at_least=2),
    Capri(score="aic", decide="rank", resamples=20, patterns=("homologous",)),
    Capri(score="loglik", resamples=0, noise=Noise(0.02, 0.05), max_parents=2),
    MHN(penalty_strength=0.2, penalty="symmetric", observation=True),
    BayesForest(**CHAINS, subtypes=2, noise=Noise(0.05, 0.05), keep=0),
]
# These need more time.
FROM_SAMPLES = [Caprese(noise="estimate"), Oncotree(noise="estimate"), Capri(noise="estimate")]


def is_ordered(method):
    """Whether a method declares that its answer has an order."""
    declared = get_type_hints(type(method).fit)["return"]
    return issubclass(get_origin(declared) or declared, OrderedFit)


from_counts = pytest.mark.parametrize("method", FROM_COUNTS, ids=repr)
every_method = pytest.mark.parametrize("method", FROM_COUNTS + OF_SAMPLES, ids=repr)
every_estimate = pytest.mark.parametrize("method", FROM_SAMPLES, ids=repr)
every_method_and_estimate = pytest.mark.parametrize(
    "method", FROM_COUNTS + OF_SAMPLES + FROM_SAMPLES, ids=repr
)
every_ordered_method = pytest.mark.parametrize(
    "method", [*filter(is_ordered, FROM_COUNTS + OF_SAMPLES + FROM_SAMPLES)], ids=repr
)
every_unordered_method = pytest.mark.parametrize(
    "method", [each for each in OF_SAMPLES if not is_ordered(each)], ids=repr
)


def answer_by_name(fit):
    """The parents of each event, by name; of a model without an order, its numbers."""
    if not is_ordered(fit.method):
        numbers = numbers_of(fit.model) or {
            "weights": [tuple(fit.model.weights)] * len(fit.counts.events)
        }
        return dict(zip(fit.model.events, zip(*numbers.values(), strict=True), strict=True))
    return {
        event: {parent for parent, child in fit.model.edges if child == event}
        for event in fit.model.events
    }


@every_method_and_estimate
def test_is_a_value(method):
    again = type(method)(**{field.name: getattr(method, field.name) for field in fields(method)})
    assert method == again
    assert hash(method) == hash(again)
    assert pickle.loads(pickle.dumps(method)) == method
    assert eval(repr(method), {type(method).__name__: type(method), "Noise": Noise}) == method


@every_method_and_estimate
def test_cannot_be_changed(method):
    for field in fields(method):
        with pytest.raises(AttributeError):
            setattr(method, field.name, None)


pytestmark = pytest.mark.usefixtures("shared")


def fitted(method, data):
    """The first fit to data; three of the tests below have the same data sets."""
    return SHARED.once((method, data), lambda: method.fit(data))


@every_method
@seed(1)
@given(data=datasets())
def test_gives_the_same_answer_twice_and_leaves_the_data_alone(method, data):
    before = pickle.dumps((data.values, data.known))
    first = fitted(method, data)
    assert first == method.fit(data)
    assert pickle.dumps((data.values, data.known)) == before


@every_method
@seed(1)
@given(data=datasets())
def test_neither_order_nor_names_matter(method, data):
    """Of samples and events; the same in other words and another order is the same answer."""
    rng = np.random.default_rng(int(data.digest, 16))
    shuffled = data.take_samples(rng.permutation(len(data.samples)))
    shuffled = shuffled.take_events([data.events[k] for k in rng.permutation(len(data.events))])
    names = tuple(f"new {name}" for name in shuffled.events)
    renamed = Dataset(shuffled.values, names, shuffled.samples, shuffled.known)
    one, other = fitted(method, data), method.fit(renamed)
    assert answer_by_name(other) == {
        f"new {event}": {f"new {parent}" for parent in own} if isinstance(own, set) else own
        for event, own in answer_by_name(one).items()
    }
    assert one.digest == shuffled.digest
    if is_ordered(method):
        undetermined = {f"new {event}": why for event, why in one.undetermined.items()}
        assert undetermined == other.undetermined


@every_estimate
@pytest.mark.parametrize("seed", range(4))
def test_nor_does_it_where_rates_are_estimated(method, seed):
    rng = np.random.default_rng([141, seed])
    data = NoisyForest(random_forest(rng, 8), Noise(0.08, 0.08)).sample(120, rng)
    shuffled = data.take_samples(rng.permutation(120))
    shuffled = shuffled.take_events([data.events[k] for k in rng.permutation(8)])
    one, other = method.fit(data), method.fit(shuffled)
    assert answer_by_name(one) == answer_by_name(other)
    assert one.undetermined == other.undetermined
    assert one.digest == other.digest
    assert one.recovery.noise.false_positive == pytest.approx(
        other.recovery.noise.false_positive, abs=1e-3
    )


@every_estimate
@pytest.mark.parametrize("data", [embedded.ovarian(), embedded.acml()], ids=["ovarian", "acml"])
def test_rates_are_estimated_the_same_twice(method, data):
    before = pickle.dumps((data.values, data.known))
    assert method.fit(data) == method.fit(data)
    assert pickle.dumps((data.values, data.known)) == before


@every_unordered_method
@pytest.mark.parametrize("name", POOR)
def test_a_model_without_an_order_answers_for_every_data_set_however_poor(method, name):
    fit = method.fit(POOR[name])
    assert fit.model.events == POOR[name].events
    assert np.isfinite(fit.predictive.log_probabilities(POOR[name])).all()
    assert fit.evidence.notes()


@every_ordered_method
@pytest.mark.parametrize("name", POOR)
def test_answers_for_every_data_set_however_poor(method, name):
    fit = method.fit(POOR[name])
    assert fit.model.events == POOR[name].events
    assert len(fit.table()) == len(fit.model.events)
    seen = dict(zip(fit.model.events, fit.evidence.reasons, strict=True))
    for event, never, always in zip(
        fit.model.events, fit.counts.never, fit.counts.always, strict=True
    ):
        assert (seen[event] is Reason.NEVER) == never
        assert (seen[event] is Reason.ALWAYS) == always


@every_method
@pytest.mark.parametrize("name", POOR)
def test_samples_are_placed_in_every_answer_however_poor(method, name):
    fit, data = method.fit(POOR[name]), POOR[name]
    if getattr(method, "keep", 1) == 0:
        return  # nothing was kept to predict with
    placed = place(fit, data, simulated=50)
    assert len(placed.table()) == len(data.samples)
    chances = placed.next_probabilities
    if placed.timed:
        assert ((chances >= 0) & (chances <= 1 + 1e-9)).all()
        assert (chances.sum(axis=1) <= 1 + 1e-9).all()
        assert not chances[placed.genotypes].any()
    else:
        assert np.isnan(chances).all()
    assert placed.genotypes[placed.known].tolist() == data.values[placed.known].tolist()
    corrected = place(fit, data, simulated=50, corrected=True)
    assert len(corrected.orders(data.samples[0]).orders) >= 1


@from_counts
@pytest.mark.parametrize("shape", SHAPES)
def test_returns_each_shape_from_its_exact_counts(method, shape):
    forest = SHAPES[shape]
    parents = method.infer_parents(Counts.expected(forest))
    assert parents.tolist() == forest.parents.tolist()


@from_counts
@given(data=datasets())
def test_the_batch_agrees_with_the_fit(method, data):
    fit = method.fit(data)
    weights = np.ones((3, len(data.samples)), dtype=np.int64)
    batch = method.infer_parents(Counts.of_resamples(data, weights))
    assert (batch == fit.model.parents).all()


@every_method
@seed(1)
@given(data=datasets())
def test_a_fit_comes_back_from_its_file(method, data, tmp_path_factory):
    path = tmp_path_factory.mktemp("fits") / "fit.json"
    fit = fitted(method, data)
    write_fit(fit, path)
    assert read_fit(path) == fit


@every_method_and_estimate
@pytest.mark.parametrize("data", [embedded.ovarian(), embedded.acml()], ids=["ovarian", "acml"])
def test_so_does_one_of_embedded_data(method, data, tmp_path):
    fit = method.fit(data)
    write_fit(fit, tmp_path / "fit.json")
    assert read_fit(tmp_path / "fit.json") == fit


@pytest.mark.parametrize(
    ("kind", "given", "message"),
    [
        (Caprese, {"shrinkage": 2}, "shrinkage must be in [0, 1] or auto, got 2"),
        (Caprese, {"shrinkage": "x"}, "shrinkage must be in [0, 1] or auto, got 'x'"),
        (
            Caprese,
            {"orders_at_least": 0},
            "orders_at_least must be a whole number of at least 1, got 0",
        ),
        (
            Caprese,
            {"noise": "x"},
            "noise must be two rates such as 0.1,0.05, or estimate, got 'x'",
        ),
        (Oncotree, {"search": "x"}, "search must be one of szabo, branching, got 'x'"),
        (
            Oncotree,
            {"noise": 0.1},
            "noise must be two rates such as 0.1,0.05 (a Noise), or estimate, got 0.1",
        ),
        (
            MHN,
            {"noise": "often"},
            "noise must be two rates such as 0.1,0.05, or estimate, got 'often'",
        ),
        (HCBN, {"steps": -1}, "steps must be a whole number of at least 0, got -1"),
        (HCBN, {"restarts": 0}, "restarts must be a whole number of at least 1, got 0"),
        (
            HCBN,
            {"seed": 1.5},
            "seed must be a whole number from 0 to 9223372036854775807, got 1.5",
        ),
        (HCBN, {"temperature": 0}, "temperature must be a positive number, got 0"),
        (MHN, {"intervals": "no"}, "intervals must be yes or no (True or False), got 'no'"),
        (HCBN, {"ascent": "no"}, "ascent must be yes or no (True or False), got 'no'"),
        (HCBN, {"start": "x"}, "start must be several or empty or caprese or a Poset, got 'x'"),
        (CBN, {"tolerance": 1}, "tolerance must be in [0, 1), got 1"),
        (Capri, {"score": "x"}, "score must be one of bic, aic, loglik, got 'x'"),
        (Capri, {"decide": "x"}, "decide must be one of share, rank, got 'x'"),
        (Capri, {"resamples": -1}, "resamples must be a whole number of at least 0, got -1"),
        (Capri, {"level": 1}, "level must be in (0, 1), got 1"),
        (
            Capri,
            {"noise": 0.1},
            "noise must be two rates such as 0.1,0.05 (a Noise), or estimate, got 0.1",
        ),
        (Capri, {"max_parents": -1}, "max_parents must be a whole number of at least 0, got -1"),
        (Capri, {"patterns": "x"}, "patterns must be a tuple of texts, got 'x'"),
        (Capri, {"cause": "x"}, "cause must be a tuple of texts, got 'x'"),
        (Capri, {"effect": 1}, "effect must be a tuple of texts, got 1"),
        (
            Capri,
            {"seed": -1},
            "seed must be a whole number from 0 to 9223372036854775807, got -1",
        ),
        (MHN, {"observation": "no"}, "observation must be yes or no (True or False), got 'no'"),
        (
            MHN,
            {"load": "much"},
            "load must be one of none, common, events, auto, got 'much'",
        ),
        (HCBN, {"times": "dates"}, "times must be one of unknown, order, gaps, known, got 'dates'"),
        (MHN, {"times": "dates"}, "times must be one of unknown, order, gaps, known, got 'dates'"),
        (MHN, {"penalty": "l3"}, "penalty must be one of l1, l2, symmetric, got 'l3'"),
        (
            MHN,
            {"penalty_strength": -1},
            "penalty_strength must be a number of at least 0 or average or auto, got -1",
        ),
        (MHN, {"folds": 1}, "folds must be a whole number of at least 2, got 1"),
        (
            MHN,
            {"seed": -1},
            "seed must be a whole number from 0 to 9223372036854775807, got -1",
        ),
        (Stack, {"parts": ("magic",)}, f"method must be one of {', '.join(METHODS)}, got 'magic'"),
        (Stack, {"folds": 1}, "folds must be a whole number of at least 2, got 1"),
        (
            Stack,
            {"seed": -1},
            "seed must be a whole number from 0 to 9223372036854775807, got -1",
        ),
        (
            LikelihoodForest,
            {"noise": None},
            "noise must be two rates such as 0.1,0.05 (a Noise), or estimate, got None",
        ),
        (
            LikelihoodForest,
            {"perturbations": -1},
            "perturbations must be a whole number of at least 0, got -1",
        ),
        (
            BayesForest,
            {"subtypes": 0},
            "subtypes must be a whole number from 1 to 100 or auto, got 0",
        ),
        (
            BayesForest,
            {"noise": 0.1},
            "noise must be two rates such as 0.1,0.05 (a Noise), or estimate, got 0.1",
        ),
        (
            TimedForests,
            {"times": "dated"},
            "times must be one of unknown, order, gaps, known, got 'dated'",
        ),
        (
            TimedForests,
            {"noise": 0.1},
            "noise must be two rates such as 0.1,0.05 (a Noise), or estimate, got 0.1",
        ),
        (TimedForests, {"chains": 0}, "chains must be a whole number from 1 to 1000, got 0"),
        (TimedForests, {"draws": 0}, "draws must be a whole number from 1 to 1000000, got 0"),
        (TimedForests, {"thin": 0}, "thin must be a whole number of at least 1, got 0"),
        (TimedForests, {"warm_up": -1}, "warm_up must be a whole number of at least 0, got -1"),
        (TimedForests, {"keep": 0}, "keep must be a whole number of at least 1, got 0"),
        (TimedForests, {"rate_first": 0}, "rate_first must be a positive number, got 0"),
        (TimedForests, {"rate_second": -1}, "rate_second must be a positive number, got -1"),
        (
            TimedForests,
            {"seed": -1},
            "seed must be a whole number from 0 to 9223372036854775807, got -1",
        ),
        (BayesForest, {"chains": 0}, "chains must be a whole number of at least 1, got 0"),
        (BayesForest, {"draws": 0}, "draws must be a whole number of at least 1, got 0"),
        (BayesForest, {"thin": 0.5}, "thin must be a whole number of at least 1, got 0.5"),
        (BayesForest, {"warm_up": -1}, "warm_up must be a whole number of at least 0, got -1"),
        (BayesForest, {"keep": -1}, "keep must be a whole number of at least 0, got -1"),
        (BayesForest, {"root_cost": -1}, "root_cost must be a number of at least 0, got -1"),
        (BayesForest, {"root_first": 0}, "root_first must be a positive number, got 0"),
        (BayesForest, {"root_second": "x"}, "root_second must be a positive number, got 'x'"),
        (BayesForest, {"rate_first": -1}, "rate_first must be a positive number, got -1"),
        (BayesForest, {"rate_second": inf}, "rate_second must be a positive number, got inf"),
        (BayesForest, {"dirichlet": 0}, "dirichlet must be a positive number, got 0"),
        (
            BayesForest,
            {"seed": -1},
            "seed must be a whole number from 0 to 9223372036854775807, got -1",
        ),
    ],
)
def test_each_bad_parameter_is_refused_by_name(kind, given, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        kind(**given)


def test_every_parameter_has_a_bad_value_above():
    (mark,) = test_each_bad_parameter_is_refused_by_name.pytestmark
    refused = {(kind, name) for kind, given, _ in mark.args[1] for name in given}
    assert refused == {(kind, field.name) for kind in METHODS.values() for field in fields(kind)}


@every_method
def test_every_parameter_tells_what_it_is_about(method):
    for field in fields(method):
        assert field.metadata["about"].endswith(".")
        assert callable(field.metadata["parse"])


@every_ordered_method
def test_the_table_has_a_row_for_every_event(method):
    table = method.fit(embedded.ovarian()).table()
    assert list(table.index) == list(embedded.ovarian().events)
    assert {"parent", "frequency", "reason"} <= set(table.columns)
