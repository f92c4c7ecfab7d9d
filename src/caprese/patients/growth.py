"""Growth: whether the number of events grows with what stands for time: age, stage, grade."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import FloatArray, NumberArray
from caprese._core.significance import mean_ranks, standard_errors
from caprese.patients.clinical import LEAST_KNOWN, ClinicalVariable

_AGE = re.compile(r"(?:^|[_\s.])age(?:$|[_\s.])", re.IGNORECASE)


@dataclass(frozen=True)
class RankCorrelation:
    """Spearman's correlation with a 95 % interval.

    Parameters
    ----------
    value, low, high
        The correlation and its interval, NaN where there are too few samples.
    samples
        How many it rests on.
    given
        Titles of the columns that are held fixed.
    """

    value: float
    low: float
    high: float
    samples: int
    given: tuple[str, ...] = ()


def stands_for_time(column: ClinicalVariable) -> bool:
    """Whether a column may stand for time: stages and grades, and numbers called an age.

    Examples
    --------
    >>> ages = np.array([51.0, 62.0, 70.0])
    >>> stands_for_time(ClinicalVariable("AGE_AT_SEQ", "numeric", ages))
    True
    >>> stands_for_time(ClinicalVariable("DOSAGE", "numeric", ages))
    False
    """
    return column.kind == "ordered" or (
        column.kind == "numeric" and _AGE.search(column.title) is not None
    )


def rank_correlation(values: NumberArray, numbers: NumberArray) -> RankCorrelation:
    """Return Spearman's correlation of two columns.

    Examples
    --------
    >>> found = rank_correlation(np.arange(20), np.arange(20) // 3 % 4)
    >>> round(found.value, 2), round(found.low, 2), round(found.high, 2)
    (0.25, -0.22, 0.63)
    """
    return _correlation(np.column_stack([values, numbers]), ())


def partial_correlations(
    columns: Sequence[ClinicalVariable], numbers: NumberArray
) -> dict[str, RankCorrelation]:
    """Return for each column its correlation with these numbers, all other columns held fixed.

    Of the samples in which all columns are known; none if these are too few, or a column follows
    from the others.
    """
    known = np.all([column.known for column in columns], axis=0)
    values = np.column_stack([column.values for column in columns])[known]
    if len(values) < LEAST_KNOWN + len(columns):
        return {}
    titles = [column.title for column in columns]
    found = {}
    for k, title in enumerate(titles):
        order = [k, *(other for other in range(len(titles)) if other != k)]
        both = np.column_stack([values[:, k], numbers[known], values[:, order[1:]]])
        found[title] = _correlation(both, tuple(titles[other] for other in order[1:]))
    return {title: one for title, one in found.items() if not math.isnan(one.value)}


def _correlation(values: FloatArray, given: tuple[str, ...]) -> RankCorrelation:
    """Return the correlation of the ranks of the first two columns, the others held fixed."""
    ranks = np.column_stack([mean_ranks(column) for column in values.T.astype(np.float64)])
    ranks -= ranks.mean(axis=0)
    first, held = ranks[:, :2], ranks[:, 2:]
    rest = first - held @ np.linalg.lstsq(held, first, rcond=None)[0]
    spread = np.sqrt((rest**2).sum(axis=0))
    if (spread <= 1e-9 * len(ranks)).any():
        return RankCorrelation(math.nan, math.nan, math.nan, len(ranks), given)
    value = float(np.clip(rest[:, 0] @ rest[:, 1] / spread.prod(), -1, 1))
    return RankCorrelation(value, *_interval(value, len(ranks) - len(given)), len(ranks), given)


def _interval(value: float, samples: int) -> tuple[float, float]:
    """Return the interval by Fisher's z with the variance of Bonett and Wright (2000)."""
    if samples <= 3:
        return math.nan, math.nan
    if abs(value) == 1:
        return value, value
    middle = math.atanh(value)
    width = standard_errors() * math.sqrt((1 + value**2 / 2) / (samples - 3))
    return math.tanh(middle - width), math.tanh(middle + width)
