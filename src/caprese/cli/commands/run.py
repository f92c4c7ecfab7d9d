"""caprese run."""

from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import click

import caprese
from caprese._core.files import all_or_none
from caprese._core.progress import progress_bars
from caprese.cli.options.completion import files
from caprese.cli.options.outputs import check_place, takes_force
from caprese.cli.options.overwriting import refuse_other_table, refuse_overwriting
from caprese.cli.printing import remark, say, terminal_style, terminal_width
from caprese.cli.sections import SectionCommand


@click.command(cls=SectionCommand, short_help="Repeat an analysis from its recipe.")
@click.argument("recipe", shell_complete=files)
@takes_force
def run(recipe: str) -> None:
    """Do the analysis that a recipe describes, and write its files.

    RECIPE is a TOML file, written by hand, by --save-recipe of another command, or by the live
    page. It names the data, the curation, the method and its parameters, all seeds, and the files
    to write, so the same recipe gives the same files. Paths are relative to the recipe. Without
    files, the fit is printed.

    \b
    Examples:
      caprese run analysis.toml
    """
    found = caprese.read_recipe(recipe)
    with chdir(Path(recipe).parent / found.folder):
        _run(found, Path(recipe).name)


def _run(recipe: "caprese.Recipe", name: str) -> None:
    from caprese.recipe.files import check_files, write_file
    from caprese.recipe.results import begun, results
    from caprese.text.columns import separated
    from caprese.text.directions import direction_lines
    from caprese.text.fits import fit_lines

    outputs = recipe.outputs.files()
    check_files(recipe)
    named = [(f"{name}, [outputs] {kind}:", path, kind) for kind, path in outputs]
    for option, path, _ in named:
        check_place(path, option)
    refuse_overwriting(click.get_current_context(), named, [name, *_inputs(recipe)])
    with progress_bars():
        found = begun(recipe)
        for option, path, kind in named:
            if kind == "table":
                refuse_other_table(option, path, found.curated.data)
        found = results(found)
        with all_or_none():
            for kind, path in outputs:
                write_file(found, kind, path)
    for doubt in found.reading.doubts:
        remark(str(doubt))
    if not outputs and found.fit is not None:
        lines = fit_lines(found.fit, None, terminal_style(), terminal_width())
        say(separated(lines, direction_lines(found.fit)))
    for _, path in outputs:
        click.echo(path)


def _inputs(recipe: "caprese.Recipe") -> Iterator[Any]:
    yield from vars(recipe.source).values()
    yield from (*recipe.source.options.values(), *recipe.source.orders_options.values())
    for part in (recipe.judge, recipe.patients, recipe.report):
        yield from () if part is None else vars(part).values()
