"""Settings of hypothesis, and fixtures that run the command line.

Hypothesis tries the same cases every time; ``--hypothesis-profile=search`` tries new ones.
"""

import os
import re
from pathlib import Path

import pytest
from hypothesis import settings

from caprese import cli
from caprese._core.progress import listening

os.environ.pop("FORCE_COLOR", None)  # set on some servers that run tests

settings.register_profile(
    "repeatable", deadline=None, derandomize=True, database=None, max_examples=50
)
settings.register_profile("quick", deadline=None, derandomize=True, database=None, max_examples=10)
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
    """Run the command line with bad input; check that it prints one line, and return the line."""

    def runner(*arguments):
        code, out, err = run(*arguments)
        assert code == 2
        assert out == ""
        assert re.fullmatch(r"caprese: .*\n", err)
        return err.removeprefix("caprese: ").removesuffix("\n")

    return runner


@pytest.fixture
def interrupted():
    """Return a context in which Ctrl-C is pressed as soon as so many replicates are done."""

    def context(after):
        def interrupt(what, done, _total):
            if what == "replicates" and done >= after:
                raise KeyboardInterrupt

        return listening(interrupt)

    return context


def pytest_terminal_summary(terminalreporter):
    """Say loudly that the report was not tested in a browser."""
    skipped = [
        report
        for report in terminalreporter.stats.get("skipped", [])
        if "browser" in Path(report.fspath).parts
    ]
    if skipped:
        why = skipped[0].longrepr[2].removeprefix("Skipped: ")
        terminalreporter.section("THE REPORT WAS NOT TESTED IN A BROWSER", sep="!", red=True)
        terminalreporter.line(f"{len(skipped)} tests in tests/browser were skipped: {why}")
