"""Plain tables, read in bulk: one delimiter, no quotes, cells of one character.

A large table is nearly always plain: 0, 1 and a text for unknown, without quotes. It is decoded
here from its bytes, many lines at a time, in a fraction of the time that `csv` and a look at each
field take. This reader decides nothing but that plain rows exceed the budget: whatever is unusual
in a file makes it return None, and the file is read by the careful reader, which accepts or
refuses it.
"""

import re
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from caprese._core.budget import share
from caprese._core.files import PER_CHARACTER, FilePath, byte_blocks, over_budget
from caprese.errors import FormatError
from caprese.io.text.cells import name_in

_DELIMITERS = frozenset(",;\t|")
_AT_ONCE = 2**19  # bytes: with the copies that are made of them, they fit into the cache
_MOST_CHARACTERS = 2**12  # of a name: a longer one is left to the careful reader
_UNUSUAL = (b'"', b"\r", b"\0")
_UNKNOWN = b"\0"  # stands for unknown once it is clear that the file has none
_SHORTER = ((b"0.0", b"0"), (b"1.0", b"1"), (b"NA", _UNKNOWN), (b"NaN", _UNKNOWN))
_MARK, _WRONG = 3, 4  # codes of the delimiter, and of any other character
_PRESENT = (ord("0") ^ ord("1")) << 8  # where delimiter and cell differ from those of 0
_NOT_AS_IT_IS = re.compile(r"[^\S\n]|['\\]")  # what `name_in` removes or decodes


PlainCells = tuple[NDArray[np.uint8], tuple[str, ...]]
"""The codes of the cells, 2 for unknown, which may be changed in place, and the names of rows."""


def plain_cells(
    path: FilePath, start: int, delimiter: str, width: int, *, named: bool, most: int
) -> PlainCells | None:
    """Return the cells of a plain table, or None if the table is not plain.

    The file, possibly packed, is opened once more and read from line `start` on; `width` is the
    number of cells in a row without the name, and `most` the number of rows in the budget.
    """
    if delimiter not in _DELIMITERS or (width == 1 and not named):
        return None
    plain = _Plain(bytes(delimiter, "ascii"), width, named, most)
    try:
        with closing(_line_blocks(path, start)) as blocks:
            return plain.cells() if all(map(plain.add, blocks)) else None
    except FormatError:  # a damaged packed file: the careful reader says where
        return None
    except _TooManyRowsError:
        raise over_budget(path, "the table is too large") from None


class _TooManyRowsError(Exception):
    """What was read so far is plain, and exceeds the budget."""


@dataclass
class _Plain:
    """The rows that were read, as long as all of them are plain."""

    delimiter: bytes
    width: int
    named: bool
    most: int
    height: int = 0
    codes: NDArray[np.uint8] = field(default_factory=lambda: np.empty(0, np.uint8))
    names: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        table = bytearray([_WRONG]) * 256
        for character, code in ((b"0", 0), (b"1", 1), (_UNKNOWN, 2), (self.delimiter, _MARK)):
            table[character[0]] = code
        self._code_of_byte = bytes(table)
        self._absent = np.frombuffer(self.delimiter + b"0", "<u2")
        self._longest_line = share(PER_CHARACTER) - len("\r\n")

    def add(self, block: bytes) -> bool:
        """Add whole lines, each with its line end; return False if any of them is not plain."""
        if b"\r" in block:
            block = block.replace(b"\r\n", b"\n")
        if any(character in block for character in _UNUSUAL):
            return False
        lines = _lines(block)
        if self.height + len(lines) > self.most:
            raise _TooManyRowsError
        if max(map(len, lines), default=0) > self._longest_line:
            return False
        return not lines or self._add(lines) or self._add(_lines(self._shortened(block)))

    def cells(self) -> PlainCells | None:
        """Return all that was added; None if names are empty or repeated, or there are no rows."""
        names = tuple(self.names)
        if not self.height or len(set(names)) < len(names) or not all(map(str.strip, names)):
            return None
        self.codes.resize((self.height, self.width), refcheck=False)
        return self.codes, names

    def _add(self, lines: list[bytes]) -> bool:
        size = 2 * self.width  # of the cells in a line, each with the delimiter before it
        lengths = set(map(len, lines))
        if min(lengths) < size if self.named else lengths != {size - 1}:
            return False
        if self.named:
            cells = b"".join([line[-size:] for line in lines])
        else:
            cells = self.delimiter + self.delimiter.join(lines)
        codes = self._codes(cells)
        if codes is None or (self.named and not self._add_names([line[:-size] for line in lines])):
            return False
        used = self.height * self.width
        if used + len(codes) > len(self.codes):
            room = max(used + len(codes), used + used // 8)
            self.codes.resize(room, refcheck=False)  # in place, so that there are no two copies
        self.codes[used : used + len(codes)] = codes
        self.height += len(lines)
        return True

    def _codes(self, cells: bytes) -> NDArray[np.uint8] | None:
        """Return the codes of cells, each with the delimiter before it; None if one is unusual."""
        pairs: NDArray[np.uint16] = np.frombuffer(cells, "<u2") ^ self._absent
        if np.bitwise_or.reduce(pairs) in (0, _PRESENT):
            return (pairs >> 8).astype(np.uint8)
        codes = np.frombuffer(cells.translate(self._code_of_byte), np.uint8).reshape(-1, 2)
        if codes[:, 1].max() > 2 or codes[:, 0].min() != _MARK or codes[:, 0].max() != _MARK:
            return None
        return codes[:, 1]

    def _add_names(self, fields: list[bytes]) -> bool:
        joined = b"\n".join(fields)
        if self.delimiter in joined or max(map(len, fields)) > _MOST_CHARACTERS:
            return False
        try:
            text = joined.decode()
        except UnicodeDecodeError:
            return False
        names = text.split("\n")
        self.names += map(name_in, names) if _NOT_AS_IT_IS.search(text) else names
        return True

    def _shortened(self, block: bytes) -> bytes:
        """Return lines, after one that is empty, with cells of one character where possible."""
        mark, block = self.delimiter, b"\n" + block
        for before in (mark,) if self.named else (mark, b"\n"):
            for text, character in _SHORTER:
                block = block.replace(before + text, before + character)
            block = block.replace(before + mark, before + _UNKNOWN + mark)
        block = block.replace(mark + mark, mark + _UNKNOWN + mark)  # the second of two empty cells
        return block.replace(mark + b"\n", mark + _UNKNOWN + b"\n")


def _lines(block: bytes) -> list[bytes]:
    """Return the lines of a block that are not empty."""
    return [line for line in block.split(b"\n") if line]


def _line_blocks(path: FilePath, start: int) -> Generator[bytes, None, None]:
    """Yield whole lines from a line on, many at a time; none if lines end in a way of their own."""
    skipped, rest = start - 1, b""
    for block in byte_blocks(path, _AT_ONCE):
        rest += block
        while skipped and b"\n" in rest:
            line, _, rest = rest.partition(b"\n")
            skipped -= 1
            if b"\r" in line.removesuffix(b"\r"):
                return
        end = 0 if skipped else rest.rfind(b"\n") + 1
        if end:
            yield rest[:end]
            rest = rest[end:]
    if rest and not skipped:
        yield rest + b"\n"
