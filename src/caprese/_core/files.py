"""Text files: read line by line, written whole or not at all."""

import os
import re
import shutil
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager, nullcontext, suppress
from errno import EACCES
from io import TextIOWrapper
from pathlib import Path
from secrets import token_hex
from typing import IO, TextIO

from caprese._core.packed import unpacked
from caprese._core.spelling import nearest
from caprese._core.words import visible
from caprese.errors import FormatError

FilePath = str | os.PathLike[str]
STDIN = "-"

_LONGEST_QUOTE = 40  # characters of a text that a message quotes
# Bytes that are not UTF-8 are decoded to surrogates, so that a message can name their line.
_FOREIGN = re.compile("[\udc80-\udcff]")
_KINDS = {
    b"\x1f\x8b": "a gzip file",
    b"PK\x03\x04": "a zip or Excel file",
    b"\xd0\xcf\x11\xe0": "an old Excel file",
    b"\xfd7zXZ": "an xz file",
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
}


def shown(text: str) -> str:
    """Return text in quotes for a message: on one line and not too long."""
    return visible(repr(text), longest=_LONGEST_QUOTE + 2)


def format_error(
    path: FilePath,
    problem: str,
    *,
    line: int | None = None,
    column: int | None = None,
    name: str | None = None,
) -> FormatError:
    """Return an error that names the place of a problem in a file."""
    text = os.fspath(path)
    place = "<stdin>" if text == STDIN else text if text and text.isprintable() else repr(text)
    place += f", line {line}" if line is not None else ""
    place += f", column {column}" if column is not None else ""
    place += f" ({shown(name)})" if name is not None else ""
    return FormatError(f"{place}: {problem}")


def text_lines(path: FilePath) -> Generator[str, None, None]:
    """Yield the lines of a UTF-8 file, or of standard input for ``-``, with their line ends.

    Line ends may be those of Unix, Windows or old Macs; a byte order mark is dropped. A gzip file
    is recognised by its first bytes and unpacked, up to the limits in `packed`. A file that cannot
    be opened or is not text raises a `FormatError`.
    """
    with _source(path) as source, _decoded(source) as text:
        for number, line in enumerate(text, start=1):
            _check_text(path, number, line)
            yield line


def unpacked_bytes(path: FilePath) -> bytes:
    """Return the content of a file, or of standard input for ``-``, unpacked if it is gzip."""
    with _source(path) as source:
        return source.read()


@contextmanager
def replacing(path: FilePath) -> Iterator[TextIO]:
    """Open a text file for writing; it replaces an existing file only when it is complete.

    If writing fails, the existing file is unchanged. A symbolic link stays a link, and the new file
    has the permissions of the one it replaces.
    """
    try:
        with _temporary_beside(path) as file:
            yield file
    except OSError as error:
        error.filename = os.fspath(path)  # the one that was given, not the temporary file
        raise


@contextmanager
def _temporary_beside(path: FilePath) -> Iterator[TextIO]:
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        # A rename would replace /dev/stdout or a pipe by a plain file.
        with open(target, "w", encoding="utf-8", newline="") as file:
            yield file
        return
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(EACCES, os.strerror(EACCES))
    temporary = target.with_name(f".caprese-{token_hex(8)}")
    created = open(temporary, "x", encoding="utf-8", newline="")  # noqa: SIM115  closed below
    try:
        with created as file:
            if target.exists():
                shutil.copymode(target, temporary)
            yield file
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def _source(path: FilePath) -> Iterator[IO[bytes]]:
    stdin = os.fspath(path) == STDIN
    try:
        with nullcontext(sys.stdin.buffer) if stdin else open(path, "rb") as source:
            yield unpacked(source)
    except OSError as error:
        raise format_error(path, _reason(path, error)) from error


@contextmanager
def _decoded(source: IO[bytes]) -> Iterator[TextIO]:
    text = TextIOWrapper(source, encoding="utf-8-sig", errors="surrogateescape", newline="")
    try:
        yield text
    finally:
        text.detach()  # closing it would also close standard input


def _check_text(path: FilePath, number: int, line: str) -> None:
    if number == 1:
        start = line[:8].encode("utf-8", "surrogateescape")
        for magic, kind in _KINDS.items():
            if start.startswith(magic):
                raise format_error(path, f"this is {kind}; expected plain text in UTF-8")
    if "\0" in line:
        problem = "NUL byte: this is a binary file; expected plain text in UTF-8"
        raise format_error(path, problem, line=number)
    if not line.isascii() and (foreign := _FOREIGN.search(line)):
        byte = f"{ord(foreign.group()) - 0xDC00:#04x}"
        problem = f"byte {byte} is not UTF-8; expected plain text in UTF-8"
        raise format_error(path, problem, line=number)


def _reason(path: FilePath, error: OSError) -> str:
    match error:
        case FileNotFoundError():
            return f"no such file{_suggestion(Path(path))}"
        case IsADirectoryError():
            return "this is a directory; expected a file"
        case PermissionError():
            return "no permission to read this file"
    return error.strerror or str(error)


def _suggestion(path: Path) -> str:
    """Suggest a file with a similar name; suffixes are ignored, because many files share them."""
    with suppress(OSError):
        stems = {name.partition(".")[0]: name for name in sorted(os.listdir(path.parent))}
        stem = nearest(path.name.partition(".")[0], stems)
        if stem:
            return f"; did you mean {shown(str(path.with_name(stems[stem])))}?"
    return ""
