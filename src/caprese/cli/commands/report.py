"""caprese report."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

import caprese
from caprese._core.checks import whole
from caprese._core.progress import progress_bars
from caprese._core.words import duration, number_of
from caprese.cli.computing import bootstrapped, exit_if_interrupted, fitted, takes_replicates
from caprese.cli.options.clinical import read_track
from caprese.cli.options.completion import files
from caprese.cli.options.data import curates_data, load
from caprese.cli.options.declaring import Checked
from caprese.cli.options.methods import MethodCommand, takes_method
from caprese.cli.options.outputs import OutputFile, takes_output
from caprese.cli.options.recipes import recipe_of, saves_recipe
from caprese.cli.printing import remark, say, terminal_style
from caprese.recipe.parts import PAGES, Bootstrap

if TYPE_CHECKING:
    from caprese.assessment.referee import Choice

_LONG = 20  # seconds that are said beforehand


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
@click.option("--no-names", is_flag=True, help="Replace the names of samples by numbers.")
@click.option("--title", help="Title of the report; by default the name of the data.")
@saves_recipe
@takes_output(
    OutputFile(*PAGES, holds="report", one_format=True),
    required=True,
    help="File for the report, HTML.",
)
def report(output: str, annotation: str | None, no_names: bool, **given: Any) -> None:
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
      caprese report tumours.csv --method oncotree --replicates 10000 -o report.html
      caprese report tumours.csv --annotation clinical.csv:stage --no-names -o report.html
    """
    from caprese.methods import name_of
    from caprese.methods.caprese import Caprese
    from caprese.recipe.files import repeating
    from caprese.recipe.results import Results, analysed, judgement_of_report, needs_bootstrap
    from caprese.report.analysis import default_replicates, needs_no_bootstrap
    from caprese.text.answer import answer_lines

    recipe = recipe_of(click.get_current_context())
    chosen = recipe.method or Caprese()
    requested = given["replicates"] or default_replicates(chosen)
    loaded = load(given)
    curated = loaded.curated()
    track = None if annotation is None else read_track(annotation, curated.data.samples)
    if no_names:
        track = track and track.renamed(curated.numbers())
        curated = curated.without_names()
    fit = fitted(chosen, curated, more=requested)
    if needs_no_bootstrap(fit) and given["replicates"] is not None:
        raise click.UsageError(
            f"--replicates is not for {name_of(chosen)}, which gives posterior probabilities: "
            "no bootstrap is needed"
        )
    found = Results(recipe, loaded.reading, curated, fit=fit, annotation=track)
    with progress_bars():
        judgement = judgement_of_report(found, jobs=given["jobs"], announce=_tell_time)
    settings = {"replicates": requested, "seed": given["seed"], "jobs": given["jobs"]}
    confidence = bootstrapped(fit, curated.data, **settings) if needs_bootstrap(fit) else None
    done = requested if confidence is None else confidence.replicates
    asked = (
        recipe
        if done == requested
        else replace(recipe, bootstrap=Bootstrap(replicates=done, seed=given["seed"]))
    )
    found = replace(found, confidence=confidence)
    with progress_bars():
        analysis = analysed(found, judgement, given["jobs"])
    caprese.write_report(
        analysis, output, title=given["title"] or recipe.source.title, **repeating(asked)
    )
    if analysis.answer is not None:
        say([*answer_lines(analysis.answer, terminal_style()), ""])
    events = number_of(len(analysis.data.events), "event")
    click.echo(f"{output}: {', '.join(filter(None, (events, analysis.size)))}")
    exit_if_interrupted(done, requested)


def _tell_time(choice: "Choice") -> None:
    """Say on standard error how long a judgement will take, if long."""
    if choice.seconds > _LONG:
        cost = f"about {duration(choice.seconds)} of one core"
        remark(f"judging {len(choice.judged)} methods will take {cost}")
