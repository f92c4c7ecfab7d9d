"""Each file that the live page offers is what its command line writes, byte for byte."""

import html
import re
import shlex

import numpy as np
import pytest

from caprese import Dataset, Oncotree, write_dataset
from caprese._core.progress import listening
from caprese.app import tasks
from caprese.app.answers import Request
from caprese.app.chosen import method_in
from caprese.data.curation import KeepMostFrequent
from caprese.errors import FormatError
from caprese.methods import method_text
from caprese.recipe.loading import Curation
from fitted_once import shared as shared
from fitted_once import slow_methods_are_fitted_once as slow_methods_are_fitted_once

pytestmark = pytest.mark.slow

CLINICAL = "\n".join(
    [
        "sample,my stage,months,dead",
        *(f"s {k},{'II' if k % 3 else 'III'},{5 + k % 17},{k % 2}" for k in range(80)),
    ]
)


class Desk:
    """Runs tasks as a worker does, in a folder."""

    def __init__(self, folder):
        self.folder, self.files, self.kept = folder, folder / "files", {}
        self.files.mkdir()

    def run(self, task, **given):
        request = Request(task, str(self.folder), str(self.files), dict(self.kept), given)
        answer = tasks.TASKS[task](request, lambda _part: None)
        for name, content in answer.kept.items():
            self.kept.pop(name, None) if content is None else self.kept.update({name: content})
        return answer.shown

    def commands(self, answer):
        """Return the command of each file that is offered."""
        items = re.findall(
            r'data-file="([^"]*)".*?<code>(.*?)</code>', answer["fragments"]["files"], re.DOTALL
        )
        return {html.unescape(name): html.unescape(text) for name, text in items}


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Desk(tmp_path)


@pytest.fixture
def tumours(tmp_path):
    """A file with names that a shell, a list or a path could take for something else."""
    names = ("TP53, missense", "it's", "-7q", "$(x)", "8q+", "a;b")
    values = np.random.default_rng(5).random((80, 6)) < np.linspace(0.7, 0.3, 6)
    values[:, 3:] &= values[:, :3]
    data = Dataset(values, names, tuple(f"s {k}" for k in range(80)))
    write_dataset(data, tmp_path / "my tumours.csv")
    return "my tumours.csv"


def test_every_file_is_what_its_command_writes(desk, tumours, run):
    pytest.importorskip("lifelines")
    desk.run("load", source=tumours)
    desk.run("curate", exclude=[3], merge=[["both", [1, 2]]], top=5)
    desk.run(
        "fit",
        method={"name": "caprese", "parameters": {"shrinkage": "0.3", "noise": "0.02,0.1"}},
        other={"name": "oncotree", "parameters": {"search": "branching"}},
    )
    desk.run("bootstrap", replicates=300, seed=4)
    desk.run("judge", budget="1", seed=4)
    desk.run("patients")
    (desk.folder / "clinical.csv").write_text(CLINICAL)
    given = {"groups": "my stage", "time": "months", "status": "dead", "corrected": True}
    answer = desk.run("clinical", name="clinical.csv", by="8q+", **given)
    assert "Survival by 8q+" in answer["fragments"]["patients"]
    commands = desk.commands(answer)
    assert "--by 8q+ --corrected -o survival.svg" in commands["survival.svg"]
    assert commands["tests.csv"].endswith("--corrected --tests tests.csv")
    assert {"report.html", "model.json", "tree.pdf", "tree.graphml", "confidence.json"} <= set(
        commands
    )
    assert {"comparison.svg", "judgement.json", "patients.csv", "table.csv"} <= set(commands)
    for name in (
        "survival.png",
        "survival.pdf",
    ):  # which place the samples again, and draw the same
        del commands[name]
    for name, text in commands.items():
        assert desk.run("download", name=name) == {"file": name}
        if name in ("analysis.toml", "analysis.zip"):
            continue
        code, _, error = run(*shlex.split(text)[1:])
        assert (code, error) == (0, "")
        assert (desk.folder / name).read_bytes() == (desk.files / name).read_bytes(), name
        (desk.folder / name).unlink()


def test_the_recipe_writes_every_file_again(desk, tumours, run):
    """Also with names that no command line can list, such as one with a comma."""
    desk.run("load", source=tumours)
    desk.run("curate", exclude=[0], merge=[["both", [1, 2]]], top=5)
    desk.run("fit", method={"name": "caprese"}, other={"name": "oncotree"})
    desk.run("bootstrap", replicates=30, seed=4)
    desk.run("judge", methods=[{"name": "caprese"}], seed=7)
    answer = desk.run("patients")
    commands = desk.commands(answer)
    assert set(commands.values()) == {"caprese run analysis.toml", "caprese run analysis.zip"}
    for name in commands:
        desk.run("download", name=name)
    (desk.files / "analysis.toml").rename(desk.folder / "analysis.toml")
    code, out, error = run("run", "analysis.toml")
    assert (code, error) == (0, "")
    assert {*out.split(), "analysis.toml", "analysis.zip"} == set(commands)
    for name in out.split():
        assert (desk.folder / name).read_bytes() == (desk.files / name).read_bytes(), name


