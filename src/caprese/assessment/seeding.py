"""Seeding: which events follow it, from primary tumours and metastases of the same patients.

An event that only the metastasis has came after it was seeded. One that both have came before, or
in each of them afterwards. If events come at constant rates, and seeding and sampling too, odds are
rates times the mean time of a phase. After seeding both go on alone, so that the odds of an event
in the metastasis are those of patients in which only it has the event against neither; what both
have beyond this came before. Nobody knows how long a phase took, so that rates are relative to
those of all events together in the same phase.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese._core.checks import MOST, SEEDS, whole
from caprese._core.names import by_name
from caprese._core.significance import SIGNIFICANT
from caprese.data.contingency import adjusted
from caprese.data.dataset import Dataset
from caprese.data.patients import Patients
from caprese.errors import DatasetError, Remedy

if TYPE_CHECKING:
    import pandas as pd

_STREAM = 0x5EED  # apart from the streams of other work with the same seed
_HALF = 0.5  # is added to all counts, so that no rate is infinite
_LEAST = 1e-6  # of a rate


@dataclass(frozen=True)
class SeededEvent:
    """One event in primary tumours and metastases.

    Parameters
    ----------
    event
        Its name.
    patients
        In how many patients it is known of both.
    both, metastasis, primary
        How many of these have it in both, and how many only in one.
    before, after
        Its rate before seeding, and afterwards in the metastasis: shares of that of all events.
    low, high
        The 95 % interval of the difference, by resampling patients.
    p_value, adjusted
        Of the exact test that after seeding it is as frequent in the metastasis as in the primary
        tumour, alone and adjusted for all events.
    """

    event: str
    patients: int
    both: int
    metastasis: int
    primary: int
    before: float
    after: float
    low: float
    high: float
    p_value: float
    adjusted: float

    @property
    def difference(self) -> float:
        """The rate after seeding less the rate before."""
        return self.after - self.before


@dataclass(frozen=True)
class Seeding:
    """Which events follow seeding.

    Parameters
    ----------
    events
        Those that any sample has, the greatest difference of rates first.
    patients
        How many patients have samples of both.
    """

    events: tuple[SeededEvent, ...]
    patients: int

    @property
    def following(self) -> tuple[SeededEvent, ...]:
        """Those whose rate is higher after seeding, with an interval above 0."""
        return tuple(each for each in self.events if each.low > 0)

    @property
    def preceding(self) -> tuple[SeededEvent, ...]:
        """Those whose rate is higher before seeding, with an interval below 0."""
        return tuple(each for each in self.events if each.high < 0)

    @property
    def gained(self) -> tuple[SeededEvent, ...]:
        """Those that only one of both has more often than the other, by adjusted p-values."""
        return tuple(each for each in self.events if each.adjusted < SIGNIFICANT)

    def table(self) -> "pd.DataFrame":
        """Return one row per event."""
        import pandas as pd

        names = ("event", "patients", "both", "metastasis", "primary", "before", "after")
        more = ("difference", "low", "high", "p_value", "adjusted")
        rows = [[getattr(each, name) for name in (*names, *more)] for each in self.events]
        return pd.DataFrame(rows, columns=[*names, *more])


def seeding_rates(data: Dataset, *, replicates: int = 2000, seed: int = 1) -> Seeding:
    """Return which events follow the seeding of metastases, as differences of rates.

    Parameters
    ----------
    data
        Its `patients` say which samples are of one patient, and which are of a primary tumour.
        Others are metastases, unless they are of blood. Of several primary tumours, or several
        metastases, an event is present if any has it.
    replicates
        How often patients are resampled.
    seed
        Of the resamples.

    Raises
    ------
    DatasetError
        If no patient has both.

    Examples
    --------
    >>> from caprese import Patients
    >>> rows = [[1, 0], [1, 1], [1, 0], [1, 1], [0, 0], [0, 1], [1, 0], [1, 0]]
    >>> data = Dataset.from_rows(rows, events=["TP53", "KRAS"])
    >>> first = [True, False] * 4
    >>> data = data.with_patients(Patients(tuple("AABBCCDD"), primary=first))
    >>> found = seeding_rates(data)
    >>> [(each.event, each.both, each.metastasis, each.primary) for each in found.events]
    [('KRAS', 0, 3, 0), ('TP53', 3, 0, 0)]
    """
    whole("replicates", replicates, 1, MOST)
    whole("seed", seed, *SEEDS)
    pairs = _pairs(data.patients)
    if not pairs:
        remedy = Remedy("sites", None, "says which samples are of a primary tumour")
        problem = "no patient has samples of a primary tumour and of a metastasis"
        raise DatasetError(problem, remedy=remedy)
    order = np.array(by_name(data.events), dtype=np.int64)
    order = order[data.values[:, order].any(axis=0)]
    first, first_known = _united(data, [own[0] for own in pairs], order)
    later, later_known = _united(data, [own[1] for own in pairs], order)
    known = first_known & later_known
    cells = np.array([known, first & later & known, later & ~first & known, first & ~later & known])
    before, after = _rates(cells.sum(axis=1, dtype=np.float64))
    low, high = _interval(cells, replicates, seed)
    counts = cells.sum(axis=1)
    p_values = np.array([_exact(*row) for row in zip(*counts[2:].tolist(), strict=True)])
    columns = (*counts, before, after, low, high, p_values, adjusted(p_values))
    rows = zip(*(column.tolist() for column in columns), strict=True)
    names = [data.events[k] for k in order.tolist()]
    events = [SeededEvent(name, *row) for name, row in zip(names, rows, strict=True)]
    return Seeding(tuple(sorted(events, key=lambda each: -each.difference)), len(pairs))


def _pairs(patients: Patients | None) -> list[tuple[IntArray, IntArray]]:
    """Return the primary tumours and the metastases of each patient who has both."""
    if patients is None:
        return []
    solid = np.array([site != "blood" for site in patients.sites])
    found = [
        (rows[patients.primary[rows]], rows[~patients.primary[rows] & solid[rows]])
        for rows in patients.members()
    ]
    return sorted(
        (own for own in found if len(own[0]) and len(own[1])),
        key=lambda own: patients.names[own[0][0]],
    )


def _united(data: Dataset, groups: list[IntArray], order: IntArray) -> tuple[BoolArray, BoolArray]:
    """Return which events any sample of each group has, and of which this is known."""
    values, mask = data.values[:, order], data.known_mask[:, order]
    present = np.array([values[rows].any(axis=0) for rows in groups])
    return present, present | np.array([mask[rows].all(axis=0) for rows in groups])


def _rates(counts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the rates before and after seeding.

    Parameters
    ----------
    counts
        Of each event the patients, and those with the event in both, in the metastasis only and in
        the primary tumour only: 4 x ... x events.
    """
    patients, both, metastasis, primary = counts
    neither = patients - both - metastasis - primary + _HALF
    after, beside = (metastasis + _HALF) / neither, (primary + _HALF) / neither
    absent = neither * (1 + after) * (1 + beside) / (patients + 4 * _HALF)  # when it was seeded
    before = np.maximum((1 - absent) / absent, _LEAST)
    return before / before.sum(axis=-1, keepdims=True), after / after.sum(axis=-1, keepdims=True)


def _interval(cells: BoolArray, replicates: int, seed: int) -> FloatArray:
    """Return the ends of the 95 % intervals of the differences of rates."""
    rng, patients = np.random.default_rng([_STREAM, seed]), cells.shape[1]
    drawn = rng.multinomial(patients, np.full(patients, 1 / patients), size=replicates)
    before, after = _rates(np.array([drawn.astype(np.float64) @ each for each in cells]))
    tail = SIGNIFICANT / 2
    return np.asarray(np.quantile(after - before, [tail, 1 - tail], axis=0))


def _exact(metastasis: int, primary: int) -> float:
    """Return the p-value of the exact test of McNemar."""
    from scipy.stats import binomtest

    number = int(metastasis + primary)
    return float(binomtest(int(metastasis), number).pvalue) if number else 1.0
