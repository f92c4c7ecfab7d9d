"""The files that show the results of a recipe; each is what its command writes, byte for byte."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from caprese._core.checks import one_of
from caprese._core.files import replace_file
from caprese.errors import ParameterError
from caprese.io.data.frames import write_data
from caprese.io.documents import confidence_text, effects_text, judgement_text
from caprese.io.graphs.files import GRAPH_FORMATS, graph_text
from caprese.io.json.fits import encode_method, fit_text
from caprese.io.placements import placement_table, placement_text
from caprese.io.text.cells import frame_text
from caprese.methods.fit import order_of
from caprese.plots.canvas.figures import figure_bytes
from caprese.plots.curves import judgement_figure
from caprese.plots.oncoprint import oncoprint_figure
from caprese.plots.progression.comparison import comparison_figure
from caprese.plots.progression.drawing import progression_figure
from caprese.plots.survival import survival_figure
from caprese.recipe.parts import Bootstrap, Placing, Reporting
from caprese.recipe.recipe import Recipe, method_text
from caprese.recipe.results import Results, needs_bootstrap, without_names
from caprese.recipe.toml import recipe_text
from caprese.recipe.words import command, python_lines
from caprese.report.analysis import analyse, default_replicates
from caprese.report.page import patients_page, write_report

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Part = TypeVar("Part")

PICTURES = (".svg", ".png", ".pdf")
_DOCUMENT = ".json"
_TABLES = (".csv", ".tsv", ".txt")
_PAGES = (".html", ".htm")
_MODEL = (_DOCUMENT, *PICTURES, *GRAPH_FORMATS)

SUFFIXES: Mapping[str, tuple[str, ...]] = {
    "table": (*_TABLES, ".xlsx", ".parquet"),
    "oncoprint": PICTURES,
    "fit": _MODEL,
    "confidence": _MODEL,
    "comparison": PICTURES,
    "judgement": (_DOCUMENT, *PICTURES),
    "patients": (_DOCUMENT, *_TABLES, *_PAGES, *PICTURES),
    "tests": _TABLES,
    "report": _PAGES,
}
"""The suffixes that files of each kind can have."""


def check_files(recipe: Recipe) -> None:
    """Refuse files that could not be written, before anything is computed."""
    timed = recipe.patients is not None and recipe.patients.time is not None
    for kind, path in recipe.outputs.files():
        suffix = Path(path).suffix.lower()
        one_of(f"the suffix of {path}", suffix, SUFFIXES[kind])
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
        content = _content(found, kind, path)
        replace_file(path, content)


def _content(found: Results, kind: str, path: Path) -> bytes:
    suffix = Path(path).suffix.lower()
    if suffix in PICTURES:
        picture = "curves" if kind == "patients" else kind
        return figure_bytes(_FIGURES[picture](found), suffix[1:])
    guard: Any = {"guard_formulas": found.recipe.outputs.guard_formulas}
    delimiter = "," if suffix == ".csv" else "\t"
    match kind:
        case "fit" | "confidence":
            text = _model_text(found, kind, path, delimiter, guard)
        case "judgement":
            text = judgement_text(_there(found.judgement))
        case "tests":
            text = frame_text(_there(found.tests).table(), delimiter=delimiter, **guard)
        case _:
            text = _placement_text(found, suffix, delimiter, guard)
    return text.encode(errors="backslashreplace")


def _model_text(found: Results, kind: str, path: Path, delimiter: str, guard: Any) -> str:
    fit, document = _there(found.fit), Path(path).suffix.lower() == _DOCUMENT
    if kind == "fit":
        return fit_text(fit) if document else graph_text(fit, path, **guard)
    asked = found.recipe.bootstrap or Bootstrap()
    about: Any = {"method": encode_method(fit.method), "kind": asked.kind}
    if found.effects is not None:
        return (
            effects_text(found.effects, **about)
            if document
            else frame_text(found.effects.table(), delimiter=delimiter, **guard)
        )
    if document:
        return confidence_text(_there(found.confidence), **about, noise=asked.errors)
    return graph_text(fit, path, found.confidence, **guard)


def _placement_text(found: Results, suffix: str, delimiter: str, guard: Any) -> str:
    placed = _there(found.placement)
    if not (found.recipe.patients or Placing()).names:
        placed = placed.without_names()
    if suffix == _DOCUMENT:
        return placement_text(placed, {}, found.tests, found.curves)
    if suffix in _PAGES:
        shown: Any = {"title": found.recipe.source.title, "tests": found.tests}
        return patients_page(placed, _there(found.fit), curves=found.curves, **shown)
    return placement_table(placed, delimiter=delimiter, **guard)


def comparison_picture(found: Results) -> "Figure":
    """Return the two fits side by side."""
    fits = (_there(found.fit), _there(found.second_fit))
    first, second = (method_text(each.method) for each in fits)
    frequency = fits[0].counts.frequency
    return comparison_figure(*map(order_of, fits), titles=(first, second), frequency=frequency)


_FIGURES: Mapping[str, Callable[[Results], "Figure"]] = {
    "oncoprint": lambda found: oncoprint_figure(found.curated.data),
    "fit": lambda found: progression_figure(_there(found.fit)),
    "confidence": lambda found: progression_figure(_there(found.fit), found.confidence),
    "comparison": comparison_picture,
    "judgement": lambda found: judgement_figure(_there(found.judgement)),
    "curves": lambda found: survival_figure(_there(found.curves)),
}


def _write_report(found: Results, recipe: Recipe, path: Path) -> None:
    shown = recipe.report or Reporting()
    if not shown.names:
        found = without_names(found)
    fit, asked = _there(found.fit), recipe.bootstrap or Bootstrap()
    analysis = analyse(
        fit,
        found.curated.data,
        confidence=found.confidence if needs_bootstrap(fit) else None,
        annotation=found.annotation,
        replicates=asked.replicates or default_replicates(fit.method),
        seed=asked.seed,
    )
    write_report(analysis, path, title=shown.title or recipe.source.title, **repeating(recipe))


def repeating(recipe: Recipe) -> dict[str, str]:
    """Return how a file is repeated, as `write_report` takes it."""
    return {
        "command": command(recipe),
        "python": python_lines(recipe),
        "recipe": recipe_text(recipe),
    }


def _there(part: Part | None) -> Part:
    """Return a part of the results that the recipe asks for."""
    assert part is not None
    return part
