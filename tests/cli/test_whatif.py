"""caprese whatif, and caprese patients --block."""

import json

import numpy as np
import pytest

from caprese import Dataset, write_dataset

QUICK = ("-m", "mhn:penalty_strength=0.02")
POSET = ("-m", "hcbn:restarts=1")


def test_it_ranks_single_events_by_how_much_they_delay_a_target(run):
    code, out, err = run("whatif", "ovarian", *QUICK, "--target", "8p-")
    assert (code, err) == (0, "")
    first, sentence, _, head, *rows = out.splitlines()
    assert first == "What if one event is blocked: what delays 8p- most"
    assert sentence.startswith(f"If {rows[0].split()[0]} is blocked, 8p- is reached before")
    assert head.split()[:4] == ["blocked", "probability", "with", "change"]
    assert {row.split()[0] for row in rows[:6]} == {"8q+", "3q+", "5q-", "4q-", "1q+", "Xp-"}
    assert "a consequence of the model, no advice for treatment" in out
    assert "There are no intervals" in out


def test_a_blocked_event_is_shown_for_each_other_one_with_the_genotypes(run):
    code, out, _ = run("whatif", "ovarian", *POSET, "--block", "8q+")
    assert code == 0
    assert out.startswith("What if 8q+ is blocked\n")
    assert "genotype" in out
    assert "never: not reached with probability 1/2" in out
    (row,) = [line.split() for line in out.splitlines() if line.startswith("3q+")]
    assert row[-1] in ("never", "determined")


def test_files_and_json_have_all_numbers(run, tmp_path):
    files = ("-o", "w.json", "-o", "w.csv", "-o", "w.svg")
    asked = ("whatif", "ovarian", *QUICK, "--slow", "8q+=0.5", "--events", "3")
    _, printed, _ = run(*asked, "--json", *files)
    content = json.loads(printed)
    assert content == json.loads((tmp_path / "w.json").read_text())
    (outlook,) = content["outlooks"]
    assert (content["format"], outlook["slowed"], outlook["target"]) == (
        "caprese whatif",
        "8q+=0.5",
        "3",
    )
    assert outlook["difference_low"] == "NaN"
    assert sum(each["probability_with"] for each in content["genotypes"]) == pytest.approx(1)
    header, row = (tmp_path / "w.csv").read_text().splitlines()
    assert header.startswith("blocked,slowed,target,probability,probability_with,difference")
    assert float(row.split(",")[3]) == pytest.approx(outlook["probability"], rel=1e-4)
    assert (tmp_path / "w.svg").read_text().startswith("<?xml")
    assert run(*asked, *files)[0] == 0  # its own files are replaced
    (tmp_path / "w.csv").write_text("x,y\n1,2\n")
    assert run(*asked, *files)[0] == 2


def test_replicates_give_intervals(run):
    _, out, _ = run(
        *("whatif", "ovarian", *QUICK, "--target", "8p-", "--replicates", "4", "--jobs", "1")
    )
    assert "90 %: from 5 % to 95 % of 4 replicates or draws." in out


def test_a_fit_of_a_file_is_taken_as_it_is(run):
    run("fit", "ovarian", *QUICK, "-o", "mhn.json")
    _, expected, _ = run("whatif", "ovarian", *QUICK, "--block", "8q+", "--json")
    _, found, _ = run("whatif", "mhn.json", "--block", "8q+", "--json")
    found, expected = json.loads(found), json.loads(expected)
    assert found["outlooks"][0]["probability_with"] == pytest.approx(
        expected["outlooks"][0]["probability_with"]
    )
    assert found["undetermined"] is None
    assert expected["undetermined"] is not None
    _, carried, _ = run("whatif", "mhn.json", "--target", "8p-", "--carried", "8q+,3q+")
    assert carried.startswith("What if one event is blocked in a sample with 8q+, 3q+:")


