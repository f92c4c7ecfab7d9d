import json
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from caprese import (
    Caprese,
    Dataset,
    Judgement,
    Recipe,
    Stack,
    analyse,
    associations,
    datasets,
    place,
    read_clinical,
    survival,
    write_dataset,
    write_report,
)
from caprese._core.words import percent
from caprese.assessment.known import orders_of_mixture
from caprese.io.json.codec import decode, encode
from caprese.patients.groups import as_seen
from caprese.recipe.files import repeating
from caprese.recipe.loading import Source
from caprese.recipe.parts import Bootstrap, Judging, Outputs
from caprese.text import clinical
from caprese.text.answer import answer_lines
from caprese.text.comparison import caution_sentence, next_sentence, verdict_sentence
from caprese.text.sentences import plain
from pages import parsed

pytestmark = pytest.mark.slow

SHORT = ("--budget", "0.01")
PARTS = ("independence", "caprese", "bayes", "bayes:subtypes=auto", "mhn", "mhn:observation=yes")


def test_the_report_is_written(run, tmp_path):
    code, out, err = run(
        "report", "acml", "--replicates", "50", "--budget", "1", "-o", "report.html"
    )
    assert (code, err) == (0, "")
    found = analyse(None, datasets.acml(), replicates=50, seed=1, budget=1)
    said = [*answer_lines(found.answer), "", "report.html: 3 events, 50 replicates"]
    assert out.splitlines() == said
    recipe = Recipe(
        source=Source("acml"),
        bootstrap=Bootstrap(replicates=50),
        judge=Judging(budget="1"),
        outputs=Outputs(report="report.html"),
    )
    words = repeating(recipe)
    assert words["command"] == "caprese report acml --replicates 50 --budget 1 -o report.html"
    write_report(found, tmp_path / "same.html", title="acml", **words)
    assert (tmp_path / "report.html").read_bytes() == (tmp_path / "same.html").read_bytes()


def test_the_same_command_gives_the_same_bytes(run, tmp_path):
    command = ["report", "acml", "--replicates", "50", *SHORT, "-o", "report.html"]
    run(*command)
    first = (tmp_path / "report.html").read_bytes()
    run(*command)
    assert (tmp_path / "report.html").read_bytes() == first


def test_the_command_in_the_report_can_be_pasted_into_a_shell(run, tmp_path):
    write_dataset(datasets.acml(), tmp_path / "our data.csv")
    words = [
        "report",
        "our data.csv",
        "--title",
        "It's ours",
        "--replicates",
        "5",
        *SHORT,
        "-o",
        "r.html",
    ]
    assert run(*words)[0] == 0
    code, _python = parsed((tmp_path / "r.html").read_text()).all("pre")
    given = ["--replicates", "5", *SHORT, "--title", "It's ours", "-o", "r.html"]
    assert shlex.split(code.words) == ["caprese", "report", "our data.csv", *given]


def test_the_title_is_by_default_the_name_of_the_data(run, tmp_path):
    write_dataset(datasets.acml(), tmp_path / "tumours.csv")
    titles = []
    for more in ([], ["--title", "Leukaemia & more"]):
        run("report", "tumours.csv", "--replicates", "5", *SHORT, "-o", "r.html", *more)
        titles.append(parsed((tmp_path / "r.html").read_text()).all("title")[0].words)
    assert titles == ["tumours.csv", "Leukaemia & more"]


def test_methods_curation_and_seed_are_options(run, tmp_path):
    options = ["--method", "oncotree", "--search", "branching", "--top", "4", "--seed", "7"]
    code, out, _ = run("report", "ovarian", *options, "--replicates", "5", *SHORT, "-o", "r.html")
    assert (code, out.splitlines()[-1]) == (0, "r.html: 4 events, 5 replicates")
    said = parsed((tmp_path / "r.html").read_text()).all("main")[0].words
    assert "oncotree (search branching)" in said
    assert "dropped 3 events, less frequent than the first 4" in said
    assert re.search(r"Seed\s*7\s", said)


