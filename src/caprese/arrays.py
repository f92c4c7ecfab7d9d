"""Read-only arrays, and equality of the frozen values that hold them."""

from collections.abc import Sequence
from dataclasses import Field, fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
NumberArray = NDArray[Any]  # whole or real numbers


def frozen(array: ArrayLike, dtype: DTypeLike | None = None) -> NDArray[Any]:
    """Return the array as one that cannot be written; a copy only where the caller could write.

    Examples
    --------
    >>> frozen([1, 2, 3]).flags.writeable
    False
    """
    result: NDArray[Any] = np.asarray(array, dtype=dtype)
    if result.flags.writeable:
        result = result.copy()
        result.flags.writeable = False
    return result


def by_name(names: Sequence[str]) -> IntArray:
    """Return the positions of names in their alphabetical order, which no shuffling changes.

    Examples
    --------
    >>> by_name(["Xp-", "3q+", "8q+"])
    array([1, 2, 0])
    """
    return np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)


class ArrayValue:
    """Equality and hash by content, for frozen dataclasses with arrays among their fields."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def _contents(self) -> tuple[Any, ...]:
        return tuple(
            (value.shape, value.tobytes()) if isinstance(value, np.ndarray) else value
            for value in (getattr(self, field.name) for field in fields(self))
        )

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._contents() == other._contents()

    def __hash__(self) -> int:
        return hash(self._contents())
