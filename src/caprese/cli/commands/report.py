"""caprese report."""

from dataclasses import replace
from typing import Any

import click

from caprese._core.checks import whole
from caprese._core.files import MULTIQC
from caprese._core.progress import progress_bars
from caprese._core.words import duration, number_of
from caprese.cli.computing import (
    bootstrapped,
    exit_if_interrupted,
    fitted,
    takes_replicates,
    tell_of_judgement,
)
from caprese.cli.options.clinical import (
    ask_for_follow_up,
    check_curves_of,
    read_track,
    takes_clinical_table,
)
from caprese.cli.options.completion import files
from caprese.cli.options.data import curates_data, load
from caprese.cli.options.declaring import Checked
from caprese.cli.options.methods import MethodCommand, takes_method
from caprese.cli.options.outputs import OutputFile, takes_output
from caprese.cli.options.recipes import recipe_of, saves_recipe
from caprese.cli.printing import remark, say, terminal_style
from caprese.recipe.parts import PAGES, Bootstrap

_LONG = 5  # seconds that are said beforehand


@click.command(cls=MethodCommand, short_help="Write a full report as one HTML file.")
@curates_data
@takes_method(None, "Lead with one method,")
@click.option(
    "--budget",
    metavar="TIME",
    help="How long all fits of the judgement may take on one core, such as 60s or 2m, as in "
    "`caprese judge`; methods that take longer are left out, and named.  [default: 60s]",
)
@click.option("--folds", type=Checked(whole, 2), default=5, show_default=True, help="Folds.")
@takes_replicates(None, "Number of bootstrap replicates; by default 1000, or 100 for slow methods.")
@click.option(
    "--annotation",
    metavar="FILE[:COLUMN]",
    shell_complete=files,
    help="A table of samples and their categories, such as stages: of two columns, or with the "
    "title of the column to take.",
)
@click.option(
    "--groups",
    metavar="FILE:COLUMN",
    shell_complete=files,
    help="Also compare the order of events between groups of samples, as `caprese compare --by`.",
)
@click.option("--no-names", is_flag=True, help="Replace the names of samples by numbers.")
@click.option("--title", help="Title of the report; by default the name of the data.")
@takes_clinical_table
@saves_recipe
@takes_output(
    OutputFile(*PAGES, *MULTIQC, holds="report", one_format=True),
    multiple=True,
    required=True,
    help="File for the report, HTML; or _mqc.json or _mqc.tsv for MultiQC. May be given several "
    "times.",
)
def report(output: tuple[str, ...], annotation: str | None, no_names: bool, **given: Any) -> None:
    """Write a full report as one HTML file.

    It begins with the verdict of all methods that the budget allows, as `caprese judge` gives it,
    and with what they know together of the order of events. Below it are the tree of CAPRESE with
    its support, every edge with its tests, what each method infers, the data, the error rates,
    where each sample stands, and how to repeat the analysis. With --method, it leads with that
    method, beside what the judgement says of it. The file opens in any browser and needs no
    network. The same command gives the same file.

    \b
    Examples:
      caprese report ovarian -o report.html
      caprese report tumours.csv --top 15 --title "Ovarian cancer, our cohort" -o report.html
      caprese report tumours.csv --budget 10m -o report.html
      caprese report tumours.csv -o report.html -o tumours_mqc.json
      caprese report tumours.csv --method oncotree --replicates 10000 -o report.html
      caprese report tumours.csv --annotation clinical.csv:stage --no-names -o report.html
      caprese report tumours.csv --groups clinical.csv:stage -o report.html
      caprese report tumours.csv --clinical clinical.csv --time MONTHS --status STATUS -o r.html
    """
    from caprese.methods import name_of
    from caprese.methods.caprese import Caprese
    from caprese.recipe.files import formats_of_report
    from caprese.recipe.formats import write_files
    from caprese.recipe.results import (
        Results,
        analysed,
        compared_in_report,
        judgement_of_report,
        needs_bootstrap,
        numbered,
    )
    from caprese.report.analysis import default_replicates, needs_no_bootstrap
    from caprese.text.answer import answer_lines

    check_curves_of(given, "clinical")
    recipe = recipe_of(click.get_current_context())
    chosen = recipe.method or Caprese()
    requested = given["replicates"] or default_replicates(chosen)
    loaded = load(given)
    curated = loaded.curated()
    track = None if annotation is None else read_track(annotation, curated.data.samples)
    plain = curated.without_names() if no_names else curated
    fit = fitted(chosen, plain, more=requested)
    if needs_no_bootstrap(fit) and given["replicates"] is not None:
        raise click.UsageError(
            f"--replicates is not for {name_of(chosen)}, which gives posterior probabilities: "
            "no bootstrap is needed"
        )
    found = Results(recipe, loaded.reading, curated, fit=fit, annotation=track)
    with progress_bars():
        found = compared_in_report(found)
        ask_for_follow_up(found.tests, found.curves)
        found = numbered(found) if no_names else found
        judgement = judgement_of_report(found, jobs=given["jobs"], announce=tell_of_judgement)
    settings = {"replicates": requested, "seed": given["seed"], "jobs": given["jobs"]}
    confidence = bootstrapped(fit, plain.data, **settings) if needs_bootstrap(fit) else None
    done = requested if confidence is None else confidence.replicates
    asked = (
        recipe
        if done == requested
        else replace(recipe, bootstrap=Bootstrap(replicates=done, seed=given["seed"]))
    )
    found = replace(found, confidence=confidence)
    with progress_bars():
        analysis = analysed(found, judgement, given["jobs"], _tell_of_plan)
    write_files((output, formats_of_report(analysis, asked, {path: path for path in output})))
    if analysis.answer is not None:
        say([*answer_lines(analysis.answer, terminal_style()), ""])
    events = number_of(len(analysis.data.events), "event")
    for path in output:
        click.echo(f"{path}: {', '.join(filter(None, (events, analysis.size)))}")
    exit_if_interrupted(done, requested)


def _tell_of_plan(seconds: float) -> None:
    """Say on standard error how long the simulations of a plan will take, if long."""
    if seconds > _LONG:
        remark(f"simulating how many samples would decide will take about {duration(seconds)}")
