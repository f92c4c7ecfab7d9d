"""caprese judge."""

import json

import pytest

from caprese import Caprese, datasets, judge, read_judgement, write_graph
from caprese.data.curation import DropConstant, MergeIdentical
from caprese.text.comparison import judgement_lines

pytestmark = pytest.mark.slow

QUICK = ("-m", "caprese", "-m", "oncotree", "--folds", "4")


def test_the_verdict_comes_first(run):
    code, out, err = run("judge", "acml", *QUICK)
    assert (code, err) == (0, "")
    assert out.startswith(
        "No order is supported by these 64 samples: none of caprese, oncotree predicts better than "
        "independent events, though a gain of"
    )


def test_it_prints_what_judge_returns(run):
    _, out, _ = run("judge", "ovarian", "-m", "caprese", "--folds", "4", "--seed", "2")
    found = judge(
        [Caprese()], datasets.ovarian(), folds=4, seed=2, rules=[DropConstant(), MergeIdentical()]
    )
    assert out == "\n".join(judgement_lines(found)) + "\n"


def test_files_are_written_and_shown(run, tmp_path):
    _, printed, _ = run("judge", "ovarian", *QUICK, "-o", "judged.json", "-o", "gains.svg")
    assert run("show", "judged.json") == (0, printed, "")
    assert read_judgement(tmp_path / "judged.json").methods[0] == "caprese"
    assert (tmp_path / "gains.svg").read_text().startswith("<?xml")
    code, _, _ = run("show", "judged.json", "-o", "again.png")
    assert code == 0
    assert (tmp_path / "again.png").exists()


def test_json_has_the_verdict_as_facts(run):
    _, out, _ = run("judge", "acml", *QUICK, "--json")
    content = json.loads(out)
    assert content["format"] == "caprese judgement"
    assert content["verdict"][0]["kind"] == "no order supported"
    assert content["gains"]["independence"] == {"mean": 0.0, "error": 0.0}


@pytest.mark.parametrize("name", ["tree.graphml", "tree.csv", "fit.json"])
def test_the_structure_in_a_file_is_judged(run, tmp_path, name):
    run("fit", "ovarian", "-o", "fit.json")
    if name != "fit.json":
        write_graph(Caprese().fit(datasets.ovarian()), tmp_path / name)
    _, out, err = run("judge", "ovarian", "-m", name, "--folds", "4", "--json")
    assert err == ""
    content = json.loads(out)["judgement"]
    assert content["methods"] == [name, "independence"]
    assert content["given"] == [True, False]
    assert content["seen"] == [name == "fit.json", False]


def test_a_fit_to_curated_data_has_seen_the_same_samples(run, tmp_path):
    rows = "".join(f"{a},{a},{b},1\n" for a, b in [(1, 0), (0, 0), (1, 1), (0, 1)] * 5)
    (tmp_path / "data.csv").write_text(f"a,b,c,always\n{rows}")
    run("fit", "data.csv", "-o", "fit.json")
    code, out, err = run("judge", "data.csv", "-m", "fit.json", "-m", "caprese", "--folds", "4")
    assert (code, err) == (0, "")
    assert "was learnt from these very samples" in out
    assert "Dropped by the curation in up to 4 of 4 training parts" in out
    assert "Not in the model of fit.json, and predicted by frequency: always." in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-m", "capres"), "--method must be a file or one of"),
        (("-m", "missing.json"), "missing.json"),
        (("--folds", "100"), "--folds must be from 2 to 64, the number of samples, got 100"),
        (("--patients", "names"), "no names look like several samples of one patient"),
        (("-o", "judged.txt"), "--output judged.txt must end in one of .json, .png, .svg, .pdf"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(run, arguments, message):
    code, out, err = run("judge", "acml", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("caprese: ")
    assert message in err
    assert err.count("\n") == 1
