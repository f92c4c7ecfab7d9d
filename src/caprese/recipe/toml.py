"""Recipes as TOML files."""

import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, get_args

from caprese._core.checks import instance, one_of
from caprese._core.files import MARK, FilePath, format_error, replace_file, unpacked_bytes
from caprese.errors import FormatError, ParameterError
from caprese.methods import make_method, name_of
from caprese.methods.fit import Method
from caprese.models.noise import Noise
from caprese.recipe.parts import Part
from caprese.recipe.recipe import Recipe, changed, typed

_HEAD = f"# An analysis, {MARK}. To repeat it: caprese run FILE\n"


def write_recipe(recipe: Recipe, path: FilePath) -> None:
    """Write a recipe to a TOML file, for `caprese run` and `read_recipe`.

    What is at its default is omitted.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from caprese.recipe.loading import Source
    >>> with TemporaryDirectory() as folder:
    ...     write_recipe(Recipe(source=Source("ovarian")), Path(folder, "analysis.toml"))
    ...     read_recipe(Path(folder, "analysis.toml")).source.name
    'ovarian'
    """
    replace_file(path, recipe_text(recipe))


def recipe_text(recipe: Recipe) -> str:
    """Return a recipe as TOML."""
    text = "\n".join([_HEAD, *_lines(recipe)])
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise FormatError("a name has letters of an unknown encoding, which TOML cannot hold")
    return text


def _lines(recipe: Recipe) -> Iterator[str]:
    if recipe.folder:
        yield f"folder = {_value(recipe.folder)}\n"
    for name, part in changed(recipe).items():
        if name != "folder":
            named = {} if isinstance(part, Part) else {"name": name_of(part)}
            yield f"[{name}]"
            yield from (_item(key, value) for key, value in (named | changed(part)).items())
            yield ""


def _item(key: str, value: Any) -> str:
    return f"{key if key.isidentifier() and key.isascii() else _value(key)} = {_value(value)}"


def _value(value: Any) -> str:
    if isinstance(value, str | Noise):
        text = json.dumps(typed(value), ensure_ascii=False)
        return text.replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    if is_dataclass(value):
        return _value(changed(value))
    if isinstance(value, Mapping):
        return f"{{{', '.join(_item(key, each) for key, each in value.items())}}}"
    return repr(value)


def read_recipe(path: FilePath) -> Recipe:
    """Read a recipe from a TOML file.

    Raises
    ------
    FormatError
        If it is not TOML, or a table, a key or a value cannot be; it names the table and the key.
    """
    text = unpacked_bytes(path)
    try:
        content = tomllib.loads(text.decode())
    except ValueError as error:  # also of the encoding
        raise format_error(path, f"this is not TOML: {error}") from None
    kinds = {each.name: (get_args(each.type) or (each.type,))[0] for each in fields(Recipe)}
    parts = {name: _part(path, name, kinds.get(name), given) for name, given in content.items()}
    if "source" not in parts:
        raise format_error(path, "there is no table [source], which names the data")
    try:
        return Recipe(**parts)
    except ParameterError as error:
        raise FormatError(f"{os.fspath(path)}, {error.what(_with_colon)}") from None


def _part(path: FilePath, name: str, kind: Any, given: Any) -> Any:
    """Return a part of a recipe from what a file has for it: a table, or the text of the folder."""
    place = f"{os.fspath(path)}, [{name}]"
    try:
        if kind is str:
            return instance(name, given, str, "text")
        one_of("table", name, [each.name for each in fields(Recipe) if each.type is not str])
        instance(name, given, dict, "a table")
        return _method(given) if kind is Method else _made(kind, given)
    except ParameterError as error:
        raise FormatError(f"{place} {error.what(_with_colon)}") from None
    except ValueError as error:  # of a rule or a method of another package
        raise FormatError(f"{place} {error}") from None


def _with_colon(parameter: str, _value: object) -> str:
    return f"{parameter}:"


def _made(kind: Any, table: dict[str, Any]) -> Any:
    for name in table:
        one_of("key", name, [each.name for each in fields(kind)])
    required = [each.name for each in fields(kind) if each.name in ("name", "methods")]
    return kind(**dict.fromkeys(required) | table)


def _method(table: dict[str, Any]) -> Method:
    given = {name: typed(value) for name, value in table.items()}
    return make_method(given.pop("name", ""), given)
