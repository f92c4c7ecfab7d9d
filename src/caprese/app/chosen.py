"""What was chosen on a page, read from JSON; the parts of a recipe check their values."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from caprese._core.checks import whole
from caprese.errors import CapreseError, ParameterError
from caprese.io.data.sources import option_value
from caprese.methods import make_method
from caprese.methods.fit import Method
from caprese.recipe.loading import Curation, Source


def source_in(given: Mapping[str, Any]) -> Source:
    """Return the source.

    Raises
    ------
    CapreseError
        If an option names a path: the page opens no files but those that were uploaded.
    """
    texts = filter(None, map(str.strip, _text(given.get("options", ""), "options").split(";")))
    options = dict(map(_option, texts))
    if given.get("transposed") is True:
        options["transpose"] = True
    source = Source(given["source"], given.get("format") or None, options)
    for name in source.options_of_paths():
        raise CapreseError(f"the page cannot use the option {name!r}, which names a path")
    return source


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ParameterError("an option of the format", "NAME=VALUE", text)
    return name, value.split(",") if name == "genes" else option_value(value)


def curation_in(given: Mapping[str, Any], events: Sequence[str]) -> Curation:
    """Return the curation; events are given by their position in the file.

    Events that are merged cannot be switched off.
    """
    own = {each.name for each in fields(Curation)}
    settings = {name: value for name, value in given.items() if name in own}
    merge = [
        {"into": name, "members": _named(members, events)}
        for name, members in _pairs(given.get("merge", ()), "merge")
    ]
    merged = {event for composite in merge for event in composite["members"]}
    exclude = sorted({*_named(given.get("exclude", ()), events)} - merged)
    return Curation(**settings | {"merge": tuple(merge), "exclude": exclude})


def _named(places: Any, events: Sequence[str]) -> list[str]:
    last = len(events) - 1
    return [events[whole("event", place, 0, last)] for place in list_in(places, "events")]


def method_in(given: Any) -> Method:
    """Return a method; parameters that are empty have their default."""
    chosen = _fields(given, "method")
    texts = {
        name: _text(value, name).strip()
        for name, value in _fields(chosen.get("parameters", {}), "parameters").items()
    }
    name = _text(chosen.get("name"), "method")
    return make_method(name, {key: text for key, text in texts.items() if text})


def list_in(given: Any, name: str) -> list[Any]:
    """Return a list."""
    if not isinstance(given, list | tuple):
        raise ParameterError(name, "a list", given)
    return list(given)


def _pairs(given: Any, name: str) -> list[list[Any]]:
    pairs = [list_in(pair, name) for pair in list_in(given, name)]
    if any(len(pair) != 2 for pair in pairs):
        raise ParameterError(name, "a list of pairs", given)
    return pairs


def _fields(given: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise ParameterError(name, "fields with names", given)
    return given


def _text(given: Any, name: str) -> str:
    if not isinstance(given, str):
        raise ParameterError(name, "text", given)
    return given
