"""The files that a page offers; each is what its command line writes, byte for byte."""

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from caprese.app.pictures import comparison_picture
from caprese.app.repeating import PICTURES, arguments
from caprese.app.shelf import Shelf
from caprese.io.data.tables import write_dataset
from caprese.io.graphs.files import GRAPH_FORMATS, graph_text
from caprese.io.json.fits import encode_method, fit_text
from caprese.io.json.results import confidence_text, judgement_text
from caprese.io.placements import placement_table, placement_text
from caprese.io.text.cells import frame_text
from caprese.methods.fit import OrderedFit
from caprese.plots.canvas.figures import figure_bytes
from caprese.plots.judgement import judgement_figure
from caprese.plots.oncoprint.drawing import oncoprint_figure
from caprese.plots.progression.drawing import progression_figure
from caprese.plots.survival import survival_figure
from caprese.report.analysis import analyse, default_replicates
from caprese.report.page import patients_page, write_report

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class File:
    """A file that can be taken away."""

    name: str
    about: str


def offered(shelf: Shelf) -> list[File]:
    """Return the files that there are, given what was done."""
    return list(_files(shelf))


def _files(shelf: Shelf) -> Iterator[File]:
    if not shelf.has("curated"):
        return
    if shelf.has("fit"):
        yield File("report.html", "the whole report, one page that needs no network")
        yield File("model.json", "the fit, for caprese show and caprese patients")
        if isinstance(shelf.fit, OrderedFit):
            for suffix in PICTURES:
                yield File(f"tree{suffix}", "the progression as a picture")
            suffixes: dict[str, str] = {}  # the first of each format
            for suffix, form in GRAPH_FORMATS.items():
                suffixes.setdefault(form.about, suffix)
            for words, suffix in suffixes.items():
                yield File(f"tree{suffix}", words)
    if shelf.has("confidence"):
        yield File("confidence.json", "the support of every edge")
    if shelf.has("other"):
        yield File("comparison.svg", "the two methods side by side")
    if shelf.has("judgement"):
        yield File("judgement.json", "the held-out predictions")
        yield File("judgement.svg", "the gains of the methods as a picture")
    if shelf.has("placement"):
        yield File("patients.csv", "where each sample stands, as a table")
        yield File("patients.json", "where each sample stands, everything")
        yield File("patients.html", "where each sample stands, as a page")
    if shelf.has("tests"):
        yield File("tests.csv", "the tests against the clinical table")
    if shelf.has("survival"):
        for suffix in PICTURES:
            yield File(f"survival{suffix}", "the survival of the groups as a picture")
    yield File("table.csv", "the curated data")
    yield File("oncoprint.svg", "the curated data as a picture")


def write_file(shelf: Shelf, name: str, folder: Path) -> None:
    """Write one of the files that are offered."""
    if name in _WHOLE:
        _WHOLE[name](shelf, folder / name)
    else:
        (folder / name).write_bytes(_content(shelf, name))


def _content(shelf: Shelf, name: str) -> bytes:
    stem, suffix = Path(name).stem, Path(name).suffix
    if suffix in PICTURES:
        return figure_bytes(_FIGURES[stem](shelf), suffix[1:])
    if name in _TEXTS:
        return _TEXTS[name](shelf).encode(errors="backslashreplace")
    return graph_text(shelf.fit, name, shelf.confidence).encode()


def _comparison(shelf: Shelf) -> "Figure":
    choices = shelf.choices
    assert choices.method is not None and choices.other is not None  # noqa: PT018
    return comparison_picture((shelf.fit, shelf.other), (choices.method, choices.other))


def _confidence(shelf: Shelf) -> str:
    assert shelf.confidence is not None  # it is offered only then
    about = {"method": encode_method(shelf.fit.method), "kind": "nonparametric", "noise": None}
    return confidence_text(shelf.confidence, **about)


def _patients(shelf: Shelf) -> str:
    compared: dict[str, Any] = {"tests": shelf.tests, "curves": shelf.survival}
    return patients_page(shelf.placement, shelf.fit, title=_title(shelf), **compared)


def _tests(shelf: Shelf) -> str:
    assert shelf.tests is not None  # it is offered only then
    return frame_text(shelf.tests.table())


def _survival(shelf: Shelf) -> "Figure":
    assert shelf.survival is not None  # it is offered only then
    return survival_figure(shelf.survival)


def _title(shelf: Shelf) -> str:
    name = shelf.choices.source.name
    return Path(name).name or name


def _report(shelf: Shelf, path: Path) -> None:
    choices, confidence, fit = shelf.choices, shelf.confidence, shelf.fit
    replicates = default_replicates(fit.method) if confidence is None else confidence.replicates
    seed = choices.seed if confidence is not None else 1
    found = analyse(
        fit,
        shelf.curated.data,
        confidence=confidence,
        annotation=shelf.annotation,
        replicates=replicates,
        seed=seed,
    )
    command = shlex.join(arguments(choices, path.name))
    write_report(found, path, title=_title(shelf), command=command)


_FIGURES: dict[str, Callable[[Shelf], "Figure"]] = {
    "tree": lambda shelf: progression_figure(shelf.fit, shelf.confidence),
    "oncoprint": lambda shelf: oncoprint_figure(shelf.curated.data),
    "comparison": _comparison,
    "judgement": lambda shelf: judgement_figure(shelf.judgement),
    "survival": _survival,
}
_TEXTS: dict[str, Callable[[Shelf], str]] = {
    "model.json": lambda shelf: fit_text(shelf.fit),
    "confidence.json": _confidence,
    "judgement.json": lambda shelf: judgement_text(shelf.judgement),
    "patients.csv": lambda shelf: placement_table(shelf.placement, delimiter=","),
    "patients.json": lambda shelf: placement_text(shelf.placement, {}, shelf.tests, shelf.survival),
    "patients.html": _patients,
    "tests.csv": _tests,
}
_WHOLE: dict[str, Callable[[Shelf, Path], None]] = {
    "report.html": _report,
    "table.csv": lambda shelf, path: write_dataset(shelf.curated.data, path),
}
