"""A method whose model has no edges, in every command: printed and saved, but not drawn."""

from pathlib import Path

import pytest

from caprese import datasets, read_fit
from caprese.fitting.estimate import frequencies
from caprese.io.documents import read_model, write_model
from caprese.methods import METHODS
from contract.kinds import OwnFrequencies

WITHOUT_EDGES = "this model has no edges"
WITHOUT_SUPPORT = "a bootstrap counts edges, and this model has none"


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    monkeypatch.setitem(METHODS, "independent", OwnFrequencies)


def test_fit_prints_the_events_and_show_prints_the_same(run):
    code, out, err = run("fit", "acml", "-m", "independent", "-o", "fit.json")
    assert (code, err) == (0, "")
    assert out.startswith("independent on 64 samples x 3 events\n")
    assert "SETBP1 missense" in out
    assert run("show", "fit.json") == (0, out, "")


def test_the_fit_is_saved_as_json(run):
    _, out, _ = run("fit", "acml", "-m", "independent", "-o", "fit.json", "--json")
    assert Path("fit.json").read_text() == out
    assert run("show", "fit.json", "--json") == (0, out, "")
    assert read_fit("fit.json").model == frequencies(datasets.acml())


def test_a_model_alone_is_shown_and_saved(run):
    model = frequencies(datasets.acml())
    write_model(model, "model.json")
    code, out, err = run("show", "model.json", "-o", "again.json")
    assert (code, err) == (0, "")
    assert out.startswith("independence of 3 events\n")
    assert read_model("again.json") == model


@pytest.mark.parametrize("suffix", ["svg", "png", "graphml", "dot", "nwk", "csv"])
def test_graphs_and_pictures_are_refused_and_no_file_is_written(run, refused, suffix):
    outputs = ["-o", "fit.json", "-o", f"tree.{suffix}"]
    assert refused("fit", "acml", "-m", "independent", *outputs).startswith(WITHOUT_EDGES)
    assert list(Path().iterdir()) == []
    run("fit", "acml", "-m", "independent", "-o", "saved.json")
    assert refused("show", "saved.json", *outputs).startswith(WITHOUT_EDGES)
    assert [path.name for path in Path().iterdir()] == ["saved.json"]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["bootstrap", "acml", "-m", "independent"], WITHOUT_SUPPORT),
        (["plot", "progression", "acml", "-m", "independent", "-o", "x.svg"], WITHOUT_EDGES),
        (
            [
                "plot",
                "progression",
                "acml",
                "-m",
                "independent",
                "--replicates",
                "5",
                "-o",
                "x.svg",
            ],
            WITHOUT_SUPPORT,
        ),
        (
            ["plot", "oncoprint", "acml", "-m", "independent", "--by-progression", "-o", "x.svg"],
            WITHOUT_EDGES,
        ),
        (["plot", "support", "acml", "-m", "independent", "-o", "x.svg"], WITHOUT_SUPPORT),
        (["plot", "distinct-models", "acml", "-m", "independent", "-o", "x.svg"], WITHOUT_SUPPORT),
        (
            ["plot", "scores", "acml", "-m", "independent", "-o", "x.svg"],
            "--method independent has no scores of pairs of events",
        ),
        (
            ["plot", "comparison", "acml", "-m", "caprese", "-m", "independent", "-o", "x.svg"],
            WITHOUT_EDGES,
        ),
        (
            ["plot", "shrinkage", "acml", "-m", "independent", "-o", "x.svg"],
            "--shrinkage must be auto: the picture shows how it is chosen",
        ),
    ],
    ids=lambda case: " ".join(case) if isinstance(case, list) else "",
)
def test_commands_that_need_edges_are_refused_in_one_line(refused, arguments, line):
    assert refused(*arguments).startswith(line)
    assert list(Path().iterdir()) == []


def test_an_oncoprint_needs_no_edges(run):
    assert run("plot", "oncoprint", "acml", "-m", "independent", "-o", "x.svg")[0] == 0


def test_methods_with_and_without_edges_are_compared(run):
    code, out, err = run("compare", "acml", "-m", "caprese", "-m", "independent")
    assert (code, err) == (0, "")
    assert "independent" in out
    assert run("compare", "acml", "-m", "independent", "--json")[0] == 0


@pytest.mark.slow
def test_a_report_is_written(run):
    code, out, err = run("report", "acml", "-m", "independent", "--budget", "0.1", "-o", "r.html")
    assert (code, err) == (0, "")
    assert out.endswith("r.html: 3 events\n")


def test_a_confidence_is_refused(run, refused):
    run("fit", "acml", "-m", "independent", "-o", "fit.json")
    run("bootstrap", "acml", "--replicates", "5", "-o", "c.json")
    assert refused("show", "fit.json", "--confidence", "c.json").startswith(WITHOUT_EDGES)
