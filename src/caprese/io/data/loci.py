"""Copy number by locus: neighbours that change together, arms, other events of the same gene."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from caprese._core.arrays import BoolArray, sealed
from caprese._core.words import listing, number_of
from caprese.data.dataset import Dataset
from caprese.data.genes import gene_book, known_panels
from caprese.io.data.reading import Note, Reading, named

REGIONS = ("merged", "genes", "arms")
"""What events of copy number are of: neighbours that coincide, single genes, or arms."""

TOGETHER = ("nothing", "losses", "all kinds")
"""Which events of one gene are one event: none, mutation and loss, or all."""

COINCIDE = 0.8
"""Two neighbours are merged if so many of the samples with either of them have both."""

_ARM_GENES = 3  # least number of genes that must be known to judge an arm
_ARM_SHARE = 0.5  # least proportion of them that must be lost or gained
_LOSS = " loss"


def by_region(reading: Reading, regions: str) -> Reading:
    """Return gains and losses of genes as events of one of `REGIONS`."""
    if regions == "arms":
        return _arms(reading)
    return _neighbours(reading) if regions == "merged" else reading


def _arm_of(event: str) -> tuple[str, str]:
    gene, _, kind = event.rpartition(" ")
    return gene_book().arm(gene), kind


def _by_arm(events: Sequence[str]) -> dict[tuple[str, str], list[int]]:
    found = defaultdict[tuple[str, str], list[int]](list)
    for column, event in enumerate(events):
        arm, kind = _arm_of(event)
        if arm:
            found[arm, kind].append(column)
    return found


def _neighbours(reading: Reading) -> Reading:
    """Merge events of one arm that coincide, each into one named by its best known gene."""
    data = reading.data
    groups = []
    for columns in _by_arm(data.events).values():
        linked = _linked(data.values[:, columns], data.known_mask[:, columns])
        groups += [[columns[k] for k in group] for group in linked]
    genes = [event.rpartition(" ")[0] for event in data.events]
    panels = Counter(gene for covered in {*known_panels().values()} for gene in covered)
    carriers, notes, names = data.values.sum(axis=0), [], []
    for group in groups:  # the best known gene is that on the most public panels
        best = min(group, key=lambda k: (-panels[genes[k]], -carriers[k], genes[k]))
        names.append(data.events[best])
        others = sorted((genes[k] for k in group if k != best), key=gene_book().along)
        gene, _, kind = data.events[best].rpartition(" ")
        where = gene_book().bands.get(gene, "")
        with_it = f"with {listing(others)}, {'gained' if kind == 'gain' else 'lost'} together"
        notes.append(Note(f"copy number: {data.events[best]} ({where}) is one event {with_it}"))
    notes.sort(key=str)
    return reading.changed(grouped(data, groups, names, known="any"), notes)


def _linked(values: BoolArray, known: BoolArray) -> list[list[int]]:
    """Return the groups of columns that are joined by pairs that coincide."""
    present, seen = values.astype(np.float32), known.astype(np.float32)
    both = present.T @ present
    first = present.T @ seen  # with the first, where the second is known
    either = first + first.T - both
    close = (both > 0) & (both >= COINCIDE * either)
    left, groups = set(range(values.shape[1])), []
    while left:
        group, border = set[int](), {left.pop()}
        while border:
            group |= border
            near = {int(k) for each in border for k in np.flatnonzero(close[each])}
            border = near - group
        left -= group
        groups.append(sorted(group))
    return sorted(group for group in groups if len(group) > 1)


def _arms(reading: Reading) -> Reading:
    """Replace genes by arms that are gained or lost: half of the genes known, at least three."""
    data = reading.data
    arms = {key: at for key, at in _by_arm(data.events).items() if len(at) >= _ARM_GENES}
    if not arms:
        return reading.changed(
            data, [Note("copy number: no arm has three genes, so none is judged")]
        )
    values, known = [], []
    for columns in arms.values():
        seen = data.known_mask[:, columns].sum(axis=1)
        here = (data.values & data.known_mask)[:, columns].sum(axis=1)
        known.append(seen >= _ARM_GENES)
        values.append((here >= _ARM_SHARE * seen) & known[-1])
    gone = {k for columns in arms.values() for k in columns}
    rest = [k for k in range(len(data.events)) if k not in gone]
    events = (*(f"{arm} {kind}" for arm, kind in arms), *(data.events[k] for k in rest))
    table = np.column_stack([*values, data.values[:, rest]]).astype(bool)
    mask = np.column_stack([*known, data.known_mask[:, rest]]).astype(bool)
    joined = Dataset(sealed(table), events, data.samples, sealed(mask))
    genes = number_of(len(gone), "event")
    note = Note(f"copy number: {genes} of genes are {len(arms)} of arms, by half of their genes")
    return reading.changed(joined, [note])


def by_gene(reading: Reading, which: str) -> Reading:
    """Merge the events of each gene into one: all of them, or its loss and its mutations."""
    if which == "nothing":
        return reading
    data = reading.data
    genes = defaultdict[str, list[int]](list)
    for column, event in enumerate(data.events):
        gene, _, kind = event.partition(" ")
        if which == "all kinds" or kind not in ("gain", "fusion", "rearrangement"):
            genes[gene].append(column)
    merged = {gene: columns for gene, columns in genes.items() if len(columns) > 1}
    if which == "losses":
        lost = {event.removesuffix(_LOSS) for event in data.events if event.endswith(_LOSS)}
        merged = {gene: columns for gene, columns in merged.items() if gene in lost}
    what = "mutation and loss" if which == "losses" else "all kinds"
    notes = named(f"one event for {what} of", "gene", sorted(merged))
    return reading.changed(grouped(data, merged.values(), list(merged), known="all"), notes)


def grouped(
    data: Dataset, groups: Iterable[Sequence[int]], names: Sequence[str], *, known: str
) -> Dataset:
    """Return the data with each group of columns as one, present where any of them is.

    Where none is present it is absent if `known` members, any or all, are known.
    """
    first = {columns[0]: (columns, name) for columns, name in zip(groups, names, strict=True)}
    inside = {k for columns, _ in first.values() for k in columns}
    if not inside:
        return data
    kept = [k for k in range(len(data.events)) if k in first or k not in inside]
    present, mask = data.values & data.known_mask, data.known_mask
    values, seen = present[:, kept], mask[:, kept]
    events = [data.events[k] for k in kept]
    for place, column in enumerate(kept):
        if column in first:
            columns, name = first[column]
            values[:, place] = present[:, columns].any(axis=1)
            whole = mask[:, columns].any(axis=1) if known == "any" else mask[:, columns].all(axis=1)
            seen[:, place] = values[:, place] | whole
            events[place] = name
    return Dataset(sealed(values), tuple(events), data.samples, sealed(seen))
