"""Every code block of the documentation is run.

Python blocks are doctests, which pytest collects. The commands of shell blocks are run here, page
by page, in a folder with small files of the names that the pages use. The output shown below a
command must be the output printed, where ``...`` matches anything.
"""

import doctest
import gzip
import re
import runpy
import shlex
import shutil
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from pkgutil import resolve_name

import pytest
from markdown_it import MarkdownIt

import caprese
from caprese import METHODS, cli, datasets, write_dataset
from example_files import COUNTS, VARIANTS, isolate_files, orders_of, pair_files, series_files
from fitted_once import shared as shared
from fitted_once import slow_methods_are_fitted_once as slow_methods_are_fitted_once

pytestmark = pytest.mark.slow

REPOSITORY = Path(__file__).parents[1]
EXAMPLES = REPOSITORY / "examples"
PAGES = [
    *(REPOSITORY / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((REPOSITORY / "docs").rglob("*.md")),
    REPOSITORY / "paper" / "paper.md",
]
SHELL = {"console", "sh"}
PLAIN = {
    "text": "not code",
    "toml": "the file has its own test",
    "r": "run by tests/release/test_from_r.py, where R is installed",
    "{eval-rst}": "run by sphinx",
    "{include}": "run by sphinx",
    "{literalinclude}": "the file has its own test",
    "{toctree}": "run by sphinx",
}
NOT_RUN = {
    "make": "installs the environment of this test",
    "pip": "needs the network",
}
SECTIONS = ["Assumptions", "Equations", "Parameters", "When not to use it", "Citation"]


@dataclass(frozen=True)
class Block:
    page: Path
    line: int
    language: str
    text: str

    def __str__(self):
        return f"{self.page.relative_to(REPOSITORY)}:{self.line}"

    def commands(self):
        """Each command with the output shown below it, or None."""
        if self.language == "sh":
            return [(line, None) for line in self.text.splitlines() if line.strip()]
        _, *parts = ("\n" + self.text).split("\n$ ")
        split = (part.partition("\n") for part in parts)
        return [(command, shown.strip("\n") or None) for command, _, shown in split]


def tokens(page):
    return MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8"))


def blocks_of(page):
    for token in tokens(page):
        if token.type in ("fence", "code_block"):
            language, *_ = token.info.split() or [""]
            yield Block(page, token.map[0] + 1, language, token.content)


BLOCKS = [block for page in PAGES for block in blocks_of(page)]


def blocks(*languages):
    return [block for block in BLOCKS if block.language in languages]


@pytest.fixture
def context(tmp_path, monkeypatch):
    """Run commands in a folder with the files that the pages use; the live page ends at once."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("caprese.app.server.serve", lambda *_given: None)
    write_dataset(datasets.ovarian(), "tumours.csv")
    rows = [
        f"{sample},I,low,{k},{'DECEASED' if k % 3 else 'LIVING'}\n"
        for k, sample in enumerate(datasets.ovarian().samples)
    ]
    Path("clinical.csv").write_text("".join(["sample,stage,grade,MONTHS,STATUS\n", *rows]))
    Path("orders.csv").write_text(orders_of(datasets.ovarian(), "8q+", "3q+"))
    for name, text in {**series_files(), **pair_files(), **isolate_files()}.items():
        Path(name).write_text(text)
    Path("counts.csv").write_text(COUNTS)
    Path("variants.csv").write_text(VARIANTS)
    mutations = (EXAMPLES / "panel_study" / "data_mutations.txt").read_text()
    barcoded = re.sub(r"PS-(\d+)", r"TCGA-02-0\1-01A", mutations)
    Path("cohort.maf.gz").write_bytes(gzip.compress(barcoded.encode()))
    shutil.copytree(EXAMPLES / "panel_study", "my_study")
    Path("examples").symlink_to(EXAMPLES)
    runpy.run_path(str(EXAMPLES / "make_cohorts.py"))["write"](Path("cohorts"))
    runpy.run_path(str(EXAMPLES / "make_tutorial_study.py"))["write"](Path("study.zip"))
    shutil.unpack_archive("study.zip")
    return tmp_path


def trimmed(text):
    return "".join(f"{line.rstrip()}\n" for line in text.strip("\n").splitlines())


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_a_block_is_run_or_its_language_says_why_not(block):
    assert block.language in {"python", *SHELL, *PLAIN}
    if block.language in PLAIN:
        commands = ("$ ", ">>> ", "caprese ", "python ", ".. code")
        assert not any(line.startswith(commands) for line in block.text.splitlines())


@pytest.mark.parametrize("block", blocks("python"), ids=str)
def test_python_blocks_are_doctests_that_pytest_runs(block):
    assert block.text.startswith(">>> ")
    assert block.text.endswith("\n\n"), "an empty line must end the output of the last example"
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["tool"]["pytest"]
    assert "--doctest-glob=*.md" in settings["ini_options"]["addopts"]
    place = block.page.relative_to(REPOSITORY).parts[0]
    assert place in settings["ini_options"]["testpaths"]


@pytest.mark.parametrize("block", blocks(*SHELL), ids=str)
def test_a_shell_block_contains_only_commands(block):
    assert block.commands()
    assert block.language == "sh" or block.text.startswith("$ ")
    for command, _ in block.commands():
        program, *_ = shlex.split(command)
        assert program == "caprese" or program in NOT_RUN
        assert not set("|<>&;`") & set(command), "a command must run without a shell"


@pytest.mark.parametrize(
    "page", sorted({block.page for block in blocks(*SHELL)}), ids=lambda page: page.stem
)
@pytest.mark.usefixtures("context")
def test_every_command_prints_the_output_shown(page, capsys):
    same = doctest.OutputChecker().check_output
    for block in (block for block in blocks(*SHELL) if block.page == page):
        for command, shown in block.commands():
            program, *arguments = shlex.split(command)
            if program in NOT_RUN:
                assert shown is None
                continue
            cli.main(arguments)
            printed = trimmed(capsys.readouterr().out)
            if shown is not None:
                message = f"{block}\n$ {command}\n{printed}"
                assert same(trimmed(shown), printed, doctest.ELLIPSIS), message


every_page = pytest.mark.parametrize(
    "page", PAGES, ids=lambda page: str(page.relative_to(REPOSITORY))
)


@every_page
def test_no_line_is_read_as_a_comment_and_omitted(page):
    lines = page.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.lstrip().startswith(("%", "+++"))] == []


@every_page
def test_every_link_to_a_file_has_a_target(page):
    parts = [part for token in tokens(page) for part in token.children or () if part.attrs]
    targets = {part.attrs.get("href") or part.attrs.get("src") for part in parts}
    files = {target.partition("#")[0] for target in targets if "://" not in target} - {""}
    missing = {name for name in files if not (page.parent / name).exists()}
    assert {name for name in missing if "gallery/" not in name} == set()  # written by sphinx


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page.parent.name == "methods" and page.stem in METHODS],
    ids=lambda page: page.stem,
)
def test_the_page_of_a_method_has_every_section_and_every_parameter(page):
    text = page.read_text(encoding="utf-8")
    sections = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert [section for section in sections if section in SECTIONS] == SECTIONS
    documented = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
    assert documented == [field.name for field in fields(METHODS[page.stem])]


@every_page
def test_every_name_in_the_package_that_a_page_uses_exists(page):
    inline = [part for token in tokens(page) for part in token.children or ()]
    code = [part.content for part in inline if part.type == "code_inline"]
    for name in {text for text in code if re.fullmatch(r"caprese(\.\w+)+", text)}:
        assert resolve_name(name) is not None


def test_every_name_in_the_reference_exists():
    pages = [block.text for block in blocks("{eval-rst}") if block.page.parent.name == "api"]
    names = re.findall(r"^   ([\w.]+)$", "\n".join(pages), re.MULTILINE)
    assert len(names) == len(set(names))
    for name in names:
        assert resolve_name(f"caprese.{name}") is not None


def test_every_public_name_is_in_the_reference_once():
    pages = (block.text for block in blocks("{eval-rst}") if block.page.parent.name == "api")
    names = re.findall(r"^   (\w+)$", "\n".join(pages), re.MULTILINE)
    assert sorted(names) == sorted(caprese.__all__)