def test_slow_methods_have_a_hundred_replicates_by_default(run):
    _, out, _ = run("report", "acml", "--method", "cbn", "--jobs", "1", *SHORT, "-o", "r.html")
    assert out.splitlines()[-1] == "r.html: 3 events, 100 replicates"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([], "Missing option '-o' / '--output'."),
        (["-o", ""], "--output must not be empty"),
        (["-o", "nowhere/r.html"], "--output nowhere/r.html: there is no folder "),
        (["-o", "."], "--output . is a folder; name a file"),
        (
            ["-o", "r.html", "--replicates", "0"],
            "--replicates must be a whole number from 1",
        ),
        (
            ["-o", "r.html", "--seed", "-1"],
            "--seed must be a whole number from 0 to 9223",
        ),
        (
            ["-o", "r.html", "--budget", "soon"],
            "--budget must be a time such as 90, 60s, 2m or 1h, got 'soon'",
        ),
        (["-o", "r.html", "--folds", "1"], "--folds must be a whole number of at least 2, got 1"),
        (["-o", "r.html", "--jobs", "0"], "--jobs must be a whole number of at least 1, got 0"),
        (["-o", "r.html", "--method", "x"], "--method must be one of caprese, oncotree"),
        (["-o", "r.html", "--shrinkage", "2"], "--shrinkage must be in [0, 1] or auto, got 2"),
        (["-o", "r.html", "--only", "TP53"], "acml: not among the events: 'TP53'"),
    ],
)
def test_bad_input_is_reported_in_one_line(refused, tmp_path, arguments, line):
    assert refused("report", "acml", *arguments).startswith(line)
    assert list(tmp_path.iterdir()) == []


def test_the_data_is_not_overwritten(refused, tmp_path):
    write_dataset(datasets.acml(), tmp_path / "data.html")
    assert "would overwrite the input" in refused("report", "data.html", "-o", "data.html")


def test_too_many_events_for_a_method_are_refused(refused, tmp_path):
    data = Dataset.from_rows(
        [[k == j for j in range(21)] for k in range(21)] * 2, map(str, range(21))
    )
    write_dataset(data, tmp_path / "wide.csv")
    line = refused("report", "wide.csv", "--method", "hcbn", "-o", "r.html")
    assert "the most is 20 events" in line
    assert not (tmp_path / "r.html").exists()


