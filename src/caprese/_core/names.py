"""Names of events and samples: any text, as long as names are unique; TCGA barcodes."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from caprese._core.arrays import IntArray
from caprese._core.words import visible
from caprese.errors import CapreseError, ModelError

BARCODE = re.compile(r"(TCGA-[A-Z0-9]{2}-[A-Z0-9]{4})(?:-(\d{2})[A-Z]?(?:-.*)?)?", re.IGNORECASE)


SAMPLE_TITLE = re.compile("(sample|tumou?rsample|patient|case)s?(id|name|barcode)?")
_GENE_HEADER = re.compile("(gene|hugo|event|symbol|alteration|mutation)s?(id|name|symbol)?s?")


def plain_title(title: object) -> str:
    """Return the title of a column without case and separators: SAMPLE_ID is sampleid."""
    return re.sub(r"[-_.\s]", "", str(title).lower())


def transposed(title: object, across: object, columns: Sequence[Any], rows: Sequence[Any]) -> str:
    """Return why a table seems to have a row per event and a column per sample; empty if not.

    `title` is that of the names of its rows, `across` that of its columns, if they have one.
    """
    if across and SAMPLE_TITLE.fullmatch(plain_title(across)):
        return f"its columns are titled {visible(repr(across))}"
    barcodes = sum(BARCODE.fullmatch(str(name)) is not None for name in columns)
    if 2 * barcodes > len(columns) and not any(BARCODE.fullmatch(str(name)) for name in rows):
        return "the columns are named like patients"
    if len(columns) <= len(rows):
        return ""
    if title and _GENE_HEADER.fullmatch(plain_title(title)):
        return f"its first column is {visible(repr(title))}"
    numbers = [str(k) for k in range(1, len(columns) + 1)]
    if list(columns) == numbers and not any(str(name).isdecimal() for name in rows):
        return "the columns are numbered like samples"
    return ""


def distinct_names(kind: str, names: Iterable[str], error: type[CapreseError]) -> tuple[str, ...]:
    """Return the names as a tuple; raise the error if any is blank or not unique."""
    result = tuple(map(str, names))
    if not all(result) or any(map(str.isspace, result)):  # without a copy of a long name
        position = next(k for k, name in enumerate(result, 1) if not name or name.isspace())
        raise error(f"{kind} {position} has an empty name")
    if len(set(result)) < len(result):
        name, times = Counter(result).most_common(1)[0]
        raise error(f"{kind} name {visible(repr(name))} appears {times} times; names must differ")
    return result


def numbered(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names with repeated ones numbered."""
    given = list(names)
    taken, seen, result = set(given), Counter[str](), []
    if len(taken) == len(given):
        return tuple(given)
    for name in given:
        seen[name] += 1
        fresh = name if seen[name] == 1 else f"{name}.{seen[name]}"
        while seen[name] > 1 and fresh in taken:
            seen[name] += 1
            fresh = f"{name}.{seen[name]}"
        taken.add(fresh)
        result.append(fresh)
    return tuple(result)


def event_names(number: int) -> tuple[str, ...]:
    """Return names for events that have none; their alphabetical order is the numerical one."""
    width = len(str(number))
    return tuple(f"e{k:0{width}d}" for k in range(1, number + 1))


def by_name(names: Sequence[str]) -> IntArray:
    """Return the positions of names in alphabetical order."""
    return np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)


def places(names: Sequence[str], like: Sequence[str], who: str) -> IntArray:
    """Return the position in `names` of each event of `like`; both must have the same events."""
    if set(names) != set(like):
        odd = min(set(names) ^ set(like))
        raise ModelError(f"{who} must have the same events; {visible(repr(odd))} is in one only")
    place = {name: position for position, name in enumerate(names)}
    return np.array([place[name] for name in like], dtype=np.int64)


def short_barcode(name: str, length: str) -> str:
    """Return a barcode shortened to its sample or its patient; other names as they are."""
    parts = BARCODE.fullmatch(name)
    if parts is None:
        return name
    return f"{parts[1]}-{parts[2]}" if length == "sample" and parts[2] else parts[1]
