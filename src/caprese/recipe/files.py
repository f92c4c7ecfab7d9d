"""The files that show the results of a recipe; each is what its command writes, byte for byte."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from caprese._core.words import nearest
from caprese.errors import ParameterError
from caprese.io.data.frames import write_data
from caprese.methods import method_text
from caprese.methods.fit import order_of
from caprese.plots import comparison_figure, oncoprint_figure
from caprese.recipe.formats import (
    Formats,
    formats_of,
    frame_tables,
    pictures,
    placement_formats,
    support_formats,
    write_files,
)
from caprese.recipe.parts import PICTURES, Bootstrap, Placing, Reporting
from caprese.recipe.recipe import HELD, Recipe
from caprese.recipe.results import (
    Results,
    analysed,
    judgement_of_report,
    needed,
    without_names,
)
from caprese.recipe.toml import recipe_text
from caprese.recipe.words import command, python_lines
from caprese.report.page import write_report

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def check_files(recipe: Recipe) -> None:
    """Refuse files that could not be written, before anything is computed."""
    if recipe.second_method is not None and not recipe.outputs.comparison:
        raise ParameterError("comparison", "given if there is a second_method", None)
    taken: dict[Path, str] = {}
    timed = recipe.patients is not None and recipe.patients.time is not None
    for kind, path in recipe.outputs.files():
        suffix, known = Path(path).suffix.lower(), HELD[kind].suffixes
        if suffix not in known:
            rule = f"a file that ends in one of {', '.join(known)}"
            raise ParameterError(kind, rule, path, meant=nearest(suffix, known))
        place = Path(path).resolve()
        if place in taken:
            rule = "given once" if taken[place] == kind else f"another file than {taken[place]}"
            raise ParameterError(kind, rule, path)
        taken[place] = kind
        if kind == "patients" and suffix in PICTURES and not timed:
            raise ParameterError("patients", "no picture without time and status", path)


def write_file(found: Results, kind: str, file: str, folder: str = "") -> None:
    """Write a file in a folder; an existing one is replaced when the new one is complete."""
    path = Path(folder, file)
    if kind == "report":
        _write_report(found, found.recipe.only_for(kind, file), path)
    elif kind == "table":
        write_data(found.curated.data, path, guard_formulas=found.recipe.outputs.guard_formulas)
    else:
        write_files(([str(path)], _formats(found, kind)))


def _formats(found: Results, kind: str) -> Formats:
    guard: Any = {"guard_formulas": found.recipe.outputs.guard_formulas}
    match kind:
        case "oncoprint":
            return pictures(lambda: oncoprint_figure(found.curated.data))
        case "comparison":
            return pictures(lambda: comparison_picture(found))
        case "fit":
            return formats_of(needed(found.fit), **guard)
        case "confidence":
            asked = found.recipe.bootstrap or Bootstrap()
            counted = found.effects or needed(found.confidence)
            return support_formats(needed(found.fit), counted, asked, **guard)
        case "judgement":
            return formats_of(needed(found.judgement))
        case "tests":
            return frame_tables(found.tests, **guard)
        case _:
            return _placement_formats(found, guard)


def _placement_formats(found: Results, guard: Any) -> Formats:
    placed = needed(found.placement)
    if not (found.recipe.patients or Placing()).names:
        placed = placed.without_names()
    compared = (found.tests, found.curves)
    title = found.recipe.source.title
    return placement_formats(placed, found.placed_in, *compared, title=title, orders={}, **guard)


def comparison_picture(found: Results) -> "Figure":
    """Return the two fits side by side."""
    fits = (needed(found.fit), needed(found.second_fit))
    first, second = (method_text(each.method) for each in fits)
    frequency = fits[0].counts.frequency
    return comparison_figure(*map(order_of, fits), titles=(first, second), frequency=frequency)


def _write_report(found: Results, recipe: Recipe, path: Path) -> None:
    shown = recipe.report or Reporting()
    if not shown.names:
        found = without_names(found)
    found = replace(found, recipe=recipe)
    analysis = analysed(found, judgement_of_report(found))
    write_report(analysis, path, title=shown.title or recipe.source.title, **repeating(recipe))


def repeating(recipe: Recipe) -> dict[str, str]:
    """Return how a file is repeated, as `write_report` takes it."""
    return {
        "command": command(recipe),
        "python": python_lines(recipe),
        "recipe": recipe_text(recipe),
    }
