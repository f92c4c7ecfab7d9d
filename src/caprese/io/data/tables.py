"""Tables of samples x events: CSV, TSV and similar text."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import sealed
from caprese._core.files import (
    STDIN,
    FilePath,
    first_ones,
    format_error,
    over_budget,
    replacing,
    shown,
)
from caprese._core.names import SAMPLE_TITLE, plain_title, transposed
from caprese._core.words import did_you_mean, listing, number_of, visible
from caprese.data.columns import ENTRIES
from caprese.data.dataset import Dataset
from caprese.errors import DatasetError, FormatError, Remedy
from caprese.io.data.plain_tables import PlainCells, plain_cells
from caprese.io.data.reading import Note, Reading, check_cells, left_out_notes, most_samples
from caprese.io.text.cells import Codes, name_in, quoted_cell
from caprese.io.text.delimited import Names, Row, delimited, ragged, usual

_UNKNOWN_CODE, _WRONG = 2, 3  # beside 0 for absent and 1 for present
_CODE_OF_TEXT = {
    text: _UNKNOWN_CODE if present is None else int(present) for text, present in ENTRIES.items()
}
_PER_PLAIN_CELL = 3.5  # bytes in bulk: the code with room for more, a copy, and what is known
EXPECTED_ENTRIES = "expected 0/1, true/false, yes/no, present/absent, or empty/NA where unknown"
_LOOK_AHEAD = 200
_LOOK_FURTHER = 10_000_000  # cells in which other columns without entries are looked for
_MOST_NAMED = 8
_SAMPLE_HEADER = re.compile(f"{SAMPLE_TITLE.pattern}|id|names?|barcode|rownames|unnamed:0|")
_TAB_SUFFIXES = frozenset({".tsv", ".tab", ".txt"})


class WantedColumns:
    """Which columns may be left out if they do not hold entries, such as the age of a patient.

    They are those in `exclude`, and those that are not in `only`, unless it is None.
    """

    def __init__(
        self, only: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> None:
        self.only, self.exclude = (
            None if only is None else frozenset(only),
            frozenset(exclude or ()),
        )
        self._wrong: dict[str, str] = {}

    def unwanted(self, name: str) -> bool:
        """Whether a column may be left out."""
        return name in self.exclude or (self.only is not None and name not in self.only)

    def leave_out(self, name: str, problem: str) -> None:
        """Leave a column out because of a problem, which `check` reports if it is wanted."""
        if not self.unwanted(name):
            self._wrong.setdefault(name, problem)

    def check(self, header: Collection[str]) -> None:
        """Refuse a table if a column that is wanted was left out."""
        for problem in self._wrong.values():
            raise self.refusal(problem, list(self._wrong), header)

    def refusal(self, problem: str, wrong: Sequence[str], header: Collection[str]) -> DatasetError:
        """Return the error about columns that do not hold entries and are not to be left out.

        A misspelt name is found by the `header`, all columns; empty if they are not known.
        """
        for name in sorted(self.exclude | (self.only or frozenset())):
            meant = did_you_mean(name, wrong)
            if meant and header and name not in header:
                return DatasetError(f"{problem}; there is no column {name!r}{meant}")
        named = listing(map(repr, wrong), _MOST_NAMED)
        if self.only is not None:
            are = "is" if len(wrong) == 1 else "are"
            return DatasetError(f"{problem}; {named} {are} among the events to keep")
        if len(wrong) == len(header):
            return DatasetError(problem)  # nothing would be left
        names = [*sorted(self.exclude), *wrong]
        if len(wrong) > _MOST_NAMED or any("," in name or visible(name) != name for name in names):
            such = f"such are {number_of(len(wrong), 'column')}: {named}"
            remedy = Remedy("exclude", None, "leaves out those it names")
            return DatasetError(f"{problem}; {such}", remedy=remedy)
        them = "it" if len(wrong) == 1 else "such columns"
        return DatasetError(problem, remedy=Remedy("exclude", names, f"leaves {them} out"))


def read_table(
    path: FilePath,
    *,
    delimiter: str | None = None,
    sample_names: bool | None = None,
    transpose: bool = False,
    only: Collection[str] | None = None,
    exclude: Collection[str] | None = None,
) -> Reading:
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
    transpose
        Whether the table has one row per event and one column per sample.
    only, exclude
        Events to keep, and to exclude: their columns may hold anything, such as an age. Columns
        that do hold entries are read all the same, so that their events can be counted.
    """
    columns = WantedColumns(only, exclude)
    with delimited(path, delimiter) as (mark, rows):
        return table_of_rows(
            path, rows, sample_names, transpose=transpose, columns=columns, delimiter=mark
        )


