"""Mutual hazard networks on the command line."""

import json
from pathlib import Path

import numpy as np
import pytest

from caprese import Dataset, datasets, read_fit, write_dataset
from caprese.methods import MHN

pytestmark = pytest.mark.slow

FAST = ["-m", "mhn:penalty_strength=0.02"]


def test_fit_prints_the_effects_in_words_and_show_prints_the_same(run):
    code, out, err = run("fit", "ovarian", *FAST, "-o", "fit.json")
    assert (code, err) == (0, "")
    assert "8p- slows 1q+ down" in out
    assert "log-likelihood -365.11 with a penalty of strength 0.02" in out
    assert run("show", "fit.json") == (0, out, "")
    assert read_fit("fit.json") == MHN(penalty_strength=0.02).fit(datasets.ovarian())


def test_the_options_are_those_of_the_method(run):
    words = ["-m", "mhn", "--penalty", "l2", "--penalty-strength", "0.1", "--observation", "yes"]
    code, out, _ = run("fit", "acml", *words)
    assert code == 0
    title = "mhn (observation yes, penalty l2, penalty_strength 0.1, folds 5, seed 1)"
    assert out.startswith(title)


def test_the_picture_of_effects_takes_mhn_by_default(run):
    code, out, err = run("plot", "effects", "acml", "-o", "effects.svg")
    assert (code, out, err) == (0, "effects.svg\n", "")
    assert "<svg" in Path("effects.svg").read_text()


def test_the_report_shows_the_matrix_and_the_strongest_effects(run):
    code, out, err = run("report", "ovarian", *FAST, "--budget", "0.01", "-o", "report.html")
    assert (code, out.splitlines()[-1], err) == (0, "report.html: 7 events", "")
    page = Path("report.html").read_text()
    assert "slows" in page
    assert "A heat map of the effects between all pairs of events." in page
    assert "Schill et al. (2020), Bioinformatics 36:241-249." in page


FEW = ["--replicates", "3", "--jobs", "1"]


def test_a_bootstrap_prints_intervals_and_writes_tables_that_show_prints_too(run):
    outputs = ["-o", "effects.json", "-o", "effects.csv"]
    code, out, err = run("bootstrap", "acml", *FAST, *FEW, *outputs)
    assert (code, err) == (0, "")
    assert "3 replicates, resampled from the data; low and high are" in out
    assert "ASXL1 nonsense on SETBP1 missense   2.2" in out
    assert len(Path("effects.csv").read_text().splitlines()) == 1 + 6
    code, shown, err = run("show", "effects.json", "-o", "again.csv")
    assert (code, err) == (0, "")
    assert out.endswith("\n" + shown)
    assert Path("again.csv").read_text() == Path("effects.csv").read_text()


def test_a_bootstrap_prints_json_with_the_method(run):
    words = ["bootstrap", "acml", *FAST, *FEW, "--kind", "parametric", "--json"]
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert document["format"] == "caprese effects"
    assert document["method"]["name"] == "mhn"
    assert document["kind"] == "parametric"
    assert len(document["effects"]) == 6
    assert set(document["effects"][0]) == {
        *("cause", "event", "factor", "low", "high", "speeds_up", "slows_down", "absent")
    }


def test_an_interrupted_bootstrap_prints_the_replicates_done(run, interrupted):
    with interrupted(after=2):
        code, out, err = run("bootstrap", "acml", *FAST, *FEW)
    assert (code, err) == (130, "caprese: interrupted after 2 of 3 replicates\n")
    assert "2 replicates, resampled" in out


def test_a_bootstrap_of_effects_is_no_fit(run, refused):
    run("bootstrap", "acml", *FAST, *FEW, "-o", "effects.json")
    line = "--fit effects.json is a bootstrap of effects, not a fit"
    assert refused("patients", "acml", "--fit", "effects.json") == line
    line = "effects.json: this is a bootstrap of effects, not a fit or a model"
    assert refused("judge", "acml", "-m", "effects.json") == line
    line = "--confidence needs a fit or a model, not a bootstrap of effects"
    assert refused("show", "effects.json", "--confidence", "effects.json") == line


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            ["plot", "progression", "acml", *FAST, "-o", "x.svg"],
            "this model has no edges: there is no order to draw or to write; draw its "
            "effects instead: caprese plot effects",
        ),
        (
            ["fit", "acml", *FAST, "-o", "x.graphml"],
            "this model has no edges: there is no order to draw or to write; draw its "
            "effects instead: caprese plot effects",
        ),
        (
            ["bootstrap", "acml", *FAST, "--no-tests"],
            "--no-tests is for models with edges, and this model has none",
        ),
        (
            ["bootstrap", "acml", *FAST, "--kind", "statistical"],
            "--kind statistical is for models with edges, and this model has none",
        ),
        (
            ["bootstrap", "acml", *FAST, "--table"],
            "--table is for models with edges, and this model has none",
        ),
        (
            ["bootstrap", "acml", *FAST, "--kind", "parametric", "--errors", "0.1,0.1"],
            "--errors is for models with edges, and this model has none",
        ),
        (
            ["bootstrap", "acml", *FAST, "-o", "x.svg"],
            "--output x.svg needs edges, and this model has none: its effects are written to "
            ".json, .csv or .tsv, and drawn by caprese plot effects",
        ),
        (
            ["plot", "effects", "acml", "-m", "caprese", "-o", "x.svg"],
            "this model has no effects of events on each other; infer them by mhn",
        ),
        (
            ["fit", "acml", "-m", "mhn:penalty_strength=much"],
            "--penalty-strength must be a number of at least 0 or average or auto, got 'much'",
        ),
    ],
    ids=lambda part: " ".join(part[:2]) if isinstance(part, list) else "",
)
def test_what_cannot_be_is_refused_with_the_reason(refused, words, line):
    assert refused(*words) == line


def test_a_sample_with_many_events_is_taken_and_said_to_be_estimated(run):
    rows = np.eye(24, dtype=int)
    rows[0] = 1
    write_dataset(Dataset.from_rows(rows, [f"e{k}" for k in range(24)]), "wide.csv")
    code, out, err = run("fit", "wide.csv", "-m", "mhn:penalty_strength=0.1")
    assert (code, err) == (0, "")
    assert "the likelihood of 1 sample with more than 22 events is estimated" in out
