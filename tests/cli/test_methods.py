"""The methods and their parameters, in `fit` and `compare`."""

import json
import re

import pytest

from caprese import (
    CBN,
    HCBN,
    METHODS,
    Caprese,
    Noise,
    Oncotree,
    compare,
    datasets,
    judge,
    read_fit,
    write_dataset,
)
from caprese.text.columns import separated
from caprese.text.comparison import comparison_lines
from caprese.text.directions import direction_lines
from caprese.text.fits import fit_lines

DEFAULTS = [Caprese(), Caprese(shrinkage=0.01), Oncotree(), Oncotree(search="branching")]


@pytest.mark.parametrize(
    ("options", "method"),
    [
        (["--method", "oncotree"], Oncotree()),
        (["--method", "oncotree", "--search", "szabo"], Oncotree()),
        (["--method", "oncotree", "--search", "branching"], Oncotree(search="branching")),
        (["--noise", "estimate"], Caprese(noise="estimate")),
        (["--noise", "0.2,0.02"], Caprese(noise=Noise(0.2, 0.02))),
        (
            ["--noise", "0.2,0.02", "--shrinkage", "0.1"],
            Caprese(shrinkage=0.1, noise=Noise(0.2, 0.02)),
        ),
        (["--method", "oncotree", "--noise", "estimate"], Oncotree(noise="estimate")),
        (
            ["--method", "oncotree", "--search", "branching", "--noise", "0.1,0.1"],
            Oncotree(search="branching", noise=Noise(0.1, 0.1)),
        ),
        (["--method", "cbn", "--tolerance", "0.1"], CBN(tolerance=0.1)),
        (
            ["--method", "hcbn", "--steps", "10", "--restarts", "2", "--start", "caprese"],
            HCBN(steps=10, restarts=2, start="caprese"),
        ),
        (["--method", "hcbn:ascent=no:steps=5"], HCBN(steps=5, ascent=False)),
    ],
    ids=lambda case: " ".join(case) if isinstance(case, list) else "",
)
def test_fit_prints_what_the_method_finds(run, options, method):
    code, out, err = run("fit", "ovarian", *options, "-o", "model.json")
    assert (code, err) == (0, "")
    fit = method.fit(datasets.ovarian())
    lines = fit_lines(fit)
    assert out == "\n".join(separated(lines, direction_lines(fit))) + "\n"
    assert read_fit("model.json") == fit
    assert run("show", "model.json") == (0, "\n".join(lines) + "\n", "")


def test_the_text_of_an_oncotree(run):
    _, out, _ = run("fit", "ovarian", "--method", "oncotree")
    assert (
        out
        == """\
oncotree (search szabo) on 87 samples x 7 events

event         frequency  probability  weight  reason
root
├─ 8q+             70 %        0.701  -0.531  no admissible parent
│  └─ 3q+          55 %        0.689  -0.359  heaviest of 1 admissible parent
├─ 5q-             53 %        0.529  -0.424  the root outweighs 8q+
│  ├─ 4q-          51 %        0.739  -0.292  heaviest of 3 admissible parents
│  └─ 8p-          47 %        0.696  -0.248  heaviest of 4 admissible parents
│     └─ Xp-       43 %        0.659  -0.206  heaviest of 6 admissible parents
└─ 1q+             44 %        0.437  -0.362  the root outweighs 3q+

Directions: 8q+ before 3q+, 5q- before 4q-, 5q- before 8p- and 8p- before Xp- are not determined \
by these data.
"""
    )


def test_estimated_rates_are_printed_with_their_intervals(run):
    _, out, _ = run("fit", "ovarian", "--method", "oncotree", "--noise", "estimate")
    recovery = Oncotree(noise="estimate").fit(datasets.ovarian()).recovery
    low, high = recovery.intervals.false_positive
    assert f"log-likelihood with errors: {recovery.log_likelihood:.2f}\n" in out
    assert (
        f"false positive rate: {recovery.noise.false_positive:.3f} "
        f"(95 % interval {low:.3f} to {high:.3f})\n"
    ) in out
    low, high = recovery.intervals.false_negative
    assert (
        f"false negative rate: {recovery.noise.false_negative:.3f} "
        f"(95 % interval {low:.3f} to {high:.3f})\n"
    ) in out


