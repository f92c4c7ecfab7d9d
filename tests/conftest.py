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


# Files whose tests start processes, draw pictures or sum over everything: `make test` runs them,
# `make quick` does not.
SLOW = {
    "app/test_downloads.py",
    "app/test_server.py",
    "assessment/test_bootstrap.py",
    "assessment/test_held_out.py",
    "browser/test_patients.py",
    "browser/test_app.py",
    "browser/test_report.py",
    "cli/test_completion.py",
    "cli/test_cost.py",
    "cli/test_effects.py",
    "cli/test_help.py",
    "cli/test_judge.py",
    "cli/test_outputs.py",
    "cli/test_overwriting.py",
    "cli/test_patients.py",
    "cli/test_plot.py",
    "cli/test_posterior.py",
    "cli/test_report.py",
    "cli/test_terminal.py",
    "cli/test_usage_errors.py",
    "contract/test_added_methods.py",
    "contract/test_every_kind.py",
    "contract/test_methods.py",
    "contract/test_own_models.py",
    "core/test_packed.py",
    "data/test_curation.py",
    "data/test_scores.py",
    "fitting/test_forest_ascent.py",
    "fitting/test_forest_em.py",
    "fitting/test_forest_messages.py",
    "fitting/test_forest_sampler.py",
    "fitting/test_recovery.py",
    "fitting/test_shrinkage_choice.py",
    "fuzz/test_fuzz.py",
    "io/data/test_tables.py",
    "io/graphs/test_deep_graphs.py",
    "io/graphs/test_graphs.py",
    "kernels/test_branching.py",
    "kernels/test_forest_ascent.py",
    "kernels/test_forest_sampler.py",
    "kernels/test_processors.py",
    "kernels/test_unordered_distance.py",
    "methods/test_bayes.py",
    "methods/test_hcbn.py",
    "methods/test_likelihood.py",
    "models/test_forest.py",
    "models/test_metrics.py",
    "models/test_noise.py",
    "models/test_noisy_forest.py",
    "models/test_posterior.py",
    "patients/test_survival.py",
    "plots/canvas/test_figures.py",
    "plots/heatmaps/test_heatmaps.py",
    "plots/layout/test_placement.py",
    "plots/patients/test_patients.py",
    "plots/progression/test_drawing.py",
    "plots/progression/test_posterior.py",
    "plots/test_judgement.py",
    "plots/test_pictures.py",
    "plots/test_survival.py",
    "properties/test_invariance.py",
    "properties/test_paper.py",
    "reference/test_bootstraps.py",
    "report/test_analysis.py",
    "report/test_content.py",
    "report/test_downloads.py",
    "report/test_page.py",
    "report/test_patients.py",
    "report/test_posterior.py",
    "studies/test_beyond.py",
    "studies/test_studies.py",
    "test_documentation.py",
    "test_examples.py",
    "text/test_columns.py",
    "text/test_facts.py",
    "text/test_fits.py",
}


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


def pytest_addoption(parser):
    parser.addoption("--quick", action="store_true", help="leave out the slow files")


def pytest_ignore_collect(collection_path, config):
    slow = any(collection_path.match(f"tests/{name}") for name in SLOW)
    return True if slow and config.getoption("--quick") else None