def test_a_report_that_fails_does_not_change_an_existing_one(refused, run, tmp_path, monkeypatch):
    run("report", "acml", "--replicates", "5", *SHORT, "-o", "r.html")
    before = (tmp_path / "r.html").read_bytes()
    monkeypatch.setattr("caprese.recipe.files.report_page", _out_of_memory)
    assert refused("report", "acml", "--replicates", "6", *SHORT, "-o", "r.html").startswith(
        "not enough"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["r.html"]
    assert (tmp_path / "r.html").read_bytes() == before


def _out_of_memory(*_arguments):
    raise MemoryError("too much")


def test_an_interruption_writes_the_replicates_done_and_exits_with_130(run, interrupted, tmp_path):
    arguments = ["report", "acml", "--jobs", "1", *SHORT, "-o", "r.html"]
    with interrupted(after=40):
        code, out, err = run(*arguments, "--replicates", "80")
    assert (code, out.splitlines()[-1]) == (130, "r.html: 3 events, 40 replicates")
    assert err == "caprese: interrupted after 40 of 80 replicates\n"
    page = (tmp_path / "r.html").read_text()
    assert "interrupted after 40 of 80" in page
    command, _python = parsed(page).all("pre")
    assert command.words == "caprese report acml --replicates 40 --budget 0.01 -o r.html"


def test_an_interrupted_analysis_in_python_raises(interrupted):
    with interrupted(after=40), pytest.raises(KeyboardInterrupt):
        analyse(Caprese(), datasets.acml(), replicates=80, jobs=1, budget=0.01)


def test_the_demo_tells_one_story(run, tmp_path):
    """The report that `make demo` writes begins with what `caprese judge --json` says."""
    recipe = (Path(__file__).parents[2] / "Makefile").read_text().partition("\ndemo:")[2]
    (command,) = re.findall(r"caprese (report .*) -o demo/report.html", recipe)
    words = [*shlex.split(command.replace("10000", "50")), "-o", "report.html"]
    code, out, _ = run(*words)
    judged = json.loads(run("judge", words[1], "--json")[1])
    found = decode(Judgement, judged["judgement"], "judgement")
    page = parsed((tmp_path / "report.html").read_text())
    first = page.all("section")[0]
    about, answers = ([each.words for each in first.all(tag)] for tag in ("dt", "dd"))
    said = dict(zip(about, answers, strict=True))
    assert (code, first.attributes["id"]) == (0, "answer")
    assert first.all("p")[0].words in out
    assert said["Prediction"] == plain(verdict_sentence(found))
    assert said.get("Caution", "") == plain(caution_sentence(found))
    assert f"Next: {said['Next']}" == plain(next_sentence(found))
    weights = Stack().weights(found.log_probabilities[[found.methods.index(p) for p in PARTS]])
    methods = zip(PARTS, Stack().methods, strict=True)
    fits = {part: method.fit(datasets.ovarian()) for part, method in methods}
    parts = orders_of_mixture(fits, weights.tolist(), doubted=found.disagreeing)
    stated = json.loads(run("known", words[1], "--json")[1])["orders"]
    assert stated == encode(parts.orders)
    for each in parts.orders:
        order = f"{each.earlier} before {each.later} ({percent(each.probability)})"
        assert order in said["Orders"].replace("\u00a0", " ")


class TestSurvival:
    ASKED = ("--clinical", "clinical.csv", "--time", "MONTHS", "--status", "STATUS")
    FEW = ("--replicates", "5", *SHORT, "-o", "r.html")

    @pytest.fixture(autouse=True)
    def table(self, tmp_path):
        pytest.importorskip("lifelines")
        rows = [f"{k},{'early' if k % 3 else 'late'},{k % 17 + 1},{k % 2}" for k in range(1, 80)]
        text = "\n".join(["sample,stage,MONTHS,STATUS", *rows]) + "\n"
        (tmp_path / "clinical.csv").write_text(text)

    def test_the_report_shows_the_tests_and_curves_of_the_patients_in_it(self, run, tmp_path):
        code, _, err = run("report", "ovarian", *self.ASKED, "--by", "branch", *self.FEW)
        assert (code, err) == (0, "")
        shown = parsed((tmp_path / "r.html").read_text()).all("section")
        (patients,) = (each for each in shown if each.attributes["id"] == "patients")
        titles = [each.words for each in patients.all("h3")]
        assert titles == ["The clinical table", "Survival by branch", "Every sample"]
        data, table = datasets.ovarian(), read_clinical(tmp_path / "clinical.csv")
        fit = Caprese().fit(data)
        placed = as_seen(place(fit, data))
        curves = survival(placed, table, "MONTHS", "STATUS", by="branch", order=fit.model)
        tests = associations(placed, table, without=("MONTHS", "STATUS"))
        for line in (clinical.log_rank_text(curves).partition(" ")[2], clinical.tests_made(tests)):
            assert line in patients.words
        medians = [
            [each.words for each in row.all("td")][:4]
            for row in patients.all("tr")
            if row.words.startswith(tuple(curve.group for curve in curves.curves))
        ]
        expected = [
            [each.group, str(each.samples), str(each.deaths), f"{each.median:g}"]
            for each in curves.curves
        ]
        assert medians == expected
        assert "Left out, not in the clinical table: 8 samples." in patients.words

    def test_without_names_the_same_samples_are_compared(self, run, tmp_path):
        named = [f"Ada {k}" for k in range(87)]
        data = datasets.ovarian()
        write_dataset(replace(data, samples=named), tmp_path / "named.csv")
        table = (tmp_path / "clinical.csv").read_text()
        given = {str(k + 1): name for k, name in enumerate(named)}
        renamed = re.sub(r"^\d+", lambda found: given[found[0]], table, flags=re.MULTILINE)
        sections = []
        for name, text, more in (("ovarian", table, ()), ("named.csv", renamed, ("--no-names",))):
            (tmp_path / "clinical.csv").write_text(text)
            assert run("report", name, *self.ASKED, *self.FEW, *more)[0] == 0
            page = (tmp_path / "r.html").read_text()
            assert "Ada" not in page
            sections.append(page.partition(">The clinical table<")[2].partition("Every sample")[0])
        assert sections[0] == sections[1]
        assert sections[0]

    def test_columns_of_follow_up_are_asked_for(self, run):
        _, _, err = run("report", "ovarian", *self.ASKED[:2], *self.FEW)
        asked = "STATUS: to compare survival, give --time COLUMN --status COLUMN"
        assert err == f"caprese: {asked}\n"

    @pytest.mark.parametrize(
        ("arguments", "line"),
        [
            (("--time", "MONTHS"), "--time needs --status"),
            (ASKED[2:], "--time needs --clinical, the table with this column"),
            ((*ASKED[:2], "--by", "branch"), "--by needs --time and --status, for curves"),
            (("--clinical", "none.csv"), "none.csv: no such file"),
            (
                (*ASKED[:2], "--time", "MONTS", "--status", "STATUS"),
                "clinical.csv: there is no column 'MONTS'; did you mean 'MONTHS'?",
            ),
            ((*ASKED, "--by", "KRAS"), "samples are divided by branch, progress, thirds, subtype"),
        ],
    )
    def test_what_cannot_be_compared_is_refused_before_anything_is_judged(
        self, refused, monkeypatch, tmp_path, arguments, line
    ):
        monkeypatch.setattr("caprese.recipe.results.judge", None)
        assert refused("report", "ovarian", *arguments, *self.FEW).startswith(line)
        assert not (tmp_path / "r.html").exists()
