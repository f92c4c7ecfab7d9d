"""Several samples of a patient on the command line: who they are of, and which of them count."""

from dataclasses import replace

import numpy as np
import pytest

from caprese.recipe.loading import Curation, Source
from caprese.recipe.parts import Outputs
from caprese.recipe.recipe import Recipe
from caprese.recipe.toml import read_recipe, recipe_text, write_recipe
from caprese.recipe.words import command

DATA = ("data.csv", "--patients", "dates.csv:patient")
DATED = (*DATA, "--sampled-at", "dates.csv:day")


@pytest.fixture
def cohort(tmp_path, run):
    """Thirty patients, half of them with two samples; the second has what the first has."""
    rng = np.random.default_rng(5)
    rows, dates = ["sample,a,b,c"], ["sample,patient,day"]
    for patient in range(30):
        first = rng.random(3) < (0.5, 0.4, 0.3)
        later = first | (rng.random(3) < 0.3)
        for sample, values in enumerate([first, later][: 1 + patient % 2], start=1):
            name = f"P{patient:02d}_T{sample}"
            rows.append(",".join([name, *map(str, values.astype(int))]))
            dates.append(f"{name},P{patient:02d},{100 * sample}")
    (tmp_path / "data.csv").write_text("\n".join(rows) + "\n")
    (tmp_path / "dates.csv").write_text("\n".join(dates) + "\n")
    return run


def test_names_like_those_of_one_patient_are_a_warning_that_names_the_option(cohort):
    code, out, err = cohort("fit", "data.csv")
    assert code == 0
    assert "on 45 samples" in out
    assert "look like several samples of 15 patients (P01: P01_T1, P01_T2; " in err
    assert err.endswith("--patients names counts each patient once, none each sample\n")


@pytest.mark.parametrize("patients", ["names", "dates.csv:patient"])
def test_each_patient_counts_once_by_default(cohort, patients):
    code, out, err = cohort("fit", "data.csv", "--patients", patients)
    assert (code, err) == (0, "")
    assert "on 30 samples" in out
    assert "patients: 45 samples of 30 patients, 15 with several" in out
    assert "dropped 15 samples, another sample of the patient is kept" in out


def test_samples_of_different_patients_are_no_doubt_if_one_says_so(cohort):
    _, out, err = cohort("fit", "data.csv", "--patients", "none")
    assert err == ""
    assert "on 45 samples" in out


@pytest.mark.parametrize(
    ("by", "samples"), [("any", 30), ("first", 30), ("last", 30), ("series", 45), ("all", 45)]
)
def test_which_samples_count(cohort, by, samples):
    code, out, err = cohort("fit", *DATED, "--per-patient", by)
    assert (code, err) == (0, "")
    assert f"on {samples} samples" in out


def test_the_last_sample_is_the_one_kept(cohort, tmp_path):
    cohort("curate", *DATED, "--per-patient", "last", "-o", "last.csv")
    names = [line.split(",")[0] for line in (tmp_path / "last.csv").read_text().splitlines()[1:]]
    assert names[:4] == ["P00_T1", "P01_T2", "P02_T1", "P03_T2"]


def test_judge_predicts_the_later_samples(cohort):
    code, out, err = cohort("judge", *DATED, "-m", "cbn", "--folds", "3")
    assert (code, err) == (0, "")
    assert "30 held-out samples, seed 1" in out
    assert "What comes next in a patient, in 15 later samples of 15 patients" in out
    lines = [line.split("  ")[0] for line in out.splitlines()]
    assert {"cbn", "nothing changes", "frequencies"} <= set(lines)


def test_judge_keeps_the_samples_of_a_patient_together(cohort):
    _, out, _ = cohort("judge", *DATA, "-m", "cbn", "--folds", "3", "--per-patient", "all")
    assert "45 held-out samples in 30 groups" in out