def test_given_rates_are_printed_without_intervals(run):
    _, out, _ = run("fit", "ovarian", "--noise", "0.2,0.02")
    assert "\nfalse positive rate: 0.200\nfalse negative rate: 0.020\n\nDirections: " in out
    assert "interval" not in out


def test_a_forest_that_did_not_settle_is_reported(run):
    """A file may hold any recovery; this one did not settle in ten rounds."""
    run("fit", "ovarian", "--noise", "0.2,0.02", "-o", "model.json")
    with open("model.json") as file:
        content = json.load(file)
    content["recovery"] |= {"settled": False, "rounds": 10}
    with open("model.json", "w") as file:
        json.dump(content, file)
    _, out, _ = run("show", "model.json")
    assert out.endswith("\nDid not converge in 10 rounds; the most likely forest is shown.\n")


def test_compare_prints_the_default_methods_side_by_side(run):
    code, out, err = run("compare", "ovarian")
    assert (code, err) == (0, "")
    data = datasets.ovarian()
    names = ["caprese", "caprese:shrinkage=0.01", "oncotree", "oncotree:search=branching"]
    judged = judge(dict(zip(names, DEFAULTS, strict=True)), data)
    assert out == "\n".join(comparison_lines(compare(DEFAULTS, data), judged)) + "\n"
    _, out, _ = run("compare", "ovarian", "--no-judge")
    assert out == "\n".join(comparison_lines(compare(DEFAULTS, data))) + "\n"


def test_compare_judges_slow_methods_only_if_asked(run):
    methods = ("-m", "caprese", "-m", "cbn:tolerance=0.1")
    assert "held-out score" not in run("compare", "acml", *methods)[1]
    assert "held-out score" in run("compare", "acml", *methods, "--judge")[1]


def test_compare_takes_methods_with_their_parameters(run):
    _, out, _ = run(
        *("compare", "ovarian", "-m", "oncotree:search=branching:noise=0.1,0.1"),
        *("--method", "caprese:noise=estimate"),
    )
    methods = [
        Oncotree(search="branching", noise=Noise(0.1, 0.1)),
        Caprese(noise="estimate"),
    ]
    assert out == "\n".join(comparison_lines(compare(methods, datasets.ovarian()))) + "\n"


def test_compare_reads_a_file_as_fit_does(run, tmp_path):
    write_dataset(datasets.acml(), tmp_path / "acml.tsv")
    assert run("compare", "acml.tsv", "--delimiter", "tab") == run("compare", "acml")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ["fit", "ovarian", "--noise", "0.1"],
            "--noise must be two rates such as 0.1,0.05, or estimate, got '0.1'",
        ),
        (
            ["fit", "ovarian", "--noise", "a,b"],
            "--noise must be two rates such as 0.1,0.05, or estimate, got 'a,b'",
        ),
        (
            ["fit", "ovarian", "--noise", "0.6,0.6"],
            "false_positive + false_negative must be less than 1, got 1.2",
        ),
        (
            ["fit", "ovarian", "--noise", "0.5,0"],
            "event '8p-' is in 47.1% of the samples; "
            "a false positive rate of 0.5 alone would show it in more",
        ),
        (
            ["fit", "ovarian", "--noise", "0,0.4"],
            "event '8q+' is in 70.1% of the samples; "
            "a false negative rate of 0.4 would show it in at most 60.0%",
        ),
        (
            ["fit", "ovarian", "--method", "oncotree", "--search", "x"],
            "--search must be one of szabo, branching, got 'x'",
        ),
        (
            ["fit", "ovarian", "--search", "szabo"],
            "parameter of caprese must be one of shrinkage, noise, orders_at_least, got 'search'",
        ),
        (
            ["fit", "ovarian", "--method", "oncotree", "--shrinkage", "0.1"],
            "parameter of oncotree must be one of search, noise, got 'shrinkage'",
        ),
        (
            ["compare", "ovarian", "-m", "magic"],
            f"--method must be one of {', '.join(METHODS)}, got 'magic'",
        ),
        (
            ["compare", "ovarian", "-m", "caprese:magic=1"],
            "parameter of caprese must be one of shrinkage, noise, orders_at_least, got 'magic'",
        ),
        (
            ["compare", "ovarian", "-m", "caprese:shrinkage=x"],
            "shrinkage must be in [0, 1] or auto, got 'x'",
        ),
        (
            ["compare", "ovarian", "-m", "oncotree:noise=1"],
            "noise must be two rates such as 0.1,0.05, or estimate, got '1'",
        ),
        (["compare", "nowhere.csv"], "nowhere.csv: no such file"),
        (["compare"], "Missing argument 'DATA'."),
    ],
)
def test_bad_input_is_reported_in_one_line(refused, arguments, line):
    assert refused(*arguments) == line