def test_a_fit_without_a_clock_says_probabilities_only(run):
    run("fit", "ovarian", "-o", "forest.json")
    code, out, _ = run("whatif", "forest.json", "--block", "8q+")
    assert code == 0
    assert "This model has no clock, so nothing is said of times." in out
    assert "median" not in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "name what is to be reached, --target EVENT or --events K, or an event to block"),
        (("--block", "8q"), "the model has no event '8q'; did you mean '8q+'?"),
        (("--block", "8p-", "--target", "8p-"), "the target '8p-' is blocked itself"),
        (("--slow", "8q+=0"), "--slow must be EVENT=FACTOR with a positive factor"),
        (("--slow", "8q+=-2"), "--slow must be EVENT=FACTOR with a positive factor"),
        (("--slow", "8q+"), "--slow must be EVENT=FACTOR with a positive factor"),
        (("--slow", "8q+=1", "--slow", "8q+=2"), "--slow must be one factor for each event"),
        (("--target", "8p-", "--events", "2"), "--events must be omitted where an event is"),
        (("--events", "0"), "--events must be a whole number"),
        (("--events", "8"), "the model has 7 events, so 8 of them are never reached"),
        (("--slow", "8q+=0.5"), "this model has no clock"),
        (("--block", "8q+", "--carried", "3q+"), "this model has no clock"),
        (("--block", "8q+", "--replicates", "5"), "--replicates resamples the data"),
        (("--block", "8q+", "-m", "mhn"), "--method is for data; forest.json is fitted already"),
        (("--block", "8q+", "--top", "3"), "--top is for data; forest.json is fitted already"),
        (("--block", "8q+", "--shrinkage", "0.3"), "--shrinkage is for data; forest.json is"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_is_refused_in_one_line(run, refused, words, message):
    run("fit", "ovarian", "-o", "forest.json")
    assert message in refused("whatif", "forest.json", *words)


def test_other_documents_are_refused(run, refused):
    run("known", "ovarian", "-m", "caprese", "-o", "known.json")
    said = refused("whatif", "known.json", "--block", "8q+")
    assert said == "known.json is a list of known orders, not a fit"
    assert "nothere.json: no such file" in refused("whatif", "nothere.json", "--block", "8q+")


def test_patients_are_asked_from_what_they_carry(run, tmp_path):
    run("fit", "ovarian", *QUICK, "-o", "mhn.json")
    words = ("patients", "ovarian", "--fit", "mhn.json", "--block", "8q+", "--target", "8p-")
    code, out, _ = run(*words, "-o", "p.csv", "-o", "p.json")
    assert code == 0
    assert "What if 8q+ is blocked: when 8p- comes" in out
    assert "a consequence of the model, no advice for treatment" in out
    assert "There are no intervals of single samples." in out
    assert "directions that this rests on was not looked at" in out  # the file has no samples
    header, first, *_ = (tmp_path / "p.csv").read_text().splitlines()
    assert header.endswith("target_median_time,target_median_time_with,next_with")
    content = json.loads((tmp_path / "p.json").read_text())["samples"][0]["what_if"]
    assert content["target_probability_with"] < content["target_probability"] < 1
    assert first.split(",")[-1] == content["next_with"]
    _, one, _ = run(*words, "--sample", "3", "--sample", "8")
    table = one[one.index("What if") :].splitlines()[3:6]
    assert [line.split()[0] for line in table] == ["sample", "3", "8"]


def test_a_recipe_repeats_what_is_asked_of_patients(run, tmp_path):
    words = ("--block", "8q+", "--slow", "3q+=0.5", "--target", "8p-", "-o", "p.json")
    code, out, err = run("patients", "ovarian", *QUICK, *words, "--save-recipe", "r.toml")
    assert (code, err) == (0, "")
    assert "Not determined by these data: 3q+ before 8p-." in out
    before = (tmp_path / "p.json").read_bytes()
    assert b'"slowed": "3q+=0.5"' in before
    (tmp_path / "p.json").unlink()
    assert run("run", "r.toml")[0] == 0
    assert (tmp_path / "p.json").read_bytes() == before


def test_patients_whose_order_is_not_supported_have_no_clock(refused, tmp_path):
    rows = np.random.default_rng(1).random((60, 4)) < 0.5
    write_dataset(Dataset(rows, tuple("abcd")), tmp_path / "chance.csv")
    said = refused("patients", "chance.csv", *QUICK, "--block", "a")
    assert said.startswith("no model with a clock predicts better than independent events here")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--target", "8p-"), "--target must be given together with block or slow"),
        (("--block", "8q+"), "this model has no clock, so it does not say what comes next"),
        (("--block", "zz"), "this model has no clock"),
        (("--slow", "8q+"), "--slow must be EVENT=FACTOR"),
    ],
    ids=" ".join,
)
def test_patients_refuse_what_cannot_be(run, refused, words, message):
    run("fit", "ovarian", "-o", "forest.json")
    assert message in refused("patients", "ovarian", "--fit", "forest.json", *words)
