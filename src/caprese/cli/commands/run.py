"""caprese run."""

from collections.abc import Iterator
from contextlib import chdir
from itertools import groupby
from operator import itemgetter
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
    files, the fit is printed. RECIPE may also be an analysis that the live page saved with its
    data, a zip archive: it is unpacked into a folder beside it, and its files are written there.

    \b
    Examples:
      caprese run analysis.toml
    """
    from caprese.recipe.saved import is_zip, unpack_analysis
    from caprese.recipe.words import RECIPE

    if is_zip(recipe):
        unpacked = Path(recipe).with_suffix("" if Path(recipe).suffix else ".files")
        unpack_analysis(recipe, unpacked)
        remark(f"{recipe}: unpacked into the folder {unpacked}")
        recipe = str(unpacked / RECIPE)
    found = caprese.read_recipe(recipe)
    folder = Path(recipe).parent / found.folder
    if not folder.is_dir():
        raise click.UsageError(f"{recipe}, folder: there is no folder {folder}")
    others = [str(Path(recipe).absolute()), *_inputs(found)]
    with chdir(folder):
        _run(found, recipe, others)


def _run(recipe: "caprese.Recipe", name: str, others: list[Any]) -> None:
    from caprese.recipe.files import check_files, write_kind
    from caprese.recipe.parts import Judging
    from caprese.recipe.results import begun, candidates_of, results
    from caprese.recipe.toml import in_recipe
    from caprese.text.columns import separated
    from caprese.text.directions import direction_lines
    from caprese.text.fits import fit_lines

    outputs = recipe.outputs.files()
    with in_recipe(name, "outputs"):
        check_files(recipe)
    named = [(f"{name}, [outputs] {kind}:", path, kind) for kind, path in outputs]
    for option, path, _ in named:
        check_place(path, option)
    refuse_overwriting(click.get_current_context(), named, others)
    with in_recipe(name, "judge", "methods"):
        if recipe.outputs.judgement:
            candidates_of(recipe.judge or Judging())
    with progress_bars():
        with in_recipe(name, "source"):
            found = begun(recipe)
        for option, path, kind in named:
            if kind == "table":
                refuse_other_table(option, path, found.curated.data)
        found = results(found)
        with all_or_none():
            for kind, files in groupby(outputs, key=itemgetter(0)):
                write_kind(found, kind, [path for _, path in files])
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
