"""The parts of a recipe but for the data. Each is checked by the types of its fields."""

import math
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Self, Union, get_args, get_origin

from caprese._core.checks import SEEDS, number, one_of, seconds, whole
from caprese._core.files import MULTIQC
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
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
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
    held out. If `plan`, also with how many samples what is open would be decided.
    """

    methods: tuple[str, ...] = ()
    budget: str | None = None
    folds: int = whole_from(2, 5)
    repeats: int = whole_from(1, 1)
    quick: bool = False
    plan: bool = False
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

    `block` are events that no longer occur, `slow` events with factors of their rates, such as
    ``TP53=0.5``; then it is also said how soon each sample reaches `target`, an event, or so many
    `events`, and by default its next event, with this intervention.
    """

    annotation: str | None = None
    time: str | None = None
    status: str | None = None
    by: str | None = None
    corrected: bool = False
    budget: str | None = None
    noise: str | None = None
    names: bool = True
    block: tuple[str, ...] = ()
    slow: tuple[str, ...] = ()
    target: str | None = None
    events: int | None = whole_from(1)
    seed: int = seed_number()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.goal is not None and not self.changes:
            name = "events" if self.target is None else "target"
            raise ParameterError(name, "given together with block or slow", self.goal)
        slow_factors(self.slow)
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

    @property
    def changes(self) -> bool:
        """Whether events are blocked or slowed."""
        return bool(self.block or self.slow)

    @property
    def goal(self) -> str | int | None:
        """What is to be reached: an event, or a number of events; None for the next event."""
        return one_goal(self.target, self.events)


def one_goal(target: str | None, events: int | None) -> str | int | None:
    """Return what is to be reached: an event, or a number of events, not both."""
    if target is not None and events is not None:
        raise ParameterError("events", "omitted where an event is the target", events)
    return events if target is None else target


def slow_factors(texts: Iterable[str]) -> dict[str, float]:
    """Return events with the factors of their rates, each a text such as ``TP53=0.5``.

    Examples
    --------
    >>> slow_factors(["a=b=0.5"])
    {'a=b': 0.5}
    """
    found: dict[str, float] = {}
    for text in texts:
        event, _, factor = text.rpartition("=")
        if not (event and _FACTOR.fullmatch(factor) and 0 < float(factor) < math.inf):
            rule = "EVENT=FACTOR with a positive factor, such as TP53=0.5"
            raise ParameterError("slow", rule, text)
        if event in found:
            raise ParameterError("slow", "one factor for each event", text)
        found[event] = float(factor)
    return found


_FACTOR = re.compile(r"\s*\d*\.?\d+(e[-+]?\d+)?\s*", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Reporting(Part):
    """What a report shows beside the analysis.

    `annotation` is a table with a category of each sample, `column` the column of it, if it has
    several. `clinical` is a table that samples are compared with, as in `Placing`, where `time`,
    `status` and `by` are explained. `groups` is a table with groups of samples whose orders are
    compared, FILE or FILE:COLUMN. Without `names`, samples have numbers.
    """

    title: str | None = None
    annotation: str | None = None
    column: str | None = None
    clinical: str | None = None
    time: str | None = None
    status: str | None = None
    by: str | None = None
    groups: str | None = None
    names: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self.needs("column", "annotation")
        self.needs("time", "clinical")
        self.needs("time", "status")
        self.needs("status", "time")
        self.needs("by", "time")

    @property
    def comparison(self) -> Placing:
        """What the samples are compared with."""
        return Placing(annotation=self.clinical, time=self.time, status=self.status, by=self.by)


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
    return DOCUMENT if is_device(path) else ending_of(path)


def ending_of(path: str) -> str:
    """Return the suffix of the name of a file; of one for MultiQC, what it is known by.

    Examples
    --------
    >>> ending_of("model.JSON"), ending_of("ovarian_mqc.json")
    ('.json', '_mqc.json')
    """
    marked = (each for each in MULTIQC if path.endswith(each))
    return next(marked, Path(path).suffix.lower())
