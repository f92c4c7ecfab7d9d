"""What was chosen on a page: the source, the curation, the methods. Read from JSON and checked."""

import inspect
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from caprese.app.forms import typed
from caprese.data.curation import Curated, Rule, Step, chosen_rules, curate
from caprese.io.data.reading import Reading
from caprese.io.data.sources import READERS, check_option, format_of, option_value, read
from caprese.methods import METHODS, make_method
from caprese.methods.fit import Method


@dataclass(frozen=True)
class Curation:
    """The options of curation, as `chosen_rules` takes them.

    Parameters
    ----------
    merge
        The name of each composite, and its members.
    exclude
        Events that are switched off.
    hypermutated, at_least, top, keep_constant, keep_identical, keep_unknown
        As on the command line.
    """

    merge: tuple[tuple[str, tuple[str, ...]], ...] = ()
    exclude: tuple[str, ...] = ()
    hypermutated: int | None = None
    at_least: float | None = None
    top: int | None = None
    keep_constant: bool = False
    keep_identical: bool = False
    keep_unknown: bool = False

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "Curation":
        """Read the options from JSON."""
        merge = [
            (_text(name, "merge"), _names(members))
            for name, members in pairs_in(given.get("merge", ()), "merge")
        ]
        for name, members in merge:
            if not name.strip() or "=" in name:
                raise ValueError("the merged event needs a name, without the sign =")
            if len(members) < 2:
                raise ValueError("choose two events or more to merge")
        numbers = {
            "hypermutated": _number(given.get("hypermutated"), int, "hypermutated", 0),
            "at_least": _number(given.get("at_least"), float, "at least", 0, 1),
            "top": _number(given.get("top"), int, "top", 1),
        }
        flags = ("keep_constant", "keep_identical", "keep_unknown")
        return cls(
            tuple(merge),
            _names(given.get("exclude", ())),
            **numbers,
            **{name: given.get(name) is True for name in flags},
        )

    def rules(self) -> list[Rule]:
        """Return the rules in the order of their application."""
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        return list(chosen_rules(**given | {"exclude": self.exclude or None}))

    def apply(self, reading: Reading) -> Curated:
        """Return the curated data, and the log with the notes of the reader."""
        found = curate(reading.data, self.rules())
        notes = tuple(Step("read", str(note)) for note in reading.notes)
        return Curated(found.data, notes + found.log)


@dataclass(frozen=True)
class Source:
    """Where the data comes from.

    Parameters
    ----------
    name
        A name as the command line takes it.
    format
        The format; None if it is detected.
    left_out
        Columns that may hold anything, such as an age.
    transposed
        Whether rows are events, and columns samples.
    options
        Of the format, each as ``name=value``.
    """

    name: str
    format: str | None = None
    left_out: tuple[str, ...] = ()
    transposed: bool = False
    options: tuple[str, ...] = ()

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "Source":
        """Read the source from JSON."""
        form = given.get("format") or None
        left_out = _names(given.get("left_out", ()))
        return cls(
            _text(given.get("source"), "source"),
            None if form is None else _text(form, "format"),
            tuple(name for name in left_out if name),
            given.get("transposed") is True,
            tuple(
                filter(None, map(str.strip, _text(given.get("options", ""), "options").split(";")))
            ),
        )

    def read(self) -> Reading:
        """Read the data.

        Raises
        ------
        ValueError
            If an option names a path: the page opens no files but those that were uploaded.
        """
        if self.options:
            reader = READERS[self.format or format_of(self.name)]
            accepted = inspect.signature(reader).parameters
            for name in self.keywords():
                if name in accepted and "Path" in str(accepted[name].annotation):
                    raise ValueError(f"the page cannot use the option {name!r}, which names a path")
        exclude = self.left_out or None
        return read(self.name, format=self.format, exclude=exclude, **self.keywords())

    def keywords(self) -> dict[str, Any]:
        """Return the options as keyword parameters of the reader.

        Raises
        ------
        ValueError
            If an option has no value, or cannot be one of a format.
        """
        found: dict[str, Any] = {"transpose": True} if self.transposed else {}
        for text in self.options:
            name, equals, value = text.partition("=")
            if not equals:
                raise ValueError(f"an option of the format must be NAME=VALUE, got {text!r}")
            check_option(name)
            found[name] = value.split(",") if name == "genes" else option_value(value)
        return found


