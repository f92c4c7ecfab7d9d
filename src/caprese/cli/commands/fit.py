"""caprese fit."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from caprese._core.environment import INTERRUPTED
from caprese.cli.options.data import curates_data
from caprese.cli.options.methods import MethodCommand, chosen_method, fitted_so_far, takes_method
from caprese.cli.options.outputs import writes_files
from caprese.cli.options.recipes import saves_recipe
from caprese.cli.printing import prints_json, say, terminal_style, terminal_width

if TYPE_CHECKING:
    from caprese.data.curation import Curated


@click.command(cls=MethodCommand, short_help="Infer a progression.")
@curates_data
@takes_method
@writes_files("the fit")
@saves_recipe
@prints_json
def fit(
    load: "Callable[[], Curated]",
    method: str,
    output: tuple[str, ...],
    guard_formulas: bool,
    as_json: bool,
    **options: str | None,
) -> None:
    """Infer a progression and print it as a tree.

    Each event is printed below its parent, with its frequency, its probability given the parent,
    its score, and the reason for this parent. A log of the curation follows. With -m bayes,
    Ctrl-C ends the sampling, and the posterior of the draws done so far is printed.

    \b
    Examples:
      caprese fit ovarian
      caprese fit tumours.csv --shrinkage 0.01 -o model.json
      caprese fit tumours.csv -o model.json -o tree.svg -o tree.graphml
      caprese fit tumours.csv --method oncotree --noise estimate
      caprese fit tumours.csv --top 10 -o model.json --save-recipe analysis.toml
      caprese fit tumours.csv --top 10 --method hcbn --restarts 10
      caprese fit cohort.maf.gz --top 15 --shrinkage auto
      caprese fit acml --merge "ASXL1=ASXL1 indel,ASXL1 nonsense"
    """
    from caprese.io.json.fits import fit_text
    from caprese.methods import describe
    from caprese.text.fits import fit_lines

    chosen = chosen_method(method, options)
    found, interrupted = fitted_so_far(chosen, load())
    if output:
        from caprese.recipe.formats import formats_of, write_files

        write_files((output, formats_of(found, guard_formulas=guard_formulas)))
    say(fit_text(found) if as_json else fit_lines(found, None, terminal_style(), terminal_width()))
    if interrupted:
        click.echo(
            f"caprese: interrupted; the answer is that of {describe(found.method)}", err=True
        )
        sys.exit(INTERRUPTED)
