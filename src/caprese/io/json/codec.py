"""JSON files: frozen dataclasses as JSON and back, guided by the types of their fields.

Each file names its format, its version and the program that wrote it.
"""

import json
import math
import re
import types
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import fields, is_dataclass
from enum import Enum
from importlib.metadata import version
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from caprese._core.budget import budget, exceeded, share, size_words
from caprese._core.files import (
    PER_CHARACTER,
    FilePath,
    format_error,
    over_budget,
    shown,
    text_lines,
)
from caprese._core.words import visible
from caprese.errors import CapreseError, FormatError, ModelError
from caprese.fitting.estimate import KINDS, own_kind
from caprese.models.base import Model, Order

AnyModel = Model | Order  # a poset without rates has an order, and no probabilities

_PREFIX = "caprese "
_VERSION = 1  # of all formats
_PACKED = re.compile(r'\s*"packed": "[A-Za-z0-9+/=]*"\s*')  # one text, and no other object
_PER_PACKED = 4  # bytes of memory for each of its characters

# UTF-8 cannot encode lone surrogates; a terminal obeys the others: C1 controls, invisible
# characters, and those that change the direction of text.
_ESCAPED = re.compile(
    "[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_NESTED = (list, Mapping)
_NOT_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}

_MOST_WRITTEN = 10**6  # numbers of an array that is written out
_PACKED_TYPES = ("bool", "int64", "int32", "uint8", "float64")
_PER_BYTE = 4  # bytes of memory for each byte of an array, with those made from it

# numpy.ndarray, or an alias of its own where numpy declares NDArray by the syntax of Python 3.12.
_ARRAY = get_origin(NDArray[Any])


def envelope(kind: str, content: dict[str, Any]) -> str:
    """Return content as JSON, with the name and version of its format."""
    header = {"format": _PREFIX + kind, "version": _VERSION, "program": _program()}
    return text(header | content) + "\n"


def json_content(path: FilePath, before: re.Pattern[str] | None = None) -> Any:
    """Return the content of a JSON file, also of one with such a text before and ``;`` behind."""
    content = "".join(_bounded(path))
    if before is not None:
        content = before.sub(lambda found: " " * len(found[0]), content, count=1).rstrip("; \r\n")
    try:
        return json.loads(content)
    except json.JSONDecodeError as error:
        problem = f"not JSON: {error.msg}"
        raise format_error(path, problem, line=error.lineno, column=error.colno) from None
    except ValueError:  # Python does not convert numbers of thousands of digits
        raise format_error(path, "not JSON of caprese: a number has too many digits") from None
    except RecursionError:
        raise format_error(path, "not a file of caprese: nested too deeply") from None


def _bounded(path: FilePath) -> Iterator[str]:
    """Yield the lines of a file, as long as the objects in it fit into the budget."""
    room = budget()
    with closing(text_lines(path)) as lines:
        for line in lines:
            room -= len(line) * (_PER_PACKED if _PACKED.fullmatch(line) else PER_CHARACTER)
            if room < 0:
                raise over_budget(path, f"more than {size_words(share(PER_CHARACTER))} of JSON")
            yield line


def kind_of(content: Any) -> str:
    """Return the kind that an envelope names, such as fit or model; empty without an envelope."""
    name = content.get("format") if isinstance(content, dict) else None
    named = isinstance(name, str) and name.startswith(_PREFIX)
    return str(name).removeprefix(_PREFIX) if named else ""


def content_of(path: FilePath, envelope: Any, kind: str, decoder: Callable[[Any], Any]) -> Any:
    """Decode an envelope of this kind and version; errors about its content name the file."""
    if kind_of(envelope) != kind:
        problem = f'not a caprese {kind}: expected JSON with "format": "caprese {kind}"'
        raise format_error(path, problem)
    if envelope.get("version") != _VERSION:
        given, program = envelope.get("version"), envelope.get("program")
        given = f"format version {_short(given)}, written by {_short(program)}"
        raise format_error(path, f"{given}; this program, {_program()}, reads version {_VERSION}")
    try:
        return decoder(envelope)
    except CapreseError as error:
        raise format_error(path, str(error)) from None
    except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError) as error:
        # A type that checks its fields less strictly than ours may raise any of these.
        problem = f"not a valid {kind}: {shown(str(error) or type(error).__name__)}"
        raise format_error(path, problem) from error


def _program() -> str:
    return f"caprese {version('caprese')}"


