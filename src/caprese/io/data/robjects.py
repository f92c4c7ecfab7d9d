"""R files as a tree of objects: parsed by `rdata`, within the budget."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from types import NoneType
from typing import Any

import numpy as np

from caprese._core.budget import budget
from caprese._core.files import FilePath, format_error, over_budget, unpacked_bytes
from caprese._core.words import listing
from caprese.errors import DatasetError
from caprese.io.data import reading

_START = re.compile(rb"(?:RD[ABX][23]\n)?([XAB])(?:\n|(?<=A)\r\n)")
_PER_BYTE = 8  # bytes of memory for each byte of a vector: parsed, converted, checked
_PER_OBJECT = 1000  # bytes of memory for a parsed object, such as one string
_DEEPEST = 100  # levels of lists in lists

understood = partial(reading.understood, problem="this R file cannot be read")


@dataclass(frozen=True)
class RObject:
    """A parsed R object, its attributes, and its parts by name."""

    parsed: Any
    attributes: Mapping[str, Any]
    parts: Mapping[str, "RObject"]

    @property
    def kind(self) -> str:
        """What it is, in words."""
        if {"genotypes", "annotations"} <= self.parts.keys():
            return "TRONCO object"
        if "data.frame" in self.classes:
            return "data frame"
        if len(self.attributes.get("dim", ())) == 2:
            return "matrix"
        return "list" if self.parts else _WORDS.get(self.parsed.info.type.name, "something else")

    @property
    def classes(self) -> tuple[str, ...]:
        """The R classes of the object."""
        return tuple(map(str, self.attributes.get("class", ())))

    def values(self) -> list[Any]:
        """Return the entries of a vector or matrix; None where R has NA; factors as text."""
        kind = self.parsed.info.type.name
        if kind == "NILVALUE":
            return []
        if kind == "STR":
            return [_text(part) for part in self.parsed.value]
        if kind not in ("LGL", "INT", "REAL"):
            raise DatasetError(f"expected numbers, logicals or text, got {self.kind}")
        entries = np.ma.getdata(self.parsed.value).astype(object)
        entries[np.ma.getmaskarray(self.parsed.value)] = None
        if "factor" in self.classes:
            levels = [str(level) for level in self.attributes.get("levels", ())]
            known = range(1, len(levels) + 1)
            return [levels[code - 1] if code in known else None for code in entries.tolist()]
        return list(entries.tolist())

    def columns(self) -> Iterator[list[Any]]:
        """Yield the entries of each column of a matrix or data frame."""
        if self.kind != "matrix":
            yield from (part.values() for part in self.parts.values())
            return
        entries, (height, width) = self.values(), map(int, self.attributes["dim"])
        if len(entries) != height * width:
            raise DatasetError(f"the matrix of {height} x {width} has {len(entries)} entries")
        for column in range(width):  # one after the other
            yield entries[height * column : height * (column + 1)]

    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the names of the rows and columns of a table; none where rows are numbered."""
        if self.kind == "matrix":
            names = self.attributes.get("dimnames")
            both = list(names.values()) if isinstance(names, Mapping) else list(names or ())
            rows, columns = (_names(part) for part in (*both, None, None)[:2])
            return rows, columns
        given = self.attributes.get("row.names")
        numbers = given is None or np.asarray(given).dtype.kind in "iuf"
        return () if numbers else _names(given), tuple(self.parts)


_WORDS = {
    "STR": "text",
    "INT": "numbers",
    "REAL": "numbers",
    "LGL": "logicals",
    "VEC": "list",
    "CLO": "function",
    "ENV": "environment",
    "S4": "S4 object",
    "NILVALUE": "NULL",
}


def r_objects(path: FilePath) -> dict[str, RObject]:
    """Return the objects in an R file by name; those inside lists as ``LIST$ELEMENT``."""
    reading.extra(path, "rdata", "r")
    content = unpacked_bytes(path, _PER_BYTE)
    with understood(path):
        root = _parsed(path, content)
        top = {}
        while root.info.type.name == "LIST":
            head, tail = root.value
            top[str(_converted(root.tag))] = _object(path, head)
            root = tail
        # An .rds file holds one object without a name.
        return dict(_named(top or {"object": _object(path, root)}))


