"""How hypothesis runs, and how the command line is run.

Hypothesis draws the same cases every time; ``--hypothesis-profile=search`` for new ones.
"""

import os
import re

import pytest
from hypothesis import settings

from caprese import cli

os.environ.pop("FORCE_COLOR", None)  # set by some machines that run tests

settings.register_profile(
    "repeatable", deadline=None, derandomize=True, database=None, max_examples=50
)
settings.register_profile("search", deadline=None, max_examples=2000)
settings.load_profile("repeatable")


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Run the command line in an empty folder; return exit code, standard output and error."""
    monkeypatch.chdir(tmp_path)

    def runner(*arguments):
        try:
            cli.main(list(arguments))
            code = 0
        except SystemExit as leaving:
            code = leaving.code
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return runner


@pytest.fixture
def refused(run):
    """Run the command line; return the one line it says, having checked that it is one."""

    def runner(*arguments):
        code, out, err = run(*arguments)
        assert code == 2
        assert out == ""
        assert re.fullmatch(r"caprese: .*\n", err)
        return err.removeprefix("caprese: ").removesuffix("\n")

    return runner
