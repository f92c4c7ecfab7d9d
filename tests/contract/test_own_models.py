"""Kinds of models that only these tests define, once registered and once not, through everything.

A mixture without edges, which does not say what comes next, and a DAG of another rule.
"""

import json
import math
from unittest.mock import patch

import pytest

from caprese import (
    Caprese,
    ModelError,
    analyse,
    bootstrap,
    compare,
    datasets,
    judge,
    place,
    progression_figure,
    read_fit,
    read_model,
    write_fit,
    write_model,
    write_report,
)
from caprese.errors import ParameterError
from caprese.extend import ModelKind, register_model
from caprese.fitting.estimate import KINDS, kind_name
from caprese.methods import METHODS
from contract import disjunctive, mixture

ADDED = {
    "mixture": (mixture.MixtureMethod(), (mixture.KIND,)),
    "disjunctive": (disjunctive.Disjunctive(), disjunctive.KINDS),
}


@pytest.fixture(params=ADDED)
def added(request):
    """A method with a model of its own, and the kinds of the model, without and with errors."""
    return ADDED[request.param]


@pytest.fixture
def method(added):
    with patch.dict(METHODS, own=type(added[0])):
        yield added[0]


@pytest.fixture
def registered(added):
    with patch.dict(KINDS):
        for kind in added[1]:
            register_model(kind)
        yield added[1][0]


@pytest.fixture
def data():
    return datasets.ovarian()


def test_a_model_that_is_registered_has_a_bic(method, registered, data):
    _, own = compare([Caprese(), method], data)
    parameters = {"mixture": 15, "disjunctive dag": 7}[registered.name]
    price = parameters * math.log(87)
    assert own.bic == pytest.approx(price - 2 * own.estimate.log_likelihood)
    assert kind_name(own.fit.model) == registered.name


def test_a_model_that_is_not_registered_has_none(method, data, run):
    _, own = compare([Caprese(), method], data)
    assert (own.estimate.parameters, own.bic) == (None, None)
    assert own.estimate.log_likelihood == own.fit.model.log_probabilities(data).sum()
    _, out, _ = run("compare", "ovarian", "-m", "own", "--json")
    (compared,) = json.loads(out)["compared"]
    assert (compared["parameters"], compared["bic"]) == (None, None)


def test_a_model_that_is_registered_is_written_and_read(method, registered, data, tmp_path):
    fit = method.fit(data)
    write_model(fit.model, tmp_path / "model.json")
    assert json.loads((tmp_path / "model.json").read_text())["kind"] == registered.name
    assert read_model(tmp_path / "model.json") == fit.model
    write_fit(fit, tmp_path / "fit.json")
    again = read_fit(tmp_path / "fit.json")
    assert again == fit
    assert again.predictive == fit.predictive  # without the data


def test_a_model_that_is_not_registered_is_not_written_but_its_fit_is(method, data, tmp_path):
    fit = method.fit(data)
    name = type(fit.model).__name__
    with pytest.raises(ModelError, match=rf"^a {name} has no name in files: register it with "):
        write_model(fit.model, tmp_path / "model.json")
    write_fit(fit, tmp_path / "fit.json")
    again = read_fit(tmp_path / "fit.json")
    assert again == fit
    with pytest.raises(ModelError, match="keeps no predictive model, and needs its data"):
        again.predictive  # noqa: B018
    assert again.on(data).predictive == fit.predictive


@pytest.mark.usefixtures("registered")
def test_samples_are_placed_in_a_model_that_says_how(method, data):
    placed = place(method.fit(data), data, simulated=50)
    assert placed.next_probabilities.shape == (87, 7)
    corrected = place(method.fit(data), data, simulated=50, corrected=True)
    assert corrected.orders(data.samples[0]).orders


def test_otherwise_it_is_said_what_is_missing(data):
    fit = mixture.MixtureMethod().fit(data)
    missing = "count_probabilities, likeliest_genotypes, next_probabilities, next_rates, waiting_m"
    with pytest.raises(ModelError, match=f"^a Mixture does not say .*: it lacks {missing}") as told:
        place(fit, data)
    assert str(told.value).endswith(
        "or register the model with caprese.extend.ModelKind(..., placed=...)"
    )


@pytest.mark.slow
@pytest.mark.parametrize("known", [True, False], ids=["registered", "not registered"])
def test_it_is_judged_and_reported(method, known, data, tmp_path, request):
    if known:
        request.getfixturevalue("registered")
    judged = judge([method], data, folds=3, jobs=1)
    assert judged.methods == ("own", "independence")
    write_report(
        analyse(method, data, replicates=5, jobs=1, budget=0.001), tmp_path / "report.html"
    )
    assert "own" in (tmp_path / "report.html").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("known", [True, False], ids=["registered", "not registered"])
@pytest.mark.parametrize(
    "words",
    [
        "fit ovarian -m own",
        "fit ovarian -m own --json",
        "compare ovarian -m caprese -m own",
        "judge acml -m own --jobs 1",
        "report acml -m own --replicates 2 --budget 0.1 --jobs 1 -o out.html",
    ],
)
@pytest.mark.usefixtures("method")
def test_every_command_takes_it(known, words, run, request):
    if known:
        request.getfixturevalue("registered")
    code, _, problem = run(*words.split())
    assert code == 0, problem


@pytest.mark.usefixtures("method", "registered")
def test_patients_are_placed_by_the_command_too(run):
    code, _, problem = run("patients", "acml", "-m", "own")
    assert code == 0, problem


def test_the_command_says_what_is_missing_on_one_line(run):
    with patch.dict(METHODS, own=mixture.MixtureMethod):
        code, out, problem = run("patients", "acml", "-m", "own")
    assert (code, out) == (2, "")
    assert problem.startswith("caprese: a Mixture does not say what comes next")
    assert problem.count("\n") == 1


def test_what_needs_edges_takes_the_dag_and_refuses_the_mixture(method, data):
    if isinstance(method, mixture.MixtureMethod):
        with pytest.raises(ModelError, match="this model has no edges"):
            progression_figure(method.fit(data))
        return
    assert progression_figure(method.fit(data)).axes
    assert bootstrap(method, data, replicates=3, jobs=1).replicates == 3


def test_a_kind_must_be_a_dataclass_with_a_name_of_its_own():
    with pytest.raises(ParameterError, match=r"^type must be a dataclass, got <class 'int'>$"):
        ModelKind(name="number", type=int)
    taken = ModelKind(name="forest", type=mixture.Mixture)
    rule = r"^name must be another than that of caprese\.models\.forest\.Forest, got 'forest'$"
    with pytest.raises(ParameterError, match=rule):
        register_model(taken)
