"""Files: unpacked and read line by line within the budget; written whole or not at all."""

import bz2
import io
import lzma
import os
import re
import shutil
import sys
import zlib
from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, nullcontext, suppress
from contextvars import ContextVar
from errno import EACCES
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from secrets import token_hex
from typing import IO, Any, TextIO

from caprese._core.budget import budget, exceeded, share, size_words
from caprese._core.progress import tell
from caprese._core.words import nearest, visible
from caprese.errors import FormatError, Remedy

FilePath = str | os.PathLike[str]
STDIN = "-"

MARK = "made by caprese"
"""What pictures, pages and graphs say in a comment or a field of their own."""

MULTIQC = ("_mqc.json", "_mqc.tsv")
"""How the names of files end by which MultiQC finds them."""

PER_CHARACTER = 32
"""Bytes of memory that a character of text may take when it is split into fields or objects."""

_CHUNK = 2**17
_LARGE = 2**22  # bytes of a file from which progress is told
_GZIP = 16 + zlib.MAX_WBITS
_LONGEST_QUOTE = 40  # characters of a text that a message quotes
# Bytes that are not UTF-8 are decoded to surrogates, so that a message can name their line.
_FOREIGN = re.compile("[\udc80-\udcff]")
_KINDS = {
    b"\x1f\x8b": "a gzip file",
    b"\xfd7zXZ": "an xz file",
    b"PK\x03\x04": "a zip or Excel file",
    b"\xd0\xcf\x11\xe0": "an old Excel file",
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
}


class Stored(os.PathLike[str]):
    """A file inside another one, such as an archive, whose content is read where it is."""

    @abstractmethod
    def stream(self) -> IO[bytes]:
        """Return its content; an `OSError` if it cannot be read."""


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
    remedy: Remedy | None = None,
) -> FormatError:
    """Return an error that names the place of a problem in a file."""
    text = os.fspath(path)
    place = "<stdin>" if text == STDIN else text if text and text.isprintable() else repr(text)
    place += f", line {line}" if line is not None else ""
    place += f", column {column}" if column is not None else ""
    place += f" ({shown(name)})" if name is not None else ""
    return FormatError(f"{place}: {problem}", remedy=remedy)


def over_budget(path: FilePath, what: str, **more: Any) -> FormatError:
    """Return an error about content of a file that exceeds the budget."""
    return format_error(path, f"{what}: {exceeded()}", **more)


def text_lines(path: FilePath) -> Generator[str, None, None]:
    """Yield the lines of a UTF-8 file, or of standard input for ``-``, with their line ends.

    Line ends may be those of Unix, Windows or old Macs; a byte order mark is dropped. A file packed
    by gzip, bzip2 or xz is recognised by its first bytes and unpacked. A file that cannot be
    opened, is not text, or has a line that exceeds the budget raises a `FormatError`.
    """
    with _source(path) as (source, file), _decoded(source, file) as text:
        for number, line in enumerate(text, start=1):
            _check_text(path, number, line)
            yield line


def byte_blocks(path: FilePath, size: int) -> Generator[bytes, None, None]:
    """Yield the content of a file in blocks of bytes, unpacked, with the same bounds on lines."""
    with _source(path) as (source, file):
        bounded = io.BufferedReader(_BoundedLines(source, file), _CHUNK)
        while block := bounded.read(size):
            yield block


def first_ones(lines: Iterator[Any], most: int, characters: Callable[[Any], int]) -> Iterator[Any]:
    """Yield the first lines or rows, to look at before the others: fewer if they are long."""
    room = share(PER_CHARACTER)
    for line in islice(lines, most):
        yield line
        room -= characters(line)
        if room < 0:
            return


def unpacked_bytes(path: FilePath, memory: int = 1) -> bytes:
    """Return the content of a file, or of standard input for ``-``, unpacked if it is packed.

    `memory` is the number of bytes that each byte of it may take once it is understood.
    """
    most = share(memory)
    with _source(path) as (source, _):
        content = source.read(most + 1)
    if len(content) > most:
        raise over_budget(path, f"the file holds more than {size_words(most)}")
    return content


@contextmanager
def all_or_none() -> Iterator[None]:
    """Write several files, each of which replaces an existing one when all are complete."""
    if _COMPLETE.get() is not None:
        yield
        return
    complete: list[tuple[Path, Path]] = []
    before = _COMPLETE.set(complete)
    try:
        yield
        for temporary, target in complete:
            os.replace(temporary, target)
    finally:
        _COMPLETE.reset(before)
        for temporary, _target in complete:
            temporary.unlink(missing_ok=True)


_COMPLETE: ContextVar[list[tuple[Path, Path]] | None] = ContextVar("complete", default=None)
# Files that wait for others, and the paths that they go to.


@contextmanager
def replacing(path: FilePath) -> Iterator[TextIO]:
    """Open a text file for writing; it replaces an existing file only when it is complete.

    If writing fails, the existing file is unchanged. A symbolic link stays a link, and the new file
    has the permissions of the one it replaces.

    Raises
    ------
    FormatError
        If there is no such folder.
    """
    folder = Path(path).parent
    if not folder.is_dir():
        raise format_error(path, f"there is no folder {folder}")
    try:
        with all_or_none(), _temporary_beside(path) as file:
            yield file
    except OSError as error:
        error.filename = os.fspath(path)  # the one that was given, not the temporary file
        raise


