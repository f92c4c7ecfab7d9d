"""caprese report."""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from caprese.cli.options.annotations import read_track
from caprese.cli.options.completion import files
from caprese.cli.options.data import curates_data
from caprese.cli.options.methods import (
    MethodCommand,
    chosen_method,
    fitted,
    takes_method,
)
from caprese.cli.options.outputs import checked_page, takes_output
from caprese.cli.options.replicates import bootstrapped, exit_if_interrupted, takes_replicates

if TYPE_CHECKING:
    from caprese.data.curation import Curated

_ARGUMENTS = "caprese.report.arguments"


class RecordedCommand(MethodCommand):
    """A command that keeps its arguments, so that the report can show how to repeat it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the arguments as they were before parsing."""
        ctx.meta[_ARGUMENTS] = tuple(args)
        return super().parse_args(ctx, args)


@click.command(cls=RecordedCommand, short_help="Write a full report as one HTML file.")
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
@takes_output(callback=checked_page, required=True, help="File for the report, HTML.")
def report(
    load: "Callable[[], Curated]",
    method: str,
    replicates: int | None,
    seed: int,
    jobs: int | None,
    annotation: str | None,
    no_names: bool,
    title: str | None,
    output: str,
    **options: str | None,
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
    from caprese.report.analysis import analyse, default_replicates, needs_no_bootstrap
    from caprese.report.page import write_report

    ctx = click.get_current_context()
    chosen = chosen_method(method, options)
    given = ctx.get_parameter_source("seed") is click.core.ParameterSource.COMMANDLINE
    if given and "seed=" not in method and "seed" in {field.name for field in fields(chosen)}:
        chosen = chosen_method(method, {**options, "seed": str(seed)})
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
    arguments = ctx.meta[_ARGUMENTS]
    if done < requested:
        arguments = [*_without("--replicates", arguments), "--replicates", str(done)]
    command = shlex.join(["caprese", "report", *arguments])
    write_report(found, output, title=title or _name(ctx.params["data"]), command=command)
    events = number_of(len(found.data.events), "event")
    click.echo(f"{output}: {', '.join(filter(None, (events, found.size)))}")
    exit_if_interrupted(done, requested)


def _without(option: str, arguments: Sequence[str]) -> list[str]:
    """Return arguments without an option and its value, which may be one word or two."""
    two_words = [place for place, word in enumerate(arguments) if word == option]
    omitted = {place + more for place in two_words for more in (0, 1)}
    return [
        word
        for place, word in enumerate(arguments)
        if place not in omitted and not word.startswith(f"{option}=")
    ]


def _name(data: str) -> str:
    return "Standard input" if data == "-" else Path(data).name or data