def table_of_rows(
    path: FilePath,
    rows: Iterator[Row],
    sample_names: bool | None = None,
    *,
    transpose: bool,
    columns: WantedColumns,
    delimiter: str = "",
) -> Reading:
    """Return the data set in rows of text, the header first, in the same way as `read_table`."""
    first = list(first_ones(rows, _LOOK_AHEAD, lambda row: sum(map(len, row[1]))))
    layout = _layout(path, first, sample_names, transpose=transpose, columns=columns)
    plain = _in_bulk(layout, first, delimiter) if delimiter else None
    return _reading(layout, chain(first[1:], rows)) if plain is None else _checked(layout, *plain)


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
    delimiter = _delimiter(path)
    words = np.array(["0", "1", "NA"], dtype=object)
    quoted = partial(quoted_cell, guard_formulas=guard_formulas)
    with replacing(path) as file:
        file.write(header_line(data, path, columns, guard_formulas=guard_formulas))
        for sample, row, *more in zip(data.samples, data.codes(), *columns.values(), strict=True):
            cells = (quoted(sample), *words[row], *map(quoted, more))
            file.write(delimiter.join(cells) + "\n")


def header_line(
    data: Dataset, path: FilePath, columns: Iterable[str] = (), *, guard_formulas: bool = False
) -> str:
    """Return the first line of the file that `write_dataset` writes."""
    quoted = partial(quoted_cell, guard_formulas=guard_formulas)
    return _delimiter(path).join(map(quoted, ("sample", *data.events, *columns))) + "\n"


def _delimiter(path: FilePath) -> str:
    return "\t" if Path(path).suffix.lower() in _TAB_SUFFIXES else ","


@dataclass(frozen=True)
class _Layout:
    """The columns of a table."""

    path: FilePath
    title: str  # of the column of names, empty without one
    names: tuple[str, ...]  # of the other columns
    named: bool  # the first column holds the names of the rows
    transposed: bool  # rows are events
    columns: WantedColumns

    @property
    def width(self) -> int:
        return len(self.names) + self.named

    @property
    def nouns(self) -> tuple[str, str]:
        """What a row is, and what a column is."""
        return ("event", "sample") if self.transposed else ("sample", "event")

    def wrong(self, fields: Sequence[str], codes: Iterable[int]) -> Iterator[tuple[int, str]]:
        """Yield the column and the event of each cell of a row that is not an entry."""
        for column, code in enumerate(codes):
            if code == _WRONG:
                yield column, name_in(fields[0]) if self.transposed else self.names[column]


def _layout(
    path: FilePath,
    first: Sequence[Row],
    sample_names: bool | None,
    *,
    transpose: bool,
    columns: WantedColumns,
) -> _Layout:
    (line, header), *rows = first
    row, column = ("event", "sample") if transpose else ("sample", "event")
    if not rows:
        raise format_error(path, f"there is only a header; expected one row per {row}", line=line)
    short = usual(len(fields) for _, fields in rows) == len(header) + 1  # R's write.table
    titled = _SAMPLE_HEADER.fullmatch(plain_title(header[0])) is not None
    named = True if transpose else sample_names
    if named is None:
        named = short or titled or _mostly_names(rows)
    skipped = named and not short
    names = tuple(map(name_in, header[skipped:]))
    if not names:
        problem = f"no {column} after the {row} names ({shown(header[0])}); is the delimiter right?"
        raise format_error(path, problem, line=line)
    if not (named and (short or titled)) and {"0", "1"}.issuperset(names):
        problem = f"the first line holds entries; expected a header with {column} names"
        raise format_error(path, problem, line=line)
    distinct = Names(path, column, "column")
    for place, name in enumerate(names, start=1 + skipped):
        distinct.add(name, line=line, column=place)
    return _Layout(path, header[0] if skipped else "", names, named, transpose, columns)


def _mostly_names(rows: Sequence[Row]) -> bool:
    entries = sum(fields[0].strip().lower() in ENTRIES for _, fields in rows)
    return 2 * entries < len(rows)