def replace_file(path: FilePath, content: str | bytes) -> None:
    """Write a file as a whole, as `replacing` does."""
    coded = content.encode() if isinstance(content, str) else content
    with replacing(path) as file:
        file.buffer.write(coded)


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
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    complete = _COMPLETE.get()
    assert complete is not None  # `replacing` begins one
    complete.append((temporary, target))


@contextmanager
def _source(path: FilePath) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Open a file; return its unpacked content, and the file itself."""
    stdin = os.fspath(path) == STDIN
    if stdin and sys.stdin is None:
        raise format_error(path, "standard input is closed")
    try:
        with nullcontext(sys.stdin.buffer) if stdin else _opened(path) as source:
            yield unpacked(source), source
    except OSError as error:
        raise format_error(path, _reason(path, error)) from error


def _opened(path: FilePath) -> IO[bytes]:
    return path.stream() if isinstance(path, Stored) else open(path, "rb")


class _Gunzip:
    """A decompressor of gzip with the interface of those of bz2 and lzma."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=_GZIP)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)


_PACKED: dict[bytes, tuple[str, Callable[[], Any]]] = {
    b"\x1f\x8b": ("gzip", _Gunzip),
    b"BZh": ("bzip2", bz2.BZ2Decompressor),
    b"\xfd7zXZ\0": ("xz", lambda: lzma.LZMADecompressor(memlimit=budget() // 4)),
}


def unpacked(source: IO[bytes]) -> IO[bytes]:
    """Return a stream of the unpacked content of a packed stream; any other stream unchanged."""
    # A stream without `peek` is a substitute for standard input, which is never large.
    seen: Any = source if hasattr(source, "peek") else io.BufferedReader(io.BytesIO(source.read()))
    start = seen.peek(max(map(len, _PACKED)))
    for magic, (name, decompressor) in _PACKED.items():
        if start.startswith(magic):
            return io.BufferedReader(_Unpacked(seen, name, decompressor), _CHUNK)
    return seen  # type: ignore[no-any-return]


class _Unpacked(io.RawIOBase):
    """The content of a packed stream; an `OSError` if it is truncated, damaged or too large."""

    def __init__(self, packed: IO[bytes], name: str, decompressor: Callable[[], Any]) -> None:
        self._packed = packed
        self._name = name
        self._new = decompressor
        self._current = decompressor()
        self._begun = False  # the current stream; several may follow each other
        self._left = budget()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            content = self._content(len(buffer))
        except EOFError:
            problem = f"this {self._name} file is truncated; was a download interrupted?"
            raise OSError(problem) from None
        except (zlib.error, lzma.LZMAError, MemoryError, OSError, ValueError) as error:
            # xz says in words only that its dictionary exceeds the limit.
            if isinstance(error, MemoryError) or "Memory usage limit" in str(error):
                raise OSError(f"this {self._name} file is too large: {exceeded()}") from None
            raise OSError(f"this {self._name} file is damaged ({error})") from error
        self._left -= len(content)
        if self._left < 0:
            raise OSError(f"this {self._name} file is too large: {exceeded()}")
        buffer[: len(content)] = content
        return len(content)

    def _content(self, most: int) -> bytes:
        """Return the next bytes, none at the end."""
        while True:
            if self._current.eof:
                rest = self._current.unused_data or self._packed.read(_CHUNK)
                if not rest.strip(b"\0"):  # gzip files may be padded with zeros
                    return b""
                self._current, self._begun = self._new(), False
            else:
                rest = self._packed.read(_CHUNK) if self._current.needs_input else b""
                if not rest and self._current.needs_input:
                    if not self._begun:
                        return b""
                    raise EOFError
            self._begun = True
            content: bytes = self._current.decompress(rest, most)
            if content:
                return content


class _BoundedLines(io.RawIOBase):
    """A stream whose lines are checked as it is read; an `OSError` if one exceeds the budget."""

    def __init__(self, source: IO[bytes], file: IO[bytes]) -> None:
        self._source: Any = source
        self._most = share(PER_CHARACTER)
        self._length = 0  # of the current line
        self._file, self._size = file, _large_size(file)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        chunk: bytes = self._source.read1(len(buffer))
        if self._size:
            tell("MiB read", self._file.tell() // 2**20, self._size // 2**20)
        end = max(chunk.rfind(b"\n"), chunk.rfind(b"\r"))
        self._length = len(chunk) - end - 1 + self._length * (end < 0)
        if self._length > self._most:
            what = f"a line of more than {size_words(self._most)}"
            raise OSError(f"{what}: {exceeded()}")
        buffer[: len(chunk)] = chunk
        return len(chunk)


def _large_size(file: IO[bytes]) -> int:
    """Return the size of a file whose reading takes seconds; 0 of others, and of streams."""
    with suppress(OSError, ValueError):  # a substitute for standard input may have no number
        if file.seekable() and (size := os.fstat(file.fileno()).st_size) >= _LARGE:
            return size
    return 0


@contextmanager
def _decoded(source: IO[bytes], file: IO[bytes]) -> Iterator[TextIO]:
    bounded = io.BufferedReader(_BoundedLines(source, file), _CHUNK)
    text = TextIOWrapper(bounded, encoding="utf-8-sig", errors="surrogateescape", newline="")
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
