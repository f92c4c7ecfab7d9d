"""Several samples of one patient: reported, and reduced to one by a stated rule."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from operator import not_

import numpy as np

from caprese._core.checks import one_of
from caprese._core.files import FilePath, format_error, shown
from caprese._core.names import BARCODE, short_barcode
from caprese._core.words import listing, number_of
from caprese.data.dataset import Dataset
from caprese.io.data.reading import Note, Reading, named

RULES = ("primary first", "union", "refuse")
"""Rules for several samples of one patient.

primary first
    One sample represents the patient: a primary tumour if there is one, then the one with the most
    known entries, then the first by name. A relapse or metastasis is later in the progression and
    would blur the order of events.
union
    An event is present if any of the samples has it, absent if it is known to be absent in all.
refuse
    The file is refused, so that nothing is chosen automatically.
"""

LENGTHS = ("sample", "patient")
"""What a TCGA barcode may be shortened to: ``TCGA-02-0001-01`` or ``TCGA-02-0001``."""

_PRIMARY = frozenset({"01", "03", "05", "09"})  # solid, blood, second primary, bone marrow


def shortened(path: FilePath, reading: Reading, barcode: str | None, several: str) -> Reading:
    """Return the reading with TCGA barcodes shortened to samples or patients; None keeps them."""
    one_of("several", several, RULES)
    if barcode is None:
        return reading
    one_of("barcode", barcode, LENGTHS)
    names = reading.data.samples
    found = [BARCODE.fullmatch(name) for name in names]
    if not any(found):
        problem = f"sample {shown(names[0])} is not a TCGA barcode, so it cannot be shortened"
        raise format_error(path, f"{problem}; expected names such as TCGA-02-0001-01A")
    owners = [short_barcode(name, barcode) for name in names]
    primary = [parts is not None and parts[2] in _PRIMARY for parts in found]
    nouns = ("sample", "aliquot") if barcode == "sample" else ("patient", "sample")
    merged = one_per_owner(path, reading.data, owners, primary, several, nouns)
    others = [name for name, parts in zip(names, found, strict=True) if parts is None]
    kept = named("kept", "name", others, "without a TCGA barcode")
    return reading.changed(merged.data, (*merged.notes, *kept))


def one_per_owner(
    path: FilePath,
    data: Dataset,
    owners: Sequence[str],
    primary: Sequence[bool],
    several: str,
    nouns: tuple[str, str] = ("patient", "sample"),
    *,
    renamed: bool = True,
) -> Reading:
    """Return one row for each owner of samples, such as a patient, by one of the `RULES`.

    The rows are named after the owners, unless a sample represents each and it is not to be
    `renamed`; `nouns` are words for the owner and the owned.
    """
    one_of("several", several, RULES)
    groups = defaultdict[str, list[int]](list)
    for position, owner in enumerate(owners):
        groups[owner].append(position)
    shared = [
        f"{owner}: {listing(data.samples[i] for i in rows)}"
        for owner, rows in groups.items()
        if len(rows) > 1
    ]
    if shared and several == "refuse":
        problem = f"one {nouns[0]} with several {nouns[1]}s ({shared[0]})"
        raise format_error(path, f"{problem}; expected one each, or a rule other than 'refuse'")
    if several == "union":
        how = "combined: present if present in any"
        present = np.array([data.values[rows].any(axis=0) for rows in groups.values()])
        known = data.known_mask
        all_known = np.array([known[rows].all(axis=0) for rows in groups.values()])
        result = Dataset(present, data.events, tuple(groups), present | all_known)
    else:
        how = "kept: a primary tumour, else the one with most entries known, else first by name"
        known = (-data.known_mask.sum(axis=1)).tolist()
        rank = list(zip(map(not_, primary), known, data.samples, strict=True))
        result = data.take_samples([min(rows, key=rank.__getitem__) for rows in groups.values()])
        result = replace(result, samples=tuple(groups)) if renamed else result
    some = "; ".join(shared[:3]) + "; ..." * (len(shared) > 3)
    note = Note(f"{number_of(len(shared), nouns[0])} with several {nouns[1]}s ({some}); {how}")
    return Reading(result, (note,) * bool(shared))
