"""The parts of a recipe but for the data. Each is checked by the types of its fields."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Self, get_args, get_origin

from caprese._core.checks import SEEDS, number, one_of, seconds, whole
from caprese.errors import ParameterError

DOCUMENT = ".json"
PICTURES = (".svg", ".png", ".pdf")
TABLES = (".csv", ".tsv", ".txt")
PAGES = (".html", ".htm")


def whole_from(least: int, default: int | None = None, most: int | None = None) -> Any:
    """Declare a whole number within bounds."""
    return field(default=default, metadata={"least": least, "most": most})


def seed_number() -> Any:
    """Declare the seed of random numbers."""
    least, most = SEEDS
    return whole_from(least, 1, most)


class Part:
    """A part of a recipe: a frozen dataclass that refuses values of other types by name."""

    def __post_init__(self) -> None:
        for each in fields(self):  # type: ignore[arg-type]  # every part is a dataclass
            value = getattr(self, each.name)
            checked = _checked(each.name, value, each.type, each.metadata)
            object.__setattr__(self, each.name, checked)

    @classmethod
    def among(cls, given: Mapping[str, Any]) -> Self:
        """Return the part with those of the given settings that it has."""
        own = [each.name for each in fields(cls) if each.name in given]  # type: ignore[arg-type]
        return cls(**{name: given[name] for name in own})

    def needs(self, name: str, other: str) -> None:
        """Refuse a setting that says nothing without another one."""
        if getattr(self, name) and not getattr(self, other):
            raise ParameterError(name, f"given together with {other}", getattr(self, name))


def _checked(name: str, value: Any, hint: Any, bounds: Mapping[str, Any]) -> Any:
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    if value is None and NoneType in kinds:
        return None
    kind = kinds[0]
    if kind is int:
        return whole(name, value, **bounds)
    if kind is float:
        return number(name, value, 0, 1)
    if get_origin(kind) is Literal:
        return one_of(name, value, get_args(kind))
    if kind == tuple[str, ...]:
        return _names(name, value)
    if kind in _WORDS and not isinstance(value, kind):
        raise ParameterError(name, _WORDS[kind], value)
    return value


_WORDS = {str: "text", bool: "true or false", dict: "a table of names and values"}


def _names(name: str, given: Any) -> tuple[str, ...]:
    """Return distinct names, in the order in which they are given."""
    listed = isinstance(given, list | tuple)
    if not listed or not all(isinstance(each, str) for each in given):
        raise ParameterError(name, "a list of names", given)
    return tuple(dict.fromkeys(given))


@dataclass(frozen=True, kw_only=True)
class Bootstrap(Part):
    """How the support of edges or effects is estimated, as in `bootstrap`.

    By default with 1000 replicates, or 100 for slow methods. The error rates of a parametric
    bootstrap are text, ``0.1,0.05`` or ``estimate``.
    """

    replicates: int | None = whole_from(1)
    seed: int = seed_number()
    kind: Literal["nonparametric", "parametric", "statistical"] = "nonparametric"
    errors: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.errors is not None and self.kind != "parametric":
            raise ParameterError("errors", "omitted unless kind is parametric", self.errors)
        if self.errors is not None:
            from caprese.methods.parameters import check_rates, parse_noise

            check_rates("errors", parse_noise(self.errors))


@dataclass(frozen=True, kw_only=True)
class Judging(Part):
    """Which methods predict held-out samples, and how samples are held out, as in `judge`.

    A method is text as the command line takes it, or a file with a model. Without methods, all are
    judged that take no longer than the `budget` together, such as ``60s``. If `quick`, one fold is
    held out. If `plan`, also with how many samples what is open would be decided. `groups` are
    samples that stay together: ``patient``, or a table of them.
    """

    methods: tuple[str, ...] = ()
    budget: str | None = None
    folds: int = whole_from(2, 5)
    repeats: int = whole_from(1, 1)
    quick: bool = False
    plan: bool = False
    groups: str | None = None
    seed: int = seed_number()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.budget is not None:
            seconds("budget", self.budget)
            if self.methods:
                raise ParameterError("budget", "omitted where methods are given", self.budget)

    @property
    def fits(self) -> int:
        """To how many training parts each method is fitted."""
        return (1 if self.quick else self.folds) * self.repeats


@dataclass(frozen=True, kw_only=True)
class Placing(Part):
    """How samples are placed, and compared with a clinical table, `annotation`.

    `time` and `status` are its columns of survival, `by` is what divides the samples for the
    curves. Without a method, all that take no longer than the `budget` together are judged, such as
    ``60s``, and what predicts best places the samples. Error rates, `noise`, are text such as
    ``0.02,0.1``: with these, what was seen is corrected. If `corrected`, the corrected genotypes
    are compared with the table instead of what was seen.
    """

    annotation: str | None = None
    time: str | None = None
    status: str | None = None
    by: str | None = None
    corrected: bool = False
    budget: str | None = None
    noise: str | None = None
    names: bool = True
    seed: int = seed_number()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.budget is not None:
            seconds("budget", self.budget)
        if self.noise is not None:
            from caprese.methods.parameters import check_rates, parse_noise

            check_rates("noise", parse_noise(self.noise))
        self.needs("time", "status")
        self.needs("status", "time")
        self.needs("time", "annotation")
        self.needs("by", "time")
        self.needs("corrected", "annotation")


@dataclass(frozen=True, kw_only=True)
class Reporting(Part):
    """What a report shows beside the analysis.

    `annotation` is a table with a category of each sample, `column` the column of it, if it has
    several. Without `names`, samples have numbers.
    """

    title: str | None = None
    annotation: str | None = None
    column: str | None = None
    names: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self.needs("column", "annotation")


@dataclass(frozen=True, kw_only=True)
class Outputs(Part):
    """The files to write, by what they hold; the suffix of each gives its format.

    `table` and `oncoprint` show the curated data; `fit` the model, `confidence` the model with its
    support; `comparison` two methods; `tests` those against a clinical table.
    """

    table: tuple[str, ...] = ()
    oncoprint: tuple[str, ...] = ()
    fit: tuple[str, ...] = ()
    confidence: tuple[str, ...] = ()
    comparison: tuple[str, ...] = ()
    judgement: tuple[str, ...] = ()
    patients: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    report: tuple[str, ...] = ()
    guard_formulas: bool = False

    def __post_init__(self) -> None:
        for kind in KINDS:
            if isinstance(given := getattr(self, kind), str):
                object.__setattr__(self, kind, (given,))
        super().__post_init__()

    def files(self) -> list[tuple[str, str]]:
        """Return what each file holds, and its path."""
        return [(kind, path) for kind in KINDS for path in getattr(self, kind)]


KINDS = tuple(each.name for each in fields(Outputs) if each.name != "guard_formulas")
"""What files can hold."""


def split_column(text: str) -> tuple[str, str | None]:
    """Return a file, and the column of it that is named after a colon, if there is one."""
    path, colon, column = text.rpartition(":")
    return (path, column) if colon and not os.path.exists(text) else (text, None)


def is_device(path: str) -> bool:
    """Whether a path is a device or a pipe, such as /dev/stdout."""
    return Path(path).exists() and not Path(path).is_file()


def suffix_of(path: str) -> str:
    """Return the suffix of a file, which gives its format; a device gets JSON."""
    return DOCUMENT if is_device(path) else Path(path).suffix.lower()
