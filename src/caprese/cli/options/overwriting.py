"""What -o may overwrite: never an input of the command; a file of another kind only by --force."""

import os
import re
import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile, ZipFile

import click

from caprese._core.files import MARK
from caprese.cli.options.outputs import FORCED, OutputFile, refuse_same
from caprese.recipe.parts import TABLES

if TYPE_CHECKING:
    import caprese

_SEPARATORS = re.compile(r"[=,:]")
_START, _END = 2**12, 2**20  # bytes of a file that may hold its mark
_MARKED_AT_THE_END = (".pdf", ".parquet")
_BINARY = (".xlsx", *_MARKED_AT_THE_END)  # text under such a name is not ours

_PLAIN = (*TABLES, "")  # suffixes of text, which has no mark
_DOCUMENTS = {"confidence": "confidence|effects"}  # that are not named as what a file holds
_EDGES = "parent,child,.*,frequency,reason.*"
_EFFECTS = "cause,event,factor,low,high,speeds_up,slows_down,absent"
_HEADERS = {
    "fit": _EDGES,
    "confidence": f"{_EDGES}|{_EFFECTS}",
    "patients": "sample,seen,unknown,likeliest,missed,wrongly_seen,events,events_low,events_high,"
    "log_probability,typicality,fits,next,.*",
    "suggestion": "event,use,present,known,reasons",
    "table": "sample,.*",  # and the events, see `refuse_other_table`
    "whatif": "blocked,slowed,target,probability,.*",
    "tests": "column,about,event,test,samples,effect,low,high,p_value,adjusted",
}
"""The headers of tables that caprese writes, with commas or tabs, by what they hold."""


def check_overwriting(ctx: click.Context) -> None:
    """Refuse to overwrite an input, or without --force a file of another kind."""
    kinds = {each: each.type for each in ctx.command.params}
    outputs = [
        (each.opts[-1], path, kind.holds)
        for each, kind in kinds.items()
        if isinstance(kind, OutputFile)
        for path in _texts(ctx.params[each.name])
    ]
    refuse_same((name, path) for name, path, _ in outputs)
    written = {each.name for each, kind in kinds.items() if isinstance(kind, OutputFile)}
    others = [value for name, value in ctx.params.items() if name not in written]
    refuse_overwriting(ctx, outputs, others)


def refuse_overwriting(
    ctx: click.Context,
    outputs: Iterable[tuple[str, str, str | None]],
    others: Iterable[object] = (),
) -> None:
    """Refuse to overwrite what may be an input, or without --force a file of another kind.

    Outputs are what names a file, such as an option, its path, and what it holds, as in `Outputs`;
    None if that is not known yet.
    """
    existing = [each for each in outputs if Path(each[1]).is_file()]
    inputs = list(dict.fromkeys(_candidates(others))) if existing else []
    for name, path, holds in existing:
        for given in inputs:
            if _is_same(path, given):
                problem = f"{name} {path} would overwrite the input"
                raise click.UsageError(f"{problem}; name another file")
            if _is_inside(path, given):
                problem = f"{name} {path} would overwrite a file of the input {given}"
                raise click.UsageError(f"{problem}; name another file")
        if holds is not None and not ctx.meta.get(FORCED) and not _is_own(path, holds):
            problem = f"{name} {path} exists and is not a file of this kind that caprese wrote"
            raise click.UsageError(f"{problem}; name another file, or overwrite it with --force")


def refuse_other_table(
    name: str, path: str, data: "caprese.Dataset", columns: Collection[str] = ()
) -> None:
    """Refuse to overwrite without --force a table of data with other columns than the new one."""
    from caprese.io.data.tables import header_line

    forced = click.get_current_context().meta.get(FORCED)
    if forced or not Path(path).is_file() or Path(path).suffix.lower() not in _PLAIN:
        return
    own = {
        header_line(data, path, columns, guard_formulas=guard).encode() for guard in (False, True)
    }
    with open(path, "rb") as file:
        if next(file, b"") not in {b"", *own}:
            problem = f"{name} {path} exists and has other columns than the new table"
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


def _is_own(path: str, holds: str) -> bool:
    """Whether caprese wrote a file, to hold this: by a mark, or for tables by all of the header."""
    try:
        text = _marked_part(path).decode(errors="replace")
    except OSError:
        return True  # writing will say why it is impossible
    document = rf'\{{\s*"format": "caprese ({_DOCUMENTS.get(holds, holds)})"'
    header = text.partition("\n")[0].replace("\t", ",")
    known = re.match(document, text) or re.fullmatch(_HEADERS.get(holds, "(?!)"), header)
    binary = Path(path).suffix.lower() in _BINARY
    return not text or MARK in text or (known is not None and not binary)


def _marked_part(path: str) -> bytes:
    """Return the part of a file that holds its mark; of a workbook, who modified it last."""
    suffix = Path(path).suffix.lower()
    if suffix == ".xlsx":
        with suppress(BadZipFile, KeyError), ZipFile(path) as book:
            return book.read("docProps/core.xml")
    with open(path, "rb") as file:
        if suffix in _MARKED_AT_THE_END:
            file.seek(max(0, os.path.getsize(path) - _END))
            return file.read()
        return file.read(_START)
