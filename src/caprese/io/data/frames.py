"""Frames: Parquet and Excel files, and annotated matrices in memory."""

import os
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from itertools import chain
from typing import Any

import numpy as np

from caprese._core.files import FilePath, format_error, shown, unpacked_bytes
from caprese._core.packed import LARGEST, RATIO, UNSUSPICIOUS
from caprese.data.dataset import Dataset
from caprese.errors import DatasetError
from caprese.io.data.reading import Reading, extra
from caprese.io.data.tables import table_of_rows
from caprese.io.text.delimited import Row


def read_parquet(path: FilePath, *, samples: str | None = None) -> Reading:
    """Read a Parquet file with one row per sample and one column per event.

    Columns hold booleans or 0 and 1; nulls are unknown.

    Parameters
    ----------
    path
        A Parquet file. This needs the extra ``parquet``.
    samples
        The column of sample names. By default the index that pandas stored, or else the first
        column if it holds text.
    """
    parquet = extra(path, "pyarrow.parquet", "parquet")
    content = BytesIO(unpacked_bytes(path))
    try:
        frame = parquet.read_table(content).to_pandas()
    except (OSError, ValueError, TypeError) as error:
        raise format_error(path, f"not a Parquet file: {shown(str(error))}") from error
    return Reading(dataset_of_frame(path, frame, samples))


def read_excel(
    path: FilePath, *, sheet: str | None = None, sample_names: bool | None = None
) -> Reading:
    """Read a sheet of an Excel file, in the same way as `read_table` reads a text file.

    Parameters
    ----------
    path
        An .xlsx file. This needs the extra ``excel``.
    sheet
        The name of the sheet; by default the first one.
    sample_names
        As for `read_table`.
    """
    openpyxl = extra(path, "openpyxl", "excel")
    _check_zip(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about styles and other things that are not read
        try:
            book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        except (OSError, ValueError, KeyError) as error:
            raise format_error(path, f"not an .xlsx file: {shown(str(error))}") from error
        with closing(book):
            if sheet is not None and sheet not in book.sheetnames:
                names = ", ".join(map(shown, book.sheetnames))
                raise format_error(path, f"no sheet {shown(sheet)}; expected one of {names}")
            rows = _rows(book.worksheets[0] if sheet is None else book[sheet])
            first = next(rows, None)
            if first is None:
                raise format_error(path, "the sheet is empty; expected a header and rows below it")
            return Reading(table_of_rows(path, chain([first], rows), sample_names))


def dataset_from_anndata(table: Any) -> Dataset:
    """Return the data set in an AnnData object, or any object with X, obs_names and var_names.

    ``X`` is samples x events, dense or sparse, with values 0, 1, and NaN for unknown; ``obs_names``
    and ``var_names`` are the names of samples and events.
    """
    missing = [name for name in ("X", "obs_names", "var_names") if not hasattr(table, name)]
    if missing:
        raise DatasetError(f"an annotated matrix needs {missing[0]}, got {type(table).__name__}")
    entries = table.X.toarray() if hasattr(table.X, "toarray") else np.asarray(table.X)
    return Dataset.from_rows(entries, [*map(str, table.var_names)], [*map(str, table.obs_names)])


def dataset_of_frame(path: FilePath, frame: Any, samples: str | None = None) -> Dataset:
    """Return the data set in a pandas frame that was read from a file.

    Sample names are the index, unless it only numbers the rows, or else a first column of text.
    """
    if _is_numbering(frame.index):
        frame = frame.reset_index(drop=True)
        first = frame.iloc[:, 0] if frame.shape[1] else ()
        if samples is None and any(isinstance(entry, str) for entry in first):
            samples = frame.columns[0]
    try:
        return Dataset.from_frame(frame, samples=samples)
    except DatasetError as error:
        raise format_error(path, str(error)) from error


def _is_numbering(index: Any) -> bool:
    """Whether an index only numbers the rows, from any first number."""
    return bool(index.dtype.kind in "iu" and (np.diff(index) == 1).all())


def _rows(sheet: Any) -> Iterator[Row]:
    for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
        if any(cell is not None for cell in cells):
            yield number, ["" if cell is None else str(cell) for cell in cells]


def _check_zip(path: FilePath) -> None:
    try:
        with zipfile.ZipFile(path) as packed:
            size = sum(member.file_size for member in packed.infolist())
    except zipfile.BadZipFile as error:
        raise format_error(path, f"not an .xlsx file: {shown(str(error))}") from error
    except OSError:
        unpacked_bytes(path)  # raises the error that names the problem
        raise
    if size > min(LARGEST, max(UNSUSPICIOUS, RATIO * os.path.getsize(path))):
        raise format_error(path, "this file unpacks to far more than its size; refused")
