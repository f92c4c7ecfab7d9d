"""caprese fit."""

from typing import Any

import click

from caprese.cli.computing import exit_interrupted, fitted_so_far
from caprese.cli.options.data import curates_data, load
from caprese.cli.options.methods import MethodCommand, chosen_method, takes_method
from caprese.cli.options.outputs import writes_files
from caprese.cli.options.recipes import saves_recipe
from caprese.cli.printing import prints_json, say, terminal_style, terminal_width


@click.command(cls=MethodCommand, short_help="Infer a progression.")
@curates_data
@takes_method()
@writes_files("the fit", "fit")
@saves_recipe
@prints_json
def fit(output: tuple[str, ...], guard_formulas: bool, as_json: bool, **given: Any) -> None:
    """Infer a progression and print it as a tree.

    Prints each event below its parent, with its frequency, its probability given the parent, its
    score, and why it has this parent; then what directions rest on, warnings, and the log of the
    curation. With -m bayes, Ctrl-C keeps the draws so far.

    \b
    Examples:
      caprese fit ovarian
      caprese fit tumours.csv -o model.json -o tree.svg -o tree.graphml
      caprese fit tumours.csv --method oncotree --noise estimate
      caprese fit tumours.csv --top 10 -o model.json --save-recipe analysis.toml
      caprese fit tumours.csv --shrinkage 0.01 -o model.json
      caprese fit cohort.maf.gz --top 15 --shrinkage auto
      caprese fit tumours.csv -m mhn --orders orders.csv
      caprese fit acml --merge "ASXL1=ASXL1 indel,ASXL1 nonsense"
    """
    from caprese.data.inspection import inspect
    from caprese.io.documents import document_text
    from caprese.methods import describe
    from caprese.text.columns import separated
    from caprese.text.directions import direction_lines
    from caprese.text.fits import fit_lines
    from caprese.text.inspection import warning_lines

    chosen = chosen_method(given)
    curated = load(given).curated()
    found, interrupted = fitted_so_far(chosen, curated)
    if output:
        from caprese.recipe.formats import formats_of, write_files

        write_files((output, formats_of(found, guard_formulas=guard_formulas)))
    if as_json:
        say(document_text(found))
    else:
        style = terminal_style()
        lines = fit_lines(found, None, style, terminal_width())
        say(separated(lines, direction_lines(found), warning_lines(inspect(curated.data), style)))
    if interrupted:
        exit_interrupted(f"; the answer is that of {describe(found.method)}")
