"""-o: output files. The suffix gives the format; either all files are written or none."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from caprese._core.spelling import did_you_mean
from caprese.cli.options.completion import files
from caprese.cli.options.overwriting import takes_force

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from caprese.assessment.confidence import Confidence
    from caprese.assessment.effect_bootstrap import EffectConfidence
    from caprese.assessment.judgement import Judgement
    from caprese.methods.fit import Fit
    from caprese.models.base import Model, Order
    from caprese.patients.groups import Associations
    from caprese.patients.orders import Orders
    from caprese.patients.place import Placement
    from caprese.patients.survival import Survival

Command = Callable[..., Any]

PICTURES = (".png", ".svg", ".pdf")
_DOCUMENT = ".json"
_PAGES = (".html", ".htm")
_TABLES = (".csv", ".tsv", ".txt")


def takes_output(**settings: Any) -> Callable[[Command], Command]:
    """Give a command the option -o for one file or several, and --force to overwrite others."""
    takes = click.option("-o", "--output", metavar="FILE", shell_complete=files, **settings)
    return lambda command: takes(takes_force(command))


guards_formulas = click.option(
    "--guard-formulas",
    is_flag=True,
    help="In tables, put an apostrophe before names that a spreadsheet would take for a formula, "
    "such as -7q. It protects users who open names from an untrusted source in a spreadsheet; "
    "caprese removes it on reading.",
)


def writes_files(what: str) -> Callable[[Command], Command]:
    """Give a command the option -o for JSON, graphs and pictures.

    The command is called with `output`, the files, and with `guard_formulas`.
    """
    takes_files = takes_output(
        multiple=True,
        callback=_checked_files,
        help=f"Also write to FILE, in the format of its suffix: .json for {what}; .svg, .png or "
        ".pdf for a picture; .graphml, .gexf, .cyjs, .dot, .nwk or .csv for a graph. May be given "
        "several times.",
    )
    return lambda command: takes_files(guards_formulas(command))


def writes_pictures(command: Command) -> Command:
    """Give a command the required option -o for pictures; it is called with `output`."""
    return takes_output(
        multiple=True,
        callback=_checked_pictures,
        help="Output file, with the suffix .svg, .png or .pdf. May be given several times.",
    )(command)


def write_files(
    paths: Sequence[str],
    document: Callable[[], str],
    progression: "Fit[Any, Any] | Model | Order",
    confidence: "Confidence | None" = None,
    *,
    guard_formulas: bool = False,
) -> None:
    """Write a progression to files, `document` as JSON, after the content of all is complete."""

    def content(path: str) -> bytes:
        suffix = _suffix(path)
        if suffix == _DOCUMENT:
            return document().encode()
        if suffix in PICTURES:
            from caprese.plots import figure_bytes, progression_figure

            return figure_bytes(progression_figure(progression, confidence), suffix[1:])
        from caprese.io.graphs.files import graph_text

        text = graph_text(progression, path, confidence, guard_formulas=guard_formulas)
        return text.encode()

    _write({path: content(path) for path in paths})


def write_effect_files(
    paths: Sequence[str],
    document: Callable[[], str],
    confidence: "EffectConfidence",
    *,
    guard_formulas: bool = False,
) -> None:
    """Write a bootstrap of effects to files: `document` as JSON, the effects as tables."""
    from caprese.io.text.cells import frame_text

    def text(suffix: str) -> str:
        if suffix == _DOCUMENT:
            return document()
        delimiter = "," if suffix == ".csv" else "\t"
        return frame_text(confidence.table(), delimiter=delimiter, guard_formulas=guard_formulas)

    _write({path: text(_suffix(path)).encode() for path in paths})


def check_effect_files(paths: Sequence[str]) -> None:
    """Refuse files that a bootstrap of effects could not be written to."""
    for path in paths:
        if _suffix(path) not in (_DOCUMENT, *_TABLES):
            raise click.UsageError(
                f"--output {path} needs edges, and this model has none: its effects are written to "
                ".json, .csv or .tsv, and drawn by caprese plot effects"
            )


def write_pictures(paths: Sequence[str], figure: "Figure") -> None:
    """Write a figure to files."""
    from caprese.plots import figure_bytes

    _write({path: figure_bytes(figure, _suffix(path)[1:]) for path in paths})


def write_judgement_files(paths: Sequence[str], judgement: "Judgement") -> None:
    """Write a judgement to files: all of it as JSON, its gains as pictures."""

    def content(path: str) -> bytes:
        suffix = _suffix(path)
        if suffix == _DOCUMENT:
            from caprese.io.json.results import judgement_text

            return judgement_text(judgement).encode()
        from caprese.plots import figure_bytes, judgement_figure

        return figure_bytes(judgement_figure(judgement), suffix[1:])

    _write({path: content(path) for path in paths})


def checked_judgements(
    _ctx: click.Context, _option: click.Parameter, paths: tuple[str, ...]
) -> tuple[str, ...]:
    """Refuse files that a judgement could not be written to, before any computation."""
    _check(paths, (_DOCUMENT, *PICTURES))
    return paths


def write_placement_files(
    paths: Sequence[str],
    placed: "Placement",
    orders: "Mapping[str, Orders]",
    page: Callable[[], str],
    tests: "Associations | None" = None,
    curves: "Survival | None" = None,
    *,
    tests_file: str | None = None,
    guard_formulas: bool = False,
) -> None:
    """Write a placement to files: tables, JSON with orders of some samples, a page, curves.

    `tests` and `curves` are comparisons with a clinical table; the tests also have a file.
    """
    from caprese.io.placements import placement_table, placement_text
    from caprese.io.text.cells import frame_text

    def text(suffix: str) -> str:
        if suffix == _DOCUMENT:
            return placement_text(placed, orders, tests, curves)
        if suffix in _PAGES:
            return page()
        return placement_table(placed, delimiter=_delimiter(suffix), guard_formulas=guard_formulas)

    def content(path: str) -> bytes:
        suffix = _suffix(path)
        if curves is not None and suffix in PICTURES:
            from caprese.plots import figure_bytes, survival_figure

            return figure_bytes(survival_figure(curves), suffix[1:])
        return text(suffix).encode(errors="backslashreplace")

    contents = {path: content(path) for path in paths}
    if tests is not None and tests_file is not None:
        delimiter = _delimiter(_suffix(tests_file))
        table = frame_text(tests.table(), delimiter=delimiter, guard_formulas=guard_formulas)
        contents[tests_file] = table.encode(errors="backslashreplace")
    _write(contents)


def _delimiter(suffix: str) -> str:
    return "," if suffix == ".csv" else "\t"


def checked_placements(
    _ctx: click.Context, _option: click.Parameter, paths: tuple[str, ...]
) -> tuple[str, ...]:
    """Refuse files that a placement could not be written to, before any computation."""
    _check(paths, (_DOCUMENT, *_TABLES, *_PAGES, *PICTURES))
    return paths


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
        raise click.UsageError("missing option -o: name a file that ends in .svg, .png or .pdf")
    _check(paths, PICTURES)
    return paths


def _check(paths: Sequence[str], suffixes: Sequence[str], option: str = "--output") -> None:
    """Refuse, before any computation, files that could not be written after it."""
    for path in paths:
        check_place(path, option)
        suffix = _suffix(path)
        if suffix not in suffixes:
            rule = f"must end in one of {', '.join(suffixes)}"
            hint = did_you_mean(suffix, suffixes)
            raise click.UsageError(f"{option} {path} {rule}{hint}")
    places = [Path(path).resolve() for path in paths]
    for path, place in zip(paths, places, strict=True):
        if places.count(place) > 1:
            raise click.UsageError(f"{option} {path} is given twice")


def checked_tests(_ctx: click.Context, _option: click.Parameter, path: str | None) -> str | None:
    """Refuse a file that tests could not be written to, before any computation."""
    if path is not None:
        _check((path,), _TABLES, "--tests")
    return path


def checked_folder(_ctx: click.Context, _option: click.Parameter, path: str | None) -> str | None:
    """Refuse a path that cannot be a folder, before any computation."""
    if path is not None and not path.strip():
        raise click.UsageError("--output must not be empty")
    if path is not None and Path(path).exists() and not Path(path).is_dir():
        raise click.UsageError(f"--output {path} is a file; name a folder")
    return path


def _checked_file(
    suffixes: Sequence[str], _ctx: click.Context, _option: click.Parameter, path: str | None
) -> str | None:
    """Refuse a file that could not be written; devices, pipes and names without suffix are fine."""
    if path is not None:
        check_place(path)
        if Path(path).suffix and (not Path(path).exists() or Path(path).is_file()):
            _check((path,), suffixes)
    return path


checked_table = partial(_checked_file, _TABLES)
checked_data = partial(_checked_file, (*_TABLES, ".xlsx", ".parquet"))
checked_page = partial(_checked_file, _PAGES)


def check_place(path: str, option: str = "--output") -> None:
    """Refuse an empty path, one in a folder that does not exist, and a folder."""
    if not path.strip():
        raise click.UsageError(f"{option} must not be empty")
    if path.endswith("/"):
        raise click.UsageError(f"{option} {path} is a folder; name a file")
    folder = Path(path).parent
    if not folder.is_dir():
        raise click.UsageError(f"{option} {path}: there is no folder {folder}")
    if Path(path).is_dir():
        raise click.UsageError(f"{option} {path} is a folder; name a file")


def _suffix(path: str) -> str:
    """Return the suffix, which gives the format; a device or pipe such as /dev/stdout gets JSON."""
    place = Path(path)
    if place.exists() and not place.is_file():
        return _DOCUMENT
    return place.suffix.lower()
