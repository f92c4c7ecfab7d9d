import json
from pathlib import Path

import pytest

from caprese import Caprese, FormatError, bootstrap, datasets, read_confidence
from caprese.text.support import table_lines


def test_the_model_is_printed_with_its_support(run):
    code, out, err = run("bootstrap", "ovarian", "--replicates", "400", "--seed", "3")
    assert (code, err) == (0, "")
    confidence = bootstrap(Caprese(), datasets.ovarian(), replicates=400, seed=3)
    support = 100 * confidence.table().loc["8q+", "8p-"]
    assert f"0.360   {support:.1f} %  best of 4 admissible parents" in out
    assert "400 replicates; the same model was inferred in" in out
    assert "p-values of the edges, adjusted for multiple testing" in out


def test_the_table_of_the_paper_is_printed(run):
    _, out, _ = run("bootstrap", "ovarian", "--method", "oncotree", "--replicates", "50")
    lines = out.splitlines()
    header = next(k for k, line in enumerate(lines) if line.startswith("parent "))
    assert lines[header].split() == ["parent", *datasets.ovarian().events]
    assert lines[header + 1].startswith("root ")
    assert lines[header + 9].startswith("not determined ")


def test_the_table_and_the_tests_can_be_omitted(run):
    _, out, _ = run("bootstrap", "ovarian", "--replicates", "50", "--no-table", "--no-tests")
    assert "parent " not in out
    assert "p-values" not in out


def test_the_edges_of_the_model_have_a_star():
    confidence = bootstrap(Caprese(), datasets.acml(), replicates=100, seed=1)
    starred = [line.split()[0] for line in table_lines(confidence) if "*" in line]
    assert starred == ["root", "SETBP1"]


def test_the_number_of_jobs_does_not_change_the_output(run):
    one = run("bootstrap", "acml", "--replicates", "100", "--jobs", "1")
    assert run("bootstrap", "acml", "--replicates", "100", "--jobs", "2") == one


def test_the_counts_are_written(run, tmp_path):
    arguments = ["--kind", "parametric", "--errors", "0.2,0.02", "--replicates", "60"]
    run("bootstrap", "ovarian", "--shrinkage", "0.1", *arguments, "-o", "out.json")
    content = json.loads((tmp_path / "out.json").read_text())
    assert content["method"]["parameters"]["shrinkage"] == 0.1
    assert (content["kind"], content["noise"]) == ("parametric", "0.2,0.02")
    assert read_confidence(tmp_path / "out.json").replicates == 60


@pytest.mark.slow
def test_a_method_can_have_its_own_noise(run):
    code, out, _ = run(
        "bootstrap", "acml", "--method", "caprese:noise=estimate", "--replicates", "4"
    )
    assert code == 0
    assert out.startswith("caprese (shrinkage 0.5, noise estimate)")


def test_a_file_of_another_kind_is_refused(run, tmp_path):
    run("fit", "acml", "-o", "fit.json")
    with pytest.raises(FormatError, match=r'not a caprese confidence: expected JSON with "format"'):
        read_confidence(tmp_path / "fit.json")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ["--replicates", "0"],
            "--replicates must be a whole number from 1 to 1000000000",
        ),
        (
            ["--seed", "-1"],
            "--seed must be a whole number from 0 to 9223372",
        ),
        (
            ["--kind", "both"],
            "--kind must be one of nonparametric, parametric, statistical, got 'both'",
        ),
        (
            ["--errors", "0.1,0.1"],
            "--errors needs --kind parametric; resampled data has errors already",
        ),
        (
            ["--kind", "parametric", "--errors", "much"],
            "--errors must be two rates such as 0.1,0.05, or estimate, got 'much'",
        ),
        (["--method", "caprese:speed=1"], "parameter of caprese must be one of"),
        (["--search", "branching"], "parameter of caprese must be one of"),
        (["-o", "nowhere/out.json"], "--output nowhere/out.json: there is no folder nowhere"),
    ],
)
def test_bad_input_is_reported_in_one_line(refused, arguments, line):
    assert refused("bootstrap", "acml", "--replicates", "5", *arguments).startswith(line)


def test_an_interruption_prints_the_replicates_done_and_exits_with_130(run, interrupted):
    with interrupted(after=40):
        code, out, err = run("bootstrap", "acml", "--replicates", "80", "--jobs", "1", "--no-tests")
    assert code == 130
    assert "40 replicates; the same model was inferred" in out
    assert err == "caprese: interrupted after 40 of 80 replicates\n"


def test_an_interrupted_bootstrap_writes_the_replicates_done(run, interrupted):
    with interrupted(after=40):
        code, out, _ = run(
            *("bootstrap", "acml", "--replicates", "80", "--jobs", "1"),
            *("--json", "-o", "part.json", "-o", "part.svg"),
        )
    assert code == 130
    assert Path("part.json").read_text() == out
    part = read_confidence("part.json")
    assert part == bootstrap(Caprese(), datasets.acml(), replicates=40)
    assert Path("part.svg").exists()


def test_an_interruption_before_the_first_replicates_prints_nothing(run, monkeypatch):
    def interrupted(*_arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(Caprese, "infer_parents", interrupted)
    code, out, err = run("bootstrap", "acml", "--jobs", "1", "-o", "none.json")
    assert (code, out, err.lstrip()) == (130, "", "caprese: interrupted\n")
    assert not Path("none.json").exists()


@pytest.mark.slow
def test_edges_are_tested_with_the_shrinkage_that_was_chosen(run):
    code, out, err = run("bootstrap", "acml", "--shrinkage", "auto", "--replicates", "5")
    assert (code, err) == (0, "")
    assert "p-values of the edges" in out


def test_an_event_named_root_does_not_get_the_star_of_the_root(run, tmp_path):
    rows = [f"s{k},{k % 2},{k % 4 // 3},{k % 3 // 2}\n" for k in range(60)]
    (tmp_path / "data.csv").write_text("".join(["sample,root,B,C\n", *rows]))
    _, out, _ = run("bootstrap", "data.csv", "--replicates", "20", "--no-tests")
    lines = [line for line in out.splitlines() if line.startswith("root  ")]
    assert [line.count("*") for line in lines] == [2, 1]
