"""Recipes as TOML files."""

import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from typing import Any

from caprese._core.checks import instance, one_of
from caprese._core.files import MARK, FilePath, format_error, replace_file, text_lines
from caprese.errors import FormatError, ParameterError
from caprese.methods import make_method, name_of
from caprese.methods.caprese import Caprese
from caprese.methods.fit import Method
from caprese.methods.parameters import changed, typed
from caprese.models.noise import Noise
from caprese.recipe.parts import Part
from caprese.recipe.recipe import Recipe, kind_of_part

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
    try:
        content = tomllib.loads("".join(text_lines(path)))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise format_error(path, f"this is not TOML: {error}") from None
    kinds = {each.name: kind_of_part(each) for each in fields(Recipe)}
    parts = {name: _part(path, name, kinds, given) for name, given in content.items()}
    if "source" not in parts:
        raise format_error(path, "there is no table [source], which names the data")
    with in_recipe(path, "outputs"):
        return Recipe(**parts)


@contextmanager
def in_recipe(path: FilePath, table: str = "", key: str = "") -> Iterator[None]:
    """Say of a wrong parameter where in a recipe it is; it may be of another key than its name."""
    try:
        yield
    except ParameterError as error:
        place = f"{os.fspath(path)}, {f'[{table}] ' * bool(table)}{key or error.parameter}"
        got = "and is missing" if error.value is None else f"got {_value(error.value)}"
        meant = "" if error.meant is None else f"; did you mean {_value(error.meant)}?"
        raise FormatError(f"{place}: must be {error.rule}, {got}{meant}") from None


def _part(path: FilePath, name: str, kinds: Mapping[str, Any], given: Any) -> Any:
    """Return a part of a recipe from what a file has for it: a table, or the text of the folder."""
    with in_recipe(path):
        kind = kinds[one_of("table", name, kinds)]
        if kind is str:
            return instance(name, given, str, "text")
        instance(name, given, dict, "a table")
    with in_recipe(path, name):
        try:
            return _method(given) if kind is Method else _made(kind, given)
        except ParameterError:
            raise
        except ValueError as error:  # of a rule or a method of another package
            raise FormatError(f"{os.fspath(path)}, [{name}] {error}") from None


def _made(kind: Any, table: dict[str, Any]) -> Any:
    for name in table:
        one_of("key", name, [each.name for each in fields(kind)])
    required = [each.name for each in fields(kind) if each.name == "name"]
    return kind(**dict.fromkeys(required) | table)


def _method(table: dict[str, Any]) -> Method:
    given = {name: typed(value) for name, value in table.items()}
    return make_method(given.pop("name", name_of(Caprese())), given)
