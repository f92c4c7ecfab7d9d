"""caprese report."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from caprese.cli.options.clinical import read_track
from caprese.cli.options.completion import files
from caprese.cli.options.data import curates_data
from caprese.cli.options.methods import (
    MethodCommand,
    fitted,
    takes_method,
)
from caprese.cli.options.outputs import OutputFile, takes_output
from caprese.cli.options.recipes import recipe_of, saves_recipe
from caprese.cli.options.replicates import bootstrapped, exit_if_interrupted, takes_replicates
from caprese.recipe.parts import PAGES

if TYPE_CHECKING:
    from caprese.data.curation import Curated


@click.command(cls=MethodCommand, short_help="Write a full report as one HTML file.")
@curates_data
@takes_method
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
@takes_output(OutputFile(*PAGES, one_format=True), required=True, help="File for the report, HTML.")
def report(
    load: "Callable[[], Curated]",
    replicates: int | None,
    seed: int,
    jobs: int | None,
    annotation: str | None,
    no_names: bool,
    title: str | None,
    output: str,
    **_method: Any,
) -> None:
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
    from caprese._core.progress import progress_bars
    from caprese._core.words import number_of
    from caprese.methods import name_of
    from caprese.methods.fit import OrderedFit
    from caprese.recipe.files import repeating
    from caprese.recipe.parts import Bootstrap
    from caprese.report.analysis import analyse, default_replicates, needs_no_bootstrap
    from caprese.report.page import write_report

    recipe = recipe_of(click.get_current_context())
    chosen = recipe.method
    assert chosen is not None  # the command has a default
    requested = default_replicates(chosen) if replicates is None else replicates
    curated = load()
    track = None if annotation is None else read_track(annotation, curated.data.samples)
    if no_names:
        track = track and track.renamed(curated.numbers())
        curated = curated.without_names()
    fit = fitted(chosen, curated, more=requested)
    settings: dict[str, Any] = {"replicates": requested, "seed": seed, "jobs": jobs}
    posterior = needs_no_bootstrap(fit)
    if posterior and replicates is not None:
        raise click.UsageError(
            f"--replicates is not for {name_of(chosen)}, which gives posterior probabilities: "
            "no bootstrap is needed"
        )
    resampled = isinstance(fit, OrderedFit) and not posterior
    confidence = bootstrapped(fit, curated.data, **settings) if resampled else None
    with progress_bars():
        found = analyse(fit, curated.data, confidence=confidence, annotation=track, **settings)
    done = requested if confidence is None else confidence.replicates
    if done < requested:
        recipe = replace(recipe, bootstrap=Bootstrap(replicates=done, seed=seed))
    write_report(found, output, title=title or recipe.source.title, **repeating(recipe))
    events = number_of(len(found.data.events), "event")
    click.echo(f"{output}: {', '.join(filter(None, (events, found.size)))}")
    exit_if_interrupted(done, requested)
