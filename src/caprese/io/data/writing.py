"""Data sets as files: the suffix of the name selects the format."""

from pathlib import Path

from caprese._core.files import FilePath
from caprese.data.dataset import Dataset
from caprese.io.data.frames import write_excel, write_parquet
from caprese.io.data.tables import write_dataset


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
