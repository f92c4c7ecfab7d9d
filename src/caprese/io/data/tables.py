"""Tables of samples x events: CSV, TSV and similar text."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from types import MappingProxyType

import numpy as np

from caprese._core.files import FilePath, format_error, replacing, shown
from caprese._core.words import number_of
from caprese.data.dataset import Dataset
from caprese.errors import FormatError
from caprese.io.text.cells import name_in, quoted_cell
from caprese.io.text.delimited import Row, delimited_rows, usual

_PRESENT = ("1", "1.0", "true", "t", "yes", "y", "present", "mutated", "mut", "altered")
_ABSENT = ("0", "0.0", "false", "f", "no", "n", "absent", "wt", "wildtype", "wild-type")
_UNKNOWN = ("", "na", "n/a", "nan", "?", ".", "unknown", "null", "none", "missing", "not profiled")
ENTRIES: Mapping[str, bool | None] = MappingProxyType(
    dict.fromkeys(_PRESENT, True) | dict.fromkeys(_ABSENT, False) | dict.fromkeys(_UNKNOWN, None)
)
"""The meaning of each entry of a table, in lower case; None for unknown."""

_CODES = {False: 0, True: 1, None: 2}
_EXPECTED = "expected 0/1, true/false, yes/no, present/absent, or empty/NA where unknown"
_LOOK_AHEAD = 200
_SAMPLE_HEADER = re.compile(
    "(sample|tumou?rsample|patient|case)s?(id|name|barcode)?|id|names?|barcode|rownames|unnamed:0|"
)
_TAB_SUFFIXES = frozenset({".tsv", ".tab", ".txt"})


def read_table(
    path: FilePath, *, delimiter: str | None = None, sample_names: bool | None = None
) -> Dataset:
    """Read a table with one row per sample and one column per event.

    The first line holds the names of the events; lines before it that start with ``#`` are skipped,
    and so are all blank lines. `ENTRIES` lists the texts for present, absent and unknown.

    Parameters
    ----------
    path
        A UTF-8 file, or ``-`` for standard input.
    delimiter
        One character; a space means any run of white space. By default comma, tab or semicolon,
        whichever splits the lines most evenly; white space only if the file has none of them.
    sample_names
        Whether the first column holds sample names. By default it does if it has no header, a
        header such as ``sample`` or ``patient_id``, or fewer than half its cells are entries.
    """
    with closing(delimited_rows(path, delimiter)) as rows:
        return table_of_rows(path, rows, sample_names)


def table_of_rows(path: FilePath, rows: Iterator[Row], sample_names: bool | None = None) -> Dataset:
    """Return the data set in rows of text, the header first, in the same way as `read_table`."""
    first = list(islice(rows, _LOOK_AHEAD))
    return _dataset(_layout(path, first, sample_names), chain(first[1:], rows))


def write_dataset(
    data: Dataset,
    path: FilePath,
    *,
    guard_formulas: bool = False,
    columns: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> None:
    """Write a data set as CSV, or tab-separated if the suffix is .tsv, .tab or .txt.

    The first column holds the names of the samples; unknown entries are ``NA``. An existing file is
    replaced only when the new one is complete.

    Parameters
    ----------
    data
        The data set.
    path
        The file to write.
    guard_formulas
        Whether to put an apostrophe before names that a spreadsheet would take for a formula: those
        that begin with ``=``, ``+``, ``-`` or ``@``, such as ``-7q``. It protects a person who
        opens names from an untrusted source in a spreadsheet. `read_dataset` removes it.
    columns
        More columns to write after the events, by title: one text for each sample.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> data = Dataset.from_rows([[1, 0], [None, 1]], events=["-7q", "a,b"])
    >>> with TemporaryDirectory() as folder:
    ...     write_dataset(data, Path(folder, "data.csv"))
    ...     print(Path(folder, "data.csv").read_text())
    sample,-7q,"a,b"
    1,1,0
    2,NA,1
    """
    delimiter = "\t" if Path(path).suffix.lower() in _TAB_SUFFIXES else ","
    words = np.array(["0", "1", "NA"], dtype=object)
    quoted = partial(quoted_cell, guard_formulas=guard_formulas)
    with replacing(path) as file:
        file.write(delimiter.join(map(quoted, ("sample", *data.events, *columns))) + "\n")
        for sample, row, *more in zip(data.samples, data.codes(), *columns.values(), strict=True):
            cells = (quoted(sample), *words[row], *map(quoted, more))
            file.write(delimiter.join(cells) + "\n")


@dataclass(frozen=True)
class _Layout:
    """The columns of a table."""

    path: FilePath
    events: tuple[str, ...]
    named: bool  # the first column holds sample names

    @property
    def width(self) -> int:
        return len(self.events) + self.named


def _layout(path: FilePath, first: Sequence[Row], sample_names: bool | None) -> _Layout:
    (line, header), *rows = first
    if not rows:
        raise format_error(path, "there is only a header; expected one row per sample", line=line)
    short = usual(len(fields) for _, fields in rows) == len(header) + 1  # R's write.table
    titled = _SAMPLE_HEADER.fullmatch(re.sub(r"[-_.\s]", "", header[0].lower())) is not None
    named = sample_names
    if named is None:
        named = short or titled or _mostly_names(rows)
    skipped = named and not short
    events = tuple(map(name_in, header[skipped:]))
    if not events:
        problem = f"no event after the sample names ({shown(header[0])}); is the delimiter right?"
        raise format_error(path, problem, line=line)
    if not (named and (short or titled)) and {"0", "1"}.issuperset(events):
        problem = "the first line holds entries; expected a header with event names"
        raise format_error(path, problem, line=line)
    _check_events(path, line, events, start=1 + skipped)
    return _Layout(path, events, named)


def _mostly_names(rows: Sequence[Row]) -> bool:
    entries = sum(fields[0].strip().lower() in ENTRIES for _, fields in rows)
    return 2 * entries < len(rows)


def _check_events(path: FilePath, line: int, events: Sequence[str], start: int) -> None:
    seen: dict[str, int] = {}
    for column, name in enumerate(events, start):
        if not name.strip():
            problem = "the event name is empty; expected some text"
            raise format_error(path, problem, line=line, column=column)
        if name in seen:
            problem = f"column {seen[name]} has the same name; event names must differ"
            raise format_error(path, problem, line=line, column=column, name=name)
        seen[name] = column


class _Codes(dict[str, int]):
    """The code of each entry; other spellings (upper case, spaces) are added when first read."""

    def __missing__(self, text: str) -> int:
        plain = text.strip().lower()
        if plain not in ENTRIES:
            raise KeyError(text)
        code = self[text] = _CODES[ENTRIES[plain]]
        return code


def _dataset(layout: _Layout, rows: Iterable[Row]) -> Dataset:
    code, table, samples = _Codes().__getitem__, bytearray(), dict[str, int]()
    for line, fields in rows:
        if len(fields) != layout.width:
            raise _ragged(layout, line, len(fields))
        if layout.named:
            name = name_in(fields[0])
            _check_sample(layout.path, line, name, samples)
            samples[name] = line
        try:
            table += bytes(map(code, fields[layout.named :]))
        except KeyError as error:
            raise _not_an_entry(layout, line, fields, error.args[0]) from None
    codes = np.frombuffer(table, dtype=np.uint8).reshape(-1, len(layout.events))
    known = codes != _CODES[None]
    return Dataset(codes == _CODES[True], layout.events, tuple(samples), known)


def _check_sample(path: FilePath, line: int, name: str, seen: Mapping[str, int]) -> None:
    if not name.strip():
        problem = "the sample name is empty; expected some text"
        raise format_error(path, problem, line=line, column=1)
    if name in seen:
        problem = f"sample {shown(name)} is also in line {seen[name]}; names must differ"
        raise format_error(path, problem, line=line, column=1)


def _ragged(layout: _Layout, line: int, width: int) -> FormatError:
    events = number_of(len(layout.events), "event")
    expected = f"a sample name and {events}" if layout.named else events
    problem = f"{number_of(width, 'field')}, expected {layout.width}: {expected}"
    return format_error(layout.path, problem, line=line)


def _not_an_entry(layout: _Layout, line: int, fields: Sequence[str], text: str) -> FormatError:
    column = fields.index(text, layout.named)
    problem = f"{shown(text)} is not an entry; {_EXPECTED}"
    name = layout.events[column - layout.named]
    return format_error(layout.path, problem, line=line, column=column + 1, name=name)
