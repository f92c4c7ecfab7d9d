"""Patients: which samples are of one patient, and when and where each was taken."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, IntArray, frozen
from caprese._core.names import numbered
from caprese._core.words import number_of
from caprese.errors import DatasetError


@dataclass(frozen=True, eq=False, repr=False)
class Patients(ArrayValue):
    """The patient of each sample of a data set, and when and where the sample was taken.

    Parameters
    ----------
    names
        The patient of each sample; empty where none is known: such a sample stands for a patient
        of its own.
    times
        When each sample was taken: days, an age, or only a place in an order; NaN where that is
        unknown. Only times of one patient are compared. By default all are unknown.
    sites
        What each sample was taken from, such as tumour or blood; empty where unknown. An event that
        is missing in another site is not lost. By default all are unknown.
    primary
        Which samples are of a primary tumour; by default none is said to be.
    given
        Which samples are reconstructed ancestors of isolates, which count only for what comes after
        them; by default none.

    Examples
    --------
    >>> patients = Patients(("Ada", "Bob", "Ada", ""), times=(5, 1, 2, np.nan))
    >>> patients
    <Patients: 3 patients of 4 samples, 1 in series>
    >>> patients.pairs()  # the samples 2 and 0 are of Ada, in this order
    array([[2, 0]])
    """

    names: tuple[str, ...]
    times: FloatArray = field(default_factory=lambda: np.empty(0))
    sites: tuple[str, ...] = ()
    primary: BoolArray = field(default_factory=lambda: np.empty(0, dtype=bool))
    given: BoolArray = field(default_factory=lambda: np.empty(0, dtype=bool))

    def __post_init__(self) -> None:
        samples = len(self.names)
        object.__setattr__(self, "names", tuple(map(str, self.names)))
        object.__setattr__(self, "sites", tuple(map(str, self.sites)) or ("",) * samples)
        self._set("times", self.times if np.size(self.times) else np.full(samples, np.nan), float)
        self._set("primary", self.primary if np.size(self.primary) else np.zeros(samples), bool)
        self._set("given", self.given if np.size(self.given) else np.zeros(samples), bool)
        for name in ("times", "sites", "primary", "given"):
            if (number := len(getattr(self, name))) != samples:
                raise DatasetError(f"{name} must be one per sample, {samples}, got {number}")
        if np.isinf(self.times).any():
            raise DatasetError("times must be finite, or NaN where they are unknown")

    def __repr__(self) -> str:
        several = f"{number_of(self.number, 'patient')} of {number_of(len(self.names), 'sample')}"
        series = len(np.unique(self.numbers[self.pairs()[:, 0]]))
        return f"<Patients: {several}, {series} in series>"

    @cached_property
    def numbers(self) -> IntArray:
        """The number of the patient of each sample, in the order in which they appear."""
        seen: dict[tuple[str, int], int] = {}
        keys = ((name, -1 if name else row) for row, name in enumerate(self.names))
        return frozen([seen.setdefault(key, len(seen)) for key in keys], np.int64)

    @property
    def number(self) -> int:
        """How many patients there are."""
        return int(self.numbers.max(initial=-1)) + 1

    @property
    def several(self) -> bool:
        """Whether any patient has more than one sample."""
        return self.number < len(self.names)

    def members(self) -> list[IntArray]:
        """Return the positions of the samples of each patient."""
        order = np.argsort(self.numbers, kind="stable")
        ends = np.cumsum(np.bincount(self.numbers, minlength=self.number))
        return np.split(order, ends[:-1])

    def at_sites(self) -> list[IntArray]:
        """Return the positions of the samples of each patient from each site."""
        found = defaultdict[tuple[int, str], list[int]](list)
        for row, key in enumerate(zip(self.numbers.tolist(), self.sites, strict=True)):
            found[key].append(row)
        return [np.array(rows, dtype=np.int64) for rows in found.values()]

    def dated(self, *times: FloatArray) -> tuple[Self, IntArray]:
        """Return the same with these times, and which samples contradictory ones are of.

        Parameters
        ----------
        times
            When each sample was taken, as one or several say; NaN where unknown. Where the first
            leaves the order of a patient's samples open, the others decide: the place in their
            order is then the time. Times that contradict each other are left unknown.
        """
        found, wrong = times[0].copy(), np.zeros(len(self.names), dtype=bool)
        for rows in self.at_sites():
            own = np.array([each[rows] for each in times])
            bad = _backwards(own)
            wrong[rows[bad]] = True
            if bad.any():
                found[rows] = np.nan
            elif len(times) > 1 and _distinct(place := _placed(own)) > _distinct(own[0]):
                found[rows] = place
        return replace(self, times=found), np.flatnonzero(wrong)

    def pairs(self) -> IntArray:
        """Return the positions of each sample of a series, and of the one before it: pairs x 2.

        The earlier sample comes first. Both are of the same patient and site, and nothing was taken
        between them. Of samples taken at the same time, the first in the data leads on.
        """
        known = ~np.isnan(self.times)
        found = [pair for rows in self.at_sites() for pair in self._steps(rows[known[rows]])]
        return np.array(sorted(found, key=lambda pair: pair[1]), dtype=np.int64).reshape(-1, 2)

    def _steps(self, rows: IntArray) -> list[tuple[int, int]]:
        """Return each sample of a series but the first ones, after the one before it."""
        times, leading = np.unique(self.times[rows], return_index=True)
        place = np.searchsorted(times, self.times[rows])
        later = np.flatnonzero(place)
        earlier = rows[leading[place[later] - 1]]
        return list(zip(earlier.tolist(), rows[later].tolist(), strict=True))

    def take(self, positions: ArrayLike) -> Self:
        """Return those of the samples at these positions.

        Where a sample is taken again, as in a resample, it is of another patient.
        """
        chosen = np.arange(len(self.names))[np.asarray(positions)]
        times: Counter[int] = Counter()
        copies = []
        for row in chosen.tolist():
            copies.append((self.names[row], times[row]))
            times[row] += 1
        distinct = list(dict.fromkeys(sorted(copies, key=lambda copy: copy[1])))
        named = [copy for copy in distinct if copy[0]]
        name_of = dict(zip(named, numbered([name for name, _ in named]), strict=True))
        return replace(
            self,
            names=tuple(name_of.get(copy, "") for copy in copies),
            times=self.times[chosen],
            sites=tuple(self.sites[row] for row in chosen.tolist()),
            primary=self.primary[chosen],
            given=self.given[chosen],
        )

    def without_names(self) -> Self:
        """Return the same with patients named by numbers."""
        return replace(self, names=tuple(str(number + 1) for number in self.numbers.tolist()))

    def content(self, kinds: IntArray) -> str:
        """Return what does not depend on names and order of samples; empty if nothing is known.

        Parameters
        ----------
        kinds
            The number of the genotype of each sample.
        """
        if not self.several and np.isnan(self.times).all():
            return ""
        keys = [
            (int(kind), repr(float(time)), site, bool(primary), *(("given",) if given else ()))
            for kind, time, site, primary, given in zip(
                kinds, self.times, self.sites, self.primary, self.given, strict=True
            )
        ]
        return repr(sorted(sorted(keys[row] for row in rows.tolist()) for rows in self.members()))

    def _set(self, name: str, values: ArrayLike, kind: type) -> None:
        object.__setattr__(self, name, frozen(np.asarray(values, dtype=kind)))


def _backwards(times: FloatArray) -> BoolArray:
    """Return which samples some times put before another one, and other times after it."""
    comparisons = times[:, :, None] < times[:, None]  # False where one is unknown
    before: BoolArray = np.asarray(comparisons.any(axis=0))
    return np.asarray((before & before.T).any(axis=1))


def _distinct(times: FloatArray) -> int:
    return len(np.unique(times[~np.isnan(times)]))


def _placed(times: FloatArray) -> FloatArray:
    """Return the place of each sample by the times that are known of most of them."""
    known = ~np.isnan(times)
    rows = known[int(known.sum(axis=1).argmax())]
    found = np.full(times.shape[1], np.nan)
    if not rows.any():
        return found
    full = times[known[:, rows].all(axis=1)][:, rows]
    _, place = np.unique(full, axis=1, return_inverse=True)
    found[rows] = place.reshape(-1)
    return found
