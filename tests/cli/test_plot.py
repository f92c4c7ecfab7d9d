"""caprese plot: every kind of picture, and its errors."""

from pathlib import Path

import pytest

from caprese import Caprese, bootstrap, datasets, place, plots, write_dataset
from caprese.cli.commands.plot import plot

pytestmark = pytest.mark.slow

DATA = datasets.acml()
FIT = Caprese().fit(DATA)


def drawn(figure):
    return plots.figure_bytes(figure, "svg")


@pytest.mark.parametrize("kind", plot.commands)
def test_every_kind_of_picture_is_drawn(run, kind):
    more = ["--sample", "9"] if kind == "patient" else []
    data = "aml_trees" if kind == "trees" else "acml"  # of which trees were seen
    code, out, err = run("plot", kind, data, *more, "-o", "picture.png")
    said = "caprese: caprese does not use the seen orders: the fit is that of the samples alone\n"
    assert (code, out, err) == (0, "picture.png\n", said if kind == "trees" else "")
    assert Path("picture.png").read_bytes().startswith(b"\x89PNG")


def test_without_a_kind_the_kinds_are_listed(run):
    code, out, err = run("plot")
    *kinds, empty, example = out.splitlines()
    assert (code, err, empty) == (0, "", "")
    assert [line.split()[0] for line in kinds] == list(plot.commands)
    assert all(len(line.split()) > 4 for line in kinds)
    assert run(*example.removeprefix("For example: caprese ").split())[0] == 0


def test_one_picture_can_be_written_to_several_files(run, tmp_path):
    run("plot", "progression", "acml", "-o", "tree.svg", "-o", "tree.pdf")
    assert {path.name for path in tmp_path.iterdir()} == {"tree.svg", "tree.pdf"}


def test_the_progression_shows_support_if_there_are_replicates(run):
    run("plot", "progression", "acml", "-o", "tree.svg")
    assert Path("tree.svg").read_bytes() == drawn(plots.progression_figure(FIT))
    run("plot", "progression", "acml", "--replicates", "30", "--seed", "4", "-o", "sure.svg")
    confidence = bootstrap(Caprese(), DATA, replicates=30, seed=4)
    assert Path("sure.svg").read_bytes() == drawn(plots.progression_figure(FIT, confidence))


def test_the_support_is_that_of_the_bootstrap(run):
    run("plot", "support", "acml", "--replicates", "30", "-o", "support.svg")
    confidence = bootstrap(Caprese(), DATA, replicates=30, seed=1)
    assert Path("support.svg").read_bytes() == drawn(plots.support_figure(FIT.model, confidence))


def test_the_parameters_of_the_methods_are_options(run):
    run("plot", "scores", "acml", "--shrinkage", "0.1", "-o", "scores.svg")
    fit = Caprese(shrinkage=0.1).fit(DATA)
    expected = drawn(plots.scores_figure(fit.model, fit.evidence.pair_scores()))
    assert Path("scores.svg").read_bytes() == expected
    assert run("plot", "scores", "acml", "-m", "oncotree", "-o", "weights.svg")[0] == 0
    assert run("plot", "progression", "acml", "-m", "hcbn", "--steps", "5", "-o", "p.svg")[0] == 0
    assert run("plot", "oncoprint", "acml", "-m", "hcbn", "--seed", "2", "-o", "o.svg")[0] == 0


def test_an_oncoprint_can_follow_the_progression_and_have_an_annotation(run, tmp_path):
    write_dataset(DATA, tmp_path / "acml.csv")
    categories = {sample: "old" if sample < "3" else "young" for sample in DATA.samples}
    lines = [f"{sample};{category}" for sample, category in categories.items()]
    (tmp_path / "ages.csv").write_text("\n".join(["sample;age", *lines]))
    options = ["--by-progression", "--annotation", "ages.csv"]
    assert run("plot", "oncoprint", "acml.csv", *options, "-o", "print.svg")[0] == 0
    expected = plots.oncoprint_figure(DATA, model=FIT.model, annotation=categories, title="age")
    assert Path("print.svg").read_bytes() == drawn(expected)


def test_the_log_of_the_curation_is_printed(run, tmp_path):
    (tmp_path / "d.csv").write_text("a,b,gone\n1,0,0\n1,1,0\n0,0,0\n")
    _, out, _ = run("plot", "oncoprint", "d.csv", "-o", "print.svg")
    assert out == "dropped 1 event, never seen: gone (0 of 3)\nprint.svg\n"


