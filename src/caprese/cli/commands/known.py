"""caprese known."""

from typing import Any

import click

import caprese
from caprese._core.checks import number
from caprese.cli.computing import fitted
from caprese.cli.options.data import curates_data, load
from caprese.cli.options.declaring import Checked
from caprese.cli.options.methods import MethodCommand, chosen_method, takes_method
from caprese.cli.options.outputs import PICTURES, OutputFile, takes_output
from caprese.cli.printing import prints_json, say, terminal_style, terminal_width
from caprese.recipe.parts import DOCUMENT


@click.command(cls=MethodCommand, short_help="Find out which orders of events are known.")
@curates_data
@takes_method("stack")
@click.option(
    "--threshold",
    type=Checked(number, 0.5, 1),
    show_default="0.7",
    help="Least probability of an order that is known.",
)
@takes_output(
    OutputFile(DOCUMENT, *PICTURES, holds="known"),
    multiple=True,
    help="Also write to FILE: .json for all numbers; .svg, .png or .pdf for a picture. May be "
    "given several times.",
)
@prints_json
def known(threshold: float | None, output: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """Find out which orders of events are known, over several models.

    An order is known if its probability is at least the threshold, over all models that state
    orders, each by how well it predicts; and if no models with a fifth of the weight say the
    opposite. Prints these orders with what the direction of each rests on, the events whose place
    is not known, and what the models disagree on.

    \b
    Examples:
      caprese known ovarian -m bayes
      caprese known tumours.csv -o known.svg -o known.json
      caprese known tumours.csv --threshold 0.9
    """
    from caprese.io.documents import document_text
    from caprese.recipe.formats import formats_of, write_files
    from caprese.text.columns import separated
    from caprese.text.inspection import log_lines
    from caprese.text.known import known_lines

    chosen = chosen_method(given)
    fit = fitted(chosen, load(given).curated())
    found = caprese.known_orders(fit, **({} if threshold is None else {"threshold": threshold}))
    write_files((output, formats_of(found)))
    if as_json:
        say(document_text(found))
        return
    say(separated(known_lines(found, terminal_style(), terminal_width()), log_lines(fit.log)))
