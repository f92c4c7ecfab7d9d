"""Results as HTML: a report as a page that loads nothing, and a fit as a notebook shows it."""

import csv
import io
from base64 import b64encode
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from caprese._core.checks import instance
from caprese._core.files import MARK, FilePath, replace_file
from caprese._core.words import number_of, visible
from caprese.io.data.annotations import Annotation
from caprese.methods.fit import Fit, OrderedFit
from caprese.models.base import EffectsModel
from caprese.patients.groups import Associations
from caprese.patients.place import Placement
from caprese.patients.survival import Survival
from caprese.plots.canvas.figures import figure_bytes
from caprese.plots.heatmaps import effects_figure
from caprese.plots.progression.drawing import progression_figure
from caprese.report.analysis import Analysis
from caprese.report.arrangement import rows_of
from caprese.report.content import Block, Report, Sure, Table, terms_in
from caprese.report.glossary import GLOSSARY
from caprese.report.pictures import drawn
from caprese.report.sections import report_content
from caprese.report.sections.model import events_table
from caprese.report.sections.patients import Patients, patients_section
from caprese.text.fits import fit_title
from caprese.text.sentences import Cell, Event, Number, plain, text_of

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATES = Path(__file__).parent / "templates"
_LONGEST_TITLE = 200
_MOST_CARDS = 200
_TYPES = {"csv": "text/csv", "json": "application/json", "toml": "application/toml"}
_MOST_EVENTS = 60  # up to which the picture is drawn; and rows of the table


def write_report(
    analysis: Analysis,
    path: FilePath,
    *,
    title: str = "",
    command: str = "",
    python: str = "",
    recipe: str = "",
) -> None:
    """Write a report as one HTML file, which needs no other file and no network.

    An existing file is replaced only when the new one is complete. The same analysis gives the
    same bytes.

    Parameters
    ----------
    analysis
        The result of `analyse`.
    path
        The file to write.
    title
        The title; by default the number of events.
    command
        The command that reproduces the report, if there is one.
    python, recipe
        Lines of Python that give the same fit, and the recipe of the analysis as TOML.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from caprese.data.datasets import acml
    >>> from caprese.methods import Caprese
    >>> from caprese.report.analysis import analyse
    >>> found = analyse(Caprese(), acml(), replicates=50, budget=1)
    >>> with TemporaryDirectory() as folder:
    ...     write_report(found, Path(folder, "report.html"))
    ...     Path(folder, "report.html").read_text()[:15]
    '<!doctype html>'
    """
    instance("analysis", analysis, Analysis, "the result of analyse(fit, data)")
    repeating = {"command": command, "python": python, "recipe": recipe}
    page = report_page(report_content(analysis, title=title, **repeating))
    replace_file(path, page)


def patients_page(
    placement: Placement,
    fit: Fit[Any, Any],
    *,
    title: str = "",
    annotation: Annotation | None = None,
    tests: Associations | None = None,
    curves: Survival | None = None,
) -> str:
    """Return a page about where samples stand, as HTML: one file that needs no network.

    It has the section on patients of a report, and all about each of the first 200 samples, which
    is shown when a sample is chosen. Of more than 500 samples, the least typical ones are listed.
    The title is by default the number of samples; an annotation is by the names of the placement;
    tests and curves compare the samples with a clinical table.

    Examples
    --------
    >>> from caprese import Caprese, datasets, place
    >>> fit = Caprese().fit(datasets.acml())
    >>> patients_page(place(fit, datasets.acml()), fit)[:15]
    '<!doctype html>'
    """
    found = Patients(placement, fit, annotation, tests, curves)
    section = patients_section(found, found.rows[:_MOST_CARDS])
    report = Report(
        title or f"Where {number_of(len(placement.samples), 'sample')} stand",
        f"Placed by {fit_title(fit)}",
        (section,),
        kind="Samples in a progression",
    )
    return report_page(report)


