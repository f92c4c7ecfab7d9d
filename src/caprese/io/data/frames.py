"""Frames: Parquet and Excel files."""

import io
import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import sealed
from caprese._core.budget import share, size_words
from caprese._core.files import (
    MARK,
    FilePath,
    format_error,
    over_budget,
    replace_file,
    shown,
    unpacked_bytes,
)
from caprese._core.names import distinct_names
from caprese._core.words import number_of
from caprese.data.dataset import Dataset
from caprese.errors import DatasetError
from caprese.io.data.reading import Reading, check_cells, extra, left_out_notes, understood
from caprese.io.data.tables import WantedColumns, table_of_rows, write_dataset
from caprese.io.data.workbooks import opened_sheet
from caprese.io.text.cells import cell, name_in

_BATCH = 2**16  # rows of a Parquet file that are decoded at a time
_TOGETHER = 64  # columns of it
_PER_BYTE = 2  # bytes of memory for each byte of values, unpacked
_PER_NAME = 8  # bytes of memory for each byte of a sample name
_CODED = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
_MOST_COLUMNS, _MOST_ROWS, _LONGEST_TEXT = 16_384, 1_048_576, 32_767  # in a sheet of Excel
_UNKNOWN, _WRONG = 2, 3  # codes of entries beside 0 and 1


def read_excel(
    path: FilePath,
    *,
    sheet: str | None = None,
    sample_names: bool | None = None,
    transpose: bool = False,
    only: Collection[str] | None = None,
    exclude: Collection[str] | None = None,
) -> Reading:
    """Read a sheet of an Excel file (.xlsx, .xlsm), as `read_table` reads a text file.

    By default it is the first sheet that is not hidden. This needs the extra ``excel``.
    """
    with opened_sheet(path, sheet) as (opened, rows):
        columns = WantedColumns(only, exclude)
        reading = table_of_rows(path, rows, sample_names, transpose=transpose, columns=columns)
        opened.check_names(path, reading.data)
        return replace(reading, notes=(*opened.notes(), *reading.notes))


def read_parquet(
    path: FilePath,
    *,
    samples: str | None = None,
    only: Collection[str] | None = None,
    exclude: Collection[str] | None = None,
) -> Reading:
    """Read a Parquet file with one row per sample and one column per event.

    Columns hold booleans or 0 and 1; nulls are unknown. `samples` is the column of sample names: by
    default the index that pandas stored, or else the first column if it holds text. `only` and
    `exclude` are as for `read_table`; columns that cannot hold entries are not decoded. This needs
    the extra ``parquet``.
    """
    extra(path, "pyarrow", "parquet")
    content = unpacked_bytes(path, memory=2)
    try:
        with understood(path, "not a Parquet file"):
            return _parquet(path, content, samples, WantedColumns(only, exclude))
    except DatasetError as error:
        raise format_error(path, error.what(), remedy=error.remedy) from error


def write_data(data: Dataset, path: FilePath, *, guard_formulas: bool = False) -> None:
    """Write a data set as Excel (.xlsx), Parquet (.parquet), or text as `write_dataset` does.

    `guard_formulas` is for text; in the other formats a name cannot be taken for a formula.
    """
    match Path(path).suffix.lower():
        case ".xlsx":
            write_excel(data, path)
        case ".parquet":
            write_parquet(data, path)
        case _:
            write_dataset(data, path, guard_formulas=guard_formulas)


def write_parquet(data: Dataset, path: FilePath) -> None:
    """Write a data set as Parquet, with the samples as the index; unknown entries are null."""
    extra(path, "pyarrow", "parquet")
    events, samples = (tuple(map(cell, names)) for names in (data.events, data.samples))
    frame = Dataset(data.values, events, samples, data.known).to_frame().rename_axis("sample")
    frame.attrs["program"] = MARK
    content = io.BytesIO()
    frame.to_parquet(content)
    replace_file(path, content.getvalue())


