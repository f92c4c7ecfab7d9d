"""The files that a page offers, and how to repeat them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from caprese.app.views import html
from caprese.io.graphs.files import GRAPH_FORMATS
from caprese.methods.caprese import Caprese
from caprese.methods.fit import OrderedFit
from caprese.recipe.parts import KINDS, PICTURES, Outputs
from caprese.recipe.recipe import Recipe
from caprese.recipe.results import Results
from caprese.recipe.saved import ANALYSIS
from caprese.recipe.words import RECIPE, command, python_lines


@dataclass(frozen=True)
class File:
    """A file that can be downloaded, and what it holds, as in `Outputs`; or the recipe itself."""

    name: str
    kind: str
    about: str


_FIRST = ("report.html", "tree.svg", "model.json", "table.csv", ANALYSIS)  # that most users want
_WHOLE = File(RECIPE, "recipe", "the whole analysis, to write all these files again")
_SAVED = File(ANALYSIS, "analysis", "the analysis with its data: drop it on this page to go on")


def offered(found: Results) -> list[File]:
    """Return the files that there are, given what was done."""
    return [_SAVED, *_files(found), _WHOLE]


def _files(found: Results) -> Iterator[File]:
    if found.fit is not None:
        yield File("report.html", "report", "the whole report, one page that needs no network")
        yield File("model.json", "fit", "the fit, for caprese show and caprese patients")
    if isinstance(found.fit, OrderedFit):
        yield from _drawings("fit" if found.confidence is None else "confidence")
    if found.confidence is not None:
        yield File("confidence.json", "confidence", "the support of every edge")
    if found.second_fit is not None:
        yield File("comparison.svg", "comparison", "the two methods side by side")
    if found.judgement is not None:
        yield File("judgement.json", "judgement", "the held-out predictions")
        yield File("judgement.svg", "judgement", "the gains of the methods as a picture")
    if found.placement is not None:
        yield File("patients.csv", "patients", "where each sample stands, as a table")
        yield File("patients.json", "patients", "where each sample stands, everything")
        yield File("patients.html", "patients", "where each sample stands, as a page")
    if found.tests is not None:
        yield File("tests.csv", "tests", "the tests against the clinical table")
    for suffix in () if found.curves is None else PICTURES:
        yield File(f"survival{suffix}", "patients", "the survival of the groups as a picture")
    yield File("table.csv", "table", "the curated data")
    yield File("oncoprint.svg", "oncoprint", "the curated data as a picture")


def _drawings(kind: str) -> Iterator[File]:
    for suffix in PICTURES:
        yield File(f"tree{suffix}", kind, "the progression as a picture")
    suffixes: dict[str, str] = {}  # the first of each format
    for suffix, form in GRAPH_FORMATS.items():
        suffixes.setdefault(form.about, suffix)
    yield from (File(f"tree{suffix}", kind, about) for about, suffix in suffixes.items())


def as_offered(found: Results, kind: str) -> Results:
    """Return the results for a file: a report leads with the answer unless a method was chosen.

    It was, too, if samples are placed in its fit.
    """
    if kind != "report" or found.recipe.method != Caprese() or found.placement is not None:
        return found
    return replace(found, recipe=replace(found.recipe, method=None))


def whole_recipe(found: Results) -> Recipe:
    """Return the recipe of all files that are offered."""
    files = [(file.kind, file.name) for file in _files(found)]
    outputs: Any = {kind: tuple(name for each, name in files if each == kind) for kind in KINDS}
    return replace(as_offered(found, "report").recipe, outputs=Outputs(**outputs))


def files_view(found: Results) -> str:
    """Return the files, each with the command that writes it, and the lines of Python."""
    recipes = {file: as_offered(found, file.kind).recipe for file in _files(found)}
    files = [(file, command(own.only_for(file.kind, file.name))) for file, own in recipes.items()]
    files.append((_WHOLE, f"caprese run {RECIPE}"))
    files.append((_SAVED, f"caprese run {ANALYSIS}"))
    first = [each for each in files if each[0].name in _FIRST]
    others = [each for each in files if each not in first]
    return html("files", first=first, others=others, python=python_lines(found.recipe))
