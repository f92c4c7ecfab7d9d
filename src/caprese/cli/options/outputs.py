"""-o: files in the format that the ending of the name tells, all of them or none."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from caprese._core.spelling import did_you_mean
from caprese.cli.commands.completion import files

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from caprese.assessment.confidence import Confidence
    from caprese.methods.base import Fit
    from caprese.models.base import Model, Order

Command = Callable[..., Any]

PICTURES = (".png", ".svg", ".pdf")
TABLES = (".csv", ".tsv", ".txt")
PAGES = (".html", ".htm")
_DOCUMENT = ".json"


def writes_files(what: str) -> Callable[[Command], Command]:
    """Give a command the option -o for JSON, graphs and pictures; it is called with `output`.

    Parameters
    ----------
    what
        What a JSON file holds, for the help.
    """
    return click.option(
        "-o",
        "--output",
        multiple=True,
        metavar="FILE",
        callback=_checked_files,
        shell_complete=files,
        help=f"Also write to FILE; its ending tells what: .json {what}; .svg, .png or .pdf a "
        "picture; .graphml, .gexf, .cyjs, .dot, .nwk or .csv a graph for other programs. May be "
        "given several times.",
    )


def writes_pictures(command: Command) -> Command:
    """Give a command the option -o for pictures, at least one; it is called with `output`."""
    return click.option(
        "-o",
        "--output",
        multiple=True,
        metavar="FILE",
        callback=_checked_pictures,
        shell_complete=files,
        help="Where to draw: a file that ends in .svg, .png or .pdf. May be given several times.",
    )(command)


def write_files(
    paths: Sequence[str],
    document: Callable[[], str],
    progression: "Fit[Any, Any] | Model | Order",
    confidence: "Confidence | None" = None,
) -> None:
    """Write a progression to files; nothing is written until all that will be is at hand.

    Parameters
    ----------
    document
        Gives the content of a JSON file.
    """

    def content(path: str) -> bytes:
        ending = _ending(path)
        if ending == _DOCUMENT:
            return document().encode()
        if ending in PICTURES:
            from caprese.plots import figure_bytes, progression_figure

            return figure_bytes(progression_figure(progression, confidence), ending[1:])
        from caprese.io.graphs.files import graph_text

        return graph_text(progression, path, confidence).encode()

    _write({path: content(path) for path in paths})


def write_pictures(paths: Sequence[str], figure: "Figure") -> None:
    """Write a figure to files."""
    from caprese.plots import figure_bytes

    _write({path: figure_bytes(figure, _ending(path)[1:]) for path in paths})


def _write(contents: dict[str, bytes]) -> None:
    from caprese._core.files import replacing

    for path, content in contents.items():
        with replacing(path) as file:
            file.buffer.write(content)


def _checked_files(
    ctx: click.Context, _option: click.Parameter, paths: tuple[str, ...]
) -> tuple[str, ...]:
    if paths and not ctx.resilient_parsing:
        from caprese.io.graphs.files import GRAPH_FORMATS

        _check(paths, (_DOCUMENT, *PICTURES, *GRAPH_FORMATS))
    return paths


def _checked_pictures(
    ctx: click.Context, _option: click.Parameter, paths: tuple[str, ...]
) -> tuple[str, ...]:
    if not paths and not ctx.resilient_parsing:
        raise click.UsageError("say where to draw: -o FILE, which ends in .svg, .png or .pdf")
    _check(paths, PICTURES)
    return paths


def _check(paths: Sequence[str], endings: Sequence[str]) -> None:
    """Refuse before any work what could not be written after it."""
    for path in paths:
        check_place(path)
        ending = _ending(path)
        if ending not in endings:
            rule = f"must end in one of {', '.join(endings)}"
            meant = did_you_mean(ending, endings)
            raise click.UsageError(f"--output {path} {rule}{meant}")
    places = [Path(path).resolve() for path in paths]
    for path, place in zip(paths, places, strict=True):
        if places.count(place) > 1:
            raise click.UsageError(f"--output {path} is given twice")


def table_to_write(_ctx: click.Context, _option: click.Parameter, path: str | None) -> str | None:
    """Refuse a file that cannot be written as a table, before any work is done."""
    return _one_to_write(path, TABLES)


def page_to_write(_ctx: click.Context, _option: click.Parameter, path: str | None) -> str | None:
    """Refuse a file that cannot be written as a page, before any work is done."""
    return _one_to_write(path, PAGES)


def folder_to_write(_ctx: click.Context, _option: click.Parameter, path: str | None) -> str | None:
    """Refuse what cannot be a folder, before any work is done."""
    if path is not None and not path.strip():
        raise click.UsageError("--output must not be empty")
    if path is not None and Path(path).exists() and not Path(path).is_dir():
        raise click.UsageError(f"--output {path} is a file; name a folder")
    return path


def _one_to_write(path: str | None, endings: Sequence[str]) -> str | None:
    """Refuse what could not be written; a device or pipe, or a name without ending, will do."""
    if path is not None:
        check_place(path)
        if Path(path).suffix and (not Path(path).exists() or Path(path).is_file()):
            _check((path,), endings)
    return path


def check_place(path: str) -> None:
    """Refuse a file that cannot be: without a name, in no folder, or a folder itself."""
    if not path.strip():
        raise click.UsageError("--output must not be empty")
    if path.endswith("/"):
        raise click.UsageError(f"--output {path} is a folder; name a file")
    folder = Path(path).parent
    if not folder.is_dir():
        raise click.UsageError(f"--output {path}: there is no folder {folder}")
    if Path(path).is_dir():
        raise click.UsageError(f"--output {path} is a folder; name a file")


def _ending(path: str) -> str:
    """Return what tells the format; a device or pipe such as /dev/stdout has none and gets JSON."""
    place = Path(path)
    if place.exists() and not place.is_file():
        return _DOCUMENT
    return place.suffix.lower()