def inside(objects: Mapping[str, RObject]) -> str:
    """Return what a file holds, in words."""
    return listing((f"{name} ({item.kind})" for name, item in objects.items()), 8) or "nothing"


def _named(objects: Mapping[str, RObject], prefix: str = "") -> Iterator[tuple[str, RObject]]:
    """Yield objects with their names; what is inside a list follows it."""
    for name, item in objects.items():
        yield prefix + name, item
        if item.kind == "list":
            yield from _named(item.parts, f"{prefix}{name}$")


def _parsed(path: FilePath, content: bytes) -> Any:
    """Return the object that R stored; the size is checked while it is parsed."""
    from rdata.parser import DEFAULT_ALTREP_MAP, _ascii, _binary, _xdr

    room = budget()

    def take(size: int) -> None:
        nonlocal room
        room -= size
        if room < 0:
            raise over_budget(path, "the objects in this file are too large")

    def whole(found: Any, length: int) -> Any:
        if len(found) != length:
            raise EOFError("the file is truncated")
        return found

    start = _START.match(content)
    if start is None:
        raise format_error(path, "not an R file; expected .rda, .RData or .rds")
    kinds = {b"X": _xdr.ParserXDR, b"A": _ascii.ParserASCII, b"B": _binary.ParserBinary}
    base: Any = kinds[start[1]]

    class Counted(base):  # type: ignore[misc]
        def parse_R_object(self, *args: Any, **named: Any) -> Any:  # noqa: N802
            take(_PER_OBJECT)
            return super().parse_R_object(*args, **named)

        def _parse_array_values(self, dtype: Any, length: int) -> Any:
            take(_PER_BYTE * max(length, 0) * np.dtype(dtype).itemsize)
            return whole(super()._parse_array_values(dtype, length), length)

        def parse_string(self, length: int) -> Any:
            take(length)
            return whole(super().parse_string(length), length)

    def bounded(expand: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def constructor(state: Any) -> Any:
            take(8 * _PER_BYTE * _length(state))
            return expand(state)

        return constructor

    constructors = {name: bounded(each) for name, each in DEFAULT_ALTREP_MAP.items()}
    view = memoryview(content)[start.end() :]
    parser = Counted(view, expand_altrep=True, altrep_constructor_dict=constructors)
    return parser.parse_all().object


def _length(state: Any) -> int:
    """Return the number of elements of a vector that R stored in a compact way."""
    if isinstance(state.value, np.ndarray):
        return max(int(state.value[0]), 0)  # its length, first and step
    return 16 * len(state.value[0].value)  # numbers to be formatted as text, each an object


def _converted(parsed: Any) -> Any:
    from rdata.conversion import convert

    return convert(parsed)


def _object(path: FilePath, parsed: Any, depth: int = 0) -> RObject:
    if depth > _DEEPEST:
        raise format_error(path, f"lists inside lists, more than {_DEEPEST} levels deep")
    attributes = {} if parsed.attributes is None else _converted(parsed.attributes)
    if not isinstance(attributes, Mapping):
        raise DatasetError("the attributes of an object have no names")
    parts = {}
    if parsed.info.type.name == "VEC":
        names = _names(attributes.get("names", ()))
        pairs = zip(names, parsed.value, strict=False)
        parts = {name: _object(path, part, depth + 1) for name, part in pairs}
    return RObject(parsed, attributes, parts)


def _names(given: Any) -> tuple[str, ...]:
    if given is None:
        return ()
    return tuple(map(str, np.ma.getdata(given).tolist() if hasattr(given, "tolist") else given))


def _text(part: Any) -> str | None:
    if not isinstance(part.value, bytes | NoneType):
        raise DatasetError("a vector of text holds something else")
    return None if part.value is None else part.value.decode("utf-8", "replace")
