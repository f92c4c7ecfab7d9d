"""Posteriors on the command line: printed, stored, drawn, reported, bootstrapped."""

import json
import re
from pathlib import Path

import pytest

from caprese import BayesForest, plots, read_fit, write_dataset
from caprese.methods.bayes import RunningBayes
from subtypes import two_forests

pytestmark = pytest.mark.slow

CHAINS = ["--chains", "2", "--draws", "40", "--thin", "1", "--warm-up", "40"]
BAYES = ["-m", "bayes", *CHAINS]
SHORT = {"chains": 2, "draws": 40, "thin": 1, "warm_up": 40}


@pytest.fixture
def table(tmp_path):
    write_dataset(two_forests(60), tmp_path / "two.csv")
    return str(tmp_path / "two.csv")


def test_a_posterior_is_printed_with_its_remarks_rates_and_diagnostics(run):
    code, out, err = run("fit", "ovarian", *BAYES)
    assert (code, err) == (0, "")
    title, _, header, *_ = out.splitlines()
    assert title == "bayes (chains 2, draws 40, thin 1, warm_up 40) on 87 samples x 7 events"
    assert header.split() == ["event", "frequency", "probability", "posterior", "reason"]
    assert re.search(r"3q\+ .* every other parent is below 5 %", out)
    assert re.search(r"5q- .* otherwise 8p- \(\d+ %\)", out)
    assert "error rates, posterior mean and 90 % interval: false positive 0." in out
    assert re.search(r"the chains .*R-hat \d\.\d\d, 80 draws are worth \d+ independent draws", out)


def test_subtypes_are_printed_with_their_share_and_their_trees(run, table):
    code, out, _ = run("fit", table, *BAYES, "--subtypes", "2")
    assert code == 0
    assert re.search(
        r"subtype 1, \d+ % of samples: \w is in \d+ % of its samples and in \d+ %", out
    )
    assert len(re.findall(r"^subtype \d, \d+ % of samples$", out, re.M)) == 2
    assert out.count("root\n") == 3


def test_a_stored_posterior_is_shown_as_it_was_printed(run, table):
    _, printed, _ = run("fit", table, *BAYES, "--subtypes", "auto", "-o", "fit.json")
    code, out, err = run("show", "fit.json")
    assert (code, err) == (0, "")
    assert printed.startswith(out)
    assert read_fit("fit.json").posterior.draws == 80


def test_a_posterior_without_draws_is_stored_and_shown(run):
    _, printed, _ = run("fit", "acml", *BAYES, "--keep", "0", "-o", "fit.json")
    assert json.loads(Path("fit.json").read_text())["posterior"] is None
    assert printed.startswith(run("show", "fit.json")[1])


def test_a_file_without_the_field_of_the_draws_is_refused(run):
    run("fit", "acml", *BAYES, "-o", "fit.json")
    content = json.loads(Path("fit.json").read_text())
    del content["posterior"]
    Path("fit.json").write_text(json.dumps(content))
    code, _, err = run("show", "fit.json")
    assert code == 2
    assert err == "caprese: fit.json: 'posterior' is missing\n"


def test_draws_that_do_not_fit_together_are_refused(run):
    run("fit", "acml", *BAYES, "-o", "fit.json")
    content = json.loads(Path("fit.json").read_text())
    content["posterior"]["rates"] = [[[0.1, 0.1]]]
    Path("fit.json").write_text(json.dumps(content))
    code, _, err = run("show", "fit.json")
    assert code == 2
    assert "posterior: rates must have shape (2, 40, 1, 2), got (1, 1, 1, 2)" in err


def test_graphs_have_the_posterior_of_each_edge(run):
    run("fit", "ovarian", *BAYES, "-o", "tree.csv", "-o", "fit.json", "-o", "tree.graphml")
    header, *rows = (line.split(",") for line in Path("tree.csv").read_text().splitlines())
    at = header.index("posterior")
    fit = read_fit("fit.json")
    assert [float(row[at]) for row in rows] == pytest.approx(fit.table()["posterior"].tolist())
    assert 'attr.name="posterior"' in Path("tree.graphml").read_text()


