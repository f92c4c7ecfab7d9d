"""caprese report."""

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from caprese.cli.commands.completion import files
from caprese.cli.options.data import curates_data
from caprese.cli.options.methods import MethodCommand, chosen_method, takes_method
from caprese.cli.options.outputs import page_to_write
from caprese.cli.options.replicates import draws_replicates, end_if_interrupted

if TYPE_CHECKING:
    from caprese.data.curation import Curated

_ARGUMENTS = "caprese.report.arguments"


class RememberingCommand(MethodCommand):
    """A command that knows the words it was called with."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the words before they are parsed."""
        ctx.meta[_ARGUMENTS] = tuple(args)
        return super().parse_args(ctx, args)


@click.command(cls=RememberingCommand, short_help="Write everything into one page to pass on.")
@curates_data
@takes_method
@draws_replicates(
    None, "How often to draw the data anew; 1000 if not told, 100 for methods that take their time."
)
@click.option("--title", help="Title of the report; the name of the data if not told.")
@click.option(
    "-o",
    "--output",
    callback=page_to_write,
    metavar="FILE",
    required=True,
    shell_complete=files,
    help="Where to write the report, an HTML file.",
)
def report(
    load: "Callable[[], Curated]",
    method: str,
    replicates: int | None,
    seed: int,
    jobs: int | None,
    title: str | None,
    output: str,
    **options: str | None,
) -> None:
    """Write all that can be said of a progression into one HTML file.

    The answer in words, the data, the progression with its support, every edge with its tests,
    what is not certain, what other methods say, the rates of errors, and how to repeat it. The file
    opens in any browser, needs no network, and is the same for the same command.

    \b
    Examples:
      caprese report ovarian -o report.html
      caprese report tumours.csv --top 15 --title "Ovarian cancer, our cohort" -o report.html
      caprese report tumours.csv --method oncotree --replicates 10000 -o report.html
    """
    from caprese._core.progress import progress_bars
    from caprese._core.words import number_of
    from caprese.report.analysis import OrderedAnalysis, analyse, default_replicates
    from caprese.report.page import write_report

    ctx = click.get_current_context()
    chosen = chosen_method(method, options)
    wanted = default_replicates(chosen) if replicates is None else replicates
    curated = load()
    with progress_bars():
        found = analyse(
            chosen, curated.data, log=curated.log, replicates=wanted, seed=seed, jobs=jobs
        )
    words = list(ctx.meta[_ARGUMENTS])
    done = found.confidence.replicates if isinstance(found, OrderedAnalysis) else wanted
    if done < wanted:  # of an option given twice, the last counts
        words += ["--replicates", str(done)]
    command = shlex.join(["caprese", "report", *words])
    write_report(found, output, title=title or _name(ctx.params["data"]), command=command)
    events = number_of(len(found.data.events), "event")
    click.echo(f"{output}: {events}, {number_of(done, 'replicate')}")
    end_if_interrupted(done, wanted)


def _name(data: str) -> str:
    return "Standard input" if data == "-" else Path(data).name or data