def encode(value: Any) -> Any:
    """Return a value as dictionaries, lists, numbers and text; infinite numbers become text.

    NaN is null in an array, where a number is not defined, and text elsewhere.

    Arrays of more than a million numbers are packed, see `packed_array`: written out, those of a
    fit of 5,000 events would take 1.6 GB.
    """
    if is_dataclass(value):
        return {
            field.name: (_encode_models if field.metadata.get("models") else encode)(
                getattr(value, field.name)
            )
            for field in fields(value)
            if not field.metadata.get("unwritten")
        }
    if isinstance(value, np.ndarray):
        if value.size > _MOST_WRITTEN and value.dtype.kind in "bif":
            return packed_array(value)
        plain = value.dtype.kind in "bi" or (value.dtype.kind == "f" and np.isfinite(value).all())
        if plain or value.dtype.kind != "f":
            return value.tolist() if plain else encode(value.tolist())
        numbers = value.astype(object)
        numbers[np.isnan(value)] = None
        return encode(numbers.tolist())
    if isinstance(value, list | tuple):
        return [encode(item) for item in value]
    if isinstance(value, Mapping):
        return {name: encode(item) for name, item in value.items()}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, float) and not math.isfinite(value):
        return next(text for text, number in _NOT_FINITE.items() if repr(number) == repr(value))
    return value


def packed_array(array: NDArray[Any]) -> dict[str, Any]:
    """Return an array as text: its bytes, the lowest first, compressed by zlib, in base 64."""
    ordered = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    content = zlib.compress(ordered.view(np.uint8).data, level=1)
    return {
        "type": array.dtype.name,
        "shape": list(array.shape),
        "packed": b64encode(content).decode("ascii"),
    }


def decode(kind: Any, value: Any, where: str) -> Any:
    """Return the value of this type, the opposite of `encode`; `where` is for error messages."""
    origin = get_origin(kind)
    if kind is Model:
        return decode_model(_of_type(dict, value, where), f"{where}.")
    if is_dataclass(kind):
        return _dataclass(kind, value, where)
    if origin is _ARRAY:
        return _array(kind, value, where)
    if origin is tuple:
        return _tuple(get_args(kind), value, where)
    if origin is Mapping:
        return _mapping(get_args(kind)[1], value, where)
    if origin in (Union, types.UnionType):
        return _first_fit(get_args(kind), value, where)
    if origin is Literal or (isinstance(kind, type) and issubclass(kind, Enum)):
        return _choice(get_args(kind) or tuple(kind), value, where)
    if kind is float:
        number = _of_type((int, float), _finite_or_not(value), where)
        try:
            return float(number)
        except OverflowError:
            raise FormatError(f"{where}: the number is too large") from None
    return _of_type(kind, value, where)


def parameters(kind: Any, value: Any, where: str) -> dict[str, Any]:
    """Return the decoded fields of a dataclass by name.

    A field with the metadata ``optional`` may be missing, as in files of earlier versions.
    """
    given = _of_type(dict, value, where)
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind)]
    needed = [field.name for field in fields(kind) if not field.metadata.get("optional")]
    require(given, needed, f"{where}: ")
    for unknown in [name for name in given if name not in names]:
        raise FormatError(f"{where}: {_short(unknown)} is unknown")
    return {
        name: decode(hints[name], given[name], f"{where}.{name}") for name in names if name in given
    }


def require(content: Mapping[str, Any], names: Iterable[str], where: str = "") -> None:
    """Refuse content in which one of these names is missing."""
    for missing in [name for name in names if name not in content]:
        raise FormatError(f"{where}{missing!r} is missing")


def text(value: Any, indent: int = 0) -> str:
    """Return readable JSON: one line for each field and for each row of a matrix."""
    space = " " * (indent + 2)
    if isinstance(value, Mapping) and value:
        lines = [f"{space}{json.dumps(key)}: {text(value[key], indent + 2)}" for key in value]
        return "{\n" + ",\n".join(lines) + "\n" + " " * indent + "}"
    if isinstance(value, list) and any(issubclass(kind, _NESTED) for kind in set(map(type, value))):
        lines = [f"{space}{text(item, indent + 2)}" for item in value]
        return "[\n" + ",\n".join(lines) + "\n" + " " * indent + "]"
    line = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if line.isascii() and "\x7f" not in line:  # as a row of numbers
        return line
    return _ESCAPED.sub(lambda found: json.dumps(found.group())[1:-1], line)


def encode_model(model: AnyModel) -> dict[str, Any] | None:
    """Return the kind of a model and its content; None if its kind is not registered."""
    kind = own_kind(model)
    return None if kind is None else {"kind": kind.name, "model": encode(model)}


def decode_model(content: dict[str, Any], where: str = "") -> AnyModel:
    """Return the model with this kind and this content."""
    kind = decode(str, content.get("kind"), f"{where}kind")
    if kind not in KINDS:
        known = f"{', '.join(KINDS)}; register your own: caprese.extend.register_model"
        raise FormatError(f"{where}kind must be one of {known}, got {shown(kind)}")
    model: AnyModel = decode(KINDS[kind].type, content.get("model"), f"{where}model")
    return model