def _reading(layout: _Layout, rows: Iterable[Row]) -> Reading:
    code, table = Codes(_CODE_OF_TEXT, _WRONG).__getitem__, bytearray()
    samples = Names(layout.path, layout.nouns[0], "line")
    left_out, rows = dict[str, None](), iter(rows)
    most = most_samples(len(layout.names)) * len(layout.names)
    for line, fields in rows:
        if len(fields) != layout.width:
            raise _ragged(layout, line, len(fields))
        if layout.named:
            samples.add(name_in(fields[0]), line=line, column=1)
        codes = bytes(map(code, fields[layout.named :]))
        if _WRONG in codes:
            for column, event in layout.wrong(fields, codes):
                if not layout.columns.unwanted(event):
                    raise _not_an_entry(layout, (line, fields), column, rows, code)
                left_out[event] = None
        table += codes
        if len(table) > most:
            raise over_budget(layout.path, "the table is too large")
    cells = np.frombuffer(table, dtype=np.uint8).reshape(-1, len(layout.names))
    return _checked(layout, cells, tuple(samples), tuple(left_out))


def _in_bulk(layout: _Layout, first: Sequence[Row], delimiter: str) -> PlainCells | None:
    """Return the cells if all can be read in bulk, which is not worth it in a small file."""
    if len(first) < _LOOK_AHEAD or layout.path == STDIN or not Path(layout.path).is_file():
        return None  # a stream can be read only once
    (start, _), width = first[1], len(layout.names)
    most = most_samples(width, _PER_PLAIN_CELL)
    return plain_cells(layout.path, start, delimiter, width, named=layout.named, most=most)


def _checked(
    layout: _Layout,
    cells: NDArray[np.uint8],
    rows: tuple[str, ...],
    left_out: tuple[str, ...] = (),
) -> Reading:
    """Return the data set in cells, with notes; refuse a table that exceeds the budget."""
    shape = cells.shape[::-1] if layout.transposed else cells.shape
    check_cells(layout.path, shape[0], shape[1], _PER_PLAIN_CELL)
    doubts = tuple(_doubts(layout, rows))
    if layout.transposed:
        cells, samples, events = np.ascontiguousarray(cells.T), layout.names, rows
    else:
        samples, events = rows, layout.names
    if left_out:
        kept = [place for place, event in enumerate(events) if event not in left_out]
        if not kept:
            raise format_error(layout.path, "no column with entries would be left")
        cells, events = cells[:, kept], tuple(events[place] for place in kept)
    notes = (*doubts, *left_out_notes(left_out))
    return Reading(_in_place(cells, events, samples), notes, left_out=left_out, doubts=doubts)


def _in_place(
    cells: NDArray[np.uint8], events: tuple[str, ...], samples: tuple[str, ...]
) -> Dataset:
    """Return the data set in cells, which become its values: a large table is not copied."""
    known = None
    if cells.max() == _UNKNOWN_CODE:
        known = sealed(cells != _UNKNOWN_CODE)
        cells &= 1  # unknown, 2, becomes absent
    return Dataset(sealed(cells).view(bool), events, samples, known)


def _doubts(layout: _Layout, rows: Sequence[str]) -> Iterator[Note]:
    """Yield a note if rows seem to be events, or columns samples."""
    if layout.transposed or not layout.named:
        return
    if why := transposed(layout.title, "", layout.names, rows):
        remedy = Remedy("transpose", True, "reads one column per sample")
        yield Note(f"the table looks transposed: {why}", remedy)


def _ragged(layout: _Layout, line: int, width: int) -> FormatError:
    row, column = layout.nouns
    cells = number_of(len(layout.names), column)
    what = f": a {row} name and {cells}" if layout.named else f": {cells}"
    return ragged(layout.path, line, width, layout.width, what)


def _not_an_entry(
    layout: _Layout, row: Row, column: int, below: Iterator[Row], code: Callable[[str], int]
) -> FormatError:
    """Return the error about a cell; it names all events that are wanted and have such cells."""
    line, fields = row
    events = dict[str, None]()
    with suppress(FormatError):  # one problem at a time
        for _, others in islice(chain([row], below), 1 + _LOOK_FURTHER // layout.width):
            codes = map(code, others[layout.named : layout.width])
            events |= dict.fromkeys(event for _, event in layout.wrong(others, codes))
    wrong = [event for event in events if not layout.columns.unwanted(event)]
    problem = f"{shown(fields[layout.named + column])} is not an entry; {EXPECTED_ENTRIES}"
    found = layout.columns.refusal(problem, wrong, () if layout.transposed else layout.names)
    place = {"line": line, "column": column + layout.named + 1}
    name = layout.names[column]
    return format_error(layout.path, found.what(), name=name, remedy=found.remedy, **place)
