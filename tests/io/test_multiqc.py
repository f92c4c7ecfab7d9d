"""Files for MultiQC: its custom content, as the documentation of MultiQC describes it."""

import csv
import json

import pytest

from caprese import MHN, Caprese, Dataset, bootstrap, datasets, judge
from caprese.assessment.answer import Answer
from caprese.io.multiqc import answer_section, judgement_section, progression_section
from fitted_once import shared as shared
from fitted_once import slow_methods_are_fitted_once as slow_methods_are_fitted_once

KEYS = {"id", "section_name", "description", "plot_type", "pconfig", "headers"}


def as_json(section, name="ovarian_mqc.json"):
    return json.loads(section.text(name))


def as_tsv(section, name="ovarian_mqc.tsv"):
    lines = section.text(name).splitlines()
    head = [line.removeprefix("# ").partition(": ") for line in lines if line.startswith("# ")]
    rows = [line for line in lines if not line.startswith("# ")]
    settings = {key: json.loads(value) for key, _, value in head}  # JSON is YAML
    return settings, list(csv.DictReader(rows, delimiter="\t"))


@pytest.fixture(scope="module")
def fit():
    return Caprese().fit(datasets.ovarian())


@pytest.fixture(scope="module")
def judgement():
    return judge([Caprese()], datasets.ovarian(), folds=3)


def test_both_files_say_the_same(fit):
    section = progression_section(fit, None)
    settings, rows = as_tsv(section)
    content = as_json(section)
    assert settings == {key: content[key] for key in KEYS}
    assert set(content) == KEYS | {"data"}
    assert [row.pop("Cohort") for row in rows] == list(content["data"])
    for row, written in zip(rows, content["data"].values(), strict=True):
        shown = {k: v if isinstance(v, str) else f"{v:.6g}" for k, v in written.items()}
        assert {k: v for k, v in row.items() if v} == shown


def test_every_event_has_a_row_with_its_parent_and_its_support(fit):
    support = bootstrap(fit, datasets.ovarian(), replicates=10)
    rows = as_json(progression_section(fit, support))["data"]
    parents = {name.partition(": ")[2].partition(" after ")[0]: row for name, row in rows.items()}
    events = fit.model.events
    assert set(parents) == set(events)
    for parent, child in fit.model.edges:
        assert parents[child]["parent"] == parent
        share = support.support[events.index(parent), events.index(child)]
        assert rows[f"ovarian: {child} after {parent}"]["support"] == share
    assert {row["parent"] for row in rows.values()} - set(events) == {"root"}


def test_every_column_has_a_header_and_no_cell_is_without_a_number(judgement, fit):
    sections = [progression_section(fit, None), judgement_section(judgement)]
    answer = Answer({"caprese": fit}, judgement, {"caprese": 1.0})
    for section in [*sections, answer_section(answer)]:
        content = as_json(section)
        columns = {column for row in content["data"].values() for column in row}
        assert columns == set(content["headers"])
        assert "NaN" not in section.text("x_mqc.json")
        assert all(header["description"] for header in content["headers"].values())


def test_a_model_without_edges_has_a_row_for_each_event():
    data = Dataset.from_rows([[1, 0], [1, 1], [0, 1], [1, 0]] * 3, events="ab")
    content = as_json(progression_section(MHN(penalty_strength=0.1).fit(data), None), "x_mqc.json")
    assert content["data"] == {"x: a": {"frequency": 0.75}, "x: b": {"frequency": 0.5}}


def test_a_judgement_is_one_row_with_the_name_of_the_file(judgement):
    content = as_json(judgement_section(judgement), "cohorts/first_mqc.json")
    (gain,) = (judgement.gains[judgement.best],)
    assert content["data"] == {
        "first": {
            "samples": 87,
            "events": 7,
            "order supported": "yes" if judgement.supports_order else "no",
            "best method": judgement.methods[judgement.best],
            "gain": gain.mean,
            "standard error": gain.error,
        }
    }


def test_a_report_of_too_few_samples_states_no_order():
    content = as_json(answer_section(Answer({})), "_mqc.json")
    assert content["data"] == {"caprese": {"orders stated": 0, "orders known": 0}}


def test_a_gain_that_is_no_number_is_left_out():
    few = Dataset.from_rows([[1, 0], [0, 1], [1, 1], [1, 0]], events="ab")
    row = as_json(judgement_section(judge([Caprese()], few, folds=4)))["data"]["ovarian"]
    assert all(isinstance(value, str | int | float) for value in row.values())


def test_commands_write_it_and_a_recipe_repeats_it(run, tmp_path):
    recipe = ("--save-recipe", "analysis.toml")
    judging = ("--budget", "1s", "--replicates", "10", "-o", "report.html")
    assert run("report", "acml", *judging, "-o", "acml_mqc.json", *recipe)[0] == 0
    assert run("fit", "acml", "-o", "fit_mqc.tsv")[0] == 0
    before = (tmp_path / "acml_mqc.json").read_bytes(), (tmp_path / "report.html").read_bytes()
    (tmp_path / "acml_mqc.json").write_text("{}")
    code, _, err = run("run", "analysis.toml")
    assert (code, "acml_mqc.json exists and is not" in err) == (2, True)
    assert run("run", "analysis.toml", "--force")[0] == 0
    after = (tmp_path / "acml_mqc.json").read_bytes(), (tmp_path / "report.html").read_bytes()
    assert after == before
    assert json.loads(after[0])["data"]["acml"]["samples"] == 64


def test_other_names_keep_their_formats(run, tmp_path):
    assert run("fit", "acml", "-o", "mqc.json")[0] == 0
    assert json.loads((tmp_path / "mqc.json").read_text())["format"] == "caprese fit"
