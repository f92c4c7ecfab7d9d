"""Gzip files: unpacked while they are read, up to a stated size."""

import gzip
import io
import zlib
from typing import IO, Any

LARGEST = 4 * 2**30
"""Bytes that a gzip file may unpack to."""

RATIO = 1000
"""How many times its packed size a gzip file may unpack to, beyond `UNSUSPICIOUS` bytes."""

UNSUSPICIOUS = 16 * 2**20
"""Bytes that are always accepted, however small their packed size."""

_MAGIC = b"\x1f\x8b"
_CHUNK = 2**17


def unpacked(source: IO[bytes]) -> IO[bytes]:
    """Return a stream of the unpacked content of a gzip stream; any other stream unchanged."""
    # A stream without `peek` is a substitute for standard input, which is never large.
    seen: Any = source if hasattr(source, "peek") else io.BufferedReader(io.BytesIO(source.read()))
    if not seen.peek(len(_MAGIC)).startswith(_MAGIC):
        return seen  # type: ignore[no-any-return]
    return io.BufferedReader(_Unpacked(seen), _CHUNK)


class _Counted:
    """A stream that counts the bytes read from it."""

    def __init__(self, source: IO[bytes]) -> None:
        self._source = source
        self.size = 0

    def read(self, size: int = -1) -> bytes:
        content = self._source.read(size)
        self.size += len(content)
        return content


class _Unpacked(io.RawIOBase):
    """The content of a gzip stream; an `OSError` if it is truncated, damaged or too large."""

    def __init__(self, packed: IO[bytes]) -> None:
        self._packed = _Counted(packed)
        self._content = gzip.GzipFile(fileobj=self._packed, mode="rb")  # type: ignore[call-overload]
        self._size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            count: int = self._content.readinto(buffer)
        except EOFError:
            raise OSError("this gzip file is truncated; was a download interrupted?") from None
        except (zlib.error, gzip.BadGzipFile) as error:
            raise OSError(f"this gzip file is damaged ({error})") from error
        self._size += count
        self._check()
        return count

    def _check(self) -> None:
        if self._size > LARGEST:
            raise OSError(f"this gzip file unpacks to more than {LARGEST / 2**30:g} GiB; refused")
        if self._size > max(UNSUSPICIOUS, RATIO * self._packed.size):
            raise OSError(f"this gzip file unpacks to over {RATIO:,} times its size; refused")
