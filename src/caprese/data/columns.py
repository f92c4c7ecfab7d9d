"""Columns of a frame (pandas, polars, pyarrow) as the codes of a data set."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from caprese.errors import DatasetError

if TYPE_CHECKING:
    import narwhals as nw

_PRESENT = ("1", "1.0", "true", "t", "yes", "y", "present", "mutated", "mut", "altered")
_ABSENT = ("0", "0.0", "false", "f", "no", "n", "absent", "wt", "wildtype", "wild-type")
_UNKNOWN = ("", "na", "n/a", "nan", "?", ".", "unknown", "null", "none", "missing", "not profiled")
ENTRIES: Mapping[str, bool | None] = MappingProxyType(
    dict.fromkeys(_PRESENT, True) | dict.fromkeys(_ABSENT, False) | dict.fromkeys(_UNKNOWN, None)
)
"""The meaning of each text in a table or frame, in lower case; None for unknown."""

UNKNOWN_CODE = 2
"""The code of an unknown entry; absent is 0, present is 1."""


def codes_of_column(name: str, column: "nw.Series[Any]") -> NDArray[np.uint8]:
    """Return the code of each entry of a column: 0 absent, 1 present, 2 unknown."""
    codes = _codes_of_numbers(column)
    return _codes_of_entries(name, column.to_list()) if codes is None else codes


def is_missing(entry: Any) -> bool:
    """Whether an entry stands for an unknown one: None, NaN or pandas.NA."""
    if entry is None or type(entry).__name__ == "NAType":
        return True
    return isinstance(entry, float | np.floating) and entry != entry  # NaN differs from itself


def _codes_of_numbers(column: "nw.Series[Any]") -> NDArray[np.uint8] | None:
    """Return the codes of a column of numbers at once; None if it holds anything else."""
    import narwhals as nw

    kind = column.dtype
    if not (kind == nw.Boolean or kind.is_integer() or kind.is_float()):
        return None
    missing = column.is_null().to_numpy()
    if missing.any():
        column = column.fill_null(False if kind == nw.Boolean else 0)
    values = column.to_numpy()
    missing = missing | (values != values)  # NaN differs from itself
    codes: NDArray[np.uint8] = (values == 1).astype(np.uint8)
    if not (missing | (codes == 1) | (values == 0)).all():
        return None
    codes[missing] = UNKNOWN_CODE
    return codes


def _codes_of_entries(name: str, entries: list[Any]) -> NDArray[np.uint8]:
    try:
        code_of = {entry: _code(entry) for entry in set(entries)}
        codes = [code_of[entry] for entry in entries]
    except TypeError:  # an entry without a hash, such as a list
        codes = list(map(_code, entries))
    if None in codes:
        place = codes.index(None)
        rule = "entries must be 0, 1, true, false, yes, no or missing"
        raise DatasetError(f"column {name!r}, row {place + 1}: {rule}, got {entries[place]!r}")
    return np.array(codes, dtype=np.uint8)


def _code(entry: Any) -> int | None:
    if isinstance(entry, str):
        text = entry.strip().lower()
        present = ENTRIES.get(text)
        return int(present) if present is not None else UNKNOWN_CODE if text in ENTRIES else None
    if is_missing(entry):
        return UNKNOWN_CODE
    return int(entry == 1) if entry in (0, 1) else None
