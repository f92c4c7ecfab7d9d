"""-o: output files. The suffix gives the format; either all files are written or none."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from caprese._core.environment import check_extra
from caprese._core.files import MULTIQC
from caprese._core.words import did_you_mean
from caprese.cli.options.declaring import Option, together
from caprese.recipe.parts import DOCUMENT, TABLES, is_device, suffix_of

PICTURES = (".png", ".svg", ".pdf")
FORCED = "caprese.force"
_EXTRAS = {".xlsx": ("openpyxl", "excel"), ".parquet": ("pyarrow", "parquet")}


class OutputFile(click.Path):
    """A file to write, refused before any computation if it could not be written after it.

    It may have these suffixes, and those of graphs. If there is one format, devices, pipes and
    names without suffix are fine. What it holds is as in `Outputs`; None if the command will know.
    """

    def __init__(
        self,
        *suffixes: str,
        holds: str | None = "picture",
        graphs: bool = False,
        one_format: bool = False,
    ) -> None:
        super().__init__(dir_okay=False)
        self.suffixes, self.holds = suffixes, holds
        self.graphs, self.one_format = graphs, one_format

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the path, if it can be written."""
        if ctx is None or ctx.resilient_parsing or param is None:
            return str(value)
        check_place(value, param.opts[-1])
        if not (self.one_format and (not Path(value).suffix or is_device(value))):
            self._check_suffix(value, param.opts[-1])
        return str(value)

    def _check_suffix(self, path: str, option: str) -> None:
        known = self.suffixes
        if self.graphs:
            from caprese.io.graphs.files import GRAPH_FORMATS

            known = (*known, *GRAPH_FORMATS)
        suffix = suffix_of(path)
        if suffix not in known:
            rule = f"must end in one of {', '.join(known)}"
            raise click.UsageError(f"{option} {path} {rule}{did_you_mean(suffix, known)}")
        if suffix in _EXTRAS:
            check_extra(f"{option} {path}", *_EXTRAS[suffix])


def takes_output(kind: OutputFile, **settings: Any) -> Option:
    """Give a command the option -o for one file or several, and --force to overwrite others."""
    return together(click.option("-o", "--output", type=kind, **settings), takes_force)


def _keep(ctx: click.Context, _option: click.Parameter, forced: bool) -> None:
    ctx.meta[FORCED] = forced


takes_force = click.option(
    "--force",
    is_flag=True,
    expose_value=False,
    callback=_keep,
    help="Overwrite existing files even if caprese did not write them, or wrote something else.",
)
guards_formulas = click.option(
    "--guard-formulas",
    is_flag=True,
    help="In tables, put an apostrophe before names that a spreadsheet would take for a formula, "
    "such as -7q, in case they come from others; it is removed on reading.",
)
writes_pictures = takes_output(
    OutputFile(*PICTURES),
    multiple=True,
    required=True,
    help="Output file, with the suffix .svg, .png or .pdf. May be given several times.",
)


def writes_files(what: str, holds: str | None) -> Option:
    """Give a command the option -o for JSON, graphs and pictures, which hold what `Outputs` has.

    The command is called with `output`, the files, and with `guard_formulas`.
    """
    takes_files = takes_output(
        OutputFile(DOCUMENT, *PICTURES, *MULTIQC, holds=holds, graphs=True),
        multiple=True,
        help=f"Also write to FILE, by its suffix: .json for {what}; .svg, .png or "
        ".pdf for a picture; .graphml, .gexf, .cyjs, .dot, .nwk or .csv for a graph; _mqc.json or "
        "_mqc.tsv for MultiQC. May be given several times.",
    )
    return together(takes_files, guards_formulas)


def check_effect_files(paths: Iterable[str]) -> None:
    """Refuse files that a bootstrap of effects could not be written to."""
    for path in paths:
        if suffix_of(path) not in (DOCUMENT, *TABLES):
            raise click.UsageError(
                f"--output {path} needs edges, and this model has none: its effects are written to "
                ".json, .csv or .tsv, and drawn by caprese plot effects"
            )


def checked_folder(_ctx: click.Context, _option: click.Parameter, path: str | None) -> str | None:
    """Refuse a path that cannot be a folder, before any computation."""
    if path is not None and not path.strip():
        raise click.UsageError("--output must not be empty")
    if path is not None and Path(path).exists() and not Path(path).is_dir():
        raise click.UsageError(f"--output {path} is a file; name a folder")
    if path is not None:
        there = next(each for each in (Path(path), *Path(path).absolute().parents) if each.exists())
        if not (there.is_dir() and os.access(there, os.W_OK | os.X_OK)):
            problem = f"there is no permission to write to the folder {there}"
            raise click.UsageError(f"--output {path}: {problem}")
    return path


def check_place(path: str, option: str = "--output") -> None:
    """Refuse an empty path, a folder, and a place that cannot be written."""
    target = Path(os.path.realpath(path))  # what a link leads to is replaced
    if not path.strip():
        raise click.UsageError(f"{option} must not be empty")
    if path.endswith("/") or target.is_dir():
        raise click.UsageError(f"{option} {path} is a folder; name a file")
    if not target.parent.is_dir():
        raise click.UsageError(f"{option} {path}: there is no folder {Path(path).parent}")
    if not is_device(path) and not os.access(target.parent, os.W_OK | os.X_OK):
        problem = f"there is no permission to write to the folder {Path(path).parent}"
        raise click.UsageError(f"{option} {path}: {problem}")
    if target.exists() and not os.access(target, os.W_OK):
        raise click.UsageError(f"{option} {path}: there is no permission to overwrite it")


def refuse_same(files: Iterable[tuple[str, str]]) -> None:
    """Refuse that two options, or one given twice, name the same file."""
    taken: dict[Path, str] = {}
    for option, path in files:
        place = Path(path).resolve()
        if taken.get(place) == option:
            raise click.UsageError(f"{option} {path} is given twice")
        if place in taken:
            raise click.UsageError(f"{option} and {taken[place]} must be two files")
        taken[place] = option
