"""Columns of frames: whole columns of numbers give the same codes as their entries one by one."""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from caprese.data.columns import is_missing
from caprese.data.dataset import Dataset
from caprese.errors import DatasetError

ENTRIES = [1, 0, None, 1, None, 0, 0, 1]
WHOLE = [1, 0, 0, 1]

COLUMNS = {
    "pandas floats with NaN": pd.Series(ENTRIES, dtype="float64"),
    "pandas float32 with NaN": pd.Series(ENTRIES, dtype="float32"),
    "pandas nullable integers": pd.Series(ENTRIES, dtype="Int8"),
    "pandas nullable floats": pd.Series(ENTRIES, dtype="Float64"),
    "pandas nullable booleans": pd.Series(ENTRIES, dtype="boolean"),
    "pandas objects": pd.Series(ENTRIES, dtype=object),
    "pandas objects of three kinds of missing": pd.Series(
        [True, 0.0, pd.NA, np.float64(1), float("nan"), np.int8(0), False, Decimal(1)], dtype=object
    ),
    "pandas with arrow": pd.Series(ENTRIES, dtype="int8[pyarrow]"),
    "pandas integers": pd.Series(WHOLE, dtype="int8"),
    "pandas unsigned integers": pd.Series(WHOLE, dtype="uint64"),
    "pandas booleans": pd.Series(WHOLE, dtype=bool),
    "pandas categories": pd.Series(WHOLE).astype("category"),
    "polars integers": pl.Series(ENTRIES, dtype=pl.Int8),
    "polars floats": pl.Series(ENTRIES, dtype=pl.Float32),
    "polars floats with NaN": pl.Series([1.0, 0.0, float("nan"), 1.0, None, 0.0, 0.0, 1.0]),
    "polars booleans": pl.Series([None if e is None else bool(e) for e in ENTRIES]),
    "polars decimals": pl.Series([None if e is None else Decimal(e) for e in ENTRIES]),
    "polars nulls": pl.Series([None, None], dtype=pl.Null),
    "arrow integers": pa.chunked_array([ENTRIES[:3], ENTRIES[3:]], type=pa.int32()),
    "arrow booleans": pa.chunked_array([[True, None], [False]]),
    "arrow floats": pa.chunked_array([[1.0, float("nan"), None, 0.0]]),
    "arrow nulls": pa.chunked_array([pa.nulls(3)]),
}
WRONG = {
    "pandas integers": (pd.Series([1, 0, 2, 3]), "2"),
    "pandas floats": (pd.Series([1, None, 0.5]), "0.5"),
    "pandas nullable integers": (pd.Series([1, None, -1], dtype="Int8"), "-1"),
    "pandas texts": (pd.Series([0, 1, "2"], dtype=object), "'2'"),
    "pandas lists": (pd.Series([0, 1, [1]], dtype=object), r"\[1\]"),
    "polars integers": (pl.Series([1, None, 7]), "7"),
    "polars texts": (pl.Series(["1", "0", "x"]), "'x'"),
    "arrow floats": (pa.chunked_array([[0.0, None, float("inf")]]), "inf"),
}


def frame(column):
    library = {pd.Series: pd.DataFrame, pl.Series: pl.DataFrame}.get(type(column), pa.table)
    return library({"a": column})


def listed(column):
    return column.to_pylist() if isinstance(column, pa.ChunkedArray) else column.to_list()


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_a_column_holds_the_same_as_its_entries_one_by_one(column):
    rows = [[None if is_missing(entry) else int(entry)] for entry in listed(column)]
    assert Dataset.from_frame(frame(column)) == Dataset.from_rows(rows, "a")


@pytest.mark.parametrize(("column", "shown"), WRONG.values(), ids=WRONG)
def test_the_first_entry_that_is_neither_0_nor_1_is_named(column, shown):
    rule = "entries must be 0, 1, true, false, yes, no or missing, got"
    with pytest.raises(DatasetError, match=f"^column 'a', row 3: {rule} {shown}$"):
        Dataset.from_frame(frame(column))


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table])
def test_text_in_a_frame_means_what_it_means_in_a_table(library):
    frame = library({"a": ["yes", "no", "NA", " Mutated "], "b": ["1", "0", "", "wt"]})
    rows = [[1, 1], [0, 0], [None, None], [1, 0]]
    assert Dataset.from_frame(frame) == Dataset.from_rows(rows, "ab")


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, object])
def test_nan_in_an_array_of_any_floats_is_unknown(kind):
    rows = np.array([[1, np.nan], [0, 1]], dtype=kind)
    assert Dataset.from_rows(rows, "ab") == Dataset.from_rows([[1, None], [0, 1]], "ab")