def model_content(model: AnyModel) -> dict[str, Any]:
    """Return the kind of a model and its content; refuse one whose kind is not registered."""
    content = encode_model(model)
    if content is None:
        name = type(model).__name__
        raise ModelError(
            f"a {name} has no name in files: register it with "
            f"caprese.extend.register_model(ModelKind(name=..., type={name}))"
        )
    return content


def _encode_models(models: Iterable[AnyModel]) -> list[dict[str, Any]]:
    return [model_content(model) for model in models]


def _dataclass(kind: Any, value: Any, where: str) -> Any:
    try:
        return kind(**parameters(kind, value, where))
    except FormatError:
        raise
    except (ValueError, TypeError) as error:
        raise FormatError(f"{where}: {error}") from None


def _choice(choices: tuple[Any, ...], value: Any, where: str) -> Any:
    for choice in choices:
        if encode(choice) == value:
            return choice
    names = ", ".join(map(str, choices))
    raise FormatError(f"{where}: expected one of {names}, got {_short(value)}")


def _tuple(kinds: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    entries = _of_type(list, value, where)
    if kinds[-1] is ...:
        kinds = (kinds[0],) * len(entries)
    if len(kinds) != len(entries):
        raise FormatError(f"{where}: expected {len(kinds)} entries, got {len(entries)}")
    return tuple(
        decode(kind, entry, f"{where}[{position}]")
        for position, (kind, entry) in enumerate(zip(kinds, entries, strict=True))
    )


def _mapping(kind: Any, value: Any, where: str) -> dict[str, Any]:
    entries = _of_type(dict, value, where)
    return {name: decode(kind, entry, f"{where}.{name}") for name, entry in entries.items()}


def _array(kind: Any, value: Any, where: str) -> Any:
    last = get_args(kind)[-1]
    scalar = get_args(last)[0] if get_args(last) else last
    dtype = None if scalar is Any else scalar
    if isinstance(value, dict):
        array = _unpacked(value, where)
    else:
        rows = _finite_or_not(_of_type(list, value, where))
        try:
            array = np.array(rows)
        except ValueError:
            raise FormatError(f"{where}: the rows differ in length") from None
    if array.dtype.kind not in "bif":  # text, or whole numbers beyond 64 bits
        raise FormatError(f"{where}: expected numbers, got {_short(array.ravel()[:1].tolist())}")
    if dtype is None:
        return array
    if not np.can_cast(array.dtype, dtype, "same_kind"):
        raise FormatError(f"{where}: expected {np.dtype(dtype).name}, got {array.dtype.name}")
    return array.astype(dtype)


def _unpacked(value: dict[str, Any], where: str) -> NDArray[Any]:
    """Return the array in the fields of `packed_array`; not more than the budget allows."""
    name, content = (_of_type(str, value.get(key), f"{where}.{key}") for key in ("type", "packed"))
    shape = decode(tuple[int, ...], value.get("shape"), f"{where}.shape")
    if name not in _PACKED_TYPES or min(shape, default=-1) < 0:
        raise FormatError(f"{where}: expected numbers, got {_short(name)} of {_short(shape)}")
    kind = np.dtype(name).newbyteorder("<")
    size = math.prod(shape) * kind.itemsize
    if size > share(_PER_BYTE):
        raise FormatError(f"{where}: {size_words(size)} of numbers; {exceeded()}")
    try:
        unpacking = zlib.decompressobj()
        found = unpacking.decompress(b64decode(content, validate=True), size + 1)
    except (ValueError, zlib.error) as error:
        raise FormatError(f"{where}: the packed numbers are damaged: {error}") from None
    if len(found) != size:
        raise FormatError(f"{where}: expected {size} bytes of numbers, got another number")
    return np.frombuffer(found, kind).reshape(shape).astype(name, copy=False)


def _finite_or_not(value: Any) -> Any:
    if isinstance(value, list):
        return [math.nan if item is None else _finite_or_not(item) for item in value]
    return _NOT_FINITE.get(value, value) if isinstance(value, str) else value


def _first_fit(kinds: tuple[Any, ...], value: Any, where: str) -> Any:
    for kind in kinds:
        with suppress(FormatError):
            return decode(kind, value, where)
    return decode(kinds[0], value, where)  # raises the first problem


def _of_type(kind: Any, value: Any, where: str) -> Any:
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        names = kind if isinstance(kind, tuple) else (kind,)
        expected = " or ".join(name.__name__ for name in names)
        raise FormatError(f"{where}: expected {expected}, got {_short(value)}")
    return value


def _short(value: Any) -> str:
    """Return a value as a message shows it: on one line, and not too long."""
    try:
        return visible(repr(value))
    except ValueError:  # Python does not print numbers of thousands of digits
        return "a number of thousands of digits"
