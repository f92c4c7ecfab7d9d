"""The paper: figures, references and commands exist; its blocks are run with the documentation."""

import re
import shlex
from pathlib import Path

import click
import pytest

from caprese import cli

FOLDER = Path(__file__).parents[1] / "paper"
TEXT = (FOLDER / "paper.md").read_text(encoding="utf-8")
BIB = (FOLDER / "paper.bib").read_text(encoding="utf-8")
COMMANDS = sorted(set(re.findall(r"`((?:caprese|python) [^`]+)`", TEXT)))


def test_the_length_is_that_of_the_journal():
    body = TEXT.split("---", 2)[2].partition("# References")[0]
    assert 750 <= len(body.split()) <= 1750


def test_every_figure_is_there_and_its_caption_has_the_command_that_draws_it():
    figures = re.findall(r"!\[(.*?)\]\((.*?)\)", TEXT, re.DOTALL)
    assert len(figures) == 2
    for caption, file in figures:
        assert (FOLDER / file).read_bytes().startswith(b"\x89PNG")
        assert re.search(rf"`caprese .* -o {file}`", caption)


def test_every_reference_is_cited_and_every_citation_is_a_reference():
    cited = {
        key for group in re.findall(r"\[(@[^\]]+)\]", TEXT) for key in re.findall(r"@(\w+)", group)
    }
    assert cited == set(re.findall(r"^@\w+\{(\w+),", BIB, re.MULTILINE))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_option_that_is_named_exists(command):
    program, name, *words = shlex.split(command)
    if program == "python":
        assert (FOLDER.parent / name).is_file()
        return
    options = {word for word in words if word.startswith("-")}
    found = cli.cli.commands[name]
    known = {name for each in found.get_params(click.Context(found)) for name in each.opts}
    assert options <= known
