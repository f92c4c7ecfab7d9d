"""Output files: the suffix gives the format."""

import os
from pathlib import Path

import pytest

from caprese import Caprese, bootstrap, datasets, read_confidence, read_fit, read_graph
from caprese.io.documents import read_model
from caprese.io.graphs.files import GRAPH_FORMATS, graph_text

pytestmark = pytest.mark.slow

STARTS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}
FIT = Caprese().fit(datasets.ovarian())


def files_in(folder):
    return {path.name for path in Path(folder).iterdir()}


@pytest.mark.parametrize("suffix", GRAPH_FORMATS)
def test_fit_writes_every_graph_format(run, suffix):
    assert run("fit", "ovarian", "-o", f"tree{suffix}")[0] == 0
    assert Path(f"tree{suffix}").read_text() == graph_text(FIT, f"tree{suffix}")
    if GRAPH_FORMATS[suffix].read is not None:
        assert set(read_graph(f"tree{suffix}").edges) == set(FIT.model.edges)


@pytest.mark.parametrize("command", [["fit", "d.csv"], ["bootstrap", "d.csv"], ["show", "f.json"]])
def test_names_that_look_like_formulas_are_guarded_on_request(run, tmp_path, command):
    (tmp_path / "d.csv").write_text("-7q,b\n1,0\n1,1\n0,0\n")
    run("fit", "d.csv", "-o", "f.json")
    run(*command, "-o", "plain.csv")
    run(*command, "-o", "guarded.csv", "--guard-formulas")
    assert "'-7q" not in Path("plain.csv").read_text()
    assert "'-7q" in Path("guarded.csv").read_text()
    assert read_graph("guarded.csv") == read_graph("plain.csv")


@pytest.mark.parametrize("suffix", STARTS)
def test_fit_draws_pictures(run, suffix):
    assert run("fit", "acml", "-o", f"tree{suffix}")[0] == 0
    assert Path(f"tree{suffix}").read_bytes().startswith(STARTS[suffix])


def test_several_files_are_written_at_once_whatever_the_case_of_their_suffixes(run, tmp_path):
    _, out, _ = run("fit", "ovarian", "-o", "fit.json", "-o", "tree.SVG", "-o", "tree.dot")
    assert files_in(tmp_path) == {"fit.json", "tree.SVG", "tree.dot"}
    assert read_fit("fit.json") == FIT
    assert out == run("fit", "ovarian")[1]


def test_bootstrap_writes_counts_and_support(run):
    run("bootstrap", "ovarian", "--replicates", "50", "-o", "c.json", "-o", "t.csv", "-o", "t.svg")
    assert read_confidence("c.json") == bootstrap(
        Caprese(), datasets.ovarian(), replicates=50, seed=1
    )
    assert "support" in Path("t.csv").read_text().splitlines()[0]
    run("fit", "ovarian", "-o", "plain.svg")
    assert Path("t.svg").read_bytes() != Path("plain.svg").read_bytes()


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("tree.grapml", "; did you mean '.graphml'?"),
        ("tree.jsn", "; did you mean '.json'?"),
        ("tree.docx", ".newick, .csv, .tsv"),
        ("tree", ".newick, .csv, .tsv"),
    ],
)
def test_an_unknown_suffix_is_refused_before_any_computation(refused, monkeypatch, path, line):
    monkeypatch.setattr(Caprese, "fit", None)
    said = refused("fit", "ovarian", "-o", "fine.json", "-o", path)
    assert said.startswith(f"--output {path} must end in one of .json, .png, .svg, .pdf, _mqc.json")
    assert said.endswith(line)
    assert files_in(".") == set()


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("", "--output must not be empty"),
        ("no/tree.svg", "--output no/tree.svg: there is no folder no"),
        (".", "--output . is a folder; name a file"),
        ("fine.json", "--output fine.json is given twice"),
    ],
)
def test_an_impossible_path_is_refused_before_any_computation(refused, monkeypatch, path, line):
    monkeypatch.setattr(Caprese, "fit", None)
    assert refused("fit", "ovarian", "-o", "fine.json", "-o", path) == line


