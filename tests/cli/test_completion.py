"""Shell completion, requested as a shell requests it."""

import os
import subprocess
import sys

import pytest

from caprese import datasets
from caprese.cli import cli
from caprese.cli.commands.plot import plot
from caprese.cli.options.completion import embedded_names
from caprese.methods import METHODS
from caprese.studies import STUDIES

pytestmark = pytest.mark.slow

HEAVY = {"matplotlib", "networkx", "pandas", "rich", "scipy"}
PROGRAM = (
    "import sys, atexit; "
    "atexit.register(lambda: print(*sorted(sys.modules), file=sys.stderr)); "
    "from caprese.cli import main; main()"
)


@pytest.fixture
def completed(tmp_path):
    """Complete the last of some words; return kinds and values, and the modules imported for it."""

    def runner(*words):
        request = {
            "_CAPRESE_COMPLETE": "bash_complete",
            "COMP_WORDS": " ".join(["caprese", *words]),
            "COMP_CWORD": str(len(words)),
        }
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            cwd=tmp_path,
            env=os.environ | request,
            capture_output=True,
            text=True,
            check=False,
        )
        answers = [tuple(line.split(",", 1)) for line in done.stdout.splitlines()]
        return answers, set(done.stderr.split())

    return runner


def plain(names):
    return [("plain", name) for name in names]


def test_commands(completed):
    answers, imported = completed("")
    assert answers == plain(cli.commands)
    assert not (HEAVY | {"numpy"}) & imported
    assert completed("boo")[0] == plain(["bootstrap"])


def test_kinds_of_pictures(completed):
    answers, imported = completed("plot", "")
    assert answers == plain(plot.commands)
    assert not (HEAVY | {"numpy"}) & imported


@pytest.mark.parametrize("command", [["fit"], ["bootstrap"], ["inspect"], ["plot", "support"]])
def test_embedded_data_and_files_of_the_current_folder(completed, tmp_path, command):
    for name in ("ovarian.csv", "other.csv", ".hidden", "two words.csv"):
        (tmp_path / name).touch()
    (tmp_path / "our_study").mkdir()
    answers, imported = completed(*command, "o")
    assert answers == plain(["ovarian", "other.csv", "our_study/", "ovarian.csv"])
    assert not (HEAVY | {"numpy"}) & imported
    assert completed(*command, "our_study/da")[0] == [("file", "our_study/da")]
    assert completed(*command, "zebra")[0] == [("file", "zebra")]


UNSAFE = ("x$(touch run)", "x`touch run`", "x;touch run", "x&y", "x|y", "x'y", 'x"y', "x\ny", "x*")


def test_names_that_a_shell_would_obey_are_left_to_the_shell_which_quotes_them(completed, tmp_path):
    for name in UNSAFE:
        (tmp_path / name).touch()
    assert completed("fit", "x")[0] == [("file", "x")]
    (tmp_path / "xa.csv").touch()
    assert completed("fit", "x")[0] == plain(["xa.csv"])
    assert completed("fit", "x$")[0] == [("file", "x$")]


def test_options_including_those_of_methods(completed):
    answers, imported = completed("fit", "ovarian", "--s")
    assert set(answers) >= set(plain(["--shrinkage", "--search", "--sample-names"]))
    assert not HEAVY & imported


def test_a_word_after_an_option_of_a_method_is_still_data(completed):
    assert completed("fit", "--shrinkage", "0.1", "ovar")[0] == plain(["ovarian"])


def test_methods(completed):
    for command in (["fit"], ["compare"], ["plot", "comparison"]):
        answers, imported = completed(*command, "ovarian", "--method", "")
        assert answers == plain(METHODS)
        assert not HEAVY & imported


def test_studies(completed):
    answers, imported = completed("study", "no")
    assert answers == plain(["noise-free", "noisy"])
    assert not HEAVY & imported
    assert completed("study", "")[0] == plain(STUDIES)


def test_choices_and_formats(completed):
    assert completed("bootstrap", "ovarian", "--kind", "p")[0] == plain(["parametric"])
    assert completed("fit", "x", "--format", "ma")[0] == plain(["maf"])
    assert completed("completion", "")[0] == plain(["bash", "zsh", "fish"])


@pytest.mark.parametrize(
    "words",
    [["show", "mo"], ["fit", "x", "-o", "mo"], ["simulate", "--truth", "mo"]],
)
def test_files(completed, words):
    assert completed(*words)[0] == [("file", "mo")]


def test_names_of_embedded_data_are_known_without_importing_it():
    assert embedded_names() == sorted(datasets.EMBEDDED)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_calls_this_program(run, shell):
    code, out, err = run("completion", shell)
    assert (code, err) == (0, "")
    assert f"_CAPRESE_COMPLETE={shell}_complete" in out


def test_the_script_works_in_bash(run, tmp_path):
    (tmp_path / "script").write_text(run("completion", "bash")[1])
    (tmp_path / "caprese").write_text(
        f"#!/bin/sh\nexec {sys.executable} -c 'from caprese.cli import main; main()' \"$@\"\n"
    )
    (tmp_path / "caprese").chmod(0o755)
    request = (
        "COMP_WORDS=(caprese pl); COMP_CWORD=1; _caprese_completion ./caprese; echo $COMPREPLY"
    )
    done = subprocess.run(
        ["bash", "-c", f"source ./script; {request}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "plot\n"


def test_an_unknown_shell_is_refused(refused):
    assert refused("completion", "tcsh") == (
        "Invalid value for 'SHELL': 'tcsh' is not one of 'bash', 'zsh', 'fish'."
    )