def test_data_may_come_from_standard_input(tmp_path):
    from click.testing import CliRunner

    from caprese import cli

    table = "a,b\n1,0\n1,1\n0,0\n"
    place = str(tmp_path / "x.svg")
    for kind in ("progression", "shrinkage"):
        done = CliRunner().invoke(cli.cli, ["plot", kind, "-", "-o", place], input=table)
        assert (done.exit_code, done.output) == (0, f"{place}\n")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["plots"], "there is no command 'plots'; did you mean 'plot'?"),
        (["plot", "oncoprnt"], "there is no picture 'oncoprnt'; did you mean 'oncoprint'?"),
        (["plot", "acml"], "there is no picture 'acml'; there are progression, oncoprint, support"),
        (
            ["plot", "scores", "acml"],
            "Missing option '-o' / '--output'.",
        ),
        (["plot", "scores"], "Missing argument 'DATA'."),
        (
            ["plot", "scores", "acml", "-o", "x.pgn"],
            "--output x.pgn must end in one of .png, .svg, .pdf; did you mean '.png'?",
        ),
        (["plot", "scores", "acml", "-o", "x.json"], "--output x.json must end in one of .png"),
        (
            ["plot", "scores", "acml", "-m", "hcbn", "-o", "x.svg"],
            "--method hcbn has no scores of pairs of events",
        ),
        (
            ["plot", "comparison", "acml", "-m", "caprese", "-o", "x.svg"],
            "a comparison needs two methods, -m A -m B, got 1",
        ),
        (
            ["plot", "shrinkage", "acml", "--shrinkage", "0.1", "-o", "x.svg"],
            "--shrinkage must be auto: the picture shows how it is chosen",
        ),
        (
            ["plot", "shrinkage", "acml", "-m", "caprese:shrinkage=0.1", "-o", "x.svg"],
            "--shrinkage must be auto",
        ),
        (
            ["plot", "shrinkage", "acml", "-m", "oncotree", "-o", "x.svg"],
            "--shrinkage must be auto: the picture shows how it is chosen",
        ),
        (
            ["plot", "oncoprint", "acml", "--annotation", "other.csv", "-o", "x.svg"],
            "--annotation other.csv names none of the samples",
        ),
        (
            ["plot", "oncoprint", "acml", "--annotation", "wide.csv", "-o", "x.svg"],
            "wide.csv, line 1: 3 columns: 'age', 'sex'; FILE:age reads the first of them",
        ),
    ],
)
def test_bad_input_is_reported_in_one_line_and_no_file_is_written(
    refused, tmp_path, arguments, line
):
    (tmp_path / "other.csv").write_text("sample,age\nnobody,old\n")
    (tmp_path / "wide.csv").write_text("sample,age,sex\n1,old,f\n")
    assert refused(*arguments).startswith(line)
    assert {path.name for path in tmp_path.iterdir()} == {"other.csv", "wide.csv"}


def test_an_interrupted_bootstrap_gives_no_picture(run, interrupted, tmp_path):
    with interrupted(after=40):
        code, out, err = run(
            *("plot", "support", "acml", "--replicates", "80", "--jobs", "1", "-o", "x.svg")
        )
    assert (code, out, err.lstrip()) == (130, "", "caprese: interrupted\n")
    assert list(tmp_path.iterdir()) == []


def test_samples_are_placed_in_a_fit_from_a_file(run, tmp_path):
    run("fit", "acml", "-o", "model.json")
    code, out, err = run(
        "plot", "patient", "acml", "--fit", "model.json", "--sample", "9", "-o", "c.svg"
    )
    assert (code, out, err) == (0, "c.svg\n", "")
    found = plots.patient_card(place(FIT, DATA), "9")
    assert (tmp_path / "c.svg").read_bytes() == drawn(found)
    assert run("plot", "patients", "acml", "--fit", "model.json", "-o", "p.svg")[0] == 0
    assert (tmp_path / "p.svg").read_bytes() == drawn(plots.patients_figure(FIT, place(FIT, DATA)))


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["patient", "acml", "--sample", "x9"], "there is no sample 'x9'; did you mean '9'?"),
        (["patient", "acml"], "Missing option '--sample'."),
        (["patients", "acml", "-m", "independence"], "this model has no edges"),
        (["patients", "acml", "--fit", "nowhere.json"], "nowhere.json: no such file"),
    ],
)
def test_samples_that_cannot_be_drawn_are_refused(refused, arguments, line):
    assert refused("plot", *arguments, "-o", "picture.svg").startswith(line)
