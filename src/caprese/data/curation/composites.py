"""Rules that merge events, and the function that splits them again."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Literal

import numpy as np

from caprese._core.arrays import BoolArray
from caprese._core.checks import one_of, whole
from caprese._core.names import numbered
from caprese.data.curation.log import (
    Curated,
    Step,
    Why,
    checked_names,
    columns,
    counts_by_name,
    in_list,
)
from caprese.data.dataset import Dataset
from caprese.data.grouping import equal_columns
from caprese.errors import DatasetError, ParameterError

Groups = tuple[tuple[str, ...], ...]

_SEPARATOR = " / "  # of the members of a composite
_LONGEST_NAME = 60  # characters


@dataclass(frozen=True, kw_only=True)
class MergeIdentical:
    """Merge events that are present, absent and unknown in the same samples.

    The composite is named after its members, ``A / B``.

    Parameters
    ----------
    longest
        Characters in the name of a composite; members that do not fit are counted:
        ``A / B / +12 more``.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 0, 1], [0, 0, 0]], events=["MDM2", "TP53", "CDK4"])
    >>> MergeIdentical().apply(data).data.events
    ('CDK4 / MDM2', 'TP53')
    """

    longest: int = _LONGEST_NAME

    def __post_init__(self) -> None:
        whole("longest", self.longest, 1)

    def apply(self, data: Dataset) -> Curated:
        """Return the data with one event for each group of identical events."""
        groups = identical_events(data)
        if not groups:
            return Curated(data)
        merged = list(zip(groups, self._names(data, groups), strict=True))
        name_of = {event: name for members, name in merged for event in members}
        places: dict[str, int] = {}
        for place, event in enumerate(data.events):
            places.setdefault(name_of.get(event, event), place)
        counts_of = counts_by_name(data.events, data.tallies())
        log = tuple(
            Step("merge", Why.IDENTICAL, members, (), name, tuple(map(counts_of, members)))
            for members, name in merged
        )
        return Curated(columns(data, list(places.values()), places), log)

    def _names(self, data: Dataset, groups: Groups) -> tuple[str, ...]:
        """Return names of the composites, different from each other and from all other events."""
        merged = {event for members in groups for event in members}
        alone = [event for event in data.events if event not in merged]
        wanted = [composite_name(members, self.longest) for members in groups]
        return numbered([*alone, *wanted])[len(alone) :]


@dataclass(frozen=True)
class MergeEvents:
    """Merge events into one that is present where any of them is.

    Where none is present and any is unknown, the composite is unknown. The members cannot be
    recovered from it; with `keep_members` they stay in the table.

    Parameters
    ----------
    members
        Names of two or more events.
    into
        The name of the composite; by default ``A / B``.
    keep_members
        Whether the members stay in the table.

    Examples
    --------
    >>> from caprese.data.datasets import acml
    >>> rule = MergeEvents(["ASXL1 indel", "ASXL1 nonsense"], into="ASXL1")
    >>> rule.apply(acml()).data.events
    ('SETBP1 missense', 'ASXL1')
    """

    members: Sequence[str]
    into: str = ""
    keep_members: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "members", checked_names("members", self.members, least=2))
        one_of("keep_members", self.keep_members, (True, False))
        if not isinstance(self.into, str):
            raise ParameterError("into", "the name of an event", self.into)

    def apply(self, data: Dataset) -> Curated:
        """Return the data with the composite."""
        chosen, _ = in_list(data, self.members, must_exist=True)
        composite = self.into or composite_name(self.members)
        if composite in (data.events if self.keep_members else compress(data.events, ~chosen)):
            problem = f"there is already an event {composite!r}"
            raise DatasetError(f"{problem}; choose another name for the union")
        what: Literal["add", "merge"] = "add" if self.keep_members else "merge"
        counts = tuple(map(counts_by_name(data.events, data.tallies()), self.members))
        step = Step(what, Why.UNION, tuple(self.members), (), composite, counts)
        return Curated(self._table(data, chosen, composite), (step,))

    def _table(self, data: Dataset, chosen: BoolArray, composite: str) -> Dataset:
        present, known = _union(data, chosen)
        values = np.column_stack([data.values, present])
        mask = np.column_stack([data.known_mask, known])
        names, order = [*data.events, composite], self._order(chosen)
        events = tuple(names[place] for place in order)
        return Dataset(values[:, order], events, data.samples, mask[:, order])

    def _order(self, chosen: BoolArray) -> list[int]:
        """Return the columns in their new order; the composite is given as the last column."""
        columns, composite = range(len(chosen)), len(chosen)
        if self.keep_members:
            return [*columns, composite]
        first = int(np.argmax(chosen))
        return [composite if k == first else k for k in columns if k == first or not chosen[k]]


def split(curated: Curated, composite: str) -> Curated:
    """Return the data with a composite of identical events replaced by its members.

    The members are taken from the log; each has the values of the composite. A union of events
    that differ cannot be split, because its values do not tell which member was present.
    """
    data = curated.data
    in_list(data, [composite], must_exist=True)
    made = [step for step in curated.log if step.composite == composite]
    if not made or made[-1].what != "merge":
        raise DatasetError(f"event {composite!r} was not merged from others")
    members = made[-1].events
    if made[-1].why != Why.IDENTICAL:
        raise DatasetError(
            f"event {composite!r} is a union of events that differ, so its members cannot be "
            "recovered; curate the original data with keep_members"
        )
    parts = [members if event == composite else (event,) for event in data.events]
    places = [place for place, names in enumerate(parts) for _ in names]
    found = columns(data, places, [name for names in parts for name in names])
    counts = tuple(map(counts_by_name(found.events, found.tallies()), members))
    step = Step("split", Why.IDENTICAL, members, (), composite, counts)
    return Curated(found, (*curated.log, step))


def identical_events(data: Dataset) -> Groups:
    """Return the groups of events that are present, absent and unknown in the same samples."""
    tables = (data.values,) if data.known is None else (data.values, data.known)
    groups = [[data.events[column] for column in group] for group in equal_columns(*tables)]
    return tuple(sorted(tuple(sorted(group)) for group in groups))


def composite_name(members: Sequence[str], longest: int = _LONGEST_NAME) -> str:
    """Return the name of a composite: as many members as fit, and how many more."""
    ordered = sorted(members)
    for shown in range(len(ordered), 0, -1):
        rest = [f"+{len(ordered) - shown} more"] if shown < len(ordered) else []
        name = _SEPARATOR.join([*ordered[:shown], *rest])
        if len(name) <= longest:
            break
    return name


def _union(data: Dataset, chosen: BoolArray) -> tuple[BoolArray, BoolArray]:
    """Return in which samples any of the chosen events is present, and in which that is known."""
    present: BoolArray = np.any(data.values[:, chosen], axis=1)
    return present, present | np.all(data.known_mask[:, chosen], axis=1)
