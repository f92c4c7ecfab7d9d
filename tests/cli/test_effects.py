"""Mutual hazard networks on the command line."""

from pathlib import Path

import pytest

from caprese import datasets, read_fit, write_dataset
from caprese.methods import MHN

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
    code, out, err = run("report", "ovarian", *FAST, "-o", "report.html")
    assert (code, out, err) == (0, "report.html: 7 events\n", "")
    page = Path("report.html").read_text()
    assert "slows" in page
    assert "A heat map of the effects between all pairs of events." in page
    assert "Schill et al. (2020), Bioinformatics 36:241-249." in page


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            ["plot", "progression", "acml", *FAST, "-o", "x.svg"],
            "Hazards is a model without edges: there is no order to draw or to write; draw its "
            "effects instead: caprese plot effects",
        ),
        (
            ["fit", "acml", *FAST, "-o", "x.graphml"],
            "Hazards is a model without edges: there is no order to draw or to write; draw its "
            "effects instead: caprese plot effects",
        ),
        (
            ["bootstrap", "acml", *FAST, "--replicates", "2"],
            "a bootstrap counts edges, and this model has none",
        ),
        (
            ["plot", "effects", "acml", "-m", "caprese", "-o", "x.svg"],
            "Forest has no effects of events on each other; infer them by mhn",
        ),
        (
            ["fit", "acml", "-m", "mhn:penalty_strength=much"],
            "--penalty_strength must be a number, got 'much'",
        ),
    ],
    ids=lambda part: " ".join(part[:2]) if isinstance(part, list) else "",
)
def test_what_cannot_be_is_refused_with_the_reason(refused, words, line):
    assert refused(*words) == line


def test_a_sample_with_too_many_events_is_refused_with_the_number(refused):
    from caprese import Dataset

    rows = [[1] * 24, [0] * 24, [1, 0] * 12]
    write_dataset(Dataset.from_rows(rows, [f"e{k}" for k in range(24)]), "wide.csv")
    line = refused("fit", "wide.csv", "-m", "mhn", "--keep-identical")
    assert line.startswith(
        "sample '1' carries 24 events: a mutual hazard network needs 2^24 states"
    )
