"""caprese compare."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from caprese.cli.data import curates_data

if TYPE_CHECKING:
    from caprese.curation import Curated

_COMPARED = ("caprese", "caprese:shrinkage=0.01", "oncotree", "oncotree:search=branching")


@click.command()
@curates_data
@click.option(
    "-m",
    "--method",
    "methods",
    multiple=True,
    metavar="METHOD[:PARAMETER=VALUE]...",
    default=_COMPARED,
    show_default="caprese with two shrinkages, both kinds of oncotree",
    help="A method to compare; may be given several times.",
)
def compare(load: "Callable[[], Curated]", methods: tuple[str, ...]) -> None:
    """Fit several methods to the same data and print their answers side by side.

    Each event with its parent under each method, a star where it differs from the first; then how
    likely the data is under each forest seen through errors, with the likeliest error rates.

    \b
    Examples:
      caprese compare ovarian
      caprese compare tumours.csv -m caprese -m caprese:noise=estimate -m oncotree
    """
    from caprese.comparison import compare as compared
    from caprese.methods import parse_method
    from caprese.report.log_text import log_lines
    from caprese.report.side_by_side import comparison_lines

    try:
        chosen = [parse_method(text) for text in methods]
    except ValueError as error:
        raise click.UsageError(f"--method: {error}") from None
    curated = load()
    lines = comparison_lines(compared(chosen, curated.data))
    if curated.log:
        lines += ["", *log_lines(curated.log)]
    click.echo("\n".join(lines))
