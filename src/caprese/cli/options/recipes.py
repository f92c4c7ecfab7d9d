"""--save-recipe: what a command does, as a recipe."""

import os
from collections.abc import Callable
from dataclasses import fields, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from caprese.cli.options.data import curation_of, source_of
from caprese.cli.options.methods import chosen_method
from caprese.cli.options.outputs import OutputFile

if TYPE_CHECKING:
    from caprese.methods.fit import Method
    from caprese.recipe.recipe import Recipe

Command = Callable[..., Any]


def saves_recipe(command: Command) -> Command:
    """Give a command the option --save-recipe."""

    @wraps(command)
    def wrapped(save_recipe: str | None, **given: Any) -> Any:
        command(**given)
        if save_recipe is not None:
            _save(recipe_of(click.get_current_context()), save_recipe)

    return click.option(
        "--save-recipe",
        type=OutputFile(".toml"),
        help="Also write the whole analysis to FILE, .toml, for `caprese run`.",
    )(wrapped)


def _save(recipe: "Recipe", path: str) -> None:
    from caprese.recipe.toml import write_recipe

    folder = os.path.relpath(os.curdir, Path(path).parent)
    write_recipe(replace(recipe, folder="" if folder == os.curdir else folder), path)


def recipe_of(ctx: click.Context) -> "Recipe":
    """Return the recipe of what a command was asked for."""
    from caprese.recipe.parts import (
        Bootstrap,
        Judging,
        Outputs,
        Placing,
        Reporting,
        split_column,
    )
    from caprese.recipe.recipe import Recipe
    from caprese.recipe.words import COMMANDS

    given = ctx.params
    kind = next(kind for kind, words in COMMANDS.items() if words == (ctx.info_name,))
    if given.get("fit_file"):
        raise click.UsageError("--save-recipe is for a method; --fit is fitted already")
    named = given | {"names": not given.get("no_names", False)}
    if kind == "report" and given["annotation"]:
        named["annotation"], named["column"] = split_column(given["annotation"])

    def part(made: Any) -> Any:
        return made(**{each.name: named[each.name] for each in fields(made) if each.name in named})

    files = {kind: given["output"], "tests": (given["tests"] or ()) if kind == "patients" else ()}
    return Recipe(
        source=source_of(given),
        curation=curation_of(given),
        method=_method(ctx) if "method" in given else None,
        bootstrap=part(Bootstrap) if kind in ("confidence", "report") else None,
        judge=part(Judging) if kind == "judgement" else None,
        patients=part(Placing) if kind == "patients" else None,
        report=part(Reporting) if kind == "report" else None,
        outputs=Outputs(**files, guard_formulas=given.get("guard_formulas", False)),
    )


def _method(ctx: click.Context) -> "Method":
    """Return the method; of a report, with the seed of the report unless it has one of its own."""
    from caprese.methods import METHODS

    given, own = ctx.params, {parameter.name for parameter in ctx.command.params}
    declared = {each.name for method in METHODS.values() for each in fields(method)} - own
    method = chosen_method(given["method"], {name: given.get(name) for name in declared})
    typed = ctx.get_parameter_source("seed") is click.core.ParameterSource.COMMANDLINE
    has_seed = "seed" in {each.name for each in fields(method)} and "seed=" not in given["method"]
    if ctx.info_name == "report" and typed and has_seed:
        return replace(method, seed=given["seed"])
    return method
