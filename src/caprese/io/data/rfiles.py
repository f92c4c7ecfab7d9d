"""R files: matrices, data frames and TRONCO objects from .rda, .RData and .rds."""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from caprese._core.files import FilePath, format_error, shown, unpacked_bytes
from caprese._core.names import numbered
from caprese._core.words import listing, number_of
from caprese.data.dataset import Dataset
from caprese.errors import DatasetError, FormatError
from caprese.io.data.frames import dataset_of_frame
from caprese.io.data.reading import Reading, extra

_MAGICS = (b"RDA", b"RDX", b"RDB", b"X\n", b"A\n", b"B\n", b"BZh", b"\xfd7zXZ")
_READABLE = ("TRONCO object", "data frame", "matrix")
_DIGITS: dict[Any, Any] = {"0": 0, "1": 1, "NA": None}


def read_r(path: FilePath, *, name: str | None = None) -> Reading:
    """Read samples x events from an R file.

    A matrix or data frame of 0, 1, TRUE, FALSE and NA needs column names; row names, if present,
    are the names of the samples. Of a TRONCO object the genotypes are read; its events are named
    by gene and type, ``ASXL1 (Nonsense point)``, or by gene alone if there is only one type.

    Parameters
    ----------
    path
        An .rda, .RData or .rds file. This needs the extra ``r``.
    name
        The object to read; needed only if several objects in the file can be read.
    """
    objects = _objects(path)
    found = {key: item for key, item in objects.items() if item.kind in _READABLE}
    if name is None and len(found) > 1:
        names = ", ".join(map(shown, found))
        raise format_error(path, f"several objects can be read; set name to one of {names}")
    if not found or (name is not None and name not in found):
        wanted = "matrix, data frame or TRONCO object" if name is None else f"object {shown(name)}"
        inside = listing(f"{key} ({item.kind})" for key, item in objects.items())
        raise format_error(path, f"no {wanted} to read; the file holds {inside or 'nothing'}")
    chosen = found[name] if name is not None else next(iter(found.values()))
    try:
        return _reading(path, chosen)
    except DatasetError as error:
        raise format_error(path, str(error)) from error


@dataclass(frozen=True)
class _Object:
    """A parsed R object, its attributes, and its parts by name."""

    parsed: Any
    attributes: Mapping[str, Any]
    parts: Mapping[str, "_Object"]

    @property
    def kind(self) -> str:
        if {"genotypes", "annotations"} <= self.parts.keys():
            return "TRONCO object"
        if "data.frame" in self.attributes.get("class", ()):
            return "data frame"
        if len(self.attributes.get("dim", ())) == 2:
            return "matrix"
        return "list" if self.parts else "something else"


def _reading(path: FilePath, item: _Object) -> Reading:
    if item.kind == "TRONCO object":
        return _tronco(path, item)
    if item.kind == "data frame":
        return Reading(dataset_of_frame(path, _converted(path, item.parsed)))
    events, samples = _columns(item), _dimnames(item)[0]
    return Reading(Dataset.from_rows(_matrix(path, item), events, samples))


def _objects(path: FilePath) -> dict[str, _Object]:
    parser = extra(path, "rdata.parser", "r")
    content = unpacked_bytes(path)
    if not content.startswith(_MAGICS):
        raise format_error(path, "not an R file; expected .rda, .RData or .rds")
    with _understood(path):
        root = parser.parse_data(content).object
        if root.info.type is not parser.RObjectType.LIST:
            return {"object": _object(path, root)}  # an .rds file holds one object without a name
        found = {}
        while root.info.type is parser.RObjectType.LIST:
            head, tail = root.value
            found[str(_converted(path, root.tag))] = _object(path, head)
            root = tail
        return found


@contextmanager
def _understood(path: FilePath) -> Iterator[None]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about classes unknown to rdata, which become lists
            yield
    except FormatError:
        raise
    except Exception as error:  # damaged bytes can raise anything in rdata
        reason = shown(str(error) or type(error).__name__)
        raise format_error(path, f"this R file cannot be read: {reason}") from error


def _converted(path: FilePath, parsed: Any) -> Any:
    with _understood(path):
        return extra(path, "rdata.conversion", "r").convert(parsed)


def _object(path: FilePath, parsed: Any) -> _Object:
    attributes = {} if parsed.attributes is None else _converted(path, parsed.attributes)
    parts = {}
    if parsed.info.type.name == "VEC":
        names = (str(name) for name in attributes.get("names", ()))
        parts = {n: _object(path, part) for n, part in zip(names, parsed.value, strict=False)}
    return _Object(parsed, attributes, parts)


def _dimnames(item: _Object) -> tuple[tuple[str, ...], tuple[str, ...]]:
    names = item.attributes.get("dimnames")
    both = list(names.values()) if isinstance(names, Mapping) else list(names or (None, None))
    rows, columns = (() if part is None else tuple(map(str, part)) for part in both)
    return rows, columns


def _columns(item: _Object) -> tuple[str, ...]:
    columns = _dimnames(item)[1]
    if not columns:
        raise DatasetError("the matrix has no column names; expected one for each event")
    return columns


def _matrix(path: FilePath, item: _Object) -> NDArray[Any]:
    """Return the entries, None where R has NA; quoted digits become numbers."""
    strings = item.parsed.info.type.name == "STR"
    flat = _converted(path, item.parsed) if strings else item.parsed.value
    entries = np.array(
        [_DIGITS.get(entry, entry) for entry in np.ma.getdata(flat).tolist()], dtype=object
    )
    entries[np.ma.getmaskarray(flat)] = None
    return entries.reshape([int(length) for length in item.attributes["dim"]], order="F")


def _tronco(path: FilePath, item: _Object) -> Reading:
    genotypes, annotations = item.parts["genotypes"], item.parts["annotations"]
    keys = _columns(genotypes)
    rows, columns = _dimnames(annotations)
    words = _matrix(path, annotations)
    if not {"type", "event"} <= set(columns) or not set(keys) <= set(rows):
        raise DatasetError("the annotations of this TRONCO object do not name its events")
    types = dict(zip(rows, words[:, columns.index("type")], strict=True))
    genes = dict(zip(rows, words[:, columns.index("event")], strict=True))
    names = _tronco_names([str(genes[key]) for key in keys], [str(types[key]) for key in keys])
    data = Dataset.from_rows(_matrix(path, genotypes), numbered(names), _dimnames(genotypes)[0])
    same = [event for event, name in zip(data.events, names, strict=True) if event != name]
    number = number_of(len(same), "event")
    note = f"numbered {number} with the same name as another: {listing(same)}"
    return Reading(data, (note,) * bool(same))


def _tronco_names(genes: Sequence[str], types: Sequence[str]) -> list[str]:
    if len(set(types)) == 1:
        return list(genes)
    return [f"{gene} ({kind})" for gene, kind in zip(genes, types, strict=True)]