def test_a_saved_analysis_is_opened_as_it_was_left(desk, tumours, tmp_path, monkeypatch):
    desk.run("load", source=tumours)
    desk.run("curate", exclude=[0], merge=[["both", [1, 2]]], top=5, at_least=0.1)
    method = {"name": "caprese", "parameters": {"shrinkage": "0.3"}}
    desk.run("fit", method=method, other={"name": "oncotree"})
    desk.run("bootstrap", replicates=30, seed=4)
    left = desk.run("judge", budget="1", seed=4)
    desk.run("download", name="analysis.zip")

    there = tmp_path / "elsewhere"
    there.mkdir()
    (desk.files / "analysis.zip").rename(there / "analysis.zip")
    monkeypatch.chdir(there)
    again = Desk(there)
    found = again.run("load", source="analysis.zip")
    assert found["title"] == "my tumours.csv"
    assert found["off"] == [0]
    chosen = found["chosen"]
    (merge,) = chosen["merges"]
    assert (merge["name"], sorted(merge["members"])) == ("both", [1, 2])
    assert (chosen["curation"]["top"], chosen["curation"]["at_least"]) == (5, 0.1)
    assert (chosen["method"], chosen["other"]) == (method, {"name": "oncotree", "parameters": {}})
    assert (chosen["bootstrap"], chosen["seed"]) == ({"replicates": 30}, 4)
    assert (chosen["judge"], chosen["patients"]) == ({"budget": "1"}, False)
    again.run("fit", method=chosen["method"], other=chosen["other"])
    again.run("bootstrap", replicates=30, seed=4)
    answer = again.run("judge", budget="1", seed=4)
    assert again.commands(answer) == desk.commands(left)
    for name in ("model.json", "confidence.json", "judgement.json", "table.csv", "analysis.toml"):
        for each in (desk, again):
            monkeypatch.chdir(each.folder)
            each.run("download", name=name)
        assert (desk.files / name).read_bytes() == (again.files / name).read_bytes(), name


def test_a_report_without_a_bootstrap_is_that_of_the_command(desk, run):
    desk.run("load", source="acml")
    answer = desk.run(
        "fit", method={"name": "bayes", "parameters": {"draws": "20", "warm_up": "20"}}
    )
    text = desk.commands(answer)["report.html"]
    assert text == "caprese report acml -m bayes:draws=20:warm_up=20 -o report.html"
    desk.run("download", name="report.html")
    run(*shlex.split(text)[1:])
    assert (desk.folder / "report.html").read_bytes() == (desk.files / "report.html").read_bytes()


def _stopping(share):
    """Return what stops a posterior after a share of its sweeps."""

    def stop(what, done, total):
        if what == "sweeps" and done >= share * total:
            raise KeyboardInterrupt

    return listening(stop)


@pytest.mark.parametrize("given", [{}, {"subtypes": "2", "thin": "5"}])
def test_a_posterior_that_is_stopped_is_a_whole_one_of_fewer_draws(desk, tumours, run, given):
    desk.run("load", source=tumours)
    given = {"draws": "200", "warm_up": "50", "keep": "30", **given}
    with _stopping(0.6):
        answer = desk.run("fit", method={"name": "bayes", "parameters": given})
    commands = desk.commands(answer)
    draws = int(re.search(r"draws=(\d+)", commands["model.json"])[1])
    assert 1 < draws < 200
    assert f"draws={draws}:" in answer["said"]
    for name in ("model.json", "tree.svg"):
        desk.run("download", name=name)
        assert run(*shlex.split(commands[name].splitlines()[-1])[1:])[0] == 0
        assert (desk.folder / name).read_bytes() == (desk.files / name).read_bytes(), name


def test_a_posterior_that_is_stopped_before_its_first_draw_leaves_what_there_was(desk):
    desk.run("load", source="acml")
    desk.run("fit", method={"name": "caprese"})
    with _stopping(0.1), pytest.raises(KeyboardInterrupt):
        desk.run("fit", method={"name": "bayes"})
    desk.run("download", name="model.json")
    assert b'"caprese"' in (desk.files / "model.json").read_bytes()


def test_a_second_method_that_is_stopped_leaves_the_first(desk):
    desk.run("load", source="acml")
    other = {"name": "bayes", "parameters": {"draws": "500", "warm_up": "40"}}
    with _stopping(0.3):
        answer = desk.run("fit", method={"name": "caprese"}, other=other)
    assert "Stopped: this is the complete result of bayes:draws=" in answer["said"]
    assert re.search(r"-m caprese -m bayes:draws=\d+:", desk.commands(answer)["comparison.svg"])


def test_a_clinical_table_is_compared_until_another_model_is_fitted(desk, tumours):
    (desk.folder / "clinical.csv").write_text(CLINICAL)
    desk.run("load", source=tumours)
    desk.run("fit", method={"name": "caprese"})
    desk.run("patients")
    answer = desk.run("clinical", name="clinical.csv", groups="my stage")
    assert answer["titles"] == ["my stage", "months", "dead"]
    assert "tests against the clinical table" in answer["fragments"]["patients"]
    assert "By my stage" in answer["fragments"]["patients"]
    commands = desk.commands(answer)
    assert "--annotation 'clinical.csv:my stage'" in commands["report.html"]
    assert "survival.svg" not in commands
    again = desk.run("fit", method={"name": "caprese"})
    assert again["fragments"]["patients"] == ""
    assert "--annotation" not in desk.commands(again)["report.html"]


