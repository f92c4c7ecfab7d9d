"""The methods by name, with those that other packages add by entry points."""

import re
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import fields, is_dataclass
from importlib.metadata import EntryPoint, entry_points
from itertools import groupby
from operator import attrgetter
from typing import Any

from caprese._core.checks import one_of
from caprese.errors import CapreseError, ParameterError
from caprese.methods.fit import Method
from caprese.methods.parameters import settings_of, typed, written_parameters

_GROUP = "caprese.methods"
_MANY = 6  # parameters, above which only those that were changed are shown
_NAME = re.compile(r"[^\s:=][^:=]*")


class Methods(MutableMapping[str, type[Method]]):
    """Methods by name; those of installed packages are looked for when all are asked for."""

    def __init__(self, own: Mapping[str, type[Method]]) -> None:
        self._known = dict(own)
        self._problems: dict[str, str] | None = None  # as long as nothing was looked for

    def __getitem__(self, name: str) -> type[Method]:
        return self._known[name] if name in self._known else self._all[name]

    def __setitem__(self, name: str, method: type[Method]) -> None:
        self._known[name] = method

    def __delitem__(self, name: str) -> None:
        del self._all[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    @property
    def problems(self) -> dict[str, str]:
        """What is wrong with methods of installed packages that cannot be used, by name."""
        if self._problems is None:
            self._problems = {}
            found = sorted(entry_points(group=_GROUP), key=attrgetter("name"))
            for name, points in groupby(found, key=attrgetter("name")):
                try:
                    self._known[name] = self._loaded(name, list(points))
                except CapreseError as problem:
                    self._problems[name] = str(problem)
        return self._problems

    @property
    def _all(self) -> dict[str, type[Method]]:
        assert self.problems is not None  # and with them, all methods were looked for
        return self._known

    def _loaded(self, name: str, points: list[EntryPoint]) -> type[Method]:
        """Return the method of this name, if one package alone has it."""
        packages = sorted({_package(each) for each in points})
        if len(packages) == 1:
            method = _method(name, points[0], packages[0])
            if self._known.get(name, method) is method:
                return method
            owner = self._known[name].__module__.partition(".")[0]
            raise CapreseError(
                f"method {name!r} of {packages[0]} is not used: {owner} has a method of this name"
            )
        raise CapreseError(
            f"method {name!r} is in two packages, {' and '.join(packages)}: uninstall one of them"
        )


def check_declared(name: str, method: type[Method]) -> None:
    """Refuse a name that cannot be typed, and a method that is not declared as it must be."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ParameterError("name", "a word without : and =", name)
    if flaw := _flaw(method):
        raise ParameterError("method", flaw, method)


def _method(name: str, point: EntryPoint, package: str) -> type[Method]:
    try:
        method: Any = point.load()
    except Exception as error:  # whatever is wrong with the package of another
        what = f"{type(error).__name__}: {error}"
        raise CapreseError(f"method {name!r} of {package} cannot be loaded: {what}") from None
    if flaw := _flaw(method):
        raise CapreseError(f"method {name!r} of {package} must be {flaw}")
    found: type[Method] = method
    return found


def _flaw(method: Any) -> str:
    """Return what a method should be and is not; empty if it is declared as it must be."""
    has_fit = isinstance(method, type) and callable(getattr(method, "fit", None))
    if not (has_fit and is_dataclass(method)):
        return "a dataclass with a method fit"
    plain = [each.name for each in fields(method) if "parse" not in each.metadata]
    return f"a dataclass that declares {plain[0]} by option(...)" if plain else ""


def _package(point: EntryPoint) -> str:
    return point.value.partition(":")[0] if point.dist is None else point.dist.name


METHODS = Methods({})  # filled by the package
"""All methods by name: those of this package, of installed packages, and those that were added."""


def register_method(name: str, method: type[Method]) -> None:
    """Add a method to `METHODS`, so that every command and every file knows it by this name.

    A package that is installed needs no call: it declares an entry point ``caprese.methods``.

    Raises
    ------
    ParameterError
        If another method has this name, or it is not declared as a method must be.

    Examples
    --------
    >>> from caprese.methods import Oncotree
    >>> register_method("caprese", Oncotree)
    Traceback (most recent call last):
    caprese.errors.ParameterError: name must be another than that of Caprese, got 'caprese'
    """
    check_declared(name, method)
    known = METHODS.get(name, method)
    if known is not method:
        raise ParameterError("name", f"another than that of {known.__name__}", name)
    METHODS[name] = method


def name_of(method: Method) -> str:
    """Return the name a method is listed under; the name of its class if it is not listed."""
    kind = type(method)
    return next((name for name, listed in METHODS.items() if listed is kind), kind.__name__)


def describe(method: Method) -> str:
    """Return a method in words: its name and its parameters.

    Lists that are at their defaults are not shown, nor is any such parameter of a method with many.

    Examples
    --------
    >>> from caprese.methods import BayesForest, Caprese
    >>> describe(Caprese(shrinkage=0.1))
    'caprese (shrinkage 0.1)'
    >>> describe(BayesForest(subtypes="auto"))
    'bayes (subtypes auto)'
    """
    shown, usual = written_parameters(method), {each.name: each.default for each in fields(method)}
    many = len(shown) > _MANY
    given = [
        (name, typed(value))
        for name, value in shown.items()
        if value is not None and not (value == usual[name] and (many or isinstance(value, tuple)))
    ]
    settings = ", ".join(f"{name} {value}" for name, value in given)
    return f"{name_of(method)} ({settings})" if settings else name_of(method)


def method_text(method: Method) -> str:
    """Return a method as the command line takes it, such as ``caprese:shrinkage=0.3``."""
    settings = (f"{name}={text}" for name, text in settings_of(method).items())
    return ":".join([name_of(method), *settings])


def parse_method(text: str) -> Method:
    """Read a method and its parameters, written NAME or NAME:PARAMETER=VALUE."""
    return make_method(*split_method(text))


def split_method(text: str) -> tuple[str, dict[str, str]]:
    """Return the name of a method and its parameters as text."""
    name, *settings = text.split(":")
    if not all("=" in setting for setting in settings):
        raise ParameterError("method", "NAME or NAME:PARAMETER=VALUE", text)
    return name, {parameter: value for parameter, _, value in (s.partition("=") for s in settings)}


def make_method(name: str, given: Mapping[str, str]) -> Method:
    """Return the method of this name, with parameters read from text."""
    kind = method_named(name)
    known = {field.name: field for field in fields(kind)}
    for parameter in given:
        one_of(f"parameter of {name}", parameter, known)
    parsed = {each: known[each].metadata["parse"](text) for each, text in given.items()}
    return kind(**parsed)


def method_named(name: str) -> type[Method]:
    """Return the type of the method of this name, or say why there is none."""
    if name not in METHODS and name in METHODS.problems:
        raise CapreseError(METHODS.problems[name])
    return METHODS[one_of("method", name, METHODS)]
