"""--json: one document on standard output, with stable keys."""

import json
from pathlib import Path

import pytest

from caprese import Caprese, compare, datasets
from caprese.data.inspection import inspect
from caprese.io.json.codec import encode
from caprese.studies import STUDIES

ENVELOPE = ["format", "version", "program"]
FIT = [
    "method",
    "samples",
    "digest",
    "model",
    "evidence",
    "counts",
    "recovery",
    "log",
    "predictive",
]


@pytest.fixture
def document(run):
    """Run a command with --json; return the one document it prints."""

    def runner(*arguments):
        code, out, err = run(*arguments, "--json")
        assert (code, err) == (0, "")
        return json.loads(out)

    return runner


def test_fit_prints_what_it_writes(run):
    code, out, err = run("fit", "ovarian", "--json", "-o", "fit.json")
    assert (code, err) == (0, "")
    assert out == Path("fit.json").read_text()
    assert list(json.loads(out)) == ENVELOPE + FIT
    assert run("show", "fit.json", "--json") == (0, out, "")


def test_bootstrap_prints_what_it_writes(run):
    _, out, _ = run("bootstrap", "acml", "--replicates", "20", "--json", "-o", "c.json")
    assert out == Path("c.json").read_text()
    content = json.loads(out)
    assert list(content) == [*ENVELOPE, "method", "kind", "noise", "confidence"]
    assert content["confidence"]["replicates"] == 20
    shown = json.loads(run("show", "c.json", "--json")[1])
    assert shown["confidence"] == content["confidence"]


def test_a_model_is_shown_as_it_was_written(run):
    run("simulate", "--events", "4", "-o", "d.csv", "--truth", "t.json")
    assert run("show", "t.json", "--json")[1] == Path("t.json").read_text()


def test_compare_prints_each_fit_with_its_likelihood(document):
    content = document("compare", "ovarian", "-m", "caprese", "-m", "cbn:tolerance=0.1")
    assert list(content) == [*ENVELOPE, "compared", "judgement", "log"]
    assert content["format"] == "caprese comparison"
    for one in content["compared"]:
        assert list(one) == ["fit", "log_likelihood", "parameters", "bic", "noise"]
        assert list(one["fit"]) == FIT
    (expected,) = compare([Caprese()], datasets.ovarian())
    assert content["compared"][0]["bic"] == expected.bic
    assert content["compared"][0]["fit"]["method"]["name"] == "caprese"


def test_inspect_prints_facts_warnings_and_notes(document, tmp_path):
    (tmp_path / "d.csv").write_text("a,b\n1,0\n1,1\n0,0\n")
    content = document("inspect", "d.csv")
    assert content["format"] == "caprese inspection"
    assert content["events"] == ["a", "b"]
    assert content["present"] == [2, 1]
    assert content["notes"] == []
    assert document("inspect", "acml")["warnings"] == encode(inspect(datasets.acml()).warnings)
    assert content["warnings"][0]["kind"] == "rare"
    assert content["warnings"][0]["values"]["rare"] == 2


def test_curate_prints_the_log_and_the_file(document, tmp_path):
    (tmp_path / "d.csv").write_text("a,b,gone\n1,0,0\n1,1,0\n0,0,0\n")
    content = document("curate", "d.csv", "-o", "clean.csv")
    assert list(content) == [*ENVELOPE, "output", "samples", "events", "digest", "log"]
    assert (content["output"], content["samples"]) == ("clean.csv", 3)
    assert content["events"] == ["a", "b"]
    assert [step["what"] for step in content["log"]] == ["drop"]


def test_the_list_of_studies(document):
    content = document("study")
    assert [study["name"] for study in content["studies"]] == list(STUDIES)
    assert all(study["about"] for study in content["studies"])


def test_more_than_one_document_is_refused(refused, run):
    run("fit", "acml", "-o", "fit.json")
    run("bootstrap", "acml", "--replicates", "5", "-o", "c.json")
    assert refused("show", "fit.json", "--confidence", "c.json", "--json") == (
        "--json prints one document; omit --confidence"
    )
    assert refused("study", "example", "-o", "x", "--json").startswith("--json is for the list of")


def test_bad_input_is_still_reported_on_standard_error(refused):
    assert refused("fit", "nowhere.csv", "--json") == "nowhere.csv: no such file"
