"""The files that show the results of a recipe; each is what its command writes, byte for byte."""

from collections.abc import Mapping, Sequence
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
    report_formats,
    support_formats,
    write_files,
)
from caprese.recipe.parts import PICTURES, Bootstrap, Placing, Reporting, ending_of
from caprese.recipe.recipe import HELD, Recipe
from caprese.recipe.results import (
    Results,
    analysed,
    compared_in_report,
    judgement_of_report,
    needed,
    outlooks,
    without_names,
)
from caprese.recipe.toml import recipe_text
from caprese.recipe.words import command, python_lines
from caprese.report.analysis import Analysis
from caprese.report.page import report_page
from caprese.report.sections import report_content

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def check_files(recipe: Recipe) -> None:
    """Refuse files that could not be written, before anything is computed."""
    if recipe.second_method is not None and not recipe.outputs.comparison:
        raise ParameterError("comparison", "given if there is a second_method", None)
    taken: dict[Path, str] = {}
    timed = recipe.patients is not None and recipe.patients.time is not None
    for kind, path in recipe.outputs.files():
        suffix, known = ending_of(path), HELD[kind].suffixes
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


def write_kind(found: Results, kind: str, files: Sequence[str], folder: str = "") -> None:
    """Write files that hold the same, in a folder; each replaces an existing one when complete."""
    paths = {str(Path(folder, file)): file for file in files}
    if kind == "table":
        for path in paths:
            write_data(found.curated.data, path, guard_formulas=found.recipe.outputs.guard_formulas)
        return
    formats = _report_formats(found, paths) if kind == "report" else _formats(found, kind)
    write_files((list(paths), formats))


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
    placed, asked = needed(found.placement), found.recipe.patients or Placing()
    if not asked.names:
        placed = placed.without_names()
    compared = (found.tests, found.curves, outlooks(asked, placed, found.placed_in))
    title = found.recipe.source.title
    return placement_formats(placed, found.placed_in, *compared, title=title, orders={}, **guard)


def comparison_picture(found: Results) -> "Figure":
    """Return the two fits side by side."""
    fits = (needed(found.fit), needed(found.second_fit))
    first, second = (method_text(each.method) for each in fits)
    frequency = fits[0].counts.frequency
    return comparison_figure(*map(order_of, fits), titles=(first, second), frequency=frequency)


def _report_formats(found: Results, files: Mapping[str, str]) -> Formats:
    return formats_of_report(report_analysis(found), found.recipe, files)


def report_analysis(found: Results, jobs: int | None = None) -> Analysis:
    """Return all that the report of a recipe says, with samples named by numbers if it says so."""
    found = compared_in_report(found)
    if not (found.recipe.report or Reporting()).names:
        found = without_names(found)
    return analysed(found, judgement_of_report(found, jobs=jobs), jobs)


def formats_of_report(analysis: Analysis, recipe: Recipe, files: Mapping[str, str]) -> Formats:
    """Return the formats of a report, given by path what a recipe calls each file.

    A page says how it alone is repeated.
    """

    def page(path: str) -> str:
        return page_of_report(analysis, recipe.only_for("report", files[path]))

    return report_formats(page, analysis.answer)


def page_of_report(analysis: Analysis, recipe: Recipe) -> str:
    """Return the page of a report, by the recipe of this report alone."""
    title = (recipe.report or Reporting()).title or recipe.source.title
    return report_page(report_content(analysis, title=title, **repeating(recipe)))


def repeating(recipe: Recipe) -> dict[str, str]:
    """Return how a file is repeated, as `write_report` takes it."""
    return {
        "command": command(recipe),
        "python": python_lines(recipe),
        "recipe": recipe_text(recipe),
    }