def write_excel(data: Dataset, path: FilePath) -> None:
    """Write a data set as an Excel file, names as text; unknown entries are empty cells."""
    openpyxl = extra(path, "openpyxl", "excel")
    book = openpyxl.Workbook(write_only=True)
    book.properties.lastModifiedBy = MARK  # another program replaces it
    sheet = book.create_sheet("data")
    cells = openpyxl.cell.WriteOnlyCell

    def text(name: str) -> Any:
        # Excel takes _x0041_ for A, and _x005F_ for the underscore before it.
        found = cells(sheet, value=_CODED.sub("_x005F_", cell(name)))
        found.data_type = "s"
        return found

    _check_room(data, path)
    known = data.known_mask
    sheet.append([text(name) for name in ("sample", *data.events)])
    for name, row, mask in zip(data.samples, data.values, known, strict=True):
        entries = zip(row.tolist(), mask.tolist(), strict=True)
        sheet.append([text(name), *(int(entry) if seen else None for entry, seen in entries)])
    content = io.BytesIO()
    book.save(content)
    replace_file(path, content.getvalue())


def _check_room(data: Dataset, path: FilePath) -> None:
    """Refuse what no sheet of Excel can hold."""
    names = (*data.events, *data.samples)
    for noun, number, most in (
        ("columns", len(data.events) + 1, _MOST_COLUMNS),
        ("rows", len(data.samples) + 1, _MOST_ROWS),
        ("characters in a name", max(len(cell(name)) for name in names), _LONGEST_TEXT),
    ):
        if number > most:
            problem = f"{number:,} {noun}, but Excel has at most {most:,}"
            raise format_error(path, f"{problem}; choose the suffix .csv or .parquet")


def _parquet(
    path: FilePath, content: bytes, samples: str | None, columns: WantedColumns
) -> Reading:
    parquet = extra(path, "pyarrow.parquet", "parquet")
    schema = parquet.read_schema(io.BytesIO(content))
    named = samples if samples is not None else _name_column(schema)
    if named is not None and schema.names.count(named) != 1:
        raise DatasetError(f"the file has no column {shown(named)} of sample names")
    repeated = [] if named is None else [named]  # texts that are kept once in memory
    file = parquet.ParquetFile(io.BytesIO(content), read_dictionary=repeated)
    height = file.metadata.num_rows
    groups = map(file.metadata.row_group, range(file.metadata.num_row_groups))
    size = sum(group.total_byte_size for group in groups)
    if size > share(_PER_BYTE):
        raise over_budget(path, f"{size_words(size)} of values")
    events, foreign = _events(schema, named, columns)
    check_cells(path, height, len(events))
    codes = np.full((height, len(events)), _UNKNOWN, dtype=np.uint8)
    left_out = (*foreign, *_decoded(file, events, codes, columns))
    columns.check([*map(name_in, (*events, *foreign))])
    kept = [place for place, name in enumerate(events) if name not in left_out]
    if not kept or not height:
        size = f"{number_of(len(kept), 'column')} of entries and {number_of(height, 'row')}"
        raise DatasetError(f"{size}; expected one or more of both")
    values = codes[:, kept]
    names = _sample_names(path, file, named) if named is not None else _range(schema, height)
    wanted = tuple(name_in(events[place]) for place in kept)
    data = Dataset(sealed(values == 1), wanted, names, sealed(values != _UNKNOWN))
    names_out = tuple(map(name_in, left_out))
    return Reading(data, left_out_notes(names_out), left_out=names_out)


def _events(schema: Any, named: str | None, columns: WantedColumns) -> tuple[list[str], list[str]]:
    """Return the columns that may hold entries, and those of a type that cannot."""
    kinds = {name: schema.field(k).type for k, name in enumerate(schema.names) if name != named}
    if len(kinds) + (named is not None) < len(schema.names):
        distinct_names("event", schema.names, DatasetError)
    stored = _index_columns(schema)  # of other levels than that of the samples
    given = [name for name in kinds if name not in stored]
    distinct_names("event", map(name_in, given), DatasetError)
    foreign = [name for name in given if not _is_binary(kinds[name])]
    for name in foreign:
        kind = shown(str(kinds[name]))
        columns.leave_out(
            name_in(name), f"column {shown(name)} holds {kind}; expected booleans, or 0 and 1"
        )
    return [name for name in given if name not in foreign], foreign


