"""caprese known."""

from typing import Any

import click

from caprese._core.checks import number, whole
from caprese._core.progress import progress_bars
from caprese.cli.computing import fitted, takes_jobs, takes_seed, tell_of_judgement
from caprese.cli.options.data import curates_data, load
from caprese.cli.options.declaring import Checked
from caprese.cli.options.methods import MethodCommand, takes_method
from caprese.cli.options.outputs import PICTURES, OutputFile, takes_output
from caprese.cli.options.recipes import method_of
from caprese.cli.printing import prints_json, say, terminal_style, terminal_width
from caprese.recipe.parts import DOCUMENT


@click.command(cls=MethodCommand, short_help="Find out which orders of events are known.")
@curates_data
@takes_method(None, "Only what one method says,")
@click.option(
    "--threshold",
    type=Checked(number, 0.5, 1),
    show_default="0.7",
    help="Least probability of an order that is known.",
)
@click.option(
    "--budget",
    metavar="TIME",
    help="How long all fits of the judgement may take on one core, such as 60s or 2m, as in "
    "`caprese judge`.  [default: 60s]",
)
@click.option("--folds", type=Checked(whole, 2), default=5, show_default=True, help="Folds.")
@takes_seed
@takes_jobs
@takes_output(
    OutputFile(DOCUMENT, *PICTURES, holds="known"),
    multiple=True,
    help="Also write to FILE: .json for all numbers; .svg, .png or .pdf for a picture. May be "
    "given several times.",
)
@prints_json
def known(
    threshold: float | None,
    jobs: int | None,
    output: tuple[str, ...],
    as_json: bool,
    **given: Any,
) -> None:
    """Find out which orders of events are known, over several models.

    First judges all methods that the budget allows, as `caprese judge` does, and prints the
    verdict: where no order is supported, none is known. An order is known if its probability is at
    least the threshold, over all models that state orders, each by how well it predicts; and if no
    models with a fifth of the weight say the opposite. Prints these orders with what the direction
    of each rests on, the events whose place is not known, and what the models disagree on. They are
    those of `caprese report`; with --method, those of one method.

    \b
    Examples:
      caprese known ovarian
      caprese known ovarian -m bayes
      caprese known tumours.csv -o known.svg -o known.json
      caprese known tumours.csv --threshold 0.9
    """
    from caprese.io.documents import document_text
    from caprese.recipe.formats import formats_of, write_files
    from caprese.recipe.parts import Judging
    from caprese.recipe.recipe import Recipe
    from caprese.recipe.results import Results, judgement_of_report, known_of
    from caprese.text.columns import separated
    from caprese.text.inspection import log_lines
    from caprese.text.known import known_lines

    loaded, method = load(given), method_of(click.get_current_context())
    curated, asked = loaded.curated(), Judging.among(given)
    fit = None if method is None else fitted(method, curated)
    recipe = Recipe(source=loaded.source, method=method, judge=asked)
    found = Results(recipe, loaded.reading, curated, fit=fit)
    with progress_bars():
        judgement = judgement_of_report(found, jobs=jobs, announce=tell_of_judgement)
        limit = {} if threshold is None else {"threshold": threshold}
        orders = known_of(found, judgement, jobs=jobs, **limit)
    write_files((output, formats_of(orders)))
    if as_json:
        say(document_text(orders))
        return
    lines = known_lines(orders, terminal_style(), terminal_width())
    say(separated(lines, log_lines(curated.log)))