@pytest.mark.parametrize("noise", ["estimate", "0,0"])
@pytest.mark.parametrize("method", ["caprese", "oncotree"])
def test_degenerate_data_is_not_refused(run, method, noise, tmp_path):
    (tmp_path / "poor.csv").write_text("a,b,c\n0,1,0\n1,0,0\n0,1,0\n")
    code, out, err = run("fit", "poor.csv", "--method", method, "--noise", noise)
    assert (code, err) == (0, "")
    assert "dropped 1 event, never seen: c (0 of 3)" in out


def test_the_help_lists_what_every_method_takes(run):
    _, out, _ = run("fit", "--help")
    listed = out.partition("Parameters of the methods:\n")[2]
    for name in METHODS:
        assert f"\n  {name}" in f"\n{listed}"
    assert "caprese       shrinkage, noise, orders_at_least\n" in listed
    assert "bayes         subtypes, noise, chains, draws, seed, 9 expert settings\n" in listed
    assert "`caprese fit -m METHOD --help` explains those of a method." in listed
    assert len(out.splitlines()) - len(METHODS) < 80


@pytest.mark.parametrize(
    "words",
    [["fit", "-m", "bayes", "--help"], ["fit", "--help", "--method=bayes:seed=3"]],
    ids=" ".join,
)
def test_the_help_explains_the_parameters_of_one_method(run, words):
    code, out, _ = run(*words)
    assert code == 0
    ordinary, _, expert = out.partition("Parameters of bayes:\n")[2].partition("\n\n")
    assert "--draws VALUE     Draws kept of each chain.  [default: 250]" in ordinary
    assert expert.startswith("Expert settings of bayes:\n")
    assert "--dirichlet VALUE    Dirichlet prior" in expert
    assert "--search" not in out


def test_options_that_a_command_has_itself_are_not_those_of_a_method(run):
    out = run("bootstrap", "-m", "hcbn", "--help")[1].partition("Parameters of hcbn:")[2]
    assert "--steps" in out
    assert "--seed" not in out


def test_the_methods_are_listed_and_explained(run):
    code, out, err = run("methods")
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines() if line[0] != " "] == list(METHODS)
    assert "capri         Infer a DAG by CAPRI" in out
    _, out, _ = run("methods", "hcbn")
    assert out.startswith("Infer a poset with waiting times and errors")
    assert "simulated annealing" in out
    assert "--seed VALUE      Seed of the searches.  [default: 1]" in out
    assert "Expert settings of hcbn:" in out
    assert "Examples" not in run("methods", "independence")[1]


