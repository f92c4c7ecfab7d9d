"""A method of one's own, of every kind of model, goes through everything; none is registered."""

import json
import pickle
from unittest.mock import patch

import numpy as np
import pytest

from caprese import (
    Dataset,
    ModelError,
    Noise,
    analyse,
    bootstrap,
    bootstrap_effects,
    compare,
    datasets,
    edge_tests,
    estimate,
    place,
    progression_figure,
    read_fit,
    to_networkx,
    write_fit,
    write_graph,
    write_placement,
    write_report,
)
from caprese.errors import FormatError
from caprese.methods import METHODS
from caprese.methods.fit import OrderedFit
from caprese.models.base import Model, OrderedModel, nodes_of
from contract.kinds import KINDS, ORDERED, OwnFrequencies, OwnHazards
from fitted_once import shared as shared
from fitted_once import slow_methods_are_fitted_once as slow_methods_are_fitted_once

every_kind = pytest.mark.parametrize("method", KINDS, ids=lambda method: type(method).__name__)
every_order = pytest.mark.parametrize("method", ORDERED, ids=lambda method: type(method).__name__)


@pytest.fixture
def data():
    return datasets.ovarian()


@every_kind
def test_its_model_and_its_predictive_model_keep_the_contract_of_models(method, data):
    fit = method.fit(data)
    partly = Dataset(data.values, data.events, data.samples, np.arange(609).reshape(87, 7) % 5 > 0)
    for model in (fit.model, fit.predictive):
        assert isinstance(model, Model)
        assert model.log_probabilities(data).shape == (87,)
        chances = model.event_probabilities(partly)
        assert chances.shape == (87, 7)
        possible = np.isfinite(model.log_probabilities(partly))
        assert ((chances[possible] >= 0) & (chances[possible] <= 1 + 1e-12)).all()
        drawn = model.sample(50, np.random.default_rng(1))
        assert drawn.events == data.events
        assert len(drawn.samples) == 50
    assert np.isfinite(fit.predictive.log_probabilities(data)).all()
    assert isinstance(fit.model, OrderedModel) == isinstance(fit, OrderedFit)


@every_kind
def test_samples_are_placed_in_it(method, data, tmp_path):
    fit = method.fit(data)
    placed = place(fit, data, simulated=200)
    assert placed.next_probabilities.shape == (87, 7)
    assert placed.orders(data.samples[2]).orders
    write_placement(placed, tmp_path / "patients.csv")
    assert len((tmp_path / "patients.csv").read_text().splitlines()) == 88


@every_kind
def test_unknown_entries_are_summed_over(method, data):
    model = method.fit(data).predictive
    hidden = Dataset.from_rows([[None, 1, 0, 1, 0, 1, 0]], data.events)
    both = Dataset.from_rows([[0, 1, 0, 1, 0, 1, 0], [1, 1, 0, 1, 0, 1, 0]], data.events)
    total = np.exp(model.log_probabilities(both)).sum()
    assert np.exp(model.log_probabilities(hidden)) == pytest.approx(total)


@every_kind
def test_the_order_of_the_columns_does_not_matter_to_a_model(method, data):
    model = method.fit(data).predictive
    other = data.take_events(data.events[::-1])
    assert model.log_probabilities(other) == pytest.approx(model.log_probabilities(data))
    turned = model.event_probabilities(other)[:, ::-1]
    assert turned == pytest.approx(model.event_probabilities(data))


@every_kind
def test_the_probabilities_of_all_genotypes_sum_to_one(method, data):
    model = method.fit(data).predictive
    rows = (np.arange(128)[:, None] >> np.arange(7)) & 1
    every = Dataset.from_rows(rows, data.events)
    assert np.exp(model.log_probabilities(every)).sum() == pytest.approx(1)


@every_kind
def test_samples_follow_the_probabilities(method, data):
    model = method.fit(data).predictive
    rows = (np.arange(128)[:, None] >> np.arange(7)) & 1
    expected = np.exp(model.log_probabilities(Dataset.from_rows(rows, data.events))) @ rows
    seen = model.sample(20_000, np.random.default_rng(7)).values.mean(axis=0)
    np.testing.assert_allclose(seen, expected, atol=0.015)


@every_kind
def test_its_estimate_makes_the_data_no_less_likely_than_its_own_numbers(method, data):
    fit = method.fit(data)
    best = estimate(fit.model, data)
    assert best.log_likelihood == pytest.approx(best.model.log_probabilities(data).sum(), abs=1e-4)
    assert best.log_likelihood >= fit.model.log_probabilities(data).sum() - 1e-4
    assert best.parameters >= len(data.events)


@every_kind
def test_compare_takes_it_beside_others(method, data):
    from caprese.text.comparison import comparison_lines

    found = compare([METHODS["caprese"](), method], data)
    assert [one.fit.method for one in found] == [METHODS["caprese"](), method]
    assert comparison_lines(found)


