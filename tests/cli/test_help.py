"""Help: every command is described, and every example in the help works."""

import gzip
import re
import shlex
import shutil
from pathlib import Path

import click
import pytest

from caprese import cli, datasets, write_dataset
from caprese.app.views.start import questions
from example_files import orders_of, pair_files, series_files

pytestmark = pytest.mark.slow

STUDY = Path(__file__).parents[2] / "examples" / "panel_study"


def commands(group=cli.cli, path=()):
    """Yield every command with the words that call it."""
    for name, command in group.commands.items():
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


COMMANDS = dict(commands())


def examples(help_text):
    return [line.strip() for line in help_text.splitlines() if line.startswith("    caprese ")]


@pytest.fixture
def example_files(run, tmp_path, monkeypatch):
    """The files of the examples, in the folder in which commands are run; no page is served."""
    monkeypatch.setattr("caprese.app.server.serve", lambda *_given: None)
    write_dataset(datasets.ovarian(), tmp_path / "tumours.csv")
    (tmp_path / "orders.csv").write_text(orders_of(datasets.ovarian(), "8q+", "3q+"))
    mutations = (STUDY / "data_mutations.txt").read_text()
    barcoded = re.sub(r"PS-(\d+)", r"TCGA-02-0\1-01A", mutations)
    (tmp_path / "cohort.maf.gz").write_bytes(gzip.compress(barcoded.encode()))
    shutil.copytree(STUDY, tmp_path / "my_study")
    stages = [f"{sample},{'II' if sample % 2 else 'III'}" for sample in range(1, 88)]
    (tmp_path / "stages.csv").write_text("\n".join(["sample,stage", *stages]))
    followed = [f"{row},{1 + k % 17},{k % 2}" for k, row in enumerate(stages)]
    (tmp_path / "clinical.csv").write_text("\n".join(["sample,stage,MONTHS,STATUS", *followed]))
    for name, text in {**series_files(patients=20), **pair_files()}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "cohorts").mkdir()
    write_dataset(datasets.ovarian(), tmp_path / "cohorts" / "ovarian.csv")
    run("fit", "tumours.csv", "-o", "model.json")
    run("bootstrap", "tumours.csv", "--replicates", "10", "-o", "confidence.json")
    (tmp_path / "analysis.toml").write_text(
        "# An analysis, made by caprese\n[source]\nname = 'acml'\n"
    )
    return run


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_command_is_described_with_examples(run, path):
    code, out, err = run(*path, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"Usage: caprese {' '.join(path)} ")
    assert examples(out)
    assert all(f"caprese {' '.join(path)}" in line for line in examples(out))
    assert "…" not in out


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_example_of_the_help_works(example_files, path):
    _, out, _ = example_files(*path, "--help")
    for line in examples(out):
        command, _, _ = line.partition(" > ")
        _, *words = shlex.split(command)
        long = words[0] == "study" and "-o" in words
        more = ["--trees", "1", "--replicates", "1"] if long else []
        more += ["--replicates", "5"] if "mhn" in words and words[0] == "bootstrap" else []
        if words[0] == "judge" and "-m" not in words:
            more += ["--budget", "5s" if "--plan" in words else "1s"]
        more += ["--budget", "1s"] if words[0] in ("atlas", "known", "patients", "report") else []
        more += ["--force"] if "--force" in out else []  # some write a file that is there
        code, _, err = example_files(*words, *more)
        assert code == 0, line
        remarks = (" will take about ", " to compare survival, ", " does not use the seen orders")
        assert all(any(each in said for each in remarks) for said in err.splitlines()), line


def test_the_commands_are_listed_in_the_order_of_their_use(run):
    _, out, _ = run()
    listed = re.findall(r"^  (\w+)  +\S", out.partition("Commands:")[2], re.MULTILINE)
    assert listed == list(cli.cli.commands)
    assert listed[:4] == ["inspect", "curate", "fit", "bootstrap"]
    assert "..." not in out.partition("Commands:")[2]


def test_the_examples_of_the_main_help_work(example_files):
    _, out, _ = example_files()
    found = re.findall(r"^ +(?:Start with: )?caprese (.*)$", out, re.MULTILINE)
    assert found[0] == "fit ovarian"
    assert len(found) > 1
    for words in found:
        assert example_files(*shlex.split(words))[0] == 0


@pytest.mark.parametrize("question", [each["title"] for each in questions()])
def test_the_questions_of_the_page_are_those_of_the_main_help_and_the_documents(run, question):
    _, out, _ = run()
    root = Path(__file__).parents[2]
    texts = out, *((root / name).read_text() for name in ("README.md", "docs/which-method.md"))
    assert all(f"{question}?" in text for text in texts)


def test_options_are_listed_in_sections(run):
    _, out, _ = run("fit", "--help")
    titles = re.findall(r"^(\S.*):$", out, re.MULTILINE)
    assert titles == [
        "Options",
        "Reading the data",
        "Curation of the data",
        "Parameters of the methods",
    ]
    own = out.partition("\nOptions:")[2].partition("\n\n")[0]
    assert re.findall(r"--(\w+)", own)[:2] == ["method", "output"]


def test_the_version_is_printed(run):
    code, out, _ = run("--version")
    assert code == 0
    assert re.fullmatch(r"caprese \d+\.\d+\.\d+\S*\n", out)
