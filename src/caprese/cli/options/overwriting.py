"""What -o may overwrite: never an input of the command; a file of another kind only by --force."""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from caprese.cli.options.outputs import FORCED, OutputFile, refuse_same

_SEPARATORS = re.compile(r"[=,:]")
_BEGINNING = 300  # bytes of a file that show its kind

_STARTS: dict[str, re.Pattern[bytes]] = {
    suffix: re.compile(start, re.IGNORECASE)
    for suffixes, start in (
        ((".json",), rb'\{\s*"format": "caprese '),
        ((".cyjs",), rb"\{"),
        ((".svg", ".graphml", ".gexf"), rb"<(\?xml|svg|graphml|gexf)"),
        ((".png",), rb"\x89PNG"),
        ((".pdf",), rb"%PDF"),
        ((".dot", ".gv"), rb"digraph"),
        ((".nwk", ".newick"), rb"\("),
        ((".csv", ".tsv", ".txt"), rb'(\xef\xbb\xbf)?"?(sample|parent|column)"?[,;\t]'),
        ((".html", ".htm"), rb"\s*<!doctype html"),
        ((".xlsx",), rb"PK\x03\x04"),
        ((".parquet",), rb"PAR1"),
        ((".toml",), rb"# An analysis by caprese"),
    )
    for suffix in suffixes
}
"""How the files begin that caprese writes, by suffix."""


def check_overwriting(ctx: click.Context) -> None:
    """Refuse to overwrite an input, or without --force a file of another kind."""
    options = [each for each in ctx.command.params if isinstance(each.type, OutputFile)]
    outputs = [(each.opts[-1], path) for each in options for path in _texts(ctx.params[each.name])]
    refuse_same(outputs)
    written = {each.name for each in options}
    others = [value for name, value in ctx.params.items() if name not in written]
    refuse_overwriting(ctx, outputs, others)


def refuse_overwriting(
    ctx: click.Context, outputs: Iterable[tuple[str, str]], others: Iterable[object]
) -> None:
    """Refuse to overwrite what may be an input, or without --force a file of another kind.

    Outputs are pairs of what names a file, such as an option, and its path.
    """
    existing = [(name, path) for name, path in outputs if Path(path).is_file()]
    inputs = list(dict.fromkeys(_candidates(others))) if existing else []
    for name, path in existing:
        for given in inputs:
            if _is_same(path, given):
                problem = f"{name} {path} would overwrite the input"
                raise click.UsageError(f"{problem}; name another file")
            if _is_inside(path, given):
                problem = f"{name} {path} would overwrite a file of the input {given}"
                raise click.UsageError(f"{problem}; name another file")
        if not ctx.meta.get(FORCED) and not _is_of_its_kind(path):
            problem = f"{name} {path} exists and is not a file that caprese wrote"
            raise click.UsageError(f"{problem}; name another file, or overwrite it with --force")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _texts(each)


def _candidates(values: Iterable[Any]) -> Iterator[str]:
    """Yield every text that may name an input: the values of options, and their parts."""
    for text in _texts(list(values)):
        yield from (text, *_SEPARATORS.split(text))
        yield from (text[separator.end() :] for separator in _SEPARATORS.finditer(text))


def _is_same(path: str, given: str) -> bool:
    with suppress(OSError, ValueError):
        if given == "-" and sys.stdin is not None:
            return os.path.samestat(os.fstat(sys.stdin.fileno()), os.stat(path))
        return bool(given) and os.path.samefile(path, given)
    return False


def _is_inside(path: str, given: str) -> bool:
    """Whether a file is in a folder that is an input; the current folder is not one."""
    with suppress(OSError, ValueError):
        folder = Path(given).resolve()
        if given and Path(given).is_dir() and folder != Path.cwd():
            return folder in Path(path).resolve().parents
    return False


def _is_of_its_kind(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            start = file.read(_BEGINNING)
    except OSError:
        return True  # writing will say why it is impossible
    expected = _STARTS.get(Path(path).suffix.lower())
    kinds = _STARTS.values() if expected is None else (expected,)
    return not start or any(kind.match(start) for kind in kinds)
