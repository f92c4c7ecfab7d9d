"""Survival: Kaplan-Meier curves of samples by where they stand, and the log-rank test.

The curves, their intervals and the test are those of the package lifelines, which the extra
``clinical`` installs.
"""

import math
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, IntArray, frozen
from caprese._core.environment import check_extra
from caprese._core.facts import Fact
from caprese._core.significance import LEVEL
from caprese.errors import DatasetError, ModelError
from caprese.models.base import Order
from caprese.patients.clinical import Clinical, number
from caprese.patients.groups import joined, limits
from caprese.patients.place import Placement
from caprese.patients.strata import strata

if TYPE_CHECKING:
    import pandas as pd

FEW_DEATHS = 5  # in a group, below which the log-rank test is not reliable

_CODED = re.compile(r"([01])(?:\s*:.*)?(?:\.0+)?")  # 1, 1.0, 1:DECEASED
_ENDED = frozenset(
    {"dead", "deceased", "died", "death", "yes", "true", "event"}
    | {"progressed", "progression", "recurred", "recurrence", "relapsed", "relapse"}
)
_CENSORED = frozenset({"alive", "living", "censored", "no", "false", "diseasefree", "disease-free"})
_TIME = "a time; expected a number that is not negative, or nothing"
_STATUS = "a status; expected 0 or 1, alive or dead, or such as '1:DECEASED'"


@dataclass(frozen=True, eq=False)
class Curve(ArrayValue):
    """The Kaplan-Meier curve of a group of samples.

    Parameters
    ----------
    group
        Its name.
    durations, died
        The time of each sample, in increasing order, and whether it ended with death; or with
        another event that the status stands for.
    times, survival, low, high
        From each time on, the estimated share of samples that live longer, and the ends of its 95 %
        interval.
    median, median_low, median_high
        The time at which half have died, and the ends of its 95 % interval; infinite where the
        curve, or the end of its interval, stays above one half.
    """

    group: str
    durations: FloatArray
    died: BoolArray
    times: FloatArray
    survival: FloatArray
    low: FloatArray
    high: FloatArray
    median: float
    median_low: float
    median_high: float

    def __post_init__(self) -> None:
        for name in ("durations", "died", "times", "survival", "low", "high"):
            object.__setattr__(self, name, frozen(getattr(self, name)))

    @property
    def samples(self) -> int:
        """How many samples there are."""
        return len(self.durations)

    @property
    def deaths(self) -> int:
        """How many of them died."""
        return int(self.died.sum())

    def at_risk(self, times: Sequence[float] | FloatArray) -> IntArray:
        """Return how many samples are known to live until each of these times."""
        return self.samples - np.searchsorted(self.durations, np.asarray(times), side="left")


@dataclass(frozen=True)
class Survival:
    """Kaplan-Meier curves of groups, and the log-rank test of no difference between them.

    Parameters
    ----------
    time, status
        Titles of the columns of times and of what ended them.
    by
        What the samples are divided by.
    curves
        One for each group.
    statistic, degrees, p_value
        Of the log-rank test: chi-square, its degrees of freedom, and the p-value.
    left_out
        Samples without time or status.
    facts
        What limits the comparison.
    """

    time: str
    status: str
    by: str
    curves: tuple[Curve, ...]
    statistic: float
    degrees: int
    p_value: float
    left_out: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()

    def table(self) -> "pd.DataFrame":
        """Return one row per group: samples, deaths, and the median with its interval."""
        import pandas as pd

        names = ("samples", "deaths", "median", "median_low", "median_high")
        rows = [[getattr(curve, name) for name in names] for curve in self.curves]
        index = pd.Index([curve.group for curve in self.curves], name=self.by)
        return pd.DataFrame(rows, index=index, columns=list(names))

    def round_times(self, most: int = 8) -> FloatArray:
        """Return at most so many round times, evenly spaced from 0 to the longest."""
        longest = max(float(curve.durations[-1]) for curve in self.curves)
        if longest <= 0:
            return np.zeros(1)
        least = longest / max(1, most - 1)
        decade = 10.0 ** math.floor(math.log10(least))
        step = next(each * decade for each in (1, 2, 2.5, 5, 10) if each * decade >= least)
        return np.arange(math.floor(longest / step) + 1, dtype=np.float64) * step

    def at_risk(self, times: Sequence[float] | FloatArray) -> "pd.DataFrame":
        """Return how many samples of each group are known to live until each of these times."""
        import pandas as pd

        index = pd.Index([curve.group for curve in self.curves], name=self.by)
        counts = [curve.at_risk(times) for curve in self.curves]
        return pd.DataFrame(counts, index=index, columns=pd.Index(times, name=self.time))


