"""What was chosen on a page: the source, the curation, the methods. Read from JSON and checked."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from caprese.data.curation import Curated, Rule, Step, chosen_rules, curate
from caprese.io.data.reading import Reading
from caprese.io.data.sources import read
from caprese.methods import METHODS, make_method
from caprese.methods.base import Method


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
        notes = tuple(Step("read", note) for note in reading.notes)
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
    """

    name: str
    format: str | None = None
    left_out: tuple[str, ...] = ()

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "Source":
        """Read the source from JSON."""
        form = given.get("format") or None
        left_out = _names(given.get("left_out", ()))
        return cls(
            _text(given.get("source"), "source"),
            None if form is None else _text(form, "format"),
            tuple(name for name in left_out if name),
        )

    def read(self) -> Reading:
        """Read the data."""
        return read(self.name, format=self.format, exclude=self.left_out or None)


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

    @property
    def text(self) -> str:
        """The method as the command line takes it."""
        return ":".join([self.name, *(f"{name}={value}" for name, value in self.parameters)])


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