def report_page(report: Report, *, style: str = "", script: str = "") -> str:
    """Return a report as HTML, with styles and a script beyond those of all reports."""
    environment = template_environment(_TEMPLATES)
    script = (_TEMPLATES / "report.js").read_text("utf-8") + script
    used = set(terms_in(report))
    return environment.get_template("report.html.j2").render(
        report=report,
        folding=True,
        mark=MARK,
        title=visible(report.title, _LONGEST_TITLE),
        glossary={key: text for key, text in GLOSSARY.items() if key in used},
        style=(_TEMPLATES / "report.css").read_text("utf-8") + style,
        script=script,
        script_digest=b64encode(sha256(script.encode()).digest()).decode(),
    )


def blocks_html(blocks: Sequence[Block]) -> str:
    """Return blocks as a part of a page, which needs the glossary for its terms."""
    environment = template_environment(_TEMPLATES)
    return environment.get_template("fragment.html.j2").render(
        given=blocks, glossary=GLOSSARY, folding=False
    )


@cache
def template_environment(folder: Path) -> "Environment":
    """Return the templates in a folder, of the report or of the page."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "kind": lambda block: type(block).__name__.lower(),
        "plain": plain,
        "address": address,
        "csv_text": csv_text,
        "drawn": drawn,
        "rows_of": rows_of,
        "sureness": tuple(Sure),
    }
    return environment


def address(name: str, text: str) -> str:
    """Return an address that holds a file of this name."""
    kind = _TYPES[name.rpartition(".")[2]]
    return f"data:{kind};charset=utf-8;base64,{b64encode(text.encode()).decode()}"


def csv_text(table: Table) -> str:
    """Return a table as CSV: numbers with all their digits, their intervals in columns beside."""
    titles = [plain((title,)) for title in table.columns]
    head = [(title, f"{title} interval") for title in titles]
    rows = [[_with_interval(cell) for cell in row] for row in table.rows]
    wide = {column for row in rows for column, (_, interval) in enumerate(row) if interval}
    written = io.StringIO(newline="")
    writer = csv.writer(written, lineterminator="\n")
    for row in (head, *rows):
        cells = (pair if column in wide else pair[:1] for column, pair in enumerate(row))
        writer.writerow(chain.from_iterable(cells))
    return written.getvalue()


def _with_interval(cell: Cell) -> tuple[str, str]:
    """Return a cell with names in full, and the interval of a number."""
    if isinstance(cell, Number):
        return "" if cell.value is None else repr(cell.value), cell.aside
    full = (piece.full or piece.shown if isinstance(piece, Event) else piece for piece in cell)
    return plain(tuple(full)), ""


def fit_html(fit: Fit[Any, Any]) -> str:
    """Return the picture of a fit, of its edges or effects if it has any, and its table as HTML.

    The picture is an image and not an SVG element, so that several outputs of a notebook cannot
    interfere with each other.
    """
    return f"<p>{escape(fit_title(fit))}</p>{_picture(fit)}{_table(fit)}"


def _picture(fit: Fit[Any, Any]) -> str:
    if len(fit.model.events) > _MOST_EVENTS:
        return ""
    if isinstance(fit, OrderedFit):
        figure, about = progression_figure(fit), "The inferred progression"
    elif isinstance(fit.model, EffectsModel):
        figure, about = effects_figure(fit.model), "The effects of events on each other"
    else:
        return ""
    content = b64encode(figure_bytes(figure, "svg")).decode()
    return f'<img alt="{about}" src="data:image/svg+xml;base64,{content}">'


def _table(fit: Fit[Any, Any]) -> str:
    """Return one row for each event, as text only."""
    table = events_table(fit)
    titles = [plain((title,)) for title in table.columns]
    body = "".join(_row(map(text_of, row), "td") for row in table.rows[:_MOST_EVENTS])
    more = len(table.rows) - _MOST_EVENTS
    last = f"<p>{more} more</p>" if more > 0 else ""
    return f"<table><thead>{_row(titles, 'th')}</thead><tbody>{body}</tbody></table>{last}"


def _row(cells: Iterable[str], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"
