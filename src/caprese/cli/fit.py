"""caprese fit, caprese show."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from caprese.cli.data import curates_data, file_name
from caprese.cli.methods import METHOD_HELP, MethodCommand, chosen_method

if TYPE_CHECKING:
    from caprese.curation import Curated


@click.command(cls=MethodCommand)
@curates_data
@click.option("--method", default="caprese", show_default=True, help=METHOD_HELP)
@click.option(
    "-o",
    "--output",
    callback=file_name,
    metavar="FILE",
    help="Also write the fit to FILE, as JSON.",
)
def fit(
    load: "Callable[[], Curated]", method: str, output: str | None, **options: str | None
) -> None:
    """Infer a progression and print it as a tree.

    Each event stands under its parent, with the share of samples that carry it, its probability
    once the parent has occurred, its score, and why it stands there. What was done to the data
    before is said below.

    \b
    Examples:
      caprese fit ovarian
      caprese fit tumours.csv --shrinkage 0.01 -o model.json
      caprese fit tumours.csv --method oncotree --noise estimate
      caprese fit tumours.csv --top 10 --method hcbn --restarts 10
      caprese fit cohort.maf.gz --top 15 --shrinkage auto
      caprese fit acml --merge "ASXL1=ASXL1 indel,ASXL1 nonsense"
    """
    from caprese.io.fits import write_fit
    from caprese.progress import watched
    from caprese.report.terminal import fit_lines

    chosen = chosen_method(method, options)
    curated = load()
    with watched("searches"):
        result = replace(chosen.fit(curated.data), log=curated.log)
    if output is not None:
        write_fit(result, output)
    click.echo("\n".join(fit_lines(result)))


@click.command()
@click.argument("model")
def show(model: str) -> None:
    """Print a fit written by `caprese fit -o`.

    \b
    Example:
      caprese show model.json
    """
    from caprese.io.fits import read_fit
    from caprese.report.terminal import fit_lines

    click.echo("\n".join(fit_lines(read_fit(model))))
