"""Several samples of a patient: which of them count."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any, Literal, get_args

import numpy as np

from caprese._core.arrays import IntArray
from caprese._core.checks import one_of
from caprese._core.names import numbered
from caprese._core.words import listing, number_of
from caprese.data.curation.log import Curated, Step, Why
from caprese.data.dataset import Dataset
from caprese.data.patients import Patients
from caprese.errors import DatasetError, Remedy

Chosen = Literal["any", "first", "last", "primary", "series", "all"]
LostEvents = Literal["keep", "drop", "error"]

_WORDS = {
    "first": "first",
    "last": "last",
    "primary": "primary tumour, else that with the most entries known",
}
_TIMES = Remedy("sampled_at", None, "says when each sample was taken")


@dataclass(frozen=True, kw_only=True)
class PerPatient:
    """Keep one sample of each patient, or all that are of use.

    Parameters
    ----------
    by
        ``primary``: a primary tumour, if there is one; of several samples that with the most known
        entries, then the first by name. ``first``, ``last``: by time, at the site with the most
        samples of known time; where times are unknown, as ``primary``. ``any``: one row per
        patient, in which an event is present if any sample has it, and absent if it is known to be
        absent in all. ``series``: the samples whose order is known; one as ``primary`` of a patient
        without. ``all``: all samples.
    lost_events
        An event may be missing in a sample though an earlier one of the same patient and site has
        it. ``keep`` such samples, ``drop`` them, or treat them as an ``error``.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 0], [1, 1], [0, 1]], events="ab", samples=["p1", "p2", "q"])
    >>> curated = PerPatient(by="any").apply(data.with_patients({"p1": "p", "p2": "p"}))
    >>> curated.data.samples
    ('p', 'q')
    """

    by: Chosen = "primary"
    lost_events: LostEvents = "keep"

    def __post_init__(self) -> None:
        one_of("by", self.by, get_args(Chosen))
        one_of("lost_events", self.lost_events, get_args(LostEvents))

    def apply(self, data: Dataset) -> Curated:
        """Return the data with these samples.

        Raises
        ------
        DatasetError
            If it is not known which samples are of one patient, or when they were taken.
        """
        patients = data.patients
        if patients is None:
            remedy = Remedy("patients", None, "says which samples are of one patient")
            raise DatasetError("the patients of the samples are not known", remedy=remedy)
        if not patients.several:
            return Curated(data)
        if self.by in ("first", "last", "series") and not len(patients.pairs()):
            problem = f"the {self.by} samples are not known: no patient has two of known order"
            raise DatasetError(problem, remedy=_TIMES)
        kept, log = self._without_lost(data, patients)
        after = self._chosen(kept.data, kept.data.patients or patients)
        return Curated(after.data, (*log, *kept.log, *after.log))

    def _without_lost(self, data: Dataset, patients: Patients) -> tuple[Curated, tuple[Step, ...]]:
        """Return the data without samples that lack earlier events, if these are not to be kept."""
        earlier, later = patients.pairs().T
        lost = data.values[earlier] & data.known_mask[later] & ~data.values[later]
        rows = np.unique(later[lost.any(axis=1)])
        told = [
            f"{data.samples[row]} ({listing(compress(data.events, own))})"
            for row, own in zip(later.tolist(), lost, strict=True)
            if own.any()
        ]
        what = f"{number_of(len(rows), 'sample')} {Why.LOST}: {listing(told)}"
        if not len(rows):
            return Curated(data), ()
        if self.lost_events == "error":
            remedy = Remedy("lost_events", "drop", "leaves them out, keep keeps them")
            raise DatasetError(what, remedy=remedy)
        if self.lost_events == "keep":
            said = Step("read", f"kept {what}")
            return Curated(data), (said,) * (self.by in ("series", "all"))
        return _without(data, rows, Why.LOST), ()

    def _chosen(self, data: Dataset, patients: Patients) -> Curated:
        if self.by not in ("series", "all") and patients.given.any():
            return _without(data, np.flatnonzero(patients.given), Why.ANCESTOR)
        if self.by == "all":
            what = "all samples of each patient are kept; each counts where a model is fitted"
            return Curated(data, (Step("read", what),) * patients.several)
        if self.by == "any":
            return _united(data, patients)
        rank = _rank(data, patients, self.by)
        best = np.array([min(rows.tolist(), key=rank) for rows in patients.members()])
        if self.by != "series":
            others = np.setdiff1d(np.arange(len(data.samples)), best)
            return _without(data, others, Why.OTHER_SAMPLE.format(_WORDS[self.by]))
        ordered = np.unique(patients.pairs())
        alone = best[~np.isin(patients.numbers[best], patients.numbers[ordered])]
        others = np.setdiff1d(np.arange(len(data.samples)), [*ordered, *alone])
        return _without(data, others, Why.NOT_IN_SERIES)


def _rank(data: Dataset, patients: Patients, by: str) -> Callable[[int], tuple[Any, ...]]:
    """Return by what samples of a patient are compared: the least represents the patient."""
    sign = {"first": 1, "last": -1}.get(by, 0)
    times = np.where(np.isnan(patients.times), np.inf, sign * np.nan_to_num(patients.times))
    untimed = np.zeros(len(times))  # samples of known time at the same site, the most first
    for rows in patients.at_sites():
        untimed[rows] = -np.isfinite(times[rows]).sum()
    known, blood = data.known_mask.sum(axis=1), [site == "blood" for site in patients.sites]

    def rank(row: int) -> tuple[Any, ...]:
        when = (untimed[row], blood[row], times[row]) if sign else ()
        return (*when, not patients.primary[row], -known[row], data.samples[row])

    return rank


def _without(data: Dataset, rows: IntArray, why: str) -> Curated:
    if not len(rows):
        return Curated(data)
    gone = tuple(sorted(data.samples[row] for row in rows.tolist()))
    kept = np.delete(np.arange(len(data.samples)), rows)
    return Curated(data.take_samples(kept), (Step("drop", why, samples=gone),))


def _united(data: Dataset, patients: Patients) -> Curated:
    """Return one row per patient, which has the events of all samples of it."""
    members = patients.members()
    present = np.array([data.values[rows].any(axis=0) for rows in members])
    known = present | np.array([data.known_mask[rows].all(axis=0) for rows in members])
    merged = tuple(
        sorted(data.samples[row] for rows in members if len(rows) > 1 for row in rows.tolist())
    )
    first = np.array([_with_orders(data, rows) for rows in members])
    names = numbered(
        patients.names[rows[0]] if len(rows) > 1 else data.samples[rows[0]] for rows in members
    )
    found = data.take_samples(first)
    owners = Patients(tuple(patients.names[row] for row in first.tolist()))
    found = replace(found, values=present | found.values, known=known, patients=owners)
    step = Step("merge", Why.IN_ANY_SAMPLE, samples=merged, composite="their patients")
    return Curated(_renamed(found, names), (step,))


def _with_orders(data: Dataset, rows: IntArray) -> int:
    """Return the first sample with seen orders; the first of all without."""
    orders = data.orders
    seen = rows[:0] if orders is None else np.intersect1d(rows, orders.ordered_samples())
    return int(seen[0] if len(seen) else rows[0])


def _renamed(data: Dataset, names: Sequence[str]) -> Dataset:
    orders = data.orders and replace(data.orders, samples=tuple(names))
    return replace(data, samples=tuple(names), orders=orders)