def test_if_one_format_cannot_hold_the_model_no_file_is_written(refused, run, tmp_path):
    run("simulate", "--events", "6", "--parents", "3", "-o", "d.csv", "--truth", "dag.json")
    before = files_in(tmp_path)
    line = refused("show", "dag.json", "-o", "dag.dot", "-o", "dag.nwk")
    assert line.startswith("Newick holds only trees")
    assert files_in(tmp_path) == before


@pytest.mark.parametrize(
    "words",
    [
        ["fit", "acml", "-o", "fit.json", "-o", "/dev/full"],
        ["patients", "acml", "--annotation", "c.csv", "--tests", "t.tsv", "-o", "full.csv"],
        ["simulate", "--genotypes", "before.csv", "--truth", "/dev/full", "-o", "data.csv"],
        ["run", "a.toml"],
    ],
)
def test_if_one_file_cannot_be_written_none_is(refused, tmp_path, words):
    stages = [f"{name},{'I' * (1 + k % 2)}" for k, name in enumerate(datasets.acml().samples)]
    (tmp_path / "c.csv").write_text("\n".join(["sample,stage", *stages]))
    outputs = 'table = "t.csv"\nfit = ["m.json", "full.svg"]'
    (tmp_path / "a.toml").write_text(f'[source]\nname = "acml"\n[outputs]\n{outputs}\n')
    for name in ("full.svg", "full.csv"):
        (tmp_path / name).symlink_to("/dev/full")
    (tmp_path / "data.csv").write_text("")
    before = files_in(tmp_path)
    assert "No space left on device" in refused(*words)
    assert files_in(tmp_path) == before
    assert (tmp_path / "data.csv").read_text() == ""


@pytest.mark.parametrize(
    "words", [["fit", "acml", "-o"], ["report", "acml", "-o"], ["study", "noise-free", "-o"]]
)
def test_a_folder_without_permission_is_refused_before_any_computation(
    refused, monkeypatch, tmp_path, words
):
    (tmp_path / "closed").mkdir()
    (tmp_path / "a.toml").write_text('[source]\nname = "acml"\n[outputs]\nfit = "closed/m.json"')
    # Of root, who runs these tests in places, every folder may be written to.
    monkeypatch.setattr(os, "access", lambda path, _mode: "closed" not in str(path))
    monkeypatch.setattr(Caprese, "fit", None)
    why = "there is no permission to write to the folder"
    assert f"--output closed/x.html: {why}" in refused(*words, "closed/x.html")
    assert f"a.toml, [outputs] fit: closed/m.json: {why}" in refused("run", "a.toml")


def test_a_full_disk_is_reported_with_the_path(refused):
    assert refused("fit", "acml", "-o", "/dev/full") == "/dev/full: No space left on device"
    assert refused("curate", "acml", "-o", "/dev/full") == "/dev/full: No space left on device"


