"""Read-only arrays, and equality of the frozen values that hold them."""

from dataclasses import Field, fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from caprese.errors import ModelError

BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
OctetArray = NDArray[np.uint8]
WordArray = NDArray[np.uint64]  # 64 bits each
NumberArray = NDArray[Any]  # integers or floats
Integer = int  # of a kernel, whose header has its width; to Cython, `int` is an object


def frozen(array: ArrayLike, dtype: DTypeLike | None = None) -> NDArray[Any]:
    """Return the array as read-only; a copy only if it could be written through another name."""
    result: NDArray[Any] = np.asarray(array, dtype=dtype)
    if _can_be_written(result):
        result = result.copy()
        result.flags.writeable = False
    return result


def sealed(array: NDArray[Any]) -> NDArray[Any]:
    """Make a new array read-only, without a copy, and return it."""
    array.flags.writeable = False
    return array


def shaped(
    owner: Any, name: str, shape: tuple[int, ...], dtype: DTypeLike | None = np.float64
) -> NDArray[Any]:
    """Make an array of a frozen dataclass read-only and return it; refuse one of another shape."""
    array = frozen(getattr(owner, name), dtype)
    if array.shape != shape:
        raise ModelError(f"{name} must have shape {shape}, got {array.shape}")
    object.__setattr__(owner, name, array)
    return array


def packed_columns(table: BoolArray) -> NDArray[np.uint64]:
    """Return the columns as bits, 64 rows in a word, the first in the lowest bit."""
    octets = np.packbits(np.ascontiguousarray(table.T), axis=1, bitorder="little")
    padded = np.pad(octets, ((0, 0), (0, -octets.shape[1] % 8)))
    return padded.view(np.uint64)


def _can_be_written(array: NDArray[Any]) -> bool:
    owner: Any = array
    while isinstance(owner, np.ndarray):
        if owner.flags.writeable:
            return True
        owner = owner.base
    return isinstance(owner, bytearray | memoryview)  # a buffer that may be writable


def _content(array: NDArray[Any]) -> tuple[Any, ...]:
    """Return what equal arrays have in common; 0.0 and -0.0 are equal."""
    plain = array + 0.0 if array.dtype.kind == "f" else array
    return array.shape, array.dtype.kind, plain.tobytes()


class ArrayValue:
    """Read-only arrays, and equality, hash and copies by content, for frozen dataclasses."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __post_init__(self) -> None:
        """Make all arrays read-only."""
        for field, value in zip(fields(self), self._values(), strict=True):
            if isinstance(value, np.ndarray):
                object.__setattr__(self, field.name, frozen(value))

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, field.name) for field in fields(self))

    def _contents(self) -> tuple[Any, ...]:
        return tuple(
            _content(value) if isinstance(value, np.ndarray) else value for value in self._values()
        )

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._contents() == other._contents()

    def __hash__(self) -> int:
        return hash(self._contents())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._values()  # by the constructor: copies are read-only too