def test_a_table_that_names_other_samples_is_refused(desk, tumours):
    (desk.folder / "other.csv").write_text("sample,stage\nx,II\ny,III\n")
    desk.run("load", source=tumours)
    desk.run("fit", method={"name": "caprese"})
    desk.run("patients")
    with pytest.raises(FormatError, match=r"other\.csv: no sample is in the clinical table"):
        desk.run("clinical", name="other.csv")


def test_a_table_with_samples_as_columns_is_turned(desk, run):
    (desk.folder / "genes.csv").write_text("gene,s1,s2,s3\nA,1,1,0\nB,0,1,0\n")
    answer = desk.run("load", source="genes.csv", transposed=True)
    text = desk.commands(answer)["table.csv"]
    assert text == "caprese curate genes.csv --transpose -o table.csv"
    desk.run("download", name="table.csv")
    assert run(*shlex.split(text)[1:])[0] == 0
    assert (desk.folder / "table.csv").read_bytes() == (desk.files / "table.csv").read_bytes()


def test_options_of_a_format_are_repeated(desk, run):
    text = "Hugo_Symbol\tEntrez_Gene_Id\ts1\ts2\ts3\nA\t1\t1\t2\t0\nB\t2\t-1\t0\t-2\n"
    (desk.folder / "cna.txt").write_text(text)
    answer = desk.run("load", source="cna.txt", options="gain=1; genes=A,B")
    text = desk.commands(answer)["table.csv"]
    assert text == "caprese curate cna.txt --read gain=1 --read genes=A,B -o table.csv"
    desk.run("download", name="table.csv")
    assert run(*shlex.split(text)[1:])[0] == 0
    assert (desk.folder / "table.csv").read_bytes() == (desk.files / "table.csv").read_bytes()
    python = "Source(name='cna.txt', options={'gain': 1, 'genes': ['A', 'B']})"
    assert python in html.unescape(answer["fragments"]["files"])


def test_the_lines_of_python_give_the_same_fit(desk, tumours):
    desk.run("load", source=tumours)
    desk.run("curate", exclude=[0], at_least=0.05)
    answer = desk.run("fit", method={"name": "oncotree", "parameters": {"noise": "0.1,0.05"}})
    desk.run("download", name="model.json")
    lines = html.unescape(answer["fragments"]["files"].rpartition("<code>")[2])
    exec(lines.partition("</code>")[0], {})
    assert (desk.folder / "model.json").read_bytes() == (desk.files / "model.json").read_bytes()


def test_how_long_it_will_take_is_told_beforehand(desk, monkeypatch):
    monkeypatch.setattr(Oncotree, "expected_seconds", lambda _self, _data: 7200.0, raising=False)
    desk.run("load", source="acml")
    sent = []
    given = {"method": {"name": "oncotree"}}
    request = Request("fit", str(desk.folder), str(desk.files), dict(desk.kept), given)
    tasks.TASKS["fit"](request, sent.append)
    assert sent[0].shown["expected"] == "A fit of oncotree to 3 events will take about 2 hours."


def test_a_page_does_not_offer_a_file_before_it_can_be_made(desk):
    assert "model.json" not in desk.commands(desk.run("load", source="acml"))


def test_columns_of_other_values_are_left_out(desk, run):
    (desk.folder / "aged.csv").write_text("a,age,b\n1,60,1\n1,71,0\n0,55,0\n1,58,1\n")
    with pytest.raises(FormatError, match=r"aged\.csv, line 2, column 2"):
        desk.run("load", source="aged.csv")
    answer = desk.run("load", source="aged.csv", left_out=["age", "b"])
    assert answer["off"] == [1]
    commands = desk.commands(answer)
    assert commands["table.csv"] == "caprese curate aged.csv --exclude age,b -o table.csv"
    desk.run("download", name="table.csv")
    assert run(*shlex.split(commands["table.csv"])[1:])[0] == 0
    assert (desk.folder / "table.csv").read_bytes() == (desk.files / "table.csv").read_bytes()


def test_parameters_at_their_defaults_are_not_named():
    given = {"name": "caprese", "parameters": {"shrinkage": "0.50", "noise": " "}}
    assert method_text(method_in(given)) == "caprese"


def test_of_many_events_the_most_frequent_are_kept_as_by_the_commands(desk):
    values = np.random.default_rng(1).random((60, 80)) < np.linspace(0.1, 0.9, 80)
    names = tuple(f"e{k}" for k in range(80))
    write_dataset(Dataset(values, names), desk.folder / "wide.csv")
    found = desk.run("load", source="wide.csv")
    assert found["states"].count("dropped: tied for place 20") == 2
    assert found["states"].count("") == 19
    assert "--top" not in found["fragments"]["files"]
    assert Curation().rules()[-1] == KeepMostFrequent(20, above=50)
