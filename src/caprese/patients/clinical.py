"""Clinical tables: what is known of samples beside their events, and the kind of each column."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, IntArray
from caprese._core.checks import instance, listed
from caprese._core.facts import Fact
from caprese._core.names import distinct_names, short_barcode
from caprese._core.words import did_you_mean
from caprese.data.columns import is_missing
from caprese.errors import DatasetError

VariableKind = Literal["numeric", "ordered", "categorical"]

MOST_LEVELS = 12  # of a categorical column
LEAST_KNOWN = 5  # values of a column that is tested
_DISTINCT = 0.9  # share of distinct values above which they are taken for identifiers
_IDENTIFIER = re.compile(r"(?:^|[_\s.-])(?:id|ids|identifier|barcode|uuid)$", re.IGNORECASE)
_FOLLOW_UP = re.compile(
    r"(?:^|[_\s.])(?:os|pfs|pfi|dfs|dfi|dss|efs|rfs|ttp)[_\s.]"
    r"(?:months?|days?|years?|time|status|event|censor(?:ed|ing)?)$"
    r"|^(?:time|status|event|survival|censor(?:ed|ing)?|dead|death|deceased|vital[_\s.]*status)$"
    r"|^(?:os|pfs|dfs|efs|rfs)$|(?:^|[_\s.])time[_\s.](?:to|until)[_\s.]"
    r"|follow[_\s.-]*up|days[_\s.]to[_\s.]death|survival[_\s.](?:months?|days?|years?|time)",
    re.IGNORECASE,
)
# Stages, grades, and extents of tumour and lymph nodes. Not M0 to M7, which may be FAB types.
_STAGE = re.compile(r"(?:stage\s*)?((?a:0|IV|I{1,3}))\s?([A-D]?\d?)", re.IGNORECASE)
_GRADE = re.compile(r"(?:grade\s*|G|p?T|p?N)([0-4])([a-d]?)", re.IGNORECASE)
_RANKS = {"0": 0, "1": 1, "2": 2, "3": 3, "4": 4, "I": 1, "II": 2, "III": 3, "IV": 4}


@dataclass(frozen=True)
class Clinical:
    """A clinical table: one row per sample, columns of text.

    Parameters
    ----------
    samples
        Distinct names.
    columns
        The entries of each column by its title, in the order of the samples; empty where missing,
        as None and NaN become.

    Examples
    --------
    >>> table = Clinical(("p1", "p2"), {"stage": ("II", "")})
    >>> table.of_samples(["p2", "p1", "p9"]).column("stage")
    ('', 'II', '')
    """

    samples: tuple[str, ...]
    columns: Mapping[str, tuple[str, ...]]

    def __post_init__(self) -> None:
        samples = distinct_names("sample", listed("samples", self.samples), DatasetError)
        given = instance("columns", self.columns, Mapping, "a mapping of titles to entries")
        columns = {
            title: tuple("" if is_missing(entry) else str(entry) for entry in listed(title, column))
            for title, column in given.items()
        }
        for title, column in columns.items():
            if len(column) != len(samples):
                raise DatasetError(
                    f"column {title!r} must have one entry per sample, {len(samples)}, "
                    f"got {len(column)}"
                )
        object.__setattr__(self, "samples", samples)
        object.__setattr__(self, "columns", columns)

    def __repr__(self) -> str:
        return f"<Clinical: {len(self.samples)} samples x {len(self.columns)} columns>"

    def column(self, title: str) -> tuple[str, ...]:
        """Return the entries of a column; a title that is not there is a `DatasetError`."""
        if not isinstance(title, str) or title not in self.columns:
            hint = did_you_mean(str(title), self.columns)
            hint = hint or f", expected one of {', '.join(map(repr, self.columns))}"
            raise DatasetError(f"there is no column {title!r}{hint}")
        return self.columns[title]

    def rows(self, samples: Sequence[str]) -> IntArray:
        """Return the row of each of these samples; -1 for those that have none.

        Names are matched as they are; TCGA barcodes also by their sample, or else by their
        patient, unless several rows are of the same patient.
        """
        samples = [str(sample) for sample in listed("samples", samples)]
        found: IntArray = np.full(len(samples), -1, dtype=np.int64)
        for shorten in (str, _of_sample, _of_patient):
            names = [shorten(name) for name in self.samples]
            times = Counter(names)
            place = {name: row for row, name in enumerate(names) if times[name] == 1}
            for k in np.flatnonzero(found < 0).tolist():
                found[k] = place.get(shorten(samples[k]), -1)
        return found

    def of_samples(self, samples: Sequence[str]) -> "Clinical":
        """Return the rows of these samples, as `rows` matches them; empty for those without."""
        rows = self.rows(samples).tolist()
        columns = {
            title: tuple(column[row] if row >= 0 else "" for row in rows)
            for title, column in self.columns.items()
        }
        return Clinical(tuple(samples), columns)


_of_sample = partial(short_barcode, length="sample")
_of_patient = partial(short_barcode, length="patient")


@dataclass(frozen=True, eq=False)
class ClinicalVariable(ArrayValue):
    """A column as numbers."""

    title: str
    kind: VariableKind
    values: FloatArray  # or positions of levels; NaN where it is missing
    levels: tuple[str, ...] = ()  # in their order; none of a numeric column

    @property
    def known(self) -> BoolArray:
        """Whether each sample has a value."""
        return ~np.isnan(self.values)


def recognised(title: str, entries: Sequence[str]) -> ClinicalVariable | Fact:
    """Return a column as numbers, or why it can be compared with nothing.

    Numbers are numeric from three distinct ones on. Text is categorical up to 12 levels; stages (I
    to IV), grades (G1 to G4) and extents (T1 to T4, N0 to N3) are ordered.
    """
    given = [entry for entry in entries if entry]
    distinct = set(given)
    numbers = {"known": len(given), "distinct": len(distinct)}
    about: dict[str, float | str] = {"column": title, **numbers}
    numeric = not any(math.isnan(number(entry)) for entry in distinct)
    if len(given) < LEAST_KNOWN:
        return Fact("column of few values", values=about)
    if len(distinct) == 1:
        return Fact("column of one value", values=about)
    differ = len(distinct) > _DISTINCT * len(given)
    if differ and (not numeric or _IDENTIFIER.search(title)):
        return Fact("column of identifiers", values=about)
    if numeric and len(distinct) > 2:
        return ClinicalVariable(title, "numeric", np.array([number(entry) for entry in entries]))
    order = _ordered(distinct)
    if order is None and len(distinct) > MOST_LEVELS:
        return Fact("column of many levels", values=about)
    levels = order or sorted(distinct, key=_natural)
    place = {level: float(k) for k, level in enumerate(levels)}
    values = np.array([place.get(entry, math.nan) for entry in entries])
    kind: VariableKind = "ordered" if order and len(levels) > 2 else "categorical"
    return ClinicalVariable(title, kind, values, tuple(levels))


def is_follow_up(title: str) -> bool:
    """Whether a column is named as a time of follow-up, or as the status at its end.

    The outcome itself may not have been observed.
    """
    return _FOLLOW_UP.search(title) is not None


def number(entry: str) -> float:
    """Return an entry as a finite number; NaN if it is none."""
    try:
        value = float(entry)
    except ValueError:
        return math.nan
    return value if math.isfinite(value) else math.nan


def _ordered(levels: set[str]) -> list[str] | None:
    """Return the levels in their order, if they are stages or grades; else None."""
    for pattern in (_STAGE, _GRADE):
        found = map(pattern.fullmatch, sorted(levels))  # those of the same rank by name
        ranks = {each[0]: (_RANKS[each[1].upper()], each[2].upper()) for each in found if each}
        if len(ranks) == len(levels):
            return sorted(ranks, key=ranks.__getitem__)
    return None


def _natural(level: str) -> tuple[float, str]:
    """Return a key that sorts numbers by size, and before words."""
    value = number(level)
    return (math.inf if math.isnan(value) else value), level