@dataclass(frozen=True)
class ChosenMethod:
    """A method and the parameters that are not at their defaults, as text."""

    name: str
    parameters: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, given: Any) -> "ChosenMethod":
        """Read a method from JSON; empty parameters have their default."""
        chosen = _fields(given, "method")
        name = _text(chosen.get("name"), "method")
        texts = {
            key: _text(value, key).strip()
            for key, value in _fields(chosen.get("parameters", {}), "parameters").items()
        }
        found = cls(name, tuple((key, value) for key, value in texts.items() if value))
        method, plain = found.method(), METHODS[name]()
        changed = (
            (key, value)
            for key, value in found.parameters
            if getattr(method, key) != getattr(plain, key)
        )
        differing = cls(name, tuple(changed))
        if any(":" in value for _, value in differing.parameters):
            raise ValueError("a parameter must not hold a colon, which no command line could give")
        return differing

    def method(self) -> Method:
        """Return the method."""
        return make_method(self.name, dict(self.parameters))

    def done_by(self, method: Method) -> "ChosenMethod":
        """Return the choice of a method that differs from this one by where it was stopped."""
        asked = self.method()
        changed = {
            each.name: typed(value)
            for each in fields(method)
            if (value := getattr(method, each.name)) != getattr(asked, each.name)
        }
        return self.of({"name": self.name, "parameters": dict(self.parameters) | changed})

    @property
    def text(self) -> str:
        """The method as the command line takes it."""
        return ":".join([self.name, *(f"{name}={value}" for name, value in self.parameters)])


@dataclass(frozen=True)
class ChosenTable:
    """A clinical table, and what of it is compared; the options are those of the command line."""

    file: str
    time: str = ""
    status: str = ""
    by: str = ""
    corrected: bool = False
    groups: str = ""  # the column by which samples are grouped in the report

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "ChosenTable":
        """Read the choice from JSON."""
        titles = {name: _text(given.get(name, ""), name) for name in ("time", "status", "by")}
        groups = _text(given.get("groups", ""), "groups")
        if ":" in groups:
            raise ValueError("a column with a colon in its title cannot be given to the report")
        corrected = given.get("corrected") is True
        return cls(_text(given.get("name"), "name"), **titles, corrected=corrected, groups=groups)


@dataclass(frozen=True)
class Choices:
    """All that was chosen, and so all that repeats what the page shows."""

    source: Source
    curation: Curation = field(default_factory=Curation)
    method: ChosenMethod | None = None
    other: ChosenMethod | None = None
    replicates: int | None = None  # that were done
    seed: int = 1
    judged: tuple[str, ...] = ()  # methods as text
    table: ChosenTable | None = None


def whole_number(given: Any, name: str, least: int, most: int) -> int:
    """Return a whole number in these bounds."""
    if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
        raise ValueError(f"{name} must be a whole number from {least} to {most}, got {given!r}")
    return given


def list_in(given: Any, name: str) -> list[Any]:
    """Return a list from JSON."""
    if not isinstance(given, list | tuple):
        raise ValueError(f"{name} must be a list, got {given!r}")
    return list(given)


def pairs_in(given: Any, name: str) -> list[list[Any]]:
    """Return a list of pairs from JSON."""
    pairs = [list_in(pair, name) for pair in list_in(given, name)]
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError(f"{name} must be a list of pairs, got {given!r}")
    return pairs


def _fields(given: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise ValueError(f"{name} must have named fields, got {given!r}")
    return given


def _number(given: Any, kind: type, name: str, least: float, most: float = math.inf) -> Any:
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int | float) or math.isnan(given):
        raise ValueError(f"{name} must be a number, got {given!r}")
    if not least <= given <= most:
        bounds = f"from {least} to {most}" if most < math.inf else f"of at least {least}"
        raise ValueError(f"{name} must be a number {bounds}, got {given!r}")
    if kind is int and (math.isinf(given) or given != int(given)):
        raise ValueError(f"{name} must be a whole number, got {given!r}")
    return kind(given)


def _text(given: Any, name: str) -> str:
    if not isinstance(given, str):
        raise ValueError(f"{name} must be text, got {given!r}")
    return given


def _names(given: Any) -> tuple[str, ...]:
    if not isinstance(given, list | tuple):
        raise ValueError(f"events must be a list of names, got {given!r}")
    return tuple(sorted({_text(name, "event") for name in given}))