def test_pictures_of_a_posterior(run, table):
    data = two_forests(60)
    code, _, err = run("plot", "progression", table, *BAYES, "-o", "tree.svg")
    assert (code, err) == (0, "")
    tree = plots.progression_figure(BayesForest(**SHORT).fit(data))
    assert Path("tree.svg").read_bytes() == plots.figure_bytes(tree, "svg")
    assert run("plot", "scores", table, *BAYES, "-o", "scores.svg")[0] == 0
    assert run("plot", "subtypes", table, *BAYES, "--subtypes", "2", "-o", "two.svg")[0] == 0
    panels = plots.subtypes_figure(BayesForest(subtypes=2, **SHORT).fit(data))
    assert Path("two.svg").read_bytes() == plots.figure_bytes(panels, "svg")


def test_subtypes_of_a_method_without_any_are_refused(run):
    code, _, err = run("plot", "subtypes", "acml", "-m", "caprese", "-o", "x.svg")
    assert (code, err) == (2, "caprese: --method caprese finds no subtypes; use bayes\n")


def test_a_report_needs_no_bootstrap(run):
    code, out, err = run("report", "acml", *BAYES, "--budget", "0.1", "-o", "report.html")
    assert (code, err) == (0, "")
    assert out.endswith("\n\nreport.html: 3 events, 80 draws\n")
    assert "posterior probability" in Path("report.html").read_text()
    code, _, err = run("report", "acml", *BAYES, "--replicates", "5", "-o", "report.html")
    assert code == 2
    assert err == (
        "caprese: --replicates is not for bayes, which gives posterior probabilities: no "
        "bootstrap is needed\n"
    )


def test_the_seed_of_a_report_is_that_of_the_chains(run):
    run("report", "acml", *BAYES, "--budget", "0.1", "--seed", "3", "-o", "one.html")
    text = Path("one.html").read_text()
    assert "seed 3)" in text
    assert "<dt>Seed</dt><dd>3</dd>" in text


@pytest.mark.parametrize(
    ("method", "remark"),
    [
        ("likelihood", ""),
        (
            "bayes:chains=1:draws=4:thin=1:warm_up=4",
            "caprese: the fit says already how probable each edge is, in the column posterior; the "
            "bootstrap draws this posterior again from each of 3 replicates\n",
        ),
    ],
)
def test_both_methods_are_bootstrapped_and_compared(run, method, remark):
    words = ["bootstrap", "acml", "-m", method, "--replicates", "3", "--jobs", "1"]
    code, out, err = run(*words)
    assert (code, err) == (0, remark)
    assert "3 replicates; the same model was inferred in" in out
    code, out, err = run("compare", "acml", "-m", "caprese", "-m", method)
    assert (code, err) == (0, "")
    assert "log-likelihood" in out


def test_bad_subtypes_are_refused_in_one_line(run):
    code, _, err = run("fit", "acml", "-m", "bayes", "--subtypes", "many")
    assert code == 2
    assert err == "caprese: --subtypes must be a whole number from 1 to 100 or auto, got 'many'\n"


def test_an_interrupted_posterior_is_that_of_the_draws_done(run, monkeypatch):
    def interrupted(running):
        for done in running._chains:
            yield done
            if done:
                raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(RunningBayes, "__iter__", interrupted)
        code, out, err = run("fit", "ovarian", *BAYES, "--json")
    draws = json.loads(out)["method"]["parameters"]["draws"]
    assert (code, draws < 40) == (130, True)
    method = f"bayes (chains 2, draws {draws}, thin 1, warm_up 40)"
    assert err == f"caprese: interrupted; the answer is that of {method}\n"
    _, whole, _ = run("fit", "ovarian", "-m", "bayes", *CHAINS, "--draws", str(draws), "--json")
    assert out == whole


def test_a_posterior_that_is_interrupted_before_its_first_draws_prints_nothing(run, monkeypatch):
    def interrupted(_running):
        raise KeyboardInterrupt

    monkeypatch.setattr(RunningBayes, "__iter__", interrupted)
    code, out, err = run("fit", "ovarian", *BAYES)
    assert (code, out, err.lstrip()) == (130, "", "caprese: interrupted\n")
