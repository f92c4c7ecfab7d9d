"""Packed files (gzip, bzip2, xz): unpacked while they are read, within the budget."""

import bz2
import io
import lzma
import zlib
from collections.abc import Callable
from typing import IO, Any, Protocol

from caprese._core.budget import budget, exceeded

_CHUNK = 2**17
_GZIP = 16 + zlib.MAX_WBITS


class _Decompressor(Protocol):
    """What the decompressors of bz2 and lzma have in common."""

    eof: bool
    unused_data: bytes

    @property
    def needs_input(self) -> bool: ...

    def decompress(self, data: bytes, max_length: int) -> bytes: ...


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


_KINDS: dict[bytes, tuple[str, Callable[[], Any]]] = {
    b"\x1f\x8b": ("gzip", _Gunzip),
    b"BZh": ("bzip2", bz2.BZ2Decompressor),
    b"\xfd7zXZ\0": ("xz", lambda: lzma.LZMADecompressor(memlimit=budget() // 4)),
}
_LONGEST_MAGIC = max(map(len, _KINDS))


def unpacked(source: IO[bytes]) -> IO[bytes]:
    """Return a stream of the unpacked content of a packed stream; any other stream unchanged."""
    # A stream without `peek` is a substitute for standard input, which is never large.
    seen: Any = source if hasattr(source, "peek") else io.BufferedReader(io.BytesIO(source.read()))
    start = seen.peek(_LONGEST_MAGIC)
    for magic, (name, decompressor) in _KINDS.items():
        if start.startswith(magic):
            return io.BufferedReader(_Unpacked(seen, name, decompressor), _CHUNK)
    return seen  # type: ignore[no-any-return]


class _Unpacked(io.RawIOBase):
    """The content of a packed stream; an `OSError` if it is truncated, damaged or too large."""

    def __init__(
        self, packed: IO[bytes], name: str, decompressor: Callable[[], _Decompressor]
    ) -> None:
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
        except MemoryError:
            raise OSError(f"this {self._name} file is too large: {exceeded()}") from None
        except (zlib.error, lzma.LZMAError, OSError, ValueError) as error:
            if "Memory usage limit" in str(error):  # the dictionary that xz asks for
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
            content = self._current.decompress(rest, most)
            if content:
                return content
