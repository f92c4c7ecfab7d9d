"""Visits: the samples of each patient in the order they were taken, as fits with time need them."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, IntArray, frozen
from caprese._core.checks import one_of
from caprese._core.names import by_name
from caprese.data.dataset import Dataset
from caprese.data.patients import Patients
from caprese.errors import DatasetError, Remedy

Times = Literal["unknown", "order", "gaps", "known"]
"""What of the times of samples a fit uses; see `Visits.of`."""

TIMES: tuple[Times, ...] = get_args(Times)

_WHEN = Remedy("sampled_at", None, "says when each sample was taken")
_ALL_OF_SERIES = Remedy("per_patient", "series", "keeps the other samples of each patient")


@dataclass(frozen=True, eq=False, repr=False)
class Visits(ArrayValue):
    """Distinct histories of patients: what was seen of them, one visit after the other.

    The order of histories depends on what they hold and on the names of events, not on the order
    of rows and columns of a table.

    Parameters
    ----------
    events
        Names of the events.
    codes
        Visits x events, the visits of a history one after the other: 0 absent, 1 present, 2
        unknown.
    elapsed
        The time before each visit: since the visit before it, or of the first visit since the
        progression began. NaN where that is unknown.
    starts
        Where the visits of each history start, and after the last one where they end.
    number
        How many patients have each history.
    left_out
        How many samples are in no history.
    given
        Which histories begin with an ancestor that is given: only what comes after it counts.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 1], [1, 0], [0, 1]], events="ab")
    >>> data = data.with_patients(Patients(("Ada", "Ada", "Bob"), times=(9, 2, np.nan)))
    >>> visits = Visits.of(data, "gaps")
    >>> visits
    <Visits: 3 visits of 2 patients, 1 with several>
    >>> visits.codes, visits.elapsed, visits.starts
    (array([[0, 1],
           [1, 0],
           [1, 1]], dtype=uint8), array([nan, nan,  7.]), array([0, 1, 3]))
    """

    events: tuple[str, ...]
    codes: NDArray[np.uint8]
    elapsed: FloatArray
    starts: IntArray
    number: IntArray
    left_out: int = 0
    given: BoolArray = field(default_factory=lambda: np.empty(0, dtype=bool))

    def __post_init__(self) -> None:
        kinds: tuple[tuple[str, Any], ...] = (
            ("codes", np.uint8),
            ("elapsed", np.float64),
            ("starts", np.int64),
            ("number", np.int64),
        )
        for name, kind in kinds:
            object.__setattr__(self, name, frozen(getattr(self, name), kind))
        given = self.given if np.size(self.given) else np.zeros(len(self.number))
        object.__setattr__(self, "given", frozen(given, np.bool_))

    @classmethod
    def of(cls, data: Dataset, times: Times, *, from_given: bool = False) -> Self:
        """Return the visits of the patients of a data set.

        Of a patient with several samples only one site counts: that with the most known times. Of
        its samples those with a known time count, or if there is none, that with the most known
        entries. Samples taken at the same time are one visit, in which an event is present if any
        of them has it.

        Parameters
        ----------
        data
            Its `patients` say which samples belong together, and when they were taken.
        times
            ``unknown``: nothing; each sample is a patient of its own. ``order``: the order of the
            samples of a patient. ``gaps``: also the time between them. ``known``: also the time of
            the first one, which counts from the start of the progression, where it is known.
        from_given
            Whether histories may begin with ancestors of isolates, which are given.

        Raises
        ------
        DatasetError
            If no time is known that is to be used, or one is negative.
        """
        one_of("times", times, TIMES)
        patients = data.patients
        if times == "unknown" or patients is None:
            if times != "unknown":
                _refuse(times, "it is not known when samples were taken")
            return cls._merged(data, [[rows] for rows in np.arange(len(data.samples))[:, None]], [])
        histories = [_history(data, patients, rows) for rows in patients.members()]
        given = [bool(patients.given[history[0]].all()) for history in histories]
        if any(given) and not from_given:
            _refuse(times, "branches begin with ancestors, and this method takes none as given")
        if times == "known":
            _check_known(data, patients.times)
        elif all(len(history) < 2 for history in histories):
            several = any(len(rows) > 1 for rows in patients.members())
            remedy = _WHEN if several else _ALL_OF_SERIES
            _refuse(times, "no patient has two samples of known order", remedy)
        elapsed = [
            _elapsed(patients.times, history, "gaps" if own and times == "known" else times)
            for history, own in zip(histories, given, strict=True)
        ]
        return cls._merged(data, histories, elapsed, given)

    @classmethod
    def _merged(
        cls,
        data: Dataset,
        histories: list[list[IntArray]],
        elapsed: list[list[float]],
        given: list[bool] | None = None,
    ) -> Self:
        """Return the distinct histories, each of which is a list of rows for each visit."""
        order, every = by_name(data.events), data.codes()
        times = elapsed or [[np.nan]] * len(histories)
        number: dict[tuple[Any, ...], int] = {}
        starts = given or [False] * len(histories)
        for history, own, start in zip(histories, times, starts, strict=True):
            seen = tuple(_united(every[rows][:, order]).tobytes() for rows in history)
            key = (len(own), seen, tuple(np.nan_to_num(own, nan=-1.0).tolist()), start)
            number[key] = number.get(key, 0) + 1
        kinds = sorted(number)
        rows = b"".join(b"".join(seen) for _, seen, *_ in kinds)
        codes = np.frombuffer(rows, np.uint8).reshape(-1, len(order))[:, np.argsort(order)]
        since = np.array([each for _, _, own, _ in kinds for each in own])
        return cls(
            data.events,
            codes,
            np.where(since < 0, np.nan, since),
            np.cumsum([0, *(visits for visits, *_ in kinds)]),
            np.array([number[key] for key in kinds]),
            len(data.samples) - sum(len(rows) for history in histories for rows in history),
            np.array([start for *_, start in kinds]),
        )

    def __repr__(self) -> str:
        visits = f"{int(self.number @ self.lengths)} visits of {self.patients} patients"
        return f"<Visits: {visits}, {self.series} with several>"

    @property
    def lengths(self) -> IntArray:
        """How many visits each history has."""
        return np.diff(self.starts)

    @property
    def patients(self) -> int:
        """How many patients there are."""
        return int(self.number.sum())

    @property
    def series(self) -> int:
        """How many patients have several visits."""
        return int(self.number[self.lengths > 1].sum())

    @property
    def weights(self) -> IntArray:
        """How many patients have each visit."""
        return np.repeat(self.number, self.lengths)

    @property
    def first(self) -> BoolArray:
        """Which visits are the first ones of a patient."""
        return np.isin(np.arange(len(self.codes)), self.starts[:-1])

    def known(self) -> int:
        """Return before how many visits of all patients the time is known."""
        return int(self.weights[~np.isnan(self.elapsed)].sum())

    def mean_time(self) -> float:
        """Return the mean of the known times of first visits; NaN if none is known."""
        own = self.first & ~np.isnan(self.elapsed)
        weights = self.weights[own]
        return float(weights @ self.elapsed[own] / weights.sum()) if own.any() else float("nan")

    def take_events(self, names: tuple[str, ...]) -> Self:
        """Return the same histories with these events, in this order."""
        columns = [self.events.index(name) for name in names]
        return replace(self, events=names, codes=self.codes[:, columns])

    def scaled(self, unit: float) -> Self:
        """Return the same with times counted in another unit."""
        return replace(self, elapsed=self.elapsed / unit)

    def kept(self) -> Self:
        """Return what is known if nothing was seen wrongly, as events stay.

        An event that was seen is there at all later visits, where it may be missing in the data,
        and one that is absent was absent before.

        Examples
        --------
        >>> Visits("ab", [[2, 1], [0, 2]], [np.nan, 1.0], [0, 2], [1]).kept().codes
        array([[0, 1],
               [0, 1]], dtype=uint8)
        """
        codes = np.array(self.codes)
        for start, stop in zip(self.starts[:-1].tolist(), self.starts[1:].tolist(), strict=True):
            own = codes[start:stop]
            there = np.logical_or.accumulate(own == 1)
            absent = np.logical_or.accumulate((own == 0)[::-1])[::-1]
            own[:] = np.where(there, 1, np.where(absent, 0, own))
        return replace(self, codes=codes)


def _refuse(times: Times, problem: str, remedy: Remedy = _WHEN) -> None:
    raise DatasetError(f"times={times} cannot be used: {problem}", remedy=remedy)


def _check_known(data: Dataset, times: FloatArray) -> None:
    if np.isnan(times).all():
        _refuse("known", "it is not known when samples were taken")
    if (times < 0).any():
        row = min(np.flatnonzero(times < 0).tolist(), key=data.samples.__getitem__)
        problem = f"sample {data.samples[row]!r} was taken at {times[row]:g}"
        _refuse("known", f"times count from the start of the progression, but {problem}")


def _history(data: Dataset, patients: Patients, rows: IntArray) -> list[IntArray]:
    """Return the samples of each visit of a patient."""
    sites: dict[str, list[int]] = {}
    for row in rows.tolist():
        sites.setdefault(patients.sites[row], []).append(row)
    rank = _rank(data, patients)

    def told(own: list[int]) -> tuple[Any, ...]:
        times = patients.times[own]
        known = len(np.unique(times[~np.isnan(times)]))
        return (-known, *min(map(rank, own)))

    best = np.array(min(sites.values(), key=told))
    times = patients.times[best]
    if np.isnan(times).all():
        return [np.array([min(best.tolist(), key=rank)])]
    return [best[times == time] for time in np.unique(times[~np.isnan(times)])]


def _rank(data: Dataset, patients: Patients) -> Callable[[int], tuple[Any, ...]]:
    """Return by what samples of a patient are compared: the least represents the patient."""
    known = data.known_mask.sum(axis=1)
    return lambda row: (
        patients.sites[row] == "blood",
        not patients.primary[row],
        -known[row],
        data.samples[row],
    )


def _elapsed(times: FloatArray, history: list[IntArray], used: Times) -> list[float]:
    """Return the time before each visit, as far as it is to be used."""
    at = np.array([times[rows[0]] for rows in history])
    first = at[0] if used == "known" else np.nan
    gaps = np.diff(at) if used != "order" else np.full(len(at) - 1, np.nan)
    return [float(first), *gaps.tolist()]


def _united(codes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return one row: present if any is, absent if all are."""
    united = np.where((codes == 1).any(axis=0), 1, np.where((codes == 0).all(axis=0), 0, 2))
    return np.asarray(united.astype(np.uint8))
