"""Names of samples that say which ones are of one patient, and in which order they were taken."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from caprese._core.arrays import FloatArray
from caprese._core.words import listing
from caprese.data.patients import Patients

_BARCODE = re.compile(
    r"(?P<patient>[A-Z]{3,8}-[A-Z0-9]{2}-[A-Z0-9]{4,6})-(?P<type>\d\d)[A-Z]?(-.*)?"
)
_NUMBERED = re.compile(
    r"(?P<patient>.+?)[-_. ](?:[A-Z]{1,2}|time|visit|sample|day|week|month)-?(?P<place>\d{1,4})"
    r"[A-Z]?(?:-[A-Z0-9]+)?",
    re.IGNORECASE,
)
_WORDED = re.compile(
    r"(?P<patient>.+?)[-_. ](?:primary|met(?:astasis)?|relapsed?|recurren(?:ce|t)|diagnosis"
    r"|baseline|progression|pre|post|before|after|tumou?r|blood|plasma|c[tf]dna)\d*",
    re.IGNORECASE,
)
_LETTERED = re.compile(r"(?P<patient>.+?)[-_. ]?(?P<letter>[a-hA-H])")
_PLACED = re.compile(
    r"(?P<series>.+?)[-_. ](?:[A-Z]{1,2})?(?P<place>\d{1,4})[A-Z]?(?:-[A-Z]{2,}\d*)?", re.IGNORECASE
)
_PRIMARY = frozenset({"01", "03", "05", "09"})  # solid, blood, second primary, bone marrow
_MOST = 10  # samples of a patient, on average, up to which names are believed


def patients_in_names(names: Sequence[str]) -> Patients | None:
    """Return the patients that the names of samples tell of; None if they tell of none.

    Names such as TCGA-02-0001-01, and of which some are of the same patient: P1_T1 and P1_T2,
    P1_primary and P1_relapse; P1a and P1b only if all names are of this form, and no letter is left
    out.

    Examples
    --------
    >>> patients_in_names(["P1_T2", "P1_T1", "P2_T1"]).names
    ('P1', 'P1', 'P2')
    >>> patients_in_names(["a1", "a2", "b1"])
    """
    return next(filter(None, _told(names)), None)


def several_in_names(names: Sequence[str]) -> str:
    """Return which names look like several samples of one patient, in words; empty if none do."""
    found = patients_in_names(names)
    if found is None or not found.several:
        return ""
    groups = [rows for rows in found.members() if len(rows) > 1]
    told = [
        f"{found.names[rows[0]]}: {listing([names[row] for row in rows.tolist()])}"
        for rows in groups[:2]
    ]
    more = "; ..." * (len(groups) > len(told))
    number = f"{len(groups)} patient{'s' * (len(groups) > 1)}"
    return f"names look like several samples of {number} ({'; '.join(told)}{more})"


def _told(names: Sequence[str]) -> Iterator[Patients | None]:
    """Yield what each kind of name tells; None if it is not convincing."""
    for kind in (_BARCODE, _NUMBERED, _WORDED, _LETTERED):
        found = [kind.fullmatch(name) for name in names]
        owners = ["" if each is None else each["patient"] for each in found]
        matched = len(names) - owners.count("")
        times = Counter(filter(None, owners))
        if kind is _BARCODE and times:
            primary = [each is not None and each["type"] in _PRIMARY for each in found]
            yield Patients(tuple(owners), primary=np.array(primary))
            continue
        several = len(times) > 1 or matched < len(names) or len(names) == 2
        if not times or max(times.values()) < 2 or not several:
            continue
        if 2 * matched < len(names) or matched > _MOST * len(times):
            continue
        if kind is _LETTERED and (matched < len(names) or not _consecutive(found)):
            continue
        yield Patients(tuple(owners))


def _consecutive(found: Sequence[re.Match[str] | None]) -> bool:
    """Whether the samples of each patient have the letters a, b, ..., and two have several."""
    own: dict[str, set[str]] = {}
    for each in filter(None, found):
        own.setdefault(each["patient"], set()).add(each["letter"].lower())
    whole = all(each == {chr(97 + k) for k in range(len(each))} for each in own.values())
    return whole and sum(len(each) > 1 for each in own.values()) > 1


def places_in_names(names: Sequence[str], patients: Patients) -> FloatArray:
    """Return the number of each sample in the series that its name tells of; NaN where it does not.

    Numbers of different series, such as P7-T01 and L7-002, are not compared: of the samples of a
    patient and site, those of the most frequent series have a place.

    Examples
    --------
    >>> names = ["L-7-001B", "L-7-002", "P-7-T01-IM6", "L-8-001"]
    >>> places_in_names(names, Patients(("7", "7", "7", "8")))
    array([ 1.,  2., nan,  1.])
    """
    found = np.full(len(names), np.nan)
    series = [_PLACED.fullmatch(name) for name in names]
    for rows in patients.at_sites():
        own = {row: each for row in rows.tolist() if (each := series[row])}
        times = Counter(each["series"] for each in own.values())
        for row, each in own.items():
            if each["series"] == min(times, key=lambda name: (-times[name], name)):
                found[row] = float(each["place"])
    return found