def test_a_bootstrap_of_all_samples_draws_patients(cohort):
    arguments = ("bootstrap", "data.csv", "--replicates", "20", "--per-patient", "all")
    _, found, _ = cohort(*arguments, "--patients", "names")
    _, plain, _ = cohort("bootstrap", "data.csv", "--replicates", "20", "--patients", "none")
    table = [line for line in plain.splitlines() if " %" in line]
    assert table
    assert table != [line for line in found.splitlines() if " %" in line]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("data.csv", "--per-patient", "last"),
            "the patients of the samples are not known; --patients says which samples are of one",
        ),
        (
            (*DATA, "--per-patient", "last"),
            "no patient has two of known order; --sampled-at says when each sample was taken",
        ),
        (
            ("data.csv", "--sampled-at", "dates.csv:day"),
            "patients are needed; --patients says which samples are of one patient",
        ),
        ((*DATA, "--sampled-at", "dates.csv:sex"), "dates.csv, line 1: no column 'sex'"),
        (
            (*DATA, "--sampled-at", "dates.csv:day", "--sampled-at", "back.csv"),
            "go backwards against a stated order: P01_T1, P01_T2; "
            "--time-conflicts unknown leaves such times unknown",
        ),
        (
            ("lost.csv", *DATED[1:], "--per-patient", "series", "--lost-events", "error"),
            "1 sample without an event of an earlier sample of the patient: P01_T2 (a); "
            "--lost-events drop leaves them out, keep keeps them",
        ),
    ],
)
def test_bad_input_is_named_with_an_option(cohort, tmp_path, arguments, message):
    (tmp_path / "back.csv").write_text("sample,place\nP01_T1,2\nP01_T2,1\n")
    text = (tmp_path / "data.csv").read_text().splitlines()
    lost = {"P01_T1": "P01_T1,1,0,0", "P01_T2": "P01_T2,0,0,0"}
    text = [lost.get(line.split(",")[0], line) for line in text]
    (tmp_path / "lost.csv").write_text("\n".join(text) + "\n")
    code, out, err = cohort("fit", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.startswith("caprese: ")


def test_conflicts_may_be_left_unknown(cohort, tmp_path):
    (tmp_path / "back.csv").write_text("sample,place\nP01_T1,2\nP01_T2,1\n")
    more = ("--sampled-at", "back.csv", "--time-conflicts", "unknown")
    code, out, err = cohort("fit", *DATED, *more)
    assert (code, err) == (0, "")
    assert "the order of samples is known in 14" in out


SAID = Recipe(
    source=Source(
        "data.csv",
        patients="dates.csv:patient",
        sampled_at=("dates.csv:day", "names"),
        sites="dates.csv:site",
        time_conflicts="unknown",
    ),
    curation=Curation(per_patient="series", lost_events="drop"),
)


def test_a_recipe_says_all_of_it(tmp_path):
    write_recipe(SAID, tmp_path / "analysis.toml")
    assert read_recipe(tmp_path / "analysis.toml") == SAID
    assert 'per_patient = "series"' in recipe_text(SAID)


def test_a_command_says_all_of_it():
    words = command(replace(SAID, outputs=Outputs(table="table.csv")))
    for option in (
        "--patients dates.csv:patient --sites dates.csv:site",
        "--sampled-at dates.csv:day --sampled-at names --time-conflicts unknown",
        "--per-patient series --lost-events drop",
    ):
        assert option in words


def test_an_analysis_is_repeated_from_its_recipe(cohort, tmp_path):
    arguments = ("judge", *DATED, "-m", "cbn", "--folds", "3")
    cohort(*arguments, "-o", "one.json", "--save-recipe", "analysis.toml")
    recipe = (tmp_path / "analysis.toml").read_text()
    (tmp_path / "analysis.toml").write_text(recipe.replace("one.json", "two.json"))
    code, _, err = cohort("run", "analysis.toml")
    assert (code, err) == (0, "")
    assert (tmp_path / "one.json").read_text() == (tmp_path / "two.json").read_text()
