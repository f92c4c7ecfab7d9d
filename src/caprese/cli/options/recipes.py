"""--save-recipe: what a command does, as a recipe."""

import os
from dataclasses import fields, replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

import caprese
from caprese.cli.options.data import curation_of, source_of
from caprese.cli.options.declaring import Command
from caprese.cli.options.methods import chosen_method, parameters_in, placing_method
from caprese.cli.options.outputs import OutputFile
from caprese.recipe.parts import Bootstrap, Judging, Outputs, Placing, Reporting, split_column

_PARTS: dict[str, Any] = {
    "bootstrap": Bootstrap,
    "judge": Judging,
    "patients": Placing,
    "report": Reporting,
}
_WITH_SEED = ("report", "known")  # commands of which the seed is also that of the method


def saves_recipe(command: Command) -> Command:
    """Give a command the option --save-recipe."""

    @wraps(command)
    def wrapped(save_recipe: str | None, **given: Any) -> Any:
        ctx = click.get_current_context()
        if save_recipe is not None:
            if "-" in (given["data"], given["orders"], given["patients"]):
                raise click.UsageError(
                    "--save-recipe needs files: standard input is read only once"
                )
            recipe_of(ctx)  # refused before any computation
        command(**given)
        if save_recipe is not None:
            _save(recipe_of(ctx), save_recipe)

    return click.option(
        "--save-recipe",
        type=OutputFile(".toml", holds="recipe"),
        help="Also write the whole analysis to FILE, .toml, for `caprese run`.",
    )(wrapped)


def _save(recipe: "caprese.Recipe", path: str) -> None:
    folder = os.path.relpath(os.curdir, Path(path).parent)
    caprese.write_recipe(replace(recipe, folder="" if folder == os.curdir else folder), path)


def recipe_of(ctx: click.Context) -> "caprese.Recipe":
    """Return the recipe of what a command was asked for."""
    from caprese.recipe.recipe import HELD

    given = ctx.params
    kind = next(kind for kind, held in HELD.items() if held.command == ctx.info_name)
    if given.get("fit_file"):
        raise click.UsageError("--save-recipe is for a method; --fit is fitted already")
    named = given | {"names": not given.get("no_names", False)}
    if kind == "patients" and given["method"] is not None:
        named["noise"] = None  # a parameter of the method
    if kind == "report" and given["annotation"]:
        named["annotation"], named["column"] = split_column(given["annotation"])
    files = {kind: given["output"], "tests": (given["tests"] or ()) if kind == "patients" else ()}
    return caprese.Recipe(
        source=source_of(given),
        curation=curation_of(given),
        method=_method(ctx, kind) if "method" in given else None,
        **{name: part.among(named) for name, part in _PARTS.items() if name in HELD[kind].parts},
        outputs=Outputs(**files, guard_formulas=given.get("guard_formulas", False)),
    )


def _method(ctx: click.Context, kind: str) -> "caprese.extend.Method | None":
    return placing_method(ctx.params) if kind == "patients" else method_of(ctx)


def method_of(ctx: click.Context) -> "caprese.extend.Method | None":
    """Return the method; of a report, with the seed of the report unless it has one of its own.

    None if none is chosen, neither by its name nor by parameters.
    """
    given = ctx.params
    if given["method"] is None and not parameters_in(given):
        return None
    method = chosen_method(given)
    typed = ctx.get_parameter_source("seed") is click.core.ParameterSource.COMMANDLINE
    has_seed = "seed" in {each.name for each in fields(method)} and "seed=" not in (
        given["method"] or ""
    )
    if ctx.info_name in _WITH_SEED and typed and has_seed:
        return replace(method, seed=given["seed"])
    return method