def _index_columns(schema: Any) -> list[Any]:
    """Return the columns of the index that pandas stored, or descriptions of a range."""
    stored = (schema.pandas_metadata or {}).get("index_columns")
    return stored if isinstance(stored, list) else []


def _name_column(schema: Any) -> str | None:
    """Return the column of sample names: the index that pandas stored, or a first one of text."""
    from pyarrow import types

    for name in _index_columns(schema):
        if name in schema.names:
            return str(name)
    for name, kind in zip(schema.names[:1], schema.types, strict=False):
        value = kind.value_type if types.is_dictionary(kind) else kind
        if types.is_string(value) or types.is_large_string(value):
            return str(name)
    return None


def _range(schema: Any, height: int) -> tuple[str, ...]:
    """Return the names in an index that pandas stored as a range; none if it counts from 0 or 1."""
    for stored in _index_columns(schema):
        if isinstance(stored, dict) and stored.get("kind") == "range":
            start, step = stored.get("start"), stored.get("step")
            if isinstance(start, int) and isinstance(step, int) and step:
                counts = step == 1 and start in (0, 1)
                return () if counts else tuple(str(start + step * k) for k in range(height))
    return ()


def _is_binary(kind: Any) -> bool:
    """Whether a column of this type can hold entries."""
    from pyarrow import types

    tests = (types.is_boolean, types.is_integer, types.is_floating, types.is_null)
    return any(test(kind) for test in tests)


def _decoded(
    file: Any, events: list[str], codes: NDArray[np.uint8], columns: WantedColumns
) -> Iterator[str]:
    """Decode columns into codes, some at a time; yield those that do not hold entries."""
    for first in range(0, len(events), _TOGETHER):
        together = events[first : first + _TOGETHER]
        left_out, row = set[str](), 0
        for batch in file.iter_batches(batch_size=_BATCH, columns=together):
            for place, name in enumerate(together, first):
                column = batch.column(batch.schema.get_field_index(name))
                codes[row : row + len(batch), place] = found = _codes(column)
                for wrong in np.flatnonzero(found == _WRONG)[:1].tolist():
                    where = f"column {shown(name)}, row {row + wrong + 1}"
                    rule = "entries must be 0, 1, true, false or missing"
                    columns.leave_out(
                        name_in(name), f"{where}: {rule}, got {column[wrong].as_py()!r}"
                    )
                    left_out.add(name)
            row += len(batch)
        yield from sorted(left_out)


def _codes(column: Any) -> NDArray[np.uint8]:
    """Return the codes of a column: 0, 1, unknown or wrong."""
    from pyarrow import types

    if types.is_null(column.type):
        return np.full(len(column), _UNKNOWN, dtype=np.uint8)
    known = column.is_valid().to_numpy(zero_copy_only=False)
    filled = column.fill_null(False if types.is_boolean(column.type) else 0)
    values = filled.to_numpy(zero_copy_only=False)
    if types.is_floating(column.type):
        known &= ~np.isnan(values)
    codes = np.full(len(column), _WRONG, dtype=np.uint8)
    codes[values == 0], codes[values == 1] = 0, 1
    codes[~known] = _UNKNOWN
    return codes


def _sample_names(path: FilePath, file: Any, named: str) -> tuple[str, ...]:
    names: list[str] = []
    once: dict[str, str] = {}  # each text as one object, whatever the number of batches
    size = 0
    for batch in file.iter_batches(batch_size=_BATCH, columns=[named]):
        column = batch.column(batch.schema.get_field_index(named))
        if column.null_count:
            raise DatasetError(f"sample {len(names) + 1} has no name in column {shown(named)}")
        coded = column.dictionary_encode()
        texts = [
            once.setdefault(str(text), name_in(str(text))) for text in coded.dictionary.to_pylist()
        ]
        names += [texts[place] for place in coded.indices.to_pylist()]
        size += column.nbytes
        if size > share(_PER_NAME):
            raise over_budget(path, "the sample names are too long")
    return tuple(names)