def test_a_pipe_has_no_suffix_and_gets_json(run, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    run("fit", "acml", "-o", "pipe")
    assert os.read(reader, 100).startswith(b'{\n  "format": "caprese fit"')
    os.close(reader)


class TestShow:
    def test_a_fit_is_converted(self, run):
        run("fit", "ovarian", "-o", "fit.json", "-o", "direct.graphml", "-o", "direct.svg")
        run("show", "fit.json", "-o", "shown.graphml", "-o", "shown.svg", "-o", "again.json")
        for suffix in (".graphml", ".svg"):
            assert Path(f"direct{suffix}").read_bytes() == Path(f"shown{suffix}").read_bytes()
        assert Path("again.json").read_bytes() == Path("fit.json").read_bytes()

    def test_with_a_confidence_the_output_is_that_of_bootstrap(self, run):
        run("fit", "ovarian", "-o", "fit.json")
        some = ["--replicates", "60", "--no-table", "--no-tests"]
        _, printed, _ = run("bootstrap", "ovarian", *some, "-o", "c.json", "-o", "direct.dot")
        shown = run("show", "fit.json", "--confidence", "c.json", "-o", "shown.dot")
        assert shown == (0, printed, "")
        assert Path("shown.dot").read_text() == Path("direct.dot").read_text()

    def test_a_confidence_alone_is_shown_as_a_tree(self, run):
        run("bootstrap", "ovarian", "--replicates", "50", "-o", "c.json")
        code, out, _ = run("show", "c.json")
        support = read_confidence("c.json").table().loc["8q+", "3q+"]
        assert code == 0
        assert f"   ├─ 3q+      {100 * support:.1f} %\n" in out
        assert "50 replicates; the same model was inferred in" in out

    def test_a_model_alone_is_shown_as_a_tree(self, run):
        run("simulate", "--events", "5", "-o", "d.csv", "--truth", "t.json")
        _, out, _ = run("show", "t.json", "-o", "t.graphml", "-o", "t.png")
        assert out.startswith("forest of 5 events\n\nevent")
        assert run("show", "t.graphml")[1] == out
        assert read_graph("t.graphml") == read_model("t.json")

    def test_a_constant_event_is_shown_with_its_undetermined_share(self, run, tmp_path):
        (tmp_path / "d.csv").write_text("a,b,c\n1,0,1\n1,0,0\n1,1,1\n1,0,0\n")
        run("bootstrap", "d.csv", "--keep-constant", "--replicates", "20", "-o", "c.json")
        assert "├─ a     100.0 %\n" in run("show", "c.json")[1]

    @pytest.mark.parametrize(
        ("arguments", "line"),
        [
            (["c.json", "--confidence", "c.json"], "--confidence needs a fit or a model, not"),
            (["fit.json", "--confidence", "fit.json"], "fit.json: not a caprese confidence"),
            (["small.json", "--confidence", "c.json"], "--confidence c.json is of other events"),
            (["other.json", "--confidence", "c.json"], "--confidence c.json is of another model;"),
            (["more.json", "--confidence", "c.json"], "--confidence c.json is of other data"),
            (["c.json", "-o", "x.svg"], "a confidence is converted together with its fit: caprese"),
            (["fit.json", "-o", "fit.json"], "--output fit.json would overwrite the input"),
            (
                ["odd.json"],
                'odd.json: not a file of caprese: expected JSON with "format": "capr',
            ),
            (["list.json"], "list.json: not a file of caprese"),
            (["fitt.json"], "fitt.json: no such file; did you mean 'fit.json'?"),
        ],
    )
    def test_files_that_do_not_belong_together_are_refused(
        self, run, refused, tmp_path, arguments, line
    ):
        run("fit", "ovarian", "-o", "fit.json")
        run("fit", "acml", "-o", "small.json")
        run("fit", "ovarian", "--method", "oncotree", "-o", "other.json")
        run("fit", "ovarian", "--hypermutated", "6", "-o", "more.json")
        run("bootstrap", "ovarian", "--replicates", "5", "-o", "c.json")
        (tmp_path / "odd.json").write_text('{"format": "caprese study"}')
        (tmp_path / "list.json").write_text("[1]")
        assert refused("show", *arguments).startswith(line)

    def test_data_and_fits_are_referred_to_the_right_command(self, refused, run, tmp_path):
        (tmp_path / "d.csv").write_text("a,b\n1,0\n0,1\n")
        assert refused("show", "d.csv").endswith(
            "to infer a progression from data, use: caprese fit d.csv"
        )
        run("fit", "acml", "-o", "model.json")
        for command in ("fit", "bootstrap", "compare", "inspect"):
            assert refused(command, "model.json") == (
                "model.json: this is JSON, not a table of data; "
                "if caprese wrote it, display it with: caprese show model.json"
            )