@every_order
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"kind": "parametric"},
        {"kind": "parametric", "noise": Noise(0.05, 0.1)},
        {"kind": "parametric", "noise": "estimate"},
    ],
    ids=str,
)
def test_both_bootstraps_take_it(method, data, settings):
    confidence = bootstrap(method, data, replicates=3, jobs=1, **settings)
    assert confidence.replicates == 3
    assert (confidence.votes.sum(axis=0) >= 3).all()
    assert confidence == bootstrap(method.fit(data), data, replicates=3, jobs=1, **settings)


@pytest.mark.parametrize("kind", ["nonparametric", "parametric"])
def test_effects_are_bootstrapped_whatever_the_method(data, kind):
    found = bootstrap_effects(OwnHazards(), data, kind=kind, replicates=3, jobs=1)
    assert found.replicates == 3
    assert (found.table()["speeds_up"] == 1).all()


def test_a_bootstrap_of_a_model_without_edges_is_refused(data):
    with pytest.raises(ModelError, match="counts edges, and this model has none"):
        bootstrap(OwnFrequencies(), data, replicates=3)


def test_edges_of_a_model_without_edges_are_not_tested(data):
    with pytest.raises(ModelError, match="edge tests need edges, and this model has none"):
        edge_tests(OwnFrequencies().fit(data), data)


@every_order
def test_its_edges_are_tested(method, data):
    tests = edge_tests(method.fit(data), data)
    assert tests.edges == method.fit(data).edges
    assert np.isnan(tests.score).all()


@pytest.mark.slow
@every_kind
def test_a_report_is_made_of_it(method, data, tmp_path):
    write_report(
        analyse(method, data, replicates=30, jobs=1, budget=0.001), tmp_path / "report.html"
    )
    assert type(method).__name__ in (tmp_path / "report.html").read_text()


@every_kind
def test_its_fit_is_written_and_read_once_its_method_is_known(method, data, tmp_path):
    path = tmp_path / "fit.json"
    write_fit(method.fit(data), path)
    assert json.loads(path.read_text())["method"]["name"] == type(method).__name__
    with pytest.raises(FormatError, match=f"'{type(method).__name__}' is not one of caprese, "):
        read_fit(path)


def test_a_fit_without_edges_comes_back_from_its_file(data, tmp_path):
    fit = OwnFrequencies().fit(data)
    write_fit(fit, tmp_path / "fit.json")
    with patch.dict(METHODS, OwnFrequencies=OwnFrequencies):
        assert read_fit(tmp_path / "fit.json") == fit


@every_order
def test_graphs_and_pictures_are_made_of_it(method, data, tmp_path):
    fit = method.fit(data)
    assert to_networkx(fit).number_of_nodes() == len(nodes_of(fit.model)[0]) + 1
    write_graph(fit, tmp_path / "tree.graphml")
    assert progression_figure(fit).axes


def test_graphs_and_pictures_of_a_model_without_edges_are_refused(data, tmp_path):
    fit = OwnFrequencies().fit(data)
    for refused in (
        lambda: progression_figure(fit),
        lambda: write_graph(fit, tmp_path / "tree.graphml"),
    ):
        with pytest.raises(ModelError, match="this model has no edges"):
            refused()
    assert not list(tmp_path.iterdir())


@every_kind
def test_a_notebook_shows_it(method, data):
    html = method.fit(data)._repr_html_()
    assert type(method).__name__ in html


@every_kind
def test_it_can_be_sent_to_another_process(method, data):
    fit = method.fit(data)
    assert pickle.loads(pickle.dumps(fit)) == fit


@every_kind
@pytest.mark.parametrize(
    "words",
    [
        ["fit", "ovarian", "-m", "own"],
        ["fit", "ovarian", "-m", "own", "--json"],
        pytest.param(["compare", "ovarian", "-m", "caprese", "-m", "own"], marks=pytest.mark.slow),
        ["compare", "ovarian", "-m", "own", "--json"],
        pytest.param(
            ["report", "ovarian", "-m", "own", "--replicates=2", "--budget=0.1", "-o", "out.html"],
            marks=pytest.mark.slow,
        ),
        ["plot", "oncoprint", "ovarian", "-m", "own", "-o", "out.svg"],
    ],
    ids=" ".join,
)
def test_every_command_takes_it_once_it_is_registered(method, words, run):
    with patch.dict(METHODS, own=type(method)):
        code, _, problem = run(*words)
    assert code == 0, problem


@every_kind
@pytest.mark.parametrize(
    "words",
    [
        ["bootstrap", "ovarian", "-m", "own", "--replicates", "2", "--jobs", "1", "--no-table"],
        ["plot", "progression", "ovarian", "-m", "own", "-o", "out.svg"],
        ["fit", "ovarian", "-m", "own", "-o", "out.graphml"],
    ],
    ids=" ".join,
)
def test_what_needs_edges_says_so(method, words, run, tmp_path):
    with patch.dict(METHODS, own=type(method)):
        code, _, problem = run(*words)
    if method in ORDERED:
        assert code == 0, problem
        return
    assert code == 2
    assert "edges" in problem
    assert problem.count("\n") == 1
    assert not list(tmp_path.iterdir())
