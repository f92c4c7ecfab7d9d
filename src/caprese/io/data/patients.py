"""Patients of samples, and when and where samples were taken: from tables, or from names."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from math import isfinite, nan

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray
from caprese._core.checks import one_of
from caprese._core.files import FilePath, format_error, shown
from caprese._core.names import short_barcode
from caprese._core.words import listing, number_of
from caprese.data.patients import Patients
from caprese.data.sample_names import patients_in_names, places_in_names, several_in_names
from caprese.errors import DatasetError, ParameterError, Remedy
from caprese.io.data.annotations import Entry, read_entries
from caprese.io.data.reading import Note, Reading, named

IN_NAMES, NONE = "names", "none"
"""What may stand for a table: the names of the samples, or that each is of another patient."""

CONFLICTS = ("error", "unknown")
"""What becomes of times that contradict each other."""

Column = tuple[FilePath, str | None]
"""A table of samples, and the title of a column; None if it has only one."""

_LOOK = 20_000  # names of samples that are looked at for patients, if nobody asks for it
_BLOOD = re.compile(r"\bc[tf]dna\b|blood|plasma|serum|liquid", re.IGNORECASE)
_PRIMARY = re.compile("primary", re.IGNORECASE)
_UNSURE = Remedy("time_conflicts", "unknown", "leaves such times unknown")
_NEEDED = Remedy("patients", None, "says which samples are of one patient")


@dataclass(frozen=True)
class PatientSource:
    """Where it is said which samples are of one patient, and when each was taken.

    Parameters
    ----------
    patients
        A column with the patient of each sample; `IN_NAMES` if the names of the samples tell,
        `NONE` if each is of another patient. None: as the data says itself.
    sampled_at
        Columns of times, or `IN_NAMES`: dates, or numbers such as days, an age or a place in an
        order. Where the first leaves an order open, the others decide.
    sites
        A column of what each sample was taken from; blood and plasma are told from all else, and
        primary tumours from others.
    time_conflicts
        Whether two times of one sample, and times of which one says that a sample came before
        another and one that it came after it, are an ``error``, or left ``unknown``.
    """

    patients: Column | str | None = None
    sampled_at: tuple[Column | str, ...] = ()
    sites: Column | None = None
    time_conflicts: str = "error"

    def __post_init__(self) -> None:
        one_of("time_conflicts", self.time_conflicts, CONFLICTS)

    def read(self, reading: Reading) -> Reading:
        """Return a reading whose data has the patients, with notes on what is known of them.

        If nothing is said, and names look like several samples of one patient, that is a doubt.
        """
        found, notes = self._patients(reading)
        if found is None:
            if self.sampled_at or self.sites:
                name = "sampled_at" if self.sampled_at else "sites"
                problem = f"{name} tells one sample of a patient from another: patients are needed"
                raise DatasetError(problem, remedy=_NEEDED)
            return self._doubted(replace(reading, data=reading.data.with_patients(None)))
        samples = reading.data.samples
        if self.sites is not None:
            told = _by_sample(self.sites, samples)
            kinds = [told[name].text if name in told else "" for name in samples]
            found = sites_of(found, kinds)
        if self.sampled_at:
            found = self._dated(found, samples)
        result = reading.data.with_patients(found)
        return reading.changed(result, [*notes, *_size(found)])

    def _patients(self, reading: Reading) -> tuple[Patients | None, tuple[Note, ...]]:
        """Return the patients of the samples, None if nothing is known, and notes."""
        samples = reading.data.samples
        if self.patients is None:
            return reading.data.patients, ()
        if self.patients == NONE:
            return None, ()
        if self.patients == IN_NAMES:
            found = patients_in_names(samples)
            if found is None:
                rule = "a table: no names look like several samples of one patient"
                raise ParameterError("patients", rule, self.patients)
            return found, ()
        assert not isinstance(self.patients, str)
        told = _by_sample(self.patients, samples)
        own = [told[name].text if name in told else "" for name in samples]
        without = [name for name, patient in zip(samples, own, strict=True) if not patient]
        alone = named("patients:", "sample", without, "without one, each of a patient of its own")
        return Patients(tuple(own), primary=_primary_barcodes(samples)), alone

    def _doubted(self, reading: Reading) -> Reading:
        if self.patients == NONE or not (why := several_in_names(reading.data.samples[:_LOOK])):
            return reading
        remedy = Remedy("patients", IN_NAMES, f"counts each patient once, {NONE} each sample")
        return replace(reading, doubts=(*reading.doubts, Note(why, remedy)))

    def _dated(self, patients: Patients, samples: Sequence[str]) -> Patients:
        """Return the patients with the times of their samples."""
        times = [
            places_in_names(samples, patients)
            if each == IN_NAMES
            else self._times((each, None) if isinstance(each, str) else each, samples)
            for each in self.sampled_at
        ]
        found, wrong = patients.dated(*times)
        if wrong.size and self.time_conflicts == "error":
            names = listing([samples[row] for row in wrong.tolist()])
            problem = f"times of one patient go backwards against a stated order: {names}"
            raise DatasetError(problem, remedy=_UNSURE)
        return found

    def _times(self, column: Column, samples: Sequence[str]) -> FloatArray:
        """Return the times in a column; NaN where it has none."""
        told = _by_sample(column, samples, twice=self.time_conflicts == "unknown")
        scales = dict[str, Entry]()
        times = np.full(len(samples), nan)
        for row, name in enumerate(samples):
            if name in told and told[name].text:
                scale, times[row] = _time(column[0], told[name])
                scales.setdefault(scale, told[name])
        if len(scales) > 1:
            one, other = sorted(scales.values())[:2]
            problem = f"{shown(other.text)} and {shown(one.text)} in line {one.line}"
            raise format_error(
                column[0], f"{problem} are not both dates, or both numbers", line=other.line
            )
        return times


def _by_sample(
    column: Column, samples: Sequence[str], *, twice: bool | None = None
) -> dict[str, Entry]:
    """Return what a column says of the samples, as far as it names them.

    A name may be the barcode of a sample, or of a patient, that begins the name of the sample. What
    is said twice must be the same; `twice` is whether it is left unknown otherwise.
    """
    path, title = column
    _, entries = read_entries(path, title)
    told = dict[str, Entry]()
    for each in entries:
        before = told.setdefault(each.sample, each)
        if before.text != each.text and twice:
            told[each.sample] = before._replace(text="")
        elif before.text != each.text:
            what = f"sample {shown(each.sample)} has {shown(each.text)}"
            problem = f"{what}, and {shown(before.text)} in line {before.line}"
            raise format_error(
                path, problem, line=each.line, remedy=None if twice is None else _UNSURE
            )
    found = {name: own for name in samples if (own := _of_sample(told, name)) is not None}
    if not found:
        problem = f"none of the samples of the data ({listing(samples)})"
        raise format_error(path, f"{problem}; expected a row for each")
    return found


def _of_sample(told: Mapping[str, Entry], name: str) -> Entry | None:
    shorter = (name, short_barcode(name, "sample"), short_barcode(name, "patient"))
    return next((told[each] for each in shorter if each in told), None)


def _time(path: FilePath, entry: Entry) -> tuple[str, float]:
    """Return whether a time is a date or a number, and the time as a number."""
    with suppress(ValueError):
        return "date", float(date.fromisoformat(entry.text).toordinal())
    with suppress(ValueError):
        if isfinite(number := float(entry.text)):
            return "number", number
    problem = f"{shown(entry.text)} is no time; expected a number or 2026-01-31"
    raise format_error(path, f"sample {shown(entry.sample)}: {problem}", line=entry.line)


def sites_of(patients: Patients, kinds: Sequence[str]) -> Patients:
    """Return the patients with sites and primary tumours, from words for each sample.

    Examples
    --------
    >>> found = sites_of(Patients(("p", "p")), ["Primary tumour", "cfDNA"])
    >>> found.sites, found.primary
    (('tumour', 'blood'), array([ True, False]))
    """
    sites = tuple("blood" if _BLOOD.search(kind) else "tumour" for kind in kinds)
    primary = np.array([bool(_PRIMARY.search(kind)) for kind in kinds])
    return replace(patients, sites=sites, primary=primary | patients.primary)


def _primary_barcodes(samples: Sequence[str]) -> BoolArray:
    found = patients_in_names(samples)
    return np.zeros(len(samples), dtype=bool) if found is None else found.primary


def _size(patients: Patients) -> list[Note]:
    """Return the note on how many patients there are, and what is known of the order of samples."""
    if not patients.several:
        return []
    several = sum(len(rows) > 1 for rows in patients.members())
    own = f"{number_of(len(patients.names), 'sample')} of {number_of(patients.number, 'patient')}"
    series = len({int(row) for row in patients.numbers[patients.pairs()[:, 0]]})
    order = f"the order of samples is known in {series}"
    return [Note(f"patients: {own}, {several} with several; {order}")]
