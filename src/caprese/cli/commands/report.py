"""caprese report."""

from dataclasses import replace
from typing import Any

import click

import caprese
from caprese._core.progress import progress_bars
from caprese._core.words import number_of
from caprese.cli.computing import bootstrapped, exit_if_interrupted, fitted, takes_replicates
from caprese.cli.options.clinical import read_track
from caprese.cli.options.completion import files
from caprese.cli.options.data import curates_data, load
from caprese.cli.options.methods import MethodCommand, takes_method
from caprese.cli.options.outputs import OutputFile, takes_output
from caprese.cli.options.recipes import recipe_of, saves_recipe
from caprese.recipe.parts import PAGES, Bootstrap


@click.command(cls=MethodCommand, short_help="Write a full report as one HTML file.")
@curates_data
@takes_method()
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
    """Write a full report on a progression as one HTML file.

    It has a summary in words, the data, the progression with its support, every edge with its
    tests, the uncertainty, the results of other methods, the error rates, where each sample
    stands, and how to repeat the analysis. The file opens in any browser and needs no network. The
    same command gives the same file.

    \b
    Examples:
      caprese report ovarian -o report.html
      caprese report tumours.csv --top 15 --title "Ovarian cancer, our cohort" -o report.html
      caprese report tumours.csv --method oncotree --replicates 10000 -o report.html
      caprese report tumours.csv --annotation clinical.csv:stage --no-names -o report.html
    """
    from caprese.methods import name_of
    from caprese.recipe.files import repeating
    from caprese.recipe.results import needs_bootstrap
    from caprese.report.analysis import default_replicates, needs_no_bootstrap

    recipe = recipe_of(click.get_current_context())
    chosen = recipe.method
    assert chosen is not None  # the command has a default
    requested = given["replicates"] or default_replicates(chosen)
    curated = load(given).curated()
    track = None if annotation is None else read_track(annotation, curated.data.samples)
    if no_names:
        track = track and track.renamed(curated.numbers())
        curated = curated.without_names()
    fit = fitted(chosen, curated, more=requested)
    settings = {"replicates": requested, "seed": given["seed"], "jobs": given["jobs"]}
    if needs_no_bootstrap(fit) and given["replicates"] is not None:
        raise click.UsageError(
            f"--replicates is not for {name_of(chosen)}, which gives posterior probabilities: "
            "no bootstrap is needed"
        )
    confidence = bootstrapped(fit, curated.data, **settings) if needs_bootstrap(fit) else None
    with progress_bars():
        found = caprese.analyse(
            fit, curated.data, confidence=confidence, annotation=track, **settings
        )
    done = requested if confidence is None else confidence.replicates
    if done < requested:
        recipe = replace(recipe, bootstrap=Bootstrap(replicates=done, seed=given["seed"]))
    caprese.write_report(
        found, output, title=given["title"] or recipe.source.title, **repeating(recipe)
    )
    events = number_of(len(found.data.events), "event")
    click.echo(f"{output}: {', '.join(filter(None, (events, found.size)))}")
    exit_if_interrupted(done, requested)
