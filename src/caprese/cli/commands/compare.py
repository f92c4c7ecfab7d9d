"""caprese compare."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from caprese.cli.options.data import curates_data
from caprese.cli.options.methods import chosen_methods, takes_methods
from caprese.cli.printing import prints_json, say
from caprese.cli.sections import SectionCommand

if TYPE_CHECKING:
    from caprese.data.curation import Curated

_COMPARED = ("caprese", "caprese:shrinkage=0.01", "oncotree", "oncotree:search=branching")


@click.command(cls=SectionCommand, short_help="Compare the results of several methods.")
@curates_data
@takes_methods(
    _COMPARED,
    show_default="caprese with two shrinkages, oncotree with both searches",
    help="A method to compare. May be given several times.",
)
@prints_json
def compare(load: "Callable[[], Curated]", methods: tuple[str, ...], as_json: bool) -> None:
    """Fit several methods to the same data and print the results side by side.

    Prints the parent of each event under each method, with a star where it differs from the first
    method; then the log-likelihood of each model, observed with errors at the rates that fit best.

    \b
    Examples:
      caprese compare ovarian
      caprese compare tumours.csv -m caprese -m caprese:noise=estimate -m oncotree
      caprese compare tumours.csv -m caprese -m hcbn --json
    """
    from caprese._core.progress import progress_bars
    from caprese.assessment.comparison import compare as compared
    from caprese.io.documents import comparison_text
    from caprese.text.comparison import comparison_lines
    from caprese.text.curation import log_lines

    chosen = chosen_methods(methods)
    curated = load()
    with progress_bars():
        found = compared(chosen, curated.data)
    if as_json:
        say(comparison_text(found, curated.log))
        return
    log = ["", *log_lines(curated.log)] if curated.log else []
    say([*comparison_lines(found), *log])
