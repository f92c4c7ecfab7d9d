"""Help: every command says what it does, and every example it gives works."""

import gzip
import re
import shlex
import shutil
from pathlib import Path

import click
import pytest

from caprese import cli, datasets, write_dataset

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
def context(run, tmp_path):
    """The files that examples speak of, in the folder commands are run in."""
    write_dataset(datasets.ovarian(), tmp_path / "tumours.csv")
    mutations = (STUDY / "data_mutations.txt").read_text()
    barcoded = re.sub(r"PS-(\d+)", r"TCGA-02-0\1-01A", mutations)
    (tmp_path / "cohort.maf.gz").write_bytes(gzip.compress(barcoded.encode()))
    shutil.copytree(STUDY, tmp_path / "my_study")
    stages = [f"{sample},{'II' if sample % 2 else 'III'}\n" for sample in range(1, 88)]
    (tmp_path / "stages.csv").write_text("".join(["sample,stage\n", *stages]))
    run("fit", "tumours.csv", "-o", "model.json")
    run("bootstrap", "tumours.csv", "--replicates", "10", "-o", "confidence.json")
    return run


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_command_says_what_it_does_and_gives_examples(run, path):
    code, out, err = run(*path, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"Usage: caprese {' '.join(path)} ")
    assert examples(out)
    assert all(f"caprese {' '.join(path)}" in line for line in examples(out))
    assert "…" not in out


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_example_of_the_help_works(context, path):
    _, out, _ = context(*path, "--help")
    for line in examples(out):
        command, _, _ = line.partition(" > ")
        _, *words = shlex.split(command)
        long = words[0] == "study" and "-o" in words
        code, _, err = context(*words, *(["--trees", "1", "--replicates", "1"] if long else []))
        assert (code, err) == (0, ""), line


def test_alone_it_lists_the_commands_in_the_order_they_are_used(run):
    _, out, _ = run()
    listed = re.findall(r"^  (\w+)  +\S", out.partition("Commands:")[2], re.MULTILINE)
    assert listed == list(cli.cli.commands)
    assert listed[:4] == ["inspect", "curate", "fit", "bootstrap"]
    assert "..." not in out.partition("Commands:")[2]


def test_the_examples_it_gives_alone_work(context):
    _, out, _ = context()
    found = re.findall(r"^ +(?:Start with: )?caprese (.*)$", out, re.MULTILINE)
    assert found[0] == "fit ovarian"
    assert len(found) > 1
    for words in found:
        assert context(*shlex.split(words))[0] == 0


def test_options_stand_in_sections_the_own_ones_first(run):
    _, out, _ = run("fit", "--help")
    titles = re.findall(r"^(\S.*):$", out, re.MULTILINE)
    assert titles == [
        "Options",
        "How to read DATA",
        "What to do to the data before",
        "Parameters of the methods",
    ]
    own = out.partition("\nOptions:")[2].partition("\n\n")[0]
    assert re.findall(r"--(\w+)", own)[:2] == ["method", "output"]


def test_the_version_is_told(run):
    code, out, _ = run("--version")
    assert code == 0
    assert re.fullmatch(r"caprese \d+\.\d+\.\d+\S*\n", out)
