"""caprese patients."""

import csv
import json

import pytest

from caprese import HCBN, Dataset, datasets, judge, place, read_dataset, write_dataset
from caprese.patients.predictor import predictor
from caprese.text.patients import placement_lines
from hostile_names import HOSTILE

pytestmark = pytest.mark.slow


def rows_of(path):
    """Return the rows of a table as dictionaries."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_by_default_a_judgement_chooses_what_places_samples(run):
    """The budget allows quick methods alone, hcbn among them, which has a clock."""
    data = datasets.ovarian()
    quick = ("--budget", "1s", "--seed", "3")
    code, out, err = run("patients", "ovarian", *quick)
    assert (code, err) == (0, "")
    judgement = judge(None, data, budget=1, seed=3)
    found = predictor(judgement, judgement.choice.methods(), data)
    assert out == "\n".join(placement_lines(found.place(data, seed=3))) + "\n"
    verdict = run("judge", "ovarian", *quick)[1]
    first, second, third, *_ = out.splitlines()
    assert first.rstrip(".") in verdict
    assert second == f"Samples are placed by {judgement.methods[judgement.best]}."
    assert third.startswith("What comes next is said by the methods with a clock: hcbn (")


def test_a_method_that_is_named_is_judged_and_may_have_no_clock(run):
    code, out, err = run("patients", "ovarian", "-m", "caprese")
    assert (code, err) == (0, "")
    assert out.splitlines()[0].startswith("caprese predicts best, better than independent events")
    assert "What comes next is not said: this model has no clock" in out
    assert "lacks: the most frequent event that the sample lacks" in out
    assert "probably" not in out


def test_where_no_order_is_supported_only_frequencies_are_told(run):
    for method in ((), ("-m", "caprese", "--shrinkage", "1"), ("-m", "mhn")):
        budget = () if method else ("--budget", "1s")
        code, out, err = run("patients", "acml", *method, *budget)
        assert (code, err) == (0, "")
        assert out.startswith("No order is supported by these 64 samples: ")
        assert "only their frequencies are known." in out
        assert out.splitlines()[6].split()[:4] == ["sample", "events", "typicality", "lacks"]
        assert "comes next:" not in out
    one = run("patients", "acml", "-m", "caprese", "--sample", "1")[1]
    assert "No order is supported, so nothing is said of what comes next." in one
    assert "It lacks, with their frequencies in the data: SETBP1 missense 22 %, " in one


def test_a_method_beyond_the_budget_is_not_judged(run):
    code, out, _ = run("patients", "ovarian", "-m", "mhn:penalty_strength=0.01", "--budget", "0.1s")
    assert code == 0
    assert out.startswith("Samples are placed by mhn:penalty_strength=0.01; whether it predicts ")
    assert "Most often 8q+ comes next" in out


def test_one_sample_is_told_in_full(run):
    code, out, _ = run("patients", "ovarian", "-m", "hcbn", "--sample", "8", "--sample", "3")
    assert code == 0
    assert out.startswith("8\n  Seen: 3q+, 5q-.\n  How far: 2 of 7 events are there.\n")
    assert "\n3\n  Seen: 8q+, 3q+, 5q-, 4q-.\n" in out
    assert "order in which they came" in out


def test_given_error_rates_correct_what_was_seen(run):
    quick = ("-m", "caprese", "--noise", "0.2,0.01")
    code, out, _ = run("patients", "ovarian", *quick)
    assert code == 0
    rates = "20.0 % of absent events are seen, 1.0 % of present ones are missed."
    assert f"Corrected with these error rates: {rates}\n" in out
    assert "are probably wrong (" in out
    assert json.loads(run("patients", "ovarian", *quick, "--json")[1])["noise"] == {
        "false_positive": 0.2,
        "false_negative": 0.01,
    }
    seen = run("patients", "ovarian", "-m", "caprese")[1]
    assert "Known entries are taken as they were seen, because no error rates were given" in seen


def test_given_error_rates_may_be_of_no_use(run):
    """Of what the budget allows, only hcbn predicts better than independent events."""
    code, out, _ = run("patients", "ovarian", "--budget", "1s", "--noise", "0.2,0.01")
    assert code == 0
    assert "The given error rates are not used, because what predicts best does not allow " in out
    assert "Known entries are taken as they were seen.\n" in out


def test_parameters_need_a_method(refused):
    message = "--shrinkage is a parameter of a method: choose it with --method"
    assert refused("patients", "ovarian", "--shrinkage", "1") == message


def test_other_samples_are_placed_in_a_fit_from_a_file(run, tmp_path):
    assert run("fit", "ovarian", "-m", "hcbn", "-o", "fit.json")[0] == 0
    new = Dataset.from_rows([[1, 0, 1]], events=["8q+", "Xp-", "KRAS"], samples=["p1"])
    write_dataset(new, tmp_path / "new.csv")
    code, out, err = run("patients", "new.csv", "--fit", "fit.json", "-o", "placed.csv")
    assert (code, err) == (0, "")
    assert "The model does not have KRAS, which the samples have: not used." in out
    assert "The samples do not have 3q+, 5q-, 4q-, 8p- and 1q+, which the model has: taken" in out
    (row,) = rows_of(tmp_path / "placed.csv")
    expected = place(HCBN().fit(datasets.ovarian()), new).table().loc["p1"]
    assert row["next"] == expected["next"]
    assert float(row["next_probability"]) == pytest.approx(expected["next_probability"], rel=1e-5)
    assert row["fits"] == "yes"


def test_constant_events_of_new_samples_are_kept(run, tmp_path):
    """One sample has nothing but constant and identical events."""
    run("fit", "ovarian", "-o", "fit.json")
    write_dataset(datasets.ovarian().take_samples([5]), tmp_path / "one.csv")
    code, out, _ = run("patients", "one.csv", "--fit", "fit.json")
    assert code == 0
    assert "not have" not in out


def test_json_has_one_object_for_each_sample(run, tmp_path):
    code, out, _ = run(
        "patients", "acml", "-m", "hcbn", "--json", "--likeliest-orders", "2", "-o", "placed.json"
    )
    assert code == 0
    assert out == (tmp_path / "placed.json").read_text()
    content = json.loads(out)
    assert content["format"] == "caprese patients"
    assert len(content["samples"]) == 64
    first = content["samples"][0]
    assert {"seen", "likeliest", "probabilities", "events", "typicality", "next", "orders"} <= {
        *first
    }
    assert sum(first["orders"]["probabilities"]) <= 1 + 1e-9


def test_orders_are_asked_for_only_where_they_are_told(run):
    content = json.loads(run("patients", "acml", "-m", "hcbn", "--json")[1])
    assert "orders" not in content["samples"][0]


def test_names_are_replaced_by_numbers_everywhere(run, tmp_path):
    data = datasets.acml()
    named = Dataset(data.values, data.events, tuple(f"Jane Doe {k}" for k in range(64)))
    write_dataset(named, tmp_path / "named.csv")
    asked = ("patients", "named.csv", "-m", "hcbn", "--no-names", "-o", "out.csv")
    for more in ([], ["--json"], ["--sample", "Jane Doe 7"]):
        code, out, _ = run(*asked, *more)
        assert code == 0
        assert "Jane" not in out + (tmp_path / "out.csv").read_text()
    assert out.startswith("8\n")


def test_subtypes_are_told(run):
    short = ("--draws", "20", "--warm-up", "20", "--chains", "2", "--budget", "0.1s")
    code, out, _ = run("patients", "ovarian", "-m", "bayes", "--subtypes", "2", *short)
    assert code == 0
    heading = next(line for line in out.splitlines() if line.startswith("sample "))
    assert heading.split()[:2] == ["sample", "subtype"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["acml", "--sample", "x"], "there is no sample 'x'"),
        (["acml", "--fit", "none.json"], "none.json: no such file"),
        (["acml", "--fit", "data.csv"], "data.csv"),
        (["acml", "-o", "out.docx"], "must end in one of .json, .csv, .tsv, .txt"),
        (["acml", "--likeliest-orders", "-1"], "--likeliest-orders"),
        (["ovarian", "--fit", "fit.json"], "model and data have no event in common"),
        (["acml", "--fit", "fit.json", "--shrinkage", "1"], "--fit is fitted already"),
        (["acml", "--fit", "fit.json", "-o", "fit.json"], "would overwrite the input"),
        (["acml", "--fit", "truth.json"], "--fit truth.json is a forest, not a fit"),
    ],
)
def test_bad_input_is_refused_in_one_line(run, arguments, message):
    run("fit", "acml", "-o", "fit.json")
    run("simulate", "-o", "data.csv", "--truth", "truth.json", "--events", "3")
    code, out, err = run("patients", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_hostile_names_stay_in_their_cells(run, tmp_path):
    values = [[k % 2, k % 3 == 0] for k in range(len(HOSTILE))]
    write_dataset(Dataset.from_rows(values, ["a", "b"], HOSTILE), tmp_path / "odd.csv")
    code, out, err = run(
        "patients", "odd.csv", "-m", "caprese", "-o", "placed.csv", "-o", "placed.json"
    )
    assert (code, err) == (0, "")
    assert "\x1b" not in out
    rows = rows_of(tmp_path / "placed.csv")
    assert len(rows) == len(HOSTILE)
    assert all(None not in row and None not in row.values() for row in rows)
    named = json.loads((tmp_path / "placed.json").read_text())["samples"]
    assert [each["sample"] for each in named] == list(read_dataset(tmp_path / "odd.csv").samples)


def test_a_fit_of_much_data_needs_it_again(run, tmp_path, monkeypatch):
    monkeypatch.setattr("caprese.io.json.fits._MOST_ENTRIES", 10)
    run("fit", "ovarian", "-o", "fit.json")
    assert run("patients", "ovarian", "--fit", "fit.json")[0] == 0
    write_dataset(datasets.ovarian().take_samples([1, 2]), tmp_path / "few.csv")
    code, _, err = run("patients", "few.csv", "--fit", "fit.json")
    assert code == 2
    assert "keeps no predictive model" in err


class TestSimulate:
    def test_genotypes_before_errors_are_written_too(self, run, tmp_path):
        arguments = ("--errors", "0.2", "--samples", "500", "--seed", "4")
        run("simulate", "-o", "data.csv", "--genotypes", "before.csv", *arguments)
        seen, before = read_dataset(tmp_path / "data.csv"), read_dataset(tmp_path / "before.csv")
        assert seen.samples == before.samples
        assert 0.08 < (seen.values != before.values).mean() < 0.12
        run("simulate", "-o", "exact.csv", "--samples", "500", "--seed", "4")
        assert read_dataset(tmp_path / "exact.csv") == before

    def test_subtypes_are_told_beside_the_genotypes(self, run, tmp_path):
        code, _, err = run(
            *("simulate", "-o", "data.csv", "--genotypes", "before.csv", "--subtypes", "2"),
            *("--truth", "model.json", "--events", "6", "--samples", "400"),
        )
        assert (code, err) == (0, "")
        rows = rows_of(tmp_path / "before.csv")
        assert {row["subtype"] for row in rows} == {"1", "2"}
        assert (tmp_path / "model.1.json").exists()
        assert (tmp_path / "model.2.json").exists()
        assert read_dataset(tmp_path / "data.csv").events == tuple(f"e{k}" for k in range(1, 7))

    def test_files_that_are_the_same_are_refused(self, run):
        code, _, err = run("simulate", "-o", "data.csv", "--genotypes", "data.csv")
        assert code == 2
        assert err == "caprese: --output and --genotypes must be two files\n"
        code, _, err = run("simulate", "-o", "data.csv", "--subtypes", "2", "--parents", "2")
        assert code == 2
        assert err == "caprese: --subtypes are of forests; omit --parents\n"


class TestClinical:
    @pytest.fixture(autouse=True)
    def table(self, tmp_path):
        rows = [
            f"{k},{'I' if k % 3 else 'II'},{10 + k % 7},{'DECEASED' if k % 4 else 'LIVING'}"
            for k in range(1, 88)
        ]
        (tmp_path / "clinical.csv").write_text("\n".join(["sample,stage,months,status", *rows]))

    def test_columns_are_tested_against_where_samples_stand(self, run):
        code, out, err = run("patients", "ovarian", "-m", "hcbn", "--annotation", "clinical.csv")
        assert code == 0
        assert "tests against the clinical table" in out
        assert "stage" in out
        asked = "status: to compare survival, give --time COLUMN --status COLUMN"
        assert err == f"caprese: {asked}\n"

    def test_survival_is_compared_and_drawn(self, run, tmp_path):
        pytest.importorskip("lifelines")
        times = ("--time", "months", "--status", "status", "--by", "8q+")
        arguments = ("-m", "hcbn", "--annotation", "clinical.csv", *times, "-o", "curves.svg")
        code, out, err = run("patients", "ovarian", *arguments)
        assert (code, err) == (0, "")
        assert "Survival by 8q+: log-rank test p = " in out
        assert (tmp_path / "curves.svg").read_text().startswith("<?xml")

    def test_corrected_genotypes_are_compared_on_request(self, run, refused):
        asked = ("patients", "ovarian", "-m", "caprese", "--annotation", "clinical.csv")
        rates = ("--noise", "0.2,0.01")
        seen, corrected = run(*asked, *rates)[1], run(*asked, *rates, "--corrected")[1]
        assert seen != corrected
        message = "--corrected needs error rates: --noise FALSE_POSITIVE,FALSE_NEGATIVE"
        assert refused(*asked, "--corrected").startswith(message)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--time", "months"], "--time needs --status"),
            (["--status", "status"], "--status needs --time"),
            (["--time", "months", "--status", "status"], "--time needs --annotation"),
            (["-o", "curves.svg"], "is for curves: give --time and --status"),
            (["--by", "branch"], "--by needs --time and --status, for curves"),
            (["--corrected"], "--corrected needs --annotation, the table to compare with"),
            (["--annotation", "clinical.csv", "-o", "clinical.csv"], "would overwrite the input"),
            (["--annotation", "none.csv"], "none.csv: no such file"),
        ],
    )
    def test_what_does_not_go_together_is_refused(self, run, arguments, message):
        code, out, err = run("patients", "ovarian", *arguments)
        assert (code, out) == (2, "")
        assert message in err
        assert err.count("\n") == 1


def test_columns_of_new_samples_that_the_model_does_not_have_may_hold_anything(run, tmp_path):
    run("fit", "acml", "-o", "fit.json")
    first, second, third = datasets.acml().events
    (tmp_path / "new.csv").write_text(
        f"sample,Age,{first},Sex,{second},{third},KRAS\np,61,1,F,0,0,1\nq,58,0,M,1,0,0\n"
    )
    code, out, _ = run("patients", "new.csv", "--fit", "fit.json")
    assert code == 0
    assert "The model does not have KRAS, which the samples have: not used." in out
    assert out.endswith("left out 2 columns whose cells are not entries: Age, Sex\n")
    (tmp_path / "new.csv").write_text(f"sample,Age,{first}\np,61,often\n")
    code, out, err = run("patients", "new.csv", "--fit", "fit.json")
    assert (code, out) == (2, "")
    assert err.endswith(f"; {first!r} is among the events to keep\n")


class TestClinicalFiles:
    @pytest.fixture
    def clinical(self, tmp_path):
        pytest.importorskip("lifelines")
        rows = [f"{k},{'early' if k % 3 else 'late'},{k % 17 + 1},{k % 2}" for k in range(1, 80)]
        path = tmp_path / "clinical.csv"
        path.write_text("\n".join(["sample,stage,MONTHS,STATUS", *rows]) + "\n")
        return ["--annotation", str(path), "--time", "MONTHS", "--status", "STATUS"]

    def test_the_page_has_the_tests_and_the_curves(self, run, tmp_path, clinical):
        code, out, _ = run("patients", "ovarian", "-m", "hcbn", *clinical, "-o", "patients.html")
        assert code == 0
        page = (tmp_path / "patients.html").read_text()
        assert "The clinical table" in page
        assert "Survival by progress" in page
        assert "Left out, not in the clinical table: 8 samples." in page
        assert page.count("<svg") == 2
        log_rank = next(line for line in out.splitlines() if "log-rank" in line)
        assert log_rank.partition(": l")[2] in page

    def test_json_has_them_too(self, run, clinical):
        _, out, _ = run("patients", "ovarian", "-m", "hcbn", *clinical, "--json")
        content = json.loads(out)
        assert {test["column"] for test in content["clinical_tests"]} == {"stage"}
        assert len(content["clinical_tests"]) == 8  # seven events and their number
        survival = content["survival"]
        assert survival["time"] == "MONTHS"
        assert sum(group["samples"] for group in survival["groups"]) == 79
        assert 0 <= survival["log_rank"]["p_value"] <= 1

    def test_the_tests_have_a_table_of_their_own(self, run, refused, tmp_path, clinical):
        code, *_ = run("patients", "ovarian", "-m", "hcbn", *clinical, "--tests", "tests.tsv")
        assert code == 0
        head, *rows = (tmp_path / "tests.tsv").read_text().splitlines()
        assert head.split("\t")[:4] == ["column", "about", "event", "test"]
        assert len(rows) == 8
        assert (
            run("patients", "ovarian", "-m", "hcbn", *clinical, "--tests", "tests.tsv")[0] == 0
        )  # overwritten
        assert refused("patients", "ovarian", "--tests", "tests.csv").startswith(
            "--tests needs --annotation"
        )
        assert "--tests tests.png must end in one of .csv, .tsv, .txt" in refused(
            "patients", "ovarian", "-m", "hcbn", *clinical, "--tests", "tests.png"
        )