def test_a_method_that_is_not_there_is_refused(refused):
    message = f"method must be one of {', '.join(METHODS)}, got 'bays'; did you mean 'bayes'?"
    assert refused("methods", "bays") == message
    assert refused("fit", "-m", "bays", "--help") == message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--steps", "x"], "--steps must be a whole number of at least 0, got 'x'"),
        (["--restarts", "0"], "--restarts must be a whole number of at least 1, got 0"),
        (["--ascent", "perhaps"], "--ascent must be yes or no (True or False), got 'perhaps'"),
        (["--start", "here"], "--start must be several or empty or caprese or a Poset, got 'here'"),
        (["--tolerance", "0.1"], "parameter of hcbn must be one of steps, "),
    ],
)
def test_bad_parameters_of_a_search_are_reported_in_one_line(run, options, message):
    code, out, err = run("fit", "ovarian", "--method", "hcbn", *options)
    assert (code, out) == (2, "")
    assert err.startswith(f"caprese: {message}")
    assert err.count("\n") == 1


def test_a_bootstrap_of_a_posterior_says_that_the_fit_answers_already(run):
    quick = "bayes:draws=5:warm_up=5:chains=1"
    _, _, err = run("bootstrap", "acml", "-m", quick, "--jobs", "1", "--replicates", "2")
    assert err == (
        "caprese: the fit says already how probable each edge is, in the column posterior; "
        "the bootstrap draws this posterior again from each of 2 replicates\n"
    )


def test_a_long_fit_is_foretold(run, monkeypatch):
    monkeypatch.setattr(HCBN, "expected_seconds", lambda _method, _data: 45.0)
    arguments = ("acml", "-m", "hcbn:restarts=1", "--jobs", "1", "--replicates", "2", "--no-tests")
    _, out, err = run("bootstrap", *arguments)
    assert err == (
        "caprese: a fit of hcbn to 3 events will take about 45 seconds\n"
        "caprese: 2 fits of hcbn to 3 events will take about 2 minutes\n"
    )
    assert "2 replicates" in out
    monkeypatch.setattr(HCBN, "expected_seconds", lambda _method, _data: 4.0)
    assert run("fit", "acml", "-m", "hcbn:restarts=1")[2] == ""
    monkeypatch.setattr(HCBN, "expected_seconds", lambda _method, _data: 0.0)
    monkeypatch.setattr(HCBN, "cost", lambda _method, _data: 45.0)
    said = "caprese: a fit of hcbn to 3 events will take about 45 seconds on one core\n"
    assert run("fit", "acml", "-m", "hcbn:restarts=1")[2] == said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("fit acml_full31 --top 13 -m hcbn --restarts 1000000000", "a fit of hcbn to 13 events"),
        ("fit acml -m bayes --thin 1000000000 --draws 9999", "a fit of bayes to 3 events"),
        ("judge acml -m mhn --folds 60 --repeats 10000", "600000 fits of mhn to 3 events"),
    ],
)
def test_what_would_take_years_is_refused_first(refused, monkeypatch, words, what):
    if "mhn" in words:
        monkeypatch.setattr(METHODS["mhn"], "cost", lambda _method, _data: 60.0)
    line = refused(*words.split())
    assert re.fullmatch(rf"{what} would take about \d+ days, which is too long", line)


@pytest.mark.parametrize(
    ("arguments", "fits"),
    [
        (["fit", "acml"], "a fit"),
        (["compare", "acml"], "a fit"),
        (["compare", "acml", "--judge"], "6 fits"),
        (["judge", "acml", "--folds", "3", "--repeats", "2", "--jobs", "1"], "6 fits"),
        (["judge", "acml", "--quick", "--jobs", "1"], "a fit"),
        (["report", "acml", "--replicates", "2", "--budget", "0.01", "-o", "r.html"], "a fit"),
    ],
)
@pytest.mark.slow
def test_every_command_foretells_all_its_fits_once(run, monkeypatch, arguments, fits):
    monkeypatch.setattr(HCBN, "expected_seconds", lambda _method, _data: 7200.0)
    code, _, err = run(*arguments, "-m", "hcbn:restarts=1:steps=5")
    assert code == 0
    more = ["2 fits"] if "report" in arguments else []
    said = re.findall("caprese: (.*) of hcbn to 3 events will take about ", err)
    assert said == [fits, *more]
