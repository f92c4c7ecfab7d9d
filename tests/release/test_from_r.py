"""The page for users of R: its code is run, where R and the two packages are installed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from caprese import datasets, write_dataset

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "from-r.md"
PROGRAMS = Path(sys.executable).parent


def blocks():
    tokens = MarkdownIt("commonmark").parse(PAGE.read_text(encoding="utf-8"))
    return [token.content for token in tokens if token.type == "fence" and token.info == "r"]


def rscript(code, folder):
    environment = os.environ | {
        "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}",
        "RETICULATE_PYTHON": sys.executable,
    }
    command = ["Rscript", "--vanilla", "-e", code]
    settings = {"cwd": folder, "env": environment, "capture_output": True, "text": True}
    return subprocess.run(command, check=False, **settings)


@pytest.fixture
def folder(tmp_path):
    """A folder with the table that the page uses."""
    wanted = 'stopifnot(requireNamespace("jsonlite"), requireNamespace("reticulate"))'
    if shutil.which("Rscript") is None or rscript(wanted, tmp_path).returncode:
        pytest.skip("R, jsonlite and reticulate are not installed")
    write_dataset(datasets.ovarian(), tmp_path / "tumours.csv")
    return tmp_path


def test_the_code_of_the_page_runs(folder):
    *shell, python = blocks()
    assert len(shell) == 3
    checks = """
    stopifnot(fit$model$events[1] == "8q+", fit$model$parents[1] == -1)
    stopifnot(is.numeric(judged$gains$caprese$mean))
    stopifnot(nrow(edges) == 7, is.na(edges$parent[1]), edges$support >= 0, edges$support <= 1)
    stopifnot(nrow(patients) == 87, ncol(data) == 5, max(data) == 1)
    """
    done = rscript("\n".join([*shell, checks]), folder)
    assert done.returncode == 0, done.stderr
    done = rscript(python, folder)
    assert done.returncode == 0, done.stderr
    assert '"8q+ before 3q+"' in done.stdout
    assert "parent child support" in done.stdout