def survival(
    placement: Placement,
    clinical: Clinical,
    time: str,
    status: str,
    *,
    by: str = "branch",
    order: Order | None = None,
) -> Survival:
    """Return Kaplan-Meier curves of samples by where they stand, with the log-rank test.

    Parameters
    ----------
    placement
        Where the samples stand.
    clinical
        A table with times and status; rows are matched by `Clinical.rows`.
    time
        Title of the column of times, in any unit.
    status
        Title of the column that says how each time ended: 1, dead, deceased, progressed, ... or
        ``1:DECEASED`` with the event in question; 0, alive, living, censored, ... without it.
    by
        ``branch``, ``progress``, ``thirds``, ``subtype``, or the name of an event; see `strata`.
    order
        The model of the fit, for ``branch``.

    Raises
    ------
    DatasetError
        If the columns do not hold times and status, or no sample has them.
    ModelError
        If the samples cannot be divided in this way, or are all in one group.
    CapreseError
        If lifelines is not installed.
    """
    aligned, rows = joined(placement, clinical)
    durations = _numbers(aligned, time, number, _TIME)
    died = _numbers(aligned, status, _ended, _STATUS)
    known: IntArray = np.flatnonzero(~np.isnan(durations) & ~np.isnan(died))
    if not known.size:
        raise DatasetError(f"no sample has both a time in {time!r} and a status in {status!r}")
    divided = strata(placement, by, known, order=order)
    if len(divided.names) < 2:
        raise ModelError(
            f"all samples with a time are in one group ({divided.names[0]}), so there is nothing "
            "to compare"
        )
    times, ended, groups = durations[known], died[known] == 1, divided.groups
    curves = tuple(
        _curve(name, times[groups == k], ended[groups == k]) for k, name in enumerate(divided.names)
    )
    facts = limits(placement, rows[known])
    if (untimed := int((np.isnan(durations) & (died == 1)).sum())) > 0:
        facts.append(Fact("deaths without time", values={"samples": untimed}))
    if divided.pooled:
        facts.append(Fact("branches pooled", divided.pooled))
    if few := [curve.group for curve in curves if curve.deaths < FEW_DEATHS]:
        facts.append(Fact("few deaths", values={"groups": "; ".join(few), "below": FEW_DEATHS}))
    left = np.delete(np.array(placement.samples, dtype=object), known)
    return Survival(
        time, status, by, curves, *_log_rank(times, groups, ended), tuple(left), tuple(facts)
    )


def _numbers(
    clinical: Clinical, title: str, read: Callable[[str], float], expected: str
) -> FloatArray:
    """Return the number that each entry of a column stands for; NaN where it is missing."""
    entries = clinical.column(title)
    found = np.array([read(entry) if entry else math.nan for entry in entries])
    for sample, entry, value in zip(clinical.samples, entries, found, strict=True):
        if entry and not value >= 0:
            place = f"column {title!r}, sample {sample!r}"
            raise DatasetError(f"{place}: {entry!r} is not {expected}")
    return found


def _ended(entry: str) -> float:
    """Return 1 if a time ended with the event, else 0; NaN if the entry does not say so."""
    if coded := _CODED.fullmatch(entry):
        return float(coded[1])
    word = entry.lower().replace(" ", "")
    return float(word in _ENDED) if word in _ENDED | _CENSORED else math.nan


def _curve(group: str, durations: FloatArray, died: BoolArray) -> Curve:
    with _lifelines() as lifelines:
        fitted = lifelines.KaplanMeierFitter(alpha=1 - LEVEL).fit(durations, died)
        interval = fitted.confidence_interval_survival_function_
        low, high = lifelines.utils.median_survival_times(interval).to_numpy().ravel()
    by_time = np.argsort(durations, kind="stable")
    steps = fitted.survival_function_
    return Curve(
        group,
        durations[by_time],
        died[by_time],
        steps.index.to_numpy(dtype=np.float64),
        steps.to_numpy(dtype=np.float64)[:, 0],
        interval.to_numpy(dtype=np.float64)[:, 0],
        interval.to_numpy(dtype=np.float64)[:, 1],
        *(float(fitted.median_survival_time_), float(low), float(high)),
    )


def _log_rank(durations: FloatArray, groups: IntArray, died: BoolArray) -> tuple[float, int, float]:
    """Return chi-square, degrees of freedom and p-value."""
    degrees = len(np.unique(groups)) - 1
    if not died.any():
        return 0.0, degrees, 1.0
    with _lifelines() as lifelines:
        found = lifelines.statistics.multivariate_logrank_test(durations, groups, died)
    return float(found.test_statistic), degrees, float(found.p_value)


def check_curves() -> None:
    """Refuse curves if the package that makes them is not installed."""
    check_extra("a Kaplan-Meier curve", "lifelines", "clinical")


@contextmanager
def _lifelines() -> Iterator[Any]:
    """Give the package lifelines, silent about what later versions of pandas will not accept."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", FutureWarning)
        check_curves()
        import lifelines
        import lifelines.statistics
        import lifelines.utils

        yield lifelines
